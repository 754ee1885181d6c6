// Package web gets documents from the web, politely and safely.
//
// The function you want is [Fetcher.Fetch], whose bytes [page.Reader] turns into Markdown:
//
//	var fetcher web.Fetcher
//	raw, err := fetcher.Fetch(ctx, "https://example.org/article")
//	if err != nil {
//		return err // a *page.Error says what happened and what to do next
//	}
//	doc, err := page.Read(ctx, raw)
//
// It sends no cookie and no key, and reaches no private address. [Proxy] holds a browser to the same rules.
package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/page/plain"
)

const (
	defaultTimeout   = 30 * time.Second
	defaultMaxBytes  = 5 << 20
	defaultUserAgent = "Daybook/0.1 (+https://github.com/daybook-agent/daybook)"
	maxURLBytes      = 8 << 10 // as much as common servers accept
)

// Fetcher reads pages from the web only: every connection is checked when it is made, after the name has been
// resolved, so that neither a redirect nor a trick with names or numbers leads into a private network. It
// uses no proxy, since a proxy would connect where the check cannot see it.
//
// It is a polite guest. It identifies itself with a contact address, keeps no cookies, and sends no referrer.
// It requests a site's robots.txt once and obeys it, by RFC 9309, under the name Daybook. A missing
// robots.txt allows everything; after a server error or no answer the site is left alone for a minute. From a
// site (scheme, host and port) it requests three pages at once and then one a second, or as seldom as its
// Crawl-delay says, up to ten seconds. It waits once for a Retry-After of at most ten seconds; during a
// longer one, up to an hour, it does not ask the site at all. None of this applies to the user's own
// machines: with AllowPrivate, localhost and private addresses given as numbers.
//
// Calls for the same page at the same time share one request. The zero value is ready and safe for concurrent
// use. Set the fields before the first Fetch, and do not copy a Fetcher after it.
type Fetcher struct {
	// also reach private and local addresses, and any port; for one's own site
	AllowPrivate bool
	Timeout      time.Duration // for one page with its redirects and waits, to the last byte; 0 = 30 s
	// of one page, both as sent and decompressed; 0 = 5 MiB, and MaxPacked for PDFs and other packed formats
	MaxBytes  int64
	UserAgent string // "" = Daybook/0.1 (+https://github.com/daybook-agent/daybook)

	once    sync.Once
	connect dial         // nil = by AllowPrivate
	pages   *http.Client // their redirects are checked like pages
	rules   *http.Client // for robots.txt; their redirects are not
	sites   sites
	flights flights
}

// Fetch gets the document at address. Raw.URL is the final address after at most five redirects. Its errors
// are all of type [*Error], with the context's own error as cause if the caller stopped it.
func (f *Fetcher) Fetch(ctx context.Context, address string) (page.Raw, error) {
	return f.FetchNewer(ctx, address, page.Version{})
}

// ErrUnchanged is the error for a page that is still the caller's version.
var ErrUnchanged = errors.New("the page is as it was")

// FetchNewer is Fetch for a page that was fetched before. If its server reports no other version than the
// given one, the error is [ErrUnchanged].
func (f *Fetcher) FetchNewer(ctx context.Context, address string, than page.Version) (page.Raw, error) {
	f.once.Do(f.start)
	target, err := parseAddress(address)
	if err != nil {
		return page.Raw{}, err
	}
	return f.flights.join(ctx, target.String()+"\n"+than.ETag+"\n"+than.Modified,
		func(ctx context.Context) (page.Raw, error) {
			ctx, cancel := context.WithTimeout(ctx, cmp.Or(f.Timeout, defaultTimeout))
			defer cancel()
			raw, wait, err := f.try(ctx, target, than)
			if 0 < wait && wait <= shortWait { // the site asks for a little patience
				raw, _, err = f.try(ctx, target, than)
			}
			return raw, err
		})
}

// Close drops the connections kept open for the next page. The Fetcher may be used again.
func (f *Fetcher) Close() {
	f.once.Do(f.start)
	f.pages.CloseIdleConnections()
}

// MayAsk waits until a page may be requested by other means, or returns an error if it may not.
func (f *Fetcher) MayAsk(ctx context.Context, address string) error {
	f.once.Do(f.start)
	target, err := parseAddress(address)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(f.Timeout, defaultTimeout))
	defer cancel()
	if err := f.admit(ctx, target, true); err != nil {
		return unreachable(address, err)
	}
	return nil
}

// try also returns how long the site asks to wait, or 0.
func (f *Fetcher) try(ctx context.Context, target *url.URL,
	than page.Version) (page.Raw, time.Duration, error) {
	address := target.String()
	response, err := f.ask(ctx, target, than)
	if err != nil {
		return page.Raw{}, 0, unreachable(address, err)
	}
	defer response.Body.Close()
	if wait := retryAfter(response); wait > 0 && !f.isOwn(response.Request.URL) {
		f.sites.hold(f.sites.of(response.Request.URL), wait)
		status := response.StatusCode
		return page.Raw{}, wait, refused(address, status, fmt.Sprintf("the server answers %d and asks to "+
			"wait %s: go on with another source and come back then", status, inWords(wait)))
	}
	if response.StatusCode == http.StatusNotModified && than != (page.Version{}) {
		return page.Raw{}, 0, ErrUnchanged
	}
	raw, err := f.read(response, address)
	return raw, 0, err
}

func (f *Fetcher) ask(ctx context.Context, target *url.URL, than page.Version) (*http.Response, error) {
	if err := f.admit(ctx, target, true); err != nil {
		return nil, err
	}
	request, err := f.request(ctx, target)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "text/html,application/xhtml+xml,text/markdown,application/pdf;"+
		"q=0.9,text/plain;q=0.9,application/json;q=0.8,*/*;q=0.5")
	if than.ETag != "" {
		request.Header.Set("If-None-Match", than.ETag)
	}
	if than.Modified != "" {
		request.Header.Set("If-Modified-Since", than.Modified)
	}
	return f.pages.Do(request)
}

// request builds the part that all requests of a Fetcher share.
func (f *Fetcher) request(ctx context.Context, target *url.URL) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, failed(page.BadURL, target.String(), "this is no address that can be asked for: check it")
	}
	request.Header.Set("User-Agent", cmp.Or(f.UserAgent, defaultUserAgent))
	// requested explicitly: the transport's own gzip would hide how many bytes came over the wire
	request.Header.Set("Accept-Encoding", "gzip")
	return request, nil
}

func (f *Fetcher) read(response *http.Response, address string) (page.Raw, error) {
	contentType := response.Header.Get("Content-Type")
	limit := int64(defaultMaxBytes)
	if page.IsPacked(contentType) {
		limit = page.MaxPacked
	}
	limit = cmp.Or(f.MaxBytes, limit)
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return page.Raw{}, badStatus(address, response.StatusCode)
	}
	media, _, err := mime.ParseMediaType(contentType)
	if err == nil && page.NameOfBinary(media) != "" {
		return page.Raw{}, page.NewUnsupported("fetching", address, page.NameOfBinary(media))
	}
	unnamed := media == "application/octet-stream" // said of downloads, but of many texts and PDFs as well
	if response.ContentLength > limit {
		if unnamed {
			return page.Raw{}, page.NewUnsupported("fetching", address, download(response))
		}
		return page.Raw{}, page.NewTooLarge("fetching", address, response.ContentLength, limit)
	}
	body, err := readBody(response, limit, unnamed)
	_, isTooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case errors.Is(err, errDownload):
		return page.Raw{}, page.NewUnsupported("fetching", address, download(response))
	case isTooLarge:
		return page.Raw{}, page.NewTooLarge("fetching", address, 0, limit)
	case err != nil:
		return page.Raw{}, unreachable(address, err)
	case len(body) == 0:
		return page.Raw{}, page.NewEmpty("fetching", address)
	}
	found := response.Request.URL.String()
	raw := page.Raw{URL: found, ContentType: contentType, Body: body}
	switch {
	case response.StatusCode == http.StatusPartialContent:
		raw.Partial = "the server sent a part of it"
	case response.ContentLength >= 0 && breaksOff(body): // bytes beyond the stated length are never seen
		raw.Partial = "it breaks off before its end"
	default:
		raw.Version = page.Version{ETag: tag(response, "ETag"), Modified: tag(response, "Last-Modified")}
	}
	return raw, nil
}

// tag returns a header by which a server identifies a version, "" if it is too long.
func tag(response *http.Response, name string) string {
	const most = 200
	if value := response.Header.Get(name); len(value) <= most {
		return value
	}
	return ""
}

// breaksOff reports whether a body begins as an HTML page and ends in the middle of a text or a tag.
func breaksOff(body []byte) bool {
	lower := bytes.ToLower(bytes.TrimSpace(body))
	has := func(tag string) bool { return bytes.Contains(lower, []byte(tag)) }
	return (has("<html") || has("<body")) && !has("</html") && !has("</body") &&
		!bytes.HasSuffix(lower, []byte(">"))
}

// download describes the type and size of what is not read.
func download(response *http.Response) string {
	if response.ContentLength <= 0 {
		return "a download (application/octet-stream)"
	}
	return "a download (application/octet-stream of " + plain.Size(response.ContentLength) + ")"
}

// start creates the clients on first use.
func (f *Fetcher) start() {
	switch {
	case f.connect != nil:
	case f.AllowPrivate:
		f.connect = newDial(nil, nil)
	default:
		f.connect = guarded()
	}
	transport := newTransport(f.connect)
	f.pages = &http.Client{Transport: transport, CheckRedirect: f.checkRedirect}
	f.rules = &http.Client{Transport: transport, CheckRedirect: limitRedirects}
}

// checkRedirect applies the rules for a first address to a redirect; a redirect within a site is not paced.
func (f *Fetcher) checkRedirect(next *http.Request, before []*http.Request) error {
	if err := limitRedirects(next, before); err != nil {
		return err
	}
	return f.admit(next.Context(), next.URL, originOf(next.URL) != originOf(before[len(before)-1].URL))
}

func parseAddress(address string) (*url.URL, error) {
	if len(address) > maxURLBytes {
		return nil, failed(page.BadURL, address,
			fmt.Sprintf("this address has %d bytes, the limit is %d: check it", len(address), maxURLBytes))
	}
	target, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, failed(page.BadURL, address, "this is no address at all: check it")
	}
	if e := checkAddress(target); e != nil {
		return nil, e
	}
	return target, nil
}

// checkAddress applies to the first address and to every redirect. Where an address leads is not decided
// here, from its spelling, but when connecting.
func checkAddress(u *url.URL) *page.Error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return failed(page.BadURL, u.String(), fmt.Sprintf(
			"only http and https are read from the web, not %q: give the full address of a web page",
			u.Scheme))
	case u.Hostname() == "":
		return failed(page.BadURL, u.String(), "the address names no host: check it")
	case u.User != nil:
		return failed(page.BadURL, u.String(), "the address holds a name or password: give it without")
	}
	return nil
}

package page

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"code.dny.dev/ssrf"
)

const (
	defaultTimeout   = 30 * time.Second
	defaultMaxBytes  = 5 << 20
	defaultUserAgent = "Daybook/0.1 (+research agent)"
	maxRedirects     = 5
	maxURLBytes      = 8 << 10  // as much as common servers take
	maxHeaderBytes   = 64 << 10 // of an answer; Go's own limit is 10 MB
)

// Fetcher reads pages from the web and nowhere else: every connection is checked when it is made, after the name has
// been resolved, so that neither a redirect nor a trick with names or numbers leads into a private network. It uses no
// proxy, since a proxy would connect where the check cannot see it.
//
// The zero value is ready. Fill in the fields before the first Fetch and do not copy a Fetcher after it.
type Fetcher struct {
	AllowPrivate bool          // also reach private and local addresses, and any port; for a site of one's own
	Timeout      time.Duration // for one page with its redirects, to the last byte; 0 = 30 s
	MaxBytes     int64         // of one page, counted both as sent and decompressed; 0 = 5 MiB
	UserAgent    string        // "" = Daybook/0.1 (+research agent)

	once   sync.Once
	client *http.Client
}

// Fetch gets the document at address. Raw.URL is where it was found after at most five redirects. Its errors are all of
// type [*Error], with the context's own error as cause when the caller stopped it.
func (f *Fetcher) Fetch(ctx context.Context, address string) (Raw, error) {
	f.once.Do(f.start)
	target, err := parseAddress(address)
	if err != nil {
		return Raw{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, orDefault(f.Timeout, defaultTimeout))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return Raw{}, newError(BadURL, "fetching", address, "this is no address that can be asked for: check it")
	}
	request.Header.Set("User-Agent", orDefault(f.UserAgent, defaultUserAgent))
	request.Header.Set("Accept", "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/json;q=0.8,*/*;q=0.5")
	// Asked for by hand: the transport's own gzip would hide how many bytes came over the wire.
	request.Header.Set("Accept-Encoding", "gzip")
	response, err := f.client.Do(request)
	if err != nil {
		return Raw{}, unreachable(address, err)
	}
	defer response.Body.Close()
	return f.read(response, address)
}

func (f *Fetcher) read(response *http.Response, address string) (Raw, error) {
	limit := orDefault(f.MaxBytes, defaultMaxBytes)
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return Raw{}, badStatus(address, response.StatusCode)
	}
	contentType := response.Header.Get("Content-Type")
	if media, _, err := mime.ParseMediaType(contentType); err == nil && mediaName(media) != "" {
		return Raw{}, unsupported("fetching", address, mediaName(media))
	}
	if response.ContentLength > limit {
		return Raw{}, tooLarge("fetching", address, response.ContentLength, limit)
	}
	body, err := readBody(response, limit)
	switch {
	case errors.Is(err, errTooLarge):
		return Raw{}, tooLarge("fetching", address, 0, limit)
	case err != nil:
		return Raw{}, unreachable(address, err)
	case len(body) == 0:
		return Raw{}, empty("fetching", address)
	}
	return Raw{URL: response.Request.URL.String(), ContentType: contentType, Body: body}, nil
}

// start makes the client at the first Fetch.
func (f *Fetcher) start() {
	if f.client != nil {
		return
	}
	if f.AllowPrivate {
		f.client = newClient(nil)
	} else {
		f.client = newClient(ssrf.New())
	}
}

// newClient takes nil for "no guard". The guard looks at the very address that is connected to.
func newClient(guard *ssrf.Guardian) *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	if guard != nil {
		dialer.Control = guard.Safe
	}
	return &http.Client{
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			ForceAttemptHTTP2:      true, // a dialer of one's own turns it off
			TLSHandshakeTimeout:    10 * time.Second,
			MaxResponseHeaderBytes: maxHeaderBytes,
			DisableCompression:     true,
			MaxIdleConns:           20,
			IdleConnTimeout:        30 * time.Second,
		},
		CheckRedirect: checkRedirect,
	}
}

func checkRedirect(next *http.Request, before []*http.Request) error {
	if len(before) > maxRedirects {
		return errRedirects
	}
	next.Header.Del("Referer") // it would carry the query of one site to another
	if e := checkAddress(next.URL); e != nil {
		return e
	}
	return nil
}

func parseAddress(address string) (*url.URL, error) {
	if len(address) > maxURLBytes {
		return nil, newError(BadURL, "fetching", address,
			fmt.Sprintf("this address has %d bytes, the limit is %d: check it", len(address), maxURLBytes))
	}
	target, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, newError(BadURL, "fetching", address, "this is no address at all: check it")
	}
	if e := checkAddress(target); e != nil {
		return nil, e
	}
	return target, nil
}

// checkAddress holds for the first address and for every redirect. Where an address leads is not decided here, by its
// letters, but at the moment of connecting.
func checkAddress(u *url.URL) *Error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return newError(BadURL, "fetching", u.String(), fmt.Sprintf(
			"only http and https are read from the web, not %q: give the full address of a web page", u.Scheme))
	case u.Hostname() == "":
		return newError(BadURL, "fetching", u.String(), "the address names no host: check it")
	case u.User != nil:
		return newError(BadURL, "fetching", u.String(), "the address holds a name or password: give it without")
	}
	return nil
}

func orDefault[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

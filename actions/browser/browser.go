// Package browser reads pages that show nothing to a plain request: it has a browser show them, and a
// micro-agent use them. The function you want is [Agent].
//
// A [Browser] is Chromium or one of its kin, started for one task and gone with it, profile and all. Its only
// way out is a proxy of this program that connects to what [page.Fetcher] would connect to, so that nothing
// that a page does, in a frame, a worker, a socket or a redirect, leads into a private network. It downloads
// and uploads nothing, fills in no password, is given no permission, and sends forms to no other site than
// the one that was opened.
//
// What a person sees of a page becomes a [View]: its text, as one reads it with frames and shadow roots in
// their places, and numbered controls. Whoever keeps views as sources is a [Desk].
package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/daybook-agent/daybook/actions/page"
)

// name is how the browser says what it is, beside its own name.
const name = "Daybook/0.1 (+https://github.com/daybook-agent/daybook)"

// Browser shows pages, in one tab. It is started when the first page is opened. It is not safe for concurrent
// use.
type Browser struct {
	Path  string        // of the program
	Pages *page.Fetcher // whose rules hold for what may be asked for
	Dial  Dial          // how connections are made; nil for that of Pages

	now *running
}

// running is a browser at work.
type running struct {
	proxy   *proxy
	process *process
	tab     *tab
	view    *View
	numbers map[int64]int // of controls, as long as a page is there
	page    int64         // by which the browser knows it
}

// View is what a person sees of a page.
type View struct {
	Asked    string // the address that was opened
	Address  string // where that led
	Page     page.Page
	Controls []*Control
	Notes    []string // what happened beside the page
}

// Close ends the browser.
func (b *Browser) Close() {
	if b.now == nil {
		return
	}
	b.now.proxy.close()
	if b.now.process != nil {
		b.now.process.close()
	}
	b.now = nil
}

// Start starts the browser, unless it runs. Open does so too.
func (b *Browser) Start(ctx context.Context) error {
	if b.now != nil {
		return nil
	}
	dial := b.Dial
	if dial == nil {
		dial = b.Pages.Dial
	}
	out, err := newProxy(dial)
	if err != nil {
		return err
	}
	t := &tab{asked: map[string]time.Time{}, mayAsk: func(address string) error {
		return b.Pages.MayAsk(context.WithoutCancel(ctx), address) // which has a time limit of its own
	}}
	b.now = &running{proxy: out, tab: t}
	ctx, cancel := context.WithTimeoutCause(ctx, 2*maxLoad, errors.New("it does not start in time"))
	defer cancel()
	if b.now.process, err = launch(ctx, b.Path, out.address(), t.hear); err == nil {
		t.uses(b.now.process.wire)
		err = t.begin(ctx)
	}
	if err != nil {
		b.Close()
	}
	return err
}

// Open shows the page at an address.
func (b *Browser) Open(ctx context.Context, address string) (*View, error) {
	if !isWeb(address) {
		return nil,
			errors.New("only http and https addresses are opened: give the full address of a web page")
	}
	if err := b.Start(ctx); err != nil {
		return nil, err
	}
	b.now.proxy.anew()
	b.now.view = nil
	err := b.now.tab.goTo(ctx, address)
	if failed, ok := errors.AsType[*unreached](err); ok {
		err = b.now.failed(failed.address, failed)
	}
	if err != nil {
		return nil, b.orEnd(err)
	}
	v, err := b.Read(ctx)
	if err == nil {
		v.Asked = address
		b.now.tab.welcome(v.Address)
	}
	return v, err
}

// Read waits until the page has come to rest, and looks at it.
func (b *Browser) Read(ctx context.Context) (*View, error) {
	if b.now == nil {
		return nil, errors.New("no page is open: open one first")
	}
	if err := b.now.tab.settle(ctx); err != nil {
		return nil, b.orEnd(err)
	}
	v, err := b.now.look(ctx)
	return v, b.orEnd(err)
}

// orEnd ends a browser whose page cannot be left otherwise: the next is opened in a new one.
func (b *Browser) orEnd(err error) error {
	if errors.Is(err, errGone) {
		b.Close()
		return fmt.Errorf("%w: open another page", err)
	}
	return err
}

// look describes the page as it is.
func (r *running) look(ctx context.Context) (*View, error) {
	d, err := r.tab.picture(ctx)
	if err != nil {
		return nil, err
	}
	status, kind := r.tab.came()
	switch {
	case r.proxy.tooMuch():
		return nil,
			fmt.Errorf("reading %s: the page loads more than %d MB and was cut off: look for a smaller "+
				"page or a summary of it", bare(d.address), maxBytes>>20)
	case strings.HasPrefix(d.address, "chrome-error:"), status >= 400:
		return nil, r.failed(cmp.Or(r.tab.last(), d.address), nil)
	case kind == "application/pdf":
		return nil, fmt.Errorf("reading %s: this is a PDF, which a browser shows as a picture: read it with "+
			"visit_url", bare(d.address))
	}
	s := look(d)
	text := s.html.String()
	if s.password { // by which a form to sign in is known
		text += `<input type="password">`
	}
	v := &View{Address: d.address, Asked: d.address, Controls: s.controls, Notes: r.tab.news()}
	if v.Page, err = page.Seen(ctx, d.title, text, d.address); err != nil {
		return nil, err
	}
	switch {
	case s.drawings > 0:
		v.Page.Partial = cmp.Or(v.Page.Partial, "what is drawn on a canvas is not in it")
	case s.unread > 0:
		v.Page.Partial = cmp.Or(v.Page.Partial, "a frame of it could not be read")
	}
	r.number(d, v)
	r.view = v
	return v, nil
}

// number gives each control the number that it had when the page was looked at before, or a new one.
func (r *running) number(d *document, v *View) {
	for _, html := range d.root.inside {
		if html.name == "html" && html.id != r.page {
			r.page, r.numbers = html.id, map[int64]int{}
		}
	}
	for _, c := range v.Controls {
		if r.numbers[c.id] == 0 {
			r.numbers[c.id] = len(r.numbers) + 1
		}
		c.Number = r.numbers[c.id]
	}
}

// failed says why a page did not come.
func (r *running) failed(address string, otherwise error) error {
	status, _ := r.tab.came()
	host := ""
	if u, err := url.Parse(address); err == nil {
		host = u.Hostname()
	}
	if why := r.proxy.why(host); why != nil {
		return page.NotFetched(address, 0, why)
	}
	if status >= 400 {
		return page.NotFetched(address, status, nil)
	}
	return cmp.Or(otherwise, error(&unreached{address, "that it cannot be shown"}))
}

// bare is an address as it may stand in a message: without its query, where keys and words searched for are.
func bare(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	return short(address)
}

// siteOf is who answers at an address: the domain that somebody registered, or the number, with a port of its
// own.
func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	if registered, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil && net.ParseIP(host) == nil {
		host = registered
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host = net.JoinHostPort(host, port)
	}
	return host
}

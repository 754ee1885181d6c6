// Package browser reads pages that show nothing to a plain request: a browser renders them, and a micro-agent
// uses them. The function you want is [Agent].
//
// A [Browser] is Chromium or a relative, started for one task and removed after it, profile and all. Its only
// way out is a proxy of this program that connects only where [web.Fetcher] would, so that nothing a page
// does, in a frame, a worker, a socket or a redirect, leads into a private network. It downloads and uploads
// nothing, fills in no password, gets no permission, and sends forms only to the site that was opened.
//
// What a person sees of a page becomes a [View]: its text in reading order, with frames and shadow roots in
// their places, and numbered controls. A [Desk] keeps views as sources.
package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
)

// name is how the browser identifies itself, after its own name.
const name = "Daybook/0.1 (+https://github.com/daybook-agent/daybook)"

// Browser shows pages, in one tab, starting with the first Open. It is not safe for concurrent use.
type Browser struct {
	Path  string       // of the program, or the address of a running one, such as http://127.0.0.1:9222
	Pages *web.Fetcher // its rules decide what may be requested

	now *tab
}

// View is what a person sees of a page.
type View struct {
	Asked    string // the address that was opened
	Address  string // where that led
	Page     page.Page
	controls []*control
	notes    []string // side events
}

// Close ends the browser.
func (b *Browser) Close() {
	if b.now != nil {
		b.now.close()
		b.now = nil
	}
}

// Start starts the browser, unless it is running. Open does so too.
func (b *Browser) Start(ctx context.Context) (err error) {
	if b.now != nil {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, 3*maxCall, errors.New("it does not start in time"))
	defer cancel()
	b.now, err = newTab(ctx, b.Path, b.Pages)
	return err
}

// Open opens the page at an address and returns its view.
func (b *Browser) Open(ctx context.Context, address string) (*View, error) {
	if !isWeb(address) {
		return nil, errors.New("only http and https addresses are opened: give the full one of a web page")
	}
	if err := b.Start(ctx); err != nil {
		return nil, err
	}
	if err := b.now.goTo(ctx, address); err != nil {
		return nil, b.orEnd(err)
	}
	v, err := b.read(ctx)
	if err == nil {
		v.Asked = address // forms may be sent to where it led
		b.now.locked(func() { b.now.home = append(b.now.home, origin.SiteOf(v.Address)) })
	}
	return v, err
}

// read waits until the page has settled, and looks at it.
func (b *Browser) read(ctx context.Context) (v *View, err error) {
	if b.now == nil {
		return nil, errors.New("no page is open: open one first")
	}
	if err = b.now.settle(ctx); err == nil {
		v, err = b.now.look(ctx)
	}
	return v, b.orEnd(err)
}

// orEnd ends a browser whose page cannot be left in any other way: the next page gets a new one.
func (b *Browser) orEnd(err error) error {
	if errors.Is(err, errGone) {
		b.Close()
		return fmt.Errorf("%w: open another page", err)
	}
	return err
}

// look describes the current page.
func (t *tab) look(ctx context.Context) (*View, error) {
	d, err := t.picture(ctx)
	if err != nil {
		return nil, err
	}
	at := t.now()
	if why := t.proxy.Why(cmp.Or(at.address, d.address), at.status); why != nil {
		return nil, why
	}
	switch {
	case strings.HasPrefix(d.address, "chrome-error:"):
		return nil, t.failed(at.address, "that it cannot be shown")
	case at.kind == "application/pdf":
		return nil, fmt.Errorf("reading %s: this is a PDF, which a browser shows as a picture: read it with "+
			"visit_url", bare(d.address))
	}
	s := &seen{ground: "rgb(255, 255, 255)"}
	s.document(d)
	text := s.html.String()
	if s.password { // a sign-in form is recognized by it
		text += `<input type="password">`
	}
	v := &View{Address: d.address, Asked: d.address, controls: s.controls}
	t.locked(func() { v.notes, t.told = t.told, nil })
	if v.Page, err = page.Seen(ctx, d.title, text, d.address); err != nil {
		return nil, err
	}
	switch {
	case s.drawn:
		v.Page.Partial = cmp.Or(v.Page.Partial, "what is drawn on a canvas is not in it")
	case s.unread:
		v.Page.Partial = cmp.Or(v.Page.Partial, "a frame of it could not be read")
	}
	t.number(d, v)
	t.view = v
	return v, nil
}

// number gives each control the number it had when the page was last looked at, or a new one.
func (t *tab) number(d *document, v *View) {
	for _, html := range d.root.inside {
		if html.name == "html" && html.id != t.page {
			t.page, t.numbers = html.id, map[int64]int{}
		}
	}
	for _, c := range v.controls {
		if t.numbers[c.id] == 0 {
			t.numbers[c.id] = len(t.numbers) + 1
		}
		c.number = t.numbers[c.id]
	}
}

// failed returns why a page did not come: the proxy's reason, otherwise the browser's words.
func (t *tab) failed(address, words string) error {
	if why := t.proxy.Why(address, t.now().status); why != nil {
		return why
	}
	return fmt.Errorf("opening %s: the browser says %s: try another source", bare(address), words)
}

// bare shortens an address for a message: without its query, which may hold keys and search terms.
func bare(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	return short(address)
}

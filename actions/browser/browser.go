// Package browser reads pages that show nothing to a plain request: it has a browser show them, and a
// micro-agent use them. The function you want is [Agent].
//
// A [Browser] is Chromium or one of its kin, started for one task and gone with it, profile and all. Its only
// way out is a proxy of this program that connects to what [web.Fetcher] would connect to, so that nothing
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
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
)

// name is how the browser says what it is, beside its own name.
const name = "Daybook/0.1 (+https://github.com/daybook-agent/daybook)"

// Browser shows pages, in one tab, from the first that is opened. It is not safe for concurrent use.
type Browser struct {
	Path  string       // of the program, or the address of one that runs, such as http://127.0.0.1:9222
	Pages *web.Fetcher // whose rules hold for what may be asked for

	now *tab
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
	if b.now != nil {
		b.now.close()
		b.now = nil
	}
}

// Start starts the browser, unless it runs. Open does so too.
func (b *Browser) Start(ctx context.Context) (err error) {
	if b.now != nil {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, 3*maxCall, errors.New("it does not start in time"))
	defer cancel()
	b.now, err = newTab(ctx, b.Path, b.Pages)
	return err
}

// Open shows the page at an address.
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

// read waits until the page has come to rest, and looks at it.
func (b *Browser) read(ctx context.Context) (v *View, err error) {
	if b.now == nil {
		return nil, errors.New("no page is open: open one first")
	}
	if err = b.now.settle(ctx); err == nil {
		v, err = b.now.look(ctx)
	}
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
	s := &seen{ground: []string{"rgb(255, 255, 255)"}}
	s.document(d)
	text := s.html.String()
	if s.password { // by which a form to sign in is known
		text += `<input type="password">`
	}
	v := &View{Address: d.address, Asked: d.address, Controls: s.controls}
	t.locked(func() { v.Notes, t.told = t.told, nil })
	if v.Page, err = page.Seen(ctx, d.title, text, d.address); err != nil {
		return nil, err
	}
	switch {
	case s.drawings > 0:
		v.Page.Partial = cmp.Or(v.Page.Partial, "what is drawn on a canvas is not in it")
	case s.unread > 0:
		v.Page.Partial = cmp.Or(v.Page.Partial, "a frame of it could not be read")
	}
	t.number(d, v)
	t.view = v
	return v, nil
}

// number gives each control the number that it had when the page was looked at before, or a new one.
func (t *tab) number(d *document, v *View) {
	for _, html := range d.root.inside {
		if html.name == "html" && html.id != t.page {
			t.page, t.numbers = html.id, map[int64]int{}
		}
	}
	for _, c := range v.Controls {
		if t.numbers[c.id] == 0 {
			t.numbers[c.id] = len(t.numbers) + 1
		}
		c.Number = t.numbers[c.id]
	}
}

// failed says why a page did not come: as the proxy tells it, or in the browser's words.
func (t *tab) failed(address, words string) error {
	if why := t.proxy.Why(address, t.now().status); why != nil {
		return why
	}
	return fmt.Errorf("opening %s: the browser says %s: try another source", bare(address), words)
}

// bare is an address as it may stand in a message: without its query, where keys and words searched for are.
func bare(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	return short(address)
}

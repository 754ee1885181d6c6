package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
)

// write replaces the text in a field, and presses Enter if it is to be sent.
func (b *Browser) write(ctx context.Context, number int, text string, enter bool) (*View, error) {
	return b.use(ctx, number, "field", func(c *control) error {
		if err := b.now.press(ctx, c, enter); err != nil {
			return err
		}
		return b.now.fill(ctx, c, text, enter)
	})
}

// choose selects an option of a list by its text.
func (b *Browser) choose(ctx context.Context, number int, option string) (*View, error) {
	return b.use(ctx, number, "list", func(c *control) error {
		at := slices.Index(c.options, short(option))
		if at < 0 {
			return fmt.Errorf("(%d) has no option %q: give one of its options as it stands", number,
				short(option))
		}
		return b.now.on(ctx, c, "choose", nil, at)
	})
}

// scroll goes to the end of the page, and of the lists in it that scroll by themselves, so that more content
// loads; it repeats that a few times while more comes.
func (b *Browser) scroll(ctx context.Context) (*View, error) {
	return b.use(ctx, nothing, "", func(*control) error {
		before := 0.0
		for range maxScrolls {
			height := 0.0
			if err := b.now.ask(ctx, "scroll", &height); err != nil || height <= before {
				return err
			}
			before = height
			if err := b.now.settle(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *Browser) back(ctx context.Context) (*View, error) {
	return b.use(ctx, nothing, "", func(*control) error {
		t := b.now
		var past struct {
			CurrentIndex int
			Entries      []struct {
				ID  int
				URL string
			}
		}
		if err := t.call(ctx, "Page.getNavigationHistory", nil, &past); err != nil {
			return fmt.Errorf("going back: %w", err)
		}
		at := past.CurrentIndex - 1
		if at < 0 || at >= len(past.Entries) || !isWeb(past.Entries[at].URL) {
			return errors.New("there is no page before this one")
		}
		return t.call(ctx, "Page.navigateToHistoryEntry", has{"entryId": past.Entries[at].ID}, nil)
	})
}

const (
	nothing    = -1 // the number of no control
	maxScrolls = 4  // how often one call scrolls to the end
)

// use does something on the page, with a control of some kind, and returns the resulting view.
func (b *Browser) use(ctx context.Context, number int, kind string, do func(*control) error) (*View, error) {
	if b.now == nil || b.now.view == nil {
		return nil, errors.New("no page is open: open one first")
	}
	var control *control
	for _, c := range b.now.view.controls {
		if c.number == number {
			control = c
		}
	}
	switch {
	case number != nothing && control == nil:
		return nil, fmt.Errorf("there is no control (%d) on the page: give one of the numbers in round "+
			"brackets, or read the page again", number)
	case kind != "" && control.kind != kind:
		return nil, fmt.Errorf("(%d) is a %s and no %s: give the number of one, or click it", number,
			control.kind, kind)
	}
	b.now.proxy.Anew()
	b.now.locked(func() {
		at := &b.now.at
		at.quiet, at.window, at.refused, at.sends, b.now.flood = time.Now(), "", nil, false, 0
	})
	if err := do(control); err != nil {
		return nil, b.orEnd(err)
	}
	return b.read(ctx)
}

// maySend returns an error if the form of a control may not be sent.
func (t *tab) maySend(c *control) error {
	home := false
	t.locked(func() { home = slices.Contains(t.home, origin.SiteOf(c.form)) })
	switch {
	case c.secret:
		return fmt.Errorf("(%d) is in a form that asks for a password, and none is ever sent: look for what "+
			"can be read without", c.number)
	case c.form != "" && !home:
		return fmt.Errorf("(%d) sends its form to %s, another site than the one that was opened, which is "+
			"not done", c.number, short(origin.SiteOf(c.form)))
	}
	return nil
}

// press clicks a control where a person would, if nothing covers it and its form may be sent.
func (t *tab) press(ctx context.Context, c *control, sends bool) error {
	if err := t.maySend(c); sends && err != nil {
		return err
	}
	x, y, err := t.place(ctx, c)
	if err != nil {
		return err
	}
	t.locked(func() { t.at.sends = sends && c.form != "" })
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		press := has{"type": kind, "x": x, "y": y}
		if kind != "mouseMoved" {
			press["button"], press["clickCount"] = "left", 1
		}
		if err := t.call(ctx, "Input.dispatchMouseEvent", press, nil); err != nil {
			return fmt.Errorf("clicking (%d): %w", c.number, err)
		}
	}
	return nil
}

// place returns the middle of a control, or an error if something else covers it.
func (t *tab) place(ctx context.Context, c *control) (x, y float64, err error) {
	node := has{"backendNodeId": c.id}
	var found struct{ Quads [][]float64 }
	if err = t.call(ctx, "DOM.scrollIntoViewIfNeeded", node, nil); err == nil {
		err = t.call(ctx, "DOM.getContentQuads", node, &found)
	}
	if errors.Is(err, errGone) {
		return 0, 0, err
	}
	if err != nil || len(found.Quads) == 0 || len(found.Quads[0]) < 8 {
		return 0, 0, fmt.Errorf("(%d) is not on the page any more: read it again", c.number)
	}
	q := found.Quads[0]
	x, y = (q[0]+q[4])/2, (q[1]+q[5])/2
	var view struct {
		CSSVisualViewport struct{ PageX, PageY float64 }
	}
	if err := t.call(ctx, "Page.getLayoutMetrics", nil, &view); err != nil {
		return 0, 0, fmt.Errorf("looking for (%d): %w", c.number, err)
	}
	var hit struct{ BackendNodeID int64 }
	if err := t.call(ctx, "DOM.getNodeForLocation", has{
		"x": int(x + view.CSSVisualViewport.PageX), "y": int(y + view.CSSVisualViewport.PageY),
		"ignorePointerEventsNone": true}, &hit); err != nil || hit.BackendNodeID == c.id {
		return x, y, nil // nothing is known to cover it
	}
	var there struct{ Object struct{ ObjectID string } }
	if t.call(ctx, "DOM.resolveNode", has{"backendNodeId": hit.BackendNodeID}, &there) != nil {
		return x, y, nil
	}
	var covered string
	if err := t.on(ctx, c, "covered", &covered, object(there.Object.ObjectID)); err != nil ||
		covered == "" {
		return x, y, err
	}
	return 0, 0, fmt.Errorf("(%d) is covered by something else on the page, %s: deal with that first, "+
		"such as by closing it", c.number, short(covered))
}

// fill types a text into the focused field.
func (t *tab) fill(ctx context.Context, c *control, text string, enter bool) error {
	t.locked(func() { t.typed = append(t.typed, prose.OneLine(text)) })
	key := func(kind string, more has) error {
		more["type"] = kind
		return t.call(ctx, "Input.dispatchKeyEvent", more, nil)
	}
	err := errors.Join(key("keyDown", has{"commands": []string{"selectAll"}}),
		t.call(ctx, "Input.insertText", has{"text": text}, nil),
		// fields for dates and numbers need their own way of input
		t.on(ctx, c, "fill", nil, text))
	if err == nil && enter {
		enter := has{"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
		err = errors.Join(key("keyDown", enter), key("keyUp", enter))
	}
	if err != nil {
		return fmt.Errorf("typing into (%d): %w", c.number, err)
	}
	return nil
}

// object is the id of an object on the page that is passed to a script.
type object string

// on runs a script on a control.
func (t *tab) on(ctx context.Context, c *control, script string, into any, args ...any) error {
	var it struct{ Object struct{ ObjectID string } }
	if err := t.call(ctx, "DOM.resolveNode", has{"backendNodeId": c.id}, &it); err != nil {
		return fmt.Errorf("(%d) is not on the page any more: read it again", c.number)
	}
	return t.function(ctx, script, into, has{"objectId": it.Object.ObjectID}, args...)
}

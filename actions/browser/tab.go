package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	maxLoad  = 15 * time.Second       // until a page is there
	maxBusy  = 8 * time.Second        // until one that is there has come to rest
	rest     = 250 * time.Millisecond // in which nothing changes
	slowAsk  = 3 * time.Second        // a request that takes longer keeps no page from being read
	maxTold  = 8                      // of what happened beside the page
	maxFlood = 50                     // dialogs, windows and downloads of one page, before it is left
)

// tab is the one tab of a browser, with what its page does by itself.
type tab struct {
	wire    *wire
	id      string // of its target, and of the frame of its page
	session string
	mayAsk  func(address string) error

	mu      sync.Mutex
	home    []string // the sites to which forms may be sent
	loaded  bool
	left    bool // it crashed or was closed
	asked   map[string]time.Time
	quiet   time.Time // since when nothing was asked for
	page    string    // the request for it
	address string    // that was asked for last
	status  int
	kind    string // media type of the page
	window  string // the address of a window that the page opened
	refused error  // why a page was not asked for
	told    []string
	flood   int
}

// begin opens the tab.
func (t *tab) begin(ctx context.Context) error {
	for _, c := range []struct {
		method string
		params map[string]any
	}{
		{"Browser.setDownloadBehavior", map[string]any{"behavior": "deny", "eventsEnabled": true}},
		{"Browser.grantPermissions", map[string]any{"permissions": []string{}}},
		{"Target.setDiscoverTargets", map[string]any{"discover": true}},
	} {
		if err := t.wire.call(ctx, "", c.method, c.params, nil); err != nil {
			return fmt.Errorf("preparing the browser: %w", err)
		}
	}
	var made struct{ TargetID, SessionID, UserAgent string }
	if err := t.wire.call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"},
		&made); err != nil {
		return fmt.Errorf("opening a tab: %w", err)
	}
	t.mu.Lock()
	t.id = made.TargetID
	t.mu.Unlock()
	attach := map[string]any{"targetId": t.id, "flatten": true}
	if err := t.wire.call(ctx, "", "Target.attachToTarget", attach, &made); err != nil {
		return fmt.Errorf("opening a tab: %w", err)
	}
	t.mu.Lock()
	t.session = made.SessionID
	t.mu.Unlock()
	if err := t.wire.call(ctx, "", "Browser.getVersion", nil, &made); err != nil {
		return fmt.Errorf("preparing the browser: %w", err)
	}
	stage := func(kind string) map[string]any { return map[string]any{"resourceType": kind} }
	for _, c := range []struct {
		method string
		params map[string]any
	}{
		// windows that a page opens are held before they ask for anything
		{"Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true,
			"flatten": true, "filter": []map[string]any{{"type": "page"}, {"exclude": true}}}},
		{"Page.enable", nil}, {"Network.enable", nil},
		{"Network.setUserAgentOverride", map[string]any{
			"userAgent": strings.Replace(made.UserAgent, "Headless", "", 1) + " " + name}},
		{"Page.setInterceptFileChooserDialog", map[string]any{"enabled": true}},
		{"Fetch.enable", map[string]any{"patterns": []any{
			stage("Document"), stage("Image"), stage("Media"), stage("Font")}}},
	} {
		if err := t.wire.call(ctx, t.session, c.method, c.params, nil); err != nil {
			return fmt.Errorf("preparing a tab: %w", err)
		}
	}
	return nil
}

// anew forgets what was of the page before.
func (t *tab) anew(home ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.loaded, t.asked, t.quiet, t.status, t.kind, t.refused, t.window = false, map[string]time.Time{},
		time.Now(), 0, "", nil, ""
	if len(home) > 0 {
		t.home, t.flood, t.told = home, 0, nil
	}
}

// goTo opens an address.
func (t *tab) goTo(ctx context.Context, address string) error {
	t.anew(siteOf(address))
	return t.navigate(ctx, address)
}

func (t *tab) navigate(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, maxLoad, fmt.Errorf("it does not come within %s", maxLoad))
	defer cancel()
	var came struct {
		ErrorText  string
		IsDownload bool
	}
	err := t.wire.call(ctx, t.session, "Page.navigate", map[string]any{"url": address}, &came)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.refused != nil:
		return t.refused
	case err != nil:
		return fmt.Errorf("opening %s: %w", bare(address), err)
	case came.IsDownload || came.ErrorText == "net::ERR_ABORTED":
		return fmt.Errorf("opening %s: this is a file to download and no page: try visit_url", bare(address))
	case came.ErrorText != "":
		return &unreached{address, came.ErrorText}
	}
	return nil
}

// unreached says that an address was not reached, in the browser's words.
type unreached struct{ address, why string }

// Error implements error.
func (u *unreached) Error() string {
	return fmt.Sprintf("opening %s: the browser says %s: try another source", bare(u.address), u.why)
}

// settle waits until the page is there and has come to rest.
func (t *tab) settle(ctx context.Context) error {
	began := time.Now()
	tick := time.NewTicker(rest / 8)
	defer tick.Stop()
	for {
		t.mu.Lock()
		left, loaded, flood, opened := t.left, t.loaded, t.flood, t.window
		calm := time.Since(t.quiet) > rest
		for _, since := range t.asked {
			calm = calm && time.Since(since) > slowAsk
		}
		t.mu.Unlock()
		switch {
		case left:
			return fmt.Errorf("%w: its page crashed or closed itself", errGone)
		case flood > maxFlood:
			return fmt.Errorf("%w: the page opens dialogs and windows without end", errGone)
		case opened != "" && isWeb(opened):
			t.anew()
			if err := t.navigate(ctx, opened); err != nil {
				return err
			}
		case loaded && calm || time.Since(began) > maxBusy:
			return t.still(ctx)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-t.wire.ended:
			return errGone
		}
	}
}

// still waits until nothing of the page has changed for a while. It asks in a world of its own, where the
// page has no hand in what answers.
func (t *tab) still(ctx context.Context) error {
	const script = `(rest, most) => new Promise(done => {
		let soon, late
		const end = () => { clearTimeout(soon); clearTimeout(late); eye.disconnect(); done() }
		const eye = new MutationObserver(() => { if (soon) { clearTimeout(soon); soon = setTimeout(end, rest) } })
		eye.observe(document, {subtree: true, childList: true, characterData: true})
		const begin = () => { // once it is drawn: what comes into view may load more
			soon ||= setTimeout(end, document.body && document.body.innerText.length > 200 ? rest : 3 * rest)
		}
		requestAnimationFrame(() => requestAnimationFrame(begin))
		setTimeout(begin, most)
		late = setTimeout(end, 2 * most)
	})`
	return t.ask(ctx, script, nil, rest.Milliseconds(), 4*rest.Milliseconds())
}

// errBusy says that a page does not answer, for its scripts never rest.
var errBusy = fmt.Errorf("%w: its page does not answer, for its scripts never rest", errGone)

// ask has the page answer a question of ours, in a world of its own.
func (t *tab) ask(ctx context.Context, script string, into any, args ...any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, maxBusy, errBusy)
	defer cancel()
	var world struct{ ExecutionContextID int }
	if err := t.wire.call(ctx, t.session, "Page.createIsolatedWorld", map[string]any{"frameId": t.id,
		"worldName": "daybook"}, &world); err != nil {
		return fmt.Errorf("asking the page: %w", err)
	}
	return t.function(ctx, script, into,
		map[string]any{"executionContextId": world.ExecutionContextID}, args...)
}

// function runs a function on the page. That of a page which went on meanwhile comes to nothing.
func (t *tab) function(ctx context.Context, script string, into any, on map[string]any, args ...any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, maxBusy, errBusy)
	defer cancel()
	given := make([]any, len(args))
	for i, arg := range args {
		given[i] = map[string]any{"value": arg}
		if id, ok := arg.(object); ok {
			given[i] = map[string]any{"objectId": id}
		}
	}
	on["functionDeclaration"], on["arguments"], on["awaitPromise"], on["returnByValue"] =
		script, given, true, true
	var came struct {
		Result struct{ Value json.RawMessage }
	}
	err := t.wire.call(ctx, t.session, "Runtime.callFunctionOn", on, &came)
	if errors.Is(err, errGone) || ctx.Err() != nil {
		return err
	}
	if err == nil && into != nil && len(came.Result.Value) > 0 {
		err = json.Unmarshal(came.Result.Value, into)
	}
	if err != nil && into != nil {
		return fmt.Errorf("asking the page: %w", err)
	}
	return nil
}

// isWeb says whether an address is one of the web.
func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

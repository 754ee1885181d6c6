package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
)

const (
	maxCall  = 12 * time.Second       // for a command
	maxSlow  = time.Minute            // until a page begins, with the waits for robots.txt and pace
	maxBusy  = 8 * time.Second        // until a page has settled
	rest     = 250 * time.Millisecond // without any change
	slowAsk  = 3 * time.Second        // a request that takes longer does not delay reading the page
	maxTold  = 8                      // side events of a page
	maxFlood = 50                     // dialogs, windows and downloads of one page, before it is left
)

// errSlow is the error for a server that does not answer in time.
var errSlow = errors.New("its server is slow and has not answered: try another source")

// errBusy is the error for a page that does not answer because its scripts never rest.
var errBusy = fmt.Errorf("%w: its page does not answer, for its scripts never rest", errGone)

// has holds the parameters of a command.
type has = map[string]any

// tab is the only tab of a browser, with what its page does on its own.
type tab struct {
	*process
	proxy    *web.Proxy
	mayAsk   func(address string) error
	patience time.Duration      // until a page begins
	stop     context.CancelFunc // ends the goroutines of asking
	asking   sync.WaitGroup     // goroutines that ask whether a page may be requested
	view     *View              // the latest view of the page
	page     int64              // the browser's id for the page
	numbers  map[int64]int      // of its controls

	mu      sync.Mutex
	id      string // of its target, and of its main frame
	session string
	context string   // its profile
	home    []string // sites to which forms may be sent
	typed   []string // texts typed since a page was opened
	left    bool     // whether it crashed or was closed
	told    []string
	flood   int
	at      state
}

// state is what is known of a requested page.
type state struct {
	address string // requested last
	request string // id of that request
	status  int
	kind    string // media type
	loaded  bool
	refused error  // why it was not requested
	window  string // the address of a window that it opened
	sends   bool   // whether the last used control sends a form, maybe to that window
	away    string // target of a form that it sends elsewhere
	asked   map[string]time.Time
	quiet   time.Time // since when nothing was requested
}

// newTab starts a browser, or connects to the one at an address, and opens a tab in it.
func newTab(ctx context.Context, path string, pages *web.Fetcher) (t *tab, err error) {
	out, err := web.NewProxy(pages, callsHome)
	if err != nil {
		return nil, err
	}
	asking, stop := context.WithCancel(context.WithoutCancel(ctx))
	t = &tab{proxy: out, stop: stop, patience: cmp.Or(2*pages.Timeout, maxSlow),
		mayAsk: func(address string) error { return pages.MayAsk(asking, address) }}
	start := launch
	if isWeb(path) {
		start = attach
	}
	if t.process, err = start(ctx, path, t.proxy.Address(), t.hear); err == nil {
		err = t.begin(ctx)
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *tab) close() {
	t.proxy.Close()
	if t.process != nil {
		t.process.close() // with the context, if the browser itself goes on
	}
	t.stop()
	t.asking.Wait()
}

// begin opens the tab, in its own profile, which is removed with the connection.
func (t *tab) begin(ctx context.Context) error {
	var made struct{ TargetID, SessionID, UserAgent, BrowserContextID string }
	for _, c := range []struct {
		method string
		params has
	}{
		{"Target.createBrowserContext", has{"disposeOnDetach": true,
			"proxyServer": "http://" + t.proxy.Address(), "proxyBypassList": "<-loopback>"}},
		{"Browser.setDownloadBehavior", has{"behavior": "deny", "eventsEnabled": true}},
		{"Browser.grantPermissions", has{"permissions": []string{}}},
		{"Target.setDiscoverTargets", has{"discover": true}},
		{"Browser.getVersion", has{}},
		{"Target.createTarget", has{"url": "about:blank"}},
		{"Target.attachToTarget", has{"flatten": true}},
		// windows that a page opens are paused before they request anything
		{"Target.setAutoAttach", has{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
			"filter": []has{{"type": "page"}, {"exclude": true}}}},
		{"Page.enable", has{}}, {"Network.enable", has{}},
		{"Network.setUserAgentOverride", has{}},
		{"Emulation.setDeviceMetricsOverride", has{"width": 1280, "height": 2000, "deviceScaleFactor": 1,
			"mobile": false}},
		{"Page.addScriptToEvaluateOnNewDocument", has{"source": t.before, "runImmediately": true}},
		{"Page.setInterceptFileChooserDialog", has{"enabled": true}},
		{"Fetch.enable", has{"patterns": []has{{"resourceType": "Document"}, {"resourceType": "Image"},
			{"resourceType": "Media"}, {"resourceType": "Font"}}}},
	} {
		switch c.method {
		case "Browser.setDownloadBehavior", "Browser.grantPermissions", "Target.createTarget":
			c.params["browserContextId"] = made.BrowserContextID
		case "Target.attachToTarget":
			c.params["targetId"] = made.TargetID
		case "Network.setUserAgentOverride":
			c.params["userAgent"] = strings.Replace(made.UserAgent, "Headless", "", 1) + " " + name
		}
		if err := t.process.call(ctx, made.SessionID, c.method, c.params, &made); err != nil {
			return fmt.Errorf("preparing the browser: %w", err)
		}
	}
	t.locked(func() { t.id, t.session, t.context = made.TargetID, made.SessionID, made.BrowserContextID })
	return nil
}

// call sends the page a command, and gives up if its scripts keep it from answering.
func (t *tab) call(ctx context.Context, method string, params, into any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, maxCall, errBusy)
	defer cancel()
	return t.process.call(ctx, t.session, method, params, into)
}

// locked runs a function under the lock that hear uses.
func (t *tab) locked(do func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	do()
}

// now returns the current state of the page.
func (t *tab) now() (at state) {
	t.locked(func() { at = t.at })
	return at
}

// goTo opens an address, and allows forms to be sent to its site.
func (t *tab) goTo(ctx context.Context, address string) error {
	t.locked(func() {
		t.home, t.typed, t.flood, t.told, t.view = []string{origin.SiteOf(address)}, nil, 0, nil, nil
	})
	t.proxy.Anew()
	return t.navigate(ctx, address)
}

func (t *tab) navigate(ctx context.Context, address string) error {
	t.locked(func() { t.at = state{asked: map[string]time.Time{}, quiet: time.Now()} })
	var came struct {
		ErrorText  string
		IsDownload bool
	}
	wait, cancel := context.WithTimeoutCause(ctx, t.patience, errSlow)
	defer cancel()
	err := t.process.call(wait, t.session, "Page.navigate", has{"url": address}, &came)
	if errors.Is(err, errSlow) {
		err = cmp.Or(t.call(ctx, "Page.stopLoading", nil, nil), errSlow)
	}
	at := t.now()
	switch {
	case at.refused != nil:
		return at.refused
	case err != nil:
		return fmt.Errorf("opening %s: %w", bare(address), err)
	case came.IsDownload || came.ErrorText == "net::ERR_ABORTED":
		return fmt.Errorf("opening %s: this is a file to download and no page: try visit_url", bare(address))
	case came.ErrorText != "":
		return t.failed(address, came.ErrorText)
	}
	return nil
}

// settle waits until the page has loaded and settled.
func (t *tab) settle(ctx context.Context) error {
	began := time.Now()
	tick := time.NewTicker(rest / 8)
	defer tick.Stop()
	for {
		t.mu.Lock()
		at, left, flood := t.at, t.left, t.flood
		calm := time.Since(at.quiet) > rest
		for _, since := range at.asked {
			calm = calm && time.Since(since) > slowAsk
		}
		t.mu.Unlock()
		switch {
		case left:
			return fmt.Errorf("%w: its page crashed or closed itself", errGone)
		case flood > maxFlood:
			return fmt.Errorf("%w: the page opens dialogs and windows without end", errGone)
		case at.window != "":
			if err := t.navigate(ctx, at.window); err != nil {
				return err
			}
		case at.loaded && calm || time.Since(began) > maxBusy:
			return t.ask(ctx, "still", nil, rest.Milliseconds(), 4*rest.Milliseconds())
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-t.ended:
			return errGone
		}
	}
}

// ask runs one of our scripts on the page, in an isolated world.
func (t *tab) ask(ctx context.Context, script string, into any, args ...any) error {
	var world struct{ ExecutionContextID int }
	if err := t.call(ctx, "Page.createIsolatedWorld", has{"frameId": t.id}, &world); err != nil {
		return fmt.Errorf("asking the page: %w", err)
	}
	return t.function(ctx, script, into, has{"executionContextId": world.ExecutionContextID}, args...)
}

// function runs the function of one of our scripts. With into nil it ignores failures: the page may have
// moved on.
func (t *tab) function(ctx context.Context, script string, into any, on has, args ...any) error {
	given := make([]has, len(args))
	for i, arg := range args {
		given[i] = has{"value": arg}
		if id, ok := arg.(object); ok {
			given[i] = has{"objectId": id}
		}
	}
	on["functionDeclaration"], on["arguments"] = file(script+".js"), given
	on["awaitPromise"], on["returnByValue"] = true, true
	var came struct {
		Result struct{ Value json.RawMessage }
	}
	err := t.call(ctx, "Runtime.callFunctionOn", on, &came)
	switch {
	case errors.Is(err, errGone) || ctx.Err() != nil:
		return err
	case into == nil:
		return nil
	case err == nil && len(came.Result.Value) > 0:
		err = json.Unmarshal(came.Result.Value, into)
	}
	if err != nil {
		return fmt.Errorf("asking the page: %w", err)
	}
	return nil
}

// isWeb reports whether an address is one of the web.
func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

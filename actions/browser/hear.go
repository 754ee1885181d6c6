package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/daybook-agent/daybook/agent/prose"
)

// hear takes note of an event. It never waits.
func (t *tab) hear(e event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var p struct {
		RequestID, Type, FrameID, Message, URL, SuggestedFilename, ResourceType, TargetID string

		UserGesture bool
		Request     struct{ URL, Method string }
		Response    struct {
			Status   int
			MimeType string
		}
		TargetInfo struct{ TargetID, Type string }
	}
	if json.Unmarshal(e.Params, &p) != nil {
		return
	}
	switch e.Method {
	case "Network.requestWillBeSent":
		if p.Type == "Document" && p.FrameID == t.id {
			t.loaded, t.page, t.address = false, p.RequestID, p.Request.URL
		}
		if p.Type != "EventSource" && p.Type != "WebSocket" && p.Type != "Ping" && len(t.asked) < 1000 {
			t.asked[p.RequestID] = time.Now()
		}
	case "Network.loadingFinished", "Network.loadingFailed":
		delete(t.asked, p.RequestID)
		t.quiet, t.loaded = time.Now(), t.loaded ||
			e.Method == "Network.loadingFailed" && p.RequestID == t.page
	case "Network.responseReceived":
		if p.Type == "Document" && p.FrameID == t.id {
			t.status, t.kind = p.Response.Status, p.Response.MimeType
		}
	case "Page.loadEventFired":
		t.loaded = true
	case "Page.javascriptDialogOpening":
		t.wire.tell(t.session, "Page.handleJavaScriptDialog",
			map[string]any{"accept": p.Type == "beforeunload"})
		t.tell("The page showed a dialog, which was dismissed: %q.", p.Message)
	case "Browser.downloadWillBegin":
		t.tell("The page began a download (%s), which was refused: nothing is downloaded.",
			p.SuggestedFilename)
	case "Page.fileChooserOpened":
		t.tell("The page asked for a file to upload, which was refused: nothing is uploaded.")
	case "Fetch.requestPaused":
		t.judge(p.RequestID, p.ResourceType, p.FrameID, p.Request.Method, p.Request.URL)
	case "Target.attachedToTarget", "Target.targetCreated":
		if t.id != "" && p.TargetInfo.TargetID != t.id && p.TargetInfo.Type == "page" {
			t.wire.tell("", "Target.closeTarget", map[string]any{"targetId": p.TargetInfo.TargetID})
		}
	case "Page.windowOpen":
		if p.UserGesture && isWeb(p.URL) {
			t.window = p.URL
		} else {
			t.tell("The page tried to open a window (%s), which was refused.", bare(p.URL))
		}
	case "Target.targetDestroyed", "Target.targetCrashed":
		t.left = t.left || p.TargetID == t.id
	}
}

// tell keeps a sentence for whoever looks at the page next.
func (t *tab) tell(format string, args ...any) {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = prose.Shorten(prose.OneLine(text), 300)
		}
	}
	said := fmt.Sprintf(format, args...)
	if t.flood++; len(t.told) < maxTold && !slices.Contains(t.told, said) {
		t.told = append(t.told, said)
	}
}

// judge lets a document be asked for, or not. Pictures and fonts are left out: nobody looks at them.
func (t *tab) judge(request, kind, frame, method, address string) {
	refuse := func() {
		t.wire.tell(t.session, "Fetch.failRequest", map[string]any{"requestId": request,
			"errorReason": "Aborted"}) // which leaves the page as it is
	}
	if kind != "Document" {
		refuse()
		return
	}
	sends := method != http.MethodGet && method != http.MethodHead
	if sends && !slices.Contains(t.home, siteOf(address)) {
		t.tell("A form was to be sent to %s, another site than the one that was opened, which is not done.",
			siteOf(address))
		refuse()
		return
	}
	if frame != t.id {
		t.wire.tell(t.session, "Fetch.continueRequest", map[string]any{"requestId": request})
		return
	}
	go func() { // asks for the site's robots.txt
		err := t.mayAsk(address)
		t.mu.Lock()
		defer t.mu.Unlock()
		if err != nil {
			t.refused = err
			t.tell("The page was to lead to %s, which is not opened: %s", bare(address), err.Error())
			refuse()
			return
		}
		t.wire.tell(t.session, "Fetch.continueRequest", map[string]any{"requestId": request})
	}()
}

// uses has the tab speak over a wire.
func (t *tab) uses(w *wire) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wire = w
}

// came is what the server said of the page: its status and its media type.
func (t *tab) came() (status int, kind string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status, t.kind
}

// last is the address that was asked for last.
func (t *tab) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.address
}

// news is what happened beside the page since it was asked for.
func (t *tab) news() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	told := t.told
	t.told = nil
	return told
}

// welcome has forms sent to the site that an opened address led to, too.
func (t *tab) welcome(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.home = append(t.home, siteOf(address))
}

func (t *tab) isHome(site string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Contains(t.home, site)
}

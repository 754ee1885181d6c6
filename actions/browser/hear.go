package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
)

// particulars are the parts of events that are used.
type particulars struct {
	RequestID, Type, FrameID, Message, URL, SuggestedFilename, ResourceType, TargetID, Reason string

	UserGesture bool
	Request     struct{ URL, Method string }
	Response    struct {
		Status   int
		MimeType string
	}
	TargetInfo struct{ TargetID, Type, BrowserContextID string }
}

// hear records an event. It never waits.
func (t *tab) hear(w *wire, e event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var p particulars
	if json.Unmarshal(e.Params, &p) != nil {
		return
	}
	switch e.Method {
	case "Network.requestWillBeSent":
		if p.Type == "Document" && p.FrameID == t.id {
			t.at.loaded, t.at.request, t.at.address, t.at.status = false, p.RequestID, p.Request.URL, 0
		}
		if p.Type != "EventSource" && p.Type != "Ping" && len(t.at.asked) < 1000 && t.at.asked != nil {
			t.at.asked[p.RequestID] = time.Now()
		}
	case "Network.loadingFinished", "Network.loadingFailed":
		delete(t.at.asked, p.RequestID)
		t.at.quiet = time.Now()
		if e.Method == "Network.loadingFailed" && p.RequestID == t.at.request {
			t.at.loaded = true
		}
	case "Network.responseReceived":
		if p.Type == "Document" && p.FrameID == t.id {
			t.at.status, t.at.kind = p.Response.Status, p.Response.MimeType
		}
	case "Page.loadEventFired":
		t.at.loaded = true
	case "Page.javascriptDialogOpening":
		w.tell(t.session, "Page.handleJavaScriptDialog", has{"accept": p.Type == "beforeunload"})
		t.tell("The page showed a dialog, which was dismissed: %q.", p.Message)
	case "Browser.downloadWillBegin":
		t.tell("The page began a download (%s), which was refused: nothing is downloaded.",
			p.SuggestedFilename)
	case "Page.fileChooserOpened":
		t.tell("The page asked for a file to upload, which was refused: nothing is uploaded.")
	case "Fetch.requestPaused":
		t.judge(w, p.RequestID, p.ResourceType, p.FrameID, p.Request.Method, p.Request.URL)
	case "Target.attachedToTarget", "Target.targetCreated":
		its := p.TargetInfo
		if its.BrowserContextID == t.context && its.TargetID != t.id && its.Type == "page" {
			w.tell("", "Target.closeTarget", has{"targetId": its.TargetID})
		}
	case "Page.windowOpen":
		if !p.UserGesture || !isWeb(p.URL) {
			t.tell("The page tried to open a window (%s), which was refused.", bare(p.URL))
		} else if t.maySendTo(p.URL, t.at.sends || t.holdsTyped(p.URL)) {
			t.at.window = p.URL
		}
	case "Page.frameRequestedNavigation":
		if strings.HasPrefix(p.Reason, "formSubmission") {
			t.at.away = p.URL // judge decides whether it may
		}
	case "Target.targetDestroyed", "Target.targetCrashed":
		t.left = t.left || p.TargetID == t.id
	}
}

// tell keeps a sentence for the next view of the page.
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

// judge allows or refuses the request for a document. Pictures and fonts are refused: nobody looks at them.
func (t *tab) judge(w *wire, request, kind, frame, method, address string) {
	answer := func(may bool) {
		if may {
			w.tell(t.session, "Fetch.continueRequest", has{"requestId": request})
		} else { // leaves the page as it is
			w.tell(t.session, "Fetch.failRequest", has{"requestId": request, "errorReason": "Aborted"})
		}
	}
	sends := method != http.MethodGet && method != http.MethodHead || t.at.away == address
	switch {
	case kind == "Document" && !t.maySendTo(address, sends):
		answer(false)
	case kind != "Document" || frame != t.id:
		answer(kind == "Document")
	default:
		t.asking.Go(func() { // for the site's robots.txt
			err := t.mayAsk(address)
			t.mu.Lock()
			defer t.mu.Unlock()
			if err != nil {
				t.at.refused = err
				t.tell("The page was to lead to %s, which is not opened: %s", bare(address), err.Error())
			}
			answer(err == nil)
		})
	}
}

// maySendTo reports whether an address may be requested, given whether the request sends a form.
func (t *tab) maySendTo(address string, sends bool) bool {
	if to := origin.SiteOf(address); sends && !slices.Contains(t.home, to) {
		t.tell("A form was to be sent to %s, another site than the one opened, which is not done.", to)
		return false
	}
	return true
}

// holdsTyped reports whether an address's query contains typed text: all that is known of a window.
func (t *tab) holdsTyped(address string) bool {
	_, query, _ := strings.Cut(address, "?")
	plain, err := url.QueryUnescape(query)
	return slices.ContainsFunc(t.typed, func(text string) bool {
		return text != "" && (err != nil || strings.Contains(prose.OneLine(plain), text))
	})
}

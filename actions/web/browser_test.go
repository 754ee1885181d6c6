package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/browser"
	"github.com/daybook-agent/daybook/actions/web"
	programs "github.com/daybook-agent/daybook/agent/program"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// resources are ways in which a page asks for an address u, as scripts.
var resources = map[string]string{
	"image":  `let e=new Image;e.src=u`,
	"script": `add('script',{src:u})`,
	"module": `add('script',{type:'module',src:u})`,
	"style":  `add('link',{rel:'stylesheet',href:u})`,
	"import": `add('style',{textContent:'@import url('+JSON.stringify(u)+')'})`,
	"font": `add('style',{textContent:'@font-face{font-family:f'+n+';src:url('+JSON.` +
		`stringify(u)+')}'});add('p',{style:'font-family:f'+n,textContent:'x'})`,
	"background": `add('p',{textContent:'x'}).style.background='url('+JSON.stringify(u)+')'`,
	"icon":       `add('link',{rel:'icon',href:u})`,
	"manifest":   `add('link',{rel:'manifest',href:u})`,
	"prefetch":   `add('link',{rel:'prefetch',href:u})`,
	"preload":    `add('link',{rel:'preload',as:'fetch',href:u})`,
	"preconnect": `add('link',{rel:'preconnect',href:u})`,
	"rules": `add('script',{type:'speculationrules',textContent:JSON.stringify({prerender:[{urls:[u],` +
		`eagerness:'immediate'}]})})`,
	"frame":  `add('iframe',{src:u})`,
	"object": `add('object',{data:u})`,
	"embed":  `add('embed',{src:u})`,
	"video":  `add('video',{src:u,preload:'auto'})`,
	"track": `let v=add('video',{crossOrigin:'anonymous'});let ` +
		`t=document.createElement('track');t.src=u;t.default=true;v.append(t)`,
	"svg": `add('div',{innerHTML:'<svg><image href="'+u.replace(/"/g,'%22')+'" width=9 ` +
		`height=9 /></svg>'})`,
	"fetch":     `fetch(u,{mode:'no-cors'}).catch(()=>0)`,
	"keepalive": `fetch(u,{mode:'no-cors',method:'POST',body:'x',keepalive:true}).catch(()=>0)`,
	"xhr":       `let x=new XMLHttpRequest;x.open('GET',u);x.send()`,
	"beacon":    `navigator.sendBeacon(u,'x')`,
	"ping":      `let a=add('a',{href:'#',ping:u});a.click()`,
	"socket":    `new WebSocket(u.replace(/^https?/,'ws'))`,
	"events":    `new EventSource(u)`,
	"worker": `new Worker(URL.createObjectURL(new ` +
		`Blob(['try{importScripts('+JSON.stringify(u)+')}catch(e){}fetch('+JSON.stringify(u)+',` +
		`{mode:"no-cors"}).catch(()=>0)'])))`,
	"form": `let i=add('iframe',{name:'f'+n});let ` +
		`f=add('form',{action:u,method:'get',target:'f'+n});f.submit()`,
	"turn": `let p=new RTCPeerConnection({iceServers:[{urls:'turn:'+host(u)+'?transport=tcp',` +
		`username:'a',credential:'b'}]});p.createDataChannel('x');p.createOffer().` +
		`then(o=>p.setLocalDescription(o)).catch(()=>0)`,
	"stun": `let p=new RTCPeerConnection({iceServers:[{urls:'stun:'+host(u)}]});` +
		`p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o)).catch(()=>0)`,
	"window": `window.open(u)`,
	"cross frame": `add('iframe',{srcdoc:'<script>location='+JSON.stringify(u).replace(/</g,` +
		`'%3c')+'<\\/script>'})`,
}

// ask is one address and one way to ask for it.
type ask struct{ way, address string }

// attack is a page that asks for addresses, and then says that it did.
func attack(t *testing.T, asks []ask) string {
	t.Helper()
	script :=
		`function add(tag,has){let e=document.createElement(tag);Object.assign(e,has);document.body.append(e);return e}
		function host(u){try{return new URL(u).host}catch(e){return u.slice(7,60)}}`
	for n, a := range asks {
		encoded, err := json.Marshal(a.address)
		require.NoError(t, err)
		script += fmt.Sprintf("\ntry{((u,n)=>{%s})(%s,%d)}catch(e){}", resources[a.way], encoded, n)
	}
	return "<!doctype html><p>An attack.</p><script>" + script +
		"\nadd('p',{textContent:'All was '+'asked.'})</script>"
}

// A browser reaches no more than a Fetcher does, in whatever way a page asks for an address: each address in
// some ways, and the plain ones in every way; with DAYBOOK_FULL=1 each in every way. The control has a guard
// that knows only how private addresses are written.
func TestABrowserReachesNoMoreThanAFetcher(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if testing.Short() || err != nil {
		t.Skip("a browser takes long, and there may be none")
	}
	w := loopback(t)
	ways := slices.Sorted(maps.Keys(resources))
	full := os.Getenv("DAYBOOK_FULL") != ""
	var asks, easy []ask
	for i, v := range w.vectors() {
		if len(v) > 1000 {
			continue
		}
		v = strings.NewReplacer("{port}", w.port, "{public}", w.publicPort,
			"{n}", strconv.Itoa(1000+i)).Replace(v)
		for j, way := range ways {
			if full || (i+j)%47 == 0 || slices.Contains(plain, privateHosts[min(i, len(privateHosts)-1)]) {
				asks = append(asks, ask{way, v})
			}
		}
	}
	for _, way := range ways {
		easy = append(easy, ask{way, "http://loop-1.test" + w.port + "/" + way})
	}
	open := func(pages *web.Fetcher, asks []ask) int64 { return w.browse(t, program, pages, asks) }
	assert.Zero(t, open(w.guarded(), asks), "a trap was reached")
	control := open(w.control(), easy)
	assert.Greater(t, control, int64(len(ways)/2), "the control reaches the traps")
	t.Logf("%d requests in %d ways, none reached; the control reached %d of %d", len(asks), len(ways),
		control, len(easy))
	for _, one := range easy {
		if full {
			t.Logf("%s: the control reached %d", one.way, open(w.control(), []ask{one}))
		}
	}
}

// browse opens pages that ask for addresses, and returns how many requests came to a trap.
func (w *world) browse(t *testing.T, program string, pages *web.Fetcher, asks []ask) (reached int64) {
	b := &browser.Browser{Path: program, Pages: pages}
	defer b.Close()
	w.settle()
	before := w.traps.Load()
	for chunk := range slices.Chunk(asks, 150) {
		v, err := b.Open(t.Context(), w.lead(attack(t, chunk), "html"))
		if assert.NoError(t, err) {
			assert.Contains(t, v.Page.Markdown, "All was asked.")
		}
	}
	w.settle()
	return w.traps.Load() - before
}

// A browser that runs already is used in a profile of our own: no request of a page leads to a trap, the
// person's tabs stay, and nothing of ours is left in it.
func TestABrowserThatRunsIsHeldToTheSameRules(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if testing.Short() || err != nil {
		t.Skip("a browser takes long, and there may be none")
	}
	w := loopback(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "person", Value: "canary", MaxAge: 3600})
		fmt.Fprint(w, "<title>theirs</title>")
	}))
	defer site.Close()
	at := running(t, program, site.URL)
	require.Eventually(t, func() bool { return strings.Contains(tabs(t, at), "theirs") }, time.Minute,
		10*time.Millisecond)
	before := tabs(t, at)

	var asks []ask
	for i, way := range slices.Sorted(maps.Keys(resources)) { // by an address and by a name in turn
		host := []string{"127.0.0.1", "loop-7.test"}[i%2]
		asks = append(asks, ask{way, "http://" + host + w.port + "/" + way})
	}
	assert.Zero(t, w.browse(t, at, w.guarded(), asks), "a trap was reached")
	assert.Positive(t, w.browse(t, at, w.control(), asks), "the control reaches the traps")
	assert.Eventually(t, func() bool { return tabs(t, at) == before }, time.Minute, 10*time.Millisecond,
		"the person's tabs are as they were")

	b := &browser.Browser{Path: at, Pages: &web.Fetcher{AllowPrivate: true}}
	defer b.Close()
	seen := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w,
			"<p>Cookies: %q.</p><script>document.write('WebRTC '+typeof RTCPeerConnection)</script>",
			r.Header.Get("Cookie"))
	}))
	defer seen.Close()
	v, err := b.Open(t.Context(), seen.URL)
	require.NoError(t, err)
	assert.Contains(t, v.Page.Markdown, `Cookies: "".`, "the person's cookies are not ours")
	assert.Contains(t, v.Page.Markdown, "WebRTC undefined")
	another, err := http.NewRequestWithContext(t.Context(), http.MethodPut, at+"/json/new?"+site.URL, nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(another) // the person goes on
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	_, err = b.Open(t.Context(), seen.URL)
	require.NoError(t, err)
	b.Close()
	before = strings.Replace(before, "[", "["+strings.Trim(before, "[]")+" ", 1)
	assert.Eventually(t, func() bool { return tabs(t, at) == before }, time.Minute, 10*time.Millisecond)

	far := &browser.Browser{Path: "http://browser.test:9222", Pages: &web.Fetcher{}}
	_, err = far.Open(t.Context(), seen.URL)
	assert.ErrorContains(t, err, "has to run on this machine")
}

// No STUN or TURN of a page's leaves by a way of its own, over UDP or TCP, to a machine inside. The control
// is a browser that was not told so.
func TestNoWebRTCGoesPastTheProxy(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if testing.Short() || err != nil {
		t.Skip("a browser takes long, and there may be none")
	}
	inside, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	var came atomic.Int64
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		for buffer := make([]byte, 2048); ; came.Add(1) {
			if _, _, err := inside.ReadFrom(buffer); err != nil {
				return
			}
		}
	}()
	defer func() { assert.NoError(t, inside.Close()); <-heard }()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<p>Asking.</p><script>
			const ask = servers => new Promise(async done => {
				const p = new RTCPeerConnection({iceServers: [servers]})
				p.onicegatheringstatechange = () => p.iceGatheringState === "complete" && done()
				p.createDataChannel("x")
				await p.setLocalDescription(await p.createOffer())
			})
			const at = %q, as = {username: "a", credential: "b"}
			Promise.all([ask({urls: "stun:" + at}), ask({urls: "turn:" + at, ...as}),
				ask({urls: "turn:" + at + "?transport=tcp", ...as})])
				.then(() => document.body.append("All was " + "asked."))
		</script>`, inside.LocalAddr().String())
	}))
	defer site.Close()
	open := func(path string) int64 {
		b := &browser.Browser{Path: path, Pages: &web.Fetcher{AllowPrivate: true}}
		defer b.Close()
		before := came.Load()
		assert.Eventually(t, func() bool {
			v, err := b.Open(t.Context(), site.URL)
			return err == nil && strings.Contains(v.Page.Markdown, "All was asked.") || came.Load() > before
		}, time.Minute, time.Millisecond)
		return came.Load() - before
	}
	assert.Zero(t, open(program), "a way past the proxy")
	dir, err := os.MkdirTemp("", "daybook-test-")
	require.NoError(t, err)
	defer func() { assert.NoError(t, os.RemoveAll(dir)) }()
	require.NoError(t, os.Chmod(dir, 0o755)) // for a browser of another user
	untold := filepath.Join(dir, "untold")
	require.NoError(t, os.WriteFile(untold, []byte(`#!/bin/sh
for one; do shift; case $one in *webrtc-ip-handling-policy*) ;; *) set -- "$@" "$one" ;; esac; done
exec `+program+` "$@"
`), 0o755))
	assert.Positive(t, open(untold), "the control reaches it")
}

// running starts a browser as a person does, with a page in it, and returns the address of its DevTools.
func running(t *testing.T, program, page string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "daybook-test-")
	require.NoError(t, err)
	cmd := exec.CommandContext(context.Background(), program, "--headless", "--no-sandbox",
		"--remote-debugging-port=0",
		"--user-data-dir="+dir, page)
	out, err := cmd.StderrPipe()
	require.NoError(t, err)
	end, err := programs.Start(cmd)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, _ = end(), cmd.Wait() // it was killed
		assert.NoError(t, os.RemoveAll(dir))
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, at, ok := strings.Cut(lines.Text(), "DevTools listening on ws://"); ok {
			host, _, _ := strings.Cut(at, "/")
			go func() { _, _ = io.Copy(io.Discard, out) }() // until it ends
			return "http://" + host
		}
	}
	require.Fail(t, "the browser did not start")
	return ""
}

// tabs are the titles of all pages in a browser that runs.
func tabs(t *testing.T, at string) string {
	t.Helper()
	answer, err := http.Get(at + "/json/list")
	require.NoError(t, err)
	defer answer.Body.Close()
	var all []struct{ Type, Title, URL string }
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&all))
	all = slices.DeleteFunc(all, func(one struct{ Type, Title, URL string }) bool {
		return one.Type != "page"
	})
	return fmt.Sprint(all)
}

// plain are hosts that are tried in every way.
var plain = []string{"127.0.0.1", "localhost", "[::1]", "2130706433", "169.254.169.254", "loop-{n}.test"}

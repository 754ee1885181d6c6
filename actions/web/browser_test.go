package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/browser"
	"github.com/daybook-agent/daybook/actions/web"
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
			if full || (i+j)%23 == 0 || slices.Contains(plain, privateHosts[min(i, len(privateHosts)-1)]) {
				asks = append(asks, ask{way, v})
			}
		}
	}
	for _, way := range ways {
		easy = append(easy, ask{way, "http://loop-1.test" + w.port + "/" + way})
	}
	open := func(pages *web.Fetcher, asks []ask) (reached int64) {
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

// plain are hosts that are tried in every way.
var plain = []string{"127.0.0.1", "localhost", "[::1]", "2130706433", "169.254.169.254", "loop-{n}.test"}

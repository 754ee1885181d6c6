package browser_test

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// local is a page on this machine, what a scripted agent does on it, and what it then must know.
type local struct {
	name  string
	html  string // {other} is the address of another site
	steps []string
	holds []string // stands in what was kept
	lacks []string // and this does not
	says  []string // is told to the agent, as a note or an error
	// for a page, with its waits; 0 is the usual
	patience time.Duration
}

// text is a string of a script that stands nowhere in it as it will be read.
func text(words string) string {
	return "'" + strings.Join(strings.Split(words, " "), "'+' '+'") + "'"
}

var locals = []local{
	{name: "a plain page",
		html: `<h1>Tides</h1><p>The moon pulls.</p><table><tr><th>Port</th><th>Range</th></tr>
		<tr><td>Brest</td><td>7.2 m</td></tr></table><ul><li>spring tide</li></ul><pre>a = 1</pre>`,
		holds: []string{"# Tides", "The moon pulls.", "| Brest | 7.2 m |", "- spring tide", "a = 1"}},
	{name: "one that scripts fill", html: `<div id=app></div><script>fetch('/api').then(r=>r.json()).then(j=>
		app.innerHTML='<h2>'+j.title+'</h2><p>'+j.text+'</p>')</script>`,
		holds: []string{"## From the server", "A row of figures."}},
	{name: "late content", html: `<p>Loading</p><script>setTimeout(()=>document.body.append(` +
		text("it came late") + `),1500)</script>`, holds: []string{"it came late"}},
	{name: "one of which a part fails",
		html: `<p>whole</p><script>fetch('/cut').finally(()=>document.body.append(` + text("a part failed") +
			`))</script>`, holds: []string{"whole", "a part failed"}},
	{name: "an endless list", html: `<ul id=l></ul><div id=end style="height:5px"></div><script>let n=0
		function more(){for(let k=0;k<40;k++){let i=document.createElement('li');i.textContent='row '+ ++n;i.style.height='60px';l.append(i)}}
		more();new IntersectionObserver(e=>{if(e[0].isIntersecting&&n<160)setTimeout(more,100)}).observe(end)</script>`,
		steps: []string{"scroll", "scroll"}, holds: []string{"- row 1\n", "- row 120\n"}},
	{name: "a list that scrolls by itself",
		html: `<div id=s style="height:200px;overflow-y:auto"><p style="height:900px">top</p>
		</div><script>s.onscroll=()=>{if(!s.dataset.d){s.dataset.d=1;s.append(` + text("end of the list") +
			`)}}</script>`,
		steps: []string{"scroll"}, holds: []string{"end of the list"}},
	{name: "load more", html: `<p id=p>first</p><button onclick="setTimeout(()=>p.append(', '+` +
		`'second'),200)">Load more</button>`, steps: []string{"click Load more"},
		holds: []string{"first, second"}},
	{name: "tabs",
		html: `<div role=tablist><div role=tab onclick="show(0)">Sun</div><div role=tab onclick="show(1)">Moon
		</div></div><div class=t>sun text</div><div class=t hidden>moon text</div><script>function show(k){
		document.querySelectorAll('.t').forEach((e,i)=>e.hidden=i!=k)}</script>`,
		steps: []string{"click Moon"}, holds: []string{"sun text", "moon text"}},
	{name: "frames",
		html: `<p>outer</p><iframe src=/frame></iframe><iframe src="{other}/frame?other"></iframe>
		<iframe sandbox srcdoc="<p>boxed in</p>"></iframe>`, steps: []string{"click Inside"},
		holds: []string{"outer", "framed text", "framed text ?other", "boxed in", "pressed in the frame"}},
	{name: "shadow roots",
		html: `<x-a>light</x-a><script>customElements.define('x-a',class extends HTMLElement{
		connectedCallback(){this.attachShadow({mode:'closed'}).innerHTML='<p>closed root, <slot></slot>, end</p><x-b></x-b>'}});
		customElements.define('x-b',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML=
		'<button onclick="this.nextSibling.textContent=\'done deep\'">Deep</button><i></i>'}})</script>`,
		steps: []string{"click Deep"}, holds: []string{"closed root, light, end", "done deep"}},
	{name: "a cookie wall",
		html: `<div id=w style="position:fixed;inset:0;background:#eee">We value your privacy
		<button onclick="w.remove()">Only what is needed</button></div><button onclick="o.textContent=` +
			text("now it is open") +
			`">Open</button><p id=o></p>`,
		steps: []string{"click Open", "click Only what is needed", "click Open"},
		says:  []string{"covered by something else"}, holds: []string{"now it is open"}},
	{name: "pages by script",
		html: `<p id=p></p><a href="#" onclick="go(1);return false" role=button>Next</a><script>let n=0
		function go(d){n+=d;p.textContent='page number '+n}go(1)</script>`,
		steps: []string{"click Next", "click Next"},
		holds: []string{"page number 1", "page number 2", "page number 3"}},
	{name: "a search form",
		html:  `<form action=/echo><label>Search <input name=q></label><button>Go</button></form>`,
		steps: []string{"type Search=spring tide", "click Go"}, holds: []string{"GET q=spring+tide"}},
	{name: "a form by Enter", html: `<form action=/echo method=post><input name=q placeholder=Words></form>`,
		steps: []string{"enter Words=neap"}, holds: []string{"POST q=neap"}},
	{name: "a list and boxes",
		html: `<label>Year <select id=y onchange=s()><option>2020<option>2021</select></label>
		<label><input id=c type=checkbox onchange=s()> with tables</label><label><input type=radio name=r value=a onchange=s()>
		alpha</label><p id=p></p><script>function s(){p.textContent='year '+y.value+' tables '+c.checked+' '+
		(document.querySelector('[name=r]:checked')||{}).value}</script>`, steps: []string{"choose Year=2021",
			"click with tables", "click alpha"}, holds: []string{"year 2021 tables true a"}},
	{name: "dates and rich fields",
		html: `<input type=date aria-label=Day oninput="p.textContent='day '+this.value">
		<div contenteditable aria-label=Note oninput="q.textContent='note '+this.textContent"></div><p id=p></p><p id=q></p>`,
		steps: []string{"type Day=2026-03-01", "type Note=hello"},
		holds: []string{"day 2026-03-01", "note hello"}},
	{name: "a canvas", html: `<p>Beside the drawing</p><canvas width=400 height=300></canvas>`,
		holds: []string{"Beside the drawing"}, says: []string{"canvas is not in it"}},
	{name: "a window", html: `<button onclick="window.open('/frame?window')">Open it</button>`,
		steps: []string{"click Open it"}, holds: []string{"framed text ?window"}},
	{name: "a link to a new tab", html: `<a target=_blank href="/frame?tab">Elsewhere</a>`,
		steps: []string{"click Elsewhere", "back"}, holds: []string{"framed text ?tab"}},
	{name: "windows that nobody asked for",
		html:  `<p>calm</p><script>setTimeout(()=>window.open('/frame?ad'),50)</script>`,
		holds: []string{"calm"}, lacks: []string{"?ad"}},
	{name: "dialogs",
		html: `<p>under it</p><script>alert('Buy now');document.body.append(String(confirm('Sure?'))+
		prompt('Name?'))</script>`, holds: []string{"under it", "falsenull"},
		says: []string{`dismissed: "Buy now"`}},
	{name: "one that never rests",
		html: `<p>steady</p><p id=p></p><script>setInterval(()=>{p.textContent=Math.random();
		fetch('/slow')},20)</script>`, holds: []string{"steady"}},
	{name: "one of 50 MB", html: `<p>big</p><script>fetch('/big').then(r=>r.text())</script>`,
		says: []string{"loads more than 24 MB"}},
	{name: "one that hangs", html: `<p>x</p><script>onload=()=>{while(true);}</script>`,
		says: []string{"does not answer"}},
	{name: "one that opens dialogs for ever", html: `<script>while(true)alert('again')</script>`,
		says: []string{"without end"}},
	{name: "one that closes itself",
		html:  `<p>gone</p><button onclick="open('','_self').close();close()">Leave</button>`,
		steps: []string{"click Leave"}, holds: []string{"gone"}},
	{name: "one that goes on", html: `<meta http-equiv=refresh content="0;url=/frame?meta">`,
		holds: []string{"text ?meta"}},
	{name: "one that goes on by script", html: `<script>location='/redirect'</script>`,
		holds: []string{"text ?moved"}},
	{name: "what nobody sees",
		html: `<p>seen</p><p style="display:none">hidA</p><p style="opacity:0">hidB</p><p style="color:#fff">hidC
		</p><p style="position:absolute;left:-9999px">hidD</p><p style="visibility:hidden">hidE</p><p style="font-size:1px">hidF</p>
		<p style="width:1px;height:1px;overflow:hidden">hidG</p><template>hidH</template><div hidden>hidI</div>`,
		holds: []string{"seen"}, lacks: []string{"hid"}},
	{name: "details", html: `<details><summary>More</summary><p>folded text</p></details>`,
		steps: []string{"click More"}, holds: []string{"folded text"}},
	{name: "views by address",
		html: `<nav><a href="#/a" onclick="go(event,'alpha')">Alpha</a></nav><p id=p>start</p><script>
		function go(e,n){e.preventDefault();history.pushState(n,'','/view/'+n);draw()}
		function draw(){p.textContent='view '+(history.state||'none')}onpopstate=draw</script>`,
		steps: []string{"click Alpha", "back"}, holds: []string{"view alpha", "view none"}},
	{name: "a form to sign in",
		html: `<h1>Sign in</h1><form><input name=u><input type=password name=p><button>Log in
		</button></form>`, says: []string{"form to sign in"}},
	{name: "a check for persons", html: `<title>Just a moment...</title><p>Verify you are human</p>`,
		says: []string{"prove that it is a person"}},
	{name: "passwords and files", html: `<p>` + strings.Repeat("A long text about it. ", 40) +
		`</p><form action=/echo>
		<input type=PassWord aria-label=Secret><input type=file aria-label=Upload><button>Send it</button></form>`,
		steps: []string{"type Secret=x", "type Upload=x", "click Send it"},
		says:  []string{"no control", "asks for a password"},
		lacks: []string{"GET"}},
	{name: "a form to another site",
		html: `<p>here</p><form action="{other}/echo"><input aria-label=Q name=q></form><form id=f
		method=post><input aria-label=R name=r><button onclick="f.action='{other}/echo'">Post</button></form>`,
		steps: []string{"enter Q=x", "click Post"}, says: []string{"another site", "was to be sent to"},
		lacks: []string{"GET", "POST"}},
	{name: "a form that a script sends away",
		html: `<p>stays</p><form id=f action="{other}/echo"><input name=r aria-label=R></form>
		<button onclick="f.submit()">Away</button>`, steps: []string{"type R=x", "click Away"},
		says:  []string{"was to be sent to"},
		holds: []string{"stays"}, lacks: []string{"GET"}},
	{name: "a form to another window",
		html: `<form id=f method=post target=_blank action="{other}/echo"><input name=r aria-label=R>
		</form><button onclick="f.submit()">Away</button>`, steps: []string{"click Away"},
		lacks: []string{"POST"}},
	{name: "a form that a script sends away to another window",
		html: `<p>stays</p><form id=f target=_blank action=/echo><input name=r aria-label=R><button
		onclick="f.action='{other}/echo'">Away</button></form>`, steps: []string{"type R=x y", "click Away"},
		says: []string{"was to be sent to"}, holds: []string{"stays"}, lacks: []string{"GET"}},
	{name: "a script that opens a window with what was typed",
		html: `<p>stays</p><input id=r aria-label=R><button
		onclick="window.open('{other}/echo?r='+encodeURIComponent(r.value))">Away</button>`,
		steps: []string{"type R=x y", "click Away"},
		says:  []string{"was to be sent to"}, holds: []string{"stays"}, lacks: []string{"GET"}},
	{name: "a link to another site in a new tab",
		html:  `<input aria-label=R><a target=_blank href="{other}/frame?far">Far</a>`,
		steps: []string{"type R=frame", "click Far"}, holds: []string{"framed text ?far"}},
	{name: "a server that is slow", steps: []string{"open /late", "open /frame?next"}, html: `<p>x`,
		says: []string{"its server is slow"}, holds: []string{"framed text ?next"}, patience: time.Second},
	{name: "a download", html: `<p>files</p><a href=/file>Get it</a>`, steps: []string{"click Get it"},
		holds: []string{"files"}, says: []string{"nothing is downloaded"}},
	{name: "no page", steps: []string{"open /missing"}, html: `<p>x`, says: []string{"404"}},
	{name: "a part that listens", html: `<div onclick="p.textContent=` + text("it was heard") +
		`">Tap here</div><p id=p></p>`,
		steps: []string{"click Tap here"}, holds: []string{"it was heard"}},
	{name: "中文",
		html: `<h1>潮汐</h1><p>月亮的引力。</p><button ` +
			`onclick="p.textContent='已经展开'">展开</button><p id=p></p>`,
		steps: []string{"click 展开"}, holds: []string{"# 潮汐", "月亮的引力。", "已经展开"}},
	{name: "a worker that serves",
		html: `<p id=p></p><script>navigator.serviceWorker.register('/sw.js').then(r=>
		p.textContent='worker on',e=>p.textContent='worker off')</script>`, holds: []string{"worker o"}},
}

// serve answers for the local pages and what they load.
func serve(other func() string) http.Handler {
	mux := http.NewServeMux()
	for i, l := range locals {
		mux.HandleFunc(fmt.Sprintf("/page/%d", i), func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html>"+strings.ReplaceAll(l.html, "{other}", other()))
		})
	}
	mux.HandleFunc("/api", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"title":"From the server","text":"A row of figures."}`)
	})
	mux.HandleFunc("/frame", func(w http.ResponseWriter, r *http.Request) {
		mark := ""
		if r.URL.RawQuery != "" {
			mark = " ?" + r.URL.RawQuery
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w,
			`<p>framed text%s</p><button onclick="this.textContent='pressed in the frame'">Inside</button>`,
			mark)
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<p>%s %s</p>", r.Method, r.Form.Encode())
	})
	mux.Handle("/redirect", http.RedirectHandler("/frame?moved", http.StatusFound))
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
		fmt.Fprint(w, "bytes")
	})
	mux.HandleFunc("/late", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(13 * time.Second): // more than a command of the browser may take
		}
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(time.Second):
		}
	})
	mux.HandleFunc("/big", func(w http.ResponseWriter, _ *http.Request) {
		for range 50 {
			if _, err := w.Write([]byte(strings.Repeat("x", 1<<20))); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/cut", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/sw.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, "onfetch=e=>{}")
	})
	return mux
}

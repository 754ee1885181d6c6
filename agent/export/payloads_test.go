package export_test

import "strings"

// payloads are the ways in which a report could load or run something that is not its own. In each, LOAD is
// an address that records that it was asked for, HOST the same without its scheme, and RUN a script that asks
// for it.
func payloads() []string {
	lines := `<script>RUN</script>
<ScRiPt>RUN</sCrIpT>
<script src=LOAD></script>
<script src="LOAD" type=module></script>
<<script>RUN//<</script>
<script/x>RUN</script>
<img src=LOAD>
<img src=x onerror="RUN">
<img/src=x/onerror=RUN>
<img src="x" onerror=RUN>
<image src=LOAD>
<img srcset="LOAD 1x">
<picture><source srcset=LOAD><img src=x></picture>
<svg onload="RUN"></svg>
<svg/onload=RUN>
<svg><script>RUN</script></svg>
<svg><image href=LOAD /></svg>
<svg><use href="LOAD#x"/></svg>
<svg><animate onbegin="RUN" attributeName=x dur=1s></svg>
<svg><style>@import 'LOAD';</style></svg>
<math><mtext></form><form><mglyph><style></math><img src onerror=RUN>
<math href="javascript:RUN">x</math>
<iframe src=LOAD></iframe>
<iframe srcdoc="<script>RUN</script>"></iframe>
<iframe src="javascript:RUN"></iframe>
<object data=LOAD></object>
<embed src=LOAD>
<applet code=LOAD></applet>
<frameset><frame src=LOAD></frameset>
<video src=LOAD autoplay></video>
<video poster=LOAD></video>
<video><source onerror="RUN" src=x></video>
<audio src=LOAD autoplay></audio>
<audio src=x onerror=RUN>
<track src=LOAD>
<input type=image src=LOAD>
<input autofocus onfocus="RUN">
<select autofocus onfocus=RUN></select>
<textarea autofocus onfocus=RUN></textarea>
<button autofocus onfocus=RUN>x</button>
<details open ontoggle="RUN"><summary>x</summary></details>
<body onload="RUN">
<body background=LOAD>
<table background=LOAD><tr><td>x</td></tr></table>
<td background=LOAD>
<link rel=stylesheet href=LOAD>
<link rel=preload as=image href=LOAD>
<link rel=prefetch href=LOAD>
<link rel=icon href=LOAD>
<link rel=modulepreload href=LOAD>
<style>@import url(LOAD);</style>
<style>body{background:url(LOAD)}</style>
<style>@font-face{font-family:x;src:url(LOAD)} *{font-family:x}</style>
<div style="background:url(LOAD)">x</div>
<p style="background-image:url('LOAD')">x</p>
<span style="content:url(LOAD)">x</span>
<li style="list-style-image:url(LOAD)">x</li>
<meta http-equiv=refresh content="0;url=LOAD">
<base href="//HOST/"><img src=x.png>
<form action=LOAD><input name=a autofocus onfocus="this.form.submit()"></form>
<isindex action=LOAD type=image>
<marquee onstart="RUN">x</marquee>
<portal src=LOAD></portal>
<a href=x ping=LOAD autofocus onfocus=RUN>x</a>
<a href="javascript:RUN" autofocus onfocus="RUN">x</a>
<x onclick=RUN autofocus tabindex=1 onfocus=RUN>x</x>
<div onpointerenter=RUN style="position:fixed;inset:0">x</div>
<noscript><p title="</noscript><img src=x onerror=RUN>"></noscript>
<title></title><img src=LOAD>
<template><img src=LOAD></template>
<!--><img src=LOAD>-->
<!-- --!><img src=LOAD> -->
<![CDATA[<img src=LOAD>]]>
<?xml version="1.0"?><img src=LOAD>
<textarea></textarea><img src=LOAD>
</pre></code><img src=LOAD>
</main></body><img src=LOAD>
</title><script>RUN</script>
</style><script>RUN</script>
"><img src=LOAD>
'><script>RUN</script>
" onmouseover="RUN" autofocus onfocus="RUN" x="
![x](LOAD)
![x](<LOAD>)
![x](LOAD "title")
![x][r]
[![x](LOAD)](LOAD)
![](//HOST)
[x](javascript:RUN)
[x](JaVaScRiPt:RUN)
[x](&#106;avascript:RUN)
[x](javascript&colon;RUN)
[x](java&Tab;script:RUN)
[x](data:text/html,<script>RUN</script>)
[x](vbscript:RUN)
[x](file:///etc/passwd)
[x](//HOST)
<javascript:RUN>
<data:text/html;base64,PHNjcmlwdD4=>
[x](LOAD "\"onmouseover=RUN x=\"")
[x](LOAD'onfocus='RUN'autofocus=')
[s1](javascript:RUN)
[s1]("onfocus=RUN autofocus=")
# x {onload="RUN" style="background:url(LOAD)" id="<img src=LOAD>"}
# x {#"><img/src=LOAD> .a}
x[^"><img src=LOAD>]
~~<img src=LOAD>~~
**<img src=LOAD>**
|<img src=LOAD>|
- [ ] <img src=LOAD>
> <img src=LOAD>
1. <iframe src=LOAD></iframe>
` + "`` ` ``<img src=LOAD>`" + `
$$\href{javascript:RUN}{x}$$
&lt;img src=LOAD&gt;
&#60;script&#62;RUN&#60;/script&#62;
\<img src=LOAD>
{{"<img src=LOAD>"}}
<br onclick=RUN><br/src=LOAD><img src=LOAD>
<sub onfocus=RUN autofocus tabindex=1>x</sub>
<kbd style="background:url(LOAD)">x</kbd>`
	all := strings.Split(lines, "\n")
	return append(all,
		"```html\n</code></pre><img src=LOAD>\n```",
		"```\"><img/src=LOAD>\nx\n```",
		"```mermaid\nclick A \"LOAD\"\n<img src=LOAD>\n```",
		"<script>\n\nRUN\n\n</script>",
		"<div>\n<img src=LOAD>\n\n![x](LOAD)\n</div>",
		"<style>\n@import url(LOAD);\n</style>",
		"[r2]: LOAD\n\n![r2]",
		"| a |\n| - |\n| <img src=LOAD> ![x](LOAD) |",
		"x[^n]\n\n[^n]: <img src=LOAD> ![x](LOAD)",
		"<img\nsrc=LOAD\n>",
		"<scr\x00ipt>RUN</script>",
		"\u202e<img src=LOAD>",
		`<!-- x -->\<img src=LOAD>`,
		"<kbd>\n\\<img src=LOAD></kbd>",
		"<br>\n\\<script>RUN</script>",
		"> <sub>\n> \\<img src=LOAD>",
		"- <!-- x -->\\\\\\<img src=LOAD>",
	)
}

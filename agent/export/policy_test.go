package export_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/export"
	"github.com/stretchr/testify/assert"
	"golang.org/x/net/html"
)

func TestThePolicyKeepsWhatIsWritten(t *testing.T) {
	for _, page := range []string{
		`<h2 id="研究-2">研究 &amp; more</h2>`,
		`<p>a<br>b <em>c</em> <code class="language-c++">x &lt; y</code></p>`,
		`<ol start="3"><li>a</li></ol>`,
		`<table class="references"><thead><tr><th align="left">a</th></tr></thead></table>`,
		`<a class="cite" title="A &#34;title&#34;" href="#ref:s1">s1</a>`,
		`<li id="fn:1">note</li><sup id="fnref:1"></sup>`,
		`<sup class="cite"><button type="button" id="cite:s1:1" popovertarget="card:1:1">1</button><span ` +
			`class="card" id="card:1:1" popover="auto">a</span></sup>`,
	} {
		assert.Equal(t, page, export.Sanitised(page))
	}
	assert.Equal(t, `<a href="https://example.org/?a=1&amp;b=2" rel="noreferrer noopener nofollow">x</a>`,
		export.Sanitised(`<a href="https://example.org/?a=1&amp;b=2" rel="opener">x</a>`))
}

func TestThePolicyDropsTheRest(t *testing.T) {
	for page, left := range map[string]string{
		`a<script>alert(1)</script>b`:                  "ab",
		`<img src=x onerror=alert(1)>a`:                "a",
		`<p onclick="x()" style="color:red">a</p>`:     "<p>a</p>",
		`<a href="javascript:alert(1)">a</a>`:          "<a>a</a>",
		`<a href="JaVa&#x53;cript:alert(1)">a</a>`:     "<a>a</a>",
		`<a href="//evil.test/x">a</a>`:                "<a>a</a>",
		`<a href="data:text/html,x">a</a>`:             "<a>a</a>",
		`<a href="https:evil">a</a>`:                   "<a>a</a>",
		`<svg><a href="#"><style>x</style></a></svg>b`: "b",
		`<style>@import url(x)</style>b`:               "b",
		`<iframe src=x>a</iframe>b`:                    "b",
		`<!-- <p> --><!doctype x>b`:                    "b",
		`<h2 id="a b">a</h2><span id="ref:s1x">a</span>`: "<h2>a</h2>" +
			"<span>a</span>",
		`<button type="submit" formaction="javascript:x" popovertarget="x">a</button>`: "<button>a</button>",
		`<a epub:type="noteref x" href="#a">a</a>`:                                     `<a href="#a">a</a>`,
		`<math><mtext><p>a`: "",
		`<p>a<noscript><p title="</noscript><img src=x>"></p>`: "<p>a&#34;&gt;</p>",
	} {
		assert.Equal(t, left, export.Sanitised(page), page)
	}
}

// What a person left open, or closed twice, is well formed: pandoc reads nothing else.
func TestThePolicyClosesWhatIsOpen(t *testing.T) {
	for page, left := range map[string]string{
		`<p>a <kbd>b</p><p>c</p>`:             `<p>a <kbd>b</kbd></p><p>c</p>`,
		`<p>a</kbd> <sub>b <kbd>c</sub>d</p>`: `<p>a <sub>b <kbd>c</kbd></sub>d</p>`,
		`<ul><li><sup>a`:                      `<ul><li><sup>a</sup></li></ul>`,
		`<p>a</br>b<br></p></p>`:              `<p>ab<br></p>`,
	} {
		assert.Equal(t, left, export.Sanitised(page), page)
	}
	deep := export.Sanitised("<p>" + strings.Repeat("<kbd>a", 5000) + "</p>b")
	assert.Less(t, strings.Count(deep, "<kbd>"), 300)
	assert.Equal(t, strings.Count(deep, "<kbd>"), strings.Count(deep, "</kbd>"))
	assert.True(t, strings.HasSuffix(deep, "</kbd></p>b"))
	agenttest.RequireLinear(t, 64<<10, agenttest.Repeated("<kbd>a</sub>"),
		func(page string) { export.Sanitised(page) })
}

// FuzzPolicy: whatever comes in, what goes out holds no element and no address that is not allowed, also when
// it is parsed as a browser does.
func FuzzPolicy(f *testing.F) {
	for _, seed := range []string{"<p>a</p>", "<script>a</script>", `<a href="x">`, "<svg><p>", "<p <b>",
		"<!--", "</p/x>", "<a href='#'>b", "\x00<p\x00>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, page string) {
		clean := export.Sanitised(page)
		z, open := html.NewTokenizer(strings.NewReader(clean)), 0
		for z.Next() != html.ErrorToken {
			token := z.Token()
			switch token.Type {
			case html.StartTagToken:
				if !strings.Contains(" br wbr hr ", " "+token.Data+" ") {
					open++
				}
			case html.EndTagToken:
				open--
				assert.GreaterOrEqual(t, open, 0, clean)
			}
			assert.NotEqual(t, html.CommentToken, token.Type, clean)
			assert.NotContains(t, []string{"script", "style", "img", "svg", "iframe", "form", "object",
				"link", "meta", "base"}, strings.ToLower(token.Data)+
				map[bool]string{true: "!"}[token.Type == html.TextToken])
			for _, a := range token.Attr {
				assert.False(t, strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src", clean)
				if a.Key == "href" {
					assert.Regexp(t, `^(#|(?i:https?)://)`, a.Val)
				}
			}
		}
		assert.Zero(t, open, clean)
		assert.Equal(t, clean, export.Sanitised(clean), "cleaning twice changes nothing")
	})
}

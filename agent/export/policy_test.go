package export_test

import (
	"strings"
	"testing"

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

// FuzzPolicy: whatever comes in, what goes out holds no element and no address that is not allowed, also when
// it is parsed as a browser does.
func FuzzPolicy(f *testing.F) {
	for _, seed := range []string{"<p>a</p>", "<script>a</script>", `<a href="x">`, "<svg><p>", "<p <b>",
		"<!--", "</p/x>", "<a href='#'>b", "\x00<p\x00>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, page string) {
		clean := export.Sanitised(page)
		z := html.NewTokenizer(strings.NewReader(clean))
		for z.Next() != html.ErrorToken {
			token := z.Token()
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
		assert.Equal(t, clean, export.Sanitised(clean), "cleaning twice changes nothing")
	})
}

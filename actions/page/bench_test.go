package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
)

// BenchmarkRead reads a page of documentation, which says where its text stands, and one of news, which does
// not.
func BenchmarkRead(b *testing.B) {
	var sections strings.Builder
	for i := range 40 {
		fmt.Fprintf(&sections, `<section id="s%d"><h2>Section %d<a class="headerlink" href="#s%d">¶</a></h2>
<p>The <code>option_%d</code> sets how <a href="other.html#x%d">the planner</a> weighs <em>each</em> row, and so on, at length.</p>
<div class="highlight-sql"><div class="highlight"><pre><span>SELECT</span> <span>%d</span>
<span>FROM</span> t;</pre></div></div>
<table><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody><tr><td>a</td><td>%d</td></tr></tbody></table></section>`, i, i, i, i, i, i, i)
	}
	story := strings.Repeat("<p>The bridge was opened in spring, and many people came, though "+
		"it rained all day, as it often does.</p>", 60)
	menu := strings.Repeat(`<li class="item"><a href="/section">Section</a></li>`, 100)
	for name, body := range map[string]string{
		"documentation": `<html lang="en"><title>T</title><body><div class="body" role="main">` +
			sections.String() + "</div></body></html>",
		"news": `<html lang="en"><title>T</title><body><ul class="m">` + menu + "</ul><div id=story>" +
			story + "</div></body></html>",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := page.Read(b.Context(), page.Raw{URL: "https://example.org/a",
					ContentType: "text/html", Body: []byte(body)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

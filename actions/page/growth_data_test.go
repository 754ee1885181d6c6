package page_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// growingData are texts of XML and JSON that nest, repeat or promise as much as their size allows.
func growingData() map[string][]agenttest.Bomb {
	nested := func(open, inside, end string) agenttest.Bomb {
		return agenttest.Bomb{Name: "nested " + open, Make: func(size int) string {
			n := size / (len(open) + len(end))
			return strings.Repeat(open, n) + inside + strings.Repeat(end, n)
		}}
	}
	around := func(before, unit, after string) agenttest.Bomb {
		return agenttest.Bomb{Name: "repeated " + unit, Make: func(size int) string {
			return before + strings.Repeat(unit, size/len(unit)) + after
		}}
	}
	return map[string][]agenttest.Bomb{
		"application/json": {
			nested("[", "1", "]"), nested(`{"a":`, "1", "}"), around("[", `"x",`, `"x"]`), around(`"`, `\u0041`, `"`),
			around(`{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[`, `{"id":"1","content_html":"<p>x"},`, `{"id":"2"}]}`),
			around(`{"nbformat":4,"cells":[`, `{"cell_type":"code","source":["a","b"],"outputs":[]},`, `{"cell_type":"code","source":""}]}`),
		},
		"application/xml": {
			nested("<a>", "x", "</a>"), around("<a>", "<b c='d'/>", "</a>"), around("<a ", "b='c' ", "/>"), around("<a>", "&amp;", "</a>"),
			around("<a>", "<!-- x -->", "</a>"), around("<a>", "<![CDATA[x]]>", "</a>"), around("", "<!DOCTYPE a [", ""),
			around(`<rss version="2.0"><channel><title>t</title>`, "<item><title>a</title><description>&lt;p&gt;b</description></item>", "</channel></rss>"),
		},
	}
}

// Data of twice the size is read, or refused, in at most two and a half times the time.
func TestTwiceTheDataIsTwiceTheWork(t *testing.T) {
	for kind, bombs := range growingData() {
		for _, bomb := range bombs {
			t.Run(kind+" "+bomb.Name, func(t *testing.T) {
				agenttest.RequireLinear(t, 256<<10, bomb, func(text string) { readData(t.Context(), kind, text) })
			})
		}
	}
}

// FuzzTwiceTheData holds it for whatever text is repeated.
func FuzzTwiceTheData(f *testing.F) {
	for kind, bombs := range growingData() {
		for _, bomb := range bombs {
			f.Add(kind == "application/xml", bomb.Make(64))
		}
	}
	f.Fuzz(func(t *testing.T, isXML bool, unit string) {
		if len(unit) == 0 || len(unit) > 256 {
			return
		}
		kind := map[bool]string{true: "application/xml", false: "application/json"}[isXML]
		agenttest.RequireLinear(t, 32<<10, agenttest.Repeated(unit), func(text string) { readData(t.Context(), kind, text) })
	})
}

func readData(ctx context.Context, kind, text string) {
	if _, err := page.Read(ctx, page.Raw{URL: "https://example.org/data", ContentType: kind, Body: []byte(text)}); err != nil {
		_ = fmt.Sprint(err) // what is over a bound is refused, and the refusal is written
	}
}

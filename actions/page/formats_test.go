package page_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFormats(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	for _, test := range []struct {
		name, url, contentType, body string
		want                         page.Page
	}{
		{"feed", "https://e.org/feed", "text/html", rssFeed,
			page.Page{Type: "feed", Title: "桥梁日报", Language: "zh-CN", Published: "2025-03-04",
				Markdown: "# 桥梁日报\n\n- [大桥通车](https://example.cn/1), 2025-03-04\n" +
					"  今日[通车](https://e.org/m)。\n- [第二条](https://example.cn/2)\n"}},
		{"JSON feed", "https://e.org/feed.json", "application/feed+json",
			jsonFeed, page.Page{Type: "feed", Title: "J", Language: "en-US", Published: "2025-01-02",
				Markdown: "# J\n\n- [One](https://e.org/1), 2025-01-02, Ada\n  Text **one**\n" +
					"- [https://e.org/2](https://e.org/2), 2025-01-03\n  a < b\n"}},
		{"XML", "https://e.org/a.xml",
			"", `<?xml version="1.0"?><!DOCTYPE list [<!ENTITY x "y">]><list><title>Books</title>
<book id="1" xmlns="n"><name>A &amp; B &x;</name><price currency="EUR">12.50</price><text>with <b>mixed</b> words &lt;b></text></book></list>`,
			page.Page{Type: "xml", Title: "Books",
				Markdown: "- list\n  - title: Books\n  - book (id 1)\n    - name: A & B &x;\n" +
					"    - price (currency EUR): 12.50\n\n    with mixed words \\<b>\n"}},
		{"SVG", "https://e.org/a.svg", "image/svg+xml",
			`<svg xmlns="s"><title>Chart</title><style>.a{}</style><script>alert(1)</script>
<g><path d="M0 0"/><text>2024: <tspan>12</tspan></text></g><a href="javascript:x()"><text>more</text></a></svg>`,
			page.Page{Type: "xml", Title: "Chart", Markdown: "Chart\n\n2024: 12\n\nmore\n"}},
		{"damaged XML", "a.xml", "", `<a><b>kept</b><c`, page.Page{Type: "xml", Title: "a.xml",
			Partial: "its file is damaged after this", Markdown: "- a\n  - b: kept\n"}},
		{"XML with a script within a text", "a.xml",
			"", "<a>before <script>run()</script><b><style>.x{}</style>after</b></a>",
			page.Page{Type: "xml", Title: "a.xml", Markdown: "before after\n"}},
		{"XML too deep", "a.xml", "", "<svg><text>kept</text>\n" + strings.Repeat("<g>", 200),
			page.Page{Type: "xml", Title: "a.xml",
				Partial: "only its beginning was read: line 2: elements stand in one another " +
					"more than 200 deep", Markdown: "kept\n"}},
		{"a notebook with a cell too large", "a.ipynb", "",
			`{"cells":[{"cell_type":"markdown","source":"kept"},{"cell_type":"code","source":[` +
				strings.Repeat(`"",`, 600_000) + `""]}]}`,
			page.Page{Type: "notebook", Title: "a.ipynb",
				Partial: "only its beginning was read: line 1: more than 500000 values", Markdown: "kept\n"}},
		{"XHTML named XML", "https://e.org/a.xml", "text/xml",
			`<?xml version="1.0"?><html><body><p>x</p></body></html>`,
			page.Page{Type: "html", Title: "a.xml", Markdown: "x\n"}},
		{"notebook", "a.ipynb", "", `{"cells":[{"cell_type":"markdown","source":["# Bridges\n","Text."]},
{"cell_type":"code","source":"print(1)\n","outputs":[{"text":["1\n"]},{"data":{"text/plain":["<Figure>"],"image/png":"aaaa"}}]}],"metadata":{"language_info":{"name":"python"}}}`,
			page.Page{Type: "notebook", Title: "Bridges",
				Markdown: "# Bridges\nText.\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n```\n" +
					"<Figure>\n```\n"}},
		{"no notebook", "a.ipynb", "", `{"a":1}`,
			page.Page{Type: "notebook", Title: "a.ipynb", Markdown: "```json\n{\n  \"a\": 1\n}\n```\n"}},
		{"a PDF called text", "a.txt", "text/plain", pdfPages(at(72, 700, 11, "x y z")),
			page.Page{Type: "pdf", Title: "The Bridge", Author: "Ada Byron",
				Markdown: "<!-- page 1 -->\n\nx y z\n"}},
		{"a text called PDF", "a.pdf", "application/pdf", strings.Repeat("It is just text. ", 9),
			page.Page{Type: "text", Title: "a.pdf",
				Markdown: strings.Repeat("It is just text. ", 8) + "It is just text.\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := page.Read(t.Context(),
				page.Raw{URL: test.url, ContentType: test.contentType, Body: []byte(test.body)})
			require.NoError(t, err)
			assert.Equal(t, test.want, doc)
			checkForm(t, doc.Markdown)
		})
	}
}

func TestPromisedFormats(t *testing.T) {
	noise := make([]byte, 5000)
	rand.NewChaCha8([32]byte{7}).Read(noise)
	noZero := bytes.ReplaceAll(noise, []byte{0}, []byte{0xe4})
	for _, name := range []string{"a.pdf", "a.DOCX", "dir/a.epub", "a.xlsx", "https://e.org/a.odt?v=1#x"} {
		for what, body := range map[string][]byte{"noise": noise, "noise without zeroes": noZero,
			"a little noise": noZero[:40], "a word": []byte("missing"),
			"a control character": []byte(strings.Repeat("Some words. ", 20) + "\x02"),
			"another charset":     []byte(strings.Repeat("Caf\xe9 au lait. ", 20))} {
			_, err := page.Read(t.Context(), page.Raw{URL: name, Body: body})
			failure, ok := errors.AsType[*page.Error](err)
			require.True(t, ok, "%s as %s is read: %v", what, name, err)
			assert.Equal(t, page.Broken, failure.Kind)
			assert.Regexp(t, "^this is no (PDF|DOCX|EPUB|XLSX|ODT), whatever its name says, "+
				"and no text either$", failure.What())
		}
		doc, err := page.Read(t.Context(),
			page.Raw{URL: name, Body: []byte(strings.Repeat("面包 and butter,\r\n\ton a plate.\n", 20))})
		require.NoError(t, err, "prose as "+name)
		assert.Equal(t, "text", doc.Type)
	}
	_, err := page.Read(t.Context(),
		page.Raw{URL: "https://e.org/get/17", ContentType: "application/pdf", Body: noZero})
	require.Error(t, err, "noise that is sent as a PDF")
	doc, err := page.Read(t.Context(), page.Raw{URL: "https://e.org/a.pdf",
		ContentType: "text/html; charset=iso-8859-1", Body: []byte("<p>Caf\xe9 au lait.</p>")})
	require.NoError(t, err, "a page of the web that stands at the address of a PDF")
	assert.Equal(t, "Café au lait.\n", doc.Markdown)
	_, err = page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte("missing")})
	require.NoError(t, err, "a short text under its own name")
}

func TestStrayBytesInAText(t *testing.T) {
	doc, err := page.Read(t.Context(),
		page.Raw{URL: "log.txt", Body: []byte("It restarts at 03:40.\n\xff\xfe stray \xa9 caf\xe9.\n")})
	require.NoError(t, err)
	assert.Contains(t, doc.Markdown, "It restarts at 03:40.")
	assert.Contains(t, doc.Markdown, "stray © café.")
}

func TestDataStaysAsItIs(t *testing.T) {
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	doc, err := page.Read(t.Context(), page.Raw{URL: "a.json", Body: []byte(deep)})
	require.NoError(t, err)
	assert.Equal(t, "```json\n"+deep+"\n```\n", doc.Markdown)

	long := strings.Repeat("1,2\n", 200_000)
	doc, err = page.Read(t.Context(), page.Raw{URL: "a.csv", Body: []byte(long)})
	require.NoError(t, err)
	assert.Equal(t, "```csv\n"+long+"```\n", doc.Markdown)
}

func FuzzXML(f *testing.F) {
	for _, seed := range []string{"<a>x</a>", "<svg><text>a</text></svg>", "<a><b c='d'>e</b>f</a>",
		"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", rssFeed, atomFeed} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, url := range []string{"a.xml", "a.rss"} {
			doc, err := page.Read(t.Context(), page.Raw{URL: url, Body: []byte(body)})
			if err != nil {
				if e := asError(t, err); strings.Contains(e.Error(), "defeats the reader") {
					t.Fatalf("the reader broke: %v", err)
				}
				continue
			}
			checkForm(t, doc.Markdown)
		}
	})
}

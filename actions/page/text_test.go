package page_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

func TestReadFiles(t *testing.T) {
	for _, test := range []struct {
		name, url, contentType, body string
		want                         page.Page
	}{
		{"plain text", "notes/a.txt", "", "\ufeffone\r\ntwo  \rthree\x00\x07\n\n\n\nfour",
			page.Page{Type: "text", Title: "a.txt", Markdown: "one\ntwo\nthree\n\nfour\n"}},
		{"Windows path", `C:\notes\b.log`, "", "x", page.Page{Type: "text", Title: "b.log", Markdown: "x\n"}},
		{"source without a known ending", "/src/x.go", "", "package x\n",
			page.Page{Type: "text", Title: "x.go", Markdown: "package x\n"}},
		{"text by the header", "https://e.org/LICENSE", "text/plain", "<b>no markup</b>",
			page.Page{Type: "text", Title: "LICENSE", Markdown: "<b>no markup</b>\n"}},
		{"site without a path", "https://e.org/", "text/plain",
			"x", page.Page{Type: "text", Title: "e.org", Markdown: "x\n"}},
		{"Markdown", "a.md", "", "intro\n\n# The `big` **One** {#id}\n\n\n\n```\n# no\n\n\nx\n```\n",
			page.Page{Type: "markdown", Title: "The big One",
				Markdown: "intro\n\n# The `big` **One** {#id}\n\n```\n# no\n\n\nx\n```\n"}},
		{"Markdown, underlined heading", "a.md", "", "```\n# no\n```\n\nYes\n===\nx",
			page.Page{Type: "markdown", Title: "Yes", Markdown: "```\n# no\n```\n\nYes\n===\nx\n"}},
		{"Markdown, a badge in the heading", "a.md", "",
			"# Mill [![CI](https://a.test/b.svg)](https://a.test)\n",
			page.Page{Type: "markdown", Title: "Mill",
				Markdown: "# Mill [![CI](https://a.test/b.svg)](https://a.test)\n"}},
		{"Markdown, closed heading", "a.md", "", "## Two ##\n",
			page.Page{Type: "markdown", Title: "Two", Markdown: "## Two ##\n"}},
		{"Markdown without a heading", "d/a.md", "", "#tag and text",
			page.Page{Type: "markdown", Title: "a.md", Markdown: "#tag and text\n"}},
		{"links of Obsidian", "a.md", "", "# T\n\nSee [[In/My note#Top|the (first) note]] and [[Note]], " +
			"`[[a|b]]`, ![[p.png|200]].\n\n| Doc | About |\n| - | - |\n| [[A b|C]] | x |\n" +
			"| [[A\\|D]] | y |\n\n```\nif [[a|b]]\n```\n",
			page.Page{Type: "markdown", Title: "T",
				Markdown: "# T\n\nSee [the (first) note](In/My%20note.md#Top) and [[Note]], `[[a|b]]`, " +
					"![[p.png|200]].\n\n| Doc | About |\n| - | - |\n| [C](A%20b.md) | x |\n" +
					"| [D](A.md) | y |\n\n```\nif [[a|b]]\n```\n"}},
		{"last change in the front matter", "a.md", "", "---\nlastmod: 2024-02-03\n---\n# T\n\nx\n",
			page.Page{Type: "markdown", Title: "T", Published: "2024-02-03", Markdown: "# T\n\nx\n"}},
		{"last change at the foot", "a.md",
			"", "# T\n\nIt broke on 2013-08-30.\n\n*Last updated: 2024-02-03*\n",
			page.Page{Type: "markdown", Title: "T", Published: "2024-02-03",
				Markdown: "# T\n\nIt broke on 2013-08-30.\n\n*Last updated: 2024-02-03*\n"}},
		{"front matter", "a.md", "", "---\ntitle: \"My: notes\"\nauthor: Li Lei\ndate: 2024-02-03\n" +
			"lang: zh\n---\n# Other\nx\n", page.Page{Type: "markdown", Title: "My: notes", Author: "Li Lei",
			Published: "2024-02-03", Language: "zh", Markdown: "# Other\nx\n"}},
		{"TOML front matter", "a.md", "", "+++\ntitle = 'T'\n+++\nx\n",
			page.Page{Type: "markdown", Title: "T", Markdown: "x\n"}},
		{"no front matter but a line", "a.md", "", "---\nx: y\n",
			page.Page{Type: "markdown", Title: "a.md", Markdown: "---\nx: y\n"}},
		{"title of a text", "a.txt", "", "How bridges are built\n\nFirst dig.\n",
			page.Page{Type: "text", Title: "How bridges are built",
				Markdown: "How bridges are built\n\nFirst dig.\n"}},
		{"comments in a text", "setup.txt", "",
			"# Setup\n\n# start it\npump start\n# stop it\npump stop\n\n# mind\nthe water\n",
			page.Page{Type: "text", Title: "setup.txt",
				Markdown: "# Setup\n\n```\n# start it\npump start\n# stop it\npump stop\n```\n\n" +
					"\\# mind\nthe water\n"}},
		{"numbered headings of a text", "faq.txt", "", numbered,
			page.Page{Type: "text", Title: "Frequently Asked Questions", Markdown: headed}},
		{"a list and a paragraph over a rule are no headings", "a.txt", "",
			"1. Dig\n\n2. Build\n\n3. Rest\n\nx x\ny\nz\n====\nb\n", page.Page{Type: "text", Title: "1. Dig",
				Markdown: "1. Dig\n\n2. Build\n\n3. Rest\n\nx x\ny\nz\n\\====\nb\n"}},
		{"round marks of a list", "a.txt", "",
			"It is better because:\n\n  o the load is less\n\n  o the cost is less\n\n  o   all keep time\n",
			page.Page{Type: "text", Title: "a.txt", Markdown: "It is better because:\n\n" +
				"  - the load is less\n\n  - the cost is less\n\n  - all keep time\n"}},
		{"source of a manual page", "tide.8", "",
			".\\\" x\n.TH TIDE 8 2024-05-01\n.SH NAME\ntide \\- tells \\fBit\\fP\n",
			page.Page{Type: "man", Title: "tide(8)", Published: "2024-05-01",
				Markdown: "## NAME\n\ntide - tells it\n"}},
		{"an endless title", "a.md", "", "# " + strings.Repeat("word ", 1000) + "\n\nx\n",
			page.Page{Type: "markdown", Title: strings.Repeat("word ", 59) + "word…",
				Markdown: "# " + strings.TrimSpace(strings.Repeat("word ", 1000)) + "\n\nx\n"}},
		{"a file about missing pages", "404.html", "",
			"<title>404 Not Found</title><h1>Not found</h1><p>Page not found.",
			page.Page{Type: "html", Title: "404 Not Found", Markdown: "# Not found\n\nPage not found.\n"}},
		{"a fence in a text", "setup.txt", "", "a\n\n```\n# no\n\n# no\nx\n```\n",
			page.Page{Type: "text", Title: "setup.txt", Markdown: "a\n\n```\n# no\n\n# no\nx\n```\n"}},
		{"Org mode", "weir.org", "", "#+TITLE: The weir\n#+OPTIONS: toc:nil\n\n* Gate\n" +
			"** TODO Opening\nAt 3.2 m.\n# aside\n- item\n\n#+begin_src sh\n# kept\nopen gate\n#+end_src\n",
			page.Page{Type: "text", Title: "The weir",
				Markdown: "# Gate\n## Opening\nAt 3.2 m.\n- item\n\n```\n# kept\nopen gate\n```\n"}},
		{"AsciiDoc", "weir.adoc", "", "= The weir\n\n== Gate\n\nAt 3.2 m.\n",
			page.Page{Type: "text", Title: "The weir", Markdown: "# The weir\n\n## Gate\n\nAt 3.2 m.\n"}},
		{"underlined title of a text", "a.txt", "", "How bridges are built\n=====\nFirst dig.\n",
			page.Page{Type: "text", Title: "How bridges are built",
				Markdown: "How bridges are built\n=====\nFirst dig.\n"}},
		{"Chinese title of a text", "a.txt", "", "桥梁建造指南\n\n先挖。\n",
			page.Page{Type: "text", Title: "桥梁建造指南", Markdown: "桥梁建造指南\n\n先挖。\n"}},
		{"a sentence is no title", "a.txt", "", "First dig.\n\nThen build.\n",
			page.Page{Type: "text", Title: "a.txt", Markdown: "First dig.\n\nThen build.\n"}},
		{"a setting is no title", "a.yaml", "", "first line\n\nx: y\n",
			page.Page{Type: "text", Title: "a.yaml", Markdown: "first line\n\nx: y\n"}},
		{"README sent as plain text", "https://e.org/README.md?raw=1", "text/plain; charset=utf-8", "# R\n",
			page.Page{Type: "markdown", Title: "R", Markdown: "# R\n"}},
		{"JSON", "a.json", "", `{"b":[1,2],"a":null}`, page.Page{Type: "json", Title: "a.json",
			Markdown: "```json\n{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": null\n}\n```\n"}},
		{"JSON by its looks", "https://e.org/api", "", ` [1]`,
			page.Page{Type: "json", Title: "api", Markdown: "```json\n[\n  1\n]\n```\n"}},
		{"JSON that is none", "a.json", "", "{broken",
			page.Page{Type: "json", Title: "a.json", Markdown: "```json\n{broken\n```\n"}},
		{"CSV", "a.csv", "", "name,size\n\"a,|b\",1\nc\n",
			page.Page{Type: "csv", Title: "a.csv",
				Markdown: "| name | size |\n| --- | --- |\n| a,\\|b | 1 |\n| c | |\n"}},
		{"CSV with semicolons", "a.csv", "", "a;b\n1,5;2\n",
			page.Page{Type: "csv", Title: "a.csv", Markdown: "| a | b |\n| --- | --- |\n| 1,5 | 2 |\n"}},
		{"TSV", "a.tsv", "", "a\tb\n1\t2\n",
			page.Page{Type: "csv", Title: "a.tsv", Markdown: "| a | b |\n| --- | --- |\n| 1 | 2 |\n"}},
		{"CSV that is none", "a.csv", "", "a,\"b\nc",
			page.Page{Type: "csv", Title: "a.csv", Markdown: "| a | b c |\n| --- | --- |\n"}},
		{"HTML by its looks", "https://e.org/x", "", "<!doctype html><title>T</title><p>y",
			page.Page{Type: "html", Title: "T", Markdown: "# T\n\ny\n"}},
		{"text called HTML", "https://e.org/x", "text/html", "one\ntwo",
			page.Page{Type: "text", Title: "x", Markdown: "one\ntwo\n"}},
		{"XHTML", "https://e.org/x", "application/xhtml+xml",
			`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>y</p></body></html>`,
			page.Page{Type: "html", Title: "x", Markdown: "y\n"}},
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

func TestLargeJSONAndWideCSVStayAsTheyAre(t *testing.T) {
	list := "[" + strings.Repeat("1,", 50_000) + "1]"
	doc, err := page.Read(t.Context(), page.Raw{URL: "a.json", Body: []byte(list)})
	require.NoError(t, err)
	assert.Equal(t, "```json\n"+list+"\n```\n", doc.Markdown)

	wide := strings.Repeat("a,", 5000) + "a"
	doc, err = page.Read(t.Context(), page.Raw{URL: "a.csv", Body: []byte(wide)})
	require.NoError(t, err)
	assert.Equal(t, "```csv\n"+wide+"\n```\n", doc.Markdown)
}

const (
	simplified = "研究助手把它所知道的一切都写进一个文件夹，人们随时可以阅读和修改这些文件。" +
		"数据库的索引可以加快查询速度。"
	traditional = "研究助手把它所知道的一切都寫進一個資料夾，人們隨時可以閱讀和修改這些檔案。" +
		"資料庫的索引可以加快查詢速度。"
	japan = "このプログラムは、質問について自分で調べて、知ったことをすべてフォルダに書きます。" +
		"人はいつでも読んだり直したりできます。"
	korea = "이 프로그램은 질문을 스스로 조사하고 알게 된 모든 것을 폴더에 기록합니다. 사람은 언제든지 " +
		"읽고 고칠 수 있습니다."
	russian = "Эта программа сама исследует вопрос и записывает всё, что узнала, в папку. Человек " +
		"может читать и изменять файлы."
	french = "Le café était fermé, où l'été précédent déjà nous avions déjeuné à côté de l'école."
)

func TestCharsetGuessed(t *testing.T) {
	for _, test := range []struct {
		name, text string
		encoding   encoding.Encoding
	}{
		{"GBK", simplified, simplifiedchinese.GBK},
		{"GB18030", simplified, simplifiedchinese.GB18030},
		{"Big5", traditional, traditionalchinese.Big5},
		{"Shift-JIS", japan, japanese.ShiftJIS},
		{"EUC-JP", japan, japanese.EUCJP},
		{"ISO-2022-JP", japan, japanese.ISO2022JP},
		{"EUC-KR", korea, korean.EUCKR},
		{"windows-1251", russian, charmap.Windows1251},
		{"windows-1252", french, charmap.Windows1252},
		{"UTF-8", simplified, encoding.Nop},
		{"UTF-8 with a mark", simplified, unicode.UTF8BOM},
		{"UTF-16LE with a mark", simplified, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)},
		{"UTF-16BE with a mark", simplified, unicode.UTF16(unicode.BigEndian, unicode.UseBOM)},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := encode(t, test.encoding, test.text)
			doc, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: body})
			require.NoError(t, err)
			assert.Equal(t, test.text+"\n", doc.Markdown)

			markup := encode(t, test.encoding, "<html><title>t</title>"+
				strings.Repeat("<!-- markup -->", 300)+"<h1>t</h1><p>"+test.text)
			doc, err = page.Read(t.Context(), page.Raw{ContentType: "text/html", Body: markup})
			require.NoError(t, err)
			assert.Equal(t, "# t\n\n"+test.text+"\n", doc.Markdown)
		})
	}
}

func TestCharsetDeclared(t *testing.T) {
	gbk, cyrillic := simplifiedchinese.GBK, charmap.Windows1251
	for _, test := range []struct {
		name, contentType, head, text string
		encoding                      encoding.Encoding
	}{
		{"header", "text/html; charset=windows-1251", "", "да", cyrillic},
		{"meta", "text/html", `<meta charset="gb2312">`, "你好", gbk},
		{"meta of the old form", "text/html",
			`<meta http-equiv="Content-Type" content="text/html; charset=gbk">`, "你好", gbk},
		{"XML declaration", "text/html", `<?xml version="1.0" encoding="gb18030"?>`,
			"你好", simplifiedchinese.GB18030},
		{"header before meta", "text/html; charset=windows-1251", `<meta charset="gbk">`, "да", cyrillic},
		{"unknown label in the header", "text/html; charset=klingon", `<meta charset="gbk">`, "你好", gbk},
		{"unknown label alone", "text/html; charset=klingon", "", "café", encoding.Nop},
		{"mark before header", "text/html; charset=gbk", "", "café", unicode.UTF8BOM},
		{"wrong label on long UTF-8", "text/html; charset=gbk", "", simplified, encoding.Nop},
		{"UTF-8 declared for GBK", "text/html; charset=utf-8", "", simplified, gbk},
		{"UTF-16 in a meta that could be read", "text/html", `<meta charset="utf-16">`, "café", encoding.Nop},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := encode(t, test.encoding, test.head+"<p>"+test.text)
			doc, err := page.Read(t.Context(), page.Raw{ContentType: test.contentType, Body: body})
			require.NoError(t, err)
			assert.Equal(t, test.text+"\n", doc.Markdown)
		})
	}
	t.Run("a few bytes spoiled", func(t *testing.T) {
		doc, err := page.Read(t.Context(), page.Raw{URL: "a.txt", ContentType: "text/plain; charset=utf-8",
			Body: []byte("naïve caf\xff, déjà vu, señor")})
		require.NoError(t, err)
		assert.Equal(t, "naïve caf\ufffd, déjà vu, señor\n", doc.Markdown)
	})
}

func encode(t *testing.T, e encoding.Encoding, text string) []byte {
	t.Helper()
	body, err := e.NewEncoder().Bytes([]byte(text))
	require.NoError(t, err)
	return body
}

// The first of several headings of a lower level names a section: a note of a vault is called as its file is.
func TestATitleIsAHeadingOfTheWholePage(t *testing.T) {
	for text, want := range map[string]string{
		"## Introduction\n\n- One.\n\n---\n\n## Tools\n\n- Two.\n": "tide.md",
		"## Introduction\n\n- One.\n\n### Tools\n\n- Two.\n":       "Introduction",
		"## Introduction\n\n# The tide\n\n## Tools\n":              "Introduction",
		"# The tide\n\n## Tools\n\n## More\n":                      "The tide",
	} {
		doc, err := page.Read(t.Context(), page.Raw{
			URL: "file:///notes/tide.md", ContentType: "text/markdown", Body: []byte(text)})
		require.NoError(t, err)
		assert.Equal(t, want, doc.Title, text)
	}
}

// numbered is of the questions that chrony answers.
const numbered = `Frequently Asked Questions

  o 1. chrony compared to other programs
      ? 1.1. How does chrony compare to ntpd?

1. chrony compared to other programs

1.1. How does chrony compare to ntpd?

They are two.

2. Configuration issues

2.1. Must I specify servers by IP address if DNS is not available on chronyd
start?

No. For example:

# chronyd -q 'pool pool.ntp.org iburst'

2.2. Using NTS?

# chronyc -N authdata
Name/IP address             Mode KeyID
======================================
foo.example.net              NTS     1

3. A list follows:

1. Not this.
`

const headed = `Frequently Asked Questions

  o 1. chrony compared to other programs
      ? 1.1. How does chrony compare to ntpd?

## 1. chrony compared to other programs

### 1.1. How does chrony compare to ntpd?

They are two.

## 2. Configuration issues

### 2.1. Must I specify servers by IP address if DNS is not available on chronyd start?

No. For example:

` + "```\n# chronyd -q 'pool pool.ntp.org iburst'\n```" + `

### 2.2. Using NTS?

` + "```\n# chronyc -N authdata\nName/IP address             Mode KeyID\n" +
	"======================================\nfoo.example.net              NTS     1\n```" + `

3. A list follows:

1. Not this.
`

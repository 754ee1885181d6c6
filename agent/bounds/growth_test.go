package bounds_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
)

func markdown(options ...parser.Option) goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(append(options, parser.WithHeadingAttribute())...))
}

// read parses a text in both ways, and shows it.
func read(source string) error {
	blocks := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithHeadingAttribute())
	bounds.Blocks(blocks, []byte(source))
	md := markdown(bounds.Inline())
	doc, err := bounds.Markdown(md.Parser(), []byte(source), nil)
	if doc == nil {
		return err
	}
	return md.Renderer().Render(io.Discard, []byte(source), doc)
}

func readYAML(source string) error {
	var v map[string]any
	return bounds.YAML([]byte(source), &v)
}

func readHTML(source string) error {
	_, err := bounds.HTML(source)
	return err
}

func readXML(source string) error {
	for _, d := range []*bounds.XMLDecoder{bounds.XML(source), bounds.LooseXML(source)} {
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
		}
	}
	var v struct {
		Inner []struct{} `xml:"b"`
	}
	return bounds.XML(source).Decode(&v)
}

func readJSON(source string) error {
	var v any
	return bounds.JSON([]byte(source), &v)
}

func TestTwiceTheTextIsTwiceTheWork(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	for name, test := range map[string]struct {
		bombs []agenttest.Bomb
		read  func(string) error
	}{"Markdown": {agenttest.MarkdownBombs(), read}, "YAML": {agenttest.YAMLBombs(), readYAML},
		"HTML": {agenttest.HTMLBombs(), readHTML},
		"XML":  {agenttest.XMLBombs(), readXML}, "JSON": {agenttest.JSONBombs(), readJSON}} {
		for _, bomb := range test.bombs {
			t.Run(name+"/"+bomb.Name, func(t *testing.T) {
				agenttest.RequireLinear(t, 64<<10, bomb, func(source string) { _ = test.read(source) })
			})
		}
	}
}

// Without the budget the same texts cost the square of their length: the control of the test above.
func TestTheParsersThemselvesKnowNoBound(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	parse := func(s string) { markdown().Parser().Parse(text.NewReader([]byte(s))) }
	assertGrows(t, 16<<10, agenttest.Repeated("![a]("), parse)
	assertGrows(t, 8<<10, agenttest.Repeated("> "), parse)
	page := func(s string) { _, _ = html.Parse(strings.NewReader(s)) }
	assertGrows(t, 8<<10, agenttest.HTMLBombs()[0], page)
	front := func(s string) { _ = yaml.Unmarshal([]byte(s), new(any)) }
	assertGrows(t, 4<<10, agenttest.Repeated("["), front)
}

// assertGrows measures until work grows with the square of a text, which a busy machine hides at times.
func assertGrows(t *testing.T, size int, bomb agenttest.Bomb, work func(string)) {
	t.Helper()
	grows := func(int) bool { return agenttest.Growth(size, bomb, work) > agenttest.MostGrowth }
	assert.True(t, slices.ContainsFunc(make([]int, 5), grows), bomb.Name)
}

// What is wrong with a text is said in a line, of whatever length its own are.
func TestAnErrorOfYAMLIsSaidAtOnce(t *testing.T) {
	for _, sign := range []string{"]", "}", "*", "\"", "`", "@", "%", "a: b: "} {
		for _, before := range []string{"", "any: ", "a: b\nc: "} {
			bomb := agenttest.Bomb{Name: before + sign,
				Make: func(size int) string { return before + strings.Repeat(sign, size/len(sign)) }}
			said := 0
			agenttest.RequireLinear(t, 30<<10, bomb, func(source string) {
				if err := readYAML(source); err != nil {
					said = len(err.Error())
				}
			})
			assert.Less(t, said, 200)
		}
	}
	err := readYAML("a: b\nc: ]\n")
	require.EqualError(t, err, "line 2: could not find '[' character corresponding to ']'")
	_, whole := errors.AsType[yaml.Error](err)
	assert.True(t, whole, "its token is there for whoever asks")
	control := func(s string) { _ = yaml.Unmarshal([]byte(s), new(any)).Error() }
	assertGrows(t, 16<<10, agenttest.Repeated("]"), control)
}

func FuzzMarkdown(f *testing.F) {
	for _, bomb := range agenttest.MarkdownBombs() {
		f.Add(bomb.Make(64))
	}
	fuzzGrowth(f, func(s string) { _ = read(s) })
}

func FuzzYAML(f *testing.F) {
	for _, bomb := range agenttest.YAMLBombs() {
		f.Add(bomb.Make(64))
	}
	fuzzGrowth(f, func(s string) { _ = readYAML(s) })
}

func FuzzHTML(f *testing.F) {
	for _, bomb := range agenttest.HTMLBombs() {
		f.Add(bomb.Make(64))
	}
	fuzzGrowth(f, func(s string) { _ = readHTML(s) })
}

func FuzzXML(f *testing.F) {
	for _, bomb := range agenttest.XMLBombs() {
		f.Add(bomb.Make(64))
	}
	fuzzGrowth(f, func(s string) { _ = readXML(s) })
}

func FuzzJSON(f *testing.F) {
	for _, bomb := range agenttest.JSONBombs() {
		f.Add(bomb.Make(64))
	}
	fuzzGrowth(f, func(s string) { _ = readJSON(s) })
}

// fuzzGrowth writes a text again and again, which is where the time of a parser grows.
func fuzzGrowth(f *testing.F, read func(string)) {
	f.Fuzz(func(t *testing.T, unit string) {
		if unit != "" && len(unit) <= 256 {
			agenttest.RequireLinear(t, 32<<10, agenttest.Repeated(unit), read)
		}
	})
}

func TestWhatIsTooMuchIsNamed(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"size": {strings.Repeat("Words. ", 400_000), "it is larger than 2 MiB"},
		"depth": {"# Title\n\n" + strings.Repeat("> ", 101) + "a\n",
			"line 3: lists and quotes stand in one another more than 100 deep"},
		"blank lines": {strings.Repeat("- ", 90) + "a\n" + strings.Repeat("\n", 10_000),
			"its lists and quotes are too long and too deep"},
		"cells": {strings.Repeat("a|", 1000) + "\n" + strings.Repeat("-|", 1000) + "\n" +
			strings.Repeat("a\n", 1000), "its tables have more than 500000 cells"},
		"bars":        {strings.Repeat(`\|`, 10_001), "line 1: more than 10000 bars behind a backslash"},
		"attributes":  {"# a " + strings.Repeat("{a=", 5000), "line 1: too many braces in headings"},
		"definitions": {strings.Repeat("[a]: b\n", 60_000), "too many definitions of links in one paragraph"},
		"links": {"# Title\n\n" + strings.Repeat("![a](", 20_000),
			"line 3: too many links or marks of emphasis in one paragraph"},
		"brackets": {"# Title\n\n" + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000),
			"line 3: too many links or marks of emphasis in one paragraph"},
		"repetition": {"[a]: " + strings.Repeat("b", 100_000) + "\n\n" + strings.Repeat("[a]\n\n", 1000),
			"its links repeat addresses of more than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := bounds.Markdown(markdown(bounds.Inline()).Parser(), []byte(c.text), nil)
			require.ErrorContains(t, err, c.want)
			assert.True(t, bounds.Over(err))
		})
	}
}

// XML and JSON over the budget are refused by name. The control is the standard library, which takes all of
// it.
func TestWhatIsTooMuchOfDataIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		xml        bool
		text, want string
	}{
		"XML/size": {true, "<a>" + strings.Repeat("word ", 4<<20) + "</a>", "it is larger than 16 MiB"},
		"XML/tag": {true, "<a>\n<b " + strings.Repeat("c='d' ", 50_000) + "/></a>",
			"line 2: a tag is longer than 256 KiB"},
		"XML/depth": {true, "\n" + strings.Repeat("<a>", 201) + strings.Repeat("</a>", 201),
			"line 2: elements stand in one another more than 200 deep"},
		"JSON/size": {false, `"` + strings.Repeat("word ", 2<<20) + `"`, "it is larger than 8 MiB"},
		"JSON/depth": {false, "\n" + strings.Repeat("[", 101) + strings.Repeat("]", 101),
			"line 2: arrays and objects stand in one another more than 100 deep"},
		"JSON/objects": {false, "[" + strings.Repeat(`{"":{}},`, 150_000) + "1]",
			"line 1: more than 500000 values"},
	} {
		t.Run(name, func(t *testing.T) {
			read, control := readJSON, func(s string) error { return json.Unmarshal([]byte(s), new(any)) }
			if c.xml {
				read, control = readXML, func(s string) error {
					return xml.Unmarshal([]byte(s), new(struct{}))
				}
			}
			err := read(c.text)
			require.EqualError(t, err, c.want)
			assert.True(t, bounds.Over(err))
			assert.NoError(t, control(c.text))
		})
	}
}

// A long text is read value by value: what is passed over costs nothing, and what is over the budget costs no
// more than itself.
func TestAStreamIsReadValueByValue(t *testing.T) {
	heavy := "[" + strings.Repeat(`1,`, 600_000) + "1]"
	d := bounds.JSONStream([]byte(`{"a":` + heavy + `,"b":` + heavy + `,"c":"kept"}`))
	var read []any
	for i := 0; d.More(); i++ {
		token, err := d.Token()
		require.NoError(t, err)
		switch token {
		case "a":
			require.NoError(t, d.Skip())
		case "b":
			assert.True(t, bounds.Over(d.Decode(new([]int))))
		case "c":
			var text string
			require.NoError(t, d.Decode(&text))
			read = append(read, text)
		}
	}
	assert.Equal(t, []any{"kept"}, read)
}

// What people write is far from every bound.
func TestWhatPeopleWriteIsRead(t *testing.T) {
	for name, source := range map[string]string{
		"rules and underlines": "Title\n" + strings.Repeat("=", 300) + "\n\n" + strings.Repeat("-", 300) +
			"\n\n" + strings.Repeat("* ", 40) + "\n",
		"wide dashes":  "a | b\n" + strings.Repeat("-", 300) + "|" + strings.Repeat("-", 300) + "\nc | d\n",
		"numbers":      strings.Repeat("3.14159265358979 is not 2.71828\n", 1000),
		"data in code": "```json\n" + strings.Repeat(`{"a": [1, {"b": 2}]}, `, 10_000) + "\n```\n",
		"many links": strings.Repeat("See [a page](https://a.example/1) and **that** one [s1]. ",
			300) + "\n",
		"references": strings.Repeat("[1]: https://a.example/a/long/address \"and a title\"\n", 2000),
	} {
		t.Run(name, func(t *testing.T) { require.NoError(t, read(source)) })
	}
	require.NoError(t, readJSON(`{"type": "Point", "at": [`+strings.Repeat(`[6.12345, 53.98765], `, 100_000)+
		`"a, b: [c] {d} \" ["]}`))
	require.NoError(t, readXML("<?xml version='1.0' encoding='GB2312'?><a>"+
		strings.Repeat("<b><c d='e &gt; f'>g</c><!-- <<< --></b>", 10_000)+"</a>"))
	require.NoError(t, readYAML("title: \"A [long] title: with - all & * kinds ? of ! marks\"\nalso:\n"+
		strings.Repeat("- \"https://b.test/?a[0]=1&b=*\"\n", 1500)))
}

// A text over the budget is read flat: its headings and their ids are found, at their places.
func TestAFlatTextKeepsItsHeadings(t *testing.T) {
	source := "# One {#one}\n\n" + strings.Repeat("> ", 200) + "deep\n\n- a 3.14\n\n## Two {#two}\n"
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithHeadingAttribute())
	doc, flat := bounds.Blocks(p, []byte(source))
	require.Len(t, flat, len(source))
	first, last := doc.FirstChild(), doc.LastChild()
	for _, heading := range []ast.Node{first, last} {
		require.Equal(t, ast.KindHeading, heading.Kind())
		_, found := heading.AttributeString("id")
		assert.True(t, found)
	}
	assert.Contains(t, string(flat), ", a 3.14\n\n## Two {#two}\n")
}

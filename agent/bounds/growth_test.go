package bounds_test

import (
	"errors"
	"io"
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
	return goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(append(options, parser.WithHeadingAttribute())...))
}

// read parses a text in both ways, and shows it.
func read(source string) error {
	blocks := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...), parser.WithHeadingAttribute())
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

func TestTwiceTheTextIsTwiceTheWork(t *testing.T) {
	for name, test := range map[string]struct {
		bombs []agenttest.Bomb
		read  func(string) error
	}{"Markdown": {agenttest.MarkdownBombs(), read}, "YAML": {agenttest.YAMLBombs(), readYAML}, "HTML": {agenttest.HTMLBombs(), readHTML}} {
		for _, bomb := range test.bombs {
			t.Run(name+"/"+bomb.Name, func(t *testing.T) {
				agenttest.RequireLinear(t, 64<<10, bomb, func(source string) { _ = test.read(source) })
			})
		}
	}
}

// Without the budget the same texts cost the square of their length: the control of the test above.
func TestTheParsersThemselvesKnowNoBound(t *testing.T) {
	parse := func(s string) { markdown().Parser().Parse(text.NewReader([]byte(s))) }
	assert.Greater(t, agenttest.Growth(16<<10, agenttest.Repeated("![a]("), parse), 2.5)
	assert.Greater(t, agenttest.Growth(8<<10, agenttest.Repeated("> "), parse), 2.5)
	page := func(s string) { _, _ = html.Parse(strings.NewReader(s)) }
	assert.Greater(t, agenttest.Growth(8<<10, agenttest.HTMLBombs()[0], page), 2.5)
	front := func(s string) { _ = yaml.Unmarshal([]byte(s), new(any)) }
	assert.Greater(t, agenttest.Growth(2<<10, agenttest.Repeated("["), front), 2.5)
}

// What is wrong with a text is said in a line, of whatever length its own are.
func TestAnErrorOfYAMLIsSaidAtOnce(t *testing.T) {
	for _, sign := range []string{"]", "}", "*", "\"", "`", "@", "%", "a: b: "} {
		for _, before := range []string{"", "any: ", "a: b\nc: "} {
			bomb := agenttest.Bomb{Name: before + sign, Make: func(size int) string { return before + strings.Repeat(sign, size/len(sign)) }}
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
	assert.Greater(t, agenttest.Growth(12<<10, agenttest.Repeated("]"), control), 2.5)
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
		"size":        {strings.Repeat("Words. ", 400_000), "it is larger than 2 MiB"},
		"depth":       {"# Title\n\n" + strings.Repeat("> ", 101) + "a\n", "line 3: lists and quotes stand in one another more than 100 deep"},
		"blank lines": {strings.Repeat("- ", 90) + "a\n" + strings.Repeat("\n", 10_000), "its lists and quotes are too long and too deep"},
		"cells":       {strings.Repeat("a|", 1000) + "\n" + strings.Repeat("-|", 1000) + "\n" + strings.Repeat("a\n", 1000), "its tables have more than 500000 cells"},
		"bars":        {strings.Repeat(`\|`, 10_001), "line 1: more than 10000 bars behind a backslash"},
		"attributes":  {"# a " + strings.Repeat("{a=", 5000), "line 1: too many braces in headings"},
		"definitions": {strings.Repeat("[a]: b\n", 60_000), "too many definitions of links in one paragraph"},
		"links":       {"# Title\n\n" + strings.Repeat("![a](", 20_000), "line 3: too many links or marks of emphasis in one paragraph"},
		"repetition":  {"[a]: " + strings.Repeat("b", 100_000) + "\n\n" + strings.Repeat("[a]\n\n", 1000), "its links repeat addresses of more than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := bounds.Markdown(markdown(bounds.Inline()).Parser(), []byte(c.text), nil)
			require.ErrorContains(t, err, c.want)
			assert.True(t, bounds.Over(err))
		})
	}
}

// What people write is far from every bound.
func TestWhatPeopleWriteIsRead(t *testing.T) {
	for name, source := range map[string]string{
		"rules and underlines": "Title\n" + strings.Repeat("=", 300) + "\n\n" + strings.Repeat("-", 300) + "\n\n" + strings.Repeat("* ", 40) + "\n",
		"wide dashes":          "a | b\n" + strings.Repeat("-", 300) + "|" + strings.Repeat("-", 300) + "\nc | d\n",
		"numbers":              strings.Repeat("3.14159265358979 is not 2.71828\n", 1000),
		"data in code":         "```json\n" + strings.Repeat(`{"a": [1, {"b": 2}]}, `, 10_000) + "\n```\n",
		"many links":           strings.Repeat("See [a page](https://a.example/1) and **that** one [s1]. ", 300) + "\n",
		"references":           strings.Repeat("[1]: https://a.example/a/long/address \"and a title\"\n", 2000),
	} {
		t.Run(name, func(t *testing.T) { require.NoError(t, read(source)) })
	}
	require.NoError(t, readYAML("title: \"A [long] title: with - all & * kinds ? of ! marks\"\nalso:\n"+strings.Repeat("- \"https://b.test/?a[0]=1&b=*\"\n", 1500)))
}

// A text over the budget is read flat: its headings and their ids are found, at their places.
func TestAFlatTextKeepsItsHeadings(t *testing.T) {
	source := "# One {#one}\n\n" + strings.Repeat("> ", 200) + "deep\n\n- a 3.14\n\n## Two {#two}\n"
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...), parser.WithHeadingAttribute())
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

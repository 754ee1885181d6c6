package agenttest

import (
	"fmt"
	"strings"
)

// Bomb is a hostile text of any size: small for a person, but long work for an unbounded parser.
type Bomb struct {
	Name string
	Make func(size int) string
}

// Repeated returns a bomb that repeats one text.
func Repeated(unit string) Bomb {
	return Bomb{fmt.Sprintf("%q", unit),
		func(size int) string { return strings.Repeat(unit, max(1, size/len(unit))) }}
}

// counting returns a bomb whose parts differ.
func counting(name string, part func(i int) string) Bomb {
	return Bomb{name, func(size int) string {
		var out strings.Builder
		for i := 0; out.Len() < size; i++ {
			out.WriteString(part(i))
		}
		return out.String()
	}}
}

// halves returns a bomb of two repeated texts.
func halves(first, second string) Bomb {
	return Bomb{fmt.Sprintf("%q, then %q", first, second), func(size int) string {
		return strings.Repeat(first, size/2/len(first)) + strings.Repeat(second, size/2/len(second))
	}}
}

// MarkdownBombs returns texts that are long work for a Markdown parser, or for readers of citations, quotes
// and figures.
func MarkdownBombs() []Bomb {
	bombs := []Bomb{
		halves("[", "]"), halves("![", "](a)"), halves("[\n", "]\n"), halves(" _b", "c* "),
		halves(" ~b", "c* "), halves("**a ", "b**"),
		halves("“", "”"), halves("(", ")"), halves("[s1](", ")"),
		counting("backticks", func(i int) string { return strings.Repeat("`", i+1) + "a " }),
		counting("stairs", func(i int) string { return strings.Repeat("  ", i) + "- a [s1]\n" }),
		counting("quotes", func(i int) string { return strings.Repeat(">", i) + " a\n" }),
		counting("definitions", func(i int) string { return fmt.Sprintf("[a%d]: b\n", i) }),
		counting("footnotes", func(i int) string { return fmt.Sprintf("x[^%d]\n\n[^%d]: x\n\n", i, i) }),
		counting("headings", func(i int) string {
			return fmt.Sprintf("## Part %d {#p%d}\n\n“six words stand in this quote” [s1]\n\n", i%7, i)
		}),
		{"a list in a list", func(size int) string { return strings.Repeat("- ", size/2) + "a [s1]" }},
		{"a deep list and empty lines",
			func(size int) string { return strings.Repeat("- ", 90) + "a\n" + strings.Repeat("\n", size) }},
		{"a wide table of short rows", func(size int) string {
			return strings.Repeat("a|", size/6) + "\n" + strings.Repeat("-|", size/6) + "\n" +
				strings.Repeat("a\n", size/6)
		}},
		{"bars in code in a table", func(size int) string {
			return "a|b\n-|-\n" + strings.Repeat("`\\|` ", size/5)
		}},
		{"a long definition used again and again", func(size int) string {
			return "[a]: " + strings.Repeat("b", size/2) + "\n\n" + strings.Repeat("[a] ", size/8)
		}},
		{"attributes in one another", func(size int) string {
			return "# a " + strings.Repeat("{a=", size/3) + "}"
		}},
		{"a title never closed", func(size int) string { return strings.Repeat("[a]: b \"\n", size/9) }},
		{"one line", func(size int) string { return strings.Repeat("a", size) }},
		{"marks on one letter", func(size int) string { return "a" + strings.Repeat("\u0301", size/2) }},
	}
	for _, unit := range []string{
		"![a](", "[a](<b", "[a](b \"", "[", "]", "[a]", "[a][b]", "[](\n", "[s1", "[s1]",
		"[a](b) [s1.1] “six words are here in this” ", "[s1, ", "【s1】", "[^", "[^1] ", "*", "*a _b ",
		"a**b", "~~a ~b ", "<", "<a b=\"",
		"<!-- ", "<script>\n", "&amp;", "&#", "\\", "`a ``b ", "# a\n", "a\n=\n", "- a\n", "1. a\n",
		"> ", "> “a b c d e f”\n\n", "|a|b|\n|-|-|\n|c|d|\n\n", "```\n", "    a\n\n",
		"http://a.b/(", "a@b.c ", "“a ", "\"one two three\" ", "「", "one hundred and ", "百", "1,",
		"$1", "1/1/", "January 1, ", "a. ", "a…", "\x00", "\u200b", "\t", "中。",
	} {
		bombs = append(bombs, Repeated(unit))
	}
	return bombs
}

// YAMLBombs returns texts that are long work for a YAML parser, or expand without end.
func YAMLBombs() []Bomb {
	bombs := []Bomb{
		counting("keys", func(i int) string { return fmt.Sprintf("k%d: v\n", i) }),
		counting("anchors", func(i int) string { return fmt.Sprintf("k%d: &a%d v\n", i, i) }),
		counting("a key in a key", func(i int) string { return strings.Repeat(" ", i) + "a:\n" }),
		{"aliases of aliases", func(size int) string {
			out := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
			for i := 1; len(out) < min(size, 1000); i++ {
				out += fmt.Sprintf("a%d: &a%d [", i, i) +
					strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10) + "]\n"
			}
			return out
		}},
		{"an alias used again and again",
			func(size int) string { return "a: &a [x]\nany: [" + strings.Repeat("*a, ", size/4) + "]\n" }},
	}
	for _, unit := range []string{"[", "any: [", "{a: ", "- ", "? ", "a: ", "&a ", "*a ", "!a ",
		"*", "&", ",", "<", "any: <", "---\n", "a: |\n", "%a\n", "\"", "'", "#", "\t", "\r"} {
		bombs = append(bombs, Repeated(unit))
	}
	return bombs
}

// HTMLBombs returns pages that are long work for an HTML parser.
func HTMLBombs() []Bomb {
	bombs := []Bomb{
		counting("attributes of the body", func(i int) string { return fmt.Sprintf("<body a%d=b>", i) }),
		counting("attributes of the page", func(i int) string { return fmt.Sprintf("<html a%d=b>", i) }),
		{"attributes of one tag", func(size int) string {
			return "<p " + strings.Repeat("a=b ", size/4) + ">"
		}},
	}
	for _, unit := range []string{"<b>", "<b><p>", "<a>", "<a><div>", "<div>", "<p>", "</p>", "<table>",
		"<table>a<b>", "<select><option>", "<template>", "<svg>", "<li>", "<nobr>", "<font><table>", "&amp;",
		"<!--", "<", "<h1>", "<ul><li>", "<blockquote>"} {
		bombs = append(bombs, Repeated(unit))
	}
	return bombs
}

// nested returns a bomb of a text within itself.
func nested(open, inside, end string) Bomb {
	return Bomb{"nested " + open, func(size int) string {
		n := max(1, size/(len(open)+len(end)))
		return strings.Repeat(open, n) + inside + strings.Repeat(end, n)
	}}
}

// between returns a bomb of a repeated text between two others.
func between(before, unit, after string) Bomb {
	return Bomb{"repeated " + unit,
		func(size int) string { return before + strings.Repeat(unit, max(1, size/len(unit))) + after }}
}

// JSONBombs returns JSON texts that nest, repeat or declare as much as their size allows.
func JSONBombs() []Bomb {
	return []Bomb{
		nested("[", "1", "]"), nested(`{"a":`, "1", "}"), Repeated("["), Repeated(`{"":`),
		between("[", `"x",`, `"x"]`), between("[", "{},", "{}]"),
		between(`"`, `\u0041`, `"`), between("[", `{"":{}},`, "1]"),
		between(`{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[`,
			`{"id":"1","content_html":"<p>x"},`, `{"id":"2"}]}`),
		between(`{"nbformat":4,"cells":[`, `{"cell_type":"code","source":["a","b"],"outputs":[]},`,
			`{"cell_type":"code","source":""}]}`),
		between(`{"nbformat":4,"cells":[{"cell_type":"code","source":[`, `"",`, `""]}]}`),
	}
}

// XMLBombs returns XML texts of the same kind.
func XMLBombs() []Bomb {
	return []Bomb{
		nested("<a>", "x", "</a>"), Repeated("<a>"), between("<a>", "<b c='d'/>", "</a>"),
		between("<a ", "b='c' ", "/>"), between("<a>", "&amp;", "</a>"),
		between("<a>", "<!-- x -->", "</a>"), between("<a>", "<![CDATA[x]]>", "</a>"),
		between("", "<!DOCTYPE a [", ""), between("<a>", "</b>", ""),
		between("<!DOCTYPE a [<!ENTITY b 'c'>", "<!ENTITY b '&b;&b;'>", "]><a>&b;</a>"),
		between("<a>", "<b xmlns:c='d'>", ""), between("<a>", "<!--", ""),
		between(`<rss version="2.0"><channel><title>t</title>`,
			"<item><title>a</title><description>&lt;p&gt;b</description></item>", "</channel></rss>"),
		between(`<urlset>`, "<url><loc>https://a.test/</loc></url>", "</urlset>"),
	}
}

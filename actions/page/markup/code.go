package markup

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/clutter"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pre writes a block of code or other preformatted text.
func (w *Writer) pre(n *html.Node) {
	if w.inline > 0 {
		w.Block(1)
		for line := range strings.Lines(codeText(n)) { // a table cell cannot contain a fence
			w.code(line)
			w.Block(1)
		}
		return
	}
	w.fence(languageOfCode(n), codeText(n))
}

// fence writes a code block, with a fence longer than any run of backticks inside.
func (w *Writer) fence(language, code string) {
	code = strings.Trim(lineEnds.ReplaceAllString(plain.WithoutBlobs(plain.Text(code)), ""), "\n")
	if code == "" {
		return
	}
	mark := strings.Repeat("`", max(3, longestTicks(code)+1))
	w.Block(2)
	w.Put(mark + language)
	for line := range strings.SplitSeq(code+"\n"+mark, "\n") {
		if w.owed++; line != "" { // an empty line is written with the next, without trailing blanks
			w.Put(line)
		}
	}
	w.Block(2)
}

// codeSpan writes code within a line.
func (w *Writer) codeSpan(n *html.Node) {
	text := codeText(n)
	hasBreak := slices.ContainsFunc(slices.Collect(n.ChildNodes()),
		func(c *html.Node) bool { return c.DataAtom == atom.Br })
	if w.inline == 0 && hasBreak && strings.Contains(strings.TrimSpace(text), "\n") {
		w.fence("", text) // lines broken by <br>
		return
	}
	w.code(text)
}

func (w *Writer) code(text string) {
	words := plain.WithoutBlobs(plain.Line(text))
	if text != "" && isSpace(text[0]) || words == "" {
		w.gap()
	}
	if words == "" {
		return
	}
	longest := longestTicks(words)
	if longest == 0 && w.span == len(w.buf) && w.span > 0 && w.owed == 0 && !w.blank && !w.Full {
		w.buf = append(w.buf[:len(w.buf)-1], words+"`"...) // two touching spans would not be read as two
		w.span = len(w.buf)
		return
	}
	if mark := strings.Repeat("`", longest+1); longest == 0 {
		w.Put(mark + words + mark)
		w.span = len(w.buf)
	} else {
		w.Put(mark + " " + words + " " + mark)
	}
	if isSpace(text[len(text)-1]) {
		w.gap()
	}
}

// codeText returns the exact text inside n, without line numbers and permalinks.
func codeText(n *html.Node) string {
	var b strings.Builder
	endsLine := true
	write := func(text string) {
		b.WriteString(text)
		endsLine = strings.HasSuffix(text, "\n") || text == "" && endsLine
	}
	var gather func(n *html.Node, depth int)
	gather = func(n *html.Node, depth int) {
		for c := range n.ChildNodes() {
			switch {
			case c.Type == html.TextNode:
				write(c.Data)
			case c.Type != html.ElementNode || depth > maxDepth || clutter.IsGutter(c) || clutter.Skipped(c):
			case c.DataAtom == atom.A && isPermalink(c, tree.Attr(c, "href")):
			case c.DataAtom == atom.Br:
				write("\n")
			default:
				gather(c, depth+1)
				if tree.IsBlock(c.DataAtom) && c.DataAtom != atom.Td && !endsLine {
					write("\n")
				}
			}
		}
	}
	gather(n, 0)
	return b.String()
}

var (
	codeClass = regexp.MustCompile(`(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-)?|brush:\s)([^\s;]+)`)
	codeName  = regexp.MustCompile(`^[a-z0-9+#_.-]+$`)
)

// languageOfCode derives the language from classes such as language-go or "brush: go" on or around code.
func languageOfCode(n *html.Node) string {
	near := []*html.Node{n, n.FirstChild, n.Parent}
	if n.Parent != nil {
		near = append(near, n.Parent.Parent)
	}
	for _, m := range near {
		if found := codeClass.FindStringSubmatch(tree.Attr(m, "class")); found != nil {
			return languageName(strings.ToLower(found[1]))
		}
	}
	return ""
}

func languageName(name string) string {
	switch name {
	case "default", "text", "none", "plain", "plaintext", "notranslate", "txt", "source":
		return ""
	case "python3", "ipython3":
		return "python"
	}
	return codeName.FindString(name)
}

var ticks = regexp.MustCompile("`+")

// longestTicks returns the length of the longest run of backticks.
func longestTicks(s string) (longest int) {
	for _, run := range ticks.FindAllString(s, -1) {
		longest = max(longest, len(run))
	}
	return longest
}

var lineEnds = regexp.MustCompile(`(?m)[ \t]+$`)

// Fenced returns a code block whose fence is longer than any inside it.
func Fenced(language, code string) string {
	w := NewWriter()
	w.fence(language, code)
	return w.Finish()
}

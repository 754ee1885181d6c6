package markup

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pre is a block of code or anything else whose lines count.
func (w *Writer) pre(n *html.Node) {
	if w.inline > 0 {
		w.Block(1)
		for line := range strings.Lines(codeText(n)) { // a cell holds no fence
			w.code(line)
			w.Block(1)
		}
		return
	}
	w.fence(languageOfCode(n), codeText(n))
}

// fence writes a code block. Its fence is longer than any run of backticks inside.
func (w *Writer) fence(language, code string) {
	code = strings.Trim(trimLines(withoutBlobs(CleanText(code))), "\n")
	if code == "" {
		return
	}
	mark := strings.Repeat("`", max(3, longestRun(code, '`')+1))
	w.Block(2)
	w.Put(mark + language)
	for line := range strings.SplitSeq(code, "\n") {
		w.codeLine(line)
	}
	w.codeLine(mark)
	w.Block(2)
}

func (w *Writer) codeLine(line string) {
	if line == "" {
		w.owed++ // paid before the next line, so that an empty line of code ends in no blank
		return
	}
	w.owed++
	w.Put(line)
}

// codeSpan is code within a line.
func (w *Writer) codeSpan(n *html.Node) {
	text := codeText(n)
	if w.inline == 0 && firstBreak(n) && strings.Contains(strings.TrimSpace(text), "\n") {
		w.fence("", text) // lines set with <br>
		return
	}
	w.code(text)
}

func (w *Writer) code(text string) {
	words := withoutBlobs(CleanLine(text))
	if text != "" && isSpace(text[0]) || words == "" {
		w.gap()
	}
	if words == "" {
		return
	}
	ticks := longestRun(words, '`')
	if ticks == 0 && w.span == len(w.buf) && w.span > 0 && w.owed == 0 && !w.blank && !w.Full {
		w.buf = append(w.buf[:len(w.buf)-1], words+"`"...) // two spans that touch would not be read as two
		w.span = len(w.buf)
		return
	}
	if mark := strings.Repeat("`", ticks+1); ticks == 0 {
		w.Put(mark + words + mark)
		w.span = len(w.buf)
	} else {
		w.Put(mark + " " + words + " " + mark)
	}
	if isSpace(text[len(text)-1]) {
		w.gap()
	}
}

// codeText is the text inside n to the letter, without line numbers and permalinks.
func codeText(n *html.Node) string {
	var b strings.Builder
	gatherCode(&b, n, 0)
	return b.String()
}

func gatherCode(b *strings.Builder, n *html.Node, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode || depth > maxDepth || isGutter(c) || Skipped(c):
		case c.DataAtom == atom.A && isPermalink(c, Attr(c, "href")):
		case c.DataAtom == atom.Br:
			b.WriteByte('\n')
		default:
			gatherCode(b, c, depth+1)
			if IsBlock(c.DataAtom) && c.DataAtom != atom.Td && b.Len() > 0 &&
				!strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		}
	}
}

// isGutter is true for the line numbers that highlighters put beside code.
func isGutter(n *html.Node) bool { return isNamed("line numbers", strings.Fields(Attr(n, "class"))...) }

func firstBreak(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Br {
			return true
		}
	}
	return false
}

// languageOfCode reads the language off the classes in use: language-go, lang-go, highlight-go, "brush: go",
// on the block, on the code element in it, or on the two elements around it.
func languageOfCode(n *html.Node) string {
	near := [...]*html.Node{n, n.FirstChild, n.Parent, nil}
	if n.Parent != nil {
		near[3] = n.Parent.Parent
	}
	for _, m := range near {
		if m == nil || m.Type != html.ElementNode {
			continue
		}
		brush := false
		for class := range strings.FieldsSeq(Attr(m, "class")) {
			if brush {
				return languageName(strings.TrimRight(class, ";"))
			}
			brush = class == "brush:"
			for _, key := range [...]string{"language-", "lang-", "highlight-source-", "highlight-"} {
				if name, found := strings.CutPrefix(class, key); found && name != "" {
					return languageName(name)
				}
			}
		}
	}
	return ""
}

func languageName(name string) string {
	name = strings.ToLower(name)
	for i := range len(name) {
		if c := name[i]; !isLetter(c) && (c < '0' || c > '9') && !strings.ContainsRune("+#-_.", rune(c)) {
			return ""
		}
	}
	switch name {
	case "default", "text", "none", "plain", "plaintext", "notranslate", "txt", "source":
		return ""
	case "python3", "ipython3":
		return "python"
	case "pycon3":
		return "pycon"
	}
	return name
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Join(lines, "\n")
}

// Fenced is a code block whose fence is longer than any inside it.
func Fenced(language, code string) string {
	w := NewWriter(nil)
	w.fence(language, code)
	return w.Finish()
}

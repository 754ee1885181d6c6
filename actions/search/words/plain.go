package words

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
)

var (
	link     = regexp.MustCompile(`!?\[((?:[^\[\]\\\n]|\\.|\[[^\[\]\n]*\])*)\]\((?:[^()\n]|\([^()\n]*\))*\)`)
	emphasis = regexp.MustCompile(`\*([^\s*()][^*\n]*)\*`)
	marks    = strings.NewReplacer(`\|`, "|", "|", " ", "**", "", "~~", "", "`", "")
)

// Plain takes the marks of Markdown out of text and leaves its words. The targets of links go: a page is not
// about every page that it points to. So do fences, the marks of pages, and the rule under a table's head.
func Plain(markdown string) string {
	if !strings.ContainsAny(markdown, "`*[>\\|#~-<") {
		return markdown
	}
	var b strings.Builder
	b.Grow(len(markdown))
	for line := range strings.Lines(markdown) {
		line = strings.TrimLeft(line, " \t>#")
		isFence, isPage := strings.HasPrefix(line, "```"), strings.HasPrefix(line, "<!-- page ")
		if isFence || isPage || strings.Trim(line, "-|:= \r\n") == "" {
			b.WriteByte('\n')
			continue
		}
		if strings.Contains(line, "](") { // a picture may be the text of a link
			line = link.ReplaceAllString(link.ReplaceAllString(line, "$1"), "$1")
		}
		line = marks.Replace(line)
		if strings.Contains(line, "*") {
			line = emphasis.ReplaceAllString(line, "$1")
		}
		if strings.Contains(line, `\`) {
			line = prose.Unescaped(line)
		}
		b.WriteString(line)
	}
	return b.String()
}

// Capped is text of at most most characters. It is cut at a space if one is near, and the cut is shown.
func Capped(text string, most int) string {
	runes := 0
	for i := range text {
		if runes++; runes <= most {
			continue
		}
		cut := []rune(text[:i])[:most-1]
		for n := len(cut); n > most*4/5; n-- {
			if cut[n-1] == ' ' {
				cut = cut[:n-1]
				break
			}
		}
		return strings.TrimRightFunc(string(cut), unicode.IsSpace) + "…"
	}
	return text
}

// Spoken is the words of an excerpt, whatever dots and signs are around them.
func Spoken(text string) string {
	var b strings.Builder
	for _, w := range Split(text) {
		b.WriteString(w.Text)
		b.WriteByte(' ')
	}
	return b.String()
}

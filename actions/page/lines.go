package page

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/agent/prose"
)

var (
	// entry begins a line that stands for itself: an article of a contract, a line of a chat or of a minute.
	entry = regexp.MustCompile(`^\s*(?:第[一二三四五六七八九十百零〇\d]+[条章节款]|[一二三四五六七八九十]+、|` +
		`\[?\d{4}[-/.年]\d\d?[-/.月]\d|\d\d?月\d\d?日|\[?\d\d?[:：]\d\d)`)
	// apart is a line that is no part of a paragraph.
	apart = regexp.MustCompile(`^\s*(?:[-*+•>|#+]|\d+[.)、]|[a-z] |` + "```)")
	quote = regexp.MustCompile(`(?m)^\s*[-*+>]`)
)

// wrapped is how wide a line is, at least, that ends only since the paper did.
const wrapped = 40

// chineseLines parts a Chinese paragraph of entries, and joins lines divided between two characters.
func chineseLines(text string) string {
	if !prose.HasHan(text) {
		return text
	}
	blocks := prose.Blocks(text)
	if strings.Join(blocks, "\n\n")+"\n" != text { // its fence is open
		return text
	}
	for i, block := range blocks {
		if prose.HasHan(block) && strings.Contains(block, "\n") && !strings.Contains(block, "```") &&
			!strings.Contains(block, "~~~") {
			blocks[i] = joinedLines(strings.Split(block, "\n"), !quote.MatchString(block))
		}
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// joinedLines are the lines of a paragraph, those that are entries with an empty line between them.
func joinedLines(lines []string, mayPart bool) string {
	var out strings.Builder
	first := slices.IndexFunc(lines, entry.MatchString)
	isList := mayPart && (first == 0 || first == 1) && slices.ContainsFunc(lines[first+1:], entry.MatchString)
	for i, line := range lines {
		switch {
		case i == 0:
		case isList && entry.MatchString(line):
			out.WriteString("\n\n")
		case goesOn(lines[i-1], line):
			line = strings.TrimLeft(line, " \t")
		default:
			out.WriteString("\n")
		}
		out.WriteString(line)
	}
	return out.String()
}

// goesOn reports whether a line was divided from the next between two characters of Chinese.
func goesOn(line, next string) bool {
	last, _ := utf8.DecodeLastRuneInString(line)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(next, " \t"))
	width, _ := plain.Width(strings.TrimSpace(line), false)
	return width >= wrapped && !apart.MatchString(next) && !strings.HasPrefix(strings.TrimSpace(line), "|") &&
		(unicode.Is(unicode.Han, last) || strings.ContainsRune("，、（“《", last)) &&
		(unicode.Is(unicode.Han, first) || strings.ContainsRune("，、；：。！？（）“”《》", first))
}

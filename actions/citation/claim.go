package citation

import (
	"regexp"
	"sort"
	"strings"
	"sync"
	"unicode"
)

var leadIn = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[\s(（\[.。—–-]*(?:see also|see|cf\.?|sources?|via|from|来源|资料来源|参见|参考|引自|出处|见|据)?[\s:：]*$`)
})

// isLeadIn says whether a text only leads to a citation: "(see", "Source:".
func isLeadIn(text string) bool { return len(text) < 60 && leadIn().MatchString(text) }

// claim is what the k-th citation of a passage stands for: the text since the end of the sentence before, or since the citation before.
func (x passage) claim(k int) claim {
	m := x.marks[k]
	from := x.rowIndex()
	if k > 0 {
		from = x.marks[k-1].end
	}
	closed := false // the sentence ended before its citation
	if x.kind != row {
		for _, e := range x.ends[sort.SearchInts(x.ends, from+1):] {
			if e > m.start {
				break
			}
			if isLeadIn(x.text[e:m.start]) {
				closed = true
			} else {
				from = e
			}
		}
	}
	c := claim{ids: m.ids}
	scope := span{from, m.start}
	x.fill(&c, scope, k)
	if len(c.quotes)+len(c.figures) == 0 && !closed {
		tail := span{m.end, x.tailEnd(k)}
		if hasWords(x.text[tail.start:tail.end]) {
			x.fill(&c, tail, k)
			c.sentence = shownSentence(x.text[scope.start:tail.end])
			return c
		}
	}
	c.sentence = shownSentence(x.text[scope.start:scope.end])
	return c
}

// tailEnd is where the sentence goes to behind a citation, which stands for all of it when nothing before can be checked: "According to
// [s3], …".
func (x passage) tailEnd(k int) int {
	end := len(x.text)
	if k+1 < len(x.marks) {
		return x.marks[k].end // what follows is the next citation's
	}
	if x.kind == row {
		return end
	}
	if i := sort.SearchInts(x.ends, x.marks[k].end+1); i < len(x.ends) {
		return x.ends[i]
	}
	return end
}

func shownSentence(text string) string {
	return strings.TrimLeft(strings.TrimSpace(strings.ReplaceAll(oneLine(strings.ReplaceAll(strings.Trim(text, "\t"), "\t", " | ")), "| |", "|")), " .,;:!?。，；：！？、|)）")
}

// fill reads the quotes and the figures of a stretch of the passage.
func (x passage) fill(c *claim, scope span, k int) {
	rest := []byte(x.text[scope.start:scope.end])
	blank := func(s span) {
		for i := max(s.start, scope.start); i < min(s.end, scope.end); i++ {
			rest[i-scope.start] = 0
		}
	}
	for _, q := range x.quotes[sort.Search(len(x.quotes), func(i int) bool { return x.quotes[i].outer.end > scope.start }):] {
		if q.outer.start >= scope.end {
			break
		}
		piece := span{max(q.inner.start, scope.start), min(q.inner.end, scope.end)}
		if piece.start >= piece.end {
			continue
		}
		pieces := []string{x.text[piece.start:piece.end]}
		if last := k+1 == len(x.marks) || x.marks[k+1].start >= q.inner.end; last && q.inner.end > x.marks[k].end && scope.end == x.marks[k].start {
			pieces = append(pieces, x.text[x.marks[k].end:q.inner.end]) // the citation stands inside the quote
		}
		for _, text := range pieces {
			if text = oneLine(text); weight(text) >= leastQuote || hasWords(text) && x.alone(scope, q) {
				c.quotes = append(c.quotes, text)
				blank(q.outer)
			}
		}
	}
	bits := x.plain.bits
	for _, b := range bits[sort.Search(len(bits), func(i int) bool { return bits[i].end > scope.start }):] {
		if b.start >= scope.end {
			break
		}
		if !isAmount(x.text[b.start:b.end]) {
			blank(b)
		}
	}
	c.figures = append(c.figures, figures(withoutNumbering(string(rest), x.kind == heading))...)
}

// alone says whether a stretch of text holds nothing but the quote.
func (x passage) alone(scope span, q quotation) bool {
	return !hasWords(x.text[scope.start:max(scope.start, min(q.outer.start, scope.end))]) && !hasWords(x.text[min(max(q.outer.end, scope.start), scope.end):scope.end])
}

// isAmount says whether a span of code is a number, such as 8192 or 16MB, rather than a name.
func isAmount(code string) bool {
	code = strings.TrimLeft(code, " v-+$")
	return code != "" && isDigit(rune(code[0])) && !strings.ContainsAny(code, "_/\\:=(){}<>")
}

// withoutNumbering takes the number off a heading, and off a paragraph that begins with one: "2.1 Results", "3、结果".
func withoutNumbering(text string, heading bool) string {
	trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
	number := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "0123456789."))]
	rest := trimmed[len(number):]
	digits := len(strings.ReplaceAll(number, ".", ""))
	switch {
	case number == "" || !isDigit(rune(number[0])):
		return text
	case strings.HasPrefix(rest, "、"), digits <= 2 && (strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, "）")),
		strings.HasSuffix(number, ".") && strings.HasPrefix(rest, " "),
		heading && strings.HasPrefix(rest, " ") && (digits <= 2 || strings.Contains(number, ".")):
		return rest
	}
	return text
}

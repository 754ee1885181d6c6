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

// claims gives what the citations of a passage stand for. What follows a mere lead, "According to [s1], …", up to the next citation of its
// sentence may be taken from either, so that the two are one claim.
func (x passage) claims() []claim {
	var all []claim
	var lead *claim
	for k, m := range x.marks {
		before, closed := x.before(k)
		c := claim{line: x.line(m.start), ids: m.ids, start: before.start, end: m.end}
		author := k == 0 && x.taken // of a block quote, whose citation this is
		if !author {
			x.fill(&c, before, true)
		}
		text := x.text[before.start:before.end]
		isLead := !closed && !author && !c.checkable() && weight(text) < leastQuote
		said, shown := len(c.quotes)+len(c.figures), m.start
		if end := x.tailEnd(k); !closed || x.goesOn(k) {
			x.fill(&c, span{m.end, end}, isLead)
			if c.end = end; len(c.quotes)+len(c.figures) > said || said == 0 && hasWords(x.text[m.end:end]) {
				shown = end
			}
		}
		if lead != nil {
			c.line, c.start, c.ids, lead = lead.line, lead.start, once(append(lead.ids, c.ids...)), nil
		}
		const most = 20 // sources that may share a sentence
		if isLead && len(c.ids) < most && x.shares(k) {
			lead = &c
			continue
		}
		c.sentence = shownSentence(x.text[c.start:shown])
		if !author || c.checkable() {
			all = append(all, c)
		}
	}
	return all
}

func (c claim) checkable() bool { return len(c.quotes)+len(c.figures) > 0 }

// before is the text since the end of the sentence before the k-th citation, or since the citation before. It is closed when its sentence
// ended before its citation.
func (x passage) before(k int) (before span, closed bool) {
	m := x.marks[k]
	from := x.rowIndex()
	if k > 0 {
		from = x.marks[k-1].end
	}
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
	return span{from, m.start}, closed
}

// shares says whether the next citation stands in the same sentence: what follows this one is that one's.
func (x passage) shares(k int) bool {
	if k+1 == len(x.marks) {
		return false
	}
	next, _ := x.before(k + 1)
	return next.start == x.marks[k].end
}

// tailEnd is where the k-th citation ends to stand for what follows it: with its sentence, or its row, when it is the last in it.
func (x passage) tailEnd(k int) int {
	behind := x.marks[k].end
	if x.shares(k) {
		return behind
	}
	if i := sort.SearchInts(x.ends, behind+1); i < len(x.ends) && x.kind != row {
		return x.ends[i]
	}
	return len(x.text)
}

// goesOn says whether a citation behind a sentence's end is a part of the sentence that follows, too: "[s1] says that …", "[s1]: “…”". In
// brackets of its own it is none.
func (x passage) goesOn(k int) bool {
	before, _ := x.before(k)
	text := x.text[before.start:before.end]
	if strings.ContainsAny(text[strings.LastIndexAny(text, ".!?。！？")+1:], "(（") {
		return false
	}
	rest := strings.TrimLeftFunc(x.text[x.marks[k].end:], unicode.IsSpace)
	next := firstRune(rest)
	if unicode.IsLower(next) || strings.ContainsRune(",:，：、“\"「『«„", next) && rest != "" {
		return true
	}
	for _, verb := range [...]string{"指出", "认为", "称", "说", "显示", "表明", "提到", "写", "记载", "记录", "报道", "发现", "证实", "估计", "给出", "的", "中", "则"} {
		if strings.HasPrefix(rest, verb) {
			return true
		}
	}
	return false
}

func shownSentence(text string) string {
	return strings.TrimLeft(strings.TrimSpace(strings.ReplaceAll(oneLine(strings.ReplaceAll(strings.Trim(text, "\t"), "\t", " | ")), "| |", "|")), " .,;:!?。，；：！？、|)）")
}

// fill reads the quotes and the figures of a stretch of the passage. A few words in quotation marks are a quote where they may be, and are
// all that is said.
func (x passage) fill(c *claim, scope span, few bool) {
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
		piece := span{max(q.inner.start, scope.start), min(q.inner.end, scope.end)} // a citation may stand inside the quote
		if piece.start >= piece.end {
			continue
		}
		if text := oneLine(x.text[piece.start:piece.end]); weight(text) >= leastQuote || few && hasWords(text) && x.alone(scope, q) {
			c.quotes = append(c.quotes, text)
			blank(q.outer)
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
	text := string(rest)
	if len(x.marks) == 0 || scope.start < x.marks[0].start {
		text = withoutNumbering(text, x.kind == heading)
	}
	c.figures = append(c.figures, figures(text)...)
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

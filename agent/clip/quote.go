package clip

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a quote in columns: a Chinese character takes two, so that 15 of them say about as much as 30 letters.
const (
	briefest = 16 // of what holds words of the question, such as "It was built in 1889."
	shortest = 30 // of anything else
	longest  = 400
)

// quotable says whether a sentence may be quoted at all: it is whole, of a fair length, and holds nothing that a reader of the
// chapter, or whoever checks its citations, would take for something else.
func quotable(s string) bool {
	if w := columns(s); w < briefest || w > longest || !utf8.ValidString(s) {
		return false
	}
	for _, odd := range []string{"“", "”", "<!--", "-->", "{#", "](#cite", "\n>", "\\\n", "\uFFFD", "![", "@content", `<\/page`, ":`"} {
		if strings.Contains(s, odd) {
			return false
		}
	}
	if strings.Count(s, "[") != strings.Count(s, "]") || strings.Contains(strings.ReplaceAll(s, "][]", "]"), "[]") || strings.Contains(s, "]()") {
		return false
	}
	if citesSource(s) || strings.HasPrefix(s, ".. ") || strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") {
		return false
	}
	letters, digits, marks := 0, 0, 0
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z': // nearly all of English
			letters++
		case unicode.IsLetter(r):
			letters += width(r)
		case unicode.IsDigit(r):
			digits++
		case unicode.IsControl(r) && r != '\n' && r != '\t':
			return false
		case !unicode.IsSpace(r) && !strings.ContainsRune(",.;:!?()-'\"`，。；：！？（）、", r):
			marks++ // symbols, markup
		}
	}
	return letters > 3*marks && letters > digits && inLinks(s)*2 < len(s)
}

func columns(s string) int {
	n := 0
	for _, r := range s {
		n += width(r)
	}
	return n
}

func width(r rune) int {
	if r >= 0x1100 {
		return 2
	}
	return 1
}

// citesSource says whether a text holds something of the form [s12] or [s12.3].
func citesSource(s string) bool {
	for {
		at := strings.Index(s, "[s")
		if at < 0 {
			return false
		}
		s = s[at+len("[s"):]
		digits := len(s) - len(strings.TrimLeft(s, "0123456789."))
		if digits > 0 && strings.HasPrefix(s[digits:], "]") {
			return true
		}
	}
}

// inLinks is how many bytes of a text are links, their targets included.
func inLinks(s string) int {
	n := 0
	for {
		middle := strings.Index(s, "](")
		if middle < 0 {
			return n
		}
		end := closing(s[middle+1:])
		if end < 0 {
			return n
		}
		n += middle + 1 + end - max(0, strings.LastIndex(s[:middle], "["))
		s = s[middle+1+end:]
	}
}

// boilerplate says whether a sentence belongs to the page rather than to its matter. It is asked of those alone that would be quoted.
func boilerplate(s string) bool {
	s = strings.ToLower(s)
	for _, mark := range []string{"copyright", "all rights reserved", "return to ", "cookie", "subscribe", "sign in", "sign up", "log in to", "newsletter",
		"privacy policy", "terms of service", "table of contents", "click here", "javascript is", "enable javascript", "previous page", "next page",
		"edit this page", "last updated", "last modified", "skip to ", "read more", "report a bug", "this page was"} {
		if strings.Contains(s, mark) {
			return true
		}
	}
	if len(s) == utf8.RuneCountInString(s) { // plain English
		return false
	}
	for _, mark := range []string{"©", "版权所有", "保留所有权利", "返回顶部", "返回目录", "上一页", "下一页", "上一篇", "下一篇", "阅读全文", "点击这里", "登录", "最后更新", "隐私政策", "编辑此页"} {
		if strings.Contains(s, mark) {
			return true
		}
	}
	return false
}

// standing is how well a sentence stands alone, up to 1. What leans on the sentence before it, is cut short or is full of markup
// is less.
func (p passage) standing() float64 {
	fit := 1.0
	first := strings.ToLower(strings.TrimLeft(p.text, "*_`\"'([ "))
	for _, word := range leaning {
		if after, ok := strings.CutPrefix(first, word); ok && !startsWithLetter(after, word) {
			fit *= 0.4
			break
		}
	}
	if r, _ := utf8.DecodeRuneInString(p.text); unicode.IsLower(r) && !isIdentifier(firstToken(p.text)) {
		fit *= 0.5
	}
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(p.text, "*_`\"'’)）]」』》")); !strings.ContainsRune(".!。！", last) {
		fit *= 0.5 // a list item, a question, or one half of a sentence
		if columns(p.text) < 50 {
			fit *= 0.5 // the name of something, with a word or two
		}
	}
	lower := strings.ReplaceAll(strings.ToLower(p.text), "\n", " ")
	if rest, ok := strings.CutPrefix(lower, "`"); ok {
		if _, rest, _ = strings.Cut(rest, "`"); strings.HasPrefix(rest, " {") || strings.HasPrefix(rest, " (") || strings.HasPrefix(rest, " **") {
			fit *= 0.5 // a parameter, with its type or what it is without being given
		}
	}
	if strings.HasPrefix(lower, "see ") || strings.HasPrefix(lower, "参见") || strings.HasPrefix(lower, "详见") {
		fit *= 0.4
	}
	for _, away := range []string{"following", "as follows", "above", "below", "this chapter", "this section", "previous section", "next section", "see ", "described in", "shown in", "listed in",
		"如下", "上述", "下述", "以下", "以上", "本章", "本节", "上一节", "下一节", "参见", "详见", "见第"} {
		if strings.Contains(lower, away) {
			fit *= 0.7
			break
		}
	}
	if strings.HasPrefix(p.text, "(") || strings.HasPrefix(p.text, "（") {
		fit *= 0.5 // an aside
	}
	if strings.HasPrefix(p.text, "[") || strings.Count(p.text, "**")%2 == 1 || strings.Count(p.text, `"`)%2 == 1 {
		fit *= 0.5 // markup that was cut through
	}
	fit *= 1 - 0.7*float64(inLinks(p.text))/float64(len(p.text))
	fit *= 1 - min(0.3, 0.02*float64(strings.Count(p.text, "`")+strings.Count(p.text, "*")+strings.Count(p.text, `\`)))
	switch w := columns(p.text); {
	case w < 50:
		fit *= 0.8
	case w > 280:
		fit *= 0.85
	}
	return fit
}

func startsWithLetter(after, word string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return unicode.IsLetter(r) && !isHan(word)
}

func firstToken(s string) string {
	if all := tokens(s); len(all) > 0 {
		return all[0]
	}
	return ""
}

// leaning words open sentences that cannot be read without the one before.
var leaning = [...]string{
	"it", "its", "this", "these", "that", "those", "they", "their", "them", "he", "she", "however", "therefore", "thus", "hence", "but",
	"and", "or", "so", "also", "such", "then", "otherwise", "instead", "nevertheless", "furthermore", "moreover", "similarly", "likewise", "consequently",
	"additionally", "for example", "for instance", "for this reason", "in this case", "in that case", "in addition", "as a result", "because of this",
	"on the other hand", "in other words", "again", "both", "neither", "here", "there", "to do this", "to do so", "as mentioned", "as described", "yes", "no", "once this", "by doing", "as an example",
	"after this", "with this", "at this point", "another", "the former", "the latter", "the first", "the second", "same", "the same", "one of these", "none of",
	"它", "这", "此", "该", "那", "其", "因此", "所以", "但", "然而", "不过", "而且", "并且", "同时", "另外", "此外", "例如", "比如", "否则", "于是", "从而", "因而", "他", "她", "后者", "前者", "也就是说", "换句话说", "接着", "随后", "然后", "之后", "接下来", "也", "首先", "其次", "最后",
}

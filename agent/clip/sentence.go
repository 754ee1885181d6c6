package clip

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentences divides a paragraph. Each sentence is a piece of it to the letter, without the white space around it; together
// they are the whole paragraph.
func sentences(paragraph string) []string {
	var all []string
	masked := mask(paragraph)
	from := 0
	for i, r := range paragraph {
		if !stops(r) || i < from || masked[i] {
			continue
		}
		end := endAfter(paragraph, from, i, r)
		if end > 0 && breaks(paragraph[from:i], r, paragraph[end:]) {
			all = appendSentence(all, paragraph[from:end])
			from = end
		}
	}
	return appendSentence(all, paragraph[from:])
}

func stops(r rune) bool {
	switch r {
	case '.', '!', '?', '。', '！', '？', '；':
		return true
	}
	return false
}

func appendSentence(all []string, s string) []string {
	if s = strings.TrimSpace(s); s != "" {
		all = append(all, s)
	}
	return all
}

// mask marks the bytes in which no sentence ends: code spans and the targets of links.
func mask(text string) []bool {
	masked := make([]bool, len(text)+1)
	hide := func(from, to int) {
		for i := from; i < to; i++ {
			masked[i] = true
		}
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '`':
			ticks := len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
			end := strings.Index(text[i+ticks:], text[i:i+ticks])
			if end < 0 {
				i += ticks - 1
				continue
			}
			hide(i, i+ticks+end)
			i += ticks + end + ticks - 1
		case strings.HasPrefix(text[i:], "]("):
			end := closing(text[i+1:])
			if end < 0 {
				continue
			}
			hide(i, i+1+end)
			i += end
		}
	}
	return masked
}

// closing is where the parenthesis that text starts with is closed, or -1.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// endAfter is where the sentence that starts at from ends when r, at i, is its stop: after further stops and closing marks. 0
// when r ends nothing there, as the dot in 3.14.
func endAfter(text string, from, i int, r rune) int {
	end := i + utf8.RuneLen(r)
	for end < len(text) {
		next, size := utf8.DecodeRuneInString(text[end:])
		switch {
		case strings.ContainsRune(".!?。！？”’』」）》)]", next):
		case strings.ContainsRune("*_`\"'", next):
			run := text[end : len(text)-len(strings.TrimLeft(text[end:], string(next)))]
			if strings.Count(text[from:i], run)%2 == 0 {
				size = 0 // it opens the next sentence
			} else {
				size = len(run)
			}
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		end += size
	}
	if r > unicode.MaxASCII || end == len(text) {
		return end
	}
	if next, _ := utf8.DecodeRuneInString(text[end:]); unicode.IsSpace(next) {
		return end
	}
	return 0
}

// breaks says whether the stop r between what is before and after it ends a sentence, rather than an abbreviation, an initial,
// or the number of a list.
func breaks(before string, r rune, after string) bool {
	after = strings.TrimLeftFunc(after, unicode.IsSpace)
	if r != '.' || after == "" {
		return true
	}
	if next, _ := utf8.DecodeRuneInString(after); unicode.IsLower(next) {
		return false
	}
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '[' })+1:]
	if strings.Trim(before, "0123456789. ") == "" {
		return false
	}
	if r, size := utf8.DecodeRuneInString(word); size == len(word) && unicode.IsUpper(r) {
		return false
	}
	switch strings.ToLower(word) {
	case "e.g", "i.e", "cf", "vs", "mr", "mrs", "ms", "dr", "prof", "fig", "figs", "eq", "sec", "ch", "no", "vol", "pp", "al", "st",
		"approx", "resp", "viz", "incl", "ed", "eds", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec":
		return false
	}
	return true
}

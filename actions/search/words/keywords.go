package words

import (
	_ "embed" // for functionwords.txt
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

const quotationMarks = "\"“”"

// Keywords takes a query apart for services that want every one of its words: without the words that only
// make it a question, with quoted phrases, names and qualifiers such as repo:golang/go in one piece and as
// they were written. At most most characters come back, with a space after each. A query of nothing but such
// words keeps them.
func Keywords(query string, most int) []string {
	var kept, others []string
	used := 0
	query = strings.ToValidUTF8(query, " ")
	for query != "" {
		var next string
		next, query = nextWord(query)
		pieces := []string{next}
		if !strings.HasSuffix(next, `"`) {
			pieces = strings.Fields(withoutFunctionWords(next))
		}
		if len(pieces) == 0 && next != "" {
			others = append(others[:min(len(others), 10)], strings.TrimFunc(next, isEdge))
		}
		for _, piece := range pieces {
			piece = strings.TrimFunc(piece, isEdge)
			size := utf8.RuneCountInString(piece) + 1
			if piece == "" || used+size > most+1 || slices.Contains(kept, piece) {
				continue
			}
			if IsFunctionWord(strings.ToLower(piece)) {
				others = append(others[:min(len(others), 10)], piece)
				continue
			}
			kept = append(kept, piece)
			used += size
		}
	}
	if len(kept) == 0 {
		return others
	}
	return kept
}

// nextWord cuts the first word off a text, or the first "quoted phrase" with a qualifier that stands right
// before it. A quotation mark without a partner is left out.
func nextWord(text string) (word, rest string) {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	end := strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) ||
			strings.ContainsRune(quotationMarks, r)
	})
	if end < 0 {
		return text, ""
	}
	mark, size := utf8.DecodeRuneInString(text[end:])
	if !strings.ContainsRune(quotationMarks, mark) {
		return text[:end], text[end:]
	}
	after := text[end+size:]
	stop := strings.IndexAny(after, quotationMarks)
	if stop < 0 || end > 0 && text[end-1] != ':' {
		return text[:end], after
	}
	_, size = utf8.DecodeRuneInString(after[stop:])
	phrase := strings.Join(strings.Fields(after[:stop]), " ")
	if phrase == "" {
		return text[:end], after[stop+size:]
	}
	return text[:end] + `"` + phrase + `"`, after[stop+size:]
}

// isEdge is about what stands around a word and is no part of it. C++, C# and .NET keep theirs.
func isEdge(r rune) bool {
	return strings.ContainsRune(",;:?!()[]{}<>'‘’，。；：？！、（）《》【】「」…", r) || unicode.IsControl(r)
}

// withoutFunctionWords puts a space for the Chinese words that only make a question: 什么是向量数据库 asks
// for 向量数据库. The rest stays as it was written.
func withoutFunctionWords(text string) string {
	if !strings.ContainsFunc(text, IsDense) {
		return text
	}
	var b strings.Builder
	rest := text
	for rest != "" {
		start := strings.IndexFunc(rest, IsDense)
		if start < 0 {
			break
		}
		stop := strings.IndexFunc(rest[start:], func(r rune) bool { return !IsDense(r) })
		if stop < 0 {
			stop = len(rest) - start
		}
		b.WriteString(rest[:start])
		run := []rune(rest[start : start+stop])
		masked := make([]bool, len(run))
		maskFunctionWords(run, masked)
		for i, r := range run {
			if masked[i] {
				r = ' '
			}
			b.WriteRune(r)
		}
		rest = rest[start+stop:]
	}
	b.WriteString(rest)
	return b.String()
}

//go:embed functionwords.txt
var functionWords string

// lists are those of the file. The English one is short on purpose: bm25 makes little of frequent words
// anyway, and a word dropped wrongly is a page not found. The Chinese one has words that ask, point or join
// and are part of no other word, a longer one before the one it begins with; one of these takes its
// characters out of the query. The joints begin or end others (用 in 用户, 中 in 中文), and are dropped only
// where they are alone.
var lists = sync.OnceValue(func() map[string]string { return prose.Sections(functionWords) })

var english = sync.OnceValue(func() []string {
	return slices.Sorted(strings.FieldsSeq(lists()["English"]))
})

// IsFunctionWord tells whether an English word says nothing about what is looked for.
func IsFunctionWord(word string) bool {
	_, is := slices.BinarySearch(english(), word)
	return is
}

// maskFunctionWords marks the characters of a run that belong to function words.
func maskFunctionWords(run []rune, masked []bool) {
	listed := strings.Fields(lists()["Chinese"])
	text := string(run)
	for i := 0; i < len(run); {
		step := 1
		for _, w := range listed {
			if strings.HasPrefix(text, w) {
				step = len([]rune(w))
				for j := range step {
					masked[i+j] = true
				}
				break
			}
		}
		text = text[len(string(run[i:i+step])):]
		i += step
	}
	for i, r := range run {
		alone := (i == 0 || masked[i-1]) && (i+1 == len(run) || masked[i+1])
		if alone && strings.ContainsRune(lists()["Chinese joints"], r) {
			masked[i] = true
		}
	}
}

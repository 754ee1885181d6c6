// Package words splits a query into words and finds them in a text: which carry meaning, how much of a query
// a text holds, and the stretch of it that shows most. English is compared by stems, Chinese, Japanese and
// Korean by pairs of characters.
package words

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// IsDense reports whether r belongs to a script written without spaces between words, so that its runs are
// indexed as overlapping pairs: Chinese characters, kana and Hangul.
func IsDense(r rune) bool {
	switch {
	case r < 0x3005:
		return false
	case r <= 0x3007, // 々〆〇
		r >= 0x3041 && r <= 0x30FF, // kana
		r >= 0x3400 && r <= 0x4DBF, r >= 0x4E00 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF,
		r >= 0xAC00 && r <= 0xD7A3, // Hangul
		r >= 0x20000 && r <= 0x323AF:
		return r != 0x30FB // the dot between foreign names
	}
	return false
}

// fold maps the full-width forms of ASCII, common in Chinese text, to ASCII, and traditional characters to
// simplified ones.
func fold(r rune) rune {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E:
		return r - 0xFEE0
	case r == 0x3000:
		return ' '
	}
	return prose.Simplified(r)
}

// Pairs rewrites text for the index, in which spaces and punctuation separate words: 磁盘映像 becomes
// "磁盘 盘映 映像 像". The last character also comes alone, so that a search for one character finds
// it at the end of a run.
func Pairs(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x3000 }) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) * 2)
	for _, w := range Split(text) {
		runes := []rune(w.Text)
		for i := range runes {
			if w.Dense {
				b.WriteString(string(runes[i:min(i+2, len(runes))]) + " ")
			}
		}
		if !w.Dense {
			b.WriteString(w.Text + " ")
		}
	}
	return b.String()
}

// Term is one word of a query, or one pair of dense characters.
type Term struct {
	Text  string // lower case
	Dense bool
	// its place among the words of the query, or the characters of a dense run, counting function words
	Place int
	Stem  string  // of a word
	IDF   float64 // its weight: the rarer, the higher; 1 until the index was asked
}

// maxTerms bounds the work for a page that is pasted as a query. A question has fewer than 20.
const maxTerms = 64

// Terms returns the distinct words to look for. It leaves out words that carry no meaning if two others
// remain: in "what is WAL" they tell a definition from all other pages with that word.
func Terms(query string) []Term {
	if list := collect(query, true); len(list) > 1 {
		return list
	}
	return collect(query, false)
}

func collect(query string, dropFunctionWords bool) []Term {
	var list []Term
	seen := map[string]bool{}
	add := func(text string, dense bool, place int) {
		t := Term{Text: text, Dense: dense, Place: place, Stem: prose.Stem(text), IDF: 1}
		if !seen[text] && len(list) < maxTerms {
			seen[text] = true
			list = append(list, t)
		}
	}
	place := 0
	for _, w := range Split(query) {
		if !w.Dense {
			if !dropFunctionWords || !IsFunctionWord(w.Text) {
				add(w.Text, false, place)
			}
			place++
			continue
		}
		for i, pair := range EachPair(w.Text, dropFunctionWords) {
			add(pair, true, place+i)
		}
		place += utf8.RuneCountInString(w.Text) + 1
	}
	return list
}

// EachPair yields the pairs of a dense run, each with its place in the run. A character alone between
// function words is one too.
func EachPair(run string, dropFunctionWords bool) iter.Seq2[int, string] {
	if dropFunctionWords {
		run = withoutFunctionWords(run)
	}
	runes := []rune(run)
	return func(yield func(int, string) bool) {
		for i, r := range runes {
			hasNext := i+1 < len(runes) && runes[i+1] != ' '
			isAlone := !hasNext && (i == 0 || runes[i-1] == ' ')
			pair := string(r)
			if hasNext {
				pair += string(runes[i+1])
			}
			if r != ' ' && (hasNext || isAlone) && !yield(i, pair) {
				return
			}
		}
	}
}

// Word is a run of letters and digits, or of dense characters.
type Word struct {
	Text  string // lower case, full-width forms and traditional characters folded
	Dense bool
	Start int // bytes
	Stop  int
}

// Split splits text as the index does.
func Split(text string) []Word {
	var list []Word
	start, dense := -1, false
	end := func(i int) {
		if start >= 0 {
			list = append(list, Word{strings.ToLower(strings.Map(fold, text[start:i])), dense, start, i})
			start = -1
		}
	}
	for i, r := range text {
		r = fold(r)
		isDense := IsDense(r)
		isPart := isDense || unicode.IsLetter(r) || unicode.IsNumber(r) ||
			start >= 0 && !dense && unicode.IsMark(r)
		if !isPart || isDense != dense {
			end(i)
		}
		if isPart && start < 0 {
			start, dense = i, isDense
		}
	}
	end(len(text))
	return list
}

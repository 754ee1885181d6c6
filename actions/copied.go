package actions

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// maxCopied is how many words in a row a dashboard may not share with a page. No sentence of one's own has so many by chance, while
// names and titles are shorter.
const maxCopied = 16

// copied refuses a text for a dashboard that holds a passage of a page. What stands on a dashboard is obeyed, and a page must not get
// there by being copied. A quote with its source's id is told from it by those, and may stay.
func (k Kit) copied(update string) error {
	overall, current, err := k.Workspace.Dashboards()
	if err != nil {
		return err
	}
	if strings.Contains(update, "[s") {
		update = withoutCited(update)
	}
	sums := windows(update, maxCopied)
	runs := make(map[uint32]int, len(sums))
	for i, sum := range sums {
		runs[sum] = i
	}
	for _, sum := range windows(overall+"\n"+current, maxCopied) { // what is there already was looked at when it came, or is a person's
		delete(runs, sum)
	}
	if len(runs) == 0 {
		return nil
	}
	k.outside.resume(k.Workspace)
	k.outside.remember(k.Workspace)
	if own, at := k.outside.shares(update, runs); own != nil {
		return fmt.Errorf("the text holds a passage copied from a page or a search result, beginning %q. A dashboard holds your own words: say it shorter, or quote one sentence of it with the id of its source, as “…” [s1]",
			strings.Join(own[at:at+8], " "))
	}
	return nil
}

// longestCited is how many letters a quote on a dashboard may have.
const longestCited = 400

// cited finds quotes, which may hold others, with the id of a source after them. Those that hold none may go on in the next lines, as
// sentences of pages do, unless a line begins as a heading or an item of a list does. How long a quote is is counted by whoever asks: a
// bound in the pattern makes it large and slow.
var cited = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:["“「『](.+?)["”」』]|“((?:[^“”\n]|\n[^“”\n#>|*+\-0-9\[\s])+)”)[\s.。,，;；)）]{0,3}\[s[0-9][s0-9\s,，、;；.p–-]*\]`)
})

// withoutCited is a text without its quotes of up to longestCited letters that cite a source. What is longer is no quote, and one may
// begin in it or behind it.
func withoutCited(text string) string {
	var out strings.Builder
	for {
		m := cited().FindStringSubmatchIndex(text)
		if m == nil {
			return out.String() + text
		}
		end, behind := max(m[3], m[5]), m[1]
		switch from := openerOf(text, m[0], end); {
		case from < end:
			out.WriteString(text[:from] + " ")
		case m[5] >= 0: // of several lines
			behind = m[4]
			out.WriteString(text[:behind])
		default:
			behind = end
			out.WriteString(text[:behind])
		}
		text = text[behind:]
	}
}

// openerOf is where a quote begins that ends at a place, start at the earliest: there if it is not too long, else at the first mark
// that is near enough, and else where it ends.
func openerOf(text string, start, end int) int {
	at := end
	for n := 0; n <= longestCited && at > start; n++ {
		_, size := utf8.DecodeLastRuneInString(text[start:at])
		at -= size
	}
	if at == start {
		return start
	}
	at += strings.LastIndexByte(text[at:end], '\n') + 1
	_, last := utf8.DecodeLastRuneInString(text[at:end])
	if mark := strings.IndexAny(text[at:end-last], `"“「『`); mark >= 0 {
		return at + mark
	}
	return end
}

// wordsOf are the words of a text in lower case; each Chinese or Japanese character is one.
func wordsOf(text string) []string {
	var words []string
	start := -1
	for i, r := range text {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		alone := workspace.IsCJK(r)
		if start >= 0 && (!letter || alone) {
			words = append(words, strings.ToLower(text[start:i]))
			start = -1
		}
		switch {
		case alone:
			words = append(words, string(r))
		case letter && start < 0:
			start = i
		}
	}
	if start >= 0 {
		words = append(words, strings.ToLower(text[start:]))
	}
	return words
}

// markedWords is how many words a mark sums up.
const markedWords = maxCopied / 2

// marks are by what a text is known again in which a passage was copied: sums of so few of its runs that each passage of maxCopied words
// holds one. Of as many neighbouring sums as such a passage has, the least is taken, as Schleimer, Wilkerson and Aiken describe it
// ("Winnowing", SIGMOD 2003), which leaves about one in five.
func marks(text string) []uint32 {
	const among = maxCopied - markedWords + 1
	sums := windows(text, markedWords)
	found := make([]uint32, 0, len(sums)/4)
	least := -1
	for i := range len(sums) - among + 1 {
		switch last := i + among - 1; {
		case least < i:
			least = last
			for at := last; at >= i; at-- {
				if sums[at] < sums[least] {
					least = at
				}
			}
		case sums[last] <= sums[least]:
			least = last
		default:
			continue
		}
		found = append(found, sums[least])
	}
	return found
}

// windows are the sums of every run of so many words of a text, at most maxCopied, as wordsOf divides it, rolled on from word to word. No
// word is copied for it: each page that is shown is summed. Half of each sum is enough to find where to compare the words themselves.
func windows(text string, size int) []uint32 {
	const base = 1099511628211
	power := uint64(1)
	for range size {
		power *= base
	}
	var last [maxCopied]uint64 // the sums of the last words, in a ring
	sums := make([]uint32, 0, len(text)/4)
	var sum uint64
	n := 0
	eachWord(text, func(word uint64) {
		sum = sum*base + word - last[n%size]*power
		last[n%size] = word
		if n++; n >= size {
			sums = append(sums, uint32(sum>>32))
		}
	})
	return sums
}

// eachWord hands on the sum of each word, by FNV-1a over its letters in lower case.
func eachWord(text string, use func(sum uint64)) {
	const offset, prime = 14695981039346656037, 1099511628211
	sum, inWord := uint64(offset), false
	for _, r := range text {
		letter, alone := lowerLetter(r), r >= utf8.RuneSelf && workspace.IsCJK(r)
		if inWord && (letter == 0 || alone) {
			use(sum)
			sum, inWord = offset, false
		}
		switch {
		case alone:
			use((offset ^ uint64(r)) * prime)
		case letter != 0:
			sum, inWord = (sum^uint64(letter))*prime, true
		}
	}
	if inWord {
		use(sum)
	}
}

// lowerLetter is a letter or a digit in lower case, and 0 for what is none. Most are of the first that are looked for.
func lowerLetter(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		return r
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
		return unicode.ToLower(r)
	}
	return 0
}

// sameRun says whether two texts begin with the same passage. It is a passage when it weighs maxCopied words; a Chinese character
// weighs half of one.
func sameRun(a, b []string) bool {
	weight := 0.0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		weight++
		if r := []rune(a[i]); len(r) == 1 && workspace.IsCJK(r[0]) {
			weight -= 0.5
		}
		if weight >= maxCopied {
			return true
		}
	}
	return false
}

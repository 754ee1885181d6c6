package actions

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// maxCopied is how many words in a row a dashboard may not share with a page. No independent sentence shares
// that many by chance, and names and titles are shorter.
const maxCopied = 16

// copied refuses a dashboard text that contains a passage of a page. The agent obeys its dashboard, so text
// of a page must not get there by copying. A quote followed by its source's id may stay.
func (k Kit) copied(update string) error {
	overall, current, err := k.Workspace.Dashboards()
	if err != nil {
		return err
	}
	if strings.Contains(update, "[s") {
		update = withoutCited(update)
	}
	sums := windows(prose.Words(update), maxCopied)
	runs := make(map[uint32]int, len(sums))
	for i, sum := range sums {
		runs[sum] = i
	}
	// Text already there was checked when it was written, or is the user's
	for _, sum := range windows(prose.Words(overall+"\n"+current), maxCopied) {
		delete(runs, sum)
	}
	if len(runs) == 0 {
		return nil
	}
	k.outside.resume(k.Workspace)
	k.outside.remember(k.Workspace)
	if own, at := k.outside.shares(update, runs); own != nil {
		return fmt.Errorf("the text holds a passage copied from a page or a search result, beginning %q. "+
			"A dashboard holds your own words: say it shorter, or quote one sentence of it with the id of "+
			"its source, as “…” [s1]",
			strings.Join(own[at:at+8], " "))
	}
	return nil
}

// longestCited is the maximum length of a quote on a dashboard, in characters.
const longestCited = 400

// cited matches quotes, nested ones included, followed by the id of a source. A quote without nested ones may
// span lines, as sentences of pages do, unless a line begins like a heading or a list item. Callers check a
// quote's length: a bound in the pattern makes it large and slow.
var cited = regexp.MustCompile(
	`(?:["“「『](.+?)["”」』]|“((?:[^“”\n]|\n[^“”\n#>|*+\-0-9\[\s])+)”)[\s.。,，;；` +
		`)）]{0,3}\[s[0-9][s0-9\s,，、;；.p–-]*\]`)

// withoutCited returns a text without its quotes of up to longestCited characters that cite a source. A
// longer match is no quote, but one may begin inside or after it.
func withoutCited(text string) string {
	var out strings.Builder
	for {
		m := cited.FindStringSubmatchIndex(text)
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

// openerOf returns the start of the quote that ends at end: start if it is near enough, otherwise the first
// quotation mark that is, otherwise end.
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

// markedWords is how many words one mark covers.
const markedWords = maxCopied / 2

// marks returns a winnowed set of fingerprints of a text (Schleimer, Wilkerson and Aiken, SIGMOD 2003), about
// one word in five: any passage of maxCopied words that two texts share gives both at least one mark.
func marks(text string) []uint32 {
	const among = maxCopied - markedWords + 1
	sums := windows(prose.Words(text), markedWords)
	var found []uint32
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

// windows returns the hashes of every run of size words of a text. Half of each hash is enough to find where
// to compare the words themselves.
func windows(words []string, size int) []uint32 {
	const base = 1099511628211
	power := uint64(1)
	for range size {
		power *= base
	}
	hashes := make([]uint64, len(words))
	var sums []uint32
	var sum uint64
	for n, word := range words {
		h := fnv.New64a()
		h.Write([]byte(word))
		hashes[n] = h.Sum64()
		sum = sum*base + hashes[n]
		if n >= size {
			sum -= hashes[n-size] * power
		}
		if n+1 >= size {
			sums = append(sums, uint32(sum>>32))
		}
	}
	return sums
}

// sameRun reports whether two texts begin with the same passage of at least maxCopied words; a Chinese
// character counts as half a word.
func sameRun(a, b []string) bool {
	weight := 0.0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		weight++
		if r := []rune(a[i]); len(r) == 1 && prose.IsCJK(r[0]) {
			weight -= 0.5
		}
		if weight >= maxCopied {
			return true
		}
	}
	return false
}

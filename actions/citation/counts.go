package citation

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation/figure"
)

// count is a number of things, as "four nodes", "4 nodes" and 四个节点, or a score, as "four to two".
//
// A number up to twelve in words is compared only where the cited block counts the same otherwise: it has
// another number before the same noun or unit, and the claim's number nowhere. What is no count of the
// source's is left alone: idioms ("two-factor"), bounds ("at least two"), what was named before ("the two
// nodes"), and what a writer counts ("three reasons", "two nodes: a and b"). A score is compared where the
// block has one of its numbers alone, or another score.
type count struct {
	text string // as it stands
	span
	n    int
	of   string        // the stems of the words behind it up to a plural; a Chinese unit, or what is measured
	lost int           // of a score, the other number
	want figure.Figure // the number with its unit, if it counts one
}

const (
	numberWord  = `two|three|four|five|six|seven|eight|nine|ten|eleven|twelve`
	anyNumber   = `(?:one|` + numberWord + `|\d{1,4})`
	aSide       = `(one|` + numberWord + `|\d|1\d)` // of a score
	chineseWord = `十[一二]?|[二两三四五六七八九]`
	// A unit needs no noun behind it, a measure word does.
	chineseUnit = `天|小时|分钟|秒|个月|周|年|人|元|公里|公斤|斤|米|页|倍`
	measureWord = `[个台名位家间张只件份条辆组套棵颗支枚座艘架把块封扇桶箱瓶]`
)

var (
	counted     = regexp.MustCompile(`(?i)\b(?:` + numberWord + `|\d{1,4}) `)
	wordsBehind = regexp.MustCompile(`(?i)^[a-z]+(?: [a-z]+){0,2}`)
	// countedInChinese takes what a measure word measures by its two first characters.
	countedInChinese = regexp.MustCompile(
		`(` + chineseWord + `|\d{1,3}) ?(` + chineseUnit + `|` + measureWord + `\p{Han}{2})`)
	aNumber = regexp.MustCompile(`(?i)\b` + anyNumber + `\b`)
	aScore  = regexp.MustCompile(`(?i)(?:^|[^-–—~.,:/\w])` + aSide + `(?: to |[-–—:])` + aSide +
		`(?:$|[^-–—:/\w])`)
	fromTo = regexp.MustCompile(`(?i)\bfrom $`)

	// boundBefore is what stands before a bound, an end of a range, or the rest of a longer number.
	boundBefore = regexp.MustCompile(`(?i)(?:\b(?:` + oneOf("before a bound") + `|(?:` + anyNumber +
		`|hundred|thousand) (?:or|and)) |[-–—~.,:/$€£\w]|\d [-–—] |(?:` + oneOf("before a bound in Chinese") +
		`|` + chineseWord + `) ?)$`)
	// knownBefore is what stands before things that were named before, or a part of them.
	knownBefore = regexp.MustCompile(`(?i)(?:\b` + oneOf("before what is known") + ` |` +
		`[这那其另前后头上下])$`)
	// listBehind is what stands behind things that the writer lists.
	listBehind = regexp.MustCompile(`^[^.;。；]*?(?:[:：(（—–]|, (?:namely|such as|i\.e\.))`)

	ofWriters = stems(lists["counted by writers"])
	plurals   = set("people men women children feet percent")
	noThing   = set("hundred thousand million billion trillion dozen thirds quarters fifths halves")
)

// inWords is the value of a number in digits or in words.
func inWords(number string) int {
	if n, err := strconv.Atoi(number); err == nil {
		return n
	}
	english := slices.Index(strings.Split(`one|`+numberWord, "|"), strings.ToLower(number))
	chinese := slices.Index(strings.Fields("一 二 三 四 五 六 七 八 九 十 十一 十二"),
		strings.Replace(number, "两", "二", 1))
	return max(english, chinese) + 1
}

// countsIn finds the counts of a text that are no bounds.
func countsIn(text string) (all []count) {
	text = strings.ReplaceAll(text, "\n", " ")
	add := func(from, behind, end int, of string) {
		if n := inWords(text[from:behind]); of != "" && !boundBefore.MatchString(before(text, from)) {
			c := count{text: text[from:end], span: span{from, end}, n: n, of: of}
			if read := figure.Read(strconv.Itoa(n) + text[behind:end]); len(read) == 1 {
				c.want = read[0]
				all = append(all, c)
			}
		}
	}
	for _, m := range counted.FindAllStringIndex(text, -1) {
		of, length := thing(wordsBehind.FindString(text[m[1]:]))
		add(m[0], m[1]-1, m[1]-1+length, of)
	}
	for _, m := range countedInChinese.FindAllStringSubmatchIndex(text, -1) {
		add(m[2], m[3], m[5], text[m[4]:m[5]])
	}
	return all
}

// before is what stands right before a place.
func before(text string, at int) string {
	const enough = 30 // bytes
	return text[max(0, at-enough):at]
}

// thing is what a number counts, given the words behind it: the stems of those up to the first plural, and
// their length; "" if there is none, or a word between says little.
func thing(words string) (of string, length int) {
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		if stopWords[word] || noThing[word] {
			return "", 0
		}
		of, length = of+" "+stem(word), length+1+len(word)
		if plurals[word] || strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
			return of, length
		}
	}
	return "", 0
}

// scoresIn finds the scores of a text. A range has its greater number second, a time two digits.
func scoresIn(text string) (all []count) {
	text = strings.ReplaceAll(text, "\n", " ")
	for _, m := range aScore.FindAllStringSubmatchIndex(text, -1) {
		c := count{text: text[m[2]:m[5]], n: inWords(text[m[2]:m[3]]), lost: inWords(text[m[4]:m[5]])}
		c.of = fmt.Sprintf("%d to %d", c.n, c.lost)
		if c.n > c.lost && !fromTo.MatchString(before(text, m[2])) {
			all = append(all, c)
		}
	}
	return all
}

// countsOf are the counts and scores of a claim that are in words, and not of the writer's own.
func countsOf(text string) []count {
	text = strings.ReplaceAll(text, "\n", " ")
	return slices.DeleteFunc(append(countsIn(text), scoresIn(text)...), func(c count) bool {
		last := c.of[strings.LastIndex(c.of, " ")+1:]
		_, measured, _ := strings.Cut(last, string(firstRune(last)))
		isWriters := ofWriters[last] || ofWriters[measured] ||
			knownBefore.MatchString(before(text, c.start)) || listBehind.MatchString(text[c.end:])
		return c.lost == 0 && isWriters || strings.ContainsAny(c.text, "0123456789")
	})
}

// lookForCounts looks for the counts of a claim that a passage tells otherwise, and no passage as they are.
func (m *comparison) lookForCounts() {
	for _, c := range m.claim.counts {
		isKnown := func(e *evidence) bool {
			return e.own.Has(c.want) || e.near.Has(c.want) || e.source.given.Has(c.want) || m.mine.Has(c.want)
		}
		if !(c.lost == 0 && m.some(isKnown)) && m.some(c.isOtherIn) {
			m.figures = append(m.figures, c.text)
		}
	}
}

// isOtherIn reports whether a block has other numbers of the same things, or of a score only one number or
// another score; but none by which the claim's may be worked out as a sum or a difference.
func (c count) isOtherIn(e *evidence) bool {
	if e.n == 0 {
		return false
	}
	same, every, scores := map[int]int{}, map[int]int{}, scoresIn(e.plain)
	for _, found := range append(countsIn(e.plain), scores...) {
		if found.of == c.of {
			same[found.n]++
		}
	}
	for _, number := range aNumber.FindAllString(e.plain, -1) {
		every[inWords(number)]++
	}
	switch has := every[c.n] > 0; {
	case c.lost == 0:
		return len(same) > 0 && !follows(c.n, same)
	case has && every[c.lost] > 0:
		return false
	case len(scores) > 0:
		return len(same) == 0
	default:
		return (has || every[c.lost] > 0) && !(follows(c.n, every) && follows(c.lost, every))
	}
}

// follows reports whether a number is one of some, or the sum or the difference of two.
func follows(n int, some map[int]int) bool {
	for one, times := range some {
		if one == n || some[n-one] > 0 && (n-one != one || times > 1) || some[n+one] > 0 {
			return true
		}
	}
	return false
}

package citation

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation/figure"
)

// count is a number of things, such as "four nodes", "4 nodes" and 四个节点, or a score: "four to two".
//
// A number up to twelve in words is only compared if the cited block has a different count of the same:
// another number before the same noun or unit, and the claim's number nowhere. Numbers that are not a
// source's counts are ignored: idioms ("two-factor"), bounds ("at least two"), known things ("the two
// nodes"), and the writer's own counts ("three reasons", "two nodes: a and b"). A score is compared if the
// block has only one of its numbers, or another score.
type count struct {
	text string // as written
	span
	n    int
	of   string        // the stems of the following words up to a plural; a Chinese unit, or what is measured
	lost int           // for a score, the other number
	want figure.Figure // the number with its unit, if it has one
}

const (
	numberWord  = `two|three|four|five|six|seven|eight|nine|ten|eleven|twelve`
	anyNumber   = `(?:one|` + numberWord + `|\d{1,4})`
	aSide       = `(one|` + numberWord + `|\d|1\d)` // one side of a score
	chineseWord = `十[一二]?|[一二两三四五六七八九]`
	// A unit needs no noun after it, a measure word does.
	chineseUnit = `天|小时|分钟|秒|个月|周|年|岁|人|元|成|公里|公斤|斤|克|厘米|毫米|米|页|倍|层`
	measureWord = `[个台名位家间张只件份条辆组套棵颗支枚座艘架把块封扇桶箱瓶]`
)

var (
	counted     = regexp.MustCompile(`(?i)\b(?:` + numberWord + `|\d{1,4}) `)
	wordsBehind = regexp.MustCompile(`(?i)^[a-z]+(?: [a-z]+){0,2}`)
	// countedInChinese identifies the measured noun by its first two characters.
	countedInChinese = regexp.MustCompile(
		`(` + chineseWord + `|\d{1,3}) ?(` + chineseUnit + `|` + measureWord + `\p{Han}{2})`)
	aNumber = regexp.MustCompile(`(?i)\b` + anyNumber + `\b`)
	aScore  = regexp.MustCompile(`(?i)(?:^|[^-–—~.,:/\w])` + aSide + `(?: to |[-–—:])` + aSide +
		`(?:$|[^-–—:/\w])`)
	fromTo = regexp.MustCompile(`(?i)\bfrom $`)

	// boundBefore matches text before a bound, an end of a range, or the rest of a longer number.
	boundBefore = regexp.MustCompile(`(?i)(?:\b(?:` + oneOf("before a bound") + `|(?:` + anyNumber +
		`|hundred|thousand) (?:or|and)) |[-–—~.,:/$€£\w]|\d [-–—] |(?:` + oneOf("before a bound in Chinese") +
		`|` + chineseWord + `) ?)$`)
	// knownBefore matches text before things that were named before, or a part of them.
	knownBefore = regexp.MustCompile(`(?i)(?:\b` + oneOf("before what is known") + ` |` +
		`[这那其另前后头上下])$`)
	// listBehind matches text after things that the writer lists.
	listBehind = regexp.MustCompile(`^[^.;。；]*?(?:[:：(（—–]|, (?:namely|such as|i\.e\.))`)

	ofWriters = stems(lists["counted by writers"])
	plurals   = set("people men women children feet percent")
	noThing   = set("hundred thousand million billion trillion dozen thirds quarters fifths halves")
)

// inWords returns the value of a number in digits or words.
func inWords(number string) int {
	if n, err := strconv.Atoi(number); err == nil {
		return n
	}
	english := slices.Index(strings.Split(`one|`+numberWord, "|"), strings.ToLower(number))
	chinese := slices.Index(strings.Fields("一 二 三 四 五 六 七 八 九 十 十一 十二"),
		strings.Replace(number, "两", "二", 1))
	return max(english, chinese) + 1
}

// countsIn finds the counts in a text that are not bounds.
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

// before returns the text just before an offset.
func before(text string, at int) string {
	const enough = 30 // bytes
	return text[max(0, at-enough):at]
}

// thing returns what a number counts, from the words after it: the stems up to the first plural, and the
// words' length; "" if there is none, or a word between means little.
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

// scoresIn finds the scores in a text. In a range the second number is greater; a time has two digits.
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

// countsOf returns the counts and scores of a claim that are in words, and not the writer's own.
func countsOf(text string) []count {
	text = strings.ReplaceAll(text, "\n", " ")
	return slices.DeleteFunc(append(countsIn(text), scoresIn(text)...), func(c count) bool {
		last := c.of[strings.LastIndex(c.of, " ")+1:]
		_, measured, _ := strings.Cut(last, string(firstRune(last)))
		isWriters := ofWriters[last] || ofWriters[measured] ||
			knownBefore.MatchString(before(text, c.start)) || listBehind.MatchString(text[c.end:])
		// one is often no count: 一年 may be any year
		return c.lost == 0 && (isWriters || c.n == 1) || strings.ContainsAny(c.text, "0123456789")
	})
}

// lookForCounts finds counts of a claim that are different in a passage, and the same in none.
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

// isOtherIn reports whether a block has other numbers of the same things, or for a score only one of its
// numbers or another score; but not if the claim's number is the sum or difference of two.
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

// follows reports whether a number is among some, or is the sum or difference of two.
func follows(n int, some map[int]int) bool {
	for one, times := range some {
		if one == n || some[n-one] > 0 && (n-one != one || times > 1) || some[n+one] > 0 {
			return true
		}
	}
	return false
}

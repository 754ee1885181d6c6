package prose

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters returns those of a Chinese keyword that no document contains whole: 结婚 may be in 婚假.
func (k Keyword) Characters() (all []Keyword) {
	for _, r := range k.Text {
		if unicode.Is(unicode.Han, r) && !strings.ContainsRune(hanFillers, r) {
			all = append(all, Keyword{Text: string(r), Terms: []string{string(Simplified(r))}})
		}
	}
	return all
}

// IsThing reports whether a person may be told that a word of a question is missing: an English word, but not
// a number other than a year; or a short run of Chinese without characters that ask, join, count or are
// verbs.
func (k Keyword) IsThing() bool {
	run := k.Text
	if !HasHan(run) {
		isRange := strings.Contains(run, "-") && strings.Trim(run, "0123456789-") == ""
		return !isRange && !isNumber(run) && k.Means == ""
	}
	const longest = 8
	n := utf8.RuneCountInString(run)
	return n > 1 && n <= longest && !strings.ContainsAny(run, hanFillers)
}

// IsKind reports whether a word of three Chinese characters names a kind of what its last two name, such as
// 陪产假, so that a text about 产假 is not about it. With a verb as the first, as in 查学费, it does not.
func IsKind(word string) bool {
	runes := []rune(word)
	return len(runes) == 3 && strings.ContainsRune(hanKinds, runes[2]) &&
		!strings.ContainsRune(hanVerbs, runes[0])
}

// Unwrapped returns a Markdown text on one line, without a blank where a line of Chinese ended. A backslash
// that broke a line is removed too.
func Unwrapped(text string) string {
	text = brokenLine.ReplaceAllString(text, "$1\n")
	return OneLine(hanLineEnd.ReplaceAllString(text, "$1$2"))
}

// brokenLine finds an odd number of backslashes at a line's end: two make a literal one.
var brokenLine = regexp.MustCompile(`(?m)((?:^|[^\\])(?:\\\\)*)\\\n`)

var hanLineEnd = regexp.MustCompile(`([\p{Han}，。；：、！？）》”])\s*\n\s*(\p{Han}|[“（《])`)

// splitHan splits Chinese at stop words and drops single characters. Stop words are found in simplified form;
// the pieces are as written.
func splitHan(run string) (pieces []string) {
	folded := strings.Map(Simplified, run)
	for _, piece := range cutHan(folded) {
		piece = hanEnd.ReplaceAllString(piece, "$1")
		n := utf8.RuneCountInString(piece)
		if n < 2 {
			continue
		}
		if at := strings.Index(folded, piece); at >= 0 && folded != run {
			first := utf8.RuneCountInString(folded[:at])
			piece = string([]rune(run)[first : first+n])
		}
		pieces = append(pieces, piece)
	}
	return pieces
}

// characters returns those of a list of keywords.txt.
func characters(name string) string {
	list, _ := listed(name)
	return strings.Join(list, "")
}

func cutHan(run string) []string {
	run = hanReckoned.ReplaceAllString(hanPrice.ReplaceAllString(run, " "), " 计算 ")
	run = hanOurs.ReplaceAllString(hanMost.ReplaceAllString(run, " $0 "), "$1")
	run = hanParted.ReplaceAllString(run, "$1$2")
	run = hanAmount.ReplaceAllString(run, "$1 ")
	if rest, found := strings.CutPrefix(run, "和"); found { // which joins nothing there, as in 和面机
		if pieces := strings.Fields(hanCut.Replace("\x00" + rest)); len(pieces) > 0 {
			pieces[0] = strings.Replace(pieces[0], "\x00", "和", 1)
			return pieces
		}
	}
	return strings.Fields(hanCut.Replace(run))
}

// pairs returns the overlapping pairs of a Chinese run in simplified characters, or a single character.
func pairs(run string) (all []string) {
	runes := []rune(oneWord().Replace(strings.Map(Simplified, run)))
	for i := range max(1, len(runes)-1) {
		all = append(all, string(runes[i:min(i+2, len(runes))]))
	}
	return all
}

var (
	// hanAmount finds questions for a figure with its unit: 多久, 几年, but not 很多大学 or 几乎.
	hanAmount = regexp.MustCompile(
		`(^|[^很许最更众诸太大])(?:要|有)?(?:多(?:长时间|少时间|[久长大高远快厚宽深])|` +
			`几(?:分钟|小时|个月|星期|[年月日天周号点时分秒个次回种楼层岁倍条台页章行人块元米]))`)
	// hanParted finds a verb and its noun with a number or 完 between them: 洗一次牙, 拔完牙.
	hanParted = regexp.MustCompile(`([^\PL第每没未不刚用])` +
		`(?:[一两三四五六七八九十](?:次|颗|支|针|张|份|趟|遍|顿|台|件|瓶|场|盒|双|套|条|把|回)|完)` +
		`([^\PL的地得就要能可有是都也还会需以上下左右后前里内了没之才再吗怎什多几哪成整全善美备毕工])`)
	// hanReckoned finds a question for how something is reckoned, at its end: 怎么算是旷工 is none.
	hanReckoned = regexp.MustCompile(`(?:怎么|怎样|如何|咋)(?:计?算|核算)[的呢吗啊]?$`)
	// hanMost finds a bound, a word of its own, and hanEnd what only ends a longer run: 浮筒上, 考试过.
	hanMost = regexp.MustCompile(`最[多少]|大概|大约`)
	hanEnd  = regexp.MustCompile(`^(.{3,}[^通经超错路度网公英海邻])[上里过]$`)
	// hanOurs finds whose home something is of, as in 我家猫, but no word that begins with 家.
	hanOurs  = regexp.MustCompile(`^[我你您咱他她俺]家[的里]?([^属长具电教庭人政居])`)
	hanPrice = regexp.MustCompile(`(?:[一每]\p{Han})?(?:多少|几块)钱(?:[一每]\p{Han})?`)
	// hanCut keeps the words of the first list and removes those of the second.
	hanCut = func() *strings.Replacer {
		kept, _ := listed("整词")
		var pairs []string
		for _, word := range kept {
			pairs = append(pairs, word, word)
		}
		stops, _ := listed("停用")
		for _, word := range stops {
			pairs = append(pairs, word, " ")
		}
		return strings.NewReplacer(pairs...)
	}()
	hanFillers, hanVerbs, hanKinds = characters("虚字"), characters("动字"), characters("类字")
)

package prose

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Question is a person's question, or words to search for.
type Question string

// Subjects returns the keywords of a text, except those made only of question words.
func (q Question) Subjects() (left []Keyword) {
	for _, k := range Keywords(string(q)) {
		if HasHan(k.Text) && utf8.RuneCountInString(hanEmpty.ReplaceAllString(k.Text, "")) > 1 ||
			!HasHan(k.Text) && !askingWords[strings.ToLower(k.Text)] {
			left = append(left, k)
		}
	}
	return left
}

// Topic returns the words that a question is about, as a query: its subjects, or without any single
// characters if it asks, such as 猫 in 猫不能吃什么; "" if it names nothing.
func (q Question) Topic() string {
	left := Question(hanEmpty.ReplaceAllString(string(q), " "))
	if !hanAsking.MatchString(string(q)) && !asksMay.MatchString(string(q)) {
		left = ""
	}
	return cmp.Or(Joined(q.Subjects()), Joined(left.Hints()))
}

var asksMay = regexp.MustCompile(`能不能|可不可以|要不要|会不会|让不让`)

var _, askingWords = listed("asking")

// hanEmpty finds Chinese words that mean nothing alone, such as 研究, though they do in 研究型大学.
var hanEmpty = regexp.MustCompile(`研究|调研|调查|了解|分析|信息|资料|情况|内容|东西|事情|事儿|问题|方面|主题|话题|课题|报告|` +
	`最新|进展|更多|相关|详细|任何|随便|新的|[新那这某写找查看搞做弄我你想要些点下份篇个种]`)

// Things returns the words of a question for what it is about: no verbs, and no everyday words.
func (q Question) Things() (all []string) {
	for _, k := range Keywords(string(q)) {
		if k.IsThing() && !q.Asks(k.Text) && !k.IsEveryday() {
			all = append(all, k.Text)
		}
	}
	return all
}

// IsPart reports whether a run of Chinese is part of a longer keyword of a question, as 班车 in 公司班车.
func (q Question) IsPart(run string) bool {
	run = strings.Map(Simplified, run)
	isLonger := func(k Keyword) bool { return k.Text != run && strings.Contains(k.Text, run) }
	return HasHan(run) && slices.ContainsFunc(Keywords(strings.Map(Simplified, string(q))), isLonger)
}

// IsShortFor reports whether a run of Chinese may be short for a word of a text: the text has its characters
// in order and close together, as 年休假 has those of 年假.
func IsShortFor(run, text string) bool {
	var characters []string
	for _, r := range strings.Map(Simplified, run) {
		characters = append(characters, regexp.QuoteMeta(string(r)))
	}
	return regexp.MustCompile(strings.Join(characters, `\p{Han}{0,3}`)).MatchString(strings.Map(Simplified, text))
}

// PartOf finds where a text may mean a word that it does not contain: as a part of a longer one, such as
// postgres in PostgreSQL, or by a pair of its Chinese characters, such as 摄像 of 摄像头 in 摄像机;
// but a kind of something, such as 陪产假, not by what it is a kind of.
func PartOf(word string) *regexp.Regexp {
	if !HasHan(word) {
		return regexp.MustCompile(`(?i)(?:^|[^a-z])` + regexp.QuoteMeta(word))
	}
	runes, pairs := []rune(word), []string{regexp.QuoteMeta(word)}
	for i := range len(runes) - 1 {
		if i > 0 && IsKind(word) {
			break
		}
		pairs = append(pairs, regexp.QuoteMeta(string(runes[i:i+2])))
	}
	return regexp.MustCompile(strings.Join(pairs, "|"))
}

// Asks reports whether a word of a question tells what is done or how something is, such as "pay" in "What
// did the tenant pay?" and 涨到 in 房租涨到多少. A document may answer without it, but not without the thing
// that the question is about. In doubt a word is a thing.
//
// English is judged by word order: the word after I or who, the end of a clause beginning with did, the word
// between a noun and "the". Chinese is judged by the question word: a verb precedes 什么 or follows 怎样.
func (q Question) Asks(word string) bool {
	if strings.ContainsFunc(word, IsCJK) {
		return asksInHan(string(q), word)
	}
	for _, clause := range clauses(string(q)) {
		if slices.Contains(predicates(clause), strings.ToLower(word)) {
			return true
		}
	}
	return false
}

// IsName reports whether a word of a question is written as a name: with a capital not due to its position,
// or with characters that only identifiers have. A number is not a name.
func (q Question) IsName(word string) bool {
	if isIdentifier(word) {
		return !isNumber(word)
	}
	return word != strings.ToLower(word) && !strings.HasPrefix(string(q), word) ||
		len(word) > 1 && word == strings.ToUpper(word) && word != strings.ToLower(word)
}

// IsMissed reports whether to tell a person that no document contains a word of a question. The word must not
// have many wordings, nor be half of one such as co-op. A run of Chinese counts only if no pair of it occurs,
// all results are far from the question, or a part of the question asks for nothing else.
func (q Question) IsMissed(word string, far bool) bool {
	k := Keyword{Text: word}
	isNew := !HasHan(word) || utf8.RuneCountInString(word) > 2
	isHalf, parts := strings.Contains(string(q), "-"+word), q.Parts()
	isAlone := len(parts) > 1 && slices.ContainsFunc(parts, func(part string) bool {
		keys := Keywords(part)
		return len(keys) == 1 && keys[0].Text == word
	})
	isSaid := isHalf || isCarrier.MatchString(word)
	return k.IsThing() && !isSaid && (isAlone || q.IsName(word) || (isNew || far) && !k.IsEveryday())
}

// Hints returns the single Chinese characters of a question that show what it asks for, such as 药 in
// 有哪些药 and 修 in 什么时候修. Documents mostly have them in longer words: 药物, 维修. For a date it
// returns the month and day in words, and what is between quotation marks.
func (q Question) Hints() (all []Keyword) {
	all = append(inWords(string(q)), q.Phrases()...)
	text := strings.Map(Simplified, string(q))
	if hanPrice.MatchString(text) {
		text += " 价 元"
	}
	for _, token := range Tokens(text) {
		for _, piece := range cutHan(token) {
			if utf8.RuneCountInString(piece) == 1 {
				all = append(all, Keyword{Text: piece}.Characters()...)
			}
		}
	}
	return all
}

// Respelt returns the question with another word in place of one that was written wrong.
func (q Question) Respelt(word, meant string) Question {
	wrong := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(word))
	return Question(wrong.ReplaceAllLiteralString(string(q), meant))
}

// Within returns the Chinese characters of a question that a text contains.
func (q Question) Within(text string) (all []string) {
	for _, k := range (Keyword{Text: string(q)}).Characters() {
		if strings.Contains(text, k.Text) {
			all = append(all, k.Text)
		}
	}
	return all
}

// asksFigure finds questions answered by a figure.
var asksFigure = regexp.MustCompile(`(?i)\bhow (?:many|much|long|often|large|big|small|far|old|high|deep|fast|late|soon|cool|cold|warm|hot|heavy|wide|thick)\b|\bhow \w+ \w+ (?:may|can)\b|` +
	`\b(?:highest|lowest|largest|biggest|smallest|longest|shortest|maximum|minimum|limit)\b|` +
	`\b(?:which|what) (?:port|size|number|year|date|version)\b|\bwhen (?:was|did|is)\b|` +
	`多少|几[^乎]|多[久长大高远快厚宽深]`)

// hasFigure finds a figure that is not a section number or part of a name.
var hasFigure = regexp.MustCompile(`(?:^|[\s(=:“"'])[$€£]?\d+(?:[.,:/-]\d+)*[\s%°,.;:)"”'a-zA-Z]|\pN\p{Han}|` +
	`[一二三四五六七八九十百千万两半]+[年月日天周号点时分秒个次种层岁倍元块米人条页%]`)

// The English questions for a price or a time, and their answers.
var (
	asksPrice = regexp.MustCompile(`(?i)\bhow much\b.*\b(?:costs?|pa(?:y|id)|charged?|spen[dt]|owe|price|fee|rent)\b|\b(?:cost|price|fee)s?\b`)
	hasPrice  = regexp.MustCompile(`(?i)[$€£¥] ?\d|\([$€£¥]\)|\d ?(?:[€£¥]|eur|usd|gbp|chf|kr|euros?|pounds?|dollars?)\b|\bfree (?:of charge|until)\b|\b(?:half|full) (?:the )?(?:price|fee|fare|rate)\b|\pL: ?\d{1,5}(?:[.,]\d\d)?\s*$`)
	asksTime  = regexp.MustCompile(`(?i)\b(?:when|what (?:time|day|date)|(?:which|what) (?:day|month|year)|by when|since when)\b[^,]*\?|^when (?:was|were|did|is|are|does|do|will|can)\b`)
	hasTime   = regexp.MustCompile(`(?i)\d{4}-\d\d|\b\d{1,2}/\d{1,2}/\d{2}|\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?[ap]\.?m\b|\b(?:19|20)\d\d\b|\b(?:in|since|from|until|before|after|around) 1[0-8]\d\d\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|` +
		`\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\b(?:[0-3]?\d (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))\b`)
)

// Questions for a reason or a version, and their answers.
var (
	asksWhy   = regexp.MustCompile(`(?i)^why\b|\bfor what reason\b|为什么|为何|为啥`)
	hasReason = regexp.MustCompile(`(?i)\b(?:because|otherwise|so that|in order (?:to|that)|reasons?|therefore|due to|avoids?|prevents?)\b|` +
		`(?:^|[;.,] )(?:if|unless) .{2,60}\bnot\b|[;,] since\b|因为|由于|以免|以防|避免|否则|为了|原因|之所以`)
	asksVersion = regexp.MustCompile(`(?i)\b(?:which|what) (?:[a-z]+ )?versions?\b|哪个?版本`)
	hasVersion  = regexp.MustCompile(`(?i)\bversions? \d|\bv?\d+\.\d+`)
)

// hanSum finds a sum of money in Chinese, also as a share or as so many months' rent.
const hanSum = `\d ?万?[元块]|\d ?%|百分之|[一二三四五六七八九十百千万]+[元块]|` +
	`[一二两三四五六\d]个月的?(?:[房月]?租金?|工资)|[一二三四五六七八九]成[^立为员果功熟本年]`

// kinds are pairs of patterns: a question, and its answer. The first match decides.
var kinds = []struct{ asks, has *regexp.Regexp }{
	{regexp.MustCompile(`(?:[付赔罚扣]|利息|税|费率|工资|报酬|补偿|补贴).*(?:多少(?:[钱元块]|[\s？?。]*$)|几[元块成])`),
		regexp.MustCompile(hanSum)},
	{regexp.MustCompile(`钱|价格|价钱|售价|费用|几块`), regexp.MustCompile(hanSum + `|价（元）|单价|免费`)},
	{regexp.MustCompile(`多[长久]|[几多少]+(?:天|年|个月|小时|分钟|星期)|期限`),
		regexp.MustCompile(`[\d一二两三四五六七八九十半]个?(?:年|月|天|周|日|小时|分钟|星期)`)},
	{regexp.MustCompile(`几[点号]|何时|哪[天年月]|[什啥]么?时候`),
		regexp.MustCompile(`\d[:：]\d\d|[\d一二三四五六七八九十][点日号月年]|周[一二三四五六日]`)},
	{regexp.MustCompile(`谁|哪位`), regexp.MustCompile(`由|负责|主持|现在是|联系|审批|[：:]\p{Han}{2,3}$|[主经]理|主任`)},
	{asksWhy, hasReason},
	{asksVersion, hasVersion},
	{asksPrice, hasPrice},
	{asksTime, hasTime},
	{asksFigure, hasFigure},
	{asksOf, regexp.MustCompile(`$^`)},
	{asksWhat, hasWhat},
}

// Questions for what something is, and definitions.
var (
	asksWhat = regexp.MustCompile(`(?i)^what (?:is|are) (?:an? |the )?[^\s,]+(?: [^\s,]+){0,3}\W*$|` +
		`^what does .{2,40} mean\b|^(?:什么是|何为).{1,15}$|^.{1,15}(?:是什么|是啥|什么意思)[\s？?。！!]*$`)
	hasWhat = regexp.MustCompile(`(?i)^\W*[^.:]{1,60} (?:is|are|means|stands for|refers to) ` +
		`(?:an?|the|what|any|how)\b|^.{1,20}(?:是(?:一|指|用|种)|指的?是|就是|[^立随当旋迅]即[^使将便可刻日]|称为)`)
	// a part or a value of something is not a definition
	asksOf = regexp.MustCompile(`(?i)^what (?:is|are) the (?:.* )?(?:defaults?|maximum|minimum|limits?|sizes?|numbers?|` +
		`names?|differences?|best|ways?|ports?|values?|purpose|address|date|time|versions?)\b`)
)

// AsksWhat reports whether a question asks what something is.
func (q Question) AsksWhat() bool {
	return asksWhat.MatchString(string(q)) && !asksOf.MatchString(string(q))
}

// Fits reports whether a text has what a question asks for: a price, a time, who is responsible, or a figure.
func (q Question) Fits(text string) bool {
	for _, kind := range kinds {
		if kind.asks.MatchString(string(q)) {
			return kind.has.MatchString(text)
		}
	}
	return false
}

var (
	asksWhich = regexp.MustCompile(`(?i)^(?:who|which|what|whose|how many|list)\b|哪|谁|几`)
	isNegated = regexp.MustCompile(`(?i)\b(?:not|never|no|without|missing|outstanding)\b|n[’']t\b|没|未`)
	asksHow   = regexp.MustCompile(`(?i)\bhow (?:do|can|to|should|must)\b|\bwhat (?:should|do|must|can|to) (?:i|we|you|one|do)\b|怎么|怎样|如何|步骤|咋|\b(?:in )?(?:what|which) order\b|顺序`)
	cellYes   = regexp.MustCompile(`(?i)^(?:yes|y|true|x|✓|✔|是|有|已.*)$`)
	cellNo    = regexp.MustCompile(`(?i)^(?:no|n|false|-|–|✗|否|无|没有|未.*|)$`)
)

// Chosen returns the terms of a row's columns, below a table's head, that hold the yes or no that a question
// asks for: "Who has not paid?" is answered by "no" below "paid".
func (q Question) Chosen(head, row string) (terms []string) {
	cells := func(line string) []string {
		return strings.Split(strings.Trim(FirstLine(line), "| "), "|")
	}
	names, values := cells(head), cells(row)
	if head == "" || len(names) != len(values) || !asksWhich.MatchString(string(q)) {
		return nil
	}
	asked := Keywords(string(q))
	for i, name := range names {
		value := strings.TrimSpace(values[i])
		if !isNegated.MatchString(string(q)) && !cellYes.MatchString(value) ||
			isNegated.MatchString(string(q)) && !cellNo.MatchString(value) {
			continue
		}
		of := Tally(1, Terms(name))
		for _, k := range asked {
			if k.In(of) {
				terms = append(terms, k.Terms...)
			}
		}
	}
	return terms
}

// A table with more than widestTable columns is shown with only shownColumns.
const widestTable, shownColumns = 24, 12

// Narrow returns a row of a very wide table, and its head, with fewer columns: the first two, which name the
// row, then those with a word of the question in head or cell, then the next from the left. Any other row is
// unchanged.
func (q Question) Narrow(head, row string) (string, string) {
	const bar = "\x00" // instead of a bar within a cell
	cells := func(line string) []string {
		line = strings.TrimSpace(strings.ReplaceAll(line, `\|`, bar))
		return strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	}
	names, values := cells(FirstLine(head)), cells(row)
	if len(values) > len(names) || len(names) <= widestTable || !strings.HasPrefix(row, "|") {
		return head, row
	}
	keys, of := Keywords(string(q)), min(len(names), len(values)) // a long row continues in another block
	isAsked := func(i int) bool {
		has := Tally(1, append(Terms(names[i]), Terms(values[i])...))
		return slices.ContainsFunc(keys, func(k Keyword) bool { return k.In(has) })
	}
	var chosen []int
	isFirst, isAny := func(i int) bool { return i < 2 }, func(int) bool { return true }
	for _, isOne := range []func(int) bool{isFirst, isAsked, isAny} {
		for i := range of {
			if len(chosen) < shownColumns && !slices.Contains(chosen, i) && isOne(i) {
				chosen = append(chosen, i)
			}
		}
	}
	slices.Sort(chosen)
	joined := func(cells []string) string {
		line := "|"
		for _, i := range chosen {
			line += strings.ReplaceAll(cells[i], bar, `\|`) + "|"
		}
		return line
	}
	return joined(names), joined(values)
}

// AsksHow reports whether a question asks what to do, which a list of steps answers.
func (q Question) AsksHow() bool { return asksHow.MatchString(strings.Map(Simplified, string(q))) }

var asksWhen = regexp.MustCompile(`(?i)^(?:since )?(?:when|(?:on |in )?(?:what|which) (?:day|date|month|year)) (?:was|were|did|has|have)\b`)

// AsksWhen reports whether a question asks when something was, so that the answer has a date.
func (q Question) AsksWhen() bool { return asksWhen.MatchString(string(q)) }

var isYear = regexp.MustCompile(`^(?:19|20)\d\d$`)

// IsYear reports whether a word is the number of a year.
func (k Keyword) IsYear() bool { return isYear.MatchString(k.Text) }

// isNumber reports whether a word is a number but not a year: documents may write it differently.
func isNumber(word string) bool {
	return strings.Trim(word, "0123456789") == "" && !isYear.MatchString(word)
}

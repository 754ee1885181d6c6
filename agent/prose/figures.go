package prose

import (
	"regexp"
	"strings"
)

// Figures returns a pattern for a figure with the unit that a question asks about, such as "30 days" for how
// many days and "64 MB" for what size; nil if it asks for none.
func (q Question) Figures() *regexp.Regexp {
	for _, m := range measures {
		if m.asks.MatchString(string(q)) {
			return m.has
		}
	}
	var counted []string
	for _, m := range countsInHan.FindAllStringSubmatch(string(q), -1) {
		counted = append(counted, m[1])
	}
	for _, m := range counts.FindAllStringSubmatch(string(q), -1) {
		for _, k := range Keywords(m[1]) {
			counted = append(counted, regexp.QuoteMeta(k.Terms[0]))
		}
	}
	if len(counted) == 0 {
		return nil
	}
	return regexp.MustCompile(figure + `(?:[\W_]{0,3}(?:[a-z]+[\W_]+)?|[^\d\s]?)(?:` + strings.Join(counted, "|") + `)`)
}

// figure finds a number, including small ones in words.
const figure = `(?i)(?:\d[\d.,]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty)\b|` +
	`[一二两三四五六七八九十百千万])`

// time finds a unit of time after a number.
const time = `[\W_]{0,3}(?:m?s|sec|min|h|(?:milli|micro)?seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b`

var (
	counts      = regexp.MustCompile(`(?i)\bhow many ((?:[a-z-]+ ){1,2}[a-z-]+)`)
	countsInHan = regexp.MustCompile(`(?:几|多少)[个条位次种]?(\p{Han}{1,2})`)

	// measures are patterns of questions for a time or a size, and of the figures that answer each.
	measures = []struct{ asks, has *regexp.Regexp }{
		{
			regexp.MustCompile(`(?i)\bhow long (?:may|can|must|should|is|are)\b.*\bbe\b`),
			regexp.MustCompile(figure + `[\W_]{0,3}(?:bytes?|characters?|letters|digits|lines|[kmg]i?b)\b`),
		},
		{
			regexp.MustCompile(`(?i)\bhow (?:often|frequently)\b`),
			regexp.MustCompile(figure + time + `|\b(?:every|daily|hourly|weekly|monthly)\b`),
		},
		{regexp.MustCompile(`(?i)\bhow (?:long|soon)\b`), regexp.MustCompile(figure + time)},
		{
			regexp.MustCompile(`(?i)\bhow (?:big|large)\b|\bwhat size\b|` +
				`\bhow much (?:[a-z]+ )?(?:memory|space|room|ram|disk)\b|多大`),
			regexp.MustCompile(`(?i)\d[\W_]{0,3}(?:[kmgt]i?b|bytes?|字节|兆)\b|\d ?\* ?10(?:00|24)\b|` +
				`\b(?:twice|half|times) (?:the|its|as)\b`),
		},
	}
)

// NamesDefault reports whether a text names a default, and the question asks for one or for a figure.
func (q Question) NamesDefault(text string) bool {
	asks := func(what *regexp.Regexp) bool { return what.MatchString(string(q)) }
	return (asks(namesDefault) || asks(asksFigure) || asks(leavesOpen)) && namesDefault.MatchString(text)
}

// leavesOpen finds a question about what applies if nothing is given: "if I do not give one".
var leavesOpen = regexp.MustCompile(`(?i)\b(?:if|when|unless|where) (?:I|we|you|one|it|they|nothing|none)\b[^,.?]*` +
	`\b(?:give|given|set|specif(?:y|ied)|pass(?:ed)?|configured?|cho(?:o?se|osen)|named?|changed?|says?|said|told)\b|` +
	`(?:没有?|不)(?:设置|指定|填写|给出)`)

var namesDefault = regexp.MustCompile(`(?i)\bdefaults?\b|\bout of the box\b|\bstock\b|默认|缺省`)

package figure

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// number reads a figure that begins with a digit.
func (s *scanner) number() {
	isSize := s.i > 1 && s.text[s.i-1] == 'x' && isDigit(s.text[s.i-2]) // 1920x1080
	isNamed := s.inName() && !isSize || s.i > 1 && s.text[s.i-1] == '-' && isLetter(s.text[s.i-2]) ||
		nameBefore.MatchString(s.text[max(0, s.i-10):s.i])
	if s.label() || s.ownName() || isNamed && s.named() || s.version() || s.date() || s.is(clocks) {
		return
	}
	value, end, other := s.mantissa()
	if s.digitsFrom(s.i) == end && pointBefore.MatchString(s.text[max(0, s.i-5):s.i]) {
		value, other = canonical("", s.text[s.i:end]), nil // .5
		if !s.source {
			s.i--
		}
	}
	ways, last := s.scaled(value, end)
	if s.source || last == end {
		ways = append(ways, other...)
	}
	sign := s.sign()
	for i := range ways {
		below := strings.Replace(ways[i][0], "n:", "n:-", 1)
		if sign > 0 && s.source {
			ways = append(ways, []string{below})
		} else if sign > 0 {
			ways[i][0] = below
		}
	}
	if !s.source {
		s.i -= sign
	}
	s.found(last, ways...)
}

// nameBefore matches a name before a number that makes another of it, as in RAID5/6.
var nameBefore = regexp.MustCompile(`[A-Za-z]\d+/$`)

// pointBefore matches the text before a fraction's digits that lacks the zero before its point.
var pointBefore = regexp.MustCompile(`(?:^|[\s(=~≈<>≤≥×|"'])\.$`)

// The text before and after the number of an ownName.
var (
	ownBefore = regexp.MustCompile(
		"(?:^|[^\\w\\x{80}-\\x{10FFFF}])[a-z]{2,}$|(?:^|[ (`])-[A-Za-z]$")
	namePart = regexp.MustCompile(`^[\w\x{80}-\x{10FFFF}]`)
	nameWord = regexp.MustCompile(`^[a-z]{4}`)
)

// ownName skips the number of something that the writer named, such as the machine db1 or web02, a name such
// as wal2json, or an option such as -N1, and reports whether there is one: lower-case letters with one or two
// digits, followed by nothing, or by more lower-case letters than a unit has. A checker compares such names
// with the sources.
func (s *scanner) ownName() bool {
	const longest = 60 // bytes
	end := s.digitsFrom(s.i)
	behind := s.ahead(end)
	if s.source || end-s.i > 2 || !ownBefore.MatchString(s.text[max(0, s.i-longest):s.i]) ||
		namePart.MatchString(behind) && !(nameWord.MatchString(behind) && unitBehind(s.text, end) == "") ||
		behindMark.MatchString(behind) { // el8.5
		return false
	}
	s.i = end
	return true
}

// named reads the digits in a name: H100, GPT-4. Their value counts too, after a hyphen or a point, or if the
// number is so long that few things have it: RFC5424 is RFC 5424.
func (s *scanner) named() bool {
	end := s.digitsFrom(s.i)
	if end < len(s.text) && s.text[end] == '.' && s.digitsFrom(end+1) > end+1 {
		return false // v1.26 is a version, GPT-3.5 has a number
	}
	raw := s.text[s.i:end]
	ways := [][]string{{"i:" + raw}}
	const distinct = 4 // digits
	if s.text[s.i-1] == '-' || !s.source || len(raw) >= distinct {
		ways = append(ways, []string{"n:" + canonical(raw, "")})
	}
	s.found(end, ways...)
	return true
}

var (
	partNumber = `\d+(?:\.\d+)*` // of a part of a text, and of its parts: 3, 3.2, 3.2.1
	aPart      = pattern(partNumber, "")
	// nextPart matches the next number in a list of parts. A word comes before the last one.
	nextPart = pattern(` *(?:(?P<last>,? ?and|,? ?or|to|[&–和与至到及-])|(?P<mark>[,、])) *`+partNumber, "")
	// partUnit matches what numbers after 第 count.
	partUnit = regexp.MustCompile(`^ *(?:[章节图表页步]|小节|部分|阶段|[天周轮批] *[:：])`)
)

// oneLabels lists, for numbers that name one thing, the text before the number and, as their first group,
// what is skipped.
var oneLabels = []struct{ before, skipped *regexp.Regexp }{
	{regexp.MustCompile(`\($`), pattern(`\d\d?`, `\) `)},                     // of an item, (2)
	{regexp.MustCompile("[a-z][a-z\\d]*[`*_]*\\($"), pattern(`[1-9]`, `\)`)}, // of a manual page, varnishd(1)
	{regexp.MustCompile(`(?:^|\W)$`), pattern(`[1-5](?:xx|XX)`, `\b`)},       // of status codes, 5xx
	{regexp.MustCompile(`\b(?:HTTPS?|SPDY|RTSP|SIP)/$`), aPart},              // of a protocol, HTTP/2
	{regexp.MustCompile(`(?:^|[.!?\t]) *` + // of a step that an author labels so: "Day 3: …"
		`(?:Day|Week|Phase|Stage|Wave|Round|Batch|Window|Test|Task|Item) $`),
		pattern(`\d\d?(?: ?[-–] ?\d\d?)?`, `:(?:\D|$)`)},
	{label, aPart},
}

// label skips a number that only names a part of a text, as in section 3.2, chapters 3 and 4 or 图 2, and
// reports whether there is one. A report has parts of its own, and a source's parts are not always numbered
// in its text.
func (s *scanner) label() bool {
	if s.source {
		return false
	}
	before := s.text[max(0, s.i-16):s.i]
	for _, one := range oneLabels {
		if one.before.MatchString(before) {
			if parts, end := s.read(one.skipped); parts != nil {
				s.i = end
				return true
			}
		}
	}
	_, end := s.read(aPart)
	last := s.listed(end)
	if labels.MatchString(before) ||
		strings.HasSuffix(strings.TrimRight(before, " "), "第") && partUnit.MatchString(s.ahead(last)) {
		s.i = last
		return true
	}
	return false
}

// The words for a part of a text before its number, and those that several numbers may follow: 表2, but not
// 代表200人.
var (
	label = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:figure|fig|table|tab|section|sec|chapter|appendix|equation|eq|page|p|` +
		`line|step|hop|footnote|paragraph|part|cause|reason|case|option|example|question|scenario|query|command|` +
		`statement|listing|rule|check|test|trap)[ .]*$`)
	labels = regexp.MustCompile(`(?i)(?:(?:^|[^a-z])(?:figures|figs|tables|sections|secs|chapters|appendices|` +
		`equations|eqs|pages|pp|lines|steps|hops|footnotes|paragraphs|queries|commands|statements|listings|rules|` +
		`checks|tests|traps)|` +
		`(?:^|[^代发])表|(?:^|[^地试企意力])图|§|附录|原因|步骤|情形|做法)[ .]*$`)
)

// listed skips further numbers of parts, but not amounts: "in tables 2 and 3, 12 percent".
func (s *scanner) listed(end int) int {
	for {
		m := nextPart.FindStringSubmatch(s.ahead(end))
		if m == nil {
			return end
		}
		next := end + len(m[1])
		ends := m[2] != "" || !nextPart.MatchString(s.ahead(next))
		switch {
		case ends && (m[3] == "," || s.amount(next)):
			return end
		case ends:
			return next
		}
		end = next
	}
}

// amount reports whether the number up to end is no label's: a share, a year, or in Chinese a count.
func (s *scanner) amount(end int) bool {
	if zeros, _ := s.multiplier(end); zeros > 0 || end-s.i > 3 && s.digitsFrom(end-4) == end {
		return true
	}
	rest := strings.TrimLeft(s.text[end:], " ")
	behind, _ := utf8.DecodeRuneInString(rest)
	return share.MatchString(rest) || unicode.Is(unicode.Han, behind) &&
		!strings.ContainsRune("章节小图表页步所显中可说给列", behind)
}

// share matches what makes a number a percentage or the like.
var share = regexp.MustCompile(`^(?:[%‰°]|per ?cent)`)

var (
	versionMark = regexp.MustCompile(`(?:^|[^A-Za-z])[vV]$`)
	thousands   = regexp.MustCompile(`^\d{1,3}(?:\.\d{3}){2,}$`) // 1.234.567
)

// version reads 1.26.5, and v1.26.
func (s *scanner) version() bool {
	parts, end := s.read(aPart)
	raw := parts[""]
	groups := strings.Split(raw, ".")
	dots := len(groups) - 1
	if marked := versionMark.MatchString(s.text[max(0, s.i-2):s.i]); dots < 2 && !(marked && dots == 1) {
		return false
	}
	if s.is(dotted, []string{"v:" + raw}) {
		return true
	}
	ways := [][]string{{"v:" + raw}}
	if s.source && dots == 2 { // v0.5.0 is in the series 0.5
		ways = append(ways, []string{"v:" + groups[0] + "." + groups[1]})
	}
	if s.source && dots <= 2 {
		ways = append(ways, []string{"n:" + canonical(groups[0], groups[1])})
	}
	if thousands.MatchString(raw) {
		ways = append(ways, []string{"n:" + canonical(strings.Join(groups, ""), "")})
	}
	s.found(end, ways...)
	return true
}

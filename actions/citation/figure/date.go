package figure

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// monthNumbers maps English month names, also in capitals and by their first three letters, to their numbers.
var monthNumbers, monthName = func() (map[string]int, string) {
	numbers, forms := map[string]int{"Sept": 9}, []string{"Sept"}
	for month := time.January; month <= time.December; month++ {
		name := month.String()
		for _, form := range []string{name, strings.ToUpper(name), name[:3]} {
			numbers[form] = int(month)
			forms = append(forms, form)
		}
	}
	return numbers, "(?P<month>" + strings.Join(forms, "|") + ")"
}()

// Parts of the date patterns. Some may be in Chinese characters.
const (
	aDay      = `(?:3[01]|[12]\d|0?[1-9])`
	aMonth    = `(?P<month>1[0-2]|0?[1-9]|[` + numerals + `]+)`
	aYear     = `(?P<year>[12]\d{3})`
	ordinal   = `(?:st|nd|rd|th)?`
	until     = `(?:[-–—]| to | and ) *`
	yearAfter = `(?:[ .,\n-]{1,2}` + aYear + `)?`
	dayAfter  = `(?: *(?P<day>` + aDay + `|[` + numerals + `]+) *[日号號])?`
)

// pattern compiles an expression from what it reads and what may follow.
func pattern(reads, follows string) *regexp.Regexp {
	return regexp.MustCompile(`^(` + reads + `)(?:` + follows + `|$)`)
}

// form is a notation for figures; means returns what its parts mean, or nothing if they make no sense.
type form struct {
	pattern *regexp.Regexp
	means   func(parts map[string]string, source bool) [][]string
}

// dates are the forms that begin with a digit or a Chinese numeral. In a range of days, other is the first.
var dates = []form{
	{pattern(aYear+`-`+aMonth+`-(?P<day>`+aDay+`)`, `\D`), dated}, // 2024-03-14
	{pattern(aYear+`/`+aMonth+`/(?P<day>`+aDay+`)`, `\D`), dated}, // 2024/3/14
	// 14 March 2024, 14th of March, 14–16 March 2024
	{pattern(`(?:(?P<other>`+aDay+`)`+ordinal+until+`)?(?P<day>`+aDay+`)`+ordinal+`[ \n-]{1,2}(?:of )?`+
		monthName+yearAfter, `[^A-Za-z\d]`), dated},
	// 2024年3月14日, 1990年代
	{pattern(`(?P<year>\d{4}|[`+numerals+`]+) *年(?: *`+aMonth+` *月`+dayAfter+`| *代)?`, ""), dated},
	{pattern(aMonth+` *月`+dayAfter, ""), dated},
	{pattern(`(?P<one>\d\d?)/(?P<two>\d\d?)/(?P<year>\d{4})`, `\D`), slashed},
	{pattern(aYear+`(?:-|/|(?P<until>–))(?P<last>\d\d)`, `\D`), years},
	{pattern(`(?:(?P<century>\d\d?|[`+numerals+`]+) *世纪 *)?(?:(?P<decade>\d\d?|[`+numerals+
		`]+) *年代)?`, ""), century},
}

// dotted are forms such as 14.03.2024 and 2024.03.14, which look like versions.
var dotted = []form{
	{pattern(`(?P<day>`+aDay+`)\.`+aMonth+`\.`+aYear, `[^\d.]|\.\D|\.$`), dated},
	{pattern(aYear+`\.`+aMonth+`\.(?P<day>`+aDay+`)`, `[^\d.]|\.\D|\.$`), dated},
}

// monthFirst are March 14, 2024, March 14–16, March 2024, and in a source March alone.
var monthFirst = []form{{pattern(monthName+`(?:[ .\n]{1,2}(?P<day>`+aDay+`)`+ordinal+`(?:`+until+
	`(?P<other>`+aDay+`)`+ordinal+`)?)?`+yearAfter, `[^A-Za-z\d.%]|\.\D|\.$`),
	func(parts map[string]string, source bool) [][]string {
		if !source && parts["day"]+parts["year"] == "" {
			return nil
		}
		return dated(parts, source)
	}}}

// clocks are 10:30, 2:30 pm, and 10点30分.
var clocks = []form{{pattern(`(?P<hour>\d\d?)(?::| *[点时])(?P<minute>[0-5]\d)`,
	` *(?P<pm>pm|p\.m|PM|P\.M)|\D`), clock}}

// is reads the first of some forms that means something here, and reports whether there is one. Its other
// possible meanings are given by other.
func (s *scanner) is(forms []form, other ...[]string) bool {
	for _, f := range forms {
		if parts, end := s.read(f.pattern); parts != nil {
			if ways := f.means(parts, s.source); len(ways) > 0 {
				s.found(end, append(ways, other...)...)
				return true
			}
		}
	}
	return false
}

// read returns the named groups of a pattern at the scanner's position, and the end of what it reads.
func (s *scanner) read(p *regexp.Regexp) (parts map[string]string, end int) {
	at := p.FindStringSubmatchIndex(s.ahead(s.i))
	if at == nil || at[3] == 0 {
		return nil, s.i
	}
	parts = map[string]string{}
	for i, name := range p.SubexpNames() {
		if at[2*i] >= 0 {
			parts[name] = s.text[s.i+at[2*i] : s.i+at[2*i+1]]
		}
	}
	return parts, s.i + at[3]
}

// count returns the number in a part of a date, in any notation, or 0.
func count(part string) int {
	if month := monthNumbers[part]; month > 0 {
		return month
	}
	if isNumeral(part) {
		part = chinese(part)
	}
	n, _ := strconv.Atoi(part) // at most four digits; a longer Chinese one is not part of a date
	return n
}

// day is a date, with 0 for missing parts.
type day struct{ year, month, day int }

func (d day) valid() bool {
	return (d.year == 0 || d.year >= 1000 && d.year <= 2999) && d.month <= 12 && d.day <= 31 && d != day{}
}

// key returns the canonical form of the date, as exact as it is given.
func (d day) key() string {
	switch {
	case d.day > 0 && d.year > 0:
		return fmt.Sprintf("d:%04d-%02d-%02d", d.year, d.month, d.day)
	case d.day > 0:
		return fmt.Sprintf("md:%02d-%02d", d.month, d.day)
	case d.year > 0 && d.month > 0:
		return fmt.Sprintf("m:%04d-%02d", d.year, d.month)
	case d.month > 0:
		return fmt.Sprintf("mon:%02d", d.month)
	}
	return whole(d.year)
}

// whole returns the key of a whole number.
func whole(n int) string { return "n:" + strconv.Itoa(n) }

// ways returns the date, and for a source also all that it implies.
func (d day) ways(source bool) [][]string {
	ways := [][]string{{d.key()}}
	if source && d.month > 0 {
		for _, part := range []day{{d.year, d.month, 0}, {0, d.month, d.day}, {0, d.month, 0}} {
			ways = append(ways, []string{part.key()})
		}
	}
	for _, n := range []int{d.year, d.day} {
		if source && n > 0 {
			ways = append(ways, []string{whole(n)})
		}
	}
	return ways
}

// date reads the dates that begin with a digit or a Chinese numeral.
func (s *scanner) date() bool { return (s.i == 0 || s.text[s.i-1] != '.') && s.is(dates) }

// dated reads a date. In a range, the other day is an alternative in a source; in a sentence it is required.
func dated(parts map[string]string, source bool) [][]string {
	d := day{count(parts["year"]), count(parts["month"]), count(parts["day"])}
	other := count(parts["other"])
	if !d.valid() {
		return nil
	}
	ways := d.ways(source)
	switch first := (day{d.year, d.month, other}); {
	case other > 0 && source:
		ways = append(ways, first.ways(true)...)
	case other > 0:
		ways[0] = append(ways[0], first.key())
	case d.year+d.day == 0 && parts["month"] != "" && monthNumbers[parts["month"]] == 0:
		ways = append(ways, []string{whole(d.month)}) // 3月 may mean three months
	}
	return ways
}

// slashed reads 3/14/2024 and 14/3/2024. If both readings are possible, either will do.
func slashed(parts map[string]string, source bool) (ways [][]string) {
	year, one, two := count(parts["year"]), count(parts["one"]), count(parts["two"])
	for _, d := range []day{{year, one, two}, {year, two, one}} {
		if one > 0 && two > 0 && d.valid() {
			ways = append(ways, d.ways(source)...)
		}
	}
	return ways
}

// years reads 2024-03, and ranges such as 2010-15.
func years(parts map[string]string, source bool) [][]string {
	year, last := count(parts["year"]), count(parts["last"])
	month := day{year: year, month: last}
	ways := [][]string{{whole(year), whole(year/100*100 + last)}}
	switch {
	case last == 0, last <= year%100 && (last > 12 || parts["until"] != ""):
		return nil
	case last <= 12 && parts["until"] == "":
		// 2010-12 may be three years; in a report it is a month, otherwise any 2010 and any 12 would match
		ways = month.ways(source)
		if source {
			ways = append(ways, []string{whole(last), whole(year/100*100 + last)})
		}
	case source:
		ways = append(ways, []string{whole(last), month.key()})
	}
	return ways
}

// century reads 20世纪90年代, which is also 1990s, and 90年代.
func century(parts map[string]string, _ bool) [][]string {
	c, decade := count(parts["century"]), count(parts["decade"])
	switch {
	case c > 0 && decade > 0:
		return [][]string{{whole((c-1)*100 + decade)}, {whole(decade), whole(c)}}
	case decade > 0:
		return [][]string{{whole(decade)}, {whole(1900 + decade)}}
	}
	if c == 0 {
		return nil // 00年代, or what is no number
	}
	return [][]string{{whole(c)}}
}

// clock reads a time of day.
func clock(parts map[string]string, source bool) [][]string {
	hour, minute := count(parts["hour"]), count(parts["minute"])
	key := func(hour int) []string { return []string{fmt.Sprintf("c:%d:%02d", hour, minute)} }
	ways := [][]string{key(hour)}
	if parts["pm"] != "" && hour < 12 {
		ways = append(ways, key(hour+12))
	}
	if source {
		ways = append(ways, []string{whole(hour)}, []string{whole(minute)})
	}
	return ways
}

package figure

import (
	"strconv"
	"strings"
)

// dayFirst reads 14 March 2024, 14th of March, 14–16 March 2024, and 14/3/2024.
func (s *scanner) dayFirst(n, end int) bool {
	if n < 1 || n > 31 {
		return false
	}
	if end < len(s.text) && s.text[end] == '/' {
		return s.slashed(n, end)
	}
	first, days := 0, n
	e := s.ordinal(end)
	if second, last := s.rangeEnd(e); second > 0 {
		first, days, e = n, second, last
	}
	month, e, ok := s.month(e)
	if !ok {
		return false
	}
	year, e := s.year(e)
	ways := day{year, month, days}.ways(s.source)
	if first > 0 {
		s.both(&ways, day{year, month, first})
	}
	s.found(e, ways...)
	return true
}

// both adds the other day of a range: of a source it is there, too, of a sentence it must be.
func (s *scanner) both(ways *[][]string, other day) {
	if s.source {
		*ways = append(*ways, other.ways(true)...)
		return
	}
	(*ways)[0] = append((*ways)[0], other.key())
}

func (s *scanner) ordinal(i int) int {
	for _, ending := range [...]string{"st", "nd", "rd", "th"} {
		if strings.HasPrefix(s.text[i:], ending) {
			return i + len(ending)
		}
	}
	return i
}

// month reads the name of a month behind a day.
func (s *scanner) month(i int) (month, end int, ok bool) {
	start := i
	i = s.skip(i, " -\n")
	if rest, found := strings.CutPrefix(s.text[i:], "of "); found {
		i = len(s.text) - len(rest)
	}
	end = s.lettersFrom(i)
	month = monthOf(s.text[i:end])
	return month, end, month > 0 && i > start
}

// year reads the year behind a month, if it is said.
func (s *scanner) year(i int) (year, end int) {
	end = s.skip(i, " .,-\n")
	e := s.digitsFrom(end)
	if e-end != 4 || end == i {
		return 0, i
	}
	year, err := strconv.Atoi(s.text[end:e])
	if err != nil || year < 1000 || year > 2999 {
		return 0, i
	}
	return year, e
}

// monthFirst reads March 14, 2024, March 14–16, and March 2024, given where the month ends.
func (s *scanner) monthFirst(end int) bool {
	if s.inName() {
		return false
	}
	month := monthOf(s.text[s.i:end])
	if year, e := s.year(end); year > 0 {
		s.found(e, day{year: year, month: month}.ways(s.source)...)
		return true
	}
	n, e := s.dayBehind(end)
	if n == 0 {
		if s.source {
			s.found(end, day{month: month}.ways(true)...)
		}
		return s.source
	}
	last, e := s.rangeEnd(e)
	year, e := s.year(e)
	ways := day{year, month, n}.ways(s.source)
	if last > 0 {
		s.both(&ways, day{year, month, last})
	}
	s.found(e, ways...)
	return true
}

// dayBehind reads the day behind a month's name, 0 when that is another number.
func (s *scanner) dayBehind(end int) (n, e int) {
	at := s.skip(end, " .\n")
	if at == end || at >= len(s.text) || !isDigit(rune(s.text[at])) {
		return 0, end
	}
	n, e = s.small(at, 2)
	fraction := strings.HasPrefix(s.text[e:], ".") && s.digitsFrom(e+1) > e+1
	if n > 31 || fraction || strings.HasPrefix(s.text[e:], "%") {
		return 0, end
	}
	return n, s.ordinal(e)
}

// rangeEnd reads the second day of a range, 0 when there is none.
func (s *scanner) rangeEnd(e int) (n, end int) {
	for _, to := range [...]string{"-", "–", "—", " to ", " and "} {
		rest, ok := strings.CutPrefix(s.text[e:], to)
		if !ok {
			continue
		}
		at := s.blanks(len(s.text) - len(rest))
		if n, last := s.small(at, 2); n > 0 && n <= 31 && isDigit(rune(s.text[at])) {
			return n, s.ordinal(last)
		}
		break
	}
	return 0, e
}

// slashed reads 3/14/2024 and 14/3/2024. Where both can be meant, either will do.
func (s *scanner) slashed(first, end int) bool {
	second, e := s.small(end+1, 2)
	if second < 1 || e >= len(s.text) || s.text[e] != '/' {
		return false
	}
	year, last := s.small(e+1, 4)
	if last-e-1 != 4 {
		return false
	}
	var ways [][]string
	for _, d := range []day{{year, first, second}, {year, second, first}} {
		if d.valid() {
			ways = append(ways, d.ways(s.source)...)
		}
	}
	if len(ways) == 0 {
		return false
	}
	s.found(last, ways...)
	return true
}

// clock reads 10:30, 2:30 pm, and of a source 10点30分.
func (s *scanner) clock() bool {
	hour, end := s.small(s.i, 2)
	if end == s.i || end-s.i > 2 {
		return false
	}
	e, ok := s.after(end, "点", "时")
	if !ok {
		if end >= len(s.text) || s.text[end] != ':' {
			return false
		}
		e = end + 1
	}
	last := s.digitsFrom(e)
	if last-e != 2 || s.text[e] > '5' {
		return false
	}
	minute := s.text[e:last]
	ways := [][]string{{"c:" + strconv.Itoa(hour) + ":" + minute}}
	if _, pm := s.after(last, "pm", "p.m", "PM", "P.M"); pm && hour < 12 {
		ways = append(ways, []string{"c:" + strconv.Itoa(hour+12) + ":" + minute})
	}
	if s.source {
		ways = append(ways, []string{"n:" + strconv.Itoa(hour)}, []string{"n:" + canonical(minute, "")})
	}
	s.found(last, ways...)
	return true
}

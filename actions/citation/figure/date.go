package figure

import (
	"fmt"
	"strconv"
	"strings"
)

// monthOf is the number of an English month, by its name or its first three letters, 0 for another word.
func monthOf(word string) int {
	if len(word) < 3 || len(word) > 9 || word[0] > 'Z' {
		return 0
	}
	for i, name := range [...]string{"January", "February", "March", "April", "May", "June", "July", "August",
		"September", "October", "November", "December"} {
		if word == name || len(word) == 3 && word == name[:3] || word == "Sept" && i == 8 ||
			strings.EqualFold(word, name) && word == strings.ToUpper(name) {
			return i + 1
		}
	}
	return 0
}

// day is a date, with 0 for what is not said.
type day struct{ year, month, day int }

func (d day) valid() bool {
	return (d.year == 0 || d.year >= 1000 && d.year <= 2999) && d.month >= 0 && d.month <= 12 && d.day >= 0 &&
		d.day <= 31
}

// key is the date in one spelling, as exact as it is said.
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
	return "n:" + strconv.Itoa(d.year)
}

// ways gives the date, and of a source also all that is said with it.
func (d day) ways(source bool) [][]string {
	ways := [][]string{{d.key()}}
	if !source {
		return ways
	}
	for _, part := range []day{{d.year, d.month, 0}, {0, d.month, d.day}, {0, d.month, 0}} {
		if part.month > 0 {
			ways = append(ways, []string{part.key()})
		}
	}
	for _, n := range []int{d.year, d.day} {
		if n > 0 {
			ways = append(ways, []string{"n:" + strconv.Itoa(n)})
		}
	}
	return ways
}

// small reads a number of at most most digits at i, in ASCII or, for a date, in Chinese characters.
func (s *scanner) small(i, most int) (n, end int) {
	end = s.digitsFrom(i)
	if end == i {
		return s.chineseSmall(i, most)
	}
	if end-i > most {
		return 0, i
	}
	n, err := strconv.Atoi(s.text[i:end])
	if err != nil {
		return 0, i
	}
	return n, end
}

// date reads the dates that begin with a digit or a Chinese numeral.
func (s *scanner) date() bool {
	n, end := s.small(s.i, 4)
	if end == s.i || s.i > 0 && s.text[s.i-1] == '.' {
		return false
	}
	if e, ok := s.after(end, "年"); ok && n >= 1000 {
		return s.chineseDate(day{year: n}, e)
	}
	if e, ok := s.after(end, "世纪"); ok && n <= 30 {
		return s.decade(n, e)
	}
	if e, ok := s.after(end, "年代"); ok && n < 100 {
		s.found(e, []string{"n:" + strconv.Itoa(n)}, []string{"n:" + strconv.Itoa(1900+n)})
		return true
	}
	if e, ok := s.after(end, "月"); ok && n >= 1 && n <= 12 {
		return s.chineseMonth(day{month: n}, e)
	}
	switch end - s.i {
	case 4:
		return s.yearFirst(n, end)
	case 1, 2:
		return s.dayFirst(n, end)
	}
	return false
}

func (s *scanner) chineseDate(d day, end int) bool {
	if n, e := s.small(s.blanks(end), 2); n > 0 {
		if e, ok := s.after(e, "月"); ok && n <= 12 {
			d.month = n
			return s.chineseMonth(d, e)
		}
	}
	if e, ok := s.after(end, "代"); ok {
		end = e
	}
	s.found(end, []string{"n:" + strconv.Itoa(d.year)})
	return true
}

func (s *scanner) chineseMonth(d day, end int) bool {
	if n, e := s.small(s.blanks(end), 2); n > 0 && n <= 31 {
		if e, ok := s.after(e, "日", "号", "號"); ok {
			d.day, end = n, e
		}
	}
	ways := d.ways(s.source)
	if d.day == 0 && d.year == 0 {
		ways = append(ways, []string{"n:" + strconv.Itoa(d.month)})
	}
	s.found(end, ways...)
	return true
}

// decade reads 20世纪90年代, which is also 1990s.
func (s *scanner) decade(century, end int) bool {
	c := "n:" + strconv.Itoa(century)
	n, e := s.small(s.blanks(end), 2)
	e, ok := s.after(e, "年代")
	if n == 0 || !ok {
		s.found(end, []string{c})
		return true
	}
	decade := []string{"n:" + strconv.Itoa(n)}
	year := []string{"n:" + strconv.Itoa((century-1)*100+n)}
	s.found(e, year, append(decade, c))
	return true
}

// yearFirst reads 2024-03-14, 2024/3/14, 2024.03.14, 2024-03, and the range 2010-15.
func (s *scanner) yearFirst(year, end int) bool {
	if end >= len(s.text) || year < 1000 || year > 2999 {
		return false
	}
	mark := s.text[end]
	if strings.HasPrefix(s.text[end:], "–") {
		return s.years(year, end+len("–"))
	}
	if mark != '-' && mark != '/' {
		return false
	}
	n, e := s.small(end+1, 2)
	if e == end+1 || e-end-1 > 2 {
		return false
	}
	if n >= 1 && n <= 12 && e < len(s.text) && s.text[e] == mark {
		if d, last := s.small(e+1, 2); d >= 1 && d <= 31 && last > e+1 {
			s.found(last, day{year, n, d}.ways(s.source)...)
			return true
		}
	}
	if n >= 1 && n <= 12 && e-end-1 == 2 {
		ways := day{year: year, month: n}.ways(s.source)
		// 2010-12 may be three years; in a report it is a month, otherwise any 2010 and any 12 would do for
		// it
		if s.source {
			ways = append(ways, []string{"n:" + strconv.Itoa(n), "n:" + strconv.Itoa(year/100*100+n)})
		}
		s.found(e, ways...)
		return true
	}
	return s.years(year, end+1)
}

// years reads the end of a range such as 2010–15.
func (s *scanner) years(year, from int) bool {
	n, e := s.small(from, 2)
	if e-from != 2 || !isDigit(rune(s.text[from])) || n <= year%100 {
		return false
	}
	ways := [][]string{{"n:" + strconv.Itoa(year), "n:" + strconv.Itoa(year/100*100+n)}}
	if s.source {
		ways = append(ways, []string{"n:" + strconv.Itoa(n), day{year: year, month: n}.key()})
	}
	s.found(e, ways...)
	return true
}

// dotted reads 14.03.2024 and 2024.03.14, which look like versions.
func (s *scanner) dotted(raw string, end int) bool {
	var n [3]int
	for i, part := range strings.SplitN(raw, ".", 3) {
		v, err := strconv.Atoi(part)
		if err != nil || len(part) == 3 || len(part) > 4 {
			return false
		}
		n[i] = v
	}
	d := day{n[0], n[1], n[2]}
	if n[2] > 31 {
		d = day{n[2], n[1], n[0]}
	}
	if !d.valid() || d.year == 0 || d.month == 0 || d.day == 0 {
		return false
	}
	s.found(end, append(d.ways(s.source), []string{"v:" + raw})...)
	return true
}

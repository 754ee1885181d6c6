package figure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Set holds the figures of a passage, in every reading, each with its units there.
type Set struct{ units map[string][]string }

// Add reads the figures of a text into the set; columnHead is that of a table cell.
func (s *Set) Add(text, columnHead string) {
	if s.units == nil {
		s.units = map[string][]string{}
	}
	unitOfColumn, zeros := column(columnHead)
	read := scanner{text: narrow(text), source: true, give: func(f Figure) {
		name := cmp.Or(f.Unit, unitOfColumn)
		for _, way := range f.ways {
			for _, key := range way {
				s.put(key, name)
				if value, ok := strings.CutPrefix(key, "n:"); ok && zeros > 0 &&
					!strings.HasPrefix(value, "-") {
					s.put("n:"+shift(value, zeros), name)
				}
			}
		}
	}}
	read.scan()
}

func (s *Set) put(key, name string) {
	if !slices.Contains(s.units[key], name) {
		s.units[key] = append(s.units[key], name)
	}
	if value, ok := strings.CutPrefix(key, "n:"); ok && name != "" {
		if q := quantity(value, name); q != "" {
			s.units[q] = []string{name}
		}
	}
}

// Look reports whether a figure is in the set. If it is there with other units only, it returns one of them.
func (s *Set) Look(f Figure) (found bool, other string) {
	isMissing := func(key string) bool { return s.units[key] == nil }
	for _, way := range f.ways {
		if slices.ContainsFunc(way, isMissing) {
			continue
		}
		units := s.units[way[0]]
		if len(way) > 1 || f.Unit == "" || !strings.HasPrefix(way[0], "n:") ||
			slices.ContainsFunc(units, func(u string) bool { return u == "" || alike(u, f.Unit) }) {
			return true, ""
		}
		other = units[0]
	}
	isPlain := len(f.ways) == 1 && len(f.ways[0]) == 1
	return isPlain && s.HasAmount(f) || s.rounds(f), other
}

// rounds reports whether a figure of three digits or more is a rounded one of the set, in its unit: 3.82 s is
// 3.820807 s. Without a unit it may be a version.
func (s *Set) rounds(f Figure) bool {
	value, isNumber := strings.CutPrefix(f.ways[0][0], "n:")
	_, decimals, broken := strings.Cut(value, ".")
	if f.Unit == "" || !isNumber || !broken || len(f.ways[0]) > 1 || len(strings.Trim(value, "-0.")) < 4 {
		return false
	}
	for key, units := range s.units {
		exact, err := strconv.ParseFloat(strings.TrimPrefix(key, "n:"), 64)
		fits := slices.ContainsFunc(units, func(u string) bool { return alike(u, f.Unit) })
		if err == nil && fits && strconv.FormatFloat(exact, 'f', len(decimals), 64) == value {
			return true
		}
	}
	return false
}

// Has is Look without the unit.
func (s *Set) Has(f Figure) bool {
	found, _ := s.Look(f)
	return found
}

// HasAmount reports whether the set has a figure as an amount, in its unit or converted.
func (s *Set) HasAmount(f Figure) bool {
	value, isNumber := strings.CutPrefix(f.ways[0][0], "n:")
	return isNumber && s.units[quantity(value, f.Unit)] != nil
}

// alike reports whether two units may mean the same: MB is often written for Mb.
func alike(a, b string) bool { return a == b || a == "bit" && b == "byte" || a == "byte" && b == "bit" }

// IsName reports whether a figure names something, such as a year, or the number in UTF-8.
func (f Figure) IsName() bool {
	for _, key := range f.ways[0] {
		year := integer(key)
		isYear := year >= 1900 && year <= 2099 && !strings.ContainsAny(f.Text, ",.' ")
		if !isYear && !strings.HasPrefix(key, "i:") {
			return false
		}
	}
	return true
}

// Small reports whether a figure is a number up to twelve without a unit, which nearly every passage has.
func (f Figure) Small() bool {
	n := integer(f.ways[0][0])
	return f.Unit == "" && len(f.ways[0]) == 1 && n >= 0 && n <= lastInProse
}

// integer returns the whole number of a key, or -1.
func integer(key string) int {
	value, isNumber := strings.CutPrefix(key, "n:")
	if n, err := strconv.Atoi(value); isNumber && err == nil {
		return n
	}
	return -1
}

// Within reports whether a test holds for all parts of one reading, such as the ends of a range.
func (f Figure) Within(test func(part Figure) bool) bool {
	return slices.ContainsFunc(f.ways, func(way []string) bool {
		return !slices.ContainsFunc(way, func(key string) bool {
			return !test(Figure{Text: f.Text, Unit: f.Unit, ways: [][]string{{key}}})
		})
	})
}

// Comparable reports whether two figures are of one sort: both are amounts of one dimension, numbers without
// a unit, years, dates or versions.
func (f Figure) Comparable(other Figure) bool { return f.sort() != "i" && f.sort() == other.sort() }

// sort returns the sort of a figure: its dimension or unit, or the prefix of its key.
func (f Figure) sort() string {
	sort, _, _ := strings.Cut(f.ways[0][0], ":")
	switch {
	case f.Unit != "":
		return cmp.Or(units[f.Unit].dimension, f.Unit)
	case strings.HasSuffix(sort, "d") || sort == "m" || sort == "n" && f.IsName():
		return "date"
	}
	return sort
}

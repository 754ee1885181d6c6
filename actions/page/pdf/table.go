package pdf

import (
	"math"
	"slices"
)

// pdfTable is a run of lines whose words leave the same gutters free.
type pdfTable struct {
	lines     []pdfLine
	gutters   []span
	low, step float64 // the lowest base so far, and the greatest distance from row to row
	rows      []tableRow
}

// span is a stretch of a page's width.
type span struct{ left, right float64 }

// maxTableLines and mostGutters bound a table, and so the work for a hostile page.
const maxTableLines, mostGutters = 120, 60

// withTables marks the lines of a page that are rows of tables, and returns where the tables begin.
func (l pdfLayout) withTables(lines []pdfLine) map[int]pdfTable {
	tables := map[int]pdfTable{}
	for i := 0; i < len(lines); {
		if !lines[i].hasGap() {
			i++
			continue
		}
		from := i
		for from > 0 && i-from < 8 && !lines[from-1].isRow && lines[from-1].isBeside(lines[i]) {
			from--
		}
		t := tableAt(lines[from:], i-from+1)
		columns := t.columns()
		for n := len(t.lines) - 1; n > i-from && t.lines[n].isSentence(columns); n-- {
			t.lines = t.lines[:n]
		}
		end := from + len(t.lines)
		if t.rows = l.rows(t, columns); isTable(t.rows) {
			tables[from] = t
			for k := from; k < end; k++ {
				lines[k].isRow = true
			}
		} else if end-from < 5 {
			end = i + 1
		}
		i = end
	}
	for i := 1; i < len(lines); i++ { // a table too small to be written as one
		if a, b := &lines[i-1], &lines[i]; half(a.size) == half(b.size) && a.hasGap() && b.hasGap() &&
			!markCell.MatchString(a.words[0].text) && math.Abs(a.end-b.base) < 3*a.size {
			a.isRow, b.isRow = true, true
		}
	}
	return tables
}

// isSentence reports whether a line has nothing but blanks where columns part: it follows the table.
func (l pdfLine) isSentence(columns []span) bool {
	blanks := 0
	for _, g := range columns {
		if next := l.behind(g); next > 0 {
			if l.isWideAt(next) {
				return false
			}
			blanks++
		}
	}
	return blanks > 0
}

// isBeside reports whether a line without a gap belongs to the row of a line behind it.
func (l pdfLine) isBeside(row pdfLine) bool {
	high, low := math.Inf(-1), math.Inf(1)
	for _, word := range row.words {
		high, low = max(high, word.base), min(low, word.base)
	}
	return len(l.words) > 0 && half(l.size) == half(row.size) &&
		l.base < high+0.85*l.size && l.base > low-0.85*l.size
}

// tableAt returns the table that begins with some lines, as far as more fit. The run may turn out to be none.
func tableAt(lines []pdfLine, sure int) pdfTable {
	t := pdfTable{gutters: everywhere}
	for _, line := range lines[:min(len(lines), maxTableLines)] {
		if len(t.lines) >= sure {
			free := without(t.gutters, line)
			isFirst := len(t.lines) == sure
			isNone := len(free) < 3 || len(free) > mostGutters
			if !t.isNear(line) || isNone || t.isCrossed(free) || isFirst && !line.fits(free) {
				break
			}
		}
		t.add(line)
	}
	return t
}

// isCrossed reports whether what a line leaves free misses a gutter between columns.
func (t *pdfTable) isCrossed(free []span) bool {
	isLost := func(g span) bool { return !isFree(g, free) }
	return slices.ContainsFunc(t.gutters, isLost) && slices.ContainsFunc(t.columns(), isLost)
}

// fits reports whether all wide gaps of a line are among free spans.
func (l pdfLine) fits(free []span) bool {
	for i := 1; i < len(l.words); i++ {
		gap := span{l.words[i-1].right, l.words[i].left}
		if gap.right-gap.left >= wideGap*l.size && !isFree(gap, free) {
			return false
		}
	}
	return true
}

// everywhere is what a page without words leaves free.
var everywhere = []span{{-1e7, 1e7}}

func (t *pdfTable) add(line pdfLine) {
	low := line.base
	for _, word := range line.words {
		low = min(low, word.base)
	}
	if len(t.lines) == 0 {
		t.low = low
	}
	t.step = max(t.step, t.low-line.base)
	t.low = min(t.low, low)
	t.lines, t.gutters = append(t.lines, line), without(t.gutters, line)
}

// without returns what a line leaves of free spans. The first and the last of them are the margins.
func without(free []span, line pdfLine) []span {
	const narrowest = 0.1 // of a gutter, in multiples of the size
	for _, word := range line.words {
		var rest []span
		for _, s := range free {
			if word.right <= s.left || s.right <= word.left {
				rest = append(rest, s)
				continue
			}
			if word.left-s.left > narrowest*line.size {
				rest = append(rest, span{s.left, word.left})
			}
			if s.right-word.right > narrowest*line.size {
				rest = append(rest, span{word.right, s.right})
			}
		}
		free = rest
	}
	return free
}

func isFree(g span, free []span) bool {
	return slices.ContainsFunc(free, func(s span) bool { return s.left < g.right && g.left < s.right })
}

// isNear reports whether a line is so close below the last, or beside it, that it may belong to the table.
func (t *pdfTable) isNear(line pdfLine) bool {
	last := t.lines[len(t.lines)-1]
	if len(line.words) == 0 || line.size == 0 {
		return false
	}
	down, far := t.low-line.base, 2.5*line.size
	isAlike := half(line.size) == half(last.size)
	switch {
	case line.hasGap() && t.step == 0:
		far = 3.5 * line.size
	case line.hasGap():
		far = max(far, 1.5*t.step)
	case t.step > 0:
		far = max(1.5*line.size, 1.15*t.step)
	}
	if line.hasGap() { // a head may be a little larger
		isAlike = line.size < 1.3*last.size && last.size < 1.3*line.size
	}
	return isAlike && down <= far && down > -4*line.size
}

// columns returns the gutters between columns: those that are wide in two lines, and in a third of all that
// have words on both sides. A blank that lies beside shorter cells in all other rows is none.
func (t *pdfTable) columns() []span {
	if len(t.gutters) < 3 {
		return nil
	}
	all := slices.DeleteFunc(slices.Clone(t.gutters[1:len(t.gutters)-1]), func(g span) bool {
		both, wide := 0, 0
		for _, line := range t.lines {
			if next := line.behind(g); next > 0 {
				if both++; line.isWideAt(next) {
					wide++
				}
			}
		}
		return wide < 2 || 3*wide < both
	})
	for {
		least, worst := -1, math.Inf(1)
		for i := range all {
			if width, isBlank := t.isBlank(all, i); isBlank && width+t.aligned(all[i]) < worst {
				least, worst = i, width+t.aligned(all[i])
			}
		}
		for i := 0; i < len(all) && least < 0; i++ {
			if !t.parts(all, i) {
				least = i
			}
		}
		if least < 0 {
			return all
		}
		all = slices.Delete(all, least, least+1)
	}
}

// parts reports whether a gutter has words in both columns beside it in some line. Otherwise it is between a
// head in the middle of its column and the cells below at the left.
func (t *pdfTable) parts(all []span, i int) bool {
	middle := func(s span) float64 { return (s.left + s.right) / 2 }
	return slices.ContainsFunc(t.lines, func(line pdfLine) bool {
		isBefore, isBehind := false, false
		for _, word := range line.words {
			at := middle(span{word.left, word.right})
			isBefore = isBefore || at < middle(all[i]) && (i == 0 || at > middle(all[i-1]))
			isBehind = isBehind || at > middle(all[i]) && (i+1 == len(all) || at < middle(all[i+1]))
		}
		return isBefore && isBehind
	})
}

// isBlank reports whether a gutter is narrow in most lines that have words in both columns beside it, and how
// narrow.
func (t *pdfTable) isBlank(all []span, i int) (width float64, is bool) {
	narrow, wide := 0, 0
	for _, line := range t.lines {
		next := line.behind(all[i])
		if next <= 0 {
			continue
		}
		gap := span{line.words[next-1].right, line.words[next].left}
		if i > 0 && gap.left <= all[i-1].left || i+1 < len(all) && gap.right >= all[i+1].right {
			continue
		}
		if line.isWideAt(next) {
			wide++
			continue
		}
		narrow++
		width += (gap.right - gap.left) / line.size
	}
	return width / float64(max(narrow, 1)), narrow > wide
}

// aligned returns in how many lines the words behind a gutter begin at the same place, at most.
func (t *pdfTable) aligned(g span) float64 {
	most, at := 0, map[float64]int{}
	for _, line := range t.lines {
		if next := line.behind(g); next > 0 {
			left := math.Round(line.words[next].left)
			at[left]++
			most = max(most, at[left])
		}
	}
	return float64(most)
}

// behind returns the index of the first word behind a gutter. It is positive if there are words on both
// sides.
func (l pdfLine) behind(g span) int {
	middle := (g.left + g.right) / 2
	return slices.IndexFunc(l.words, func(w pdfWord) bool { return w.left > middle })
}

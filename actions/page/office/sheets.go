package office

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"golang.org/x/net/html"
)

// maxWide is how many columns of a sheet are read. Cells further out are mostly mistakes.
const maxWide = 1000

// sheets holds the tables of a workbook, within the limits of a reader.
type sheets struct {
	all   []sheet
	cut   string // why not everything was read, or ""
	cells int    // stored cells, including gaps
	size  int    // bytes of their text, plus the cost of escaping
}

type sheet struct {
	name string
	rows [][]string
}

// parts passes each element of a given name in a file to each, as soon as it ends.
func (s *sheets) parts(a *archive, file, name string, each func(*html.Node) bool) error {
	source, err := a.text(file)
	if err != nil || source == "" {
		return cmp.Or(err, errNoPart)
	}
	_, cut, err := parseParts(source, name, each)
	s.cut = cmp.Or(s.cut, cut)
	return err
}

// put stores a text in a column of a row.
func (s *sheets) put(row []string, column int, text string) []string {
	if text == "" || s.isFull() {
		return row
	}
	if column >= maxWide {
		s.cut = cmp.Or(s.cut, fmt.Sprintf("only the first %d columns of a sheet were read", maxWide))
		return row
	}
	cell := markup.Literal(text)
	s.size += len(text) + 8*(len(cell)-len(text)) // escaping examines each sign that may be a mark
	if s.isFull() {
		return row
	}
	row = append(row, make([]string, max(0, column+1-len(row)))...)
	row[column] = cell
	return row
}

// add appends a row to the last sheet, and reports whether there is room for more.
func (s *sheets) add(row []string) bool {
	if s.cells += len(row); s.cells > maxCells {
		return false
	}
	if last := &s.all[len(s.all)-1]; len(row) > 0 {
		last.rows = append(last.rows, row)
	}
	return !s.isFull()
}

func (s *sheets) isFull() bool { return s.size > markup.MaxText }

// write writes each sheet as a table, under its name if there are several, and returns why some is missing.
func (s *sheets) write() (markdown, cut string) {
	filled := slices.DeleteFunc(s.all, func(one sheet) bool { return len(one.rows) == 0 })
	w := markup.NewWriter()
	for _, one := range filled {
		if name := clean(one.name); len(filled) > 1 && name != "" {
			w.Block(2)
			w.Put("## ")
			w.Text(name)
		}
		margin := maxWide // empty columns on the left
		for _, row := range one.rows {
			text := slices.IndexFunc(row, func(text string) bool { return text != "" })
			margin = min(margin, text)
		}
		for i, row := range one.rows {
			one.rows[i] = row[margin:]
		}
		above := titles(one.rows)
		for _, row := range one.rows[:above] {
			w.Block(2)
			w.Put("### " + row[0]) // as a heading, whatever it begins with
		}
		w.Table(one.rows[above:])
	}
	if w.Full {
		s.cut = cmp.Or(s.cut, tooLong)
	}
	return w.Finish(), s.cut
}

// titles returns how many rows above the head of a table have only their first cell, such as its title. A
// head has a cell in each column, and no digit.
func titles(rows [][]string) int {
	const most = 3
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	isMore := func(row []string) bool {
		return row[0] == "" || slices.ContainsFunc(row[1:], func(cell string) bool { return cell != "" })
	}
	isNoName := func(cell string) bool { return cell == "" || strings.ContainsAny(cell, "0123456789") }
	n := slices.IndexFunc(rows, isMore)
	if n < 1 || n > most || n+1 >= len(rows) || len(rows[n]) < columns ||
		slices.ContainsFunc(rows[n], isNoName) {
		return 0
	}
	return n
}

// clean returns the text of a cell on one line.
func clean(text string) string { return plain.Line(plain.WithoutBlobs(text)) }

// number tidies a stored number: the sixteenth digit of a fraction is a rounding error.
func number(stored string) string {
	n, err := strconv.ParseFloat(stored, 64)
	if _, notWhole := strconv.ParseInt(stored, 10, 64); notWhole == nil || err != nil {
		return clean(stored)
	}
	short := strconv.FormatFloat(n, 'g', 15, 64)
	if size := math.Abs(n); size < 1e-9 || size >= 1e21 {
		return short
	}
	n, _ = strconv.ParseFloat(short, 64) // valid: we just formatted it
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// moment formats a date, with the time of day if it has one.
func moment(at time.Time) string {
	return strings.TrimSuffix(strings.TrimSuffix(at.Format(time.DateTime), ":00"), " 00:00")
}

// isoMoment is moment for an ISO 8601 date; anything else remains as it is.
func isoMoment(stored string) string {
	for _, layout := range [...]string{"2006-01-02T15:04:05", time.DateOnly} {
		if at, err := time.Parse(layout, strings.TrimSuffix(stored, "Z")); err == nil {
			return moment(at.Round(time.Second))
		}
	}
	return clean(stored)
}

// clock formats a time of day, or a duration.
func clock(seconds int64) string {
	text := fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	return strings.TrimSuffix(text, ":00")
}

package page

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/daybook-agent/daybook/agent/prose"
)

// byLayout writes as Markdown what a plain text shows by its layout alone: columns set apart by blanks are a
// table, a short line right above a list is its heading, and a message goes on behind who wrote it.
func byLayout(text string) string {
	blocks := prose.Blocks(text)
	if strings.Join(blocks, "\n\n")+"\n" != text { // it has an unclosed fence
		return text
	}
	for i, b := range blocks {
		lines := strings.Split(b, "\n")
		if chat := messages(lines); chat != nil {
			blocks[i] = strings.Join(chat, "\n\n")
		} else if rows := cellsOf(lines); rows != nil && !prose.IsCode(b) {
			blocks[i] = tableOf(rows)
		} else if isAboveList(lines) {
			blocks[i] = "## " + strings.TrimSpace(lines[0]) + "\n\n" + strings.Join(lines[1:], "\n")
		}
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// writtenBy matches the line above a message of a chat: when it was written, and by whom.
var writtenBy = regexp.MustCompile(`^\[?\d{4}[-/.]\d\d?[-/.]\d\d?,? \d\d?:\d\d(?::\d\d)?\]? [^:：]{1,40}$`)

// messages returns the messages of a chat, each behind its stamp, and before them what is above the first. It
// returns nil if the lines are none.
func messages(lines []string) (all []string) {
	var said [][]string // the lines of each message, its stamp first
	for _, line := range lines {
		switch isStamp := writtenBy.MatchString(strings.TrimSpace(line)); {
		case isStamp:
			said = append(said, []string{strings.TrimSpace(line)})
		case timed.MatchString(line): // a line of a diary or log, which goes on behind its own time
			return nil
		case len(said) == 0:
			all = append(all, line)
		default:
			said[len(said)-1] = append(said[len(said)-1], line)
		}
	}
	empty := 0
	for _, m := range said {
		if len(m) == 1 {
			empty++
			all = append(all, m[0])
			continue
		}
		colon := ": "
		if prose.HasHan(m[0] + m[1]) {
			colon = "："
		}
		all = append(all, m[0]+colon+strings.Join(m[1:], "\n"))
	}
	if len(said) < fewestRows || 2*empty > len(said) {
		return nil
	}
	return all
}

// timed matches a line that begins with a date and a time.
var timed = regexp.MustCompile(`^\s*\[?\d{4}[-/.]\d\d?[-/.]\d\d?,? \d\d?:\d\d`)

// betweenCells matches what sets two columns apart.
var betweenCells = regexp.MustCompile(`\t+| {2,}|\x{3000}+`)

// fewestRows is how many lines, with their head, make a table, and mostColumns how many columns it may have.
const fewestRows, mostColumns = 3, 50

// cellsOf returns the cells of lines that all have the same columns: the second cell begins in the same place
// in each, or behind a tab, and two lines in three have all of them. Otherwise it returns nil.
func cellsOf(lines []string) (rows [][]string) {
	most, second := 0, -1
	for _, line := range lines {
		at := betweenCells.FindStringIndex(line)
		if at == nil || at[0] == 0 || strings.Contains(line, "|") {
			return nil
		}
		if place := ansi.StringWidth(line[:at[1]]); !strings.Contains(line, "\t") {
			if second >= 0 && place != second {
				return nil
			}
			second = place
		}
		rows = append(rows, betweenCells.Split(line, -1))
		most = max(most, len(rows[len(rows)-1]))
	}
	whole := 0
	for _, row := range rows {
		if len(row) == most {
			whole++
		}
	}
	if len(rows) < fewestRows || 3*whole < 2*len(rows) || most > mostColumns {
		return nil
	}
	for i, row := range rows {
		rows[i] = append(row, make([]string, most-len(row))...)
	}
	return rows
}

// tableOf writes rows as a table. The first is its head if it has no figures, unlike those below it.
func tableOf(rows [][]string) string {
	hasFigure := func(cell string) bool { return strings.ContainsFunc(cell, unicode.IsDigit) }
	isFigured := func(row []string) bool { return slices.ContainsFunc(row, hasFigure) }
	isLabel := func(cell string) bool { return strings.HasSuffix(cell, ":") || strings.HasSuffix(cell, "：") }
	head := make([]string, len(rows[0]))
	isHead := !isFigured(rows[0]) && !slices.ContainsFunc(rows[0], isLabel)
	if isHead && slices.ContainsFunc(rows[1:], isFigured) {
		head, rows = rows[0], rows[1:]
	}
	line := func(row []string) string { return "| " + strings.Join(row, " | ") + " |\n" }
	var out strings.Builder
	out.WriteString(line(head) + strings.Repeat("| --- ", len(head)) + "|\n")
	for _, row := range rows {
		out.WriteString(line(row))
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// isAboveList reports whether the first of some lines is the heading of a list that the others are: short, no
// sentence, and they are items, with what goes on below each.
func isAboveList(lines []string) bool {
	const longestHeading = 60
	first := strings.TrimSpace(lines[0])
	last, _ := utf8.DecodeLastRuneInString(first)
	if len(lines) < 2 || utf8.RuneCountInString(first) > longestHeading || apart.MatchString(lines[0]) ||
		!strings.ContainsFunc(first, unicode.IsLetter) || strings.ContainsAny(first, ":：") ||
		strings.ContainsRune(".,;!。，；！、", last) {
		return false
	}
	if !apart.MatchString(lines[1]) || isRule(strings.TrimSpace(lines[1])) {
		return false
	}
	isPart := func(line string) bool { return apart.MatchString(line) || strings.HasPrefix(line, "  ") }
	return !slices.ContainsFunc(lines[1:], func(line string) bool { return !isPart(line) })
}

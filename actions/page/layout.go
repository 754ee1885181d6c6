package page

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
		} else if rows := cellsOf(lines); rows != nil {
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
	stamps := 0
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch isStamp := writtenBy.MatchString(line); {
		case isStamp || len(all) == 0:
			all = append(all, line)
			if isStamp {
				stamps++
			}
		case writtenBy.MatchString(strings.TrimSpace(lines[i-1])):
			colon := ": "
			if prose.HasHan(line + all[len(all)-1]) {
				colon = "："
			}
			all[len(all)-1] += colon + line
		case stamps == 0:
			all = append(all, line)
		default:
			all[len(all)-1] += "\n" + line
		}
	}
	if stamps < fewestRows {
		return nil
	}
	return all
}

// betweenCells matches what sets two columns apart.
var betweenCells = regexp.MustCompile(`\t+| {2,}`)

// fewestRows is how many lines, with their head, make a table.
const fewestRows = 3

// cellsOf returns the cells of lines that all have the same columns: the second cell begins in the same place
// in each, or behind a tab, and two lines in three have all of them. Otherwise it returns nil.
func cellsOf(lines []string) (rows [][]string) {
	most, second := 0, -1
	for _, line := range lines {
		at := betweenCells.FindStringIndex(line)
		if at == nil || at[0] == 0 || strings.Contains(line, "|") {
			return nil
		}
		if place := utf8.RuneCountInString(line[:at[1]]); !strings.Contains(line, "\t") {
			if second >= 0 && place != second {
				return nil
			}
			second = place
		}
		rows = append(rows, betweenCells.Split(line, -1))
		most = max(most, len(rows[len(rows)-1]))
	}
	whole := 0
	for i, row := range rows {
		if len(row) == most {
			whole++
		}
		rows[i] = append(row, make([]string, most-len(row))...)
	}
	if len(rows) < fewestRows || 3*whole < 2*len(rows) {
		return nil
	}
	return rows
}

// tableOf writes rows as a table. The first is its head if it has no figures, unlike those below it.
func tableOf(rows [][]string) string {
	hasFigure := func(cell string) bool { return strings.ContainsFunc(cell, unicode.IsDigit) }
	isFigured := func(row []string) bool { return slices.ContainsFunc(row, hasFigure) }
	head := make([]string, len(rows[0]))
	if !isFigured(rows[0]) && slices.ContainsFunc(rows[1:], isFigured) {
		head, rows = rows[0], rows[1:]
	}
	line := func(row []string) string { return "| " + strings.Join(row, " | ") + " |\n" }
	out := line(head) + strings.Repeat("| --- ", len(head)) + "|\n"
	for _, row := range rows {
		out += line(row)
	}
	return strings.TrimSuffix(out, "\n")
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
	if !apart.MatchString(lines[1]) {
		return false
	}
	isPart := func(line string) bool { return apart.MatchString(line) || strings.HasPrefix(line, "  ") }
	return !slices.ContainsFunc(lines[1:], func(line string) bool { return !isPart(line) })
}

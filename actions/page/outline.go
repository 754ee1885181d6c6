package page

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

var (
	orgHeading = regexp.MustCompile(`(?m)^(\*{1,6}) +(?:(?:TODO|DONE) +)?(\S.*)$`)
	orgTitle   = regexp.MustCompile(`(?mi)^#\+title: *(\S.*)$`)
	orgCode    = regexp.MustCompile(`(?mi)^[ \t]*#\+(?:begin|end)_(?:src|example)\b.*$`)
	orgComment = regexp.MustCompile(`(?m)^#(?:\+\S.*| .*)?\n`)
	adocHeads  = regexp.MustCompile(`(?m)^(={1,6}) +(\S.*)$`)
	// hashed matches a line that is a heading in Markdown, but a comment in a script or a settings file.
	hashed = regexp.MustCompile(`^#{1,6}[ \t]+\S`)
)

// orgMarkdown converts Emacs Org mode to Markdown, as far as outline and code go, and returns the title.
func orgMarkdown(text string) (markdown, title string) {
	if m := orgTitle.FindStringSubmatch(text); m != nil {
		title = m[1]
	}
	text = orgCode.ReplaceAllString(text, "```")
	blocks := prose.Blocks(text)
	for i, block := range blocks {
		if prose.FenceAfter("", prose.FirstLine(block)) == "" {
			block = strings.Trim(orgComment.ReplaceAllString(block+"\n", ""), "\n")
			blocks[i] = headed(orgHeading, block)
		}
	}
	blocks = slices.DeleteFunc(blocks, func(block string) bool { return block == "" })
	return strings.Join(blocks, "\n\n") + "\n", title
}

// headed returns a text with its headings in Markdown form.
func headed(marks *regexp.Regexp, text string) string {
	return marks.ReplaceAllStringFunc(text, func(line string) string {
		m := marks.FindStringSubmatch(line)
		return strings.Repeat("#", len(m[1])) + " " + m[2]
	})
}

// commentLines keeps the comments and tables in a plain text from becoming headings: a paragraph with several
// comments or with a table becomes code, a single comment is escaped. A line that stands apart remains a
// heading, unless the text numbers its own, which become headings.
func commentLines(text string) string {
	blocks := prose.Blocks(text)
	if strings.Join(blocks, "\n\n")+"\n" != text { // it has an unclosed fence
		return text
	}
	isNumbered := numberHeadings(blocks)
	for i, block := range blocks {
		lines, comments := strings.Split(block, "\n"), 0
		if strings.Contains(block, "```") || strings.Contains(block, "~~~") ||
			len(lines) == 1 && (!isNumbered || outline.MatchString(block)) {
			continue
		}
		isTable := false
		for j, line := range lines {
			switch {
			case hashed.MatchString(line):
				lines[j] = `\` + line
				comments++
			case j > 0 && j+1 < len(lines) && isRule(line) && columns.MatchString(lines[j-1]):
				isTable = true
			case j > 2 && isRule(line): // a paragraph is no heading
				lines[j] = `\` + line
			}
		}
		if comments > 1 || isTable || comments == len(lines) {
			blocks[i] = "```\n" + block + "\n```"
		} else {
			blocks[i] = strings.Join(lines, "\n")
		}
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

var (
	// outline is a heading that was made of a numbered line.
	outline = regexp.MustCompile(`^#+ \d+[.\d]*[ \t]`)
	// columns is a line with two words far apart, as in the head of a table.
	columns = regexp.MustCompile(`\S(?: {2,}|\t+)\S`)
	// beginsWord is how the second line of such a heading begins.
	beginsWord = regexp.MustCompile(`^["'(]?\pL`)
	// numberedLine is one that may be a heading: "2.12. How is it configured?", and no sentence.
	numberedLine = regexp.MustCompile(`^(\d{1,2}(?:\.\d{1,2}){0,4})\.?[ \t]+(["'(]?\pL.*[^.:;,\s])$`)
)

// numberHeadings makes headings of the lines that stand apart with numbers that follow one another, and
// reports whether there are any. A text without a number such as 1.2 may as well have a list.
func numberHeadings(blocks []string) bool {
	const longest, wrappedAt, least = 200, 60, 3
	heads := map[int]string{} // by block
	var last []int
	isDeep := false
	for i, block := range blocks {
		first, more, isTwo := strings.Cut(block, "\n")
		text := strings.Replace(block, "\n", " ", 1)
		line := numberedLine.FindStringSubmatch(text)
		if line == nil || len(block) > longest || strings.Contains(more, "\n") ||
			isTwo && (len(first) < wrappedAt || !beginsWord.MatchString(more)) {
			continue
		}
		number := numberOf(line[1])
		if !isDeep && len(number) == 1 && number[0] == 1 { // above was a list
			clear(heads)
		} else if !follows(last, number) {
			continue
		}
		heads[i] = strings.Repeat("#", len(number)+1) + " " + text
		last, isDeep = number, isDeep || len(number) > 1
	}
	if !isDeep || len(heads) < least {
		return false
	}
	for i, head := range heads {
		blocks[i] = head
	}
	return true
}

func numberOf(text string) (number []int) {
	for part := range strings.SplitSeq(text, ".") {
		n, _ := strconv.Atoi(part) // two digits at most
		number = append(number, n)
	}
	return number
}

// follows reports whether a heading's number is the next after the last: 2.3 after 2.2, 2.2.1 or 2.2.1.4; 3
// after all those; and 2.2.1 after 2.2.
func follows(last, number []int) bool {
	deepest := len(number) - 1
	if len(number) == len(last)+1 {
		return number[deepest] == 1 && slices.Equal(last, number[:deepest])
	}
	return len(last) > deepest && number[deepest] == last[deepest]+1 &&
		slices.Equal(last[:deepest], number[:deepest])
}

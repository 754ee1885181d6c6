package page

import (
	"regexp"
	"slices"
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

// commentLines keeps the comments in a plain text from becoming headings: a paragraph with several becomes
// code, a single one is escaped. A line that stands apart remains a heading.
func commentLines(text string) string {
	blocks := prose.Blocks(text)
	if strings.Join(blocks, "\n\n")+"\n" != text { // it has an unclosed fence
		return text
	}
	for i, block := range blocks {
		lines, comments := strings.Split(block, "\n"), 0
		if strings.Contains(block, "```") || strings.Contains(block, "~~~") || len(lines) == 1 {
			continue
		}
		for j, line := range lines {
			if hashed.MatchString(line) {
				lines[j] = `\` + line
				comments++
			}
		}
		if comments > 1 {
			blocks[i] = "```\n" + block + "\n```"
		} else {
			blocks[i] = strings.Join(lines, "\n")
		}
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

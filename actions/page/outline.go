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
	// hashed is a line that Markdown takes for a heading, and a script or a file of settings for a comment.
	hashed = regexp.MustCompile(`^#{1,6}[ \t]+\S`)
)

// orgMarkdown is a text of Emacs's Org mode as Markdown, as far as its outline and its code go, and its
// title.
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

// headed is a text with its headings as those of Markdown.
func headed(marks *regexp.Regexp, text string) string {
	return marks.ReplaceAllStringFunc(text, func(line string) string {
		m := marks.FindStringSubmatch(line)
		return strings.Repeat("#", len(m[1])) + " " + m[2]
	})
}

// commentLines keeps the comments in a plain text from becoming headings: a paragraph with several is code,
// and one is a line of its paragraph. A line that stands apart is a heading there too.
func commentLines(text string) string {
	blocks := prose.Blocks(text)
	if strings.Join(blocks, "\n\n")+"\n" != text { // its fence is open
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

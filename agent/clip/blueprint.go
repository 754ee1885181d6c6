package clip

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// chapter is an item of the blueprint's checklist and the indented lines under it.
type chapter struct {
	done     bool
	title    string
	file     string   // "" when the item names none, as one that a person added
	passages []string // that it is to quote, such as s5.12
	query    string   // for which this Brain laid it out; "" of a person's
	line     int      // of the item, in the section's body
}

func (c chapter) isOpen() bool { return !c.done }

var (
	labels      = regexp.MustCompile(`(?:Quer(?:y|ies)|检索词|Passages?|段落|[Ff]ile|文件)[:：]`)
	laidOut     = regexp.MustCompile(`(?m)^- \[.*(?:Queries: |检索词：)(.*?)(?:\. |。)(?:Passages: |段落：).*$`)
	item        = regexp.MustCompile(`^(?:[-*+]|\d+[.)]) +\[([ xX])\] +(\S.*)$`)
	chapterFile = regexp.MustCompile(`Notebook/[^\n]*?\.md`)
	citing      = regexp.MustCompile(`\[s\d+(?:\.\d+)?\]`)
)

// readBlueprint reads the checklist as clip, a model or a person wrote it; all but the title may be missing, or be
// in indented lines below: - [ ] **Title** — the question. Passages: [s5.12]. File: Notebook/01-title.md
func readBlueprint(body string) (chapters []chapter) {
	fence := ""
	for i, line := range strings.Split(withoutComments(body), "\n") {
		if fence = prose.FenceAfter(fence, line); fence != "" {
			continue
		}
		if m := item.FindStringSubmatch(strings.TrimRight(line, " \r")); m != nil {
			c := chapter{done: m[1] != " ", line: i}
			if laid := laidOut.FindStringSubmatch(line); laid != nil {
				c.query = laid[1]
			}
			c.fields(m[2])
			chapters = append(chapters, c)
		} else if (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")) && len(chapters) > 0 {
			chapters[len(chapters)-1].fields(line)
		}
	}
	return chapters
}

// fields takes in what is labelled in a line, and of the first the title before that.
func (c *chapter) fields(line string) {
	if files := chapterFile.FindAllString(line, -1); len(files) > 0 && c.file == "" {
		file := files[len(files)-1]
		file = file[strings.LastIndex(file, "Notebook/"):] // an earlier one belongs to the title
		if clean := path.Clean(file); strings.HasPrefix(clean, "Notebook/") {
			c.file = clean
			line = strings.Replace(line, file, "", 1)
		}
	}
	for _, ref := range citing.FindAllString(line, -1) {
		c.passages = append(c.passages, strings.Trim(ref, "[]"))
	}
	if c.title == "" {
		c.title = strings.Trim(strings.ReplaceAll(labels.Split(line, 2)[0], "**", ""), " \t-–—`:：.。([（<")
	}
}

// nameFiles gives a chapter that names no file one that no other chapter has.
func nameFiles(chapters []chapter) {
	for i := range chapters {
		for n := i + 1; chapters[i].file == ""; n++ {
			file := fmt.Sprintf("Notebook/%02d-%s.md", n, cmp.Or(prose.Slug(chapters[i].title), "chapter"))
			if !slices.ContainsFunc(chapters, func(c chapter) bool { return strings.EqualFold(c.file, file) }) {
				chapters[i].file = file
			}
		}
	}
}

// tick marks a chapter as done in the section's body. An item that named no file gets the name of its file.
func tick(body string, c chapter, lang prose.Language) string {
	lines := strings.Split(body, "\n")
	lines[c.line] = strings.Replace(lines[c.line], "[ ]", "[x]", 1)
	if !strings.Contains(body, c.file) {
		lines[c.line] = strings.TrimRight(lines[c.line], " \r") + " " + lang.Say(sayFile) + c.file
	}
	return strings.Join(lines, "\n")
}

func (c chapter) lay(lang prose.Language) string {
	stop := lang.Say(". ")
	return fmt.Sprintf("- [ ] **%s** %s%s%s%s[%s]%s%s%s", c.title, lang.Say("Queries: "), c.query, stop,
		lang.Say("Passages: "), strings.Join(c.passages, "] ["), stop, lang.Say(sayFile), c.file)
}

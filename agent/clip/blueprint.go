package clip

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// chapter is an item of the blueprint's checklist and the indented lines under it.
type chapter struct {
	done     bool
	title    string
	question string   // "" when none is given
	file     string   // "" when the item names none, as one that a person added
	queries  []string // to search for it
	urls     []string // documents to start from
	passages []string // that it is to quote, such as s5.12
	line     int      // of the item, in the section's body
}

var (
	labels      = regexp.MustCompile(`(Question|问题|Quer(?:y|ies)|queries|检索词|检索|查询|[Ss]ources?|来源|Passages?|段落|[Ff]ile|文件)[:：]`)
	item        = regexp.MustCompile(`^(?:[-*+]|\d+[.)]) +\[([ xX])\] +(\S.*)$`)
	chapterFile = regexp.MustCompile(`Notebook/[^\n]*?\.md`)
	address     = regexp.MustCompile("<([^<>]+)>|([a-z]+:[^\\s,;`]+)")
)

// readBlueprint reads the checklist as clip, a model or a person wrote it:
//
//   - [ ] **Title** — the question. Queries: a; b. Passages: [s5.12]. File: Notebook/01-title.md
//
// All but the title may be missing, or be in indented lines below.
func readBlueprint(body string) (chapters []chapter) {
	fence := ""
	for i, line := range strings.Split(withoutComments(body), "\n") {
		if fence = fenceAfter(fence, line); fence != "" {
			continue
		}
		if m := item.FindStringSubmatch(strings.TrimRight(line, " \r")); m != nil {
			c := chapter{done: m[1] != " ", line: i}
			c.title, c.question = divide(c.fields(m[2]))
			chapters = append(chapters, c)
		} else if (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")) && len(chapters) > 0 {
			chapters[len(chapters)-1].fields(line)
		}
	}
	return chapters
}

// fields takes in what is labelled in a line and returns what comes before the first label.
func (c *chapter) fields(line string) (head string) {
	if files := chapterFile.FindAllString(line, -1); len(files) > 0 && c.file == "" {
		file := files[len(files)-1]
		file = file[strings.LastIndex(file, "Notebook/"):] // an earlier one belongs to the title
		if clean := path.Clean(file); strings.HasPrefix(clean, "Notebook/") {
			c.file = clean
			line = strings.Replace(line, file, "", 1)
		}
	}
	places := append(labels.FindAllStringSubmatchIndex(line, -1), []int{len(line), len(line)})
	for i, at := range places[:len(places)-1] {
		value := strings.Trim(line[at[1]:places[i+1][0]], " \t`.。")
		switch name := strings.ToLower(line[at[2]:at[3]]); name {
		case "question", "问题":
			c.question = value
		case "query", "queries", "检索词", "检索", "查询":
			for _, q := range strings.FieldsFunc(value, func(r rune) bool { return r == ';' || r == '；' }) {
				if q = strings.Trim(q, " `\"“”"); q != "" {
					c.queries = append(c.queries, q)
				}
			}
		case "source", "sources", "来源":
			for _, m := range address.FindAllStringSubmatch(value, -1) {
				c.urls = append(c.urls, m[1]+m[2])
			}
		case "passage", "passages", "段落":
			for _, ref := range citing.FindAllString(value, -1) {
				c.passages = append(c.passages, strings.Trim(ref, "[]"))
			}
		}
	}
	return strings.TrimRight(line[:places[0][0]], " \t-–—`:：([（<")
}

// divide splits "**Title** — question".
func divide(head string) (title, question string) {
	if bold, rest, ok := strings.Cut(strings.TrimPrefix(head, "**"), "**"); ok && strings.HasPrefix(head, "**") {
		return strings.TrimRight(bold, ":："), strings.Trim(rest, " -–—:：")
	}
	for _, dash := range []string{" — ", " – ", "——"} {
		if title, question, ok := strings.Cut(head, dash); ok {
			return strings.TrimSpace(title), strings.TrimSpace(question)
		}
	}
	return head, ""
}

// nameFiles gives a chapter that names no file one that no other chapter has.
func nameFiles(chapters []chapter) {
	taken := map[int]bool{}
	for _, c := range chapters {
		var n int
		if _, err := fmt.Sscanf(path.Base(c.file), "%d", &n); err == nil {
			taken[n] = true
		}
	}
	for i := range chapters {
		if chapters[i].file != "" {
			continue
		}
		n := i + 1
		for taken[n] {
			n++
		}
		taken[n] = true
		chapters[i].file = fmt.Sprintf("Notebook/%02d-%s.md", n, cmp.Or(prose.Slug(chapters[i].title), "chapter"))
	}
}

// tick marks a chapter as done, or as open again, in the section's body and leaves every other line as it is.
// An item that named no file gets the name of the one that was written.
func tick(body string, c chapter, done bool, w phrases) string {
	lines := strings.Split(body, "\n")
	if c.line >= len(lines) {
		return body
	}
	if done {
		lines[c.line] = strings.Replace(lines[c.line], "[ ]", "[x]", 1)
		if !strings.Contains(body, c.file) {
			lines[c.line] = strings.TrimRight(lines[c.line], " \r") + " " + w.file + c.file
		}
	} else {
		lines[c.line] = strings.NewReplacer("[x]", "[ ]", "[X]", "[ ]").Replace(lines[c.line])
	}
	return strings.Join(lines, "\n")
}

// lay writes a new chapter as an item of the checklist.
func (c chapter) lay(w phrases) string {
	return fmt.Sprintf("- [ ] **%s** — %s %s[%s]. %s%s", c.title, w.asks, w.passages, strings.Join(c.passages, "] ["), w.file, c.file)
}

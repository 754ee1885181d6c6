package clip

import (
	"fmt"
	"path"
	"strings"
	"unicode"
)

// chapter is an item of the blueprint's checklist and the indented lines under it.
type chapter struct {
	done     bool
	title    string
	question string
	file     string // "" when the item names none, as one that a person added
	queries  []string
	urls     []string // documents to start from
	line     int      // of the item, in the section's body
}

// readBlueprint reads the checklist as clip, a model or a person wrote it:
//
//   - [ ] **Title** — the question. Queries: a; b. File: Notebook/01-title.md
//
// All but the title may be missing, or stand in indented lines below.
func readBlueprint(body string) []chapter {
	var chapters []chapter
	fence := ""
	for i, line := range strings.Split(withoutComments(body), "\n") {
		if fence = fenceAfter(fence, line); fence != "" {
			continue
		}
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		if done, text, ok := checkbox(line); ok && !indented {
			c := chapter{done: done, line: i}
			head := c.fields(text)
			c.title, c.question = divide(head)
			chapters = append(chapters, c)
			continue
		}
		if indented && len(chapters) > 0 {
			chapters[len(chapters)-1].fields(line)
		}
	}
	return chapters
}

// checkbox reads "- [ ] text" and its kin: "* [x]", "1. [X]".
func checkbox(line string) (done bool, text string, ok bool) {
	line = strings.TrimSpace(line)
	mark := strings.TrimLeft(strings.TrimLeft(line, "0123456789"), "-*+.) ")
	if mark == line || len(mark) < 3 || mark[0] != '[' || mark[2] != ']' || !strings.ContainsRune(" xX", rune(mark[1])) {
		return false, "", false
	}
	text = strings.TrimSpace(mark[3:])
	return mark[1] != ' ', text, text != ""
}

// fields takes in what is labelled in a line and returns what stands before the first label.
func (c *chapter) fields(line string) (head string) {
	if file := fileNamed(line); file != "" && c.file == "" {
		c.file = file
		if at := strings.Index(line, file); at >= 0 { // without it the words around it are plain
			line = line[:at] + line[at+len(file):]
		}
	}
	head, set := line, func(string) {}
	for rest, first := line, true; rest != ""; first = false {
		value := rest
		at, size, next := c.label(rest)
		if at >= 0 {
			value, rest = rest[:at], rest[at+size:]
		} else {
			rest = ""
		}
		value = strings.Trim(value, " \t`")
		if first {
			head = value
		} else {
			set(strings.TrimRight(value, ".。 "))
		}
		set = next
	}
	return strings.TrimRight(head, " -–—`:：([（<")
}

// label finds the first label in a text and what its value is for.
func (c *chapter) label(text string) (at, size int, set func(string)) {
	at = -1
	for _, l := range []struct {
		names string
		set   func(string)
	}{
		{"Question 问题", func(v string) { c.question = v }},
		{"Queries Query queries 检索词 检索 查询", c.setQueries},
		{"Sources Source sources 来源", func(v string) { c.urls = append(c.urls, addresses(v)...) }},
		{"File file 文件", func(string) {}},
	} {
		for _, name := range strings.Fields(l.names) {
			for _, colon := range []string{":", "："} {
				if i := strings.Index(text, name+colon); i >= 0 && (at < 0 || i < at) {
					at, size, set = i, len(name+colon), l.set
				}
			}
		}
	}
	return at, size, set
}

func (c *chapter) setQueries(value string) {
	for _, q := range strings.FieldsFunc(value, func(r rune) bool { return r == ';' || r == '；' }) {
		if q = strings.Trim(q, " `\"“”"); q != "" {
			c.queries = append(c.queries, q)
		}
	}
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

// addresses are the "<…>" of a line, which may hold spaces, or else its words that have a scheme.
func addresses(line string) []string {
	words := strings.Fields(line)
	if strings.Contains(line, "<") {
		words = strings.FieldsFunc(line, func(r rune) bool { return r == '<' || r == '>' })
	}
	var urls []string
	for _, word := range words {
		if word = strings.Trim(word, " ,;`"); strings.Contains(word, ":") {
			urls = append(urls, word)
		}
	}
	return urls
}

// fileNamed finds the chapter's file in a line, or "".
func fileNamed(line string) string {
	from := strings.Index(line, "Notebook/")
	if from < 0 {
		return ""
	}
	end := strings.Index(line[from:], ".md")
	if end < 0 {
		return ""
	}
	end += from
	from = strings.LastIndex(line[:end], "Notebook/") // an earlier one belongs to the title
	file := path.Clean(line[from : end+len(".md")])
	if !strings.HasPrefix(file, "Notebook/") {
		return ""
	}
	return file
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
		chapters[i].file = fmt.Sprintf("Notebook/%02d-%s.md", n, slug(chapters[i].title))
	}
}

// slug makes a title safe as a file name on every system; Chinese stays as it is.
func slug(title string) string {
	const longest = 40 // runes
	var out []rune
	for _, r := range strings.ToLower(title) {
		switch {
		case len(out) == longest:
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			out = append(out, r)
		case len(out) > 0 && out[len(out)-1] != '-':
			out = append(out, '-')
		}
	}
	s := string(out)
	if i := strings.LastIndexByte(s, '-'); len(out) == longest && i > longest/2 {
		s = s[:i] // no half word at the end
	}
	if s = strings.Trim(s, "-"); s != "" {
		return s
	}
	return "chapter"
}

// tick marks a chapter as done in the section's body and leaves every other line as it is. An item that named no file gets
// the name of the one that was written.
func tick(body string, c chapter, w phrases) string {
	lines := strings.Split(body, "\n")
	if c.line >= len(lines) {
		return body
	}
	line := strings.Replace(lines[c.line], "[ ]", "[x]", 1)
	if !strings.Contains(body, c.file) {
		line = strings.TrimRight(line, " \r") + " " + w.file + c.file
	}
	lines[c.line] = line
	return strings.Join(lines, "\n")
}

// untick opens a chapter again, in the section's body.
func untick(body string, c chapter) string {
	lines := strings.Split(body, "\n")
	if c.line < len(lines) {
		lines[c.line] = strings.NewReplacer("[x]", "[ ]", "[X]", "[ ]").Replace(lines[c.line])
	}
	return strings.Join(lines, "\n")
}

// lay writes a new chapter as an item of the checklist.
func (c chapter) lay(w phrases) string {
	item := fmt.Sprintf("- [ ] **%s** — %s%s%s%s", c.title, c.question, w.blank, w.file, c.file)
	var short []string // an address that tells a whole headline counts as copied, and is found by searching
	for _, url := range c.urls {
		if firstWords(url, 12, len(url)) == url {
			short = append(short, url)
		}
	}
	if len(short) > 0 {
		item += fmt.Sprintf("\n  - %s<%s>", w.sources, strings.Join(short, "> <"))
	}
	return item
}

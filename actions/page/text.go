package page

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
)

const (
	// prettyJSON is up to how many bytes JSON is set out over lines; a larger one is data, and lines only
	// make it longer.
	prettyJSON = 64 << 10
	// maxCells is how many cells a table of values may have to be shown as one.
	maxCells = 200_000
	// maxColumns is how wide a table may be; beyond, it is data for a program, not for a reader.
	maxColumns = 256
)

// readMarkdown takes the front matter off a Markdown file and uses what it says.
func readMarkdown(text string) Page {
	text = cleanText(text)
	front, text := splitFrontMatter(text)
	var page Page
	changed := ""
	for line := range strings.Lines(front) {
		key, value, found := strings.Cut(line, ":")
		if !found {
			key, value, _ = strings.Cut(line, "=") // TOML
		}
		value = cleanLine(strings.Trim(strings.TrimSpace(value), `"'`))
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "title":
			page.Title = value
		case "author", "authors", "by":
			page.Author = strings.Trim(value, `[]"'`)
		case "date", "published":
			page.Published = dateOf(value)
		case "updated", "modified", "lastmod", "last_modified", "last-modified", "last_updated":
			changed = cmp.Or(changed, dateOf(value))
		case "lang", "language":
			page.Language = languageOf(value)
		}
	}
	page.Markdown = tidyText(text)
	page.Published = cmp.Or(page.Published, changed, dateInText(page.Markdown))
	if page.Title == "" {
		page.Title = firstHeading(page.Markdown)
	}
	return page
}

// frontMatter is a block between two lines of --- (YAML) or +++ (TOML) at the very beginning.
var frontMatter = regexp.MustCompile(`(?ms)\A\n*(?:---\n(.*?)^(?:---|\.\.\.)|\+\+\+\n(.*?)^\+\+\+)[ \t]*$\n?`)

func splitFrontMatter(text string) (front, rest string) {
	found := frontMatter.FindStringSubmatch(text)
	if found == nil {
		return "", text
	}
	return found[1] + found[2], text[len(found[0]):]
}

// titleOfText is the first line of a plain text when it looks like a title: a short one without the end of a
// sentence, with an empty line or a rule below it.
func titleOfText(text, address string) string {
	switch endingOf(address) {
	case "", ".txt", ".text", ".rst", ".adoc":
	default:
		return ""
	}
	line, rest, _ := strings.Cut(text, "\n")
	if isRule(line) { // above the title too
		line, rest, _ = strings.Cut(rest, "\n")
	}
	next, more, _ := strings.Cut(rest, "\n")
	line = cleanLine(strings.TrimLeft(line, "= "))
	first, _ := utf8.DecodeRuneInString(line)
	last, _ := utf8.DecodeLastRuneInString(line)
	letters := utf8.RuneCountInString(line)
	switch {
	case letters < 3 || letters > 100 || next != "" && !isRule(next) || strings.TrimSpace(more) == "":
		return ""
	case !unicode.IsLetter(first) && !unicode.IsDigit(first) && !strings.ContainsRune("《“\"", first):
		return ""
	case strings.ContainsRune(".,;:。，；：、{", last):
		return ""
	}
	return line
}

// isRule reports whether a line is drawn with signs.
func isRule(line string) bool {
	return len(line) > 2 && strings.Trim(line, line[:1]) == "" && strings.Contains("=-~*#", line[:1])
}

// firstHeading is the text of the first heading outside code, of either style.
func firstHeading(markdown string) string {
	fence, previous := "", ""
	for line := range strings.Lines(markdown) {
		line = strings.TrimSpace(line)
		if fence = prose.FenceAfter(fence, line); fence != "" {
			previous = ""
			continue
		}
		if text := strings.TrimLeft(line, "#"); text != line && len(line)-len(text) <= 6 &&
			strings.HasPrefix(text, " ") {
			text, _, _ = strings.Cut(strings.TrimRight(text, "# "), " {#")
			return cleanLine(prose.Unescaped(strings.NewReplacer("**", "", "`", "").Replace(text)))
		}
		if previous != "" && (line != "" && strings.Trim(line, "=") == "" ||
			len(line) > 2 && strings.Trim(line, "-") == "") {
			return cleanLine(previous)
		}
		previous = line
	}
	return ""
}

func readJSON(text string) Page {
	text = strings.TrimSpace(cleanText(text))
	if len(text) <= prettyJSON && bounds.JSON([]byte(text),
		new(json.RawMessage)) == nil { // every line begins with two blanks for each level
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, []byte(text), "", "  "); err == nil {
			text = pretty.String()
		}
	}
	return Page{Markdown: fenced("json", text)}
}

// readCSV makes a table whose first line is the header; what does not read as one is shown as it came.
func readCSV(text, address string) Page {
	text = cleanText(text)
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	reader.LazyQuotes = true
	first, _, _ := strings.Cut(text, "\n")
	switch {
	case strings.EqualFold(path.Ext(address), ".tsv"), strings.Count(first, "\t") > strings.Count(first, ","):
		reader.Comma = '\t'
	case strings.Count(first, ";") > strings.Count(first, ","):
		reader.Comma = ';'
	}
	if strings.Count(text, string(reader.Comma))+strings.Count(text, "\n") > maxCells {
		return Page{Markdown: fenced("csv", text)}
	}
	rows, err := reader.ReadAll()
	w := newWriter(nil)
	if err != nil || !w.grid(rows) {
		return Page{Markdown: fenced("csv", text)}
	}
	return Page{Markdown: w.finish()}
}

// fenced is a code block whose fence is longer than any inside it.
func fenced(language, code string) string {
	w := newWriter(nil)
	w.fence(language, code)
	return w.finish()
}

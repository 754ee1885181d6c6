package page

import (
	"cmp"
	"context"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/agent/prose"
)

// readMarkdown reads Markdown; it removes the front matter and uses its fields.
func readMarkdown(_ context.Context, text string, _ Raw) (markup.Document, error) {
	text = plain.Text(text)
	front, text := splitFrontMatter(text)
	var doc markup.Document
	changed := ""
	for line := range strings.Lines(front) {
		key, value, found := strings.Cut(line, ":")
		if !found {
			key, value, _ = strings.Cut(line, "=") // TOML
		}
		value = plain.Line(strings.Trim(strings.TrimSpace(value), `"'`))
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "title":
			doc.Title = value
		case "author", "authors", "by":
			doc.Author = strings.Trim(value, `[]"'`)
		case "date", "published":
			doc.Published = dateOf(value)
		case "updated", "modified", "lastmod", "last_modified", "last-modified", "last_updated":
			changed = cmp.Or(changed, dateOf(value))
		case "lang", "language":
			doc.Language = languageOf(value)
		}
	}
	doc.Markdown = chineseLines(relinked(plain.Tidy(emptyAnchor.ReplaceAllString(text, ""))))
	doc.Published = cmp.Or(doc.Published, changed, dateInText(doc.Markdown))
	if doc.Title == "" {
		doc.Title = titleHeading(doc.Markdown)
	}
	return doc, nil
}

// titleHeading returns the first heading, but "" if the page has no first-level heading and several of that
// one's level: for a note that begins with Introduction, the file name is the better title.
func titleHeading(markdown string) string {
	first := lowHeading.FindStringSubmatch(markdown)
	if level1.MatchString(markdown) || first == nil {
		return plain.FirstHeading(markdown)
	}
	alike := regexp.MustCompile(`(?m)^` + first[1] + ` \S`)
	if len(alike.FindAllString(markdown, 2)) > 1 {
		return ""
	}
	return plain.FirstHeading(markdown)
}

var (
	level1     = regexp.MustCompile(`(?m)^# \S|^\S.*\n(?:={3,}|-{3,})[ \t]*$`) // of either style
	lowHeading = regexp.MustCompile(`(?m)^(#{2,6}) \S`)
)

// emptyAnchor matches an anchor without text: ## Zones <a id="zones"></a>.
var emptyAnchor = regexp.MustCompile(`(?i)[ \t]*<a\s+(?:id|name)\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[\w.-]+)\s*(?:></a\s*>|/>)`)

// wikilink matches an Obsidian link with its own words, and what only looks like one: code and pictures.
var wikilink = regexp.MustCompile("`[^`\n]+`|" + `!\[\[[^\[\]\n]*\]\]|` +
	`\[\[(\S[^\[\]|\n]*?)\\?\|([^\[\]|\n]+)\]\]`)

// relinked writes [[Note|words]] as [words](Note.md) outside code. Its bar would split a table row.
func relinked(markdown string) string {
	if !strings.Contains(markdown, "[[") {
		return markdown
	}
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(markdown) {
		if fence = prose.FenceAfter(fence, line); fence == "" {
			line = wikilink.ReplaceAllStringFunc(line, func(found string) string {
				m := wikilink.FindStringSubmatch(found)
				if m[2] == "" {
					return found
				}
				note, place, _ := strings.Cut(m[1], "#")
				to := url.URL{Path: note, Fragment: place}
				if note != "" && path.Ext(note) == "" {
					to.Path += ".md"
				}
				return "[" + m[2] + "](" + inBrackets.Replace(to.String()) + ")"
			})
		}
		out.WriteString(line)
	}
	return out.String()
}

var inBrackets = strings.NewReplacer("(", "%28", ")", "%29")

// frontMatter matches a block between two lines of --- (YAML) or +++ (TOML) at the very beginning.
var frontMatter = regexp.MustCompile(`(?ms)\A\n*(?:---\n(.*?)^(?:---|\.\.\.)|\+\+\+\n(.*?)^\+\+\+)[ \t]*$\n?`)

func splitFrontMatter(text string) (front, rest string) {
	found := frontMatter.FindStringSubmatch(text)
	if found == nil {
		return "", text
	}
	return found[1] + found[2], text[len(found[0]):]
}

// roundMark matches the o that a text has for the mark of an item, if it has at least so many.
var roundMark = regexp.MustCompile(`(?m)^( {2,8})o {1,3}\b`)

const fewestRound = 3

func readPlain(_ context.Context, text string, raw Raw) (markup.Document, error) {
	text = divided.ReplaceAllString(plain.Tidy(text), "$1$2")
	doc := markup.Document{Title: titleOfText(text, raw.URL), Published: dateInText(text)}
	switch endingOf(raw.URL) {
	case ".org":
		text, doc.Title = orgMarkdown(text)
	case ".adoc":
		text = headed(adocHeads, text)
	default:
		if nameOfManual(prose.FirstLine(text)) != "" {
			text = manualMarkdown(text)
		} else {
			text = commentLines(text)
			if ending := endingOf(raw.URL); ending == ".txt" || ending == ".text" {
				text = ownLines(byLayout(text))
			}
		}
		if len(roundMark.FindAllString(text, fewestRound)) == fewestRound {
			text = roundMark.ReplaceAllString(text, "$1- ")
		}
	}
	doc.Markdown = chineseLines(text)
	return doc, nil
}

// titleOfText returns the first line of a plain text if it is short, no sentence, and set apart.
func titleOfText(text, address string) string {
	ending := endingOf(address)
	isPlain := slices.Contains([]string{".txt", ".text", ".rst", ".adoc"}, ending)
	if !isPlain && find(byEnding, ending).name != "" {
		return ""
	}
	line, rest, _ := strings.Cut(text, "\n")
	if isRule(line) { // it may be above the title too
		line, rest, _ = strings.Cut(rest, "\n")
	}
	next, more, _ := strings.Cut(rest, "\n")
	line = plain.Line(strings.TrimLeft(line, "= "))
	line = cmp.Or(nameOfManual(line), line)
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

// ownLines divides paragraphs whose lines were not broken to fit a page, such as a list of telephone numbers,
// so that each line is one: they are narrow, or the next line's first word had room behind nearly each.
func ownLines(text string) string {
	blocks := prose.Blocks(text)
	if strings.Join(blocks, "\n\n")+"\n" != text { // it has an unclosed fence
		return text
	}
	for i, b := range blocks {
		lines, widest, roomy, full, goOn := strings.Split(b, "\n"), 0, 0, 0, false
		for _, line := range lines {
			widest = max(widest, ansi.StringWidth(line))
		}
		for i, line := range lines[:len(lines)-1] {
			next := 4
			if first := strings.Fields(lines[i+1]); !prose.HasHan(lines[i+1]) && len(first) > 0 {
				next = 1 + len(first[0])
			}
			behind, _ := utf8.DecodeRuneInString(strings.TrimLeft(lines[i+1], " "))
			switch width := ansi.StringWidth(line); {
			case unicode.IsLower(behind):
				full, goOn = full+1, true // a sentence goes on there
			case width+next <= widest:
				roomy++
			case width < widest: // of the widest nothing is known
				full++
			}
		}
		isOther := func(line string) bool { return apart.MatchString(line) || strings.HasPrefix(line, " ") }
		isNarrow := widest < wrapped && len(lines) > fewestRows && !goOn &&
			!slices.ContainsFunc(lines, entry.MatchString)
		isList := (isNarrow || roomy > 1 && roomy >= 4*full) && !slices.ContainsFunc(lines, isOther)
		if isList && !prose.IsCode(b) {
			blocks[i] = strings.Join(lines, "\n\n")
		}
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// isRule reports whether a line is a rule drawn with one sign.
func isRule(line string) bool {
	return len(line) > 2 && strings.Trim(line, line[:1]) == "" && strings.Contains("=-~*#", line[:1])
}

var (
	// entry matches the start of a self-contained line: an article of a contract, a line of a chat or minute.
	entry = regexp.MustCompile(`^\s*(?:第[一二三四五六七八九十百零〇\d]+[条章节款]|[一二三四五六七八九十]+、|` +
		`\[?\d{4}[-/.年]\d\d?[-/.月]\d|\d\d?月\d\d?日|\[?\d\d?[:：]\d\d)`)
	// apart matches a line that is not part of a paragraph.
	apart = regexp.MustCompile(`^\s*(?:[-*+•>|#+]|\d+[.)、]|[a-z] |` + "```)")
	quote = regexp.MustCompile(`(?m)^\s*[-*+>]`)
)

// wrapped is the minimum width of a line that was only broken to fit a page.
const wrapped = 40

// chineseLines splits a Chinese paragraph of entries, and joins lines broken between two characters.
func chineseLines(text string) string {
	if !prose.HasHan(text) {
		return text
	}
	blocks := prose.Blocks(text)
	if strings.Join(blocks, "\n\n")+"\n" != text { // it has an unclosed fence
		return text
	}
	for i, block := range blocks {
		if prose.HasHan(block) && strings.Contains(block, "\n") && !strings.Contains(block, "```") &&
			!strings.Contains(block, "~~~") {
			blocks[i] = joinedLines(strings.Split(block, "\n"), !quote.MatchString(block))
		}
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// joinedLines joins the lines of a paragraph, with an empty line before each entry.
func joinedLines(lines []string, mayPart bool) string {
	var out strings.Builder
	first := slices.IndexFunc(lines, entry.MatchString)
	isBroken := brokenToFit(lines)
	isList := mayPart && (first == 0 || first == 1) && slices.ContainsFunc(lines[first+1:], entry.MatchString)
	for i, line := range lines {
		switch {
		case i == 0:
		case isList && entry.MatchString(line):
			out.WriteString("\n\n")
		case isBroken && goesOn(lines[i-1], line):
			line = strings.TrimLeft(line, " \t")
		default:
			out.WriteString("\n")
		}
		out.WriteString(line)
	}
	return out.String()
}

// brokenToFit reports whether the lines of a paragraph were broken to fit a page: half of them are as wide as
// the widest, and no other ends within a sentence, but for the first, which may be a title, and the last.
func brokenToFit(lines []string) bool {
	const margin = 4 // columns: a sign that may not begin a line is taken to the next with the one before it
	widest, full, broken := 0, 0, lines[:len(lines)-1]
	width := func(line string) int {
		w, _ := plain.Width(strings.TrimSpace(line), false)
		return w
	}
	for _, line := range lines {
		widest = max(widest, width(line))
	}
	for i, line := range broken {
		last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(line))
		next := nextWord.FindString(lines[i+1]) // it is not divided
		switch {
		case width(line)+width(next) >= widest-margin:
			full++
		case i > 0 && !strings.ContainsRune("。！？：；…”", last):
			return false
		}
	}
	return 2*full >= len(broken)
}

// nextWord matches what stands at the beginning of a line and is not divided between two lines.
var nextWord = regexp.MustCompile(`^\s*[^\s\p{Han}]+`)

// goesOn reports whether two lines were broken between two Chinese characters.
func goesOn(line, next string) bool {
	last, _ := utf8.DecodeLastRuneInString(line)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(next, " \t"))
	width, _ := plain.Width(strings.TrimSpace(line), false)
	return width >= wrapped && !apart.MatchString(next) && !strings.HasPrefix(strings.TrimSpace(line), "|") &&
		(unicode.Is(unicode.Han, last) || strings.ContainsRune("，、（“《", last)) &&
		(unicode.Is(unicode.Han, first) || strings.ContainsRune("，、；：。！？（）“”《》", first))
}

package markdown

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Insert puts a text into a file p before or after an anchor: a heading, or a text that the file has once.
//
// After a heading, such as "## Methods", the text comes at the end of its section: before the next
// heading, or, when it begins with a heading itself, after those below the one given. Empty lines go around it
// there, and before a heading. Otherwise it comes on a line of its own, before the line in which the anchor
// begins or after the one that holds its end. A text that would take other headings away is refused.
func Insert(p, whole, anchor, text string, before bool) (made string, err error) {
	source := markdownOf([]byte(whole))
	all := Headings(source)
	at, noHeading := oneHeading(OutlineOf(source), anchor)
	isHeading := strings.HasPrefix(anchor, "#") && !strings.Contains(strings.TrimSpace(anchor), "\n")
	if isHeading && noHeading == nil {
		made = insertBlock(whole, placeAt(all, at, len(whole), text, before), text)
		return made, keepsHeadings(all, Headings(markdownOf([]byte(made))))
	}
	from, anchor, err := once(whole, anchor)
	if err != nil {
		if isHeading && !before { // else it is a line of a program, or of a code block
			err = noHeading
		}
		return "", err
	}
	line := 1 + strings.Count(whole[:from], "\n")
	if !before {
		line += strings.Count(strings.TrimSuffix(anchor, "\n"), "\n") + 1
		text = strings.TrimRight(text, "\r\n") + "\n"
	}
	body, err := Inserted(p, whole, line, withLineEnds(text, lineEnd(whole)))
	if err != nil {
		return "", err
	}
	if made = string(body); !before {
		made = Opened(whole, made)
	}
	return made, keepsHeadings(all, Headings(markdownOf([]byte(made))))
}

// placeAt is where a block goes that is inserted beside a heading.
func placeAt(all []Section, at, end int, text string, before bool) int {
	own := Headings([]byte(text))
	switch {
	case before:
		return all[at].Start
	case len(own) > 0 && own[0].Start == 0:
		return all[at].End
	case at+1 < len(all):
		return all[at+1].Start
	}
	return end
}

// insertBlock puts a text at a place, with empty lines around it.
func insertBlock(whole string, at int, text string) string {
	before, after, eol := whole[:at], whole[at:], lineEnd(whole)
	made := withLineEnds(strings.Trim(text, "\r\n"), eol)
	if lead := strings.TrimRight(before, "\r\n"); lead != "" {
		made = lead + eol + eol + made
	}
	switch {
	case after != "":
		made += eol + eol + after
	case strings.HasSuffix(before, "\n"):
		made += eol
	}
	return made
}

// oneHeading finds the heading that words such as "## Methods" mean.
func oneHeading(all []Heading, wanted string) (int, error) {
	title := strings.TrimSpace(wanted)
	level := len(title) - len(strings.TrimLeft(title, "#"))
	title = strings.TrimSpace(title[level:])
	if i := strings.LastIndex(title, "{#"); i > 0 && strings.HasSuffix(title, "}") {
		title = strings.TrimSpace(title[:i])
	}
	var hits []int
	for i, h := range all {
		if level == h.Level && title != "" && strings.EqualFold(h.Title, title) {
			hits = append(hits, i)
		}
	}
	switch len(hits) {
	case 1:
		return hits[0], nil
	case 0:
		return 0, fmt.Errorf("the heading %s stands there 0 times; the headings are %s", shortened(wanted), listed(all))
	}
	lines := make([]int, len(hits))
	for i, hit := range hits {
		lines[i] = all[hit].Line
	}
	return 0, fmt.Errorf("the heading %s stands there %d times, on lines %s; insert before a line, or after a text that stands there once", shortened(wanted), len(hits), numbers(lines))
}

func listed(all []Heading) string {
	const most = 30
	if len(all) == 0 {
		return "none at all"
	}
	var names []string
	for i, h := range all {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(all)-most))
			break
		}
		names = append(names, fmt.Sprintf("%q on line %d", strings.Repeat("#", h.Level)+" "+h.Title, h.Line))
	}
	return strings.Join(names, ", ")
}

// keepsHeadings says, as an error, which heading of a text is gone from it after a change.
func keepsHeadings(before, after []Section) error {
	for _, h := range before {
		i := slices.IndexFunc(after, func(a Section) bool { return a.Level == h.Level && a.Title == h.Title })
		if i < 0 {
			return fmt.Errorf("nothing was written: the heading %q would be a heading no more. Close the code blocks of your text, and begin it on a line of its own", h.Title)
		}
		after = after[i+1:]
	}
	return nil
}

// SectionUnder is a heading with all that is under it, up to the next heading of its level or above. The
// heading is named by its title, with or without its marks, and must be there once.
func SectionUnder(whole, named string) (string, error) {
	source := markdownOf([]byte(whole))
	all := Headings(source)
	at, err := oneHeading(OutlineOf(source), HeadingNamed(whole, named))
	if err != nil {
		return "", err
	}
	return strings.TrimRight(whole[all[at].Start:all[at].End], "\r\n") + "\n", nil
}

// HeadingNamed is a heading as it is written, such as "## Methods", of which only the title is given; what is
// the title of none, or of several, stays as it is.
func HeadingNamed(whole, named string) string {
	title := strings.TrimSpace(named)
	if strings.HasPrefix(title, "#") || strings.Contains(title, "\n") {
		return named
	}
	found := ""
	for _, h := range OutlineOf([]byte(whole)) {
		switch {
		case !strings.EqualFold(h.Title, title) && h.ID != title:
		case found != "":
			return named
		default:
			found = strings.Repeat("#", h.Level) + " " + h.Title
		}
	}
	return cmp.Or(found, named)
}

// Demote puts the headings of a text, but not in code, one level lower.
func Demote(text string) string {
	source := markdownOf([]byte(text))
	var out strings.Builder
	at := 0
	for _, h := range Headings(source) {
		out.WriteString(text[at:h.Start])
		if at = h.Start; source[at] == '#' && h.Level < 6 {
			out.WriteByte('#')
		}
	}
	out.WriteString(text[at:])
	return out.String()
}

// AsSection returns a chapter as a section of a report under its title, with its own headings one level
// lower, unless it is written as a section already: then it begins with its title on the second level.
func AsSection(title, chapter string) string {
	body := strings.TrimSpace(chapter)
	if hs := Headings([]byte(body)); len(hs) > 0 && hs[0].Start == 0 && hs[0].Level == 2 && hs[0].Title == title {
		return body + "\n"
	}
	body = Demote(body)
	if hs := Headings([]byte(body)); len(hs) > 0 && hs[0].Start == 0 {
		switch {
		case hs[0].Level == 2 && body[0] == '#':
			return body + "\n"
		case hs[0].Title == title: // underlined, or one level lower
			body = strings.TrimSpace(body[hs[0].Body:])
		}
	}
	return "## " + title + "\n\n" + body + "\n"
}

// Inserted is a file with a text put before a line, counted from 1.
func Inserted(p, old string, line int, text string) ([]byte, error) {
	lines := strings.SplitAfter(old, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if line < 1 || line > len(lines)+1 {
		return nil, fmt.Errorf("%s has %d lines, so text can be inserted before line 1 to %d, not %d", p, len(lines), len(lines)+1, line)
	}
	before, after := strings.Join(lines[:line-1], ""), strings.Join(lines[line-1:], "")
	if after != "" {
		text = closed(text)
	}
	if isMarkdown(p) {
		before, text = spaced(closed(before), text, after)
	}
	return []byte(closed(before) + text + after), nil
}

func isMarkdown(p string) bool { return strings.EqualFold(path.Ext(p), ".md") }

// CutFrontMatter divides a source's file into what is said of the text and the text.
func CutFrontMatter(data string) (front, text string, err error) {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(data, "\r\n", "\n"), "---\n")
	if !ok {
		return "", "", errors.New(`it does not begin with front matter, a line "---"`)
	}
	front, text, ok = strings.Cut(rest, "\n---\n")
	if !ok {
		return "", "", errors.New(`its front matter does not end with a line "---"`)
	}
	return front + "\n", strings.TrimPrefix(text, "\n"), nil
}

// longLine is how many letters a line has at least that is a paragraph of its own: others are wrapped.
const longLine = 100

// spaced is a text that is to be inserted into Markdown, with the empty lines around it that keep its blocks
// apart from those beside it. Lines of one paragraph go in as they are, unless it has one long line, and so do
// the items of a list beside a list, the rows of a table beside a table, and all in a block of code.
func spaced(before, text, after string) (ended, made string) {
	own := strings.Split(strings.Trim(text, "\r\n"), "\n")
	first, last := kindOf(own[0]), kindOf(own[len(own)-1])
	lines := first == sentence && last == sentence && !slices.ContainsFunc(own, func(l string) bool { return strings.TrimSpace(l) == "" })
	whole := len(own) == 1 && utf8.RuneCountInString(own[0]) > longLine
	if lines && !whole || inCode(before) {
		return before, text
	}
	eol := lineEnd(before + after)
	if above := lastLine(before); strings.TrimSpace(above) != "" && apart(kindOf(above), first) {
		before += eol
	}
	below, _, _ := strings.Cut(after, "\n")
	if strings.TrimSpace(below) != "" && strings.TrimSpace(own[len(own)-1]) != "" && !strings.HasSuffix(text, "\n\n") && apart(last, kindOf(below)) {
		text += eol
	}
	return before, text
}

// lineKind is what a line of Markdown is the beginning of.
type lineKind int

const (
	sentence lineKind = iota
	headline
	listItem
	tableRow
)

func kindOf(line string) lineKind {
	trimmed := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(trimmed, "#"):
		return headline
	case strings.HasPrefix(trimmed, "|"):
		return tableRow
	case beginsItem.MatchString(trimmed):
		return listItem
	}
	return sentence
}

var beginsItem = regexp.MustCompile(`^(?:[-*+]|[0-9]+[.)]) `)

// apart reports whether an empty line belongs between two lines.
func apart(above, below lineKind) bool {
	return above != below || above == sentence || above == headline
}

// lastLine is the last line of a text, without its end.
func lastLine(text string) string {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// inCode reports whether a text ends within a fenced block of code.
func inCode(text string) bool {
	fence := ""
	for line := range strings.Lines(text) {
		fence = prose.FenceAfter(fence, line)
	}
	return fence != ""
}

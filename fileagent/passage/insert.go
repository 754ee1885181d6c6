// Package passage changes a text where a model points: at a heading, at a few words that occur once, or at a
// stretch named by its beginning and end. If it cannot find them, it shows what comes nearest.
package passage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

// Insert puts a text into a file p before or after an anchor: a heading, or a text that the file has once.
//
// After a heading, such as "## Methods", the text goes to the end of its section: before the next heading or,
// if it begins with a heading itself, after the subheadings. There, and before a heading, empty lines
// surround it. At a text it goes on lines of its own, before the line in which the anchor begins or after the
// one in which it ends. Insert refuses a text that would make other headings disappear.
func Insert(p, whole, anchor, text string, before bool) (made string, err error) {
	all := markdown.Headings([]byte(whole))
	at, noHeading := oneHeading(markdown.OutlineOf([]byte(whole)), anchor)
	isHeading := strings.HasPrefix(anchor, "#") && !strings.Contains(strings.TrimSpace(anchor), "\n")
	if isHeading && noHeading == nil {
		made = insertBlock(whole, placeAt(all, at, len(whole), text, before), text)
		return made, keepsHeadings(all, markdown.Headings([]byte(made)))
	}
	from, anchor, err := once(whole, anchor)
	if err != nil {
		if isHeading && !before { // otherwise it is a line of a program, or of a code block
			err = noHeading
		}
		return "", err
	}
	line := 1 + strings.Count(whole[:from], "\n")
	if !before {
		line += strings.Count(strings.TrimSuffix(anchor, "\n"), "\n") + 1
		text = strings.TrimRight(text, "\r\n") + "\n"
	}
	body, err := markdown.Inserted(p, whole, line, withLineEnds(text, markdown.LineEnd(whole)))
	if err != nil {
		return "", err
	}
	if made = string(body); !before {
		made = markdown.Opened(whole, made)
	}
	return made, keepsHeadings(all, markdown.Headings([]byte(made)))
}

// placeAt returns where to insert a block before or after a heading.
func placeAt(all []markdown.Section, at, end int, text string, before bool) int {
	own := markdown.Headings([]byte(text))
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
	before, after, eol := whole[:at], whole[at:], markdown.LineEnd(whole)
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

// oneHeading finds the heading that words such as "## Methods" mean. Without marks they are the title of a
// heading of any level, or its id.
func oneHeading(all []markdown.Heading, wanted string) (int, error) {
	title := strings.TrimSpace(wanted)
	level := len(title) - len(strings.TrimLeft(title, "#"))
	title = strings.TrimSpace(title[level:])
	if i := strings.LastIndex(title, "{#"); i > 0 && strings.HasSuffix(title, "}") {
		title = strings.TrimSpace(title[:i])
	}
	var hits []int
	for i, h := range all {
		isIt := strings.EqualFold(h.Title, title) || level == 0 && h.ID == title
		if title != "" && isIt && (level == h.Level || level == 0) {
			hits = append(hits, i)
		}
	}
	switch len(hits) {
	case 1:
		return hits[0], nil
	case 0:
		return 0, fmt.Errorf("the heading %s stands there 0 times; the headings are %s", shortened(wanted),
			listed(all))
	}
	lines := make([]int, len(hits))
	for i, hit := range hits {
		lines[i] = all[hit].Line
	}
	return 0, fmt.Errorf("the heading %s stands there %d times, on lines %s; insert before a line, "+
		"or after a text that stands there once", shortened(wanted), len(hits), numbers(lines))
}

func listed(all []markdown.Heading) string {
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

// keepsHeadings returns an error that names the first heading lost by a change, if any.
func keepsHeadings(before, after []markdown.Section) error {
	for _, h := range before {
		isIt := func(a markdown.Section) bool { return a.Level == h.Level && a.Title == h.Title }
		i := slices.IndexFunc(after, isIt)
		if i < 0 {
			return fmt.Errorf("nothing was written: the heading %q would be a heading no more. "+
				"Close the code blocks of your text, and begin it on a line of its own", h.Title)
		}
		after = after[i+1:]
	}
	return nil
}

// SectionUnder returns a heading with all that is under it, up to the next heading of its level or above. The
// heading is named by its title, with or without its marks, and must occur once.
func SectionUnder(whole, named string) (string, error) {
	all := markdown.Headings([]byte(whole))
	at, err := oneHeading(markdown.OutlineOf([]byte(whole)), named)
	if err != nil {
		return "", err
	}
	return strings.TrimRight(whole[all[at].Start:all[at].End], "\r\n") + "\n", nil
}

// HeadingNamed returns the heading with a title as it is written, such as "## Methods". If none or several
// have that title, it returns named unchanged.
func HeadingNamed(whole, named string) string {
	all := markdown.OutlineOf([]byte(whole))
	at, err := oneHeading(all, named)
	if err != nil {
		return named
	}
	return strings.Repeat("#", all[at].Level) + " " + all[at].Title
}

// withLineEnds gives every line of a text the same end.
func withLineEnds(text, eol string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", eol)
}

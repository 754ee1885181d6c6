package passage

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

// itemMark matches the beginning of a list item at the end of a text.
var itemMark = regexp.MustCompile(`(?:^|\n)([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)$`)

// Replace replaces a text that must occur exactly once. Deleting whole lines removes the end of the last one
// too, so that no empty line divides a list or a table, but keeps apart what was apart. Deleting the text of
// a list item removes its mark.
func Replace(whole, old, text string) (string, error) {
	at, old, err := once(whole, old)
	if err != nil {
		return "", err
	}
	before, after, line := whole[:at], whole[at+len(old):], markdown.LineEnd(whole)
	if m := itemMark.FindStringSubmatch(before); m != nil && text == "" &&
		(after == "" || strings.HasPrefix(after, line)) {
		before = strings.TrimSuffix(before, m[1])
	}
	if text == "" && (before == "" || strings.HasSuffix(before, "\n")) {
		switch {
		case !strings.HasSuffix(old, line):
			after = strings.TrimPrefix(after, line)
		case strings.HasSuffix(old, line+line) && before != "" && !strings.HasSuffix(before, line+line):
			after = line + after
		}
	}
	return before + withLineEnds(text, line) + after, nil
}

// leastEnd is how many words, or leastLetters how many letters, each end of a stretch needs to name it.
const leastEnd, leastLetters = 3, 8

var between = regexp.MustCompile(`\s…\s`)

// Stretch returns the text that a request names by its beginning and its end, "first words … last words".
// Each must occur once, in this order, white space aside. Any other request is returned unchanged.
func Stretch(whole, asked string) (string, error) {
	cut := between.FindStringIndex(asked)
	if cut == nil || strings.Contains(whole, withLineEnds(asked, markdown.LineEnd(whole))) {
		return asked, nil
	}
	from, first, err := end(whole, strings.TrimRight(asked[:cut[0]], " \t\r\n"))
	if err != nil {
		return "", fmt.Errorf("looking for what is before the …: %w", err)
	}
	to, last, err := end(whole, strings.TrimLeft(asked[cut[1]:], " \t\r\n"))
	if err != nil {
		return "", fmt.Errorf("looking for what is behind the …: %w", err)
	}
	if to < from+len(first) {
		return "", fmt.Errorf("what is behind the …, %s, stands before what is before it; "+
			"give the first words first", shortened(last))
	}
	return whole[from : to+len(last)], nil
}

// end returns the only place of a stretch's beginning or end, and the text as it is written there.
func end(whole, text string) (at int, written string, err error) {
	if prose.Count(text) < leastEnd && utf8.RuneCountInString(prose.Letters(text)) < leastLetters {
		return 0, "", fmt.Errorf("%s is too short to name a place; give %d words or more", shortened(text),
			leastEnd)
	}
	if !strings.Contains(whole, text) {
		switch all := likeIt(whole, prose.OneLine(text)); {
		case len(all) == 2 && all[0] != all[1]:
			return 0, "", fmt.Errorf("%s stands there more than once, up to white space, as %s and %s; "+
				"give more of it", shortened(text), shortened(all[0]), shortened(all[1]))
		case len(all) > 0:
			text = all[0]
		}
	}
	return once(whole, text)
}

// likeIt returns the first two matches of a single-spaced text as they are written; white space may differ.
func likeIt(whole, text string) (all []string) {
	var flat []byte
	var origin []int // of each byte of flat in whole
	for i := 0; i < len(whole); {
		r, n := utf8.DecodeRuneInString(whole[i:])
		switch {
		case !unicode.IsSpace(r):
			for j := range n {
				flat, origin = append(flat, whole[i+j]), append(origin, i+j)
			}
		case len(flat) == 0 || flat[len(flat)-1] != ' ':
			flat, origin = append(flat, ' '), append(origin, i)
		}
		i += n
	}
	for rest := flat; text != "" && len(all) < 2; {
		at := bytes.Index(rest, []byte(text))
		if at < 0 {
			break
		}
		from := len(flat) - len(rest) + at
		all = append(all, whole[origin[from]:origin[from+len(text)-1]+1])
		rest = rest[at+len(text):]
	}
	return all
}

// once returns the only place of a text, and the text as it is written there: its line ends may differ.
func once(whole, text string) (at int, written string, err error) {
	if strings.TrimSpace(text) == "" {
		return 0, "", fmt.Errorf("the text to look for is empty; give a few words that stand there once")
	}
	if !strings.Contains(whole, text) {
		text = withLineEnds(text, markdown.LineEnd(whole))
	}
	var hits, lines []int
	for from := 0; len(hits) < maxHits; from++ {
		i := strings.Index(whole[from:], text)
		if i < 0 {
			break
		}
		from += i
		hits = append(hits, from)
	}
	switch len(hits) {
	case 1:
		return hits[0], text, nil
	case 0:
		return 0, "", fmt.Errorf("the text %s stands there 0 times; it must stand there once, "+
			"letter by letter. %s", shortened(text),
			cmp.Or(near(whole, text), "Search the file for a few of its words"))
	}
	for _, hit := range hits[:min(len(hits), maxLines+1)] { // the last of them shows that there are more
		lines = append(lines, 1+strings.Count(whole[:hit], "\n"))
	}
	return 0, "", fmt.Errorf("the text %s stands there %d times, on lines %s; "+
		"give more of what stands around the one you mean", shortened(text), len(hits), numbers(lines))
}

const (
	maxHits  = 1000 // places of a text that are counted
	maxLines = 20   // line numbers that an error names
)

func shortened(text string) string { return strconv.Quote(prose.Shorten(text, 80)) }

func numbers(lines []int) string {
	var parts []string
	for _, n := range lines[:min(len(lines), maxLines)] {
		parts = append(parts, strconv.Itoa(n))
	}
	if len(lines) > maxLines {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ", ")
}

package openai

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// What a model thought aloud is not part of what it said. It comes in three shapes: between a pair of tags;
// before a closing tag alone, if the server's template wrote the opening one; and after an opening tag alone,
// if the model got no further. Tags in the middle of a sentence or in code are words, and stay.

var (
	thinkTag = regexp.MustCompile(`<(/?)think(?:ing)?>`)
	// codeSpans matches fences, where one of four marks may contain one of three, and code within a line.
	codeSpans = regexp.MustCompile("(?s)(?m:^)[ \t]*(?:" +
		"````.*?(?:\n[ \t]*````|$)|```.*?(?:\n[ \t]*```|$)|~~~~.*?(?:\n[ \t]*~~~~|$)|~~~.*?(?:\n" +
		"[ \t]*~~~|$))|`[^`\n]*`")
	// thoughtInArgs matches a thought that begins a string of JSON.
	thoughtInArgs = regexp.MustCompile(`(^|[^\\])"(?:\s|\\[nrt])*` + opensInArgs + `((?:[^"\\]|\\.)*?)` +
		closesInArgs + `(?:\s|\\[nrt])*`)
)

const (
	opensInArgs  = `(?:<|\\u003[cC])think(?:ing)?(?:>|\\u003[eE])`
	closesInArgs = `(?:<|\\u003[cC])/think(?:ing)?(?:>|\\u003[eE])`
)

// withoutCode returns a text of the same length with its code masked.
func withoutCode(text string) string {
	return codeSpans.ReplaceAllStringFunc(text,
		func(code string) string { return strings.Repeat("`", len(code)) })
}

// withoutThoughts splits a text into what was said and what was thought. It goes through the text once.
func withoutThoughts(text string) (said, thought string) {
	masked := withoutCode(text)
	tags := thinkTag.FindAllStringSubmatchIndex(masked, -1)
	closers := len(tags) // the tags up to the last one that closes
	for closers > 0 && !isCloser(tags[closers-1]) {
		closers--
	}
	var kept, thoughts []string
	at := 0 // the text before it is split
	cut := func(begin, end int) {
		if before := strings.TrimSpace(text[at:begin]); before != "" {
			kept = append(kept, before)
		}
		thoughts = append(thoughts, strings.TrimSpace(thinkTag.ReplaceAllString(text[begin:end], "")))
		at = end
	}
	if len(tags) > 0 && isCloser(tags[0]) && endsLine(masked[tags[0][1]:]) {
		cut(0, tags[0][1])
	}
	for i := 0; i < len(tags); i++ {
		begin, end := tags[i][0], tags[i][1]
		// a part of the thought before it, or of a sentence about the tags
		if begin < at || isCloser(tags[i]) || !beginsLine(masked[at:begin]) {
			continue
		}
		first := len(kept) == 0 && strings.TrimSpace(masked[at:begin]) == ""
		last := i + closing(tags[i:max(i, closers)])
		switch {
		case last > i && (first || endsLine(masked[end:]) || endsLine(masked[tags[last][1]:])):
			cut(begin, tags[last][1])
		case last == i && first: // closed by nothing, or by a tag in code that it left open
			end := len(text)
			tags := thinkTag.FindAllStringSubmatchIndex(text[begin:], -1)
			if last := tags[len(tags)-1]; isCloser(last) {
				end = begin + last[1]
			}
			cut(begin, end)
		}
		i = last
	}
	if at == 0 {
		return text, ""
	}
	return joined(append(kept, strings.TrimLeft(text[at:], " \t\r\n"))...), joined(thoughts...)
}

func isCloser(tag []int) bool { return tag[2] < tag[3] }

func beginsLine(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || strings.HasSuffix(before, "\n")
}

func endsLine(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line) == ""
}

// closing returns the index of the tag that closes the first, or 0; the last one if they do not pair up.
func closing(tags [][]int) (last int) {
	depth := 0
	for i, t := range tags {
		if !isCloser(t) {
			depth++
			continue
		}
		last = i
		if depth--; depth == 0 {
			break
		}
	}
	return last
}

// joined joins the parts that are not empty, as paragraphs.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts,
		func(s string) bool { return strings.TrimSpace(s) == "" }), "\n\n")
}

// thoughtlessArgs takes thoughts out of a call's arguments: one before the JSON, and one that begins a string
// in it, which would otherwise be written into a file. It leaves alone a string that only mentions the tags.
func thoughtlessArgs(args string) (said, thought string) {
	var thoughts []string
	if strings.HasPrefix(strings.TrimLeft(args, " \t\r\n"), "<") {
		// thoughts alone do not make a call without arguments
		if said, thought = withoutThoughts(args); said != "" {
			args, thoughts = said, append(thoughts, thought)
		}
	}
	for _, m := range thoughtInArgs.FindAllStringSubmatch(args, -1) {
		text := m[2]
		_ = json.Unmarshal([]byte(`"`+m[2]+`"`), &text) // what cannot be read stays as it is
		thoughts = append(thoughts, strings.TrimSpace(text))
	}
	return thoughtInArgs.ReplaceAllString(args, `$1"`), joined(thoughts...)
}

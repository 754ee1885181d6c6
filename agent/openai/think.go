package openai

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// What a model thought aloud does not belong to what it said. It comes in three shapes: a pair of tags around
// it, only the closing tag where the template of a server already opened the other, and only the opening one
// where the model got no further. Tags in the middle of a sentence or in code are words, and stay.

var (
	thinkTag = regexp.MustCompile(`<(/?)think(?:ing)?>`)
	// codeSpans are fences, of which one of four marks may hold one of three, and code within a line.
	codeSpans = regexp.MustCompile("(?s)(?m:^)[ \t]*(?:" +
		"````.*?(?:\n[ \t]*````|$)|```.*?(?:\n[ \t]*```|$)|~~~~.*?(?:\n[ \t]*~~~~|$)|~~~.*?(?:\n" +
		"[ \t]*~~~|$))|`[^`\n]*`")
	// thoughtInArgs is a thought that begins a string of JSON.
	thoughtInArgs = regexp.MustCompile(`(^|[^\\])"(?:\s|\\[nrt])*` + opensInArgs + `((?:[^"\\]|\\.)*?)` +
		closesInArgs + `(?:\s|\\[nrt])*`)
)

const (
	opensInArgs  = `(?:<|\\u003[cC])think(?:ing)?(?:>|\\u003[eE])`
	closesInArgs = `(?:<|\\u003[cC])/think(?:ing)?(?:>|\\u003[eE])`
)

// withoutCode is a text of the same length in which code is made unreadable.
func withoutCode(text string) string {
	return codeSpans.ReplaceAllStringFunc(text,
		func(code string) string { return strings.Repeat("`", len(code)) })
}

// withoutThoughts parts a text into what was said and what was thought. It goes through the text once.
func withoutThoughts(text string) (said, thought string) {
	masked := withoutCode(text)
	tags := thinkTag.FindAllStringSubmatchIndex(masked, -1)
	closers := len(tags) // the tags up to the last one that closes
	for closers > 0 && !isCloser(tags[closers-1]) {
		closers--
	}
	var kept, thoughts []string
	at := 0 // the text before it is parted
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

// closing is the number of the tag that closes the first, or 0; the last one where they do not pair up.
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

// joined puts what is not empty together, as paragraphs.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts,
		func(s string) bool { return strings.TrimSpace(s) == "" }), "\n\n")
}

// thoughtlessArgs takes thoughts out of a call's arguments: one before the JSON, and one that begins a string
// in it, which would otherwise be written into a file. A string that only speaks of the tags is left alone.
func thoughtlessArgs(args string) (said, thought string) {
	var thoughts []string
	if strings.HasPrefix(strings.TrimLeft(args, " \t\r\n"), "<") {
		// nothing but thoughts are not the arguments of a call without any
		if said, thought = withoutThoughts(args); said != "" {
			args, thoughts = said, append(thoughts, thought)
		}
	}
	for _, m := range thoughtInArgs.FindAllStringSubmatch(args, -1) {
		text := m[2]
		_ = json.Unmarshal([]byte(`"`+m[2]+`"`), &text) // as it is where it cannot be read
		thoughts = append(thoughts, strings.TrimSpace(text))
	}
	return thoughtInArgs.ReplaceAllString(args, `$1"`), joined(thoughts...)
}

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
	thinkTag  = regexp.MustCompile(`<(/?)think(?:ing)?>`)
	codeSpans = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```|^[ \t]*~~~.*?^[ \t]*~~~|`[^`\n]*`")
	// thoughtInArgs is a thought that begins a string of JSON.
	thoughtInArgs = regexp.MustCompile(`(^|[^\\])"(?:\s|\\[nrt])*` + opensInArgs + `((?:[^"\\]|\\.)*?)` + closesInArgs + `(?:\s|\\[nrt])*`)
)

const (
	opensInArgs  = `(?:<|\\u003c)think(?:ing)?(?:>|\\u003e)`
	closesInArgs = `(?:<|\\u003c)/think(?:ing)?(?:>|\\u003e)`
)

// withoutThoughts parts a text into what was said and what was thought.
func withoutThoughts(text string) (said, thought string) {
	rest := codeSpans.ReplaceAllStringFunc(text, func(code string) string { return strings.Repeat("`", len(code)) })
	var kept, thoughts []string
	at := 0
	for {
		t, ok := firstThought(rest, text[at:], len(kept) == 0, at == 0)
		if !ok {
			break
		}
		if before := strings.TrimSpace(text[at : at+t.begin]); before != "" {
			kept = append(kept, before)
		}
		thoughts = append(thoughts, strings.TrimSpace(thinkTag.ReplaceAllString(text[at+t.begin:at+t.end], "")))
		at, rest = at+t.end, rest[t.end:]
	}
	if at == 0 {
		return text, ""
	}
	return joined(append(kept, strings.TrimLeft(text[at:], " \t\r\n"))...), joined(thoughts...)
}

// thoughtSpan is where a thought is, its tags included.
type thoughtSpan struct{ begin, end int }

// firstThought finds the first thought in a text, of which code is blanked out in masked. Leading says that
// nothing was said before it, and whole that it is the whole text.
func firstThought(masked, text string, leading, whole bool) (thoughtSpan, bool) {
	tags := thinkTag.FindAllStringSubmatchIndex(masked, -1)
	for i := 0; i < len(tags); i++ {
		begin, end := tags[i][0], tags[i][1]
		if isCloser(tags[i]) {
			if i == 0 && whole && endsLine(masked[end:]) {
				return thoughtSpan{0, end}, true
			}
			continue
		}
		before := strings.TrimRight(masked[:begin], " \t")
		if before != "" && !strings.HasSuffix(before, "\n") {
			continue // a sentence about the tags
		}
		first := leading && strings.TrimSpace(before) == ""
		last := closing(tags[i:])
		switch {
		case last > 0 && (first || endsLine(masked[end:]) || endsLine(masked[tags[i+last][1]:])):
			return thoughtSpan{begin, tags[i+last][1]}, true
		case last > 0:
			i += last
		case first:
			closers := thinkTag.FindAllStringSubmatchIndex(text, -1) // one may seem to be in code that the thought left open
			if n := len(closers) - 1; isCloser(closers[n]) {
				return thoughtSpan{begin, closers[n][1]}, true
			}
			return thoughtSpan{begin, len(text)}, true
		}
	}
	return thoughtSpan{}, false
}

func isCloser(tag []int) bool { return tag[2] < tag[3] }

func endsLine(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line) == ""
}

// closing is the number of the tag that closes the first, counting those between, or 0. Where they do not
// pair up, as when a thought speaks of the tags, it is the last one that closes.
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
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return strings.TrimSpace(s) == "" }), "\n\n")
}

// thoughtlessArgs takes thoughts out of a call's arguments: one before the JSON, and one that begins a string
// in it, which would otherwise be written into a file. A string that only speaks of the tags is left alone.
func thoughtlessArgs(args string) (said, thought string) {
	var thoughts []string
	if strings.HasPrefix(strings.TrimLeft(args, " \t\r\n"), "<") {
		if said, thought = withoutThoughts(args); said != "" { // nothing but thoughts are not the arguments of a call without any
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

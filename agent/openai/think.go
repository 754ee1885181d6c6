package openai

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
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

// withoutThoughts parts a text into what was said and what was thought.
func withoutThoughts(text string) (said, thought string) {
	if !strings.Contains(text, "think") {
		return text, ""
	}
	masked := codeSpans.ReplaceAllStringFunc(text,
		func(code string) string { return strings.Repeat("`", len(code)) })
	f := thoughtFinder{text: text, masked: masked, tags: thinkTag.FindAllStringSubmatchIndex(masked, -1)}
	for i, tag := range f.tags {
		if isCloser(tag) {
			f.closers = i + 1
		}
	}
	var kept, thoughts []string
	for {
		from := f.at
		begin, ok := f.next(len(kept) == 0)
		if !ok {
			break
		}
		if before := strings.TrimSpace(text[from:begin]); before != "" {
			kept = append(kept, before)
		}
		thoughts = append(thoughts, strings.TrimSpace(thinkTag.ReplaceAllString(text[begin:f.at], "")))
	}
	if f.at == 0 {
		return text, ""
	}
	return joined(append(kept, strings.TrimLeft(text[f.at:], " \t\r\n"))...), joined(thoughts...)
}

// thoughtFinder goes through a text once, from thought to thought.
type thoughtFinder struct {
	text, masked string  // in masked code is made unreadable
	tags         [][]int // of masked
	closers      int     // how many tags there are up to the last one that closes
	at, tag      int     // how far it has come, in bytes and in tags
}

// next goes behind the next thought, its tags included, and returns where that begins. Leading says that
// nothing was said before it.
func (f *thoughtFinder) next(leading bool) (begin int, ok bool) {
	from := f.at
	ink := len(f.masked) - len(strings.TrimLeftFunc(f.masked[from:], unicode.IsSpace))
	for i := f.tag; i < len(f.tags); i++ {
		begin, end := f.tags[i][0], f.tags[i][1]
		if isCloser(f.tags[i]) {
			if i == 0 && from == 0 && endsLine(f.masked[end:]) {
				f.goTo(end)
				return 0, true
			}
			continue
		}
		before := strings.TrimRight(f.masked[from:begin], " \t")
		if before != "" && !strings.HasSuffix(before, "\n") {
			continue // a sentence about the tags
		}
		first, last := leading && begin == ink, 0
		if i < f.closers {
			last = closing(f.tags[i:f.closers])
		}
		switch {
		case last > 0 && (first || endsLine(f.masked[end:]) || endsLine(f.masked[f.tags[i+last][1]:])):
			f.goTo(f.tags[i+last][1])
			return begin, true
		case last > 0:
			i += last
		case first:
			f.goTo(f.endOfOpen(begin))
			return begin, true
		}
	}
	return 0, false
}

// endOfOpen is where a thought ends that no tag closes, except perhaps one that seems to be in code because
// the thought left code open.
func (f *thoughtFinder) endOfOpen(begin int) int {
	tags := thinkTag.FindAllStringSubmatchIndex(f.text[begin:], -1)
	if last := tags[len(tags)-1]; isCloser(last) {
		return begin + last[1]
	}
	return len(f.text)
}

func (f *thoughtFinder) goTo(at int) {
	f.at = at
	for f.tag < len(f.tags) && f.tags[f.tag][0] < at {
		f.tag++
	}
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
	return strings.Join(slices.DeleteFunc(parts,
		func(s string) bool { return strings.TrimSpace(s) == "" }), "\n\n")
}

// thoughtlessArgs takes thoughts out of a call's arguments: one before the JSON, and one that begins a string
// in it, which would otherwise be written into a file. A string that only speaks of the tags is left alone.
func thoughtlessArgs(args string) (said, thought string) {
	if !strings.Contains(args, "think") {
		return args, ""
	}
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

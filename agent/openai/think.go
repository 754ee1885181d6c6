package openai

import (
	"encoding/json"
	"slices"
	"strings"
)

// What a model thought aloud does not belong to what it said. It comes in three shapes: a pair of tags around
// it, only the closing tag where the template of a server already opened the other, and only the opening one
// where the model got no further. Tags in the middle of a sentence or in code are words, and stay.

// withoutThoughts parts a text into what was said and what was thought.
func withoutThoughts(text string) (said, thought string) {
	tags := tagsIn(text)
	var kept, thoughts []string
	from := 0
	for i := 0; i < len(tags); {
		before := strings.TrimSpace(text[from:tags[i].at])
		t := thoughtAt(text, tags, i, before == "", len(kept) == 0)
		i = t.next
		if !t.is {
			continue
		}
		if before != "" && t.begin > 0 {
			kept = append(kept, before)
		}
		thoughts = append(thoughts, untagged(text[t.begin:t.end]))
		from = t.resume
	}
	if len(thoughts) == 0 {
		return text, ""
	}
	return joined(append(kept, strings.TrimLeft(text[from:], " \t\r\n"))...), joined(thoughts...)
}

// stretch is a part of a text that is a thought, if it is one, and where to look on.
type stretch struct {
	is         bool
	begin, end int
	resume     int // where the text goes on
	next       int // the tag to look at then
}

// thoughtAt is the thought that the tag at i belongs to. Bare says that nothing was said between the last
// thought and it, and first that nothing was said before that either.
func thoughtAt(text string, tags []tag, i int, bare, first bool) stretch {
	t := tags[i]
	if t.closes {
		return stretch{i == 0 && t.last, 0, t.at, t.end, i + 1}
	}
	if !t.first && !bare {
		return stretch{next: i + 1}
	}
	last := closing(tags, i)
	switch {
	case last > 0 && (bare && first || t.last || tags[last].last):
		return stretch{true, t.at, tags[last].at, tags[last].end, last + 1}
	case last > 0: // a sentence about the tags
		return stretch{next: last + 1}
	case bare && first:
		end, resume := lastInCode(text, t.end)
		return stretch{true, t.at, end, resume, len(tags)}
	}
	return stretch{next: i + 1}
}

// joined puts what is not empty together, as paragraphs.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return strings.TrimSpace(s) == "" }), "\n\n")
}

// closing is the number of the tag that closes the one at i, counting those between, or 0. Where they do not
// pair up, as when a thought speaks of the tags, it is the last one that closes.
func closing(tags []tag, i int) int {
	depth, last := 0, 0
	for j := i; j < len(tags) && tags[i].closed; j++ {
		if !tags[j].closes {
			depth++
			continue
		}
		last = j
		if depth--; depth == 0 {
			break
		}
	}
	return last
}

// lastInCode is where a thought ends that no tag closes, except perhaps one that seems to stand in code
// because a thought left code open.
func lastInCode(text string, from int) (end, resume int) {
	for _, t := range slices.Backward(allTags(text)) {
		if t.closes && t.at >= from {
			return t.at, t.end
		}
	}
	return len(text), len(text)
}

// tag is where a tag of a thought stands in a text.
type tag struct {
	at, end     int
	closes      bool
	first, last bool // nothing stands before it on its line but other tags, or nothing behind it
	closed      bool // one that closes comes after it
}

// allTags finds the tags.
func allTags(text string) []tag {
	var tags []tag
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 {
			return tags
		}
		at += i
		t := tag{at: at, end: at + 1}
		t.closes = strings.HasPrefix(text[t.end:], "/")
		if t.closes {
			t.end++
		}
		for _, name := range []string{"think>", "thinking>"} {
			if strings.HasPrefix(text[t.end:], name) {
				t.end += len(name)
				tags = append(tags, t)
				break
			}
		}
		at = t.end
	}
}

// tagsIn finds the tags that do not stand in code.
func tagsIn(text string) []tag {
	if !strings.Contains(text, "think") {
		return nil
	}
	var tags []tag
	offset, fence := 0, ""
	for line := range strings.Lines(text) {
		mark := fenceMark(strings.TrimLeft(line, " \t"))
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case mark != "":
			fence = mark
		default:
			tags = append(tags, inLine(line, offset)...)
		}
		offset += len(line)
	}
	closed := false
	for i := range slices.Backward(tags) {
		tags[i].closed = closed
		closed = closed || tags[i].closes
	}
	return tags
}

// inLine finds the tags of a line that do not stand between backticks.
func inLine(line string, offset int) []tag {
	var tags []tag
	ticks, from, first, lastTick := 0, 0, true, strings.LastIndexByte(line, '`')
	for _, t := range allTags(line) {
		between := line[from:t.at]
		ticks += strings.Count(between, "`")
		first = first && strings.TrimSpace(between) == ""
		from = t.end
		if ticks%2 == 1 && lastTick > t.at {
			continue
		}
		t.first, t.last = first, strings.TrimSpace(line[t.end:]) == ""
		t.at, t.end = t.at+offset, t.end+offset
		tags = append(tags, t)
	}
	return tags
}

// untagged takes the tags out of a thought.
func untagged(text string) string {
	var out strings.Builder
	at := 0
	for _, t := range allTags(text) {
		out.WriteString(text[at:t.at])
		at = t.end
	}
	out.WriteString(text[at:])
	return strings.TrimSpace(out.String())
}

// thoughtlessArgs takes thoughts out of a call's arguments: one before the JSON, and one that begins a string in it, which would
// else be written into a file. A string that only speaks of the tags is left alone.
func thoughtlessArgs(args string) (said, thought string) {
	if !strings.Contains(args, "think") {
		return args, ""
	}
	var thoughts []string
	if strings.HasPrefix(strings.TrimLeft(args, " \t\r\n"), "<") {
		if said, thought = withoutThoughts(args); said != "" { // nothing but thoughts are not the arguments of a call without any
			args, thoughts = said, append(thoughts, thought)
		}
	}
	var out strings.Builder
	for {
		begin := strings.IndexByte(args, '"')
		if begin < 0 {
			out.WriteString(args)
			return out.String(), joined(thoughts...)
		}
		end := begin + 1
		for end < len(args) && args[end] != '"' {
			if args[end] == '\\' {
				end++
			}
			end++
		}
		out.WriteString(args[:begin])
		text, thought := leadingThought(args[begin:min(end+1, len(args))])
		out.WriteString(text)
		thoughts = append(thoughts, thought)
		args = args[min(end+1, len(args)):]
	}
}

// leadingThought parts a JSON string from a pair of tags that its text begins with.
func leadingThought(quoted string) (said, thought string) {
	if !strings.Contains(quoted, "think") {
		return quoted, ""
	}
	var text string
	if json.Unmarshal([]byte(rawBreaks.Replace(quoted)), &text) != nil {
		return quoted, ""
	}
	text = strings.TrimLeft(text, " \t\r\n")
	for _, name := range []string{"think>", "thinking>"} {
		after, ok := strings.CutPrefix(text, "<"+name)
		if !ok {
			continue
		}
		thought, rest, ok := strings.Cut(after, "</"+name)
		if !ok {
			continue
		}
		if whole, err := plainJSON(strings.TrimLeft(rest, " \t\r\n")); err == nil {
			return string(whole), strings.TrimSpace(thought)
		}
	}
	return quoted, ""
}

// rawBreaks writes line breaks as JSON has them in a string.
var rawBreaks = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`)

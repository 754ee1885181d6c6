package trial

import (
	"fmt"
	"maps"
	"strings"
)

// An edit plants a fault into the files of a case:
//
//	What was done, in a sentence or two.
//	words: what, a judge, may call it
//
//	=== report.md
//	--- find
//	the text as it is
//	--- replace
//	the text as it shall be
//	--- delete
//	a text that goes
//	--- delete section
//	## The heading of a section that goes, up to the next heading of its level
//	--- append
//	a text that comes at the end
//	--- whole
//	the whole new file
//
// A text to find must occur in its file exactly once, so that no edit applies by accident after its report is
// changed. Line breaks at both ends of a text are ignored; blanks are not.

// plant applies an edit to a copy of the files.
func plant(honest files, edit string) (Planted, error) {
	head, body, _ := strings.Cut(edit, "\n=== ")
	what, words, found := strings.Cut(head, "\nwords: ")
	if !found || body == "" {
		return Planted{}, fmt.Errorf(
			`an edit begins with what it does, then has a line "words: …", and then a file after ===`)
	}
	p := Planted{What: strings.TrimSpace(what)}
	for word := range strings.SplitSeq(words, ",") {
		p.Words = append(p.Words, strings.ToLower(strings.TrimSpace(word)))
	}
	faulty := maps.Clone(honest)
	for part := range strings.SplitSeq(body, "\n=== ") {
		name, changes, _ := strings.Cut(part, "\n")
		text, known := faulty[name]
		if !known {
			return Planted{}, fmt.Errorf("there is no file %q", name)
		}
		text, err := change(text, "\n"+changes)
		if err != nil {
			return Planted{}, fmt.Errorf("changing %s: %w", name, err)
		}
		faulty[name] = text
	}
	var err error
	p.Material, err = faulty.material()
	return p, err
}

// change applies the changes listed below a file's name.
func change(text, changes string) (string, error) {
	before, rest, _ := strings.Cut(changes, "\n--- ")
	if strings.TrimSpace(before) != "" || rest == "" {
		return "", fmt.Errorf("a change begins with ---, not with %q", before)
	}
	steps := strings.Split(rest, "\n--- ")
	for i := 0; i < len(steps); i++ {
		verb, old := step(steps[i])
		replacement := ""
		switch verb {
		case "whole":
			text = old + "\n"
			continue
		case "append":
			text = strings.TrimRight(text, "\n") + "\n\n" + old + "\n"
			continue
		case "find":
			if i++; i == len(steps) {
				return "", fmt.Errorf("find %q has no replace", old)
			}
			if verb, replacement = step(steps[i]); verb != "replace" {
				return "", fmt.Errorf("find %q is followed by %q, not by replace", old, verb)
			}
		case "delete":
		case "delete section":
			old = section(text, old)
		default:
			return "", fmt.Errorf("there is no change %q", verb)
		}
		if n := strings.Count(text, old); old == "" || n != 1 {
			return "", fmt.Errorf("%q stands there %d times, and must once", old, n)
		}
		text = strings.Replace(text, old, replacement, 1)
		for strings.Contains(text, "\n\n\n") {
			text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
		}
	}
	return text, nil
}

func step(s string) (verb, text string) {
	verb, text, _ = strings.Cut(s, "\n")
	return strings.TrimSpace(verb), strings.Trim(text, "\n")
}

// section returns a heading with everything under it; "" if there is no such heading.
func section(text, heading string) string {
	from := strings.Index("\n"+text, "\n"+heading+"\n")
	if heading == "" || from < 0 {
		return ""
	}
	level, _, _ := strings.Cut(heading, " ")
	body := text[from:]
	if end := strings.Index(body[len(heading):], "\n"+level+" "); end >= 0 {
		body = body[:len(heading)+end]
	}
	return body
}

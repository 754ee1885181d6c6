package clip

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
)

// The requests that the researcher makes of the file agent, which carries each out as it is written, without
// a Brain.
func readOperation(file string) string  { return "Read the file `" + file + "`" }
func streamOperation(id string) string  { return "Continue the stream `" + id + "`" }
func writeOperation(file string) string { return "Write the content to `" + file + "`, overwriting it" }

const listOperation = "List the files in the directory Notebook"

func operate(description string) agent.Call {
	return call("file_operation", arguments{"operation_description": description})
}

// reads are the calls for those files that were not read in this stretch, and for the next page of those that
// are long.
func (s *stretch) reads(files []string) (calls []agent.Call) {
	for _, file := range files {
		if _, next := s.readBack(file); next != "" {
			calls = append(calls, operate(next))
		}
	}
	return calls
}

// text is a file as it was last read in this stretch, "" when it could not be, or when it is no text.
func (s *stretch) text(file string) string {
	const odd = 20 // one damaged character in so many is still a text
	text, _ := s.readBack(file)
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) || strings.Count(text, "\uFFFD")*odd > utf8.RuneCountInString(text) {
		return ""
	}
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// The file agent's notes behind a page of a long file, and behind the last one.
var (
	goesOn = regexp.MustCompile(`(?s)^(.*)\n\(bytes [^\n]* stream_id ("[^"\n]*")\)\s*$`)
	endsIt = regexp.MustCompile(`(?s)^(.*)\n\(end of [^\n]*\s*$`)
)

// readBack puts together the pages of a file that were read in this stretch. next is the operation that reads
// the page after them, or the first; "" when there is none, or when it was asked for and did not come.
func (s *stretch) readBack(file string) (text, next string) {
	next = readOperation(file)
	for _, a := range s.acts {
		first := a.args.Operation == readOperation(file)
		if a.action != "file_operation" || !first && (a.args.Operation != next || next == "") {
			continue
		}
		if next = ""; first {
			text = ""
		}
		result := a.result
		if m := goesOn.FindStringSubmatch(result); m != nil {
			id, _ := strconv.Unquote(m[2]) // what is between two marks without any
			result, next = m[1], streamOperation(id)
		} else if m := endsIt.FindStringSubmatch(result); m != nil && !first {
			result = m[1]
		}
		if !a.failed() {
			text += result
		}
	}
	return text, next
}

// operated counts the calls of an operation, and those that failed; last is the latest of them.
func (s *stretch) operated(description string) (n, failed int, last act) {
	for _, a := range s.acts {
		if a.action == "file_operation" && a.args.Operation == description {
			if n, last = n+1, a; a.failed() {
				failed++
			}
		}
	}
	return n, failed, last
}

// save is the reply that writes a file, false once it is written or was refused twice. A write that was
// refused is tried again after the file was read: somebody else may have written there.
func (s *stretch) save(file, content string) (agent.Reply, bool) {
	n, failed, last := s.operated(writeOperation(file))
	switch {
	case n > failed && last.args.Content == content && !last.failed(), failed > 1:
		return agent.Reply{}, false
	case failed > 0:
		if _, _, seen := s.operated(readOperation(file)); seen.at < last.at {
			return ask(operate(readOperation(file))), true
		}
	}
	return ask(call("file_operation", arguments{"operation_description": writeOperation(file), "content": content})), true
}

// paragraphs divides a Markdown text at its blank lines; a block of code, with the line that leads to it, is
// one.
func paragraphs(text string) (all []string) {
	fence, ended := "", true
	for line := range strings.Lines(text) {
		blank := fence == "" && strings.TrimSpace(line) == ""
		switch n := len(all) - 1; {
		case blank && (ended || leadsToCode.MatchString(all[n])):
		case blank:
			ended = true
			continue
		case ended:
			all, ended = append(all, line), false
		default:
			all[n] += line
		}
		if blank && !ended {
			all[len(all)-1] += line
		}
		fence = fenceAfter(fence, line)
	}
	for i := range all {
		all[i] = strings.Trim(all[i], "\n")
	}
	return all
}

// What a passage looks like in a chapter or report: a quote, a row, and code behind a line that leads to it.
var (
	leadsToCode = regexp.MustCompile(`^(?:` + english().code + `|` + chinese().code + `) \[s\d+\.\d+\]:\s*$`)
	quoted      = regexp.MustCompile(`(?s)^(?:> “|\||` + english().code + ` \[|` + chinese().code + ` \[).*\[s\d+(?:\.\d+)?\]`)
)

package clip

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
)

// The requests that the researcher makes of the file agent, which carries each out as it is written, without a Brain.
func readOperation(file string) string  { return "Read the file `" + file + "`" }
func streamOperation(id string) string  { return "Continue the stream `" + id + "`" }
func writeOperation(file string) string { return "Write the content to `" + file + "`, overwriting it" }

const listOperation = "List the files in the directory Notebook"

func operate(description string) agent.Call {
	return call("file_operation", arguments{"operation_description": description})
}

// reads are the calls for those files that were not read in this stretch, and for the next page of those that are long.
func (s *stretch) reads(files []string) (calls []agent.Call) {
	for _, file := range files {
		_, next, asked := s.readBack(file)
		switch {
		case !asked:
			calls = append(calls, operate(readOperation(file)))
		case next != "":
			calls = append(calls, operate(next))
		}
	}
	return calls
}

// text is a file as it was last read in this stretch, "" when it could not be, or when it is no text.
func (s *stretch) text(file string) string {
	const odd = 20 // one damaged character in so many is still a text
	text, _, _ := s.readBack(file)
	if strings.ContainsRune(text, 0) || strings.Count(text, "\uFFFD")*odd > utf8.RuneCountInString(text) || !utf8.ValidString(text) {
		return ""
	}
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// readBack puts together the pages of a file that were read in this stretch. next is the operation that reads the page after
// them, "" when there is none or when it was asked for and did not come.
func (s *stretch) readBack(file string) (text, next string, asked bool) {
	for _, a := range s.acts {
		first := a.args.Operation == readOperation(file)
		switch {
		case a.action != "file_operation":
			continue
		case first:
			text, asked = "", true
		case next == "" || a.args.Operation != next:
			continue
		}
		if next = ""; !a.failed() {
			page, stream := cutNote(a.result, !first)
			if text += page; stream != "" {
				next = streamOperation(stream)
			}
		}
	}
	return text, next, asked
}

// cutNote takes the file agent's note off a page of a long file: "(bytes 0-16000 of 40000; go on with …, stream_id "…")", or on
// the last page "(end of …)".
func cutNote(result string, last bool) (page, stream string) {
	at := strings.LastIndex(strings.TrimRight(result, "\n"), "\n")
	if at < 0 {
		return result, ""
	}
	note := strings.TrimSpace(result[at+1:])
	if last && strings.HasPrefix(note, "(end of ") {
		return result[:at], ""
	}
	_, id, found := strings.Cut(note, "stream_id ")
	if stream, err := strconv.Unquote(strings.TrimSuffix(id, ")")); found && err == nil && strings.HasPrefix(note, "(bytes ") {
		return result[:at], stream
	}
	return result, ""
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

// save is the reply that writes a file, false once it is written or was refused twice. A write that was refused is tried again
// after the file was read: somebody else may have written there.
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

// paragraphs divides a Markdown text at its blank lines; a block of code, with the line that leads to it, is one.
func paragraphs(text string) (all []string) {
	open, fence := "", ""
	close := func() {
		if strings.TrimSpace(open) != "" {
			all = append(all, strings.Trim(open, "\n"))
		}
		open = ""
	}
	for line := range strings.Lines(text) {
		if fence == "" && strings.TrimSpace(line) == "" && !leadsToCode(open) {
			close()
			continue
		}
		open += line
		fence = fenceAfter(fence, line)
	}
	close()
	return all
}

func leadsToCode(paragraph string) bool {
	paragraph = strings.TrimSpace(paragraph)
	return !strings.Contains(paragraph, "\n") && isQuoted(paragraph) && strings.HasSuffix(paragraph, "]:")
}

// isQuoted reports whether a paragraph of a chapter or report is a passage, in one of the forms that they are written in.
func isQuoted(p string) bool {
	for _, begins := range []string{"> “", "|", english().code + " [", chinese().code + " ["} {
		if strings.HasPrefix(p, begins) && citing.MatchString(p) {
			return true
		}
	}
	return false
}

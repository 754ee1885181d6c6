package clip

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
)

// The requests that the researcher makes of the file agent. They are in plain English, as a model would write them, and files.go
// understands them like anybody's.
func readOperation(file string) string { return "Read the file `" + file + "`" }
func writeOperation(file string) string {
	return "Write the given content to `" + file + "`, overwriting it"
}

func streamOperation(id string) string { return "Continue the stream `" + id + "`" }

const listOperation = "List the files in the directory Notebook"

func operate(description string) agent.Call {
	return call("file_operation", arguments{"operation_description": description})
}

func (s *stretch) read(file string) agent.Call { return operate(readOperation(file)) }

func (s *stretch) write(file, content string) agent.Call {
	return call("file_operation", arguments{"operation_description": writeOperation(file), "content": content})
}

// readOf says which file an act read, and with what success.
func readOf(a act) (ok bool, file string) {
	file = strings.TrimSuffix(strings.TrimPrefix(a.args.Operation, "Read the file `"), "`")
	if a.action != "file_operation" || a.args.Operation != readOperation(file) {
		return false, ""
	}
	return !a.failed(), file
}

// reads are the calls for those files that were not read in this stretch, and for the next page of those that are long.
func (s *stretch) reads(files []string) []agent.Call {
	var calls []agent.Call
	for _, file := range files {
		_, next, asked := s.readBack(file)
		switch {
		case !asked:
			calls = append(calls, s.read(file))
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
	return text
}

// readBack puts together the pages of a file that were read in this stretch. next is the operation that reads the page after
// them, "" when there is none or when it was asked for and did not come.
func (s *stretch) readBack(file string) (text, next string, asked bool) {
	for _, a := range s.acts {
		ok, of := readOf(a)
		switch {
		case of == file:
			text, next, asked = "", "", true
		case a.action != "file_operation" || a.args.Operation != next || next == "":
			continue
		}
		next = ""
		if ok = ok || of == "" && !a.failed(); ok {
			page, stream := cutNote(a.result, of == "")
			text += page
			if stream != "" {
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
	if !found || !strings.HasPrefix(note, "(bytes ") || !strings.HasSuffix(id, ")") {
		return result, ""
	}
	stream, err := strconv.Unquote(strings.TrimSuffix(id, ")"))
	if err != nil {
		return result, ""
	}
	return result[:at], stream
}

// operated counts the calls of an operation, and those that failed; last is the latest of them.
func (s *stretch) operated(description string) (n, failed int, last act) {
	for _, a := range s.acts {
		if a.action == "file_operation" && a.args.Operation == description {
			n, last = n+1, a
			if a.failed() {
				failed++
			}
		}
	}
	return n, failed, last
}

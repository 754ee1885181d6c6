package clip

import (
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// handleFile plays the file agent: it turns a request in plain words into one call whose result is the answer. What it does not
// understand it says; it never guesses, since a guess could write or delete.
func handleFile(talk *agent.Conversation) agent.Reply {
	var text, result string
	acted := false
	for _, m := range talk.Messages {
		switch m.Role {
		case agent.RoleUser:
			if text == "" {
				text = m.Text
			}
		case agent.RoleResult:
			result, acted = m.Text, true
		case agent.RoleSystem, agent.RoleAssistant:
		}
	}
	if acted {
		return ask(call("answer", arguments{"text": result})) // the action failed, or it would have been the answer
	}
	r := readRequest(text)
	action, args := r.action()
	if action == "answer" {
		return ask(call(action, args))
	}
	args["answer"] = true
	return ask(call(action, args))
}

// request is what the file agent is asked to do.
type request struct {
	say     phrases
	hasText bool     // content came with it
	paths   []string // in their order
	quoted  []string // what stands in quotation marks and is no path
	rest    string   // the words, in lower case, without paths and quoted text
	verb    verb
}

func readRequest(text string) request {
	operation := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "Operation:"))
	r := request{}
	if at := strings.LastIndex(operation, "\nContent: "); at >= 0 {
		r.hasText = strings.Contains(operation[at:], `"@content"`)
		operation = strings.TrimSpace(operation[:at])
	}
	r.say = phrasesFor(operation)
	r.quoted, r.paths, r.rest = dissect(operation)
	r.verb = verbOf(r.rest)
	return r
}

// action is the call that carries the request out, without "answer".
func (r request) action() (string, arguments) {
	switch r.verb {
	case list:
		return "list_directory", arguments{"path": r.directory()}
	case search:
		return r.search()
	case proceed:
		if ids := append(r.paths, r.quoted...); len(ids) == 1 { // an id ends in the path of its file
			return "continue_stream_read", arguments{"stream_id": ids[0]}
		}
		return r.sorry(r.say.notUnderstood)
	case makeDirectory:
		if path := r.directory(); path != "." {
			return "create_directory", arguments{"path": path}
		}
		return r.sorry(r.say.noFileName)
	case unclear:
		return r.sorry(r.say.notUnderstood)
	case read, write, add, insert, create, remove:
	}
	switch {
	case len(r.paths) == 0:
		return r.sorry(r.say.noFileName)
	case len(r.paths) > 1:
		return r.sorry(r.say.oneFile)
	}
	return r.onFile(r.paths[0])
}

func (r request) onFile(path string) (string, arguments) {
	text, given := r.text()
	switch {
	case r.verb == remove && !r.hasText:
		return "delete_file", arguments{"path": path}
	case r.verb == read && !r.hasText:
		if lines := lineRange(r.rest); lines != "" {
			return "read_file", arguments{"path": path, "mode": "lines", "lines": lines}
		}
		return "read_file", arguments{"path": path}
	case r.verb == create && !given:
		return "create_file", arguments{"path": path}
	case r.verb == create:
		return "create_file", arguments{"path": path, "text": text}
	case r.verb == read || r.verb == remove:
		return r.sorry(r.say.notUnderstood) // content came with it: what for?
	case !given:
		return r.sorry(r.say.noContent)
	case r.verb == add:
		return "write_file", arguments{"path": path, "text": text, "mode": "append"}
	case r.verb == insert:
		if line := number(r.rest); line > 0 {
			return "write_file", arguments{"path": path, "text": text, "mode": "insert", "line": line}
		}
		return r.sorry(r.say.notUnderstood)
	}
	return "write_file", arguments{"path": path, "text": text, "mode": "overwrite"}
}

// text is what is to be written: the content by its name, or words given in quotation marks.
func (r request) text() (string, bool) {
	if r.hasText {
		return "@content", true
	}
	if len(r.quoted) == 1 {
		return r.quoted[0], true
	}
	return "", false
}

// search picks the action by what is to be searched: names of files, one file, or all files of a directory.
func (r request) search() (string, arguments) {
	byName := strings.Contains(r.rest, "named") || strings.Contains(r.rest, "name") || strings.Contains(r.rest, "文件名") || strings.Contains(r.rest, "名为")
	var globs, files []string
	for _, path := range r.paths {
		if strings.Contains(path, "*") {
			globs = append(globs, path)
		} else {
			files = append(files, path)
		}
	}
	pattern := ""
	switch {
	case len(globs) == 1:
		return "file_search", arguments{"pattern": globs[0]}
	case len(r.quoted) == 1:
		pattern = r.quoted[0]
	case len(r.quoted) == 0:
		pattern = wantedIn(r.rest)
	}
	switch {
	case byName && pattern == "" && len(files) == 1:
		return "file_search", arguments{"pattern": files[0]}
	case pattern == "":
		return r.sorry(r.say.notUnderstood)
	case byName:
		return "file_search", arguments{"pattern": pattern}
	case len(files) == 1 && !isDirectory(files[0]):
		return "search_in_file", arguments{"path": files[0], "pattern": pattern}
	case len(files) > 1:
		return r.sorry(r.say.oneFile)
	}
	return "grep_files", arguments{"pattern": pattern, "directory": r.directory()}
}

func (r request) sorry(why string) (string, arguments) { return "answer", arguments{"text": why} }

// directory is the one that the request names, "." when it names none.
func (r request) directory() string {
	for _, path := range r.paths {
		if isDirectory(path) || r.verb == makeDirectory {
			return strings.TrimSuffix(path, "/")
		}
	}
	return "."
}

// lineRange is the lines that a request names, such as "10-20", or "".
func lineRange(text string) string {
	if !mentions(text, "line lines 行") {
		return ""
	}
	from := number(text)
	_, after, found := strings.Cut(text, strconv.Itoa(from))
	to := number(after)
	between, _, _ := strings.Cut(after, strconv.Itoa(to))
	if between = strings.TrimSpace(between); !found || to < from || !mentions(between, "to 到 至") && between != "-" && between != "–" {
		return ""
	}
	return strconv.Itoa(from) + "-" + strconv.Itoa(to)
}

// number is the first number of a text, 0 when there is none.
func number(text string) int {
	from := strings.IndexAny(text, "0123456789")
	if from < 0 {
		return 0
	}
	digits := text[from:]
	digits = digits[:len(digits)-len(strings.TrimLeft(digits, "0123456789"))]
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

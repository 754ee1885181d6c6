package fileagent

import (
	"encoding/json"
	"regexp"

	"github.com/daybook-agent/daybook/agent"
)

// otherNames are names that the design of these actions gave to fields, which models still use, by the names
// that they have here.
var otherNames = map[string]string{
	"file_path": "path", "directory_path": "path", "content": "text", "initial_content": "text",
	"name_pattern": "pattern",
}

// renamed are arguments with the fields under the names that they have here. What cannot be read, or has both
// names, stays as it is, for the check of the arguments to complain of.
func renamed(args string, ofFolder bool) string {
	object, ok := agent.Object(args)
	if !ok {
		return args
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(object), &fields) != nil {
		return args
	}
	changed := false
	rename := func(other, own string) {
		value, given := fields[other]
		if _, twice := fields[own]; given && !twice {
			fields[own] = value
			delete(fields, other)
			changed = true
		}
	}
	for other, own := range otherNames {
		rename(other, own)
	}
	if ofFolder {
		rename("directory", "path")
	}
	if !changed {
		return args
	}
	made, err := json.Marshal(fields)
	if err != nil {
		return args
	}
	return string(made)
}

// unshown are the fields that actions take where a model writes them, and that are not worth their tokens in
// each prompt. "answer" is named in the prompt, and shown where the result may be long.
var unshown = map[string][]string{
	"grep_files": {"context_lines", "options"}, "file_search": {"directory", "answer"},
	"stream_read_file": {"chunk_size", "answer"},
	"create_file":      {"answer"}, "outline": {"answer"}, "list_directory": {"answer"},
	"create_directory": {"answer"}, "move": {"answer"}, "delete_file": {"answer"},
}

// shown is an action's schema without the fields that are not shown.
func shown(schema json.RawMessage, action string) json.RawMessage {
	for _, field := range unshown[action] {
		schema = without(schema, field)
	}
	return schema
}

// without takes a field out of a schema, whose fields are one line of JSON in their order.
func without(schema json.RawMessage, field string) json.RawMessage {
	at := regexp.MustCompile(`,?"` + field + `":\{"type":"[a-z]+"\}`)
	return at.ReplaceAll(schema, nil)
}

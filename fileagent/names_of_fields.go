package fileagent

import (
	"encoding/json"

	"github.com/daybook-agent/daybook/agent"
)

// otherNames are names that the design of these actions gave to fields, which models still use, by the names that they have here.
var otherNames = map[string]string{
	"file_path": "path", "directory_path": "path", "content": "text", "initial_content": "text", "name_pattern": "pattern",
}

// renamed are arguments with the fields under the names that they have here. What cannot be read, or has both names, stays as it is,
// for the check of the arguments to complain of.
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

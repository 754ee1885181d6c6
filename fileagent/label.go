package fileagent

import (
	"errors"
	"path"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// labelled marks what was read from a file that keeps a page, or from the folder of these: it came from
// outside, and has to be known for that wherever it is shown. So did the names of the files, which are made
// of titles, and an error may list those.
func labelled(file string) func(text string, err error) (string, error) {
	return func(text string, err error) (string, error) {
		if !fromOutside(file) {
			return text, err
		}
		if err != nil {
			return "", errors.New(agent.Outside("page", err.Error(), "file", path.Clean(file)))
		}
		return agent.Outside("page", text, "file", path.Clean(file)), nil
	}
}

func fromOutside(file string) bool {
	if name, err := strconv.Unquote(file); err == nil { // as a listing shows a name that cannot be written
		file = name
	}
	first, _, _ := strings.Cut(path.Clean(file), "/")
	return strings.EqualFold(first, workspace.SourcesDir) // on some disks case is nothing
}

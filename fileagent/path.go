package fileagent

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

var sourceID = regexp.MustCompile(`^(?i:sources/)?(s\d+)(?:\.md)?$`)

// spelled is a path whose first folder is written as the workspace writes it. A model that says notebook/
// means Notebook/, and a chapter beside that would be seen by nobody. A folder that a person named so stays
// what it is. The id of a source, such as s7 or Sources/s7.md, is the path of its file.
func spelled(w *workspace.Workspace, file string) string {
	if m := sourceID.FindStringSubmatch(file); m != nil {
		if source, ok := w.Source(m[1]); ok {
			return source.File
		}
	}
	first, rest, _ := strings.Cut(path.Clean(file), "/")
	for _, folder := range []string{workspace.NotebookDir, workspace.SourcesDir, workspace.RulesDir,
		workspace.ArchiveDir} {
		if first == folder || !strings.EqualFold(first, folder) {
			continue
		}
		entries, err := w.List(".")
		if err != nil || slices.ContainsFunc(entries, func(e fs.FileInfo) bool { return e.Name() == first }) {
			return file
		}
		return path.Join(folder, rest)
	}
	return file
}

// misspelt says, as a sentence behind a result, that a path was taken as another; "" when it was not.
func misspelt(written, file string) string {
	if written == file || sourceID.MatchString(written) {
		return ""
	}
	was, _, _ := strings.Cut(path.Clean(written), "/")
	is, _, _ := strings.Cut(file, "/")
	return " (The folder is " + is + "/, not " + was + "/.)"
}

// noChapter says, behind a result, that nobody will take this Markdown for a chapter; "" otherwise.
func noChapter(file string) string {
	file = path.Clean(file)
	first, _, nested := strings.Cut(file, "/")
	beside := !nested || first != workspace.NotebookDir && strings.EqualFold(first, workspace.NotebookDir)
	if !beside || file == workspace.ReportFile || !strings.EqualFold(path.Ext(file), ".md") {
		return ""
	}
	return " (This is no chapter: chapters stand in " + workspace.NotebookDir + "/.)"
}

// labelled marks what was read from a file that keeps a page, or from the folder of these: it came from
// outside, and has to be known for that wherever it is shown. So did the names of the files, which are made
// of titles, and an error may list those.
func labelled(file string) func(text string, err error) (string, error) {
	return func(text string, err error) (string, error) {
		switch {
		case !fromOutside(file):
			return text, err
		case err != nil:
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

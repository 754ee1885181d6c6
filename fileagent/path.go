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

// spelled returns a path with its first folder spelled as in the workspace. A model that says notebook/ means
// Notebook/, and nobody would see a chapter elsewhere. If a person has such a folder, it is used. The id of a
// source, such as s7 or Sources/s7.md, becomes the path of its file.
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

// misspelt returns a note, for the end of a result, that a path was corrected; "" if it was not.
func misspelt(written, file string) string {
	if written == file || sourceID.MatchString(written) {
		return ""
	}
	was, _, _ := strings.Cut(path.Clean(written), "/")
	is, _, _ := strings.Cut(file, "/")
	return " (The folder is " + is + "/, not " + was + "/.)"
}

// noChapter returns a note, for the end of a result, that this Markdown file is not a chapter; "" if it is.
func noChapter(file string) string {
	file = path.Clean(file)
	first, _, nested := strings.Cut(file, "/")
	beside := !nested || first != workspace.NotebookDir && strings.EqualFold(first, workspace.NotebookDir)
	if !beside || file == workspace.ReportFile || !strings.EqualFold(path.Ext(file), ".md") {
		return ""
	}
	return " (This is no chapter: chapters stand in " + workspace.NotebookDir + "/.)"
}

// labelled marks what was read from a page's file, or from the folder of such files: it came from outside,
// and must be recognisable wherever it is shown. So did the files' names, which are made of titles and may
// appear in errors.
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
	if name, err := strconv.Unquote(file); err == nil { // as listings quote names with unusual characters
		file = name
	}
	first, _, _ := strings.Cut(path.Clean(file), "/")
	return strings.EqualFold(first, workspace.SourcesDir) // some disks ignore case
}

package workspace

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// clean checks a path that came from outside and gives its one spelling: relative to the workspace, slashes,
// no dots.
func clean(p string) (string, error) {
	if p == "" {
		return "", fmt.Errorf(`the path is empty; give one relative to the workspace, such as "Notebook/01-background.md"`)
	}
	for _, r := range p {
		if !visible(r) {
			return "", fmt.Errorf("the path %q holds a character that cannot be seen; use letters, digits, spaces and dashes", p)
		}
	}
	if strings.Contains(p, `\`) || strings.HasPrefix(p, "/") || (len(p) > 1 && p[1] == ':') {
		return "", fmt.Errorf("the path %q is not relative to the workspace; write it like \"Notebook/01-background.md\"", p)
	}
	c := path.Clean(p)
	if !fs.ValidPath(c) {
		return "", fmt.Errorf("the path %q leads out of the workspace; only files inside it can be used", p)
	}
	return c, nil
}

// writable says, as an error, why an agent's file actions may not change a path. Which kinds of files they
// may write [harmless] says.
func writable(p string) error {
	same := folded(p) // on some disks the two are one file
	first, _, nested := strings.Cut(same, "/")
	is := func(name string) bool { return first == strings.ToLower(name) }
	switch {
	case p == ".":
		return fmt.Errorf("%q is the workspace itself", p)
	case hidden(same):
		return fmt.Errorf("%s is hidden, and hidden files are not the agent's to change", p)
	case same == OverallFile || same == CurrentFile:
		name, _ := strings.CutSuffix(same, ".md")
		return fmt.Errorf("%s is changed by the action update_%s alone", p, name)
	case is(SourcesDir):
		return fmt.Errorf("%s keeps pages as they were read; nothing in it can be changed. Take notes in %s/ instead", SourcesDir, NotebookDir)
	case same == SettingsFile || is(RulesDir) || is(ArchiveDir):
		return fmt.Errorf("%s belongs to the person and can only be read", p)
	case obeyed(path.Base(p)):
		return fmt.Errorf("%s tells other programs what to do, and is not the agent's to change; choose another name", p)
	case !nested && p == NotebookDir:
		return fmt.Errorf("%s is a folder; name a file in it", p)
	}
	return nil
}

// harmless says, as an error, why a file is of no kind that the agent may write, or why this text of it is
// none.
func harmless(p string, data []byte) error {
	switch ending := strings.ToLower(path.Ext(p)); {
	case slices.Contains(proseEndings, ending):
		return nil
	case slices.Contains(dataEndings, ending) && (p == ChartFile || strings.HasPrefix(p, NotebookDir+"/")):
		if ending == ".svg" {
			return inertPicture(p, data)
		}
		return nil
	}
	return fmt.Errorf("%s was not changed: the agent writes files that end in %s, and below %s/ also in %s; another program may run or obey the rest",
		p, strings.Join(proseEndings, ", "), NotebookDir, strings.Join(dataEndings, ", "))
}

// IsOwn says whether a path in the folder, with slashes, is of the research itself: what Daybook keeps there,
// and not a file that a person has beside it.
func IsOwn(p string) bool {
	if of, ok := CopyOf(p); ok {
		p = of
	}
	first, _, _ := strings.Cut(p, "/")
	switch first {
	case stateDir, NotebookDir, SourcesDir, RulesDir, ArchiveDir:
		return true
	}
	switch p {
	case OverallFile, CurrentFile, ReportFile, ChartFile, SettingsFile:
		return true
	}
	return false
}

// hidden says whether any part of a path starts with a dot.
func hidden(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return true
		}
	}
	return false
}

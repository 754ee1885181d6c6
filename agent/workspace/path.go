package workspace

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean checks a path that came from outside and gives its one spelling: relative to the workspace, slashes, no dots.
func clean(p string) (string, error) {
	if p == "" {
		return "", fmt.Errorf(`the path is empty; give one relative to the workspace, such as "Notebook/01-background.md"`)
	}
	for _, r := range p {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
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

// writable says, as an error, why an agent's file actions may not change a path.
func writable(p string) error {
	first, _, nested := strings.Cut(p, "/")
	switch {
	case p == ".":
		return fmt.Errorf("%q is the workspace itself", p)
	case hidden(p):
		return fmt.Errorf("%s is hidden, and hidden files are not the agent's to change", p)
	case strings.EqualFold(p, OverallFile) || strings.EqualFold(p, CurrentFile): // on some disks case is nothing
		name, _ := strings.CutSuffix(strings.ToLower(p), ".md")
		return fmt.Errorf("%s is changed by the action update_%s alone", p, name)
	case strings.EqualFold(first, SourcesDir):
		return fmt.Errorf("%s keeps pages as they were read; nothing in it can be changed. Take notes in %s/ instead", SourcesDir, NotebookDir)
	case strings.EqualFold(p, SettingsFile) || strings.EqualFold(first, RulesDir) || strings.EqualFold(first, ArchiveDir):
		return fmt.Errorf("%s belongs to the person and can only be read", p)
	case isControl(path.Base(p)):
		return fmt.Errorf("%s tells other programs what to do, and is not the agent's to change; choose another name", p)
	case !nested && first == NotebookDir:
		return fmt.Errorf("%s is a folder; name a file in it", p)
	}
	return nil
}

// IsOwn says whether a path in the folder, with slashes, is of the research itself: what Daybook keeps there, and not a file that a person
// has beside it.
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

// isControl names the files without a dot that assistants and editors take instructions or programs from.
func isControl(name string) bool {
	switch strings.ToLower(name) {
	case "mcp.json", "agents.md", "claude.md", "gemini.md", "makefile", "package.json", "justfile":
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

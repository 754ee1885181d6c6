// Package layout classifies the files of a workspace by their names: what the research keeps there, what an
// agent may write, and what it may not see.
package layout

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// The names that have a meaning for Daybook in a workspace.
const (
	OverallFile  = "overall_dashboard.md"
	CurrentFile  = "current_dashboard.md"
	ReportFile   = "report.md"
	ChartFile    = "quality.svg" // goes with the report
	SettingsFile = "daybook.yaml"
	NotebookDir  = "Notebook"
	SourcesDir   = "Sources"
	RulesDir     = "rules"
	BoardsDir    = "dashboards" // one for each chapter that has its own researcher
	ArchiveDir   = "Archive"    // finished researches, moved aside by a new question
)

// Writable returns an error if an agent's file actions may not change a path. [Harmless] checks the kind of
// file.
func Writable(p string) error {
	same := store.Folded(p) // on some disks the two are one file
	first, _, nested := strings.Cut(same, "/")
	is := func(name string) bool { return first == strings.ToLower(name) }
	switch {
	case p == ".":
		return fmt.Errorf("%q is the workspace itself", p)
	case store.Hidden(same):
		return fmt.Errorf("%s is hidden, and hidden files are not the agent's to change", p)
	case same == OverallFile || same == CurrentFile:
		name, _ := strings.CutSuffix(same, ".md")
		return fmt.Errorf("%s is changed by the action update_%s alone", p, name)
	case is(BoardsDir):
		return fmt.Errorf("%s holds the dashboards of chapters, each of which its own researcher "+
			"alone changes", BoardsDir)
	case is(SourcesDir):
		return fmt.Errorf("%s keeps pages as they were read; nothing in it can be changed. "+
			"Take notes in %s/ instead", SourcesDir, NotebookDir)
	case same == SettingsFile || is(RulesDir) || is(ArchiveDir):
		return fmt.Errorf("%s belongs to the person and can only be read", p)
	case obeyed(path.Base(p)):
		return fmt.Errorf("%s tells other programs what to do, and is not the agent's to change; "+
			"choose another name", p)
	case !nested && p == NotebookDir:
		return fmt.Errorf("%s is a folder; name a file in it", p)
	}
	return nil
}

// Harmless returns an error if the agent may not write this kind of file, or this text of it.
func Harmless(p string, data []byte) error {
	switch ending := strings.ToLower(path.Ext(p)); {
	case slices.Contains(proseEndings, ending):
		return nil
	case slices.Contains(dataEndings, ending) && (p == ChartFile || strings.HasPrefix(p, NotebookDir+"/")):
		if ending == ".svg" {
			return InertPicture(p, data)
		}
		return nil
	}
	return fmt.Errorf("%s was not changed: the agent writes files that end in %s, and below %s/ also in %s; "+
		"another program may run or obey the rest",
		p, strings.Join(proseEndings, ", "), NotebookDir, strings.Join(dataEndings, ", "))
}

// IsOwn reports whether a path in the folder, with slashes, is of the research itself: something that Daybook
// keeps there, and not another file of the person's.
func IsOwn(p string) bool {
	p = store.CopyOf(p)
	first, _, _ := strings.Cut(p, "/")
	switch first {
	case store.StateDir, NotebookDir, BoardsDir, SourcesDir, RulesDir, ArchiveDir:
		return true
	}
	return slices.Contains([]string{OverallFile, CurrentFile, ReportFile, ChartFile, SettingsFile}, p)
}

// The kinds of files that the agent may write: text that no program runs or obeys. Tools look for their
// settings in data formats, at the top of a folder or next to a program; below Notebook/ these are just data.
var (
	proseEndings = []string{".md", ".markdown", ".txt", ".csv", ".tsv", ".bib"}
	dataEndings  = []string{".json", ".jsonl", ".yaml", ".yml", ".svg"}
)

// obeyed reports whether some program follows instructions in a file of this name, in any folder, though its
// extension is one for text.
func obeyed(name string) bool {
	return tools.MatchString(name) || orders.MatchString(store.Folded(name))
}

var (
	tools = regexp.MustCompile(`^(?:AGENTS|CLAUDE|GEMINI)`) // AGENTS.override.md, CLAUDE-local.md
	// for agents, builds and editors' assistants, and settings in a data format
	orders = regexp.MustCompile(`^(?:(?:agents?|claude|gemini|qwen|copilot-instructions|codex|cursor|cline|aider|warp|` +
		`crush|windsurf|goose|opencode|jules|skill|conventions|makefile|justfile|cmakelists|requirements|constraints|` +
		`conanfile|meson_options)(?:\..*)?` +
		`|[^.]*\.(?:instructions|prompt|agent|chatmode)\..*` +
		`|requirements[-_][^.]*(?:\.[^.]*)?` +
		`|(?:mcp|package|package-lock|composer|deno|tasks|launch|settings|devcontainer|compose|taskfile|playbook|` +
		`pnpm-workspace|lerna|project|manifest|action|[^.]*config|docker-compose[^.]*)\.(?:jsonl?|ya?ml))$`)
)

// IsSecret reports whether a name is typical of files with keys or passwords.
func IsSecret(name string) bool {
	name = store.Folded(name)
	stem, _, _ := strings.Cut(name, ".")
	switch ext := path.Ext(name); ext {
	case ".pem", ".key", ".p12", ".pfx", ".ppk", ".kdbx", ".jks", ".keystore", ".env", ".ovpn":
		return true
	case ".md", ".pub":
		return false
	}
	return slices.Contains([]string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "_netrc", "credentials",
		"secrets", "htpasswd"}, stem)
}

// Tracked reports whether a file is Markdown that a person and an agent both write: at the top, in the
// Notebook and its subfolders, and the dashboards of chapters.
func Tracked(p string) bool {
	below := (strings.HasPrefix(p, NotebookDir+"/") || IsBoard(p)) && !store.Hidden(p)
	return store.IsMarkdown(path.Base(p)) && (below || !strings.Contains(p, "/"))
}

// IsBoard reports whether a file is the dashboard of a chapter.
func IsBoard(p string) bool { return path.Dir(p) == BoardsDir && store.IsMarkdown(p) }

// IsDashboard reports whether a file is a dashboard, of the whole or of a chapter.
func IsDashboard(p string) bool { return p == OverallFile || p == CurrentFile || IsBoard(p) }

// IsCopied reports whether a folder holds an archived research's copies of sources.
func IsCopied(p string) bool {
	return path.Base(p) == SourcesDir && path.Dir(path.Dir(p)) == ArchiveDir
}

// InertPicture returns an error for an SVG with more than shapes and words: a browser that opens it runs its
// scripts and fetches its links.
func InertPicture(p string, data []byte) error {
	in := bounds.XML(string(data))
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s was not written: it is not well-formed SVG: %w", p, err)
		}
		switch t := token.(type) {
		case xml.Directive, xml.ProcInst:
			return fmt.Errorf("%s was not written: an SVG of the agent begins with <svg> "+
				"and declares nothing", p)
		case xml.StartElement:
			if active := activeIn(t); active != "" {
				return fmt.Errorf("%s was not written: an SVG of the agent holds shapes and text alone, "+
					"and this one has %q", p, active)
			}
		}
	}
}

// activeIn returns the name of the part of an element that may run, style or fetch something, or "".
func activeIn(e xml.StartElement) string {
	shapes := []string{"svg", "g", "title", "desc", "rect", "path", "circle", "ellipse", "line", "polyline",
		"polygon", "text", "tspan"}
	if !slices.Contains(shapes, e.Name.Local) {
		return e.Name.Local
	}
	for _, a := range e.Attr {
		name := strings.ToLower(a.Name.Local)
		fetches := strings.Contains(strings.ToLower(a.Value), "url(")
		if fetches || strings.HasPrefix(name, "on") || name == "href" || name == "style" {
			return a.Name.Local
		}
	}
	return ""
}

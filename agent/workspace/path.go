package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// writable says, as an error, why an agent's file actions may not change a path. Which kinds of files they
// may write [harmless] says.
func writable(p string) error {
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
		return fmt.Errorf("%s holds the dashboards of chapters, each of which its own researcher alone changes", BoardsDir)
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
			return InertPicture(p, data)
		}
		return nil
	}
	return fmt.Errorf("%s was not changed: the agent writes files that end in %s, and below %s/ also in %s; another program may run or obey the rest",
		p, strings.Join(proseEndings, ", "), NotebookDir, strings.Join(dataEndings, ", "))
}

// IsOwn reports whether a path in the folder, with slashes, is of the research itself: what Daybook keeps
// there, and not a file that a person has beside it.
func IsOwn(p string) bool {
	if of, ok := store.CopyOf(p); ok {
		p = of
	}
	first, _, _ := strings.Cut(p, "/")
	switch first {
	case store.StateDir, NotebookDir, BoardsDir, SourcesDir, RulesDir, ArchiveDir:
		return true
	}
	switch p {
	case OverallFile, CurrentFile, ReportFile, ChartFile, SettingsFile:
		return true
	}
	return false
}

// The kinds of files that the agent may write: text that no program runs or obeys. Tools look for their
// settings in formats for data, at the top of a folder or beside a program; below Notebook/ these are data.
var (
	proseEndings = []string{".md", ".markdown", ".txt", ".csv", ".tsv", ".bib"}
	dataEndings  = []string{".json", ".jsonl", ".yaml", ".yml", ".svg"}
)

// obeyed reports whether some program takes orders from a file of this name, wherever it lies, though its
// ending is one for text.
func obeyed(name string) bool {
	for _, tool := range []string{"AGENTS", "CLAUDE", "GEMINI"} { // AGENTS.override.md, CLAUDE-local.md
		if strings.HasPrefix(name, tool) {
			return true
		}
	}
	name = store.Folded(name)
	stem, rest, _ := strings.Cut(name, ".")
	switch stem {
	case "agents", "agent", "claude", "gemini", "qwen", "copilot-instructions", "codex", "cursor", "cline", "aider", "warp", "crush",
		"windsurf", "goose", "opencode", "jules", "skill", "conventions", "makefile", "justfile", "cmakelists", "requirements", "constraints",
		"conanfile", "meson_options":
		return true
	}
	switch inner, _, nested := strings.Cut(rest, "."); {
	case !nested && (rest == "json" || rest == "jsonl" || rest == "yaml" || rest == "yml"):
		return isConfiguration(stem)
	case nested:
		return inner == "instructions" || inner == "prompt" || inner == "agent" || inner == "chatmode"
	}
	return strings.HasPrefix(stem, "requirements-") || strings.HasPrefix(stem, "requirements_")
}

// isConfiguration reports whether tools read their settings from a data file with this stem.
func isConfiguration(stem string) bool {
	switch stem {
	case "mcp", "package", "package-lock", "composer", "tsconfig", "jsconfig", "deno", "tasks", "launch", "settings", "devcontainer", "compose",
		"docker-compose", "taskfile", "playbook", "pnpm-workspace", "lerna", "project", "pyrightconfig", "manifest", "action", "config", "_config":
		return true
	}
	return strings.HasSuffix(stem, "config") || strings.HasPrefix(stem, "docker-compose")
}

// isSecret reports whether a name is one that keys and passwords are kept under.
func isSecret(name string) bool {
	name = store.Folded(name)
	stem, _, _ := strings.Cut(name, ".")
	switch path.Ext(name) {
	case ".pem", ".key", ".p12", ".pfx", ".ppk", ".kdbx", ".jks", ".keystore", ".env", ".ovpn":
		return true
	}
	switch stem {
	case "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "_netrc", "credentials", "secrets", "htpasswd":
		return path.Ext(name) != ".md" && path.Ext(name) != ".pub"
	}
	return false
}

// target checks a path that an agent is going to write and gives the file that it stands for. A symbolic link
// of the person's stays a link: the file it leads to is written, under the rules for that file.
func (w *Workspace) target(name string) (string, error) {
	p, err := store.Clean(name)
	if err != nil {
		return "", err
	}
	if err := writable(p); err != nil {
		return "", err
	}
	real, err := w.fs.Real(p)
	if err != nil {
		return "", err
	}
	if real != p {
		if err := writable(real); err != nil {
			return "", fmt.Errorf("%s is a symbolic link to %s: %w", p, real, err)
		}
	}
	if w.own != nil && !slices.Contains(w.own, real) {
		return "", fmt.Errorf("%s is not yours to write; write to %s", p, strings.Join(w.own, ", "))
	}
	return real, w.noDocument(real)
}

// MayWrite says, as an error, why a file of this name may not be written.
func (w *Workspace) MayWrite(name string) error {
	p, err := w.target(name)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return errors.Join(w.named(p), harmless(p, nil))
}

// ownState refuses a workspace whose state lies behind a symbolic link: some of it is opened by its path on
// the disk, which would follow it out of the folder.
func (w *Workspace) ownState() error {
	names := []string{store.StateDir}
	if !w.fs.IsLink(store.StateDir) {
		entries, err := w.fs.Entries(store.StateDir)
		if err != nil {
			return fmt.Errorf("listing %s: %w", store.StateDir, store.Plainly(err))
		}
		for _, e := range entries {
			names = append(names, path.Join(store.StateDir, e.Name()))
		}
	}
	for _, name := range names {
		if w.fs.IsLink(name) {
			return fmt.Errorf("opening the workspace: %s is a symbolic link, and the program keeps its state in the folder itself; remove the link", name)
		}
	}
	return nil
}

// refusedFor says, as an error, why a file cannot be written, though its name could be. info is nil when
// there is none.
func refusedFor(p string, info fs.FileInfo) error {
	switch {
	case info == nil:
		return nil
	case info.Mode().Perm()&0o222 == 0:
		return fmt.Errorf("%s was not written: it was made read-only by a person; write to another file", p)
	case store.LinkCount(info) > 1:
		return fmt.Errorf("%s was not written: it is a hard link, so its text stands under another name too; write to another file", p)
	}
	return nil
}

// What an agent may write. A research of a thousand chapters stays far below; a model that runs wild does not
// fill the disk.
const (
	MaxWrite = 8 << 20 // bytes of one file
	// files and folders that the agent made, beyond which it makes no new one; a person's do not count
	MaxFiles   = 10_000
	maxFolders = 8   // folders above a file
	maxPath    = 200 // bytes of a new path, which fits encrypted disks and other systems too
)

// named says, as an error, why a new path may not be used. w.mu is held.
func (w *Workspace) named(p string) error {
	if len(p) > maxPath {
		return fmt.Errorf("the path %s… has %d bytes, and a new one may have %d; choose a shorter name", strings.ToValidUTF8(p[:40], ""), len(p), maxPath)
	}
	if n := strings.Count(p, "/"); n > maxFolders {
		return fmt.Errorf("%s lies %d folders deep, and a new file may lie %d deep; use fewer folders", p, n, maxFolders)
	}
	if err := store.Portable(p); err != nil {
		return err
	}
	return w.sameName(p)
}

// fits says, as an error, which limit another file would go over. w.mu is held.
func (w *Workspace) fits(p string) error {
	if err := w.named(p); err != nil {
		return err
	}
	if len(w.made) >= MaxFiles { // some may have been taken away by hand
		maps.DeleteFunc(w.made, func(p string, _ bool) bool { _, err := w.fs.Lstat(p); return errors.Is(err, fs.ErrNotExist) })
	}
	if len(w.made) >= MaxFiles {
		return fmt.Errorf("%s was not created: you made %d files, and no more are made; append to a file, or delete some", p, len(w.made))
	}
	return nil
}

// sameName finds a file or folder whose name is the same but for capitals, width or Unicode's form: there are
// disks on which the two would be one.
func (w *Workspace) sameName(p string) error {
	for ; p != "."; p = path.Dir(p) {
		if _, err := w.fs.Lstat(p); err == nil {
			return nil
		}
		same, other := store.Folded(path.Base(p)), ""
		err := w.fs.Each(path.Dir(p), func(e fs.DirEntry) {
			if e.Name() != path.Base(p) && store.Folded(e.Name()) == same {
				other = path.Join(path.Dir(p), e.Name())
			}
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("listing %s: %w", path.Dir(p), store.Plainly(err))
		}
		if other != "" {
			return fmt.Errorf("%s was not created: %s is there, and some disks do not tell the two apart; use that one, or another name", p, store.Shown(other))
		}
	}
	return nil
}

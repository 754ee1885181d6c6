package workspace

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// visible reports whether a letter of a name can be seen and stays on its line. The joiners are letters of
// Persian and of emoji.
func visible(r rune) bool {
	return unicode.IsGraphic(r) && r != utf8.RuneError || r == '\u200c' || r == '\u200d'
}

// Shown writes a path for a model or a terminal; every message that names a file from the folder does it this
// way. A path with letters that cannot be seen, or that are no letters, comes escaped and in quotation marks;
// in that form the file can be read, listed and searched.
func Shown(p string) string {
	if _, err := clean(p); err != nil {
		return strconv.Quote(p)
	}
	return p
}

// readable checks a path that is to be read, which may be in the form that [Shown] gives it.
func readable(p string) (string, error) {
	if len(p) < 2 || p[0] != '"' || p[len(p)-1] != '"' || !strings.Contains(p, `\`) {
		return clean(p)
	}
	name, err := strconv.Unquote(p)
	if err != nil || strings.ContainsRune(name, 0) {
		return "", fmt.Errorf("the path %s is not as a listing shows it", p)
	}
	name = path.Clean(name)
	if name == ".." || strings.HasPrefix(name, "../") || strings.HasPrefix(name, "/") {
		return "", fmt.Errorf("the path %s leads out of the workspace; only files inside it can be used", p)
	}
	return name, nil
}

// folded is the form in which names are compared: there are disks that ignore case, Unicode's form or width,
// and letters that cannot be seen.
func folded(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector) {
			return -1
		}
		return r
	}, name)
	return cases.Fold().String(norm.NFKC.String(name))
}

// twinForm is the form that two spellings of the very same letters have in common, "" for a name that can be
// spelled in one way only.
func twinForm(name string) string {
	composed := norm.NFC.String(name)
	if composed == norm.NFD.String(name) {
		return ""
	}
	return composed
}

// isMarkdown reports whether a file is one that is told, bound and counted as Markdown of the research or of
// a person: not a copy that a synchronisation made, nor a backup or working file of an editor.
func isMarkdown(name string) bool {
	return strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".") && !isAside(name)
}

// isAside reports whether a name is one that synchronisation or an editor gives to a file that it puts beside
// another.
func isAside(name string) bool {
	name = folded(name)
	for _, mark := range []string{".sync-conflict-", "conflicted copy", "sfconflict", "case conflict", "冲突副本", "冲突的副本", "衝突副本", "衝突的副本"} {
		if strings.Contains(name, mark) {
			return true
		}
	}
	if strings.HasPrefix(name, "~$") || strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#") || strings.HasPrefix(name, ".#") {
		return true
	}
	for _, part := range []string{name, strings.TrimSuffix(name, path.Ext(name))} { // 01.md.bak and 01.bak.md
		switch ending := path.Ext(part); {
		case strings.HasSuffix(part, "~"):
			return true
		case slices.Contains([]string{".bak", ".orig", ".tmp", ".rej", ".swp", ".swo", ".swn"}, ending):
			return true
		}
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
	name = folded(name)
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
	name = folded(name)
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

// portable refuses names that some system gives a meaning of their own, so that a workspace can be taken to
// any machine.
func portable(p string) error {
	for part := range strings.SplitSeq(p, "/") {
		stem, _, _ := strings.Cut(strings.ToLower(part), ".")
		port := len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) && stem[3] >= '0' && stem[3] <= '9'
		if port || stem == "con" || stem == "prn" || stem == "aux" || stem == "nul" {
			return fmt.Errorf("%s was not created: %q is the name of a device on some systems; choose another", p, part)
		}
		_, short, tilde := strings.Cut(stem, "~") // git~1 is another name of .git there
		if strings.ContainsAny(part, `:*?"<>|`) || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") ||
			tilde && len(stem) <= len("longna~1") && strings.Trim(short, "0123456789") == "" {
			return fmt.Errorf("%s was not created: names with : * ? \" < > | or ~1, or a dot or a space at their end, cannot be used on every system; choose another", p)
		}
	}
	return nil
}

package store

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// visible reports whether a character of a name can be seen and stays on its line. The joiners occur in
// Persian and in emoji.
func visible(r rune) bool {
	return unicode.IsGraphic(r) && r != utf8.RuneError || r == '\u200c' || r == '\u200d'
}

// Shown formats a path for a model or a terminal; every message that names a file from the folder uses it. A
// path with invisible characters, or with bytes that are not characters, is escaped and quoted; in that form
// the file can be read, listed and searched.
func Shown(p string) string {
	if _, err := Clean(p); err != nil {
		return strconv.Quote(p)
	}
	return p
}

// Readable checks a path that is to be read, which may be in the form of [Shown].
func Readable(p string) (string, error) {
	if len(p) < 2 || p[0] != '"' || p[len(p)-1] != '"' || !strings.Contains(p, `\`) {
		return Clean(p)
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

// Folded returns the form in which names are compared: some disks ignore case, Unicode form or width, and
// characters that cannot be seen.
func Folded(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector) {
			return -1
		}
		return r
	}, name)
	return cases.Fold().String(norm.NFKC.String(name))
}

// twinForm returns the form that two spellings of the very same letters share, or "" for a name with only one
// spelling.
func twinForm(name string) string {
	composed := norm.NFC.String(name)
	if composed == norm.NFD.String(name) {
		return ""
	}
	return composed
}

// IsMarkdown reports whether a file is handled as Markdown of the research or of a person: it is not a copy
// made by synchronisation, nor a backup or working file of an editor.
func IsMarkdown(name string) bool {
	return strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".") && !IsAside(name)
}

// IsAside reports whether a name is one that synchronisation, an editor or an older Daybook gives to a file
// next to the original.
func IsAside(name string) bool { return CopyOf(name) != name || asideMark.MatchString(Folded(name)) }

var asideMark = regexp.MustCompile(strings.Join([]string{
	`\.sync-conflict-`, `conflicted copy`, `sfconflict`, `case conflict`, `冲突的?副本`, `衝突的?副本`,
	`^~\$`, `^\.#`, `^#.*#$`, // of office programs, and of Emacs
	`~(?:\.[^.]*)?$`, `\.(?:bak|orig|tmp|rej|sw[pon])(?:\.[^.]*)?$`, // 01.md.bak and 01.bak.md
}, "|"))

// Clean checks a path from outside and returns its canonical spelling: relative to the workspace, slashes, no
// dots.
func Clean(p string) (string, error) {
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

// Hidden reports whether any part of a path starts with a dot.
func Hidden(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return true
		}
	}
	return false
}

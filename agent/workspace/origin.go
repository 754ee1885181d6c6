package workspace

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/afero"
)

// Known says whether an address stands, byte for byte, in what the person wrote, in the results of a search, or in a page that was read.
// An address that a model made up could carry what it read out of the folder; one of these can carry nothing but which of them was
// chosen. What follows a # is never sent, and is not compared.
func (w *Workspace) Known(address string) (bool, error) {
	url := withoutFragment(address)
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, read := w.sources.find(url); read {
		return true, nil
	}
	for hit := range w.hits.byURL {
		if withoutFragment(hit) == url {
			return true, nil
		}
	}
	return w.stands(func(text string) bool { return names(text, url) })
}

// KnownHost says whether a host, such as example.org, is that of a known address, or stands by itself in what the person wrote or on a
// page that was read.
func (w *Workspace) KnownHost(host string) (bool, error) {
	host = strings.ToLower(host)
	w.mu.Lock()
	defer w.mu.Unlock()
	for hit := range w.hits.byURL {
		if namesHost(hit, host) {
			return true, nil
		}
	}
	return w.stands(func(text string) bool { return namesHost(text, host) })
}

// stands looks in what the person wrote and on the pages that were read. w.mu is held.
func (w *Workspace) stands(in func(text string) bool) (bool, error) {
	if in(w.asked) || in(w.said) {
		return true, nil
	}
	if found, err := w.inPersonsFiles(in); err != nil || found {
		return found, err
	}
	for s := range w.sources.from(0) {
		data, err := afero.ReadFile(w.fs, s.File)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		if in(string(data)) {
			return true, nil
		}
	}
	return false, nil
}

// inPersonsFiles looks where the agent never writes: the notes, the settings and the rules.
func (w *Workspace) inPersonsFiles(in func(text string) bool) (bool, error) {
	files := []string{CurrentFile, SettingsFile}
	rules, err := afero.ReadDir(w.fs, RulesDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	for _, r := range rules {
		files = append(files, path.Join(RulesDir, r.Name()))
	}
	for _, p := range files {
		data, _, err := w.load(p)
		if err != nil {
			continue // a file that can not be read names nothing
		}
		text := string(data)
		if p == CurrentFile {
			text, _ = Current.rawSection(text, "notes") // and no heading of another level, which the agent may write
		}
		if in(text) {
			return true, nil
		}
	}
	return false, nil
}

// Said puts on record that a text is the person's own words, for the addresses in it.
func (w *Workspace) Said(text string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.remember("", text)
}

// rememberEdit does so for what a person wrote, line by line, into a file that the agent writes too: in the file itself it could not be
// told from the agent's own. A file whose text before is not known may hold anything of either. w.mu is held.
func (w *Workspace) rememberEdit(p string, after []byte) error {
	before, known := w.seenText(p)
	if _, ours := w.seen[p]; ours && !known {
		return nil
	}
	return w.remember(before, string(after))
}

func (w *Workspace) remember(before, after string) error {
	if w.journal == nil || !strings.Contains(after, "://") { // whoever only looks needs no record
		return nil
	}
	old := map[string]bool{}
	for line := range strings.Lines(before) {
		old[strings.TrimSpace(line)] = true
	}
	var said strings.Builder
	for line := range strings.Lines(after) {
		if line = strings.TrimSpace(line); !old[line] && strings.Contains(line, "://") {
			said.WriteString(line + "\n")
		}
	}
	if said.Len() == 0 {
		return nil
	}
	w.said += said.String()
	return w.journal.Record(keySaid, said.String())
}

// names says whether an address stands in a text as a whole: not as the beginning of a longer one.
func names(text, url string) bool {
	for url != "" {
		at := strings.Index(text, url)
		if at < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if !unicode.IsLetter(before) && !unicode.IsDigit(before) || before > unicode.MaxASCII {
			if addressEnds(text[:at], url, text[at+len(url):]) {
				return true
			}
		}
		text = text[at+1:]
	}
	return false
}

// addressEnds says whether an address is over where rest begins: at a mark that no address holds, or at one that ends a sentence or a
// link around it.
func addressEnds(before, url, rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "", r == '#', unicode.IsSpace(r), unicode.IsControl(r), strings.ContainsRune("<>\"`|\\^{}", r):
		return true
	case r > unicode.MaxASCII:
		return unicode.IsPunct(r) || unicode.Is(unicode.Han, r) || unicode.IsSymbol(r)
	case r == ')' && strings.Count(url, "(") > strings.Count(url, ")"):
		return false
	case r == ')' && strings.HasSuffix(before, "("), r == ']' && strings.HasSuffix(before, "["):
		return true
	case strings.ContainsRune(".,;:!?*_~')]", r):
		next, _ := utf8.DecodeRuneInString(rest[size:])
		return rest[size:] == "" || unicode.IsSpace(next) || strings.ContainsRune(".,;:!?*_~'\")]>", next)
	}
	return false
}

func withoutFragment(url string) string {
	url, _, _ = strings.Cut(url, "#")
	return url
}

// namesHost says whether a host stands in a text, and is no part of a longer name.
func namesHost(text, host string) bool {
	inName := func(r rune) bool { // Chinese sets no space before a name
		return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !IsCJK(r) || r == '-' || r == '_'
	}
	for text = strings.ToLower(text); host != ""; {
		at := strings.Index(text, host)
		if at < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, size := utf8.DecodeRuneInString(text[at+len(host):])
		next, _ := utf8.DecodeRuneInString(text[at+len(host)+size:])
		if !inName(before) && before != '.' && !inName(after) && (after != '.' || !inName(next)) {
			return true
		}
		text = text[at+1:]
	}
	return false
}

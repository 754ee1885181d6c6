package workspace

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Source is a page that was read, kept as one file: front matter, then the text as it was read.
type Source struct {
	ID        string    `yaml:"id"`                  // s1, s2, …
	URL       string    `yaml:"url"`                 // as requested
	FinalURL  string    `yaml:"final_url,omitempty"` // after redirects, if different
	Title     string    `yaml:"title"`
	Author    string    `yaml:"author,omitempty"`
	Published string    `yaml:"published,omitempty"` // 2006-01-02, or a part of it
	Fetched   time.Time `yaml:"fetched"`
	ETag      string    `yaml:"etag,omitempty"`          // with the date below, the page's version
	Modified  string    `yaml:"last_modified,omitempty"` // as an HTTP date
	Type      string    `yaml:"type"`                    // html, pdf, markdown, …
	Language  string    `yaml:"language,omitempty"`      // BCP 47 tag
	Complete  string    `yaml:"complete"`                // yes, or why the text is only a part
	SHA256    string    `yaml:"sha256"`                  // of the text below the front matter
	Note      string    `yaml:"note,omitempty"`          // a person's comment, for the list of references
	// other addresses at which the very same text was read
	Also []string `yaml:"also,omitempty"`
	File string   `yaml:"-"` // path in the workspace
	Line int      `yaml:"-"` // of the file, where the text begins, from 1
}

// Addresses returns all addresses at which the text was read.
func (s Source) Addresses() []string {
	return slices.DeleteFunc(append([]string{s.URL, s.FinalURL}, s.Also...), func(url string) bool { return url == "" })
}

// IsWhole reports whether the whole text of the page is there: words that a part lacks may be in the rest.
// Older files do not say.
func (s Source) IsWhole() bool { return s.Complete == Whole || s.Complete == "" }

// Whole is the Complete of a [Source] that has all of the page's text.
const Whole = "yes"

// numberOf returns the number of a source's id, or 0.
func numberOf(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "s")) // 0 if it is not a number
	return n
}

// sourceList holds the sources by number, by address and by text.
type sourceList struct {
	all   []Source       // by number
	leads map[string]int // number of the newest source, by address
	next  int            // number of the next source
	fresh []string       // ids that were read in this stretch
	// Those that an earlier run read in this stretch; they become fresh after the opening that resumes it
	later    []string
	onRecord recorded
	deleted  []Source // those that a person deleted, by number
}

// add adds a source, or replaces the one with its id. Addresses of a newer source still lead to that one.
func (l *sourceList) add(s Source) {
	l.put(s)
	for _, url := range s.Addresses() {
		if l.leads[url] <= numberOf(s.ID) {
			l.point(url, s)
		}
	}
}

// inOrder compares two sources by their numbers.
func inOrder(a, b Source) int { return numberOf(a.ID) - numberOf(b.ID) }

// byNumber returns the index of the source with a number, or where it would be.
func (l *sourceList) byNumber(number int) (int, bool) {
	return slices.BinarySearchFunc(l.all, number, func(s Source, n int) int { return numberOf(s.ID) - n })
}

func (l *sourceList) find(idOrURL string) (Source, bool) {
	if at, ok := l.byNumber(l.leads[idOrURL]); ok && slices.Contains(l.all[at].Addresses(), idOrURL) {
		return l.all[at], true
	}
	at, ok := l.byNumber(numberOf(idOrURL))
	if ok && l.all[at].ID == idOrURL {
		return l.all[at], true
	}
	return Source{}, false
}

// point makes an address lead to a source in the list that has it.
func (l *sourceList) point(url string, s Source) {
	if url != "" {
		l.leads[url] = numberOf(s.ID)
	}
}

// put adds a source, or replaces the one with its id. No address leads to it yet.
func (l *sourceList) put(s Source) {
	at, known := l.byNumber(numberOf(s.ID))
	if !known {
		l.all = slices.Insert(l.all, at, s)
	}
	l.all[at] = s
	l.deleted = slices.DeleteFunc(l.deleted, func(gone Source) bool { return gone.ID == s.ID })
	l.next = max(l.next, numberOf(s.ID)+1)
}

// same returns the source with this very text: preferably the one at the same address, and last of all one
// that a person deleted. If that is read again, its citations are valid again.
func (l *sourceList) same(s Source) (Source, bool) {
	here, _ := l.find(s.URL)
	for _, known := range slices.Concat([]Source{here}, l.all, l.deleted) {
		if known.SHA256 == s.SHA256 {
			return known, true
		}
	}
	return Source{}, false
}

// recorded is what the journal says of sources, by number.
type recorded struct {
	files map[int]store.FileRow // last version, without its text
	older map[int]bool          // read for earlier questions only
	// those that the agent was shown, for whatever question; versions before 0.1 kept no record of it
	shown  map[int]bool
	to     map[showing]bool
	blocks map[int]map[int]bool // shown to anyone
}

// asked notes a new question: what was read until then was read for another.
func (r recorded) asked() {
	for n := range r.files {
		r.older[n] = true
	}
}

// kept notes a source's file.
func (r recorded) kept(v store.FileRow) {
	if m := sourceFile.FindStringSubmatch(path.Base(v.Path)); m != nil {
		r.files[numberOf("s"+m[1])] = store.FileRow{Path: v.Path, To: v.To}
	}
}

// saw notes a page that the agent was shown.
func (r recorded) saw(value json.RawMessage) {
	var page struct {
		ID, For string
		Blocks  []int
	}
	if json.Unmarshal(value, &page) != nil {
		return
	}
	n := numberOf(page.ID)
	r.shown[n], r.to[showing{page.For, n}] = true, true
	delete(r.older, n)
	if r.blocks[n] == nil {
		r.blocks[n] = map[int]bool{}
	}
	for _, b := range page.Blocks {
		r.blocks[n][b] = true
	}
}

// showing is a source shown to the researchers of a chapter's file; "" is the main researcher.
type showing struct {
	file   string
	number int
}

func newSources() sourceList {
	return sourceList{leads: map[string]int{}, onRecord: recorded{map[int]store.FileRow{}, map[int]bool{},
		map[int]bool{}, map[showing]bool{}, map[int]map[int]bool{}}}
}

var sourceFile = regexp.MustCompile(`^s0*([1-9][0-9]{0,8})\b.*\.md$`)

// sourceOf parses the source in a file.
func sourceOf(p string, data []byte) (Source, error) {
	front, _, err := markdown.CutFrontMatter(string(data))
	if err != nil {
		return Source{}, fmt.Errorf("reading %s: %w", p, err)
	}
	var s Source
	if err := bounds.YAML([]byte(front), &s); err != nil {
		return Source{}, fmt.Errorf("reading the front matter of %s: %s", p, strings.TrimSpace(err.Error()))
	}
	if m := Marks("[" + s.ID + "]"); len(m) != 1 || m[0].Refs[0] != (Ref{ID: strings.ToLower(s.ID)}) {
		return Source{}, fmt.Errorf("reading the front matter of %s: it gives no id such as s3", p)
	}
	if s.URL == "" || s.Fetched.IsZero() {
		return Source{}, fmt.Errorf("reading the front matter of %s: it does not say from where (url) and when (fetched) the page was read", p)
	}
	if m := sourceFile.FindStringSubmatch(path.Base(p)); m == nil || s.ID != "s"+m[1] {
		return Source{}, fmt.Errorf("reading the front matter of %s: its id is %s, and by its name it is another", p, s.ID)
	}
	s.File, s.Line = p, lineBelow(front)
	return s, nil
}

// lineBelow returns the line at which the text begins, below a front matter, its two rules and an empty line.
func lineBelow(front string) int { return strings.Count(front, "\n") + 4 }

// slug returns the part of a file's name that comes from a title, with a dash before it; "" if no character
// of the title may be in a name.
func slug(title string) string {
	if s := prose.Slug(title); s != "" {
		return "-" + s
	}
	return ""
}

// withAddress adds an address to the list in a front matter, and reports whether the rest is unchanged.
func withAddress(front, url string) (string, bool) {
	quoted, err := json.Marshal(url) // a string in JSON is one in YAML
	if err != nil {
		return front, false
	}
	const key = "\nalso:\n"
	added := front + "also:\n- " + string(quoted) + "\n"
	if before, after, ok := strings.Cut("\n"+front, key); ok {
		indent := after[:len(after)-len(strings.TrimLeft(after, " "))]
		added = strings.TrimPrefix(before, "\n") + key + indent + "- " + string(quoted) + "\n" + after
	}
	var was, is Source
	if bounds.YAML([]byte(front), &was) != nil || bounds.YAML([]byte(added), &is) != nil {
		return front, false
	}
	return added, is.ID == was.ID && is.SHA256 == was.SHA256 && len(is.Also) == len(was.Also)+1 && is.Also[0] == url
}

package workspace

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Chapter is a file of the Notebook.
type Chapter struct {
	File  string `json:"file"`
	Title string `json:"title"` // its first heading, or its name
	Words int    `json:"words"`
	Fault string `json:"fault,omitempty"` // why it cannot be read, "" when it can
}

// Checklist reads the items of a section such as the blueprint or the plan.
func Checklist(section string) []Item {
	var items []Item
	for _, m := range checkbox.FindAllStringSubmatch(section, -1) {
		items = append(items, Item{Text: strings.TrimSpace(m[2]), Done: m[1] != " "})
	}
	return items
}

// Item is a line of a checklist, such as a chapter of the blueprint.
type Item struct {
	Text string `json:"text"`
	Done bool   `json:"done"`
}

// Title returns the title of a planned chapter: the words in bold, or the text before its question, queries,
// passages and file.
func (i Item) Title() string {
	if m := bold.FindStringSubmatch(i.Text); m != nil {
		return strings.TrimSpace(m[1])
	}
	return strings.Trim(ofChapter.Split(i.Text, 2)[0], " \t-–—`:：.。([]（<")
}

// ChapterIn returns the file of a planned chapter: the one that its line names, the one with that number
// (titles change), or the one with its title.
func (i Item) ChapterIn(chapters []Chapter) (Chapter, bool) {
	for _, is := range []func(Chapter) bool{
		func(c Chapter) bool { return strings.Contains(i.Text, c.File) },
		func(c Chapter) bool {
			number, _, _ := strings.Cut(c.File, "-")
			return strings.Trim(path.Base(number), "0123456789") == "" && strings.Contains(i.Text, number+"-")
		},
		func(c Chapter) bool { return c.Title != "" && strings.Contains(i.Text, "**"+c.Title+"**") },
	} {
		if at := slices.IndexFunc(chapters, is); at >= 0 {
			return chapters[at], true
		}
	}
	return Chapter{}, false
}

// Lines returns the non-empty lines of a section without their list markers.
func Lines(section string) []string {
	var all []string
	for line := range strings.Lines(section) {
		if line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "-*+ ")); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// Unproven is a chapter whose researcher came back without evidence.
type Unproven struct{ Title, File, Why string }

// String returns its line among the gaps.
func (u Unproven) String() string {
	return fmt.Sprintf("- Chapter without evidence: **%s** (%s): %s", prose.OneLine(u.Title), u.File, u.Why)
}

// UnprovenIn finds chapters without evidence among the gaps.
func UnprovenIn(gaps string) (all []Unproven) {
	for _, m := range unproven.FindAllStringSubmatch(gaps, -1) {
		all = append(all, Unproven{Title: m[1], File: m[2]})
	}
	return all
}

// Chapters lists the Notebook, with its subfolders, by file name, without the copies that synchronisation,
// editors and an older Daybook put next to a file.
func (w *Workspace) Chapters() ([]Chapter, error) {
	w.mu.Lock()
	err := w.meetGone(nil)
	w.mu.Unlock()
	if err != nil {
		return nil, err
	}
	var all []Chapter
	_, err = w.Walk(NotebookDir, func(p string) error {
		if name := path.Base(p); !store.IsMarkdown(name) {
			return nil
		}
		c := Chapter{File: store.Shown(p), Title: store.Shown(strings.TrimSuffix(path.Base(p), ".md"))}
		data, exists, err := w.load(p)
		if err != nil {
			c.Fault = err.Error()
		} else if !exists {
			return nil
		}
		c.Words = prose.Count(string(data))
		if hs := markdown.Headings(data); len(hs) > 0 {
			c.Title = hs[0].Title
		}
		all = append(all, c)
		return nil
	})
	return all, err
}

// OwnChapters returns the files of the Notebook with a person's words that the blueprint does not name.
func (w *Workspace) OwnChapters() (files []string) {
	overall, _ := w.Peek(OverallFile) // without one, nothing is named
	blueprint, _ := Section(overall, "blueprint")
	chapters, _ := w.Chapters() // unreadable files are reported at the start
	planned := map[string]bool{}
	for _, item := range Checklist(blueprint) {
		c, _ := item.ChapterIn(chapters)
		planned[c.File] = true
	}
	for _, c := range chapters {
		if !planned[c.File] && (!w.onRecord(c.File) || len(w.ByHand(c.File)) > 0) {
			files = append(files, c.File)
		}
	}
	return files
}

// onRecord reports whether the journal knows a file. An unknown one is a person's.
func (w *Workspace) onRecord(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.journal != nil && w.journal.files.Knows(name)
}

var (
	checkbox = regexp.MustCompile(`(?m)^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(.+)$`)
	// bold matches a title in bold; ofChapter matches where the details of a chapter begin after its title
	bold      = regexp.MustCompile(`^\*\*([^*]+)\*\*`)
	ofChapter = regexp.MustCompile("(?i)(?:\\b(?:quer(?:y|ies)|passages?|file)|检索词|查询|段落|文件)\\**\\s*[:：]|" +
		"[`(\\[]*Notebook/| [—–] ")
)

// NotSearched begins the line among the gaps that lists documents that could not be read.
const NotSearched = "Could not be read, and so not searched: "

// OpenGaps returns the gaps that a section lists, without a line that says there are none and without
// unreadable documents, which more research cannot help.
func OpenGaps(section string) []string {
	return slices.DeleteFunc(Lines(section), func(line string) bool {
		return noGap.MatchString(line) || strings.HasPrefix(line, NotSearched) ||
			strings.HasPrefix(line, prose.Chinese.Say(NotSearched))
	})
}

var noGap = regexp.MustCompile(`(?i)^(?:(?:none|nothing)(?: (?:left|open|known|that (?:reading|the (?:documents|sources)) (?:could|can) \pL+))?|no open questions?|无|没有|暂无)(?:[.。]|[;；].*)?$`)

// unproven matches a chapter without evidence among the gaps.
var unproven = regexp.MustCompile(`Chapter without evidence: \*\*(.*?)\*\* \(([^)\n]+)\)`)

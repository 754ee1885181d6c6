package fileagent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/fileagent/passage"
)

// source is the place that a text is copied from, so that nobody retypes it.
type source struct {
	From    string `json:"from,omitempty"`
	Section string `json:"section,omitempty"`
}

// isAll reports whether all chapters are meant.
func (s source) isAll(w *workspace.Workspace) bool {
	return spelled(w, strings.TrimSuffix(s.From, "/")) == workspace.NotebookDir
}

// text returns the text of a file, of a section of it, or of all chapters, to replace a file or be added to
// it. In the report chapters become sections, one level lower.
func (s source) text(w *workspace.Workspace, to string, adds bool) (string, error) {
	from := spelled(w, s.From)
	switch {
	case from == to:
		return "", fmt.Errorf("%s cannot be copied into itself", from)
	case s.isAll(w):
		there := ""
		if adds {
			there, _ = before(w, to)
		}
		return bound(w, to, there)
	}
	text, err := w.Peek(from)
	if err == nil && s.Section != "" {
		if text, err = passage.SectionUnder(text, s.Section); err != nil {
			err = fmt.Errorf("copying from %s: %w", from, err)
		}
	}
	if err == nil && to == workspace.ReportFile && strings.HasPrefix(from, workspace.NotebookDir+"/") {
		text = markdown.Demote(text)
	}
	return text, err
}

// bound returns the text of all chapters, each as a section under its title, in the order of the blueprint,
// to go below what is there. If the file is empty, the question becomes the title.
func bound(w *workspace.Workspace, to, there string) (string, error) {
	chapters, _, err := inOrder(w)
	if err != nil {
		return "", err
	}
	if len(chapters) == 0 {
		return "", errors.New("there is no chapter in " + workspace.NotebookDir + "/ to bind")
	}
	var out strings.Builder
	if strings.TrimSpace(there) == "" && w.Asked() != "" {
		fmt.Fprintf(&out, "# %s\n", agent.Literal(prose.OneLine(w.Asked())))
	}
	for _, c := range chapters {
		if slices.ContainsFunc(markdown.OutlineOf([]byte(there)),
			func(h markdown.Heading) bool { return h.Title == c.Title }) {
			return "", fmt.Errorf("%s holds the section %q already: copy single chapters or sections into "+
				"it, or delete it first", to, c.Title)
		}
		text, err := w.Peek(c.File)
		if err != nil {
			return "", err
		}
		out.WriteString("\n" + markdown.AsSection(c.Title, text))
	}
	return out.String(), nil
}

// nowHolds lists a file's headings after the chapters were bound into it.
func nowHolds(w *workspace.Workspace, file string) string {
	text, _ := before(w, file)
	var titles []string
	for _, h := range markdown.OutlineOf([]byte(text)) {
		if h.Level <= 2 {
			titles = append(titles, strings.Repeat("#", h.Level)+" "+h.Title)
		}
	}
	left := ""
	if _, spare, err := inOrder(w); err == nil && len(spare) > 0 {
		var files []string
		for _, c := range spare {
			files = append(files, c.File)
		}
		left = " Left out, since each chapter of the blueprint has a file and these are none of them: " +
			strings.Join(files, ", ") + "."
	}
	return " It now has: " + strings.Join(titles, " · ") + "." + left
}

// inOrder returns the chapters in the order in which the blueprint names them, by file or title, then the
// others. These are spare, such as notes, once each chapter of the blueprint has its file.
func inOrder(w *workspace.Workspace) (ordered, spare []workspace.Chapter, err error) {
	chapters, err := w.Chapters()
	if err != nil {
		return nil, nil, err
	}
	overall, err := w.Peek(workspace.OverallFile)
	if err != nil {
		return chapters, nil, nil // a workspace without dashboards has no blueprint
	}
	blueprint, _ := workspace.Section(overall, "blueprint")
	lines := strings.Split(strings.ToLower(blueprint), "\n")
	place := func(c workspace.Chapter) int {
		name :=
			strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(c.File, workspace.NotebookDir+"/"), ".md"))
		for _, named := range []string{name, strings.ToLower(c.Title)} {
			if i := slices.IndexFunc(lines,
				func(line string) bool { return strings.Contains(line, named) }); i >= 0 {
				return i
			}
		}
		return len(lines)
	}
	slices.SortStableFunc(chapters, func(a, b workspace.Chapter) int { return place(a) - place(b) })
	planned := map[string]bool{}
	for _, item := range workspace.Checklist(blueprint) {
		c, found := item.ChapterIn(chapters)
		if !found {
			return chapters, nil, nil
		}
		planned[c.File] = true
	}
	for _, c := range chapters {
		if len(planned) == 0 || planned[c.File] {
			ordered = append(ordered, c)
		} else {
			spare = append(spare, c)
		}
	}
	return ordered, spare, nil
}

package fileagent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// source says where a text is copied from, so that nobody types it again.
type source struct {
	From    string `json:"from,omitempty"`
	Section string `json:"section,omitempty"`
}

// isAll reports whether all chapters are meant.
func (s source) isAll(w *workspace.Workspace) bool {
	return spelled(w, strings.TrimSuffix(s.From, "/")) == workspace.NotebookDir
}

// text is the text of a file, of a section of it, or of all chapters, to be put in the place of a file or
// added to it. Chapters come into the report one level lower, as sections of it.
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
		if text, err = workspace.SectionUnder(text, s.Section); err != nil {
			err = fmt.Errorf("copying from %s: %w", from, err)
		}
	}
	if err == nil && to == workspace.ReportFile && strings.HasPrefix(from, workspace.NotebookDir+"/") {
		text = workspace.Demote(text)
	}
	return text, err
}

// bound is the text of all chapters, each as a section under its title, in the order of the blueprint, below
// what is there. Where there is nothing the question is the title.
func bound(w *workspace.Workspace, to, there string) (string, error) {
	chapters, err := inOrder(w)
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
		if i := slices.IndexFunc(workspace.OutlineOf([]byte(there)), func(h workspace.Heading) bool { return h.Title == c.Title }); i >= 0 {
			return "", fmt.Errorf("%s holds the section %q already: copy single chapters or sections into it, or delete it first", to, c.Title)
		}
		text, err := w.Peek(c.File)
		if err != nil {
			return "", err
		}
		out.WriteString("\n" + workspace.AsSection(c.Title, text))
	}
	return out.String(), nil
}

// nowHolds lists the headings that a file has after the chapters were bound into it.
func nowHolds(w *workspace.Workspace, file string) string {
	text, _ := before(w, file)
	var titles []string
	for _, h := range workspace.OutlineOf([]byte(text)) {
		if h.Level <= 2 {
			titles = append(titles, strings.Repeat("#", h.Level)+" "+h.Title)
		}
	}
	return " It now has: " + strings.Join(titles, " · ") + "."
}

// inOrder are the chapters in the order in which the blueprint names them, by file or title, and then those
// that it does not name.
func inOrder(w *workspace.Workspace) ([]workspace.Chapter, error) {
	chapters, err := w.Chapters()
	if err != nil {
		return nil, err
	}
	overall, err := w.Peek(workspace.OverallFile)
	if err != nil {
		return chapters, nil // a workspace without dashboards has no blueprint
	}
	blueprint, _ := workspace.Section(overall, "blueprint")
	items := strings.Split(strings.ToLower(blueprint), "\n")
	place := func(c workspace.Chapter) int {
		name := strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(c.File, workspace.NotebookDir+"/"), ".md"))
		for _, named := range []string{name, strings.ToLower(c.Title)} {
			if i := slices.IndexFunc(items, func(item string) bool { return strings.Contains(item, named) }); i >= 0 {
				return i
			}
		}
		return len(items)
	}
	slices.SortStableFunc(chapters, func(a, b workspace.Chapter) int { return place(a) - place(b) })
	return chapters, nil
}

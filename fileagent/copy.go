package fileagent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// copyText copies text between files without anybody retyping it: a file, a section of one, or all chapters in the order of the blueprint.
func copyText(w *workspace.Workspace) agent.Action {
	type input struct {
		Path    string `json:"path"`
		Section string `json:"section,omitempty"`
		To      string `json:"to"`
		Anchor  string `json:"anchor,omitempty"`
		Marked
	}
	return action("copy_text", func(_ context.Context, in input) (string, error) {
		from, to := spelled(w, strings.TrimSuffix(in.Path, "/")), spelled(w, in.To)
		switch {
		case from == to:
			return "", fmt.Errorf("%s cannot be copied into itself", from)
		case from == workspace.NotebookDir:
			return bind(w, to)
		}
		text, err := w.Peek(from)
		if err != nil {
			return "", err
		}
		what := from
		if in.Section != "" {
			if text, err = workspace.SectionUnder(text, in.Section); err != nil {
				return "", fmt.Errorf("copying from %s: %w", from, err)
			}
			what = fmt.Sprintf("%q of %s", in.Section, from)
		}
		if isChapter(from) && to == workspace.ReportFile {
			text = workspace.Demote(text) // as its headings are where the chapters are bound
		}
		where, err := paste(w, to, in.Anchor, text)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("Copied %s %s (%d words).", what, where, workspace.Words(text)), nil
	})
}

func isChapter(file string) bool { return strings.HasPrefix(file, workspace.NotebookDir+"/") }

// paste puts a text behind an anchor, at the end of a file, or into a new one, and says where that was.
func paste(w *workspace.Workspace, to, anchor, text string) (where string, err error) {
	if anchor != "" {
		return fmt.Sprintf("into %s after %q", to, anchor), edit(w, to, func(old string) (string, error) {
			return workspace.InsertAfter(old, workspace.HeadingNamed(old, anchor), text)
		})
	}
	old, isNew := before(w, to)
	if isNew {
		return "to the new file " + to, w.Create(to, text)
	}
	if strings.TrimSpace(old) != "" {
		text = "\n" + strings.TrimLeft(text, "\n")
	}
	return "to the end of " + to, w.Append(to, text)
}

// bind puts a new file together from all chapters, each as a section under its title. A file that holds text is not bound again: what was
// edited in it would be lost.
func bind(w *workspace.Workspace, to string) (string, error) {
	if old, isNew := before(w, to); !isNew && strings.TrimSpace(old) != "" {
		return "", fmt.Errorf("%s holds %d words already, which binding would replace. Copy single chapters or sections into it, "+
			"or delete it first", to, workspace.Words(old))
	}
	chapters, err := inOrder(w)
	if err != nil {
		return "", err
	}
	if len(chapters) == 0 {
		return "", errors.New("there is no chapter in " + workspace.NotebookDir + "/ to bind")
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n", strings.Join(strings.Fields(w.Asked()), " "))
	var names []string
	for _, c := range chapters {
		text, err := w.Peek(c.File)
		if err != nil {
			return "", err
		}
		body := workspace.Demote(text)
		if !strings.HasPrefix(body, "## ") {
			body = "## " + c.Title + "\n\n" + body
		}
		out.WriteString("\n" + strings.TrimSpace(body) + "\n")
		names = append(names, c.File)
	}
	if _, err := w.Overwrite(to, out.String()); err != nil {
		return "", err
	}
	return fmt.Sprintf("Bound %s (%d words) from %s. Its title is the question; mend title, abstract and transitions by place.",
		to, workspace.Words(out.String()), strings.Join(names, ", ")), nil
}

// inOrder are the chapters in the order in which the blueprint names them, by file or title, and then those that it does not name.
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

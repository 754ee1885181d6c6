package actions

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// researched has one chapter researched by an agent that sees the folder as a separate writer.
func (k Kit) researched(
	ctx context.Context,
	turn *agent.Turn,
	i int,
	task chapterTask,
	of int,
) (agent.Result, error) {
	writer := fmt.Sprintf("%s/chapter%d", turn.Path(), i+1)
	w := k.Workspace.As(writer, task.File)
	own := k.remembering()
	own.Workspace, own.Files.Workspace, own.chapter = w, w, task.File
	if !w.Journal().Recall(writer+"#1 reply", new(agent.Reply)) {
		if err := own.layOut(task); err != nil {
			return agent.Result{}, err
		}
	}
	limits := k.Chapters.Limits
	limits.Steps = task.Steps
	overall, err := w.Peek(workspace.OverallFile)
	if err != nil {
		return agent.Result{}, err
	}
	blueprint, _ := workspace.Section(overall, "blueprint")
	own.share = k.shareOf(w.Language(), max(of, len(workspace.Checklist(blueprint))))
	told := map[string]bool{}
	return turn.Nest(ctx, agent.Agent{
		Name:    path.Base(writer),
		Brain:   k.Chapters.Brain,
		Actions: own.ofChapter(),
		Open: func(context.Context) ([]agent.Message, error) {
			clear(told) // a new opening: the notes shown before are forgotten
			text, err := w.Dashboard(own.current())
			if err != nil {
				return nil, err
			}
			others, err := soFar(w, task.File)
			if err != nil {
				return nil, err
			}
			return []agent.Message{agent.System(k.Chapters.System),
				agent.User(task.told(w.Asked(), own.share, limits.Steps)),
				agent.User(text + others + freshNotes(workspace.NotesIn(text), told))}, nil
		},
		Notice: func(context.Context) (agent.Notice, error) {
			changed, err := w.News()
			changed.Text = strings.TrimSpace(changed.Text + freshNotes(w.NotesOn(own.current()), told))
			return changed, err
		},
		Limits:   limits,
		Progress: w.Progress,
	})
}

// steps returns the steps a chapter gets: as many as its task asks for, within its share of those left.
func (k Kit) steps(turn *agent.Turn, task chapterTask, of int) int {
	most := k.Chapters.Limits.Steps
	if left := turn.StepsLeft(); left > 0 {
		most = max(fewestSteps, left/of)
	}
	return min(cmp.Or(max(0, task.Steps), most), most)
}

// length is a length in words or, for Chinese, in characters; 0 means none.
type length struct {
	n    int
	unit string
}

func (l length) String() string { return fmt.Sprintf("%d %s", l.n, l.unit) }

// shareOf returns the length each of that many chapters may have; 0 means no limit.
func (k Kit) shareOf(language prose.Language, chapters int) length {
	n := 0
	if k.Chapters.Words != nil {
		n = k.Chapters.Words(chapters) / chapters
	}
	if language == prose.Chinese {
		return length{2 * n, "characters"}
	}
	return length{n, "words"}
}

// over returns a remark if a text exceeds l by more than one part in parts, else "".
func (l length) over(file, text string, parts int) string {
	n := prose.Count(text)
	if l.n == 0 || n*parts <= l.n*(parts+1) {
		return ""
	}
	return fmt.Sprintf("\n\n%s has %s, and its share is some %d: leave out what the question does not need.",
		file, length{n, l.unit}, l.n)
}

// layOut writes the first dashboard of a chapter's researcher.
func (k Kit) layOut(task chapterTask) error {
	w, board := k.Workspace, k.current()
	if err := w.Begin(map[string]string{board.File: k.Chapters.Board}); err != nil {
		return err
	}
	next := "Search for it."
	if before, err := w.Peek(task.File); err == nil && prose.Count(before) > 0 {
		next = fmt.Sprintf("%s is there, with %d words. Read it, work out what is asked for now, "+
			"and keep what holds, with its citations.", task.File, prose.Count(before))
	}
	return w.AmendSections(board, map[string]func(string) string{
		"task": func(string) string { return task.Question },
		"next": func(string) string { return next }})
}

// soFar lists the chapters that others have written by now, so that a chapter's researcher need not find the
// same things again.
func soFar(w *workspace.Workspace, own string) (string, error) {
	chapters, err := w.Chapters()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, c := range chapters {
		if c.File != own && c.Words > 0 {
			fmt.Fprintf(&out, "\n- %s (%d words)", c.File, c.Words)
		}
	}
	if out.Len() == 0 {
		return "", nil
	}
	return "\n\nOther chapters by now; before you write of what one of them may hold, read it there, and " +
		"refer to it instead:\n" + out.String(), nil
}

// freshNotes returns the unanswered notes that this conversation has not shown yet, and marks them as told.
func freshNotes(notes []workspace.Note, told map[string]bool) string {
	notes = slices.DeleteFunc(workspace.Unanswered(notes), func(n workspace.Note) bool { return told[n.ID] })
	for _, n := range notes {
		told[n.ID] = true
	}
	if len(notes) == 0 {
		return ""
	}
	return "\n(" + Unanswered(notes) + ")\n"
}

// told returns the task for a chapter's researcher, with the whole question and the chapter's share.
func (t chapterTask) told(asked string, share length, steps int) string {
	var out strings.Builder
	fmt.Fprintf(&out,
		"The question of the whole report: %s\n\nYour chapter: %s, in %s\n\nIt answers: %s\n", asked,
		t.Title, t.File, t.Question)
	if share.n > 0 {
		fmt.Fprintf(&out, "\nIts share of the report is at most some %s, less where its matter is less.\n",
			share)
	}
	if steps > 0 {
		fmt.Fprintf(&out, "\nYou have %d steps for it; calls that can be made at once go into one.\n", steps)
	}
	for _, part := range []struct{ head, text string }{
		{"Belongs to it", t.Covers},
		{"Belongs to other chapters", t.Leaves},
		{"Known already, with citations that you may use", t.Known},
		{"All chapters have in common", t.frame},
	} {
		if part.text != "" {
			fmt.Fprintf(&out, "\n%s: %s\n", part.head, part.text)
		}
	}
	return out.String()
}

// ofChapter returns the actions of a chapter's researcher.
func (k Kit) ofChapter() []agent.Action {
	all := []agent.Action{k.fileOperation(), k.webSearch(), k.visitURL()}
	if k.Browser != "" {
		all = append(all, k.browse())
	}
	update := k.updateDashboard("update_current_dashboard", k.current())
	update.Doc = doc("update_chapter_dashboard")
	return append(all, update, k.chapterFinished())
}

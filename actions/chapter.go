package actions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// researched has one chapter researched by an agent that sees the folder as a writer of its own.
func (k Kit) researched(
	ctx context.Context,
	turn *agent.Turn,
	i int,
	task chapterTask,
	of int,
) (agent.Result, error) {
	writer := fmt.Sprintf("%s/chapter%d", turn.Path(), i+1)
	w, board := k.Workspace.As(writer, task.File), workspace.BoardOf(task.File)
	if !w.Journal().Recall(writer+"#1 reply", new(agent.Reply)) {
		if err := k.layOut(w, board, task); err != nil {
			return agent.Result{}, err
		}
	}
	own := k.remembering()
	own.Workspace, own.Files.Workspace, own.chapter, own.board = w, w, task.File, &board
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
		Actions: own.ofChapter(task.File),
		Open: func(context.Context) ([]agent.Message, error) {
			clear(told) // what was told is forgotten
			text, err := w.Dashboard(board)
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
			changed.Text = strings.TrimSpace(changed.Text + freshNotes(w.NotesOn(board), told))
			return changed, err
		},
		Limits:   limits,
		Progress: w.Progress,
	})
}

// steps is how many steps a chapter gets: what its task asks for, within its share of those that are left.
func (k Kit) steps(turn *agent.Turn, task chapterTask, of int) int {
	most := k.Chapters.Limits.Steps
	if left := turn.StepsLeft(); left > 0 {
		most = max(fewestSteps, left/of)
	}
	return min(cmp.Or(max(0, task.Steps), most), most)
}

// length is that of a text, in words or, of Chinese, in characters; 0 is none.
type length struct {
	n    int
	unit string
}

func (l length) String() string { return fmt.Sprintf("%d %s", l.n, l.unit) }

// shareOf is how long one of so many chapters may become; 0 for as long as it takes.
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

// over says that a text is longer by more than one part of so many; "" if it is not.
func (l length) over(file, text string, parts int) string {
	n := prose.Count(text)
	if l.n == 0 || n*parts <= l.n*(parts+1) {
		return ""
	}
	return fmt.Sprintf("\n\n%s has %s, and its share is some %d: leave out what the question does not need.",
		file, length{n, l.unit}, l.n)
}

// layOut writes the dashboard that a chapter's researcher begins with.
func (k Kit) layOut(w *workspace.Workspace, board workspace.Dashboard, task chapterTask) error {
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

// soFar tells a chapter's researcher what the others have by now: whoever begins when some are done need not
// find it again.
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

// freshNotes tells of the notes that were not told of, in the conversation at hand.
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

// told is a chapter as its researcher reads of it: with the whole question, and how long it may become.
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
		{"Known already; visit a source before you cite it", t.Known},
		{"All chapters have in common", t.frame},
	} {
		if part.text != "" {
			fmt.Fprintf(&out, "\n%s: %s\n", part.head, part.text)
		}
	}
	return out.String()
}

// ofChapter are the actions of a chapter's researcher.
func (k Kit) ofChapter(file string) []agent.Action {
	all := []agent.Action{k.fileOperation(), k.webSearch(), k.visitURL()}
	if k.Browser != "" {
		all = append(all, k.browse())
	}
	update := k.updateDashboard("update_current_dashboard", *k.board)
	update.Doc = doc("update_chapter_dashboard")
	return append(all, update, k.chapterFinished(file))
}

// handed is what a chapter's researcher hands back.
type handed struct {
	Summary   string   `json:"summary" jsonschema:"what the chapter establishes, a line a claim, with citations"`
	Missing   []string `json:"missing,omitempty" jsonschema:"what could not be found out"`
	Elsewhere []string `json:"elsewhere,omitempty" jsonschema:"what belongs to another chapter, with its source"`
	Against   []string `json:"against,omitempty" jsonschema:"what of all that the chapters have in common does not hold"`
}

// withBefore takes what a call leaves out from the one before it, which was refused or answered with remarks,
// but not lines whose sources were not read. An empty list clears the earlier one. Claims replace the earlier
// ones; a summary that cites nothing is put before them, since it may take some of them back.
func (k Kit) withBefore(turn *agent.Turn, file string, in handed) (handed, error) {
	var before handed
	key := "handed " + path.Dir(turn.Path())
	k.Workspace.Kept(key, &before)
	unread := func(line string) bool { return k.unread(file, line) != "" }
	if said := strings.TrimSpace(in.Summary); len(workspace.Marks(said)) == 0 {
		lines := strings.Split(said, "\n")
		held := strings.Join(slices.DeleteFunc(strings.Split(before.Summary, "\n"), func(line string) bool {
			return unread(line) || slices.Contains(lines, line)
		}), "\n")
		if said == "" || len(workspace.Marks(held)) > 0 {
			in.Summary = strings.TrimSpace(said + "\n" + held)
		}
	}
	for _, list := range []struct{ now, before *[]string }{{&in.Missing, &before.Missing},
		{&in.Elsewhere, &before.Elsewhere}, {&in.Against, &before.Against}} {
		if *list.now == nil {
			*list.now = slices.DeleteFunc(*list.before, unread)
		}
	}
	return in, k.Workspace.Keep(key, in)
}

func (k Kit) chapterFinished(file string) agent.Action {
	a := agent.NewAction("chapter_finished", doc("chapter_finished"),
		func(ctx context.Context, turn *agent.Turn, in handed) (agent.Outcome, error) {
			in, err := k.withBefore(turn, file, in)
			if err != nil {
				return agent.Outcome{}, err
			}
			text, err := k.Workspace.Peek(file)
			if err != nil {
				return agent.Outcome{}, fmt.Errorf("the chapter is not written: %w", err)
			}
			if len(workspace.Marks(text)) == 0 && len(in.Missing) == 0 {
				return agent.Outcome{},
					fmt.Errorf("%s cites nothing: write what you found there, each claim "+
						"with its citation; where nothing is to be found, say in missing what was looked for",
						file)
			}
			unread := k.unread(file, text+"\n"+in.Summary)
			more, err := k.onceMore(ctx, turn, file, text, unread != "")
			switch {
			case err != nil:
				return agent.Outcome{}, err
			case unread != "":
				return agent.Outcome{}, errors.New(unread + more)
			case more != "":
				return agent.Say("Not finished yet." + more), nil
			}
			said := in.Summary
			for _, list := range []struct {
				head  string
				lines []string
			}{{"Not found", in.Missing}, {"Belongs elsewhere", in.Elsewhere},
				{"Speaks against what all have in common", in.Against}} {
				if len(list.lines) > 0 {
					said += "\n" + list.head + ":\n- " + strings.Join(list.lines, "\n- ")
				}
			}
			return agent.Outcome{Effect: agent.Finish, Text: strings.TrimSpace(said)}, nil
		})
	a.Ends = true
	return a
}

// onceMore answers the first time that a chapter's researcher ends: with what of its citations does not hold,
// which nobody mends as cheaply as who read the sources a moment ago, with what an editor misses of its
// sources, with the names in its samples that no source has, and with how much it is longer than its share:
// from a fifth on if the work goes on anyway, from a third on by itself. What stays of the faults, the gate
// of the report tells.
func (k Kit) onceMore(
	ctx context.Context,
	turn *agent.Turn,
	file, text string,
	goesOn bool,
) (string, error) {
	if k.Check == nil || turn.Closing() {
		return "", nil
	}
	type told struct {
		Call   string   `json:"call"`
		Missed []Missed `json:"missed,omitempty"`
	}
	var before told
	key := "checked " + path.Dir(turn.Path())
	if k.Workspace.Kept(key, &before); before.Call != "" && before.Call != turn.Path() {
		return "", nil
	}
	if before.Call == "" {
		missed, err := k.Missed(ctx, turn, text, file)
		if err != nil {
			return "", err
		}
		before = told{turn.Path(), missed}
		if err := k.Workspace.Keep(key, before); err != nil {
			return "", err
		}
	}
	said := ""
	if faults := k.Check(ctx, file); faults != "" {
		said = "\n\n" + faults + "\nMend these in " + file + ", then hand it back again."
	}
	missed, err := k.ShowMissed(file, before.Missed)
	if missed != "" {
		said += "\n\n" + missed
		k.outside.show(turn.Step(), missed)
	}
	if err != nil {
		return "", err
	}
	strange, err := k.StrangeNames(ctx, turn, text, "")
	if said += strange; goesOn || said != "" {
		return said + k.share.over(file, text, 5), err
	}
	return k.share.over(file, text, 3), err
}

// unread says which sources a text cites that neither the chapter's researcher was shown nor who gave the
// chapter away, and which do not exist; "" for none.
func (k Kit) unread(file, text string) string {
	var unknown, unread []string
	for _, id := range workspace.Cited(text) {
		if _, ok := k.Workspace.Source(id); !ok {
			unknown = append(unknown, id)
		} else if !k.Workspace.WasShown(file, id) && !k.Workspace.WasShown("", id) {
			unread = append(unread, id)
		}
	}
	var said []string
	if len(unknown) > 0 {
		said = append(said, fmt.Sprintf("there is no source %s: cite what was read",
			strings.Join(unknown, ", ")))
	}
	if ids := strings.Join(unread, ", "); ids != "" {
		said = append(said, fmt.Sprintf("you did not read %s: visit_url %s and cite the block that says it, "+
			"or take its citations out", ids, ids))
	}
	return strings.Join(said, "\n")
}

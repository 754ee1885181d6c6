package actions

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Chapters configures how chapters are researched by agents of their own.
type Chapters struct {
	SideBySide int          // at the same time
	Brain      agent.Brain  // of each
	System     string       // prompt of each
	Board      string       // first content of each dashboard
	Limits     agent.Limits // of each; what they spend also counts for the researcher
	// Words is the maximum length of a report of so many chapters, which share it; 0 for no limit
	Words func(chapters int) int
}

const (
	maxChapters = 12 // in one call
	fewestSteps = 8  // that a chapter gets, however many chapters share the rest
)

// chapterTask is a chapter as the researcher assigns it.
type chapterTask struct {
	File     string `json:"file" jsonschema:"its file, such as Notebook/02-locks.md"`
	Title    string `json:"title" jsonschema:"as on the blueprint"`
	Question string `json:"question" jsonschema:"what the chapter answers"`
	Covers   string `json:"covers,omitempty" jsonschema:"what belongs to it"`
	Leaves   string `json:"leaves,omitempty" jsonschema:"what belongs to its neighbours, and to which"`
	Known    string `json:"known,omitempty" jsonschema:"what was found already, with citations, and ids worth reading first"`
	Steps    int    `json:"steps,omitempty" jsonschema:"how many steps it may take"`

	frame string // what all chapters share
}

func (k Kit) researchChapters() agent.Action {
	type input struct {
		Chapters []chapterTask `json:"chapters" jsonschema:"those to be researched now"`
		Frame    string        `json:"frame,omitempty" jsonschema:"what all chapters have in common"`
	}
	a := agent.NewAction("research_chapters", doc("research_chapters"),
		func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
			if err := k.givable(in.Chapters); err != nil {
				return agent.Outcome{}, err
			}
			done := make([]chapterDone, len(in.Chapters))
			k.shelf = &shelf{}
			var all errgroup.Group
			all.SetLimit(max(1, k.Chapters.SideBySide))
			for i, task := range in.Chapters {
				task.frame, task.Steps = in.Frame, k.steps(turn, task, len(in.Chapters))
				done[i] = chapterDone{task: task}
				all.Go(func() error { // waits for its turn here, so that they begin in order
					done[i].err = agent.Caught("the researcher of "+task.File, func() (err error) {
						done[i].result, err = k.researched(ctx, turn, i, task, len(in.Chapters))
						return err
					})
					return context.Cause(ctx)
				})
			}
			if err := all.Wait(); err != nil {
				return agent.Outcome{}, err
			}
			return k.cameBack(ctx, turn, done)
		})
	a.Explores = true
	return a
}

// givable returns an error if the chapters cannot be assigned.
func (k Kit) givable(chapters []chapterTask) error {
	if n := len(chapters); n == 0 || n > maxChapters {
		return fmt.Errorf("%d chapters are given, and 1 to %d may be", n, maxChapters)
	}
	boards := map[string]bool{}
	for _, c := range chapters {
		board := workspace.BoardOf(c.File).File
		switch {
		case path.Clean(c.File) != c.File || !strings.HasPrefix(c.File, workspace.NotebookDir+"/") ||
			path.Ext(c.File) != ".md":
			return fmt.Errorf("%q is no chapter's file; give one such as Notebook/02-locks.md", c.File)
		case boards[board]:
			return fmt.Errorf("two chapters have the file name %s", path.Base(c.File))
		case prose.Count(c.Question) == 0:
			return fmt.Errorf("%s has no question: its researcher knows nothing but what you tell it", c.File)
		}
		boards[board] = true
		if err := k.Workspace.MayWrite(c.File); err != nil {
			return err
		}
	}
	return nil
}

// chapterDone is the result of a chapter.
type chapterDone struct {
	task   chapterTask
	result agent.Result
	err    error

	words, cites, sources int      // of its file; sources that its researcher read
	unread                []string // other sources that it cites
}

// cameBack reports each finished chapter to the researcher: what its file contains, as counted by code, and
// its own researcher's summary, as material. Chapters without evidence are put among the gaps.
func (k Kit) cameBack(ctx context.Context, turn *agent.Turn, all []chapterDone) (agent.Outcome, error) {
	var out strings.Builder
	var gaps, files []string
	var facts []agent.Fact
	k.Workspace.LearnOf(turn.Path())
	for i := range all {
		c := &all[i]
		c.look(k.Workspace)
		fmt.Fprintf(&out, "%s: %s\n", c.task.File, c.told())
		if c.err == nil && c.result.Text != "" {
			out.WriteString(agent.Outside("material", c.result.Text, "by", "its researcher") + "\n")
		}
		if c.without() != "" {
			gaps = append(gaps,
				workspace.Unproven{Title: c.task.Title, File: c.task.File, Why: c.without()}.String())
		}
		if files = append(files, c.task.File); c.words > 0 {
			facts = append(facts, agent.Fact{Kind: agent.Changed, Path: c.task.File, N: c.words})
		}
		out.WriteString("\n")
	}
	if !slices.ContainsFunc(all, func(c chapterDone) bool { return c.err == nil }) {
		return agent.Outcome{}, all[0].err
	}
	if err := k.noteGaps(all, gaps); err != nil {
		return agent.Outcome{}, agent.Fatal(err)
	}
	if k.Compare != nil {
		pairs, err := k.Compare(ctx, turn, files)
		if err != nil {
			return agent.Outcome{}, err
		}
		out.WriteString(pairs)
	}
	return agent.Say(strings.TrimSpace(out.String()), facts...), nil
}

// look counts the words, citations and sources in the file of a chapter.
func (c *chapterDone) look(w *workspace.Workspace) {
	text, err := w.Peek(c.task.File)
	if err != nil {
		return // it is not there
	}
	c.words = prose.Count(text)
	c.cites = len(workspace.Marks(text))
	for _, id := range workspace.Cited(text) {
		if _, there := w.Source(id); there && w.WasShown(c.task.File, id) {
			c.sources++
		} else if !w.WasShown("", id) { // whoever assigned the chapter may pass a citation on
			c.unread = append(c.unread, id)
		}
	}
}

// without says why there is no evidence for a chapter, "" if there is.
func (c *chapterDone) without() string {
	switch {
	case c.err != nil && c.sources == 0:
		return prose.OneLine(c.err.Error())
	case c.words == 0:
		return "its file was not written"
	case c.sources == 0:
		return "its file cites nothing that its researcher read"
	}
	return ""
}

// told describes the result of a chapter, as counted by code.
func (c *chapterDone) told() string {
	holds := fmt.Sprintf("its file has %d words and %d citations of %d sources", c.words, c.cites, c.sources)
	if len(c.unread) > 0 {
		holds += fmt.Sprintf(", and its researcher was never shown %s", strings.Join(c.unread, ", "))
	}
	switch why := c.without(); {
	case why != "":
		return "without evidence, and on the dashboard as a gap: " + why
	case c.err != nil:
		return fmt.Sprintf("broken off (%s); %s", prose.OneLine(c.err.Error()), holds)
	case c.result.Reason != agent.Finished:
		return fmt.Sprintf("not finished (%s after %d of its %d steps); %s", c.result.Reason, c.result.Steps,
			c.task.Steps, holds)
	}
	return fmt.Sprintf("finished after %d of its %d steps; %s", c.result.Steps, c.task.Steps, holds)
}

// noteGaps adds the chapters that came back without evidence to the gaps, and removes those that now have
// evidence.
func (k Kit) noteGaps(all []chapterDone, gaps []string) error {
	return k.Workspace.AmendSections(workspace.Overall, map[string]func(string) string{
		"gaps": func(body string) string {
			var kept []string
			for line := range strings.SplitSeq(body, "\n") {
				was := workspace.UnprovenIn(line)
				if len(was) == 0 || !slices.ContainsFunc(all,
					func(c chapterDone) bool { return c.task.File == was[0].File }) {
					kept = append(kept, line)
				}
			}
			return strings.TrimSpace(strings.Join(append(kept, gaps...), "\n"))
		}})
}

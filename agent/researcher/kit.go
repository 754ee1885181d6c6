package researcher

import (
	"cmp"
	"context"
	_ "embed"
	"errors"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/documents"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent"
	"github.com/daybook-agent/daybook/fileagent/shell"
)

// kit builds what the actions and rounds work with, and indexes the person's documents if needed. It also
// returns a function that closes everything.
func (c Config) kit(ctx context.Context, w *workspace.Workspace, withDocs bool) (
	review rounds.Reviewer, closeAll func() error, err error) {
	files := fileagent.Files{Workspace: w, Brain: cmp.Or(c.FileBrain, c.Brain), Shell: c.Shell}
	if c.Shell && !shell.Landlocked() {
		c.Log.Warn("command lines are not offered: this system has no Landlock to confine them")
	}
	review = rounds.Reviewer{Profile: c.Profile, Judging: c.Judging, Kit: actions.Kit{
		Workspace: w, Files: files, Pages: c.Pages, Formats: new(page.Reader), AnyURL: c.AnyURL,
		Quotes: c.Judging.Without&rounds.NoJudge != 0, Reader: c.ReaderBrain, Browser: c.Browser, Tools: c.Tools,
		Search: &search.All{Providers: c.Search, Embed: c.Embed, Breadth: c.SearchBreadth,
			SideBySide: c.SearchParallel},
	}}
	if review.Pages == nil {
		review.Pages = &web.Fetcher{AllowPrivate: c.AllowPrivate}
	}
	var index *documents.Index
	closeAll = func() (err error) {
		if c.Pages == nil {
			review.Pages.Close()
		}
		if index != nil {
			err = index.Close()
		}
		return errors.Join(err, review.Formats.Close())
	}
	if review.Chapters, err = c.chapters(w); err != nil {
		return review, closeAll, err
	}
	review.Judging.Evaluator.Brain = cmp.Or(review.Judging.Evaluator.Brain, c.Brain)
	review.Judging.Evaluator.Criteria, err = w.Rule("evaluation.md")
	if err != nil || len(c.Docs) == 0 || !withDocs {
		return review, closeAll, err
	}
	var report documents.Report
	if index, report, err = c.documents(ctx, w); err != nil {
		return review, closeAll, err
	}
	review.Documents, review.LeftOut, review.Unread = index, report.InShort(), report.Unread()
	review.Search.Providers = append([]search.Provider{index}, c.Search...)
	return review, closeAll, nil
}

// agent returns the researcher as a micro-agent.
func (c Config) agent(review rounds.Reviewer) agent.Agent {
	w := review.Workspace
	notes := &notes{w: w, quotes: c.Judging.Without&rounds.NoJudge != 0}
	return agent.Agent{
		Name:     account.Name,
		Brain:    c.Brain,
		Actions:  review.Actions(),
		Open:     func(context.Context) ([]agent.Message, error) { return c.opening(w, notes) },
		Notice:   func(context.Context) (agent.Notice, error) { return notes.changes() },
		Limits:   c.limits(),
		Progress: w.Progress,
		Keep:     w.KeepResult,
		Observe:  c.Observe,
		Recorder: c.recorder(w),
	}
}

// recorder returns the journal, or a replay's recorder.
func (c Config) recorder(w *workspace.Workspace) agent.Recorder {
	if c.rerun != nil {
		return c.rerun
	}
	return w.Journal()
}

// The prompt of a chapter's researcher, and the extra text for an agent that assigns chapters.
var (
	//go:embed chapter.md
	chapterPrompt string
	//go:embed side_by_side.md
	sideBySide string
)

// chapters returns the setup for researching chapters in parallel, nil for one after the other.
func (c Config) chapters(w *workspace.Workspace) (*actions.Chapters, error) {
	if c.Parallel < 2 {
		return nil, nil
	}
	system, err := c.prompt(w, chapterPrompt, []string{"writing.md"})
	if err != nil {
		return nil, err
	}
	file := workspace.CurrentFile
	if w.Language() == prose.Chinese {
		file = "zh/" + file
	}
	board, err := fromTemplate(file)
	if err != nil {
		return nil, err
	}
	limits := c.limits()
	return &actions.Chapters{SideBySide: c.Parallel, Brain: c.Brain, System: system, Board: board, Words: c.Profile.EnoughFor,
		Limits: agent.Limits{Steps: limits.Steps, Idle: limits.Idle, Stretch: limits.Stretch}}, nil
}

// Package researcher is Daybook put together: the micro-agent that researches a question in a workspace. It
// is what a Go program imports.
//
//	result, err := researcher.Open("my-research").Run(ctx, researcher.Config{
//		Question: "How does SQLite make a commit durable?",
//		Docs:     []string{"notes"},
//		Brain:    clip.Brain{},
//	})
//
// [Research.Run] creates the workspace when the folder has no dashboards and goes on from them when it has, at
// the very step where a run before it was cut off. Status, Log and Follow tell how a research stands and what
// it did, Verify checks its report, Export makes a file of it to take away, At and Restore give its files as
// they were, and Replay runs it again from its record. What the package will not do: read settings or keys
// from anywhere but its Config, or print.
package researcher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/daybook-agent/daybook/fileagent"
	"github.com/daybook-agent/daybook/fileagent/shell"
)

// Name is the researcher's label in events and in the journal.
const Name = "researcher"

// DefaultIdle is how many steps may bring neither a new source nor a changed file before a run ends. A long
// plan, or a search that finds nothing, takes fewer.
const DefaultIdle = 25

// defaultStretch is how many tokens of history a stretch gathers before the researcher has to update a
// dashboard: some six pages or parts of pages. A longer one is paid for again with each step.
const defaultStretch = 24_000

// DefaultSteps is how many steps a run may take unless its Config says otherwise.
const DefaultSteps = 100

// Config says what is researched, and with what. Brain is required; Question is for a new workspace.
type Config struct {
	Question string
	Purpose  string // what the answer is for; may be empty
	// Language is that of the dashboards, the report and the questions; "" for that of the question
	Language prose.Language
	Docs     []string // folders and files of the person's own, to be searched
	// RealDocs: whether Docs are real paths that were agreed to: one that has become a link since is an error
	RealDocs bool
	Search   []search.Provider // where else to search; search.FromEnv gives what is set up
	// Settings are lines of daybook.yaml that a new workspace starts with, by key, so that a later run finds
	// them there. The package itself reads no settings; Docs are among the lines in any case.
	Settings map[string]any

	Brain       agent.Brain
	FileBrain   agent.Brain // of the file agent; nil for Brain
	ReaderBrain agent.Brain // picks passages out of pages; nil for FileBrain
	IntakeBrain agent.Brain // judges the question; nil for Brain
	// Pages: gets pages; nil for one of the run's own. Runs that share one are polite together, and share its
	// connections
	Pages *web.Fetcher
	// SearchBreadth is how many queries a search may hold, and SearchParallel how many questions to services
	// are under way at one time; 0 is the default of search.All.
	SearchBreadth, SearchParallel int
	Embed                         search.Embed   // ranks what was found by meaning; nil to do without
	Tools                         []actions.Tool // actions from elsewhere: of MCP servers, or your own
	// Parallel: how many chapters may be researched side by side, each by an agent of its own; below 2 none is
	Parallel int

	Profile  gate.Profile   // what kind of report is wanted; the zero value is the standard one
	Judging  rounds.Judging // when it is good enough; the zero value has each round judged by Brain
	Person   intake.Person  // who is asked when the question is not clear; nil to assume what is usual
	Plan     bool           // whether the plan is to be confirmed before the work begins
	NoIntake bool           // whether the question is taken as it stands
	Refresh  bool           // whether the sources of a finished research are looked at again

	MaxSteps  int           // replies of the researcher in this run; 0 for DefaultSteps
	MaxTokens int           // tokens in and out; 0 for no limit
	MaxCost   float64       // US dollars; 0 for no limit
	MaxTime   time.Duration // of work; 0 for no limit
	// Stretch: tokens of history after which memory is cleared; 0 for 24,000, below 0 for no bound
	Stretch int
	MaxIdle int // steps without a new source or a changed file; 0 for DefaultIdle
	// AllowPrivate: whether pages on this machine and in private networks may be read; Pages, when set,
	// decides it
	AllowPrivate bool
	// AnyURL: whether addresses may be visited that neither the person, a search nor a page named
	AnyURL bool
	// Strange: whether the folder may come from somebody else: then no address in its files or its journal
	// counts as the person's
	Strange bool
	Shell   bool   // whether the file agent may run command lines that read the workspace
	Browser string // the Chromium that opens pages which need one; "" for none, as for a Brain that only quotes

	Observe func(agent.Event) // hears of everything; may be nil
	Log     *slog.Logger      // for operators; nil to log nothing

	dir   string // the workspace's folder
	rerun *rerun // of a replay
}

// Research is the research in a folder, or one that may begin there. It holds nothing open: each method looks
// at the folder for itself, so that a Research needs no closing and several may be used at once. Two runs at
// the same time may not; the second has the error [store.ErrLocked].
type Research struct{ dir string }

// Open names the research in a folder, which need not be there yet.
func Open(dir string) Research { return Research{dir} }

// recorder is the journal, or that of a replay.
func (c Config) recorder(w *workspace.Workspace) agent.Recorder {
	if c.rerun != nil {
		return c.rerun
	}
	return w.Journal()
}

// Kept is the event that tells where a person's words are that the agent or the program took away, from a
// file or with it.
type Kept struct {
	agent.At
	Path string `json:"path"`
	As   string `json:"as"` // the version before, in the trash of the folder
}

// Archived is the event that tells where the research before was moved, for the next question's sake.
type Archived struct {
	agent.At
	Folder string   `json:"folder"`        // in the workspace
	Own    []string `json:"own,omitempty"` // chapters that went with it, which its plan does not name
}

// Refreshed is the event that tells what became of the sources of a finished research since they were read.
type Refreshed struct {
	agent.At
	rounds.Refreshed
}

// inTurn serialises an observer: a write tells of what it keeps in the midst of an action, while another may
// end.
func inTurn(observe func(agent.Event)) func(agent.Event) {
	var mu sync.Mutex
	return func(e agent.Event) {
		mu.Lock()
		defer mu.Unlock()
		observe(e)
	}
}

// Result is how a run ended.
type Result struct {
	agent.Result
	Report string // path of the report; when Reason is not agent.Finished, of an unfinished one that says so
	// 1 to 10, of the report as it was judged last; 0 when nobody judged it, or when it is not sound
	Score   float64
	Nothing bool // whether the report was finished without a judge and cites nothing: nothing was found
	// Unsound is what the report does not pass, gate by gate, when the tries were used up: it is not finished
	// then, whatever Reason says.
	Unsound []gate.Refusal
	// Unmended are the claims of the report that rest on what refreshes found changed, and are as they were.
	Unmended []rounds.Touched
	// Notes are those of the person that have no answer.
	Notes []string
}

// ErrNoQuestion says that a folder has no research in it and no question was given.
var ErrNoQuestion = errors.New("there is no question")

// ErrOtherQuestion says that a folder's research is about something else and is not finished.
var ErrOtherQuestion = errors.New("this folder researches another question")

// ErrNotFinished says that a research has no finished report whose sources could be looked at again.
var ErrNotFinished = errors.New("the research is not finished")

// ErrDashboards says that a person has to put a dashboard right before a run can go on.
var ErrDashboards = errors.New("the dashboards cannot be used")

// Run researches until the report is finished, a limit is reached, or the agent is stuck; each of these is a
// Result. The folder is created if need be. After an error the workspace stands as it was saved last, and
// another Run goes on from there.
func (r Research) Run(ctx context.Context, c Config) (result Result, err error) {
	if err := c.complete(r.dir); err != nil {
		return Result{}, err
	}
	w, err := c.open()
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	w.Speak(c.Language)
	for _, warning := range append(w.Warnings(), rounds.Deleted(ctx, w, w.Deleted())...) {
		c.Log.Warn(warning)
	}
	if c.Observe != nil {
		c.Observe = inTurn(c.Observe)
		w.OnKept(func(name, kept string) { c.Observe(Kept{agent.At{Agent: Name}, name, kept}) })
	}
	if _, _, err := dashboards(w); err != nil {
		return Result{}, err
	}
	changed, err := w.Changed()
	if err != nil {
		return Result{}, err
	}
	end, ended := finished(w)
	more := ended && !changed && c.wantsMore(w)
	done := agent.Result{Reason: end.Reason, Text: end.Text, Steps: end.Step, Usage: end.Used}
	if c.Refresh && !ended {
		return Result{}, ErrNotFinished
	}
	if ended && !changed && !more && !c.Refresh {
		return c.conclude(ctx, rounds.Reviewer{Kit: actions.Kit{Workspace: w}}, done)
	}
	review, closeKit, err := c.kit(ctx, w)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, closeKit(), review.Formats.Close()) }()
	if c.Pages == nil {
		defer review.Pages.Close()
	}
	if c.Refresh {
		touched, err := c.lookAgain(ctx, review, end)
		if err != nil {
			return Result{}, err
		}
		if !touched && !changed && !more {
			return c.conclude(ctx, review, done)
		}
		more = more && !touched
	}
	if err := w.Journal().Record(store.KeyRun, c.terms(review.Kit)); err != nil {
		return Result{}, err
	}
	if more {
		if err := review.TakeUp(); err != nil {
			return Result{}, err
		}
	}
	return c.work(ctx, w, review)
}

// complete fills what is not set.
func (c *Config) complete(dir string) (err error) {
	c.dir = dir
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	if c.Profile.Name == "" {
		if c.Profile, err = gate.FindProfile("", nil); err != nil {
			return err
		}
	}
	if _, quotes := c.Brain.(agent.Quoter); quotes {
		c.Judging.Without |= rounds.NoJudge | rounds.NoChecker | rounds.NoOpponent | rounds.NoMending
		c.Profile, c.Browser, c.Parallel = c.Profile.Unbounded(), "", 0
		// What it has read costs nothing to keep, and it notes all of it at the end of each stretch
		c.Stretch = cmp.Or(c.Stretch, -1)
	}
	return nil
}

// lookAgain looks at the sources of a finished research again, and reports whether claims rest on what changed.
func (c Config) lookAgain(ctx context.Context, review rounds.Reviewer, end agent.Mark) (touched bool, err error) {
	found, err := review.Refresh(ctx, end.Text, end.Step, c.Strange)
	if err != nil {
		return false, fmt.Errorf("looking at the sources again: %w", err)
	}
	if c.Observe != nil {
		c.Observe(Refreshed{agent.At{Agent: Name}, found})
	}
	return len(found.Claims) > 0, nil
}

// agent is the researcher as a micro-agent.
func (c Config) agent(w *workspace.Workspace, review rounds.Reviewer) agent.Agent {
	notes := &notes{w: w, quotes: c.Judging.Without&rounds.NoJudge != 0}
	return agent.Agent{
		Name:     Name,
		Brain:    c.Brain,
		Actions:  review.Actions(),
		Open:     func(context.Context) ([]agent.Message, error) { return c.opening(w, notes) },
		Notice:   func(context.Context) (string, error) { return notes.changes() },
		Limits:   c.limits(),
		Progress: w.Progress,
		Keep:     w.KeepResult,
		Observe:  c.Observe,
		Recorder: c.recorder(w),
	}
}

// kit makes what the actions and the rounds work on, with the person's documents indexed.
func (c Config) kit(ctx context.Context, w *workspace.Workspace) (rounds.Reviewer, func() error, error) {
	files := fileagent.Files{Workspace: w, Brain: c.FileBrain, Shell: c.Shell}
	if files.Brain == nil {
		files.Brain = c.Brain
	}
	if c.Shell && !shell.Landlocked() {
		c.Log.Warn("command lines are not offered: this system has no Landlock to confine them")
	}
	w.Speak(c.Language)
	kit := actions.Kit{
		Workspace: w, Files: files, Pages: c.Pages, Formats: new(page.Reader), AnyURL: c.AnyURL,
		Reader: c.ReaderBrain, Browser: c.Browser, Tools: c.Tools,
		Search: &search.All{Providers: c.Search, Embed: c.Embed, Breadth: c.SearchBreadth,
			SideBySide: c.SearchParallel},
	}
	var err error
	if kit.Chapters, err = c.chapters(w); err != nil {
		return rounds.Reviewer{}, nil, err
	}
	if kit.Pages == nil {
		kit.Pages = &web.Fetcher{AllowPrivate: c.AllowPrivate}
	}
	review := rounds.Reviewer{Kit: kit, Profile: c.Profile, Judging: c.Judging}
	if review.Judging.Evaluator.Brain == nil {
		review.Judging.Evaluator.Brain = c.Brain
	}
	criteria, err := w.Rule("evaluation.md")
	if err != nil {
		return review, nil, err
	}
	review.Judging.Evaluator.Criteria = criteria
	if len(c.Docs) == 0 {
		return review, func() error { return nil }, nil
	}
	documents, report, err := c.documents(ctx, w)
	if err != nil {
		return review, nil, err
	}
	review.Documents, review.LeftOut, review.Unread = documents, report.InShort(), report.Unread()
	review.Search.Providers = append([]search.Provider{documents}, c.Search...)
	return review, documents.Close, nil
}

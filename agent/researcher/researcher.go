// Package researcher assembles Daybook: the micro-agent that researches a question in a workspace. It is the
// package that a Go program imports.
//
//	result, err := researcher.Open("my-research").Run(ctx, researcher.Config{
//		Question: "How does SQLite make a commit durable?",
//		Docs:     []string{"notes"},
//		Brain:    clip.Brain{},
//	})
//
// [Research.Run] creates the workspace if the folder has no dashboards. Otherwise it resumes, at the very
// step where an earlier run was cut off. Status, Log and Follow report the state and history of a research,
// Verify checks its report, Export turns it into a file, At and Restore return earlier versions of its files,
// and Replay runs it again from its record. The package reads settings and keys only from its Config, and
// prints nothing.
package researcher

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
)

// DefaultIdle bounds the steps in a row without a new source or a changed file before a run ends. A long
// plan, or a search without results, takes fewer.
const DefaultIdle = 25

// defaultStretch is the history, in tokens, after which the researcher has to update a dashboard: about six
// pages or parts of pages. Each step pays again for a longer one.
const defaultStretch = 24_000

// DefaultSteps is the default limit on the steps of a run.
const DefaultSteps = 100

// Config sets what is researched, and with what. Brain is required; Question is for a new workspace.
type Config struct {
	Question string
	Purpose  string // what the answer is for; may be empty
	// Language is that of the dashboards, the report and the questions; "" for the question's own
	Language prose.Language
	Docs     []string // the person's folders and files to search
	// RealDocs: whether Docs are agreed real paths; one that has since become a link is an error
	RealDocs bool
	Search   []search.Provider // other places to search; search.FromEnv returns those set up
	// Settings are lines of daybook.yaml for a new workspace, by key, so that a later run finds them there.
	// The package itself reads no settings; the lines always include Docs.
	Settings map[string]any

	Brain       agent.Brain
	FileBrain   agent.Brain // for the file agent; nil for Brain
	ReaderBrain agent.Brain // picks passages out of pages; nil for FileBrain
	IntakeBrain agent.Brain // judges the question; nil for Brain
	// Pages fetches pages; nil for the run's own fetcher. Runs that share one share its connections and its
	// rate limits
	Pages *web.Fetcher
	// SearchBreadth bounds the queries of a search, SearchParallel the requests to services at one time; 0 is
	// the default of search.All.
	SearchBreadth, SearchParallel int
	Embed                         search.Embed   // ranks results by meaning; nil to do without
	Tools                         []actions.Tool // external actions: of MCP servers, or your own
	// Parallel: how many chapters may be researched at once, each by its own agent; below 2 none is
	Parallel int

	Profile  gate.Profile   // the kind of report wanted; the zero value is the standard one
	Judging  rounds.Judging // when it is good enough; the zero value has each round judged by Brain
	Person   intake.Person  // asked when the question is not clear; nil to make the usual assumptions
	Plan     bool           // whether the plan needs confirmation before the work begins
	NoIntake bool           // whether the question is used as it is, without an intake
	Refresh  bool           // whether to check the sources of a finished research again

	MaxSteps  int           // replies of the researcher in this run; 0 for DefaultSteps
	MaxTokens int           // tokens in and out; 0 for no limit
	MaxCost   float64       // US dollars; 0 for no limit
	MaxTime   time.Duration // of work; 0 for no limit
	// Stretch: tokens of history after which memory is cleared; 0 for 24,000, below 0 for no bound
	Stretch int
	MaxIdle int // steps without a new source or a changed file; 0 for DefaultIdle
	// AllowPrivate: whether pages on this machine and in private networks may be read; ignored if Pages is
	// set
	AllowPrivate bool
	// AnyURL: whether the agent may visit addresses not named by the person, a search or a page
	AnyURL bool
	// Strange: whether the folder may come from somebody else; then no address in its files or journal counts
	// as the person's
	Strange bool
	Shell   bool   // whether the file agent may run command lines that read the workspace
	Browser string // the Chromium for pages that need one; "" for none, as for a Brain that only quotes

	Observe func(agent.Event) // receives all events; may be nil
	Log     *slog.Logger      // for operators; nil to log nothing

	dir   string // the workspace's folder
	rerun *rerun // for a replay
}

// inTurn serialises an observer: a write reports what it keeps in the middle of an action, while another
// action may end.
func inTurn(observe func(agent.Event)) func(agent.Event) {
	var mu sync.Mutex
	return func(e agent.Event) {
		mu.Lock()
		defer mu.Unlock()
		observe(e)
	}
}

// Result is the outcome of a run.
type Result struct {
	agent.Result
	Report string // path of the report; if Reason is not agent.Finished, of an unfinished one that says so
	// 1 to 10, from the last judgement of the report; 0 if nobody judged it, or if it is not sound
	Score   float64
	Nothing bool // whether nothing was found: the report was finished without a judge and cites nothing
	// Unsound lists the gates that the report fails after all tries. Then it is not finished, whatever Reason
	// says.
	Unsound []gate.Refusal
	// Unmended are the report's claims that rest on what refreshes found changed, and are not yet rewritten.
	Unmended []rounds.Touched
	// Notes are the person's unanswered notes.
	Notes []string
}

// Errors of [account.Of] that a run may return too.
var (
	ErrNoQuestion = account.ErrNoQuestion
	ErrDashboards = account.ErrDashboards
)

// ErrOtherQuestion means that a folder's research is about another question and not finished.
var ErrOtherQuestion = errors.New("this folder researches another question")

// ErrNotFinished means that a research has no finished report whose sources could be checked again.
var ErrNotFinished = errors.New("the research is not finished")

// Run researches until the report is finished, a limit is reached, or the agent is stuck; each of these is a
// Result. It creates the folder if necessary. After an error the workspace stays as last saved, and another
// Run continues from there.
func (r Research) Run(ctx context.Context, c Config) (result Result, err error) {
	if err := c.complete(r.dir); err != nil {
		return Result{}, err
	}
	w, err := c.open(ctx)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	c.Profile = c.Profile.For(cmp.Or(c.Question, w.Asked()))
	task, err := c.task(w)
	if err != nil {
		return Result{}, err
	}
	kit, closeKit, err := c.kit(ctx, w, task.any())
	defer func() { err = errors.Join(err, closeKit()) }()
	if err != nil {
		return Result{}, err
	}
	ended, err := c.work(ctx, kit, task)
	if err != nil {
		return Result{Result: ended}, err
	}
	if result, err = c.conclude(ctx, kit, ended); err == nil && result.Reason == agent.Finished {
		c.tellUnsearched(ctx, kit)
	}
	return result, err
}

// complete fills in what is not set.
func (c *Config) complete(dir string) (err error) {
	c.dir = dir
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	if c.Observe == nil {
		c.Observe = func(agent.Event) {}
	}
	c.Observe = inTurn(c.Observe)
	if c.Profile.Name == "" {
		if c.Profile, err = gate.FindProfile("", nil); err != nil {
			return err
		}
	}
	if _, quotes := c.Brain.(agent.Quoter); quotes {
		c.Judging.Without |= rounds.NoJudge | rounds.NoChecker | rounds.NoOpponent | rounds.NoMending
		c.Profile, c.Browser, c.Parallel = c.Profile.Unbounded(), "", 0
		// What it has read costs nothing to keep, and it notes everything at the end of each stretch
		c.Stretch = cmp.Or(c.Stretch, -1)
	}
	return nil
}

// Research is the research in a folder, or one that may begin there. It holds nothing open: each method opens
// the folder itself, so a Research needs no closing and allows concurrent use. Only runs exclude each other:
// the second returns [store.ErrLocked].
type Research struct{ dir string }

// Open names the research in a folder, which need not exist yet.
func Open(dir string) Research { return Research{dir} }

// look opens the folder for reading.
func (r Research) look(use func(w *workspace.Workspace) error) (err error) {
	w, err := workspace.Open(r.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return use(w)
}

// from returns what use takes from the folder.
func from[T any](r Research, use func(w *workspace.Workspace) (T, error)) (got T, err error) {
	err = r.look(func(w *workspace.Workspace) error {
		got, err = use(w)
		return err
	})
	return got, err
}

// Status returns the state of the research, even during a run. See [account.Of].
func (r Research) Status() (account.Status, error) {
	return from(r, func(w *workspace.Workspace) (account.Status, error) { return account.Of(w, r.dir) })
}

// Log reports what happened after a row. See [account.Log].
func (r Research) Log(after int, use func(account.Row) error) error {
	return r.look(func(w *workspace.Workspace) error { return account.Log(w, after, use) })
}

// Follow is like Log, but goes on until the current run has ended. See [account.Follow].
func (r Research) Follow(ctx context.Context, after int, use func(account.Row) error) error {
	return r.look(func(w *workspace.Workspace) error { return account.Follow(ctx, w, after, use) })
}

// At returns files as they were after a step. See [account.At].
func (r Research) At(step int, files ...string) ([]history.Standing, error) {
	return from(r, func(w *workspace.Workspace) ([]history.Standing, error) { return account.At(w, step, files...) })
}

// Restore restores files to their state after a step. See [account.Restore].
func (r Research) Restore(step int, files ...string) ([]account.Restored, error) {
	return from(r, func(w *workspace.Workspace) ([]account.Restored, error) {
		return account.Restore(w, step, files...)
	})
}

// Export returns a file to take away. It writes nothing into the folder (see [export.Save]) and may be called
// during a run. The warnings, about the research and the file, are returned even with an error, which is one
// of [export.Make].
func (r Research) Export(ctx context.Context, p export.Product) (data []byte, warnings []string, err error) {
	err = r.look(func(w *workspace.Workspace) error {
		var own []string
		failed := false
		data, own, err = export.Make(ctx, w, p, func(report string) string {
			report, failed = rounds.Warned(ctx, w, report)
			return report
		})
		warnings = w.Warnings()
		if status, err := account.Of(w, r.dir); err == nil { // otherwise it has no dashboards
			warnings = status.Warnings
		}
		if failed {
			warnings = append(warnings,
				"this report did not pass its checks, and says so at its head; daybook status tells which")
		}
		warnings = append(warnings, own...)
		return err
	})
	return data, warnings, err
}

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
	"log/slog"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
)

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

// Errors of [account.Of], which a run has too.
var (
	ErrNoQuestion = account.ErrNoQuestion
	ErrDashboards = account.ErrDashboards
)

// ErrOtherQuestion says that a folder's research is about something else and is not finished.
var ErrOtherQuestion = errors.New("this folder researches another question")

// ErrNotFinished says that a research has no finished report whose sources could be looked at again.
var ErrNotFinished = errors.New("the research is not finished")

// Run researches until the report is finished, a limit is reached, or the agent is stuck; each of these is a
// Result. The folder is created if need be. After an error the workspace stands as it was saved last, and
// another Run goes on from there.
func (r Research) Run(ctx context.Context, c Config) (result Result, err error) {
	if err := c.complete(r.dir); err != nil {
		return Result{}, err
	}
	w, err := c.open(ctx)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	task, err := c.task(w)
	if err != nil {
		return Result{}, err
	}
	kit, closeKit, err := c.kit(ctx, w, task.any())
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, closeKit()) }()
	ended, err := c.work(ctx, kit, task)
	if err != nil {
		return Result{Result: ended}, err
	}
	return c.conclude(ctx, kit, ended)
}

// complete fills what is not set.
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
		// What it has read costs nothing to keep, and it notes all of it at the end of each stretch
		c.Stretch = cmp.Or(c.Stretch, -1)
	}
	return nil
}

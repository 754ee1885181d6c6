package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/program"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/gofrs/flock"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// takesHold is how long a run has to fail at once, for want of a key or of a folder.
	takesHold = 2 * time.Second
	look      = time.Second // between two looks at a research
	mostWait  = time.Hour   // of a call of state
	running   = "running"   // the state of a research at which a run is at work
	// suffixes of files beside the folder of a research: what its run says, who is at work, and what asks it
	// to stop.
	logFile, lockFile, stopFile = ".log", ".lock", ".stop"
)

// beside is a file of a run beside the folder of its research.
func beside(dir, suffix string) string {
	return filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+suffix)
}

// Attend makes this program the one run that clients attend in a folder, from its very start until leave is
// called or it ends. The context ends, for the given reason, when a client asks the run to stop.
func Attend(ctx context.Context, dir string, stopped error) (_ context.Context, leave func(), err error) {
	lock := flock.New(beside(dir, lockFile))
	soon, cancel := context.WithTimeout(ctx, takesHold) // whoever only looks holds it for a moment
	defer cancel()
	if _, err := lock.TryLockContext(soon, look/100); errors.Is(err, context.DeadlineExceeded) {
		return nil, nil, fmt.Errorf("another run is at work in %s already", dir)
	} else if err != nil {
		return nil, nil, fmt.Errorf("taking the folder for this run: %w", err)
	}
	_ = errors.Join(os.Truncate(beside(dir, logFile), 0), os.Remove(beside(dir, stopFile))) // of a run before
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		for ctx.Err() == nil && os.Remove(beside(dir, stopFile)) != nil {
			select {
			case <-ctx.Done():
			case <-time.After(look / 2):
			}
		}
		end(stopped)
	}()
	return ctx, func() { end(nil); _ = lock.Unlock() }, nil
}

// isAttended reports whether such a run is at work.
func isAttended(dir string) bool {
	file := beside(dir, lockFile)
	if _, err := os.Stat(file); err != nil {
		return false
	}
	lock := flock.New(file)
	free, err := lock.TryRLock()
	return errors.Join(err, lock.Unlock()) == nil && !free
}

// lastWords is the end of what a run said, on one line.
func lastWords(dir string) string {
	said, _ := os.ReadFile(beside(dir, logFile)) // "" when it said nothing
	return prose.OneLine(strings.ToValidUTF8(string(said[max(0, len(said)-600):]), ""))
}

// start begins a research in a folder of its own, or goes on with one.
func (h Home) start(ctx context.Context, in input) (string, error) {
	dir, err := in.dir, error(nil)
	switch {
	case (in.Question == "") == (dir == ""):
		err = errors.New("give a question to begin a research, or the name of one to go on with it")
	case dir == "":
		dir, err = h.fresh(in.Question)
	default:
		var s researcher.Status
		if s, err = status(dir); err == nil && s.State == running {
			err = fmt.Errorf("the research %s is running already; see its state", in.Research)
		}
	}
	if err != nil {
		return "", err
	}
	if err := h.launch(ctx, dir, in); err != nil {
		if in.Question != "" {
			_ = os.Remove(dir) // empty, if nothing came of it
		}
		return "", err
	}
	return fmt.Sprintf("The research %s runs. Call state with its name.", filepath.Base(dir)), nil
}

// fresh makes a folder for a research on a question.
func (h Home) fresh(question string) (string, error) {
	named := filepath.Join(h.Dir, cmp.Or(prose.Slug(question), "research"))
	dir, err := named, os.MkdirAll(h.Dir, 0o755)
	for n := 2; err == nil; n++ {
		if err = os.Mkdir(dir, 0o755); !errors.Is(err, fs.ErrExist) {
			break
		}
		dir, err = fmt.Sprintf("%s-%d", named, n), nil
	}
	if err != nil {
		return "", fmt.Errorf("creating the folder of the research: %w", err)
	}
	return dir, nil
}

// launch starts a run that outlives this program, and returns when it is at work, or why it is not.
func (h Home) launch(ctx context.Context, dir string, in input) error {
	log, err := os.OpenFile(beside(dir, logFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("making a file for what the run says: %w", err)
	}
	defer log.Close() // the run has its own
	cmd := exec.Command(h.Program, "run", "--attended", "--question="+in.Question, "--purpose="+in.Purpose,
		"--", dir)
	cmd.Args[0], cmd.Stderr = "daybook", log
	program.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the research: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // until the research ends, or this program
	for wait := takesHold; ; wait = look / 100 {
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("the research ended at once: %s", lastWords(dir))
			}
			return nil
		case <-ctx.Done():
			return nil // and the research goes on
		case <-time.After(wait):
			if isAttended(dir) {
				return nil
			}
		}
	}
}

// verify compares the report with its sources.
func (h Home) verify(ctx context.Context, in input) (string, error) {
	cmd := exec.CommandContext(ctx, h.Program, "verify", "--json", in.dir)
	cmd.Args[0] = "daybook"
	out, err := cmd.Output()
	if len(out) == 0 && err != nil {
		return "", fmt.Errorf("checking the report: %w", err)
	}
	return string(out), nil // it fails when a claim does not hold, and says which
}

// status is how a research is. It runs from the start of its run on, which may wait for others first.
func status(dir string) (researcher.Status, error) {
	s, err := researcher.Open(dir).Status()
	if errors.Is(err, researcher.ErrNoQuestion) {
		s, err = researcher.Status{Dir: dir, State: researcher.NotBegun}, nil
	}
	if isAttended(dir) {
		s.State, s.Ended = running, ""
	}
	return s, err
}

// list tells of all researches, the last first.
func (h Home) list() (string, error) {
	entries, err := os.ReadDir(h.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("listing the researches: %w", err)
	}
	lines := map[string]time.Time{}
	for _, e := range entries {
		dir, err := h.dir(e.Name())
		if err != nil {
			continue
		}
		if s, err := status(dir); err == nil && s.State != researcher.NotBegun {
			lines[fmt.Sprintf("- %s (%s): %s\n", e.Name(), s.State, s.Question)] = s.LastTime
		}
	}
	if len(lines) == 0 {
		return "There is no research yet.", nil
	}
	return strings.Join(slices.SortedFunc(maps.Keys(lines),
		func(a, b string) int { return lines[b].Compare(lines[a]) }), ""), nil
}

// state tells how a research is, as JSON, and waits for its end or its question; of one that stopped it says
// what its run said last. Whoever gives up waiting ends nothing.
func (h Home) state(ctx context.Context, in input) (string, error) {
	if in.dir == "" {
		return h.list()
	}
	until := time.Now().Add(min(time.Duration(in.Wait)*time.Second, mostWait))
	s, err := status(in.dir)
	waits := func() bool {
		return err == nil && s.State == running && s.Asks == "" && time.Now().Before(until)
	}
	for told := -1; waits(); s, err = status(in.dir) {
		if token := in.request.Params.GetProgressToken(); token != nil && s.Step > told {
			told = s.Step
			_ = in.request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ // nobody may listen
				ProgressToken: token, Progress: float64(s.Step),
				Message: fmt.Sprintf("step %d: %s; %d sources", s.Step, cmp.Or(s.LastAction, "begins"),
					s.Sources),
			})
		}
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-time.After(min(look, time.Until(until))):
		}
	}
	if err != nil {
		return "", err
	}
	said := ""
	if s.State != running && s.State != string(agent.Finished) {
		said = lastWords(in.dir)
	}
	if s.Report != "" {
		s.Report = scheme + in.Research + "/" + workspace.ReportFile
	}
	text, err := json.MarshalIndent(struct {
		researcher.Status
		Said string `json:"its_run_said_last,omitempty"`
	}{s, said}, "", " ")
	return string(text), err
}

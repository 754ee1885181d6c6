package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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
	// running and begins are states of a research at which a run is at work.
	running, begins = "running", "begins"
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
		tick := time.NewTicker(look / 2)
		defer tick.Stop()
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-tick.C:
				if os.Remove(beside(dir, stopFile)) == nil {
					end(stopped)
				}
			}
		}
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
	dir := in.dir
	switch {
	case (in.Question == "") == (dir == ""):
		return "", errors.New("give a question to begin a research, or the name of one to go on with it")
	case dir != "":
		if s, err := status(dir); err != nil || s.State == running || s.State == begins {
			return "",
				cmp.Or(err, fmt.Errorf("the research %s is running already; see its state", in.Research))
		}
	default:
		err := os.MkdirAll(h.Dir, 0o755)
		slug := cmp.Or(prose.Slug(in.Question), "research")
		for n := 1; err == nil && dir == ""; n++ {
			name := strings.TrimSuffix(fmt.Sprintf("%s-%d", slug, n), "-1")
			if err = os.Mkdir(filepath.Join(h.Dir, name), 0o755); err == nil {
				dir = filepath.Join(h.Dir, name)
			} else if errors.Is(err, fs.ErrExist) {
				err = nil
			}
		}
		if err != nil {
			return "", fmt.Errorf("creating the folder of the research: %w", err)
		}
	}
	if err := h.launch(ctx, dir, in); err != nil {
		if in.Question != "" {
			_ = os.Remove(dir) // empty, if nothing came of it
		}
		return "", err
	}
	return fmt.Sprintf("The research %s runs. Call state with its name.", filepath.Base(dir)), nil
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

// status is how a research is.
func status(dir string) (researcher.Status, error) {
	s, err := researcher.Open(dir).Status()
	if errors.Is(err, researcher.ErrNoQuestion) {
		s, err = researcher.Status{State: researcher.NotBegun}, nil
	}
	s.Dir = dir
	if s.State != running && isAttended(dir) {
		s.State, s.Ended = begins, ""
	}
	return s, err
}

// list tells of all researches, the last first.
func (h Home) list() (string, error) {
	entries, err := os.ReadDir(h.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("listing the researches: %w", err)
	}
	var all []researcher.Status
	for _, e := range entries {
		dir, err := h.dir(e.Name())
		if err != nil {
			continue
		}
		if s, err := status(dir); err == nil && s.State != researcher.NotBegun {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return "There is no research yet.", nil
	}
	slices.SortFunc(all, func(a, b researcher.Status) int { return b.LastTime.Compare(a.LastTime) })
	var out strings.Builder
	for _, s := range all {
		fmt.Fprintf(&out, "- %s (%s): %s\n", filepath.Base(s.Dir), s.State, s.Question)
	}
	return out.String(), nil
}

// state tells how a research is, and waits for its end or its question. Whoever gives up waiting ends
// nothing.
func (h Home) state(ctx context.Context, in input) (string, error) {
	if in.dir == "" {
		return h.list()
	}
	until := time.Now().Add(min(time.Duration(in.Wait)*time.Second, mostWait))
	for told := -1; ; {
		s, err := status(in.dir)
		if err != nil {
			return "", err
		}
		if s.State != running && s.State != begins || s.Asks != "" || !time.Now().Before(until) {
			return tell(in, s)
		}
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
}

// tell says how a research is, as JSON; of one that stopped, what its run said last.
func tell(in input, s researcher.Status) (string, error) {
	said := ""
	if !slices.Contains([]string{running, begins, string(agent.Finished)}, s.State) {
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

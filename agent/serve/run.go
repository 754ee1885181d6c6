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
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/program"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	look     = time.Second // between two checks of a research
	mostWait = time.Hour   // for a call of state
	running  = "running"   // the state of a research during a run
	logFile  = ".log"      // suffix of the file, next to a research, for its run's output

	scheme    = "daybook://" // begins the addresses of files: daybook://NAME/report.md
	mostFound = 12           // passages
)

// lastWords returns the end of a run's output, on one line.
func lastWords(dir string) string {
	said, _ := os.ReadFile(dir + logFile) // "" if there is none
	return prose.OneLine(strings.ToValidUTF8(string(said[max(0, len(said)-600):]), ""))
}

// start begins a research in its own folder, or resumes one.
func (h Home) start(ctx context.Context, in input) (string, error) {
	dir, err := in.dir, error(nil)
	switch {
	case (in.Question == "") == (dir == ""):
		err = errors.New("give a question to begin a research, or the name of one to go on with it")
	case dir == "":
		dir, err = h.fresh(in.Question)
	default:
		var s account.Status
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

// launch starts a run that outlives this program. It returns when the run is at work, or why it is not.
func (h Home) launch(ctx context.Context, dir string, in input) error {
	log, err := os.Create(dir + logFile)
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
	go func() { ended <- cmd.Wait() }() // until the research ends, or this program does
	for s, err := status(dir); err != nil || s.State != running || s.Question == ""; s, err = status(dir) {
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("the research ended at once: %s", lastWords(dir))
			}
			return nil
		case <-ctx.Done():
			return nil // the research goes on
		case <-time.After(look / 20):
		}
	}
	return nil
}

// stop interrupts a run like Ctrl-C, or kills it where there are no signals.
func stop(_ context.Context, in input) (string, error) {
	holder := store.Holder(in.dir)
	if holder == 0 {
		return "", fmt.Errorf("the research %s is not running", in.Research)
	}
	run, err := os.FindProcess(holder)
	if err == nil {
		if err = run.Signal(os.Interrupt); errors.Is(err, errors.ErrUnsupported) {
			err = run.Kill()
		}
	}
	if err != nil {
		return "", fmt.Errorf("asking it to stop: %w", err)
	}
	return "It is asked to stop.", nil
}

// status returns the status of a research.
func status(dir string) (account.Status, error) {
	s, err := researcher.Open(dir).Status()
	if errors.Is(err, researcher.ErrNoQuestion) {
		s, err = account.Status{Dir: dir, State: account.NotBegun}, nil
		if store.Running(dir) {
			s.State = running
		}
	}
	return s, err
}

// list lists all researches, the latest first.
func (h Home) list() (string, error) {
	entries, err := os.ReadDir(h.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("listing the researches: %w", err)
	}
	lines := map[string]time.Time{}
	for _, e := range entries {
		dir := filepath.Join(h.Dir, e.Name())
		if s, err := status(dir); err == nil && s.State != account.NotBegun {
			lines[fmt.Sprintf("- %s (%s): %s\n", e.Name(), s.State, s.Question)] = s.LastTime
		}
	}
	if len(lines) == 0 {
		return "There is no research yet.", nil
	}
	return strings.Join(slices.SortedFunc(maps.Keys(lines),
		func(a, b string) int { return lines[b].Compare(lines[a]) }), ""), nil
}

// state returns the state of a research as JSON, after waiting for its end or a question.
func (h Home) state(ctx context.Context, in input) (string, error) {
	if in.dir == "" {
		return h.list()
	}
	until := time.Now().Add(min(time.Duration(in.Wait)*time.Second, mostWait))
	s, err := status(in.dir)
	for told := -1; err == nil && s.State == running && s.Asks == "" && time.Now().Before(until); {
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
			s, err = status(in.dir)
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
	return inJSON(struct {
		account.Status
		Said string `json:"its_run_said_last,omitempty"`
	}{s, said}), nil
}

func inJSON(value any) string {
	text, _ := json.MarshalIndent(value, "", " ") // texts and numbers always encode
	return string(text)
}

// maxLine bounds a text written on a dashboard at once, in characters.
const maxLine = 2000

// answerMark finds the mark of a question without an answer.
var answerMark = regexp.MustCompile(`(?m)^(\*\*Answer:\*\*|\*\*回答：\*\*)\s*(?:^#|\z)`)

// answer writes after the mark of the dashboard's open question, by replacing the file.
func answer(_ context.Context, in input) (string, error) {
	return "It is answered.", write(in, func(root *os.Root, line string) error {
		board, err := root.ReadFile(workspace.OverallFile)
		at := answerMark.FindSubmatchIndex(board)
		if err != nil || at == nil {
			return cmp.Or(err, errors.New("the research has no open question; write a note instead"))
		}
		const saved = "." + workspace.OverallFile + ".saved"
		text := slices.Concat(board[:at[3]], []byte(" "+line), board[at[3]:])
		return errors.Join(root.WriteFile(saved, text, 0o644), root.Rename(saved, workspace.OverallFile))
	})
}

// note writes at the end of the dashboard, where a person's notes are.
func note(_ context.Context, in input) (string, error) {
	return "It is noted.", write(in, func(root *os.Root, line string) error {
		board, err := root.OpenFile(workspace.CurrentFile, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = board.WriteString("\n\n" + line + "\n")
		return errors.Join(err, board.Close())
	})
}

// write writes a line on a dashboard by means of put.
func write(in input, put func(root *os.Root, line string) error) error {
	line := prose.OneLine(in.Text)
	if n := utf8.RuneCountInString(line); n > maxLine || n == 0 {
		return fmt.Errorf("the text has %d letters and may have %d, and not 0: say it in parts", n, maxLine)
	}
	root, err := os.OpenRoot(in.dir)
	if err == nil {
		err = errors.Join(put(root, line), root.Close())
	}
	if err != nil {
		return fmt.Errorf("writing on the dashboard: %w", err)
	}
	return nil
}

package serve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// start begins a research in a folder of its own, or goes on with one.
func (h Home) start(ctx context.Context, question, purpose, name string) (string, error) {
	var dir string
	switch {
	case (question == "") == (name == ""):
		return "", errors.New("give a question to begin a research, or the name of one to go on with it")
	case name != "":
		s, at, err := h.status(name)
		if err != nil {
			return "", err
		}
		if s.State == running {
			return "", fmt.Errorf("the research %s is running already; see its state", name)
		}
		dir = at
	default:
		if err := os.MkdirAll(h.Dir, 0o755); err != nil {
			return "", fmt.Errorf("creating the folder of the researches: %w", err)
		}
		slug := prose.Slug(question)
		for n := 1; dir == ""; n++ {
			if name = slug; n > 1 || slug == "" {
				name = strings.Trim(fmt.Sprintf("%s-%d", slug, n), "-")
			}
			err := os.Mkdir(filepath.Join(h.Dir, name), 0o755)
			if err != nil && !errors.Is(err, fs.ErrExist) {
				return "", fmt.Errorf("creating the folder of the research: %w", err)
			}
			if err == nil {
				dir = filepath.Join(h.Dir, name)
			}
		}
	}
	if err := h.Start(ctx, dir, question, purpose); err != nil {
		if question != "" {
			_ = os.Remove(dir) // empty, if nothing came of it
		}
		return "", err
	}
	return fmt.Sprintf("The research %s runs. Call state with its name.", name), nil
}

const running = "running"

// list tells of all researches, the last first.
func (h Home) list() (string, error) {
	entries, err := os.ReadDir(h.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("listing the researches: %w", err)
	}
	type line struct {
		at   time.Time
		text string
	}
	var lines []line
	for _, e := range entries {
		if s, _, err := h.status(e.Name()); err == nil {
			lines = append(lines, line{s.LastTime,
				fmt.Sprintf("- %s (%s): %s", e.Name(), s.State, s.Question)})
		}
	}
	if len(lines) == 0 {
		return "There is no research yet.", nil
	}
	slices.SortFunc(lines, func(a, b line) int { return b.at.Compare(a.at) })
	var out strings.Builder
	for _, l := range lines {
		out.WriteString(l.text + "\n")
	}
	return out.String(), nil
}

// state tells how a research is, and waits for its end or its question. Whoever gives up waiting ends
// nothing.
func (h Home) state(
	ctx context.Context,
	r *mcp.CallToolRequest,
	name string,
	wait time.Duration,
) (string, error) {
	until := time.NewTimer(wait)
	defer until.Stop()
	tick := time.NewTicker(look)
	defer tick.Stop()
	told, held := -1, time.Now()
	for {
		s, _, err := h.status(name)
		begins := errors.Is(err, researcher.ErrNoQuestion)
		if err != nil && !begins {
			return "", err
		}
		if !begins && s.State != researcher.NotBegun || h.isHeld(name) {
			held = time.Now()
		}
		if time.Since(held) > cmp.Or(h.BeginTime, beginTime) {
			return fmt.Sprintf("The research %s ended before it began. Its run said last: %s", name,
				LastWords(filepath.Join(h.Dir, name))), nil
		}
		if over := !begins && (s.State != running && s.State != researcher.NotBegun || s.Asks != ""); over ||
			wait == 0 {
			return h.tell(name, s), nil
		}
		if token := r.Params.GetProgressToken(); token != nil && s.Step > told {
			told = s.Step
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ // nobody may listen
				ProgressToken: token, Progress: float64(s.Step),
				Message: fmt.Sprintf("step %d: %s; %d sources", s.Step, cmp.Or(s.LastAction, "begins"),
					s.Sources),
			})
		}
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-until.C:
			return h.tell(name, s), nil
		case <-tick.C:
		}
	}
}

// beginTime is how long a run may take to begin: its own MCP servers are started before it takes its lock.
const beginTime = 3 * time.Minute

// isHeld reports whether a run is at work in the folder of a research.
func (h Home) isHeld(name string) bool {
	dir, err := h.dir(name)
	if err != nil {
		return false
	}
	w, err := workspace.Open(dir)
	if err != nil {
		return false
	}
	defer w.Close()
	return w.Running()
}

// tell says how a research is; of one that stopped, what its run said last.
func (h Home) tell(name string, s researcher.Status) string {
	said := ""
	if s.State != running && s.State != string(agent.Finished) {
		said = LastWords(filepath.Join(h.Dir, name))
	}

	var out strings.Builder
	fmt.Fprintf(&out, "research: %s\nquestion: %s\nstate: %s\nsteps: %d\nsources: %d\nchapters: %d of %d\n",
		name, s.Question, s.State, s.Step, s.Sources, len(s.Chapters), max(len(s.Blueprint), len(s.Chapters)))
	for _, l := range []struct{ what, text string }{
		{"ended", s.Ended}, {"open question, to be answered with answer", s.Asks},
		{"last action", s.LastAction},
		{"does not pass its checks", strings.Join(s.Unsound, "; ")}, {"gaps", strings.Join(s.Gaps, "; ")},
		{"its run said last", said}, {"notes without an answer", strings.Join(s.Notes, "; ")},
	} {
		if l.text != "" {
			fmt.Fprintf(&out, "%s: %s\n", l.what, l.text)
		}
	}
	if n := len(s.Rounds); n > 0 {
		fmt.Fprintf(&out, "rounds: %d\n", n)
	}
	if s.Report != "" {
		fmt.Fprintf(&out, "report: %s%s/report.md\n", scheme, name)
	}
	return out.String()
}

// answer writes behind the mark under the open question of the dashboard, as a person does.
func (h Home) answer(name, text string) error {
	s, dir, err := h.status(name)
	if err != nil {
		return err
	}
	if s.Asks == "" {
		return fmt.Errorf("the research %s has no open question; write a note instead", name)
	}
	return edit(dir, workspace.OverallFile, text, func(board, line string) string {
		at := answerMark.FindStringIndex(board)
		if at == nil {
			return board
		}
		return board[:at[1]] + " " + line + board[at[1]:]
	})
}

var answerMark = regexp.MustCompile(`(?m)^(?:\*\*Answer:\*\*|\*\*回答：\*\*)`)

// note writes at the end of the dashboard, where a person's notes are.
func (h Home) note(name, text string) error {
	_, dir, err := h.status(name)
	if err != nil {
		return err
	}
	return edit(dir, workspace.CurrentFile, text, func(board, line string) string {
		return strings.TrimRight(board, "\n") + "\n\n" + line + "\n"
	})
}

// maxLine bounds what is written on a dashboard at once, in letters.
const maxLine = 2000

// editing has a lock for each research, by its folder: a dashboard is changed by one call at a time.
var editing sync.Map

// edit changes a dashboard as an editor does: by one that takes its place. When somebody else wrote into it
// meanwhile, it is changed as it is now.
func edit(dir, file, text string, change func(board, line string) string) error {
	line := prose.OneLine(text)
	if n := utf8.RuneCountInString(line); n > maxLine {
		return fmt.Errorf("the text has %d letters and may have %d: say it shorter, or in parts", n, maxLine)
	}
	if line == "" {
		return errors.New("the text is empty")
	}
	lock, _ := editing.LoadOrStore(dir, new(sync.Mutex))
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("opening the research: %w", err)
	}
	defer root.Close()
	for range 20 {
		done, err := replace(root, file, func(board string) string { return change(board, line) })
		if err != nil {
			return fmt.Errorf("writing into %s: %w", file, err)
		}
		if done {
			return nil
		}
	}
	return fmt.Errorf("%s changes all the time, and nothing was written into it: try it again", file)
}

// replace puts a changed file in the place of one, unless that became another meanwhile.
func replace(root *os.Root, file string, change func(string) string) (bool, error) {
	before, err := root.ReadFile(file)
	if err != nil {
		return false, err
	}
	saved := "." + file + "." + rand.Text() + ".saved"
	defer func() { _ = root.Remove(saved) }() // gone, if all went well
	if err := root.WriteFile(saved, []byte(change(string(before))), 0o644); err != nil {
		return false, err
	}
	if now, err := root.ReadFile(file); err != nil || !bytes.Equal(now, before) {
		return false, err
	}
	return true, root.Rename(saved, file)
}

// stop asks a run to stop.
func (h Home) stop(name string) error {
	s, dir, err := h.status(name)
	if err != nil {
		return err
	}
	if s.State != running {
		return fmt.Errorf("the research %s is not running: %s", name, s.State)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(StopFile)), nil, 0o644); err != nil {
		return fmt.Errorf("asking it to stop: %w", err)
	}
	return nil
}

// file reads a file that a person reads. What a page said is marked.
func (h Home) file(name, file string) (string, error) {
	dir, err := h.dir(name)
	if err != nil {
		return "", err
	}
	file = path.Clean(file)
	folder := path.Dir(file)
	boards := []string{workspace.ReportFile, workspace.OverallFile, workspace.CurrentFile}
	if !slices.Contains(boards, file) && folder != "Notebook" && folder != workspace.SourcesDir {
		return "", fmt.Errorf("%q is no file of a research that is shown", file)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("opening the research: %w", err)
	}
	defer root.Close()
	text, err := root.ReadFile(filepath.FromSlash(file))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no %s yet; see the state of the research", file)
	}
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", file, err)
	}
	if folder == workspace.SourcesDir {
		return agent.Outside("page", string(text), "file", file), nil
	}
	return string(text), nil
}

func (h Home) chapters(name string) (string, error) {
	s, _, err := h.status(name)
	var out strings.Builder
	for _, c := range s.Chapters {
		fmt.Fprintf(&out, "- %s: %s\n", path.Base(c.File), c.Title)
	}
	if err == nil && out.Len() == 0 {
		out.WriteString("No chapter is written yet.")
	}
	return out.String(), err
}

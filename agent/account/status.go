// Package account reports on a research from its folder: its state, its history row by row, and its files at
// any step. It reads dashboards and the journal, and may be used during a run.
//
// It runs nothing, and changes a file only to restore it.
package account

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Status is the state of a research.
type Status struct {
	Dir      string `json:"dir"`
	Question string `json:"question"`
	// running, not begun, finished, nothing found, stopped at a limit, stuck, going in circles, no progress,
	// refused, or interrupted
	State     string              `json:"state"`
	Stretch   int                 `json:"stretch"`
	Step      int                 `json:"step"`
	Blueprint []workspace.Item    `json:"blueprint"`     // the planned chapters
	Chapters  []workspace.Chapter `json:"chapters"`      // the written ones
	Own       []string            `json:"own,omitempty"` // chapter files by the person that nobody planned
	Sources   int                 `json:"sources"`
	// the step to which files were put back since the last run
	Restored *int        `json:"restored,omitempty"`
	Gaps     []string    `json:"gaps"`
	Asks     string      `json:"asks,omitempty"` // the unanswered question to the person
	Notes    []string    `json:"notes"`          // the person's unanswered notes
	Rounds   []Round     `json:"rounds"`
	Judging  rounds.Cost `json:"judging,omitzero"` // what judging cost, besides the rest
	// why the research ended or stopped, in the words of its report and dashboard
	Ended string `json:"ended,omitempty"`
	// the results of judging, as of the last signed report
	Record []string `json:"record,omitempty"`
	Edited bool     `json:"edited,omitempty"` // the report was changed since, so this is about another text
	// what the report fails, if the research ended as not sound
	Unsound  []string         `json:"unsound,omitempty"`
	Unmended []rounds.Touched `json:"unmended,omitempty"` // claims on sources that have changed
	Usage    agent.Usage      `json:"usage"`
	// Ran is the time spent on the research in all runs together.
	Ran time.Duration `json:"ran,omitempty"`
	// Agents is the part of Usage for each kind of agent: researcher, file, reader, evaluator, intake.
	Agents     map[string]agent.Usage `json:"agents"`
	LastAction string                 `json:"last_action"`
	LastTime   time.Time              `json:"last_time"`
	Report     string                 `json:"report,omitempty"` // its path, if there is one
	Warnings   []string               `json:"warnings,omitempty"`
}

// ErrNoQuestion means that a folder has no research and no question was given.
var ErrNoQuestion = errors.New("there is no question")

// ErrDashboards means that a person has to correct a dashboard before a run can continue.
var ErrDashboards = errors.New("the dashboards cannot be used")

// Dashboards returns the two dashboards.
func Dashboards(w *workspace.Workspace) (overall, current string, err error) {
	if overall, current, err = w.Dashboards(); err != nil {
		return "", "", fmt.Errorf("%w: %w", ErrDashboards, err)
	}
	return overall, current, nil
}

// Of returns the status of the research in a folder, whose workspace is open. It changes nothing and may be
// called during a run.
func Of(w *workspace.Workspace, dir string) (Status, error) {
	if !w.Exists() || w.Foreign() != "" {
		return Status{}, fmt.Errorf("looking at %s: %w: it has no dashboards", dir, ErrNoQuestion)
	}
	// empty lists instead of null in JSON
	s := Status{Dir: dir, Blueprint: []workspace.Item{}, Chapters: []workspace.Chapter{}, Gaps: []string{},
		Notes: []string{}, Rounds: []Round{}, Agents: map[string]agent.Usage{}}
	if err := s.readDashboards(w); err != nil {
		return Status{}, err
	}
	chapters, err := w.Chapters()
	if err != nil {
		s.Warnings = append(s.Warnings, err.Error())
	}
	s.Chapters = append(s.Chapters, chapters...)
	s.Own = w.OwnChapters()
	if err := w.LoadSources(); err != nil {
		return Status{}, err
	}
	s.Sources = w.SourcesRead()
	s.Warnings = slices.Concat(s.Warnings, w.Warnings(), rounds.Deleted(context.Background(), w, w.Deleted()))
	text, err := w.Read(workspace.ReportFile)
	if err == nil && strings.TrimSpace(text) != "" {
		s.Report = filepath.Join(dir, workspace.ReportFile)
	}
	s.Unmended = rounds.Unmended(context.Background(), w, workspace.ReportFile)
	signed, err := s.readJournal(w)
	if err != nil {
		return Status{}, err
	}
	if len(s.Record) > 0 && s.Report != "" && signed != "" && w.Hash(workspace.ReportFile) != signed {
		s.Edited = true
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s was changed by hand since it was checked, and is "+
			"not checked as it is now: daybook verify does that.", workspace.ReportFile))
	}
	var state rounds.State
	if s.Report != "" && w.Kept(rounds.Key, &state) && s.State == string(agent.Finished) &&
		state.FoundNothing(text) {
		s.State = nothingFound
	}
	if w.Running() {
		s.State = running
	}
	if s.State == running || s.State == "interrupted" {
		s.Ended, s.Record = "", nil // it is about an earlier run
	}
	return s, nil
}

func (s *Status) readDashboards(w *workspace.Workspace) error {
	overall, current, err := Dashboards(w)
	if err != nil {
		return err
	}
	for _, n := range workspace.Unanswered(workspace.NotesIn(current)) {
		s.Notes = append(s.Notes, n.Text)
	}
	section := func(id string) string { text, _ := workspace.Section(overall, id); return text }
	brief := section("question")
	s.Question = workspace.Question(brief)
	if _, asked, answer := intake.OpenQuestion(brief); answer == "" {
		s.Asks = asked
	}
	s.Blueprint = append(s.Blueprint, workspace.Checklist(section("blueprint"))...)
	s.Gaps = append(s.Gaps, workspace.OpenGaps(section("gaps"))...)
	return nil
}

// readJournal adds up the journal: the last opening's counters and everything after it. It returns the hash
// of the report as the program left it.
func (s *Status) readJournal(w *workspace.Workspace) (signed string, err error) {
	s.State = NotBegun
	wasted := map[string]agent.Usage{} // by step since the last opening
	damage, err := w.History().Entries(func(e store.Entry) {
		if e.Key != store.KeySettled {
			s.LastTime = e.Time
		}
		path, what, _ := strings.Cut(e.Key, " ")
		switch {
		case e.Key == agent.KeyOpen:
			s.Restored = nil
			m := decoded[agent.Mark](e.Value)
			s.Stretch, s.Step, s.Usage, s.Ran, s.State = m.Stretch, m.Step, m.Used, m.Ran, "interrupted"
			clear(wasted)
		case e.Key == agent.KeyEnd:
			m := decoded[agent.Mark](e.Value)
			s.Ran, s.State = m.Ran, string(m.Reason)
			if m.Reason.AtLimit() {
				s.State = fmt.Sprintf("stopped at a limit: %s", m.Reason)
			} else if len(s.Unsound) > 0 && m.Reason == agent.Finished {
				s.State = NotSound
			}
		case e.Key == store.KeyRun:
			s.Restored = nil
			if s.State == NotBegun {
				s.State = "interrupted"
			}
		case e.Key == store.KeyMet:
			s.Restored = cmp.Or(decoded[store.FileRow](e.Value).Back, s.Restored)
		case e.Key == store.KeyBegin:
			s.State = NotBegun
			s.Step, s.Stretch, s.Usage, s.Rounds, s.Ended = 0, 0, agent.Usage{}, []Round{}, ""
			s.Agents = map[string]agent.Usage{}
			s.Record, s.Judging, s.LastAction, s.Ran = nil, rounds.Cost{}, "", 0
		case e.Key == "kept "+BriefKey:
			if why := decoded[settled](e.Value).Brief.Refusal; why != "" { // nothing was begun for it
				s.State, s.Ended = notTaken, why
			}
		case e.Key == "kept "+rounds.Key:
			s.takeRounds(e.Value)
		case what == "reply":
			s.takeReply(path, e.Value)
		case e.Key == store.KeyWrite && bytes.Contains(e.Value, []byte(workspace.ReportFile)):
			if f, ok := history.FileOf(e); ok && f.Path == workspace.ReportFile {
				signed = f.To
			}
		case what == "wasted":
			u := decoded[agent.Usage](e.Value) // everything wasted in the step so far
			s.charge(path, u.Minus(wasted[path]))
			wasted[path] = u
		}
	})
	if told := damage.String(); told != "" {
		s.Warnings = append(s.Warnings, told)
	}
	return signed, err
}

// settled is an intake's result, as kept.
type settled struct{ Brief intake.Brief }

func (s *Status) takeReply(path string, value json.RawMessage) {
	r := decoded[struct {
		agent.Reply
		Ran time.Duration
	}](value)
	s.charge(path, r.Usage)
	s.Ran = max(s.Ran, r.Ran)
	name, step, _ := strings.Cut(path, "#")
	if name != Name {
		return
	}
	s.State = "interrupted"
	if n, err := strconv.Atoi(step); err == nil {
		s.Step = n
	}
	if n := len(r.Calls); n > 0 {
		s.LastAction = r.Calls[n-1].Name
	}
}

func (s *Status) charge(path string, u agent.Usage) {
	name, _, _ := strings.Cut(path, "#")
	s.Usage = s.Usage.Plus(u)
	s.Agents[agent.Kind(name)] = s.Agents[agent.Kind(name)].Plus(u)
}

// States that other packages use: the folder is set up but no run has taken a step, and the report fails its
// gates.
const (
	NotBegun = "not begun"
	NotSound = "not sound"
)

// States that are only used here.
const (
	running      = "running"
	notTaken     = "refused"       // its question cannot be answered
	nothingFound = "nothing found" // without a model, and its report has no passage
)

// GoesOn reports whether another run would continue the research.
func (s Status) GoesOn() bool {
	done := []string{NotBegun, running, notTaken, nothingFound, string(agent.Finished)}
	return !slices.Contains(done, s.State)
}

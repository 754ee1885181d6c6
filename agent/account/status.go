// Package account tells of a research from its folder: how it stands, what happened in it row by row, and how
// its files stood at a step. It reads dashboards and the journal, and may be used while a run is at work.
//
// What it will not do: run anything, or change a file other than to put one back.
package account

import (
	"bytes"
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

// Status is how a research stands.
type Status struct {
	Dir      string `json:"dir"`
	Question string `json:"question"`
	// running, not begun, finished, nothing found, stopped at a limit, stuck, going in circles, no progress,
	// refused, or interrupted
	State     string              `json:"state"`
	Stretch   int                 `json:"stretch"`
	Step      int                 `json:"step"`
	Blueprint []workspace.Item    `json:"blueprint"`     // the planned chapters
	Chapters  []workspace.Chapter `json:"chapters"`      // those that are written
	Own       []string            `json:"own,omitempty"` // files of those by the person's hand that nobody planned
	Sources   int                 `json:"sources"`
	Gaps      []string            `json:"gaps"`
	Asks      string              `json:"asks,omitempty"` // the question to the person that has no answer yet
	Notes     []string            `json:"notes"`          // those of the person that have no answer yet
	Rounds    []Round             `json:"rounds"`
	Judging   rounds.Cost         `json:"judging,omitzero"` // what judging cost beside the rest
	// why the research ended or stopped, in words, as its report and dashboard say
	Ended string `json:"ended,omitempty"`
	// what its judging came to, when its report was signed last
	Record []string `json:"record,omitempty"`
	Edited bool     `json:"edited,omitempty"` // the report was changed since, so that this is of another text
	// what the report does not pass, when the research ended as not sound
	Unsound  []string         `json:"unsound,omitempty"`
	Unmended []rounds.Touched `json:"unmended,omitempty"` // claims that rest on what changed since
	Usage    agent.Usage      `json:"usage"`
	// Ran is how long the research was worked on, in all runs together.
	Ran time.Duration `json:"ran,omitempty"`
	// Agents is what each kind of agent used of that: researcher, file, reader, evaluator, intake.
	Agents     map[string]agent.Usage `json:"agents"`
	LastAction string                 `json:"last_action"`
	LastTime   time.Time              `json:"last_time"`
	Report     string                 `json:"report,omitempty"` // its path, when there is one
	Warnings   []string               `json:"warnings,omitempty"`
}

// ErrNoQuestion says that a folder has no research in it and no question was given.
var ErrNoQuestion = errors.New("there is no question")

// ErrDashboards says that a person has to put a dashboard right before a run can go on.
var ErrDashboards = errors.New("the dashboards cannot be used")

// Dashboards are the two, overall and current.
func Dashboards(w *workspace.Workspace) (overall, current string, err error) {
	if overall, current, err = w.Dashboards(); err != nil {
		return "", "", fmt.Errorf("%w: %w", ErrDashboards, err)
	}
	return overall, current, nil
}

// Of tells how the research in a folder stands, whose workspace is open. It changes nothing and may be called
// while a run is at work.
func Of(w *workspace.Workspace, dir string) (Status, error) {
	if !w.Exists() || w.Foreign() != "" {
		return Status{}, fmt.Errorf("looking at %s: %w: it has no dashboards", dir, ErrNoQuestion)
	}
	// lists in JSON, also when empty
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
		s.Ended, s.Record = "", nil // what it says is of a run before
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

// readJournal adds up what the journal tells: the last opening's counters and all that came after it. It
// returns the hash of the report as the program left it.
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
		case e.Key == store.KeyRun && s.State == NotBegun:
			s.State = "interrupted"
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
			u := decoded[agent.Usage](e.Value) // all of the step's so far
			s.charge(path, u.Minus(wasted[path]))
			wasted[path] = u
		}
	})
	if told := damage.String(); told != "" {
		s.Warnings = append(s.Warnings, told)
	}
	return signed, err
}

// settled is what an intake came to, as it is kept.
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

// States that others tell of: the folder was set up and no run got as far as a step, and the report does not
// pass its gates.
const (
	NotBegun = "not begun"
	NotSound = "not sound"
)

// States that nobody outside has to know by name.
const (
	running      = "running"
	notTaken     = "refused"       // its question cannot be answered
	nothingFound = "nothing found" // without a model, and its report has no passage
)

// GoesOn reports whether another run would go on with the research as it is.
func (s Status) GoesOn() bool {
	done := []string{NotBegun, running, notTaken, nothingFound, string(agent.Finished)}
	return !slices.Contains(done, s.State)
}

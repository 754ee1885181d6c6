package account

import (
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace/history"
)

// Name is the researcher's label in events and in the journal.
const Name = "researcher"

// BriefKey is what a settled brief is kept under.
const BriefKey = "brief"

// Events beside those of the agent. Those from Asked on only the journal knows: none of them is told while a
// run is at work.
type (
	// Indexing tells how far the person's documents are indexed: how many of the new and changed files are
	// read, and at the end, when it is known, how many documents the index holds and how much was left out.
	Indexing struct {
		agent.At
		Done      int `json:"done"`
		Total     int `json:"total"`
		Documents int `json:"documents,omitempty"`
		LeftOut   int `json:"left_out,omitempty"` // files, those of folders that were left out with them
	}
	// Kept tells where a person's words are that the agent or the program took away, from a file or with it.
	Kept struct {
		agent.At
		Path string `json:"path"`
		As   string `json:"as"` // the version before, in the trash of the folder
	}
	// Archived tells where the research before was moved, for the next question's sake.
	Archived struct {
		agent.At
		Folder string   `json:"folder"`        // in the workspace
		Own    []string `json:"own,omitempty"` // chapters that went with it, which its plan does not name
	}
	// Refreshed tells what became of the sources of a finished research since they were read.
	Refreshed struct {
		agent.At
		rounds.Refreshed
	}

	// Asked is a question that a research began with.
	Asked struct {
		agent.At
		Question string `json:"question"`
	}
	// Began is the start of a run.
	Began struct {
		agent.At
		// the run before has no end on record: a kill, Ctrl-C or an error stopped it
		Interrupted bool `json:"interrupted"`
	}
	// Ended is the end of a run. A research that is finished has a report, which may have failed its checks.
	Ended struct {
		agent.Ended
		Unsound bool `json:"unsound,omitempty"`
	}
	// Dropped is what the agent forgot when a stretch opened. Its files and the journal keep it.
	Dropped struct {
		agent.At
		Steps  int `json:"steps"`  // of the stretch that ended
		Tokens int `json:"tokens"` // of its last prompt; 0 when nobody counted
	}
	// Changed is a change of a file.
	Changed struct {
		agent.At
		Path  string       `json:"path"`
		Deed  history.Deed `json:"deed"`
		New   bool         `json:"new,omitempty"`
		Added int          `json:"added"` // words
		Taken int          `json:"taken"`
	}
	// Judged is the end of a round.
	Judged struct {
		agent.At
		Round Round `json:"round"`
	}
	// Settled is what an intake came to.
	Settled struct {
		agent.At
		Refusal   string `json:"refusal,omitempty"`
		Questions int    `json:"questions"` // that the person answered
	}
	// Damaged is what of the journal cannot be read; it is told last.
	Damaged struct {
		agent.At
		Lines int   `json:"lines"`
		Torn  int64 `json:"torn"` // bytes after the last good line
	}
)

package account

import (
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace/history"
)

// Name is the researcher's label in events and in the journal.
const Name = "researcher"

// BriefKey is the key of a settled brief.
const BriefKey = "brief"

// Events besides those of the agent. Those from Asked on come only from the journal; none is emitted during a
// run.
type (
	// Indexing reports the progress of indexing the person's documents: how many new and changed files are
	// read, and at the end how many documents the index holds and how many files were left out.
	Indexing struct {
		agent.At
		Done      int `json:"done"`
		Total     int `json:"total"`
		Documents int `json:"documents,omitempty"`
		LeftOut   int `json:"left_out,omitempty"` // files, including those of folders left out
	}
	// Kept names the copy of a person's words that the agent or the program removed, from a file or with it.
	Kept struct {
		agent.At
		Path string `json:"path"`
		As   string `json:"as"` // the earlier version, in the folder's trash
	}
	// Archived names the folder to which the earlier research was moved, to make way for the next question.
	Archived struct {
		agent.At
		Folder string   `json:"folder"`        // in the workspace
		Own    []string `json:"own,omitempty"` // chapters moved with it that its plan does not name
	}
	// Refreshed reports changes to the sources of a finished research since they were read.
	Refreshed struct {
		agent.At
		rounds.Refreshed
	}
	// Unsearched names documents that came or changed since a finished research last searched, and that are
	// none of its sources.
	Unsearched struct {
		agent.At
		Documents []string `json:"documents"` // their addresses, which begin with "doc:"
	}

	// Asked is the question that a research began with.
	Asked struct {
		agent.At
		Question string `json:"question"`
	}
	// Began is the start of a run.
	Began struct {
		agent.At
		// the last run has no recorded end: a kill, Ctrl-C or an error stopped it
		Interrupted bool `json:"interrupted"`
	}
	// Ended is the end of a run. A finished research has a report, which may have failed its checks.
	Ended struct {
		agent.Ended
		Unsound bool `json:"unsound,omitempty"`
	}
	// Dropped is the forgotten history when a stretch opened. Files and the journal still have it.
	Dropped struct {
		agent.At
		Steps  int `json:"steps"`  // of the stretch that ended
		Tokens int `json:"tokens"` // of its last prompt; 0 if nobody counted
	}
	Changed struct {
		agent.At
		Path  string       `json:"path"`
		Deed  history.Deed `json:"deed"`
		New   bool         `json:"new,omitempty"`
		Added int          `json:"added"` // words
		Taken int          `json:"taken"`
	}
	Judged struct {
		agent.At
		Round Round `json:"round"`
	}
	// Settled is the result of an intake.
	Settled struct {
		agent.At
		Refusal   string `json:"refusal,omitempty"`
		Questions int    `json:"questions"` // that the person answered
	}
	// Damaged reports the unreadable part of the journal; it comes last.
	Damaged struct {
		agent.At
		Lines int   `json:"lines"`
		Torn  int64 `json:"torn"` // bytes after the last good line
	}
)

package agent

import (
	"path"
	"strings"
	"time"
)

// Event is something that happened in a run, for an observer: a terminal, a page, a log. The set is closed:
// Opened, Noticed, Warned, Thinking, Waiting, Replied, Acting, Acted and Ended. A resumed run does not repeat
// events taken from the record.
type Event interface {
	// Where returns the agent and step of the event.
	Where() At
}

// At is the place of an event.
type At struct {
	// path: names and calls joined by "/", so that the number of names is the depth
	Agent   string `json:"agent"`
	Stretch int    `json:"stretch"` // from 1
	Step    int    `json:"step"`    // from 1, over all stretches
}

// Kind returns the kind of agent that a path names: the name of the innermost agent, without its number.
func Kind(agent string) string { return strings.TrimRight(path.Base(agent), "0123456789") }

// Where returns the place itself, which makes every struct that embeds At an Event.
func (a At) Where() At { return a }

type (
	// Opened is the start of a stretch.
	Opened struct {
		At
		Resumed bool `json:"resumed"` // the stretch was begun by an interrupted run
	}
	// Noticed is news from outside that the agent received, such as a person's edit.
	Noticed struct {
		At
		Text  string `json:"text"`
		Facts []Fact `json:"facts,omitempty"`
	}
	// Warned is a warning to the agent about its limits or its lack of progress, or a change to a
	// conversation that its Brain could not take.
	Warned struct {
		At
		Text string `json:"text"`
	}
	// Thinking is the start of a step: the Brain is asked.
	Thinking struct{ At }
	// Waiting means that the Brain pauses before it tries again.
	Waiting struct {
		At
		Why string        `json:"why"`
		For time.Duration `json:"for"` // nanoseconds in JSON
	}
	// Replied is a reply of the Brain.
	Replied struct {
		At
		Text  string `json:"text,omitempty"`
		Calls []Call `json:"calls,omitempty"`
		Usage Usage  `json:"usage"`           // of this reply
		Total Usage  `json:"total"`           // of this agent and those nested in it so far
		Model string `json:"model,omitempty"` // "" if unknown
	}
	// Acting is the start of an action.
	Acting struct {
		At
		Call Call `json:"call"`
	}
	// Acted is the end of an action.
	Acted struct {
		At
		Call   Call   `json:"call"`
		Effect Effect `json:"effect"`
		Text   string `json:"text"`
		Facts  []Fact `json:"facts,omitempty"`
		Failed bool   `json:"failed"` // Text is an error
		// Repeated marks a call not carried out because it had given the same result again and again.
		Repeated bool `json:"repeated,omitempty"`
		// NotDone is the loop's reason for not carrying out the call, which is not at fault: no room for its
		// result, or the rest of an allowance is for finishing. "" for any other call.
		NotDone string `json:"not_done,omitempty"`

		Took time.Duration `json:"took"` // nanoseconds in JSON
	}
	// Ended is the end of a run.
	Ended struct {
		At
		Reason Reason `json:"reason"`
		Text   string `json:"text"`
		Total  Usage  `json:"total"`
	}
)

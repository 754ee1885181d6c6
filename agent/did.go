package agent

import (
	"slices"
	"strings"
)

// Did is a call that was carried out, and what came of it.
type Did struct {
	Step int
	Call
	Outcome
	Failed bool // Text is an error
}

// remember puts the calls of a reply on the list of what an agent with an Answer did. On a resume they come
// from the record, and stand there again.
func (r *run) remember(calls []Call, outcomes []recorded) {
	if r.agent.Answer == "" {
		return
	}
	for i, o := range outcomes {
		if !o.Repeated {
			r.did = append(r.did, Did{Step: r.step, Call: calls[i], Outcome: o.Outcome, Failed: o.Failed})
		}
	}
}

// isAnswer says whether a reply in words is the answer of an agent that may answer so: before a call worked,
// it can only be an intention, and words that hold a call in a code fence are one too.
func (r *run) isAnswer(reply Reply) bool {
	if len(reply.Calls) > 0 || strings.TrimSpace(reply.Text) == "" ||
		!slices.ContainsFunc(r.did, func(d Did) bool { return !d.Failed }) {
		return false
	}
	_, fenced, _ := strings.Cut(reply.Text, "```")
	return !slices.ContainsFunc(r.agent.Actions, func(a Action) bool {
		return strings.Contains(fenced, `"`+a.Name+`"`) || strings.Contains(fenced, a.Name+"(") ||
			strings.Contains(fenced, "<"+a.Name)
	})
}

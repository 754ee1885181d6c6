package agent

import (
	"slices"
	"strings"
)

// Did is a call that was carried out, with its outcome.
type Did struct {
	Step int
	Call
	Outcome
	Failed bool // Text is an error
}

// remember adds the calls of a reply to the list of what an agent with an Answer did. On a resume they come
// from the record, and are listed again.
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

// isAnswer reports whether words alone are the answer of an agent that may answer so. Before any call has
// worked they can only be an intention, as can words with a call in a code fence.
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

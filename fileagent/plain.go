package fileagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// A plain request, such as "Read report.md lines 10-40", is carried out without a model. Every one of its
// statements must match a form in forms.txt as a whole; anything uncertain goes to the model.

// maxStatements bounds a plain request.
const maxStatements = 60

// step is one call of a plain request.
type step struct {
	action string
	args   map[string]any
}

// plan returns the calls of a request, none if it is not plain; any content has to be used.
func plan(description string, withContent bool) (steps planned) {
	for _, one := range statements(requoted(description)) {
		asked := understand(one)
		steps = append(steps, asked...)
		if len(asked) == 0 || len(steps) > maxStatements {
			return nil
		}
	}
	usesContent := slices.ContainsFunc(steps, func(s step) bool { return s.args["text"] == contentName })
	if withContent && !usesContent {
		return nil
	}
	return steps
}

// planned is the Brain of a plain request: one step after another, until one fails. After a failed
// replacement, other replacements are still made.
type planned []step

// stops reports whether a failed step ends the request. It does not if this step and all later ones are
// replacements, and no text of one overlaps a text of another.
func (p planned) stops(n int) bool {
	left := p[n:]
	if slices.ContainsFunc(left, func(s step) bool { return s.action != "replace_in_file" }) {
		return true
	}
	for i, s := range left {
		for _, before := range left[:i] {
			if s.args["path"] == before.args["path"] && s.meets(before) {
				return true
			}
		}
	}
	return false
}

// meets reports whether the text that a change looks for overlaps the texts of another.
func (s step) meets(other step) bool {
	old, _ := s.args["old"].(string)
	for _, name := range []string{"old", "text"} {
		text, _ := other.args[name].(string)
		if text != "" && (strings.Contains(old, text) || strings.Contains(text, old)) {
			return true
		}
	}
	return false
}

var _ agent.Brain = planned(nil)

// Think implements agent.Brain. It reads its progress from the conversation, like any Brain.
func (p planned) Think(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
	done, failed := 0, false
	for _, m := range talk.Messages {
		if m.Role == agent.RoleResult {
			failed = failed || strings.HasPrefix(m.Text, agent.Failure) && p.stops(min(done, len(p)-1))
			done++
		}
	}
	if failed || done >= len(p) {
		return agent.Reply{Calls: []agent.Call{{Name: "answer", Args: `{"text":""}`}}}, nil
	}
	given := maps.Clone(p[done].args)
	if done == len(p)-1 {
		given["answer"] = true
	}
	args, err := json.Marshal(given)
	if err != nil {
		return agent.Reply{}, fmt.Errorf("writing the arguments of %s: %w", p[done].action, err)
	}
	return agent.Reply{Calls: []agent.Call{{Name: p[done].action, Args: string(args)}}}, nil
}

// told returns the result of a plain request: that of its only step verbatim, or those of all steps by name.
// A failed step makes an error, which lists what else was done.
func (p planned) told(f Files, result agent.Result) (string, error) {
	did := result.Did
	if n := len(did); n > 0 && did[n-1].Name == "answer" {
		did = did[:n-1]
	}
	var failed, well []agent.Did
	for _, d := range did {
		if d.Failed {
			failed = append(failed, d)
		} else {
			well = append(well, d)
		}
	}
	switch {
	case len(failed) > 0:
		var text strings.Builder
		if len(failed) > 1 {
			fmt.Fprintf(&text, "%d of %d steps failed:", len(failed), len(p))
		}
		for _, d := range failed {
			fmt.Fprintf(&text, "\n%s", strings.TrimPrefix(d.Text, agent.Failure))
		}
		if left := len(p) - len(did); left == 1 {
			text.WriteString(" (The step after it: not done.)")
		} else if left > 1 {
			fmt.Fprintf(&text, " (The %d steps after it: not done.)", left)
		}
		if len(well) > 0 {
			text.WriteString("\nDone:\n" + f.list(well))
		}
		return "", errors.New(strings.TrimSpace(text.String()))
	case len(did) < len(p):
		return "", f.unfinished(result, "")
	case len(did) == 1: // whoever asked knows no file actions, but this is a plain request
		return strings.ReplaceAll(did[0].Text, "; go on with continue_stream_read, stream_id ",
			"; to read on, call file_operation with these words: go on with stream_id "), nil
	}
	return f.list(did), nil
}

// statements splits a request at line ends, semicolons, "then" and ends of sentences outside quotes, and
// removes numbers and bullets. It returns none if a quote is not closed.
func statements(request string) (all []string) {
	request = strings.TrimSpace(strings.ReplaceAll(request, "\r\n", "\n"))
	from, closing := 0, rune(0)
	cutAt := func(end, next int) {
		if s := bared(request[from:end]); s != "" {
			all = append(all, s)
		}
		from = next
	}
	var before rune
	for i, r := range request {
		switch {
		case i < from:
		case closing != 0:
			if r == closing && (r != '\'' || !isWordAfter(request[i+1:])) {
				closing = 0
			}
		case r == '\'' && isWord(before): // an apostrophe
		case quotes[r] != 0:
			closing = quotes[r]
		case r == '\n' || r == ';' || r == '；' || r == '。':
			cutAt(i, i+len(string(r)))
		default:
			if m := thenWord.FindString(request[i:]); m != "" {
				cutAt(i, i+len(m))
				// and not a list's number
			} else if sentenceEnd.MatchString(request[i:]) && bared(request[from:i]+". ") != "" {
				cutAt(i, i+2)
			}
		}
		before = r
	}
	cutAt(len(request), len(request))
	if closing != 0 {
		return nil
	}
	return all
}

// bared removes what carries no meaning: a statement's number or bullet, a courtesy, and the final full stop.
func bared(statement string) string {
	statement = strings.TrimSpace(statement)
	statement = statement[len(numbering.FindString(statement)):]
	statement = statement[len(courtesy.FindString(statement)):]
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(statement), ".,，!！"))
}

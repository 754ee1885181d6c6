package fileagent

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

const (
	maxReported = 50  // calls listed in an answer
	briefResult = 400 // bytes of a result that are never cut
	maxName     = 200 // bytes
)

// report returns the answer to a request: the result of its one call verbatim, or the agent's words, and the
// result of each of several calls. It adds what the words may omit: failed changes, and that no file was
// changed. Unused content is an error: whoever asked then keeps its memory with the text in it.
func (f Files) report(result agent.Result, content string) (string, error) {
	calls, told := reported(result)
	text := f.outcome(result, calls, told)
	if lost := unused(calls, content); lost != "" {
		return "", errors.New(lost + "\nWhat came of the request: " + strings.TrimRight(text, "\n"))
	}
	return text, nil
}

func (f Files) outcome(result agent.Result, calls, told []agent.Did) string {
	words := wordsOf(result)
	if words == "" && len(told) == 0 && len(calls) > 0 { // an answer without words
		told = calls[len(calls)-1:]
	}
	tried := slices.ContainsFunc(calls, func(d agent.Did) bool { return changes(d.Name) })
	if words != "" && !slices.ContainsFunc(calls, hasChanged) && (tried || !answered(result)) {
		words += "\n(No file was changed.)" // the words may describe only an intention
	}
	switch {
	case words == "" && len(told) == 1:
		return told[0].Text
	case words != "" && len(calls) == 1 && !tried:
		return words
	}
	told = slices.DeleteFunc(told,
		func(d agent.Did) bool { return strings.Contains(words, strings.TrimSpace(d.Text)) })
	if words == "" || len(told) == 0 {
		return words + f.list(told)
	}
	return words + "\n\n" + f.list(told)
}

// unfinished returns the error for a request without an answer. It lists the changes already made.
func (f Files) unfinished(result agent.Result, content string) error {
	text := fmt.Sprintf("the file agent did not get it done (%s) %s: ask for less at a time, "+
		"and name the file", result.Reason, result.Text)
	calls, _ := reported(result)
	lost := unused(calls, content)
	calls = slices.DeleteFunc(calls, func(d agent.Did) bool { return !hasChanged(d) })
	if len(calls) > 0 {
		text += ". Before that it did this:\n" + f.list(calls)
	}
	if lost != "" {
		text += "\n" + lost
	}
	return errors.New(text)
}

// answered reports whether the last reply was a call, rather than only words.
func answered(result agent.Result) bool {
	n := len(result.Did)
	return n > 0 && result.Did[n-1].Step == result.Steps
}

// wordsOf returns the words that an agent ended with; "" if a call's result is the answer.
func wordsOf(result agent.Result) string {
	if !answered(result) {
		return result.Text
	}
	var words []string
	for _, d := range result.Did {
		if d.Name == "answer" && d.Effect == agent.Finish && d.Step == result.Steps {
			words = append(words, d.Text)
		}
	}
	return strings.Join(words, "\n\n")
}

// reported returns all calls but answers, and those to report: all of the last reply, and earlier ones that
// were marked, changed something or failed, unless a later call corrected or repeated them.
func reported(result agent.Result) (all, told []agent.Did) {
	all = slices.DeleteFunc(slices.Clone(result.Did), func(d agent.Did) bool { return d.Name == "answer" })
	for i, d := range all {
		again := slices.ContainsFunc(all[i+1:], func(e agent.Did) bool {
			same := e.Name == d.Name && e.Step > d.Step
			return same && (d.Failed && !e.Failed && name(e) == name(d) ||
				e.Args == d.Args && (d.Failed || !changes(d.Name)))
		})
		if !again && (d.Step == result.Steps || d.Effect == agent.Finish || d.Failed || changes(d.Name)) {
			told = append(told, d)
		}
	}
	return all, told
}

func hasChanged(d agent.Did) bool { return !d.Failed && changes(d.Name) }

func changes(action string) bool {
	return slices.Contains([]string{"write_file", "create_file", "replace_in_file", "create_directory",
		"move", "delete_file"}, action)
}

// list lists the results of calls, which share the room of one result; the brief ones stay whole.
func (f Files) list(told []agent.Did) string {
	listed := told[:min(len(told), maxReported)]
	sizes := make([]int, len(listed))
	for i, d := range listed {
		sizes[i] = len(d.Text)
	}
	var parts []string
	gap := "\n"
	for i, share := range prose.Shares(sizes, f.pageSize()) {
		text := cut(strings.TrimRight(listed[i].Text, "\n"), max(share, briefResult))
		if strings.Contains(text, "\n") {
			text, gap = "\n"+text, "\n\n"
		} else {
			text = " " + text
		}
		parts = append(parts, name(listed[i])+":"+text)
	}
	if left := len(told) - len(listed); left > 0 {
		parts = append(parts, "… and "+count(left, "more call"))
	}
	return strings.Join(parts, gap)
}

// cut shortens a text that is too long, keeping a page's mark closed.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	begin := strings.ToValidUTF8(text[:most], "")
	if i := strings.LastIndexByte(begin, '\n'); i > most/2 {
		begin = begin[:i]
	}
	rest := len(text) - len(begin)
	if strings.HasPrefix(text, "<page ") && strings.HasSuffix(text, "</page>") {
		begin += "\n</page>"
	}
	return begin + fmt.Sprintf("\n(%d more bytes did not fit beside the others; ask for this alone)", rest)
}

// name returns what a call was about: its file, or what it looked for.
func name(d agent.Did) string {
	var in struct {
		Path, Pattern, Directory, Command string
		StreamID                          string `json:"stream_id"`
	}
	if json.Unmarshal([]byte(renamed(d.Args, false)), &in) != nil {
		return d.Name // its arguments were corrected, or are the fault
	}
	text := cmp.Or(in.Path, in.Pattern, in.Directory, in.Command, in.StreamID, d.Name)
	text = prose.OneLine(agent.Disarm(text))
	if len(text) > maxName {
		text = strings.ToValidUTF8(text[:maxName], "") + "…"
	}
	return text
}

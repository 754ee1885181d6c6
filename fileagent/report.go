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
	maxReported = 50  // calls that an answer tells of
	briefResult = 400 // bytes of a result that is never cut
	leastResult = 1024
	maxName     = 200 // bytes
)

// report is the answer to a request: the result of its one call to the letter, or the agent's words, and of
// several calls what came of each. What words may leave out stands beside them: changes that failed, and that
// no file was changed. When the content went nowhere that is an error: whoever asked keeps its memory then,
// and the text in it.
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
	if words == "" && len(told) == 0 && len(calls) > 0 { // an answer without a word
		told = calls[len(calls)-1:]
	}
	tried := slices.ContainsFunc(calls, func(d agent.Did) bool { return changes(d.Name) })
	if words != "" && !slices.ContainsFunc(calls, hasChanged) && (tried || !answered(result)) {
		words += "\n(No file was changed.)" // the words may only say what was meant
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

// unfinished is the error of a request that came to no answer. What was changed on the way is changed.
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

// answered says whether the last reply was a call, and not words alone.
func answered(result agent.Result) bool {
	n := len(result.Did)
	return n > 0 && result.Did[n-1].Step == result.Steps
}

// wordsOf are the words that an agent ended with; "" when the result of a call is the answer.
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

// reported gives all calls but answers, and those to be told of: of the last reply, and before it what was
// marked, changed or failed, unless it was done right or asked for again later.
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

// list tells what came of calls: the brief whole, and the rest shares the room of one result.
func (f Files) list(told []agent.Did) string {
	room, long := f.pageSize(), 0
	for _, d := range told {
		if len(d.Text) > briefResult {
			long++
		} else {
			room -= len(d.Text)
		}
	}
	each := max(room/max(long, 1), leastResult)
	var parts []string
	gap, used := "\n", 0
	for i, d := range told {
		if i == maxReported {
			parts = append(parts, fmt.Sprintf("… and %s", count(len(told)-i, "more call")))
			break
		}
		text := cut(strings.TrimRight(d.Text, "\n"), max(each, briefResult))
		if used += len(text); used > f.pageSize()*5/4 && len(text) > briefResult {
			text = fmt.Sprintf("(%d bytes did not fit beside the others; ask for this alone)", len(d.Text))
		}
		if strings.Contains(text, "\n") {
			text, gap = "\n"+text, "\n\n"
		} else {
			text = " " + text
		}
		parts = append(parts, name(d)+":"+text)
	}
	return strings.Join(parts, gap)
}

// cut takes the end off a text that is too long, and leaves the mark of a page closed.
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

// name is what a call was about: its file, or else what it looked for.
func name(d agent.Did) string {
	var in struct {
		Path, Pattern, Directory, Command string
		StreamID                          string `json:"stream_id"`
	}
	if json.Unmarshal([]byte(renamed(d.Args, false)), &in) != nil {
		return d.Name // its arguments were put right, or are what is wrong
	}
	text := cmp.Or(in.Path, in.Pattern, in.Directory, in.Command, in.StreamID, d.Name)
	text = prose.OneLine(agent.Disarm(text))
	if len(text) > maxName {
		text = strings.ToValidUTF8(text[:maxName], "") + "…"
	}
	return text
}

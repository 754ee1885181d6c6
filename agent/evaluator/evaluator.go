// Package evaluator judges a round of research: the quality of the report, what it lacks, and whether to
// continue.
//
// [Evaluator.Assess] is the function you want. It asks a Brain, as a nested agent, for scores with reasons,
// gaps and directions; [Rule.Stop] then decides in code:
//
//	judge := evaluator.Evaluator{Brain: brain}
//	a, err := judge.Assess(ctx, turn.Nest, evaluator.Material{Question: question, Report: report, Round: 1})
//	rounds = append(rounds, evaluator.Round{N: 1, Assessed: err == nil, Assessment: a})
//	why := evaluator.Rule{}.Stop(rounds) // GoOn, or why to stop
//
// [Evaluator.Ideal] writes beforehand what an ideal answer must contain, so that a report is marked point by
// point, and [Evaluator.Compare] decides which of two reports is better.
//
// It never makes up a score. The Brain gets an error for an unreadable answer; after the third the report is
// not assessed, which is [ErrUnreadable]. It reads no files and checks no citations. The report is shown
// between marks, so that its text is judged and not obeyed.
package evaluator

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

//go:embed assess.md
var assessing string

//go:embed mark.md
var markingRules string

// ErrUnreadable means that no judgement of the Brain could be read, or a budget ended before one could. The
// round then counts as not assessed.
var ErrUnreadable = errors.New("the judgement could not be read")

// Evaluator judges reports. It keeps no state and may be shared.
type Evaluator struct {
	Brain agent.Brain
	// Criteria are a person's own, which override the prompt's; "" if there are none.
	Criteria string
}

// Material is the basis of a judgement. All of it but Question and Today may contain text from the web.
type Material struct {
	Question string         // as the person asked it
	Language prose.Language // of texts written for a person; "" for that of the question
	Places   string         // what can be searched in this run, in words; "" if unknown
	OwnAlone bool           // only the person's own documents can be searched
	Brief    string         // what was settled about it: focus, answers, assumptions; "" for nothing
	Report   string         // report.md, whole
	Chapters []Text
	Sources  []Source
	Uncited  []string    // sentences of the report with a figure and no citation
	Round    int         // from 1
	Done     []string    // what was done in this round, one line per call, in order
	Before   *Assessment // of the last round; nil if there was none, or it was not assessed
	Today    string      // as 2006-01-02
	Points   []Point     // the checklist, as [Evaluator.Ideal] wrote it; empty to judge by scores
	Claims   Claims      // how well the citations hold
	Pair     [2]string   // two reports to compare, instead of Report

	unwritten bool // there is no report yet
}

// Text is a chapter: the name and text of its file.
type Text struct{ Name, Text string }

// Source is a page that was read, or, if it has no Host, one of the person's documents. Unknown fields are
// "".
type Source struct {
	ID, Title, Host, Published string
	Path                       string // of a person's document, below its folder
	Headings                   string // the first in its text, for the checklist
}

// replies bounds a judge's replies: the first, and two after an error message.
const replies = 3

// Assess has the report judged. It costs one reply of the Brain, or up to three if they cannot be read.
// Material too long for the model is shown by half, then a quarter, then an eighth. The error is
// [ErrUnreadable], or one of the Brain after which the run cannot continue. Assess a report at most once in
// one call of an action, because records are keyed by the call.
func (e Evaluator) Assess(ctx context.Context, run agent.Runner, m Material) (Assessment, error) {
	action := agent.NewAction("assess",
		"Gives your judgement and ends your work. Every field is needed.", accept)
	rules := assessing
	if len(m.Points) > 0 {
		action, rules = markAction(m), markingRules
	}
	text, err := e.judge(ctx, run, "evaluator", action, rules, m)
	if err != nil {
		return Assessment{}, err
	}
	a, err := harshest(text)
	if err == nil {
		a.askOfSources(m)
	}
	return a, err
}

// judge runs the nested agent and returns the result of its action.
func (e Evaluator) judge(ctx context.Context, run agent.Runner, name string, action agent.Action,
	rules string, m Material) (string, error) {
	rules = strings.TrimSpace(rules)
	if own := strings.TrimSpace(e.Criteria); own != "" {
		rules += "\n\n# Criteria of the person who asked\n" +
			"\nWhere they differ from the above, they count.\n\n" + own
	}
	called := name
	for room, try := most, 1; ; room, try = room/2, try+1 {
		if try > 1 { // a new name, since the last try is on record under its own
			called = fmt.Sprint(name, try)
		}
		result, err := run(ctx, agent.Asked(called, e.Brain, rules, m.show(room)+
			"Judge now, in the language of the question: call "+action.Name+".", replies, action))
		if errors.Is(err, agent.ErrTooLong) && room > least {
			continue
		}
		if errors.Is(err, agent.ErrTooLong) { // nobody can ask for less
			err = agent.Fatal(err)
		}
		if errors.Is(err, agent.ErrFiltered) { // a filter would refuse the report again
			err = fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		if err != nil {
			return "", fmt.Errorf("judging the report of round %d: %w", m.Round, err)
		}
		if seed, ok := fromSeed(result.Text); ok && action.Name == "assess" &&
			result.Reason != agent.Finished {
			return seed, nil
		}
		if result.Reason != agent.Finished {
			return "", fmt.Errorf("judging the report of round %d: %w; the %s ended %s", m.Round,
				ErrUnreadable, name, result.Reason)
		}
		return result.Text, nil
	}
}

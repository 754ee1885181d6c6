// Package evaluator judges a round of research: how good the report is by now, what it still lacks, and
// whether to go on.
//
// [Evaluator.Assess] is the function you want. It asks a Brain, as a nested agent, for scores with reasons,
// gaps and directions; [Rule.Stop] then decides by code:
//
//	judge := evaluator.Evaluator{Brain: brain}
//	a, err := judge.Assess(ctx, turn.Nest, evaluator.Material{Question: question, Report: report, Round: 1})
//	rounds = append(rounds, evaluator.Round{N: 1, Assessed: err == nil, Assessment: a})
//	why := evaluator.Rule{}.Stop(rounds) // GoOn, or why to stop
//
// [Evaluator.Ideal] writes beforehand what an ideal answer must hold, so that a report is marked point by
// point, and [Evaluator.Compare] says which of two reports is better.
//
// What it will not do: make up a score. The Brain hears of an answer that cannot be read, and when the
// third one cannot be read either the report is not assessed, which is [ErrUnreadable]. It reads no files and
// checks no citations, and what it is shown of the report is between marks, so that a text in it is
// judged and not obeyed.
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

// ErrUnreadable says that there is no judgement that can be read: not the Brain's first, and not its second
// either, unless a budget ended before that. The round then counts as not assessed.
var ErrUnreadable = errors.New("the judgement could not be read")

// Evaluator judges reports. It keeps nothing and may be shared.
type Evaluator struct {
	Brain agent.Brain
	// Criteria are a person's own, added to the prompt's and above them; "" when there are none.
	Criteria string
}

// Material is what a judgement is made of. All of it but Question and Today may hold text from the web.
type Material struct {
	Question string         // as it was asked
	Language prose.Language // of what is written for a person; "" for that of the question
	Places   string         // what can be searched in this run, in words; "" when that is not known
	OwnAlone bool           // what the person has is all that can be searched: no other sources can be had
	Brief    string         // what was settled about it: focus, answers, assumptions; "" for nothing
	Report   string         // report.md, whole
	Chapters []Text
	Sources  []Source
	Uncited  []string    // sentences of the report that hold a figure and no citation
	Round    int         // from 1
	Done     []string    // what was done in this round, one line a call, in order
	Before   *Assessment // of the round before; nil when there was none, or it was not assessed
	Today    string      // as 2006-01-02
	Points   []Point     // the checklist, as [Evaluator.Ideal] wrote it; empty to judge by scores
	Claims   Claims      // how the citations hold
	Pair     [2]string   // two reports to compare, in place of Report

	unwritten bool // there is no report yet
}

// Text is a chapter: the name of its file, and what is in it.
type Text struct{ Name, Text string }

// Source is a page that was read, or, when it has no Host, a document of the person's own. Fields that are
// not known are "".
type Source struct {
	ID, Title, Host, Published string
	Path                       string // of a document of the person's own, below its folder
	Headings                   string // the first of its text, for the checklist
}

// replies is how many a judge has: the first, and two after an answer says what is wrong with the one before.
const replies = 3

// Assess has the report judged. It costs one reply of the Brain, and up to three when what it says cannot be
// read. A material that is too long for the model is shown by half, then by a quarter, then by an eighth. The
// error is [ErrUnreadable], or one of the Brain that a run cannot go on after. Assess a report at most once
// in one call of an action: what is on record goes by the call.
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

// judge runs the nested agent and returns what its action finished with.
func (e Evaluator) judge(ctx context.Context, run agent.Runner, name string, action agent.Action,
	rules string, m Material) (string, error) {
	rules = strings.TrimSpace(rules)
	if own := strings.TrimSpace(e.Criteria); own != "" {
		rules += "\n\n# Criteria of the person who asked\n" +
			"\nWhere they differ from the above, they count.\n\n" + own
	}
	called := name
	for room, try := most, 1; ; room, try = room/2, try+1 {
		if try > 1 { // of its own name, since what is on record of the one before goes by that
			called = fmt.Sprint(name, try)
		}
		result, err := run(ctx, agent.Asked(called, e.Brain, rules, m.show(room)+
			"Judge now, in the language of the question: call "+action.Name+".", replies, action))
		if errors.Is(err, agent.ErrTooLong) && room > least {
			continue
		}
		if errors.Is(err, agent.ErrTooLong) { // and nobody can ask for less
			err = agent.Fatal(err)
		}
		if errors.Is(err, agent.ErrFiltered) { // a filter that refuses the report refuses it again
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

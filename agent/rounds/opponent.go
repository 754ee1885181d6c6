package rounds

import (
	"cmp"
	"context"
	_ "embed" // for the prompt
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// Bounds on an opponent's work.
const (
	opponentSteps    = 14
	mostObjections   = 6
	opponentReport   = 28_000 // tokens of the report that it is shown: its last section may hold the gravest fault
	longestObjection = 400    // letters of one of its sentences
	longestPassage   = 1500   // letters of the block that one rests on, which is read again if it is cut
	maxNamed         = 80     // letters of a name or a place that is repeated
)

//go:embed opponent.md
var opponentPrompt string

// objection is a fault that an opponent finds in a report. Its texts are single lines, bounded.
type objection struct {
	ID      string `json:"id"`                // O1, O2, …; one that still holds keeps its own
	What    string `json:"what"`              // the fault, as a statement that can be checked
	Where   string `json:"where"`             // words of the report
	Remedy  string `json:"remedy"`            // change that would mend it
	Passage string `json:"passage,omitempty"` // evidence against it, verbatim
}

// answer is an objection with what the researcher did about it, or why it does not hold.
type answer struct {
	objection
	text string
}

// objecting is the opponent's final answer.
type objecting struct {
	Objections []struct {
		ID      string `json:"id,omitempty" jsonschema:"only when an objection of before still holds: its id, such as O2"`
		Where   string `json:"where" jsonschema:"four to fifteen words copied from the report"`
		What    string `json:"what" jsonschema:"what is wrong there, so that it can be checked"`
		Passage string `json:"passage" jsonschema:"what speaks against it: the citation of a block, such as s7.3, or words copied from another place of the report"`
		Remedy  string `json:"remedy" jsonschema:"what would mend it"`
	} `json:"objections" jsonschema:"the gravest first, six at most; an empty list when you found nothing grave"`
}

// oppose has an opponent look for what speaks against the report: in the sources that were read, in others,
// and in other places of the report. It may search, visit pages and read files, but not write. Each objection
// names its passage, which code looks up.
func (v Reviewer) oppose(ctx context.Context, turn *agent.Turn, report string, answered []answer,
	attack int) ([]objection, error) {
	text, err := v.Workspace.Peek(report)
	if err != nil {
		return nil, err
	}
	text = citation.WithoutOwn(text)
	act := append(append(v.Exploring(), v.Files.Reading()...), v.object(text, answered))
	result, err := turn.Nest(ctx, agent.Asked(fmt.Sprintf("opponent%d", attack), v.evaluator().Brain,
		opponentPrompt, v.opposed(text, report, answered), opponentSteps, act...))
	if errors.Is(err, agent.ErrTooLong) || errors.Is(err, agent.ErrFiltered) {
		return nil, fmt.Errorf("%w: %w", evaluator.ErrUnreadable, err)
	}
	if err != nil {
		return nil, fmt.Errorf("having the report opposed: %w", err)
	}
	if result.Reason != agent.Finished {
		return nil, fmt.Errorf("%w: the opponent ended %s", evaluator.ErrUnreadable, result.Reason)
	}
	found := slices.Concat(agent.Answers[[]objection](result.Text)...)
	return found[:min(len(found), mostObjections)], nil
}

// opposed returns what an opponent is shown.
func (v Reviewer) opposed(text, report string, answered []answer) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Today is %s. The report is the file %s.\n\n", today(), report)
	material := func(what, text string) {
		if text != "" {
			out.WriteString(agent.Outside("material", text, "what", what) + "\n\n")
		}
	}
	var sources []string
	for _, s := range v.Workspace.Sources() {
		sources = append(sources, s.ID+" · "+prose.Shorten(prose.OneLine(s.Title), maxNamed))
	}
	var past []string
	for _, a := range answered {
		past = append(past, fmt.Sprintf("%s %s (%s)\nAnswer: %s", a.ID, a.What, a.Where, a.text))
	}
	material("question", cmp.Or(v.section("question"), v.Workspace.Asked()))
	material("sources that were read", strings.Join(sources, "\n"))
	material("objections and answers", strings.Join(past, "\n\n"))
	cut := ""
	if tokens := agent.EstimateTokens(text); tokens > opponentReport {
		runes := []rune(text)
		text, cut = string(runes[:len(runes)*opponentReport/tokens]), "the rest is in the file"
	}
	return out.String() + agent.Outside("material", text, "what", "report", "cut", cut)
}

// object returns an opponent's last action. It sends back an objection whose place or passage is missing.
func (v Reviewer) object(report string, answered []answer) agent.Action {
	open, next := map[string]bool{}, 1
	for _, a := range answered {
		open[a.ID], next = true, next+1
	}
	run := func(_ context.Context, _ *agent.Turn, in objecting) (agent.Outcome, error) {
		found := []objection{}
		var wrong []string
		n := next
		for i, o := range in.Objections {
			passage, err := v.passage(report, o.Passage)
			switch {
			case prose.OneLine(o.What) == "":
				err = errors.New("says nothing")
			case !holdsWords(report, o.Where):
				err = fmt.Errorf("names a place that is not in the report: %q",
					prose.Shorten(o.Where, maxNamed))
			}
			if err != nil {
				wrong = append(wrong, fmt.Sprintf("objection %d %v", i+1, err))
				continue
			}
			id := strings.ToUpper(strings.TrimSpace(o.ID))
			if !open[id] {
				id, n = fmt.Sprintf("O%d", n), n+1
			}
			found = append(found, objection{ID: id, Where: plainLine(o.Where),
				What: plainLine(o.What), Remedy: plainLine(o.Remedy), Passage: passage})
		}
		if len(wrong) > 0 && len(found) < len(in.Objections) {
			return agent.Outcome{}, fmt.Errorf("%s. Copy words of the report to the letter, and give for each objection a block that you were shown (s7.3) or other words of the report; call object again with all that hold", strings.Join(wrong, "; "))
		}
		return agent.Answer(found)
	}
	return agent.NewAction("object", "Gives your objections and ends your work.", run)
}

// passage returns what an objection rests on: the block that it names, under its citation, or other words of
// the report.
func (v Reviewer) passage(report, named string) (string, error) {
	for _, m := range workspace.Marks("[" + strings.Trim(strings.TrimSpace(named), "[]") + "]") {
		for _, ref := range m.Refs {
			text, _, err := v.Workspace.SourceText(ref.ID)
			if err != nil {
				return "", fmt.Errorf("rests on %s, under which nothing was read", ref)
			}
			for _, b := range block.Split(text) {
				if b.N == ref.Block {
					return fmt.Sprintf("[%s] “%s”", ref, prose.Shorten(plainLine(b.Text), longestPassage)),
						nil
				}
			}
			return "", fmt.Errorf("rests on %s, and there is no such block; name one by its number", ref)
		}
	}
	if !holdsWords(report, named) {
		return "", fmt.Errorf("rests on %q, which is neither a block nor in the report",
			prose.Shorten(named, maxNamed))
	}
	return "“" + prose.Shorten(plainLine(named), longestObjection) + "”", nil
}

// holdsWords reports whether a text contains some words, whatever marks are around them. The words may leave
// out citations and link targets.
func holdsWords(text, words string) bool {
	holds := func(read func(string) string) bool {
		wanted := prose.Letters(read(words))
		return len(wanted) >= 8 && strings.Contains(prose.Letters(read(text)), wanted)
	}
	written := func(markdown string) string { return markdown }
	seen := func(markdown string) string {
		return citation.WithoutMarks(citation.Excerpt(block.Block{Text: markdown}))
	}
	return holds(written) || holds(seen)
}

// plainLine returns a model's sentence as it may be shown to another: one line that can close no mark.
func plainLine(text string) string {
	return prose.Shorten(agent.Disarm(prose.OneLine(text)), longestObjection)
}

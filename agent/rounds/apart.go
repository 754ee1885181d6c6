package rounds

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/checker"
	"github.com/daybook-agent/daybook/agent/prose"
)

// mostPairs bounds how many pairs of claims are named: nobody mends more at a time.
const mostPairs = 12

// compare names what chapters that agents of their own just wrote share with each other and with earlier
// chapters: what two of them say, and where they differ.
func (v Reviewer) compare(ctx context.Context, turn *agent.Turn, files []string) (string, error) {
	chapters, err := v.Workspace.Chapters()
	if err != nil {
		return "", err
	}
	var all citation.Statements
	for _, c := range chapters {
		all = append(all, v.stated(ctx, c.File)...)
	}
	twice, differ, err := v.pairs(ctx, turn, all, func(p citation.Pair) bool {
		return p.One.File != p.Other.File &&
			(slices.Contains(files, p.One.File) || slices.Contains(files, p.Other.File))
	})
	var out strings.Builder
	list(&out, "Two chapters speak of the same passage; what both say, say in one:", twice)
	list(&out, "Two places differ. Look at both passages; mend the one that is wrong, or say "+
		"that the sources disagree:", differ)
	return strings.TrimSpace(out.String()), err
}

// check names the citations of a chapter that do not hold, as the report's gate will.
func (v Reviewer) check(ctx context.Context, file string) string {
	r := v.reportOf(file)
	if r.Missing != nil {
		return "" // whoever hands it back is told
	}
	return gate.Citations().Refuse(ctx, r) + blankets(ctx, r.Text)
}

// stated lists the claims of a file.
func (v Reviewer) stated(ctx context.Context, file string) citation.Statements {
	return citation.Read(ctx, own(textOf(v.Workspace, file))).Stated(file)
}

// pairs lists which of the wanted pairs of claims overlap and which differ. Code finds both by their words;
// the checker decides whether different values contradict each other.
func (v Reviewer) pairs(ctx context.Context, turn *agent.Turn, all citation.Statements,
	wanted func(citation.Pair) bool) (twice, differ []string, err error) {
	unwanted := func(p citation.Pair) bool { return !wanted(p) }
	for _, p := range slices.DeleteFunc(all.Overlapping(), unwanted) {
		twice = append(twice, shownPair(p))
	}
	found := slices.DeleteFunc(all.Differing(), unwanted)
	found = found[:min(len(found), 2*mostPairs)]
	said := map[string]citation.Judgement{}
	asked := make([]citation.Question, len(found))
	for i, p := range found {
		// the label tells the judge that this is another statement, not a passage of a source
		label := fmt.Sprintf("the statement in %s, line %d", path.Base(p.Other.File), p.Other.Line)
		asked[i] = citation.Ask(p.One.Claim, []citation.Passage{{Label: label, Cited: true,
			Text: p.Other.Section + ": " + p.Other.Context + p.Other.Text + p.Other.After}})
	}
	if len(found) > 0 && v.checks() {
		said, err = checker.Checker{Brain: v.checkerBrain()}.Judge(ctx, turn.Nest, asked)
	}
	for i, p := range found {
		j, judged := said[asked[i].Key]
		if judged && (j.Verdict == citation.Supported || j.Verdict == citation.Unsupported) {
			continue
		}
		line := shownPair(p) + ": " + p.Why
		if j.Why != "" {
			line += " (" + agent.Disarm(j.Why) + ")"
		}
		differ = append(differ, line)
	}
	const more = "… and %d more"
	return bounded(twice, mostPairs, more), bounded(differ, mostPairs, more), err
}

func shownPair(p citation.Pair) string {
	return shownClaim(p.One) + " ↔ " + shownClaim(p.Other)
}

// shownClaim names a claim with its place and its citation.
func shownClaim(s citation.Stated) string {
	return fmt.Sprintf("%s:%d “%s” %s", path.Base(s.File), s.Line, inShort(s), inBrackets(s.Refs))
}

// inShort returns as much of a claim as it takes to find it.
func inShort(s citation.Stated) string {
	return agent.Disarm(prose.Shorten(prose.OneLine(s.Text), maxNamed))
}

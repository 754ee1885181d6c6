// Package checker lets a model judge whether the passages that a report cites support its claims.
//
// [Checker.Judge] is the function you want. Code finds the claims that it can neither confirm nor refute; the
// checker judges these, about fifteen per request:
//
//	c := checker.Checker{Brain: brain}
//	judgements, err := c.Judge(ctx, turn.Nest, result.Open()) // of a citation.Result
//
// The checker has one action, sees only claims and passages, and decides nothing: code acts on its verdicts.
// It invents nothing for a claim that the model did not judge. Judgements are stored under the keys of their
// questions, so that nobody pays for the same claim and passages twice.
package checker

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/sync/errgroup"
)

//go:embed check.md
var rules string

// verdicts are the model's possible verdicts, the mildest first.
var verdicts = []struct {
	word string
	citation.Verdict
}{
	{"supported", citation.Supported}, // all of it follows from a passage
	{"partly", citation.Partly},       // something in it is not in the passages
	{"not", citation.Unsupported},     // the passages do not say it
	{"contradicted", citation.Contradicted},
}

// Words returns the verdicts in the model's words, the mildest first.
func Words() (all []string) {
	for _, v := range verdicts {
		all = append(all, v.word)
	}
	return all
}

// rank returns the place of a verdict in the list, -1 for none.
func rank(v citation.Verdict) int {
	for i := range verdicts {
		if verdicts[i].Verdict == v {
			return i
		}
	}
	return -1
}

// Word returns the model's word for a verdict; "" for one that no model gives.
func Word(v citation.Verdict) string {
	if i := rank(v); i >= 0 {
		return verdicts[i].word
	}
	return ""
}

// Checker judges claims. It keeps no state and may be shared.
type Checker struct{ Brain agent.Brain }

// MostClaims bounds the claims judged in one request.
const MostClaims = 15

// Bounds for a request.
const (
	mostTokens = 6000 // of claims and passages
	replies    = 3    // the first, and two after an error message
	longestWhy = 200  // characters
	atOnce     = 4    // requests
)

// Judge returns a judgement, by key, for each claim that the model judged. It makes a few requests in
// parallel. Claims left out of a reply are asked about once more, and one by one if a request was too long
// for the model. After an error the run cannot continue.
func (c Checker) Judge(ctx context.Context, run agent.Runner,
	claims []citation.Question) (map[string]citation.Judgement, error) {
	judged := map[string]citation.Judgement{}
	for try, most := range []int{MostClaims, MostClaims, 1} {
		left := slices.DeleteFunc(slices.Clone(claims),
			func(q citation.Question) bool { _, done := judged[q.Key]; return done })
		tooLong, err := c.sideBySide(ctx, run, 1000*(try+1), batches(left, most), judged)
		if err != nil {
			return judged, fmt.Errorf("checking claims against their passages: %w", err)
		}
		if try == 1 && !tooLong {
			break
		}
	}
	return judged, nil
}

// sideBySide has batches judged, a few at once. The agent of each has its own name, numbered from number on,
// so that a resumed run finds its reply whatever the order was. After an error no more begin, unless the
// error concerns only one batch: too long, or filtered.
func (c Checker) sideBySide(ctx context.Context, run agent.Runner, number int, all [][]citation.Question,
	judged map[string]citation.Judgement) (tooLong bool, err error) {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	var alone sync.Mutex // guards judged and tooLong
	for n, batch := range all {
		group.Go(func() error {
			if within.Err() != nil {
				return context.Cause(within)
			}
			var said map[string]citation.Judgement
			err := agent.Caught("the checker", func() (err error) {
				said, err = c.judge(ctx, run, fmt.Sprintf("checker%d", number+n+1), batch)
				return err
			})
			alone.Lock()
			defer alone.Unlock()
			maps.Copy(judged, said)
			if errors.Is(err, agent.ErrTooLong) || errors.Is(err, agent.ErrFiltered) {
				tooLong = tooLong || errors.Is(err, agent.ErrTooLong)
				return nil
			}
			return err
		})
	}
	err = group.Wait()
	return tooLong, err
}

// batches divides claims within the bounds for a request.
func batches(claims []citation.Question, most int) [][]citation.Question {
	var all [][]citation.Question
	begin, tokens := 0, 0
	for i, c := range claims {
		cost := agent.EstimateTokens(show([]citation.Question{c}))
		if i > begin && (i-begin == most || tokens+cost > mostTokens) {
			all, begin, tokens = append(all, claims[begin:i]), i, 0
		}
		tokens += cost
	}
	if begin < len(claims) {
		all = append(all, claims[begin:])
	}
	return all
}

// judge asks about one batch and returns the judgements.
func (c Checker) judge(ctx context.Context, run agent.Runner, name string, batch []citation.Question) (
	map[string]citation.Judgement, error) {
	ask := fmt.Sprintf("Call verdicts once, with a verdict for each of the %d claims.", len(batch))
	result, err := run(ctx, agent.Asked(name, c.Brain, rules, show(batch)+ask, replies, giving(batch)))
	judged := map[string]citation.Judgement{}
	if err != nil || result.Reason != agent.Finished {
		return judged, err
	}
	for _, said := range agent.Answers[map[string]citation.Judgement](result.Text) {
		for key, j := range said {
			judged[key] = worse(judged[key], j)
		}
	}
	return judged, nil
}

// show writes claims with their passages for the model, each heading and passage only once.
func show(batch []citation.Question) string {
	var out strings.Builder
	section, shown := "", map[citation.Passage]int{}
	for i, c := range batch {
		if c.Section != section {
			section = c.Section
			out.WriteString("Under the heading: " +
				cmp.Or(agent.Disarm(prose.OneLine(section)), "none") + "\n\n")
		}
		fmt.Fprintf(&out, "Claim %d\n%s\n", i+1, agent.Outside("material", marked(c), "what", "claim"))
		for _, p := range c.Passages {
			cited := ""
			if !p.Cited {
				cited = "no"
			}
			p.Cited = false // one claim may cite the passage and another not
			text := strings.TrimSpace(p.Term + "\n" + p.Text)
			if n := shown[p]; n > 0 {
				text = fmt.Sprintf("(see claim %d)", n)
			} else {
				shown[p] = i + 1
			}
			out.WriteString(agent.Outside("material", text, "what", "passage", "label", p.Label,
				"cited", cited) + "\n")
		}
		out.WriteString("\n")
	}
	return out.String()
}

// marked returns a claim with its context. The part to judge is between marks that no other text can contain.
func marked(c citation.Question) string {
	text := unmarked.Replace(c.Text)
	if c.Context+c.After == "" {
		return text
	}
	return unmarked.Replace(c.Context) + "⟦" + text + "⟧" + unmarked.Replace(c.After)
}

var unmarked = strings.NewReplacer("⟦", "[", "⟧", "]")

// giving returns the checker's one action. It ends with the readable judgements, as JSON by the keys of their
// questions.
func giving(batch []citation.Question) agent.Action {
	type one struct {
		Claim   int    `json:"claim" jsonschema:"number of the claim"`
		Why     string `json:"why,omitempty" jsonschema:"a few words: what of the claim is missing or different in the passage"`
		Verdict string `json:"verdict" jsonschema:"supported, partly, not or contradicted"`
		Better  string `json:"better,omitempty" jsonschema:"label of another passage shown that supports the claim better"`
	}
	type input struct {
		Verdicts []one `json:"verdicts"`
	}
	run := func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
		found := map[string]citation.Judgement{}
		for _, v := range in.Verdicts {
			verdict := slices.Index(Words(), strings.ToLower(strings.TrimSpace(v.Verdict)))
			if v.Claim < 1 || v.Claim > len(batch) || verdict < 0 {
				continue
			}
			q := batch[v.Claim-1]
			found[q.Key] = worse(found[q.Key], citation.Judgement{Verdict: verdicts[verdict].Verdict,
				Why: prose.Shorten(prose.OneLine(v.Why), longestWhy), Better: known(q, v.Better)})
		}
		if len(found) == 0 {
			return agent.Outcome{}, fmt.Errorf(
				"no verdict can be read: give for each claim from 1 to %d its number and one of %q",
				len(batch), Words())
		}
		return agent.Answer(found)
	}
	return agent.NewAction("verdicts", "Gives your verdicts and ends your work.", run)
}

// worse returns the harsher of two judgements of the same claim.
func worse(a, b citation.Judgement) citation.Judgement {
	if rank(a.Verdict) > rank(b.Verdict) {
		return a
	}
	return b
}

// known returns a label if it was shown with the claim and the claim does not cite it; otherwise "".
func known(q citation.Question, label string) string {
	label = strings.Trim(strings.ToLower(strings.TrimSpace(label)), "[]")
	if slices.ContainsFunc(q.Passages,
		func(p citation.Passage) bool { return p.Label == label && !p.Cited }) {
		return label
	}
	return ""
}

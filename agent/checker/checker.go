// Package checker has a model judge whether the claims of a report are supported by the passages that they
// cite.
//
// [Checker.Judge] is the function you want. Code finds the claims that it can neither confirm nor refute; the
// checker judges those, some fifteen to a request:
//
//	c := checker.Checker{Brain: brain}
//	judgements, err := c.Judge(ctx, turn.Nest, []checker.Claim{{Text: sentence, Passages: passages}})
//
// The checker has one action, sees nothing but claims and passages, and decides nothing: what follows from a
// verdict is code's business. It makes nothing up for a claim that the model did not judge, and the same
// claim with the same passage has the same [Claim.Key], so that nobody pays for it twice.
package checker

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

//go:embed check.md
var rules string

// Verdict says how a claim relates to the passages that it cites.
type Verdict string

// The verdicts.
const (
	Supported    Verdict = "supported"    // all of it follows from a passage
	Partly       Verdict = "partly"       // something in it is not in the passages
	Unsupported  Verdict = "not"          // the passages do not say it
	Contradicted Verdict = "contradicted" // a passage says otherwise
)

// Passage is a block of a source under the label by which it is cited, such as s5.12.
type Passage struct{ Label, Text string }

// Claim is a sentence of a report with the passages that it may rest on. Cited says which of them it names;
// where it names a source alone, none is, and the passages are the likeliest.
type Claim struct {
	Text     string
	Context  string // what goes before it, such as the beginning of its sentence; may be ""
	After    string // what comes behind it in its sentence; may be ""
	Section  string // the heading that it is under, for what "it" and "this" mean; may be ""
	Cited    []string
	Passages []Passage
}

// Key identifies a claim with its passages: the SHA-256 of both.
func (c Claim) Key() string {
	sum := sha256.New()
	for _, p := range c.Passages {
		fmt.Fprintf(sum, "%s\x00%s\x00", p.Label, p.Text)
	}
	fmt.Fprintf(sum, "\x00%s\x00%s\x00%s", c.Context, c.Text+c.After, strings.Join(c.Cited, ","))
	return hex.EncodeToString(sum.Sum(nil))
}

// Judgement is what the model said of a claim. Why is in few words and in the language of the claim; Better
// is the label of a passage that supports the claim better than the cited one, or "".
type Judgement struct {
	Verdict Verdict `json:"verdict"`
	Why     string  `json:"why,omitempty"`
	Better  string  `json:"better,omitempty"`
}

// Checker judges claims. It keeps nothing and may be shared.
type Checker struct{ Brain agent.Brain }

// MostClaims is how many claims are judged in one request.
const MostClaims = 15

// Bounds of a request.
const (
	mostTokens = 6000 // of claims and passages
	replies    = 3    // the first, and two after an answer says what is wrong
	longestWhy = 200  // characters
	atOnce     = 4    // requests
)

// Judge returns a judgement for each claim that the model judged, by its key. A few requests are made side by
// side. What a reply leaves out is asked once more, and where a request was too long for the model, one by
// one. The error is one that a run cannot go on after.
func (c Checker) Judge(ctx context.Context, run agent.Runner, claims []Claim) (map[string]Judgement, error) {
	judged := map[string]Judgement{}
	for try, most := range []int{MostClaims, MostClaims, 1} {
		left := slices.DeleteFunc(slices.Clone(claims),
			func(claim Claim) bool { _, done := judged[claim.Key()]; return done })
		said, errs := c.sideBySide(ctx, run, 1000*(try+1), batches(left, most))
		tooLong := false
		for n := range said {
			maps.Copy(judged, said[n])
			tooLong = tooLong || errors.Is(errs[n], agent.ErrTooLong)
			if err := errs[n]; err != nil && !goesOn(err) {
				return judged, fmt.Errorf("checking claims against their passages: %w", err)
			}
		}
		if try == 1 && !tooLong {
			break
		}
	}
	return judged, nil
}

// goesOn reports whether the other batches can be judged when one had this error.
func goesOn(err error) bool {
	return errors.Is(err, agent.ErrTooLong) || errors.Is(err, agent.ErrFiltered)
}

// sideBySide has batches judged, a few at once. Each is judged by an agent of its own name, from the number
// on, so that a run which is resumed finds its reply whatever the order was. After an error none is begun.
func (c Checker) sideBySide(
	ctx context.Context,
	run agent.Runner,
	number int,
	all [][]Claim,
) ([]map[string]Judgement, []error) {
	said, errs := make([]map[string]Judgement, len(all)), make([]error, len(all))
	free := make(chan struct{}, atOnce)
	var failed atomic.Bool
	var asking sync.WaitGroup
	for n, batch := range all {
		free <- struct{}{}
		if failed.Load() {
			break
		}
		asking.Go(func() {
			errs[n] = agent.Caught("the checker", func() (err error) {
				said[n], err = c.judge(ctx, run, fmt.Sprintf("checker%d", number+n+1), batch)
				return err
			})
			failed.CompareAndSwap(false, errs[n] != nil && !goesOn(errs[n]))
			<-free
		})
	}
	asking.Wait()
	return said, errs
}

// batches divides claims by the bounds of a request.
func batches(claims []Claim, most int) [][]Claim {
	var all [][]Claim
	begin, tokens := 0, 0
	for i, c := range claims {
		cost := agent.EstimateTokens(show([]Claim{c}))
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

// judge asks about one batch and returns what was said.
func (c Checker) judge(
	ctx context.Context,
	run agent.Runner,
	name string,
	batch []Claim,
) (map[string]Judgement, error) {
	result, err := run(ctx, agent.Agent{
		Name:    name,
		Brain:   c.Brain,
		Actions: []agent.Action{verdicts(batch)},
		Open: func(context.Context) ([]agent.Message, error) {
			ask := fmt.Sprintf("Call verdicts once, with a verdict for each of the %d claims.", len(batch))
			return []agent.Message{agent.System(strings.TrimSpace(rules)), agent.User(show(batch) + ask)}, nil
		},
		Limits: agent.Limits{Steps: replies},
	})
	judged := map[string]Judgement{}
	if err != nil || result.Reason != agent.Finished {
		return judged, err
	}
	// several calls of one reply follow each other
	for d := json.NewDecoder(strings.NewReader(result.Text)); ; {
		said := map[string]Judgement{}
		if d.Decode(&said) != nil {
			return judged, nil
		}
		for key, j := range said {
			judged[key] = worse(judged[key], j)
		}
	}
}

// show writes claims with their passages for the model. A heading and a passage that were shown are not shown
// again.
func show(batch []Claim) string {
	var out strings.Builder
	section, shown := "", map[Passage]int{}
	for i, c := range batch {
		if c.Section != section {
			section = c.Section
			out.WriteString("Under the heading: " +
				cmp.Or(agent.Disarm(prose.OneLine(section)), "none") + "\n\n")
		}
		fmt.Fprintf(&out, "Claim %d\n%s\n", i+1, agent.Outside("material", c.marked(), "what", "claim"))
		for _, p := range c.Passages {
			cited := ""
			if !slices.Contains(c.Cited, p.Label) {
				cited = "no"
			}
			text := p.Text
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

// marked is a claim with what is around it: then what is to be judged is between marks that nothing else can
// set.
func (c Claim) marked() string {
	text := unmarked.Replace(c.Text)
	if c.Context+c.After == "" {
		return text
	}
	return unmarked.Replace(c.Context) + "⟦" + text + "⟧" + unmarked.Replace(c.After)
}

var unmarked = strings.NewReplacer("⟦", "[", "⟧", "]")

// verdicts is the one action of a checker. It ends with those judgements that can be read, as JSON by the
// keys of their claims.
func verdicts(batch []Claim) agent.Action {
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
		found := map[string]Judgement{}
		for _, v := range in.Verdicts {
			verdict := Verdict(strings.ToLower(strings.TrimSpace(v.Verdict)))
			if v.Claim < 1 || v.Claim > len(batch) || !slices.Contains(verdictOrder[1:], verdict) {
				continue
			}
			claim := batch[v.Claim-1]
			said := Judgement{verdict, prose.Shorten(prose.OneLine(v.Why), longestWhy),
				known(claim, v.Better)}
			found[claim.Key()] = worse(found[claim.Key()], said)
		}
		if len(found) == 0 {
			return agent.Outcome{}, fmt.Errorf(
				"no verdict can be read: give for each claim from 1 to %d its number and one of %q",
				len(batch), verdictOrder[1:])
		}
		return agent.Answer(found)
	}
	return agent.NewAction("verdicts", "Gives your verdicts and ends your work.", run)
}

// Verdicts returns all verdicts, the mildest first.
func Verdicts() []Verdict { return slices.Clone(verdictOrder[1:]) }

// verdictOrder is from no judgement to the harshest.
var verdictOrder = []Verdict{"", Supported, Partly, Unsupported, Contradicted}

// worse is the harsher of two judgements of the same claim.
func worse(a, b Judgement) Judgement {
	if slices.Index(verdictOrder, a.Verdict) > slices.Index(verdictOrder, b.Verdict) {
		return a
	}
	return b
}

// known is a label that was shown with the claim, or "".
func known(c Claim, label string) string {
	label = strings.Trim(strings.ToLower(strings.TrimSpace(label)), "[]")
	for _, p := range c.Passages {
		if p.Label == label && !slices.Contains(c.Cited, label) {
			return label
		}
	}
	return ""
}

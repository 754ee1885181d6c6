// Package trial measures how well a model judges claims against passages. It has a labelled set of pairs,
// half of them faithful and half with one planted fault, and counts a checker's verdicts.
//
// [Trial.Run] is the function you want:
//
//	pairs, err := trial.Pairs()
//	...
//	outcome, err := trial.Trial{Checker: checker.Checker{Brain: brain}, Pairs: pairs, Parallel: 4}.Run(ctx)
//	fmt.Println(outcome.Verdict())
//
// The set is pairs.jsonl, one [Pair] per line. Four claims, two of them faithful, share their passages, so
// that no passage gives away the verdict; pairs that share passages are never in one request, and the tests
// check that length and words give away nothing either. The passages are short statements written for this
// set.
//
// It does not judge whether a claim is true: a checker knows only the passages that it is shown.
package trial

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/checker"
)

//go:embed pairs.jsonl
var pairs []byte

// Pair is a claim with the passages shown with it, and the correct verdict.
type Pair struct {
	Claim    string             `json:"claim"`
	Passages []citation.Passage `json:"passages"`
	// labels of passages; none if the claim names only a source
	Cited   []string `json:"cited,omitempty"`
	Verdict string   `json:"verdict"`
	// label of the passage that supports the claim without being cited
	Better   string `json:"better,omitempty"`
	Kind     string `json:"kind"`            // of fault or faithful claim
	Language string `json:"language"`        // of the claim, such as en or zh
	Field    string `json:"field,omitempty"` // the subject of the passages
}

// Faulty reports whether a checker should doubt the claim.
func (p Pair) Faulty() bool { return p.Verdict != checker.Word(citation.Supported) }

func (p Pair) question() citation.Question {
	passages := slices.Clone(p.Passages)
	for i := range passages {
		passages[i].Cited = slices.Contains(p.Cited, passages[i].Label)
	}
	return citation.Ask(citation.Claim{Text: p.Claim}, passages)
}

// Pairs returns the set of this package.
func Pairs() ([]Pair, error) { return Read(bytes.NewReader(pairs)) }

// Read reads a set: one pair in JSON on each line. It skips empty lines.
func Read(from io.Reader) ([]Pair, error) {
	const longest = 1 << 20 // bytes of a line
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, longest)
	var set []Pair
	seen := map[string]int{}
	n := 1
	for ; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		pair, err := parse(lines.Bytes())
		if err != nil {
			return nil, fmt.Errorf("reading line %d: %w", n, err)
		}
		key := pair.question().Key
		if before, ok := seen[key]; ok {
			return nil, fmt.Errorf("reading line %d: its claim and passages are those of line %d; take one "+
				"of them out", n, before)
		}
		seen[key] = n
		set = append(set, pair)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading line %d: %w", n, err)
	}
	if len(set) == 0 {
		return nil, errors.New("the set contains no pair; write one in JSON on each line")
	}
	return set, nil
}

func parse(line []byte) (p Pair, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, fmt.Errorf("it must be a pair in JSON: %w", err)
	}
	if d.More() {
		return p, errors.New("it must be one pair; write the next on a line of its own")
	}
	return p, p.check()
}

// check returns what is wrong with a pair.
func (p Pair) check() error {
	for _, field := range [][2]string{{"claim", p.Claim}, {"kind", p.Kind}, {"language", p.Language}} {
		if strings.TrimSpace(field[1]) == "" {
			return fmt.Errorf("%q is missing", field[0])
		}
	}
	if len(p.Passages) == 0 {
		return errors.New(`"passages" is empty; a claim is judged against at least one`)
	}
	var shown []string
	for _, passage := range p.Passages {
		label := passage.Label
		switch {
		case strings.TrimSpace(passage.Text) == "":
			return fmt.Errorf("the passage %q has no text", label)
		case label == "" || label != strings.ToLower(strings.Join(strings.Fields(label), "")):
			return fmt.Errorf("a label is in lower case and without blanks, such as s1.4, not %q", label)
		case slices.Contains(shown, label):
			return fmt.Errorf("the label %q occurs twice", label)
		}
		shown = append(shown, label)
	}
	for _, label := range p.Cited {
		if !slices.Contains(shown, label) {
			return fmt.Errorf("no passage has the cited label %q", label)
		}
	}
	if !slices.Contains(checker.Words(), p.Verdict) {
		return fmt.Errorf("the verdict is one of %q, not %q", checker.Words(), p.Verdict)
	}
	if p.Better != "" && (!slices.Contains(shown, p.Better) || slices.Contains(p.Cited, p.Better)) {
		return fmt.Errorf("\"better\" is the label of a passage shown and not cited, not %q", p.Better)
	}
	return nil
}

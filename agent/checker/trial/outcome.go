package trial

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/checker"
)

// Outcome is the result of a trial.
type Outcome struct {
	Kinds     []Figures   `json:"kinds"` // those with faults first
	Languages []Figures   `json:"languages"`
	All       Figures     `json:"all"`
	Pairs     []Judged    `json:"pairs"` // including those without a verdict
	Usage     agent.Usage `json:"usage"`
	// Made is the number of pairs that the checker was asked about, Of the number of all pairs. An
	// interrupted trial has fewer made.
	Made int `json:"made"`
	Of   int `json:"of"`
}

// Figures sum up the pairs of one kind, of one language, or all. Unjudged pairs count only in Unjudged.
type Figures struct {
	Name        string `json:"name,omitempty"` // of the kind or language; "" for all
	Faulty      int    `json:"faulty"`
	Caught      int    `json:"caught"` // faulty ones that the checker did not call supported
	Faithful    int    `json:"faithful"`
	FalseAlarms int    `json:"false_alarms"` // faithful ones that it did not call supported
	AsLabelled  int    `json:"as_labelled"`  // those with exactly the expected verdict
	Elsewhere   int    `json:"elsewhere"`    // those supported by a passage that they do not cite
	Found       int    `json:"found"`        // those for which the checker named that passage
	Unjudged    int    `json:"unjudged"`
}

func outcome(list []Judged) Outcome {
	o := Outcome{Pairs: list, Of: len(list)}
	kinds, languages, planted := map[string]Figures{}, map[string]Figures{}, map[string]bool{}
	for _, j := range list {
		if !j.asked {
			continue
		}
		o.Made++
		planted[j.Kind] = planted[j.Kind] || j.pair.Faulty()
		o.All = o.All.with(j, "")
		kinds[j.Kind] = kinds[j.Kind].with(j, j.Kind)
		languages[j.Language] = languages[j.Language].with(j, j.Language)
	}
	byName := func(a, b Figures) int { return cmp.Compare(a.Name, b.Name) }
	o.Kinds = slices.SortedFunc(maps.Values(kinds), func(a, b Figures) int {
		switch {
		case planted[a.Name] == planted[b.Name]:
			return byName(a, b)
		case planted[a.Name]:
			return -1
		}
		return 1
	})
	o.Languages = slices.SortedFunc(maps.Values(languages), byName)
	return o
}

// with returns the figures with a pair added.
func (f Figures) with(j Judged, name string) Figures {
	f.Name = name
	if j.Verdict == "" {
		f.Unjudged++
		return f
	}
	doubted := 0
	if j.Verdict != checker.Word(citation.Supported) {
		doubted = 1
	}
	if j.pair.Faulty() {
		f.Faulty, f.Caught = f.Faulty+1, f.Caught+doubted
	} else {
		f.Faithful, f.FalseAlarms = f.Faithful+1, f.FalseAlarms+doubted
	}
	if j.Verdict == j.Expected {
		f.AsLabelled++
	}
	if j.pair.Better != "" {
		f.Elsewhere++
		if j.Better == j.pair.Better {
			f.Found++
		}
	}
	return f
}

// Judged returns the number of pairs with a verdict.
func (f Figures) Judged() int { return f.Faulty + f.Faithful }

// blind reports whether the checker doubts faulty claims hardly more often than faithful ones.
func (f Figures) blind() bool {
	const least = 0.2 // of all claims; below this a verdict means too little to act on
	part := func(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
	return f.Faulty > 0 && f.Faithful > 0 && part(f.Caught, f.Faulty)-part(f.FalseAlarms, f.Faithful) < least
}

// Verdict returns a line on what the figures mean for anyone who wants to rely on this checker.
func (o Outcome) Verdict() string {
	if o.All.Judged() == 0 {
		return fmt.Sprintf(
			"nothing can be said of this checker: none of %d pairs got a verdict that could be read", o.Made)
	}
	line := fmt.Sprintf("this checker catches %d of %d planted faults and doubts %d of %d faithful claims",
		o.All.Caught, o.All.Faulty, o.All.FalseAlarms, o.All.Faithful)
	if o.All.blind() {
		line += ": it hardly tells them apart, so do not rely on it"
	}
	if n := o.All.Unjudged; n > 0 {
		line += fmt.Sprintf("; %d of %d pairs got no verdict and are left out", n, o.Made)
	}
	return line
}

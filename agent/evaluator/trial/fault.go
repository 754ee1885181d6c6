package trial

import (
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/evaluator"
)

// Fault is a kind of planted fault. Its values are read by people.
type Fault string

// The faults. Honest means none.
const (
	Honest         Fault = ""
	MissingChapter Fault = "missing chapter" // a part of the question is no longer answered
	// an old figure given as current, with a newer source in the list
	StaleFigure   Fault = "stale figure"
	OneSided      Fault = "one-sided sources" // all sources are from one interested party
	InventedQuote Fault = "invented quote"    // a quote that is in no chapter
	Padding       Fault = "padding"           // empty phrases, and repetition in other words
)

// Faults returns all faults, in the order in which they are shown.
func Faults() []Fault {
	return []Fault{MissingChapter, StaleFigure, OneSided, InventedQuote, Padding}
}

// The four dimensions of a judgement, in the order of marks.
const (
	completeness = iota
	depth
	reliability
)

// dimension returns the score that the fault should hurt most, by the evaluator's scale.
func (f Fault) dimension() int {
	switch f {
	case MissingChapter:
		return completeness
	case Padding:
		return depth
	}
	return reliability
}

func marks(a evaluator.Assessment) [4]evaluator.Mark {
	return [4]evaluator.Mark{a.Completeness, a.Depth, a.Reliability, a.Actionability}
}

// seenIn reports whether a judge recognised the fault, not only that something is worse. Either the mark that
// it should hurt fell, and no other fell more. Or one of the fault's words is in the gaps, the directions,
// the analysis or that mark's reason, but was not for the honest report: a word that the judge always uses
// proves nothing.
func (p Planted) seenIn(honest, faulty evaluator.Assessment) bool {
	before, after, hurt := marks(honest), marks(faulty), p.Fault.dimension()
	fell := before[hurt].Score - after[hurt].Score
	most := fell
	for i := range before {
		most = max(most, before[i].Score-after[i].Score)
	}
	if fell > 0 && fell == most {
		return true
	}
	without, with := said(honest, hurt), said(faulty, hurt)
	return slices.ContainsFunc(p.Words, func(word string) bool {
		return word != "" && strings.Contains(with, word) && !strings.Contains(without, word)
	})
}

func said(a evaluator.Assessment, dimension int) string {
	return strings.ToLower(strings.Join(slices.Concat(a.Gaps, a.Directions,
		[]string{a.Analysis, marks(a)[dimension].Reason}), "\n"))
}

package citation

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Stated is a claim with its citations, in one of several texts that are compared.
type Stated struct {
	Claim
	File string

	sumsUp  bool // it is in a table of decisions, or of differences between the sources
	figures []figure.Figure
	words   map[string]bool // meaningful ones, without figures
	few     map[string]bool // those of them that are its own, if most come from its context
}

// Similarity of two claims by their words, from 0 to 1.
const (
	sameClaim  = 0.75 // they say the same, in nearly the same words
	sameThing  = 0.5  // they may speak of the same thing
	overlaps   = 0.4  // if they cite the same block, they do: 11 of 13 pairs in two researches
	otherClaim = 0.15 // they have nothing in common
	leastWords = 4    // minimum for both, for these values to mean something
)

// Statements are claims of one or several texts, which are compared.
type Statements []Stated

// Stated lists the claims of a text that cite something.
func (r *Report) Stated(file string) (all Statements) {
	for _, c := range r.claims {
		s := Stated{Claim: c.Claim, File: file, figures: c.figures, words: grams(tokens(c.Text)),
			sumsUp: c.cellOf != nil && summary.MatchString(c.Section)}
		isFigure := func(w string, _ bool) bool { return isDigit(rune(w[0])) }
		if len(s.words) < leastWords { // it is a cell, or the rest of a sentence
			s.few, s.words = s.words, grams(tokens(c.Context+c.Text))
			maps.DeleteFunc(s.few, isFigure)
		}
		maps.DeleteFunc(s.words, isFigure)
		all = append(all, s)
	}
	return all
}

// weights gives each word of some claims its weight: a rare word weighs more than a common one.
type weights map[string]float64

func weigh(all ...Statements) weights {
	w, n := weights{}, 0.0
	for _, stated := range all {
		for _, s := range stated {
			n++
			for word := range s.words {
				w[word]++
			}
		}
	}
	for word, in := range w {
		w[word] = math.Log(1 + (n+1)/in)
	}
	return w
}

// sum returns the total weight of some words, and the weight of those that are also in others.
func (w weights) sum(words, others map[string]bool) (all, both float64) {
	for word := range words {
		if all += w[word]; others[word] {
			both += w[word]
		}
	}
	return all, both
}

// alike returns, from 0 to 1, how much of the shorter of two claims is in the other.
func (w weights) alike(a, b Stated) float64 {
	mine, both := w.sum(a.words, b.words)
	theirs, _ := w.sum(b.words, a.words)
	return both / max(min(mine, theirs), 1e-9)
}

// own returns, from 0 to 1, how much of a claim's few own words is in another; its context does not count, as
// all claims of its sentence share it. For a claim with enough words it returns without.
func (w weights) own(claim, other Stated, without float64) float64 {
	all, both := w.sum(claim.few, other.words)
	if all == 0 {
		return without
	}
	return both / all
}

func (s Stated) says() bool { return len(s.words) >= leastWords }

// Shares reports whether two claims cite the same block, or one of them its source as a whole.
func (s Stated) Shares(other Stated) bool {
	return slices.ContainsFunc(s.Refs, func(a workspace.Ref) bool {
		return slices.ContainsFunc(other.Refs, func(b workspace.Ref) bool {
			return a.ID == b.ID && (a.Block == b.Block || a.Block == 0 || b.Block == 0)
		})
	})
}

// astray is a claim of a chapter that a report lacks with its citation. In has that citation or its words.
type astray struct {
	Stated
	In *Stated
}

// Astray lists the claims of chapters whose citation is missing in the report, or is at another claim. Merged
// claims are left out: chapters said one thing of a block twice, and the report has it once.
func (report Statements) Astray(chapters Statements) (all []astray) {
	w, before := weigh(report, chapters), weigh(chapters)
	carries := make([]float64, len(report)) // how much of each is from a chapter, with its citation
	for i, said := range report {
		for _, claim := range chapters {
			if said.Shares(claim) {
				carries[i] = max(carries[i], w.alike(claim, said))
			}
		}
	}
	for _, claim := range chapters {
		cited, citedAlike := w.cited(claim, report)
		words, alike := w.worded(claim, report)
		switch {
		case alike >= sameClaim && chapters.lack(report[words], claim.Refs[0].ID):
			// its citation was fixed: another block of the source, which no chapter cites
		case alike >= sameClaim && citedAlike < sameThing:
			all = append(all, astray{claim, &report[words]})
		case cited < 0:
			all = append(all, astray{claim, nil})
		case !claim.says() || citedAlike >= sameThing: // it is there
		case slices.ContainsFunc(chapters, func(other Stated) bool {
			return before.overlap(claim, other) && slices.ContainsFunc(report, func(said Stated) bool {
				return said.Shares(claim) && said.Shares(other) && w.like(other, said) >= sameThing
			})
		}): // it was merged: a claim with the citation of both still states the other
		case carries[cited] >= sameClaim || report[cited].says() && citedAlike < otherClaim:
			all = append(all, astray{claim, &report[cited]})
		}
	}
	return all
}

// like returns how much of a claim is in another. A claim with few words of its own is there if these are.
func (w weights) like(claim, said Stated) float64 {
	return max(w.alike(claim, said), w.own(claim, said, 0))
}

// cited returns the most similar claim with the same citation, or -1.
func (w weights) cited(claim Stated, report Statements) (at int, alike float64) {
	at = -1
	for i, said := range report {
		if said.Shares(claim) {
			if a := w.like(claim, said); at < 0 || a > alike {
				at, alike = i, a
			}
		}
	}
	return at, alike
}

// worded returns the most similar claim with another citation, or -1. Claims with few words of their own must
// share these: list items are not alike just because the same sentence introduces them.
func (w weights) worded(claim Stated, report Statements) (at int, alike float64) {
	at = -1
	for i, said := range report {
		if said.Shares(claim) || !claim.says() || !said.says() {
			continue
		}
		if a := min(w.alike(claim, said), w.own(claim, said, 1), w.own(said, claim, 1)); a > alike {
			at, alike = i, a
		}
	}
	return at, alike
}

// lack reports whether said cites a block of a source that none of the claims cites.
func (all Statements) lack(said Stated, id string) bool {
	return slices.ContainsFunc(said.Refs, func(ref workspace.Ref) bool {
		one := Stated{Claim: Claim{Refs: []workspace.Ref{ref}}}
		return ref.ID == id && !slices.ContainsFunc(all, one.Shares)
	})
}

// Pair is two claims in different places. Why is the difference between them, or "".
type Pair struct {
	One, Other Stated
	Why        string
}

// summary matches the heading of a table that repeats, with citations, what is stated in full elsewhere.
var summary = regexp.MustCompile(`(?i)` + oneOf("titles of summaries"))

// Twice lists the claims that are made in two places, in nearly the same words and with the same block. A
// summary table may repeat the text.
func (all Statements) Twice() []Pair {
	w := weigh(all)
	return between(all, func(a, b Stated) (string, bool) {
		return "", a.sumsUp == b.sumsUp && a.Shares(b) && a.says() && b.says() &&
			w.alike(a, b) >= sameClaim && len(beyond(a, b)) == 0 && len(beyond(b, a)) == 0
	})
}

// Overlapping lists the claims in two places that cite the same block and share many of their words: mostly
// one thing stated twice, in other words or with other details. Claims that differ are left out.
func (all Statements) Overlapping() []Pair {
	w := weigh(all)
	return between(all,
		func(a, b Stated) (string, bool) { return "", a.sumsUp == b.sumsUp && w.overlap(a, b) })
}

func (w weights) overlap(a, b Stated) bool {
	_, differ := w.differ(a, b)
	return !differ && a.Shares(b) && a.says() && b.says() && w.alike(a, b) >= overlaps
}

// Differing lists claims that are made twice in similar words, but with other values, or reversed.
func (all Statements) Differing() []Pair { return between(all, weigh(all).differ) }

func (w weights) differ(a, b Stated) (why string, ok bool) {
	if !a.says() || !b.says() {
		return "", false
	}
	alike := w.alike(a, b)
	if alike < sameThing {
		return "", false
	}
	for _, mine := range beyond(a, b) {
		for _, theirs := range beyond(b, a) {
			if mine.Comparable(theirs) {
				return mine.Text + " / " + theirs.Text, true
			}
		}
	}
	if sides := turned(a.Text, b.Text); alike >= sameClaim && sides != "" {
		return sides, true
	}
	return "", false
}

// between lists the pairs from two places that a test accepts. A place is a section of a file.
func between(all Statements, chosen func(a, b Stated) (why string, ok bool)) (found []Pair) {
	for i, b := range all {
		for _, a := range all[:i] {
			if a.File == b.File && a.Section == b.Section {
				continue
			}
			if why, ok := chosen(a, b); ok {
				found = append(found, Pair{a, b, why})
			}
		}
	}
	return found
}

// beyond lists the figures of a claim that another lacks.
func beyond(a, b Stated) (all []figure.Figure) {
	var theirs figure.Set
	theirs.Add(strings.Join([]string{b.Context, b.Text, b.After}, " "), "")
	for _, f := range a.figures {
		if !theirs.Has(f) {
			all = append(all, f)
		}
	}
	return all
}

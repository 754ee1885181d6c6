package citation

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Stated is a claim with its citations, in one of several texts that are compared.
type Stated struct {
	Claim
	File string

	figures []figure.Figure
	words   map[string]bool // that say something, without figures
}

// How alike two claims are, from 0 to 1, by their words.
const (
	sameClaim  = 0.75 // they say the same, in nearly the same words
	sameThing  = 0.5  // they may speak of the same thing
	overlap    = 0.4  // citing the same block, they do: 11 of 13 such pairs in the chapters of two researches
	otherClaim = 0.15 // they have nothing in common
	leastWords = 4    // that both must have, for these to mean something
)

// Statements are claims of one or several texts, which are compared.
type Statements []Stated

// Stated lists the claims of a text that cite something.
func (r *Report) Stated(file string) (all Statements) {
	for _, c := range r.claims {
		s := Stated{Claim: c.Claim, File: file, figures: c.figures, words: grams(tokens(c.Text))}
		if len(s.words) < leastWords { // it is a cell, or the rest of a sentence
			s.words = grams(tokens(c.Context + c.Text))
		}
		maps.DeleteFunc(s.words, func(w string, _ bool) bool { return isDigit(rune(w[0])) })
		all = append(all, s)
	}
	return all
}

// weights say how much each word of some claims says: a rare one more than a common one.
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

// alike says from 0 to 1 how much of the shorter of two claims is in the other.
func (w weights) alike(a, b Stated) float64 {
	sum := func(words, others map[string]bool) (all, both float64) {
		for word := range words {
			if all += w[word]; others[word] {
				both += w[word]
			}
		}
		return all, both
	}
	mine, both := sum(a.words, b.words)
	theirs, _ := sum(b.words, a.words)
	return both / max(min(mine, theirs), 1e-9)
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

// Astray lists the claims of chapters that in the report lost their citation, or have it at another claim.
func (report Statements) Astray(chapters Statements) []astray {
	w := weigh(report, chapters)
	// how much of each is a claim of a chapter with its citation; below 0 where no chapter has that
	carries := slices.Repeat([]float64{-1}, len(report))
	for i, said := range report {
		for _, claim := range chapters {
			if said.Shares(claim) {
				carries[i] = max(carries[i], w.alike(claim, said))
			}
		}
	}
	var all []astray
	for _, claim := range chapters {
		words, cited := -1, -1 // what is most like it, and what of that has its citation
		alike, citedAlike := 0.0, 0.0
		for i, said := range report {
			a := w.alike(claim, said)
			if said.Shares(claim) && (cited < 0 || a > citedAlike) {
				cited, citedAlike = i, a
			} else if a > alike && claim.says() && said.says() {
				words, alike = i, a
			}
		}
		switch {
		case alike >= sameClaim && carries[words] < 0 && claim.Refs[0].ID == report[words].Refs[0].ID:
			// its citation was mended: another block of the source, which no chapter cites
		case alike >= sameClaim && citedAlike < sameThing:
			all = append(all, astray{claim, &report[words]})
		case cited < 0:
			all = append(all, astray{claim, nil})
		case !claim.says() || citedAlike >= sameThing: // it is there
		case carries[cited] >= sameClaim || report[cited].says() && citedAlike < otherClaim:
			all = append(all, astray{claim, &report[cited]})
		}
	}
	return all
}

// Pair is two claims that are in different places. Why says in what they differ; "" where they do not.
type Pair struct {
	One, Other Stated
	Why        string
}

// Twice lists the claims that are made in two places, in nearly the same words and with the same block.
func (all Statements) Twice() []Pair {
	w := weigh(all)
	return between(all, func(a, b Stated) (string, bool) {
		return "", a.Shares(b) && a.says() && b.says() && w.alike(a, b) >= sameClaim &&
			len(beyond(a, b)) == 0 && len(beyond(b, a)) == 0
	})
}

// Overlapping lists the claims in two places that cite the same block and have much of their words in common:
// mostly one thing told twice, in other words or with other details. Those that differ are none.
func (all Statements) Overlapping() []Pair {
	w := weigh(all)
	return between(all, func(a, b Stated) (string, bool) {
		_, differ := w.differ(a, b)
		return "", !differ && a.Shares(b) && a.says() && b.says() && w.alike(a, b) >= overlap
	})
}

// Differing lists claims that are made twice in much the same words with other values, or turned round.
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

// between lists those of two places that a test chooses. A place is a section of a file.
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

// beyond lists the figures of a claim that another does not have.
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

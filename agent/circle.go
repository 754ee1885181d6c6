package agent

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// maxTrail bounds the past calls compared. Older ones had another purpose, or are forgotten.
	maxTrail = 12
	// maxSame bounds how often a call may be repeated in a circle, or fail in the same words whatever is
	// tried in between. Halfway the Brain is warned, and from then on the third identical call in a row is
	// not carried out: this gives it time to think again.
	maxSame = 6
	// warnFailing and maxFailing count consecutive replies in which every call failed. A model that has lost
	// its way fails forever, while a network outage or a row of sites that let nobody in passes within a few
	// tries.
	warnFailing = 3
	maxFailing  = 10
	maxSilent   = 3
)

// perCircle is the least number of each call in a circle. Honest work looks at a thing twice, before and
// after, and moves on.
const perCircle = 3

// vain is a call that keeps failing in the same words, over several replies, whatever else works.
type vain struct {
	Same   uint64 `json:"same,string"`
	Args   uint64 `json:"args,string"`
	Action string `json:"action"`
	Times  int    `json:"times"` // replies with this call
	Step   int    `json:"step"`  // the last of them
	Warned int    `json:"warned,omitempty"`
}

// maxVain bounds the calls kept; those not made for maxTrail replies are forgotten.
const maxVain = 16

// countVain counts the replies with this failed call, and drops calls that have worked since.
func (w *Watch) countVain(t trace) (warning string) {
	w.Vain = slices.DeleteFunc(slices.Clone(w.Vain), func(v vain) bool {
		return t.Step-v.Step > maxTrail || v.Args == t.Args && !t.Failed
	})
	if !t.Failed {
		return ""
	}
	i := slices.IndexFunc(w.Vain, func(v vain) bool { return v.Same == t.Same })
	if i < 0 {
		if len(w.Vain) == maxVain {
			w.Vain = w.Vain[1:]
		}
		w.Vain = append(w.Vain, vain{Same: t.Same, Args: t.Args, Action: t.Action, Times: 1, Step: t.Step})
		return ""
	}
	v := &w.Vain[i]
	if v.Step != t.Step {
		v.Times, v.Step = v.Times+1, t.Step
	}
	if v.Times < maxSame/2 || v.Warned == t.Step {
		return ""
	}
	if v.Warned == 0 {
		v.Warned = t.Step
	}
	return fmt.Sprintf("This call of %s failed %d times in the same words. Do it another way, or leave it: "+
		"going on like this ends the work.", t.Action, v.Times)
}

// circle returns the repeating end of the trail, nil if there is none: the fewest last calls in which each
// occurs three times, and those just before that are the same.
func (w *Watch) circle() []trace {
	n := len(w.Trail)
	if n == 0 || count(w.Trail, w.Trail[n-1]) < perCircle {
		return nil
	}
	for from := n - perCircle; from >= 0; from-- {
		round := w.Trail[from:]
		if slices.ContainsFunc(round, func(t trace) bool { return count(round, t) < perCircle }) {
			continue
		}
		for from > 0 && count(round, w.Trail[from-1]) > 0 {
			from--
		}
		return w.Trail[from:]
	}
	return nil
}

func count(traces []trace, of trace) int {
	n := 0
	for _, t := range traces {
		if t.is(of) {
			n++
		}
	}
	return n
}

// repetition returns the call of the agent's circle that another call would only repeat.
func (w *Watch) repetition(of trace) (trace, bool) {
	for _, t := range w.circle() {
		if t.Args == of.Args {
			return t, true
		}
	}
	return trace{}, false
}

// note adds a call to the trail and returns a warning for its result, "" for none.
func (w *Watch) note(t trace) string {
	w.Trail = append(w.Trail[max(0, len(w.Trail)-maxTrail+1):], t)
	n, same, first := 0, 0, t.Step
	for _, other := range w.Trail {
		if t.is(other) {
			n++
			first = min(first, other.Step)
		}
		if t.Same == other.Same {
			same++
		}
	}
	text := ""
	switch {
	case n >= 3 && same == n:
		text = fmt.Sprintf("You have made this very call of %s %d times of late, with the same result. Use "+
			"that result, or do something else: going on like this ends the work.", t.Action, n)
	case n >= 3 && first < t.Step: // many in one reply, such as all parts of a page, are planned
		text = fmt.Sprintf("Your last %d calls of %s differ in numbers only, and bring nothing "+
			"new. Do something else: going on like this ends the work.", n, t.Action)
	case w.pingPong():
		other := w.Trail[len(w.Trail)-2].Action
		text = fmt.Sprintf("Your last four calls, of %s and %s, are two that you made twice, with the same "+
			"results. Use those results, or do something else: going on like this ends the work.",
			other, t.Action)
	}
	if vain := w.countVain(t); text == "" {
		text = vain
	}
	w.Trail[len(w.Trail)-1].Warned = text != "" || t.Warned
	return text
}

// pingPong reports whether the last four calls are two in alternation, over more than one reply.
func (w *Watch) pingPong() bool {
	n := len(w.Trail)
	if n < 4 || w.Trail[n-4].Step == w.Trail[n-1].Step || w.Trail[n-1].is(w.Trail[n-2]) {
		return false
	}
	return w.Trail[n-1].is(w.Trail[n-3]) && w.Trail[n-2].is(w.Trail[n-4])
}

// lost returns why an agent that leads nowhere has to end, "" if it need not. A circle or a repeated failure
// counts only if the Brain was warned in an earlier step and made the last call all the same.
func (w *Watch) lost(step int) (Reason, string) {
	last := func(t trace) bool { return t.is(w.Trail[len(w.Trail)-1]) && t.Warned && t.Step < step }
	if round := w.circle(); len(round) >= maxSame && slices.ContainsFunc(round, last) {
		var names []string
		for _, t := range round {
			if !slices.Contains(names, t.Action) {
				names = append(names, t.Action)
			}
		}
		return Looping, fmt.Sprintf("the last %d calls were the same over and over (%s), "+
			"with the same results", len(round), strings.Join(names, ", "))
	}
	for _, v := range w.Vain {
		if v.Step == step && v.Times >= maxSame && v.Warned > 0 && v.Warned < step {
			return Looping, fmt.Sprintf("a call of %s failed %d times over, in the same words",
				v.Action, v.Times)
		}
	}
	if w.Failing >= maxFailing {
		return Stuck, fmt.Sprintf("every call of the last %d replies failed", w.Failing)
	}
	return "", ""
}

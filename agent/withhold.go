package agent

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// withholding is how many pages are withheld before one step. Those that were read in one reply are all under
// suspicion; with more of them the trouble lies elsewhere.
const withholding = 3

const withheld = "[Withheld: the content filter of the model's server refused the conversation with this " +
	"text in it. Go on without it, and use another source.]"

// lighten makes the conversation such that a Brain whose content filter refused it may be asked again: a page
// is withheld, or else the history dropped. It returns the error when that is of no use.
func (r *run) lighten(err error) error {
	if !errors.Is(err, ErrFiltered) {
		return err
	}
	if done, err := r.withhold(); done || err != nil {
		return err
	}
	if r.grown() {
		r.emit(Warned{At: r.at(), Text: fmt.Sprintf(
			"The conversation is dropped and opened again from the start of a stretch: %v", err)})
		return r.drop()
	}
	return err
}

// withhold takes out of the conversation the text from outside that was shown last, because a content filter
// refused the conversation with it, and puts that on record for the step that is asked for again. It says
// whether there was one.
func (r *run) withhold() (bool, error) {
	if len(r.taken) >= withholding {
		return false, nil
	}
	for _, m := range slices.Backward(r.talk.Messages) {
		mark := outsideMark.FindString(m.Text)
		if m.Role != RoleResult || mark == "" {
			continue
		}
		r.taken = append(r.taken, m.CallID)
		if err := r.record(r.keyOf(r.step+1, "withheld"), r.taken); err != nil {
			return false, err
		}
		// what is told before a step is told again
		r.talk.Messages, r.pending = r.talk.Messages[:len(r.talk.Messages)-r.pending], 0
		r.emit(Warned{At: r.at(), Text: "The content filter of the model's server refused a text " +
			"from outside. It is withheld from the model, and the work goes on: " + mark})
		return true, nil
	}
	return false, nil
}

// withheld takes out what is withheld before this step, by this run or by one before it.
func (r *run) withheld() {
	if len(r.taken) == 0 { // else this run has gone on from there
		r.recall(r.stepKey("withheld"), &r.taken)
	}
	if len(r.taken) == 0 {
		return
	}
	r.talk.Messages = slices.Clone(r.talk.Messages) // others may still look at the old ones
	for i, m := range r.talk.Messages {
		if m.Role == RoleResult && slices.Contains(r.taken, m.CallID) {
			r.talk.Messages[i].Text = withheld
		}
	}
	r.talk.Memo = nil // an encoding of what was there
}

// outsideMark finds the mark before the text from outside that a result shows, which says what it is.
var outsideMark = regexp.MustCompile(`<(?:` + outsideKinds + `)[ >][^\n]*`)

package agent

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// withholding bounds the pages withheld before one step. All pages read in one reply are suspects; beyond
// three the trouble lies elsewhere.
const withholding = 3

const withheld = "[Withheld: the content filter of the model's server refused the conversation with this " +
	"text in it. Go on without it, and use another source.]"

// lighten changes the conversation after a content filter refused it, so that the Brain can be asked again:
// it withholds a page, or drops the history. It returns the error if neither helps.
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

// withhold removes the outside text shown last, because a content filter refused the conversation, and
// records that for the repeated step. It reports whether there was one.
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
		// messages before a step are repeated
		r.talk.Messages, r.pending = r.talk.Messages[:len(r.talk.Messages)-r.pending], 0
		r.emit(Warned{At: r.at(), Text: "The content filter of the model's server refused a text " +
			"from outside. It is withheld from the model, and the work goes on: " + mark})
		return true, nil
	}
	return false, nil
}

// withheld removes what this or an earlier run withheld before this step.
func (r *run) withheld() {
	if len(r.taken) == 0 { // otherwise this run has gone on from there
		r.recall(r.stepKey("withheld"), &r.taken)
	}
	if len(r.taken) == 0 {
		return
	}
	r.talk.Messages = slices.Clone(r.talk.Messages) // others may still read the old slice
	for i, m := range r.talk.Messages {
		if m.Role == RoleResult && slices.Contains(r.taken, m.CallID) {
			r.talk.Messages[i].Text = withheld
		}
	}
	r.talk.Memo = nil // it may encode the old messages
}

// outsideMark finds the opening mark of an outside text in a result; it describes the text.
var outsideMark = regexp.MustCompile(`<(?:` + outsideKinds + `)[ >][^\n]*`)

package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Notice is news from outside, as a text for the Brain and as facts for programs.
type Notice struct {
	Text  string `json:"text"`
	Facts []Fact `json:"facts,omitempty"`
}

// UnmarshalJSON implements json.Unmarshaler. Older journals hold only the text.
func (n *Notice) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &n.Text) == nil {
		return nil
	}
	type plain Notice
	return json.Unmarshal(data, (*plain)(n))
}

// notice reports to the Brain what happened outside since the last step.
func (r *run) notice(ctx context.Context) error {
	var told Notice
	if r.agent.Notice == nil {
		return nil
	}
	key := r.stepKey("notice")
	switch {
	case r.untold.Text != "": // it was said in a conversation that was too long
		told = r.untold
		if err := r.record(key, told); err != nil {
			return err
		}
	case !r.recall(key, &told):
		if r.next != nil {
			return nil // the step is on record, without a notice
		}
		var err error
		if told, err = r.agent.Notice(ctx); err != nil {
			return fmt.Errorf("looking for changes before step %d of %s: %w", r.step, r.path, err)
		}
		if told.Text == "" {
			return nil
		}
		if err := r.record(key, told); err != nil {
			return err
		}
		r.emit(Noticed{At: r.at(), Text: told.Text, Facts: told.Facts})
	}
	r.untold = told
	r.say(User(told.Text))
	return nil
}

// stages holds the highest warning given in this stretch for each allowance (0, warnAt or closeAt), and last
// the one for the context window (0, askAt or mustAt).
type stages [5]float64

// warning is the record of a warning given to an agent.
type warning struct {
	Text string `json:"text"`
	Told stages `json:"told"`
}

// warn warns the Brain once in a stretch when 80 % of a limit are used, and once at 85 %, when it has to
// finish; likewise when the model's window is nearly full. It also warns when half of Limits.Idle has passed,
// and reports when a new allowance permits what was refused.
func (r *run) warn() (stages, error) {
	var told warning
	key := r.stepKey("warning")
	if r.step == r.anew { // that key holds what was told in the dropped conversation
		key = r.stepKey("warning anew")
	}
	switch {
	case r.recall(key, &told):
	case r.next != nil:
		return r.told, nil // the step is on record, without a warning
	default:
		if told = r.warning(); told.Text == "" {
			return told.Told, nil
		}
		if err := r.record(key, told); err != nil {
			return told.Told, err
		}
		r.emit(Warned{At: r.at(), Text: told.Text})
	}
	r.say(User(told.Text))
	return told.Told, nil
}

// warning returns the warnings due before a step.
func (r *run) warning() warning {
	told, texts := r.told, []string(nil)
	if r.watch.Unheard != "" {
		texts = append(texts, r.watch.Unheard)
	}
	if r.renewed && r.step == r.from.Steps+1 {
		told = stages{}
		texts = append(texts, "The work goes on with a new allowance. What was refused because the old one "+
			"was nearly used can be done again.")
	}
	for i, a := range r.allowances() {
		if stage := stageOf(a.part(), warnAt, closeAt); stage > told[i] {
			told[i] = stage
			texts = append(texts, r.advice(a, stage))
		}
	}
	if stage, used, all := r.full(); stage > told[len(told)-1] {
		told[len(told)-1] = stage
		texts = append(texts, r.askForRoom(stage, used, all))
	}
	if n := r.step - 1 - r.watch.Grew; r.agent.Progress != nil && n > 0 && n == r.agent.Limits.Idle/2 {
		texts = append(texts, fmt.Sprintf(
			"Nothing new has come of your last %d steps; after %d more like them the work ends. "+
				"Do something that brings it on, or finish with what you have.", n, r.agent.Limits.Idle-n))
	}
	return warning{strings.Join(texts, "\n\n"), told}
}

func (r *run) advice(a allowance, stage float64) string {
	switch {
	case stage == closeAt && r.explores():
		return a.String() + ". From now on nothing new can be looked for: finish with what you have, and " +
			"say what is missing."
	case stage == closeAt:
		return a.String() + ". Finish now, with what you have, and say what is missing."
	case r.explores() && a.closes() < a.limit:
		return a.String() + ". Finish what you are at: from " + a.amount(a.closes()) +
			" on nothing new can be looked for."
	}
	return a.String() + ". Finish what you are at, and come to the end."
}

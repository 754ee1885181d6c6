package agent

import "fmt"

// maxCalls bounds the calls carried out from one reply, far above what a sane model asks for at once.
const maxCalls = 50

// numbered orders the calls of a reply for execution, at most maxCalls of them, and gives each an id of our
// own: servers repeat theirs, leave them empty, or refuse foreign ones. Nine letters and digits is the
// strictest format known (Mistral's). Proposals to end the work come last: they can only be judged once the
// rest is done.
func (r *run) numbered(calls []Call) []Call {
	var own, last []Call
	for _, c := range calls {
		if r.action(c.Name).Ends {
			last = append(last, c)
		} else {
			own = append(own, c)
		}
	}
	own = append(own, last...)
	own = own[:min(len(own), maxCalls)]
	for i := range own {
		own[i].ID = fmt.Sprintf("c%06d%02d", r.step%1_000_000, i)
	}
	return own
}

// tellOver reports to the Brain how many calls were too many.
func (r *run) tellOver() {
	if r.over > 0 {
		r.say(
			User(fmt.Sprintf("Your reply asked for %d actions, and only the first %d were carried out. Ask "+
				"for the others again if you still want them, at most %[2]d in a reply.", maxCalls+r.over,
				maxCalls)))
	}
}

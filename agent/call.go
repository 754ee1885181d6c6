package agent

import "fmt"

// maxCalls is how many calls of a reply are carried out, more than a model in its right mind asks for at a
// time. A reply with more is of one that runs wild.
const maxCalls = 50

// numbered puts the calls of a reply in the order in which they are carried out, at most maxCalls of them,
// and gives each an id of our own: servers repeat theirs, leave them empty, or refuse those of others. Nine
// letters and digits is the strictest form known (Mistral's). What proposes to end the work comes last, for
// it can be judged only when the rest is done.
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

// tellOver tells the Brain of the calls that were too many.
func (r *run) tellOver() {
	if r.over > 0 {
		r.say(
			User(fmt.Sprintf("Your reply asked for %d actions, and only the first %d were carried out. Ask "+
				"for the others again if you still want them, at most %[2]d in a reply.", maxCalls+r.over,
				maxCalls)))
	}
}

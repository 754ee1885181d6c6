package agent

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Room is the part of a model's window that a conversation takes, according to the Brain.
type Room struct {
	// tokens of the conversation as sent; 0 if unknown
	Used int `json:"used,omitempty"`
	// tokens a request may have, leaving room for the reply; 0 if unknown
	Window int `json:"window,omitempty"`
}

const (
	askAt  = 0.75 // the part of the window at which the agent is asked to clear its memory
	mustAt = 0.90 // the part from which it may do nothing else
)

// gauge measures how full the window is. The Brain counts a conversation when it sends it; later messages and
// a new opening are estimated, scaled by the last count's ratio to its estimate.
type gauge struct {
	Room
	said    int // the estimate of the current conversation
	heard   int // the estimate of what Used counts
	opening int // the estimate of the stretch's opening
	replies int // in this stretch
}

func (g *gauge) open(talk *Conversation) {
	g.said, g.replies = 0, 0
	for _, a := range talk.Actions {
		g.said += EstimateTokens(a.Doc) + EstimateTokens(string(a.Schema))
	}
	for _, m := range talk.Messages {
		g.said += tokensOf(m)
	}
	g.opening = g.said
}

// read notes the size reported by a reply to the current conversation.
func (g *gauge) read(r Reply) {
	g.replies++
	g.Window = cmp.Or(r.Room.Window, g.Window)
	used := r.Room.Used
	if used == 0 && r.Usage.Calls <= 1 { // the usage of several tries is not the size of one
		used = r.Usage.In
	}
	if used > 0 {
		g.Used, g.heard = used, g.said
	}
}

// tokens scales an estimate to the Brain's own count.
func (g *gauge) tokens(estimate int) int {
	if g.heard == 0 {
		return estimate
	}
	return int(float64(g.Used) / float64(g.heard) * float64(estimate))
}

// tokensOf estimates a message's tokens.
func tokensOf(m Message) int {
	n := 4 + EstimateTokens(m.Text) // who speaks
	for _, c := range m.Calls {
		n += 8 + EstimateTokens(c.Name) + EstimateTokens(c.Args)
	}
	return n
}

// full returns how full the window or the stretch is, whichever is fuller: 0, askAt or mustAt, with the
// tokens used and the total. The last tenth of a window is room for a reply; a stretch may fill up. An
// opening counts as empty, however large: the next reply may shrink it.
func (r *run) full() (stage float64, used, all int) {
	g, part := &r.gauge, 0.0
	if g.replies == 0 {
		return 0, 0, 0
	}
	if g.Window > 0 {
		used, all = g.tokens(g.said), g.Window
		part = float64(used) / float64(all)
	}
	if stretch := r.agent.Limits.Stretch; stretch > 0 && r.compressor() != "" {
		gathered := g.tokens(g.said - g.opening)
		p := float64(gathered) / float64(stretch)
		// an agent not yet asked may once write down elsewhere what belongs there
		if p < 1 || r.told[len(r.told)-1] < askAt {
			p = min(p, mustAt-0.01)
		}
		if p > part {
			part, used, all = p, gathered, stretch
		}
	}
	return stageOf(part, askAt, mustAt), used, all
}

// stageOf returns the higher of two stages that part has reached, 0 for none.
func stageOf(part, first, second float64) float64 {
	switch {
	case part >= second:
		return second
	case part >= first:
		return first
	}
	return 0
}

// must returns the action that has to be called now, "" for none.
func (r *run) must() string {
	if stage, _, _ := r.full(); stage < mustAt {
		return ""
	}
	return r.compressor()
}

// compressor returns the last action that clears the history, "" if there is none: changing the end of a
// prompt costs least.
func (r *run) compressor() string {
	for _, a := range slices.Backward(r.agent.Actions) {
		if a.Compresses {
			return a.Name
		}
	}
	return ""
}

// askForRoom returns a warning that the window is nearly full, with advice.
func (r *run) askForRoom(stage float64, used, all int) string {
	g, clears := &r.gauge, r.compressor()
	text := fmt.Sprintf("Your memory is %d %% full (%d of %d tokens). ", 100*used/all, used, all)
	switch {
	case clears == "" && stage == mustAt:
		text += "Answer now with what you have; soon all that you did is dropped."
	case clears == "":
		text += "Come to an answer, and look at no more than you need."
	case stage == mustAt:
		text += "Call " + clears + " now, with all that you must not lose and what is not noted " +
			"yet; nothing else can be done before."
	default:
		text += "Write down now what you found and what comes next, detail elsewhere, then call " + clears +
			", all in this reply, which may go on with the next step: what is noted nowhere is lost when " +
			"there is " +
			"no room left."
	}
	if clears != "" && all == g.Window && 2*g.tokens(g.opening) > all {
		text += " What you begin with fills more than half of it: shorten the dashboards."
	}
	return text
}

// tooLong drops a history that does not fit the model, so that the next step opens afresh. If there is none
// to drop, the opening itself is too long, which is an error.
func (r *run) tooLong(err error) error {
	if !r.grown() {
		needs := int(float64(r.gauge.tokens(r.gauge.said)) / askAt)
		err = fmt.Errorf("%w. What %s begins with is too long by itself: it takes a window of "+
			"at least %d tokens", err, Kind(r.path), (needs+1023)/1024*1024)
		r.askLess = r.nested() && r.askedAtLength()
		return err
	}
	r.emit(Warned{At: r.at(), Text: err.Error()})
	dropped := "Your memory was cleared before you noted down what was in it, since it no longer " +
		"fitted the model. Go on from the dashboards, take less at a time and update them sooner."
	if r.compressor() == "" {
		dropped = "All that you did was dropped, since it no longer fitted the model. Take less at a time."
	}
	r.watch.Unheard = strings.TrimSpace(dropped + "\n\n" + r.watch.Unheard)
	return r.drop()
}

// shortRequest is the least number of tokens for a request: what is wanted, and of which files, in a few
// sentences.
const shortRequest = 200

// askedAtLength reports whether the request itself could be shortened. The rules and actions cannot; if those
// do not fit the model, no request would.
func (r *run) askedAtLength() bool {
	asked := 0
	for _, m := range r.talk.Messages[:r.opening] {
		if m.Role != RoleSystem {
			asked += tokensOf(m)
		}
	}
	return asked > shortRequest
}

// drop makes the next step start from a fresh opening. Openings of nested agents are not normally recorded;
// this one is, with its message, so that a resumed run repeats it.
func (r *run) drop() error {
	r.talk, r.watch.Carried = nil, nil
	if !r.nested() {
		return nil
	}
	r.anew = r.step + 1
	return r.record(r.keyOf(r.anew, "dropped"), r.watch.Unheard)
}

// dropped reports whether an earlier run dropped the conversation before the next step.
func (r *run) dropped() bool {
	if !r.nested() || r.talk != nil && !r.grown() ||
		!r.recall(r.keyOf(r.step+1, "dropped"), &r.watch.Unheard) {
		return false
	}
	r.anew, r.watch.Carried = r.step+1, nil
	return true
}

const (
	maxResult = 8000 // tokens of one result, however large the window is
	minResult = 500  // however small the window is: less is useless
)

// mostResult returns how many tokens one result may have: an eighth of the window.
func (r *run) mostResult() int {
	if r.gauge.Window <= 0 {
		return maxResult
	}
	return max(minResult, min(maxResult, r.gauge.Window/8))
}

// shorten cuts a result that would take too much of the window. It keeps the whole elsewhere, and the shown
// text gives the place.
func (r *run) shorten(turn *Turn, text string) (string, error) {
	most := r.mostResult()
	if len(text) <= most || EstimateTokens(text) <= most { // a token has at least one byte
		return text, nil
	}
	begin := beginning(text, most)
	shown := closed(begin) + fmt.Sprintf(
		"\n\n(The first %d of %d bytes. The whole is too much for one result.", len(begin), len(text))
	if r.agent.Keep == nil {
		return shown + " Ask for less.)", nil
	}
	_, call, _ := strings.Cut(turn.path, "/")
	where, err := r.agent.Keep(call, text)
	lines := 1 + strings.Count(begin, "\n")
	return shown + fmt.Sprintf(" It stands in %s: read on from its line %d, %d lines at a time.)",
		where, lines+1, lines), err
}

// beginning returns the first so many tokens of a text, cut at the end of a line if one ends in the second
// half.
func beginning(text string, most int) string {
	end, tokens := 0, 0
	for end < len(text) {
		next := min(end+256, len(text))
		for next < len(text) && !utf8.RuneStart(text[next]) {
			next++
		}
		if tokens += EstimateTokens(text[end:next]); tokens > most {
			break
		}
		end = next
	}
	if line := strings.LastIndexByte(text[:end], '\n'); line > end/2 {
		end = line
	}
	return text[:end]
}

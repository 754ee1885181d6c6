package researcher

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
)

// errRecordEnds is what every Brain of a replay, and all that would look for something new, answers with.
var errRecordEnds = errors.New("the record ends here")

// rerun is the recorder of a replay: it gives the loop the replies that are on record, and holds what the
// loop then does against it.
//
// The replay folder has a journal of its own, so that it is a workspace like any other; what the loop takes
// from the old record is written there too. Between two entries of agents the old journal says what became of
// files. Before the loop goes on, a file that was another than it is here by then gets that text as from a
// person; after it, one that came out otherwise is a divergence.
type rerun struct {
	record *history.Record
	said   *Replayed

	mu      sync.Mutex
	now     *workspace.Workspace
	at      int            // the last entry that the loop has come to
	end     int            // that of this run's end, or the last of all
	redone  int            // up to which what came from outside was done again
	read    int            // up to which what became of files was read, that entry not included
	index   map[string]int // the places of entries of agents, in this research
	calls   map[string]string
	replied map[string]int // the places of the replies that asked for calls
	tooLong bool           // the Brain is to say so next
	step    int
	due     []due               // what became of files since
	last    map[string]recorded // by path: what the record last said of a file
	failed  error
}

var _ agent.Recorder = (*rerun)(nil)

// due is a file that has to hold a text when the loop comes to the next entry.
type due struct {
	path, hash string
	entry      int  // that says so
	theirs     bool // it holds a person's words that no action brings back
	later      bool // a person left it so after the loop wrote it
	revived    bool // the loop finds it missing, and brings it back itself
}

// recorded is a text of a file on record.
type recorded struct {
	hash  string
	entry int // that says so
}

// served are the file agent's actions whose results are taken from the record, with what they showed: the ids
// of streams name the very state of a file on a disk.
var served = []string{"stream_read_file", "continue_stream_read", "run_command"}

// Recall implements agent.Recorder. That of a reply is where a step of the past begins.
func (r *rerun) Recall(key string, into any) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now.Journal().Recall(key, into) {
		return true
	}
	path, what, _ := strings.Cut(key, " ")
	place, known := r.index[key]
	if !known || place > r.end || r.failed != nil {
		return false
	}
	switch what {
	case "reply":
		return r.reply(path, place, into)
	case "notice", "warning":
		return r.value(place, into)
	case "result":
		if !slices.Contains(served, r.calls[path]) {
			return false
		}
		r.goTo()
		return r.note(r.bring(path, place)) && r.note(r.now.Redo(r.record, place)) && r.value(place, into) && r.advance(place)
	}
	if path == "intake" { // what the person said, or was looked up; what was done for it is on record
		r.putRight(func(string) {})
		return r.note(r.bring("intake", place)) && r.note(r.now.Redo(r.record, place)) && r.value(place, into) && r.advance(place)
	}
	return false
}

// note keeps the first error for the end of the run, since a Recorder that recalls has none to give.
func (r *rerun) note(err error) bool {
	if r.failed == nil {
		r.failed = err
	}
	return err == nil
}

func (r *rerun) value(place int, into any) bool {
	e, err := r.record.Entry(place)
	return r.note(err) && json.Unmarshal(e.Value, into) == nil
}

// reply goes on to the next step of an agent.
func (r *rerun) reply(path string, place int, into any) bool {
	name, number, _ := strings.Cut(path, "#")
	if name == account.Name {
		if r.reopened(place) {
			r.tooLong = true
			return false
		}
		if n, err := strconv.Atoi(number); err == nil {
			r.step, r.said.Steps = n, r.said.Steps+1
		}
	}
	r.goTo()
	if name == account.Name && !r.note(r.tellChanges(path)) {
		return false
	}
	var reply agent.Reply
	if !r.value(place, &reply) || !r.value(place, into) || !r.note(r.now.Redo(r.record, place)) {
		return false
	}
	for _, c := range reply.Calls {
		r.calls[name+"/"+c.ID], r.replied[name+"/"+c.ID] = c.Name, place
	}
	r.said.Replies++
	return r.advance(place)
}

// reopened says whether the next reply came in a stretch that opened since the conversation was too long for
// the model.
func (r *rerun) reopened(place int) bool {
	for i := r.at + 1; i < place; i++ {
		if r.record.Key(i) == agent.KeyOpen {
			return true
		}
	}
	return false
}

// tellChanges looks for changes of a person's as the loop did before that step, and compares what it would
// have told.
func (r *rerun) tellChanges(step string) error {
	text, err := r.now.Changes()
	if err != nil {
		return err
	}
	var told agent.Notice
	for _, what := range []string{" notice", " warning"} {
		place, ok := r.index[step+what]
		if !ok || place > r.end {
			continue
		}
		if what == " notice" && !r.value(place, &told) {
			return r.failed
		}
		if err := r.now.Redo(r.record, place); err != nil {
			return err
		}
	}
	if strings.TrimSpace(text) != withoutNotes(told.Text) { // an opening may have told of a note
		r.diverged("what the agent was told of changes reads otherwise")
	}
	return nil
}

// Record implements agent.Recorder. What the loop puts on record is held against what it put there then.
func (r *rerun) Record(key string, value any) error {
	if err := r.now.Journal().Record(key, value); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	place, known := r.index[key]
	if key == agent.KeyOpen || key == agent.KeyEnd {
		place, known = r.next(key)
	}
	if !known || place > r.end {
		return r.failed
	}
	// else it is of a call side by side with one further on, and what is due is of calls that follow both
	if place > r.at {
		r.goTo()
	}
	if call, ok := strings.CutSuffix(key, " result"); ok {
		r.compare(call, place, value)
	}
	r.advance(place)
	return r.failed
}

// wasCutOffAtEnd says whether a kill came between the end of the run and its report.
func (r *rerun) wasCutOffAtEnd() bool {
	if r == nil {
		return false
	}
	for i := r.end + 1; i < r.record.Len() && !ofAgents(r.record.Key(i)); i++ {
		if r.record.Key(i) == "kept "+rounds.Key {
			return false
		}
	}
	return true
}

// next is the place of the next entry of a key.
func (r *rerun) next(key string) (int, bool) {
	for i := r.at + 1; i <= r.end; i++ {
		if r.record.Key(i) == key {
			return i, true
		}
	}
	return 0, false
}

// compare holds the result of a call against the one on record.
func (r *rerun) compare(call string, place int, value any) {
	var then, now agent.Did
	encoded, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(encoded, &now)
	}
	switch {
	case !r.note(err) || !r.value(place, &then):
	case then.Effect == now.Effect && then.Failed == now.Failed:
		if then.Text != now.Text {
			r.said.Reworded++
		}
	default:
		r.diverged(fmt.Sprintf("%s came to another result: %s", r.calls[call], prose.OneLine(prose.Shorten(now.Text, 120))))
	}
}

// Sync implements agent.Recorder: the replay can be had again.
func (r *rerun) Sync() error { return nil }

// Think implements agent.Brain, for all that is not on record.
func (r *rerun) Think(context.Context, *agent.Conversation) (agent.Reply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tooLong {
		r.tooLong = false
		return agent.Reply{}, agent.ErrTooLong
	}
	return agent.Reply{}, errRecordEnds
}

// again gives the outcome of a call that looked for something outside, and brings back what it brought.
func (r *rerun) again(_ context.Context, turn *agent.Turn) (agent.Outcome, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	place, known := r.index[turn.Path()+" result"]
	if !known || place > r.end {
		r.note(r.bring(turn.Path(), r.nextOfAgents(r.replied[turn.Path()])))
		return agent.Outcome{}, agent.Fatal(errRecordEnds)
	}
	var done struct {
		agent.Outcome
		Failed bool
		Spent  agent.Usage
	}
	if !r.note(r.prepare(place)) || !r.note(r.bring(turn.Path(), place)) || !r.value(place, &done) {
		return agent.Outcome{}, agent.Fatal(r.failed)
	}
	r.now.LearnOf(turn.Path())
	turn.Charge(done.Spent)
	if done.Failed {
		return agent.Outcome{}, errors.New(strings.TrimPrefix(done.Text, agent.Failure))
	}
	return done.Outcome, nil
}

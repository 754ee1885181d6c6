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

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
)

// errRecordEnds is returned by a replay's Brains, and by everything that would look for something new.
var errRecordEnds = errors.New("the record ends here")

// rerun is the recorder of a replay: it feeds the loop the recorded replies and compares what the loop then
// does with the record.
//
// The replay folder has its own journal, so that it is an ordinary workspace; what the loop takes from the
// old record is written there too. Between two entries of agents the old journal records changes to files.
// Before each step, a file that differs from the record is set to the recorded text, as if a person had
// edited it; after it, a file that differs is a divergence.
type rerun struct {
	record *history.Record
	said   *Replayed

	mu      sync.Mutex
	now     *workspace.Workspace
	at      int            // the last entry that the loop has reached
	end     int            // the last entry of this run, or of the record
	redone  int            // the entry up to which outside material was repeated
	read    int            // the first entry whose file changes have not been read
	index   map[string]int // the places of agents' entries in this research
	calls   map[string]string
	replied map[string]int // the places of the replies with calls
	tooLong bool           // the Brain's next reply is ErrTooLong
	step    int
	due     []due               // expected states of files
	last    map[string]recorded // by path: a file's last recorded state
	failed  error
}

var _ agent.Recorder = (*rerun)(nil)

// due is the state that a file must have when the loop reaches the next entry.
type due struct {
	path, hash string
	entry      int  // that requires it
	theirs     bool // it holds a person's words, which no action restores
	later      bool // a person left it so after the loop's write
	revived    bool // the loop finds it missing and restores it itself
}

// recorded is a recorded text of a file.
type recorded struct {
	hash  string
	entry int // with this text
}

// served are the file agent's actions whose results are taken from the record: the ids of streams identify
// the exact state of a file on disk.
var served = []string{"stream_read_file", "continue_stream_read", "run_command"}

// Recall implements agent.Recorder. Recalling a reply begins a recorded step.
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
		r.goTo(true)
	default:
		if path != "intake" { // what the person said or what was looked up; its work is on record
			return false
		}
		r.goTo(false)
	}
	return r.note(r.bring(path, place)) && r.note(r.now.Redo(r.record, place)) && r.value(place, into) &&
		r.advance(place)
}

// note keeps the first error for the end of the run, since Recall cannot return one.
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

// reply continues with the next step of an agent.
func (r *rerun) reply(path string, place int, into any) bool {
	name, number, _ := strings.Cut(path, "#")
	if name == account.Name {
		// a new opening on the way to this reply followed a conversation too long for the model
		if opened, ok := r.next(agent.KeyOpen); ok && opened < place {
			r.tooLong = true
			return false
		}
		if n, err := strconv.Atoi(number); err == nil {
			r.step, r.said.Steps = n, r.said.Steps+1
		}
	}
	r.goTo(true)
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

// tellChanges looks for a person's changes as the loop did before that step, and compares the reports.
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
	rest, ok := strings.CutPrefix(told.Text, strings.TrimSpace(text))
	if rest = strings.TrimSpace(rest); !ok || rest != "" && !strings.HasPrefix(rest, actions.UnansweredHead) &&
		!strings.HasPrefix(rest, byHandHead) { // notes, which the opening may have reported, and the person's words
		r.diverged("what the agent was told of changes reads otherwise")
	}
	return nil
}

// Record implements agent.Recorder. It compares the loop's entry with the recorded one.
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
	// otherwise it is from a parallel call, and what is due belongs to calls after both
	if place > r.at {
		r.goTo(true)
	}
	if call, ok := strings.CutSuffix(key, " result"); ok {
		r.compare(call, place, value)
	}
	r.advance(place)
	return r.failed
}

// wasCutOffAtEnd reports whether a kill came between the end of the run and its report.
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

// next returns the place of the next entry with a key.
func (r *rerun) next(key string) (int, bool) {
	for i := r.at + 1; i <= r.end; i++ {
		if r.record.Key(i) == key {
			return i, true
		}
	}
	return 0, false
}

// compare compares the result of a call with the recorded one.
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

// Sync implements agent.Recorder. It does nothing: a replay can be repeated.
func (r *rerun) Sync() error { return nil }

// Think implements agent.Brain for everything that is not on record.
func (r *rerun) Think(context.Context, *agent.Conversation) (agent.Reply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tooLong {
		r.tooLong = false
		return agent.Reply{}, agent.ErrTooLong
	}
	return agent.Reply{}, errRecordEnds
}

// again returns the recorded outcome of a call to the outside, and repeats what it brought in.
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

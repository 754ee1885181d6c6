package agent

// Recorder remembers what a run has paid for. A run whose replies and results are on record is run again from its last opening
// with the same outcome, which is how one that was killed goes on where it was. Keys are unique in a run; an action that nests
// several agents gives them different names. The methods may be called by several goroutines at once.
type Recorder interface {
	// Recall fills into with what was recorded under key since the outermost agent's last opening, and says whether there was
	// anything.
	Recall(key string, into any) bool
	// Record appends a value, so that it outlives this process.
	Record(key string, value any) error
	// Sync makes all that was recorded outlive a power cut. Whoever changes something in the world because of a reply calls it
	// first; the loop itself calls it at the end of a run.
	Sync() error
}

// Mark is what is recorded, under "open", when the outermost agent opens a stretch, and under "end" when it stops.
type Mark struct {
	Stretch int    `json:"stretch"`
	Step    int    `json:"step"`  // steps taken before
	Start   int    `json:"start"` // the step from which Limits.Steps counts
	Paid    int    `json:"paid"`  // the tokens from which Limits.Tokens counts
	Used    Usage  `json:"used"`
	Reason  Reason `json:"reason,omitempty"`
	Text    string `json:"text,omitempty"`
}

// Keys under which the outermost agent's marks are recorded.
const (
	KeyOpen = "open"
	KeyEnd  = "end"
)

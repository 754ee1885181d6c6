package history

import "github.com/daybook-agent/daybook/agent/workspace/store"

// Deed is what became of a file, as an entry of the journal has it.
type Deed string

// The deeds on record.
const (
	Wrote   Deed = "wrote"   // the agent or the program wrote it
	Deleted Deed = "deleted" // the agent deleted it, or moved it elsewhere
	Kept    Deed = "kept"    // a page that was read, under Sources/
	Edited  Deed = "edited"  // a person left it so
	Removed Deed = "removed" // a person deleted or renamed it
	Undone  Deed = "undone"  // the write before came to nothing
)

// FileEntry is what an entry of the journal says of a file.
type FileEntry struct {
	Path string
	Deed Deed
	From string // hash before, "" when there was none or it is not known
	To   string // hash after, "" when there is none
	Base string // hash of what a person's words were merged with, when they were
	// Text is what the file holds after the deed. It is not on record when it is longer than 1 MiB or no
	// UTF-8: then it is "", and OnRecord is false.
	Text     string
	OnRecord bool
	Merged   bool // it holds words that a person saved in the instant of the write
	Met      bool // it was not written but met: it stood so when the agent, or the program, came upon it
	Shown    bool // and the agent was shown the text, or as much as there is of it to know
	Found    bool // or the program came upon it in its own work, and the agent knows nothing of it
	Revived  bool // it is a dashboard that a person deleted during a run, written again by the program
	// Trash is where the text before is kept, when the deed took words of a person's away.
	Trash string
}

// FileOf is what an entry says of a file, if it is about one.
func FileOf(e store.Entry) (FileEntry, bool) {
	v, ok := e.Row()
	if !ok || v.Path == "" || e.Key != store.KeyWrite && store.CopyOf(v.Path) != v.Path {
		return FileEntry{}, false
	}
	f := FileEntry{
		Path: v.Path, Deed: Wrote, From: v.From, To: v.To, Text: v.Text,
		OnRecord: v.To == store.Hash([]byte(v.Text)), Merged: v.Over != "" || v.Theirs && v.Known != nil,
		Met:   e.Key == store.KeySeen || e.Key == store.KeyTold || e.Key == store.KeyMet,
		Shown: e.Key == store.KeySeen, Found: v.Found, Revived: v.Revived, Trash: v.Kept,
	}
	if e.Key == store.KeyWrite && v.Known != nil && *v.Known != "" {
		f.Base = store.Hash([]byte(*v.Known))
	}
	switch {
	case e.Key == store.KeyUndone:
		f.Deed = Undone
	case e.Key == store.KeySource:
		f.Deed = Kept
	case e.Key == store.KeyWrite && v.To == "":
		f.Deed = Deleted
	case e.Key == store.KeyWrite, e.Key == store.KeySeen && v.Own:
	case v.To == "" && v.From != "":
		return FileEntry{}, false // a text of both, which the agent has not seen
	case v.To == "":
		f.Deed = Removed
	default:
		f.Deed = Edited
	}
	return f, true
}

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
	store.FileRow
	Deed Deed
	base string // hash of what a person's words were merged with, when they were
	Met  bool   // it was not written but met: it stood so when the agent, or the program, came upon it
	// and the agent was shown the text, or as much as there is of it to know
	Shown bool
}

// Merged reports whether it holds words that a person saved in the instant of the write.
func (f FileEntry) Merged() bool { return f.Over != "" || f.Theirs && f.Known != nil }

// FileOf is what an entry says of a file, if it is about one.
func FileOf(e store.Entry) (FileEntry, bool) {
	v, ok := e.Row()
	if !ok || v.Path == "" || e.Key != store.KeyWrite && store.CopyOf(v.Path) != v.Path {
		return FileEntry{}, false
	}
	f := FileEntry{FileRow: v, Deed: Wrote, Shown: e.Key == store.KeySeen,
		Met: e.Key == store.KeySeen || e.Key == store.KeyTold || e.Key == store.KeyMet}
	if e.Key == store.KeyWrite && v.Known != nil && *v.Known != "" {
		f.base = store.Hash([]byte(*v.Known))
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

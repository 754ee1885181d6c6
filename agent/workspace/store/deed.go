package store

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
	// Text is what the file holds after the deed. It is not on record when it is longer than 1 MiB or no
	// UTF-8: then it is "", and OnRecord is false.
	Text     string
	OnRecord bool
	Merged   bool // it holds words that a person saved in the instant of the write
	Met      bool // it was not written but met: it stood so when the agent, or the program, came upon it
	Shown    bool // and the agent was shown the text, or as much as there is of it to know
	Found    bool // or the program came upon it in its own work, and the agent knows nothing of it
	Revived  bool // it is a dashboard that a person deleted during a run, written again by the program
	Copy     bool // it is a copy beside a file, for a text that could not be written into it
	// Trash is where the text before is kept, when the deed took words of a person's away.
	Trash string
}

// File is what an entry says of a file, if it is about one.
func (e Entry) File() (FileEntry, bool) {
	v, ok := e.Row()
	if !ok || v.Path == "" {
		return FileEntry{}, false
	}
	f := FileEntry{Path: v.Path, From: v.From, To: v.To, Text: v.Text,
		OnRecord: v.To == Hash([]byte(v.Text)), Deed: Wrote, Met: e.Key == KeySeen || e.Key == KeyTold ||
			e.Key == KeyMet, Shown: e.Key == KeySeen, Found: v.Found, Revived: v.Revived, Copy: IsCopy(v.Path),
		Trash: v.Kept, Merged: v.Over != "" || v.Theirs && v.Known != nil}
	switch {
	case e.Key == KeyUndone:
		f.Deed = Undone
	case e.Key == KeySource:
		f.Deed = Kept
	case e.Key == KeyWrite && v.To == "":
		f.Deed = Deleted
	case e.Key == KeyWrite, e.Key == KeySeen && v.Own:
	case v.To == "" && (IsCopy(v.Path) || v.From != ""):
		return FileEntry{}, false // a text of both, which the agent has not seen
	case v.To == "":
		f.Deed = Removed
	default:
		f.Deed = Edited
	}
	return f, true
}

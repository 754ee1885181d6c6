package store

import (
	"bytes"
	"io/fs"
	"time"
)

// Stat distinguishes two states of a file without reading it. It is a hint, not a proof: whatever is about to
// be overwritten is read and hashed first.
type Stat struct {
	Size     int64
	Modified time.Time
	File     fileID // the file that the name refers to
	Names    uint64 // number of its names: more than one means hard links
}

// StatOf returns the state of a file from its info.
func StatOf(info fs.FileInfo) Stat {
	return Stat{Size: info.Size(), Modified: info.ModTime(), File: fileIDOf(info), Names: linkCount(info)}
}

// Patience is how long a file that is missing, empty or much shorter than before is checked again before that
// counts as a person's edit: many editors empty a file and then write it, and git removes one and then
// creates it. Such a save takes milliseconds.
const Patience = 300 * time.Millisecond

// Patiently returns until when a file is checked again.
func Patiently() time.Time { return time.Now().Add(Patience) }

// lookAgain is the time between two looks.
const lookAgain = 3 * time.Millisecond

// reading reads a file once; info is nil if it does not exist.
type reading func() (data []byte, info fs.FileInfo, err error)

// isShort reports whether a file is so much shorter than before that it may have been read in the middle of a
// save.
func isShort(size, known int) bool { return known > 0 && size < (known+1)/2 }

// Settled reads a file that somebody may be saving: if it looks cut off, compared with the known size, it is
// read until it looks complete and is the same twice, or the time is up. Then it is accepted as it is.
func Settled(until time.Time, known int, read reading) (data []byte, info fs.FileInfo, err error) {
	data, info, err = read()
	settled := !isShort(len(data), known)
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for err == nil && !settled && time.Now().Before(until) {
		<-tick.C
		before := data
		data, info, err = read()
		settled = !isShort(len(data), known) && bytes.Equal(before, data)
	}
	return data, info, err
}

package store

import (
	"bytes"
	"io/fs"
	"time"
)

// Stat tells two states of a file apart without reading it. It is a help, not a proof: whatever is about
// to be overwritten is read and hashed first.
type Stat struct {
	Size     int64
	Modified time.Time
	File     fileID // which file the name stands for
	Names    uint64 // that the file has: more than one is hard links
}

// StatOf is the state in which a look found a file.
func StatOf(info fs.FileInfo) Stat {
	return Stat{Size: info.Size(), Modified: info.ModTime(), File: fileIDOf(info), Names: linkCount(info)}
}

// Patience is how long a file that is missing, empty or much shorter than it was is looked at again before
// that counts as what a person did: many editors empty a file and then write it, and git removes one and then
// creates it. Such a save takes milliseconds.
const Patience = 300 * time.Millisecond

// Patiently is until when a file is looked at again.
func Patiently() time.Time { return time.Now().Add(Patience) }

// lookAgain is the time between two looks.
const lookAgain = 3 * time.Millisecond

// reading is a file as one look finds it; info is nil when it is not there.
type reading func() (data []byte, info fs.FileInfo, err error)

// isShort says whether a file is so much shorter than it was known that a look may have hit the middle of a
// save.
func isShort(size, known int) bool { return known > 0 && size < (known+1)/2 }

// Settled reads a file that may be under somebody's hands: one that looks cut off against the size that was
// known is read until it looks whole and twice the same, or the time has come. Then it is taken as it is.
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

package store

import (
	"bytes"
	"io/fs"
	"time"
)

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
	for err == nil && !settled && time.Now().Before(until) {
		time.Sleep(lookAgain)
		before := data
		data, info, err = read()
		settled = !isShort(len(data), known) && bytes.Equal(before, data)
	}
	return data, info, err
}

package workspace

import (
	"bytes"
	"context"
	"io/fs"
	"time"
)

// patience is how long a file that is missing, empty or much shorter than it was is looked at again before
// that counts as what a person did: many editors empty a file and then write it, and git removes one and then
// creates it. Such a save takes milliseconds.
const patience = 300 * time.Millisecond

// lookAgain is the time between two looks.
const lookAgain = 3 * time.Millisecond

// reading is a file as one look finds it; info is nil when it is not there.
type reading func() (data []byte, info fs.FileInfo, err error)

// isShort says whether a file is so much shorter than it was known that a look may have hit the middle of a
// save.
func isShort(size, known int) bool { return known > 0 && size < (known+1)/2 }

// settled reads a file that may be under somebody's hands: one that looks cut off against the size that was
// known is read until it looks whole and twice the same, or the context ends. Then it is taken as it is.
func settled(ctx context.Context, known int, read reading) (data []byte, info fs.FileInfo, err error) {
	data, info, err = read()
	if err != nil || !isShort(len(data), known) {
		return data, info, err
	}
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return data, info, nil
		case <-tick.C:
		}
		before := data
		if data, info, err = read(); err != nil {
			return nil, nil, err
		}
		if !isShort(len(data), known) && bytes.Equal(before, data) {
			return data, info, nil
		}
	}
}

// look reads a file as a person left it, for as long as patience lasts.
func (w *Workspace) look(p string) (data []byte, info fs.FileInfo, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return w.lookFor(ctx, p)
}

// lookFor is look with a patience that several files share.
func (w *Workspace) lookFor(ctx context.Context, p string) (data []byte, info fs.FileInfo, err error) {
	data, info, err = w.loadInfo(p)
	if err != nil || w.seen[p].hash == "" || (info != nil && hash(data) == w.seen[p].hash) {
		return data, info, err
	}
	text, _ := w.seenText(p)
	return settled(ctx, len(text), func() ([]byte, fs.FileInfo, error) { return w.loadInfo(p) })
}

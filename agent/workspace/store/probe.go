package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Disk describes what the file system of a workspace can do.
type Disk struct {
	Exchange bool   // a file can be swapped with another in one step
	Locks    bool   // a run can keep others out
	Free     uint64 // bytes
	Measured bool   // Free is known
}

// Probe tries what a workspace needs in a folder, with two temporary files of its own: writing, syncing,
// renaming, exchanging and locking. An error means that the folder cannot hold a workspace. It may be called
// during a run.
func Probe(dir string) (disk Disk, err error) {
	fsys, err := OpenFolder(dir)
	if err != nil {
		return disk, fmt.Errorf("opening %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, fsys.Close()) }()
	a, b := oldPrefix+rand.Text(), oldPrefix+rand.Text() // no run takes such a name for a person's file
	for _, name := range []string{a, b} {
		defer func() { err = errors.Join(err, IgnoreMissing(fsys.Remove(name))) }()
		if err := fsys.write(name, []byte(name), newFile, true); err != nil {
			return disk, fmt.Errorf("writing into %s: %w", dir, err)
		}
	}
	if x, ok := fsys.Fs.(Exchanger); ok {
		disk.Exchange = x.Exchange(a, b) == nil
	}
	lock := flock.New(filepath.Join(dir, a))
	got, lockErr := lock.TryLock()
	disk.Locks = got && lockErr == nil
	if err := errors.Join(lock.Unlock(), fsys.Rename(a, b)); err != nil {
		return disk, fmt.Errorf("renaming a file in %s: %w", dir, err)
	}
	disk.Free, disk.Measured = freeSpace(dir)
	return disk, nil
}

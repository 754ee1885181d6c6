package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"syscall"
)

// Unsettled are the files that the disk may not hold yet as they were written last.
type Unsettled struct {
	Writes int // since all were safe
	files  map[string]bool
	failed error // why they cannot be made safe any more
}

// Add takes in a file that was written.
func (u *Unsettled) Add(p string) {
	if u.files == nil {
		u.files = map[string]bool{}
	}
	u.files[p] = true
	u.Writes++
}

// Settle makes the files safe, then the folders above them, and puts that on record.
func (u *Unsettled) Settle(fsys Folder, record func(key string, value any) error) error {
	if len(u.files) == 0 || u.failed != nil {
		return u.failed
	}
	folders := map[string]bool{".": true}
	for p := range u.files {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, p := range slices.Concat(slices.Sorted(maps.Keys(u.files)), slices.Sorted(maps.Keys(folders))) {
		lost, err := fsys.syncIfThere(p)
		if lost {
			// The kernel may have dropped the data, and would call a second try a success.
			u.failed = fmt.Errorf("%w; the disk may be failing", err)
			return errors.Join(u.failed, record(KeyBoot, ""))
		}
		if err != nil {
			return err
		}
	}
	u.files, u.Writes = nil, 0
	return record(KeySettled, nil)
}

// syncIfThere leaves alone what a person took away, or put a pipe, a link or a file in the place of. lost says
// that what was written may be lost.
func (fsys Folder) syncIfThere(p string) (lost bool, err error) {
	f, err := fsys.OpenFile(p, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil && (isGone(err) || fsys.IsLink(p)) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("syncing %s: %w", p, err)
	}
	info, err := f.Stat()
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return false, errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return true, fmt.Errorf("syncing %s: %w", p, err)
	}
	return false, nil
}

// isGone says whether a file could not be opened since its name stands for it no more: there is nothing,
// something else, or something that is not ours to open.
func isGone(err error) bool {
	for _, gone := range []error{fs.ErrNotExist, fs.ErrPermission, ErrOutside, syscall.ENXIO, syscall.EOPNOTSUPP, syscall.ELOOP} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return IsNotFolder(err)
}

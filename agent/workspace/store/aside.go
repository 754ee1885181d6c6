package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// AsideDir holds texts set aside: deleted or replaced ones, and those that could not be written or merged.
const AsideDir = StateDir + "/trash"

// maxAside bounds the kept texts of one file whose hashes begin with the same digits.
const maxAside = 100

// asideName makes one name of the hash and the path of a text. If the path is too long for a name, only its
// end is used.
func asideName(p, hash string, n int) string {
	mark, name := hash[:12]+"-", strings.NewReplacer("%", "%25", "/", "%2F").Replace(p)
	if n > 1 {
		mark += fmt.Sprintf("%d-", n)
	}
	for len(mark)+len(name) > maxName {
		_, size := utf8.DecodeRuneInString(name)
		name = name[size:]
	}
	return path.Join(AsideDir, mark+name)
}

// MakeAside prepares the place for a text of a file, by its hash, and returns it. There is either this text
// already, or nothing. The folder's own name is synced before anything moves there; otherwise a power cut
// could take its files with it.
func (fsys Folder) MakeAside(p, hash string) (kept string, err error) {
	if err := errors.Join(fsys.MakeFolder(AsideDir), fsys.SyncPath(StateDir)); err != nil {
		return "", err
	}
	for n := 1; n <= maxAside; n++ {
		kept = asideName(p, hash, n)
		data, err := fsys.ReadFile(kept)
		if errors.Is(err, fs.ErrNotExist) || err == nil && Hash(data) == hash {
			return kept, nil
		}
	}
	return "", fmt.Errorf("keeping a text of %s: there are %d already", p, maxAside)
}

// SetAside keeps a text of a file, durably, and returns its path.
func (fsys Folder) SetAside(p string, text []byte) (kept string, err error) {
	if kept, err = fsys.MakeAside(p, Hash(text)); err == nil {
		err = fsys.Replace(kept, text)
	}
	if err != nil {
		return "", fmt.Errorf("keeping a text of %s: %w", p, err)
	}
	return kept, nil
}

// MoveAside sets a displaced file aside, whatever it is by now. A program that has it open may still write to
// it.
func (fsys Folder) MoveAside(at, p string) (kept string, err error) {
	hash := Hash([]byte(rand.Text())) // for anything but a text
	if info, err := fsys.Lstat(at); err == nil && info.Mode().IsRegular() && info.Size() < maxRow {
		if data, err := fsys.ReadFile(at); err == nil {
			hash = Hash(data)
		}
	}
	if kept, err = fsys.MakeAside(p, hash); err == nil {
		err = fsys.Rename(at, kept)
	}
	return kept, errors.Join(err, fsys.SyncPath(AsideDir), fsys.SyncPath(path.Dir(at)))
}

// copyMark matches what an older Daybook put into the name of a copy next to a file, as in
// 01.conflict-20260102-150405-agent.md.
var copyMark = regexp.MustCompile(`\.conflict-\d{8}-\d{6}-(?:agent|person|restored)(?:-\d+)?(\.[^./]*)?$`)

// CopyOf returns the file that a copy by an older Daybook was made of; for any other file, the file itself.
func CopyOf(p string) string { return copyMark.ReplaceAllString(p, "$1") }

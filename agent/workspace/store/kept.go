package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"
	"unicode/utf8"
)

// TrashDir keeps what was deleted or replaced.
const TrashDir = StateDir + "/trash"

// TrashOf makes one name of hash and path. Of a path that is too long for a name, the end tells enough.
func TrashOf(p, hash string) string {
	mark, name := hash[:12]+"-", strings.NewReplacer("%", "%25", "/", "%2F").Replace(p)
	for len(mark)+len(name) > maxName {
		_, size := utf8.DecodeRuneInString(name)
		name = name[size:]
	}
	return path.Join(TrashDir, mark+name)
}

// Whose text a copy beside a file is.
const (
	ByAgent  = "agent"
	ByPerson = "person"
)

// maxCopies is how many copies of one file may be made in one second.
const maxCopies = 100

// What the name of a copy has after that of its file, and then the time.
const (
	copyMark = ".conflict-"
	copyTime = "20060102-150405"
)

// copyName is a name beside a file for a text that could not be written into it, such as
// "01.conflict-20260102-150405-agent.md".
func copyName(p, whose string, at time.Time, n int) string {
	ext := path.Ext(p)
	mark := copyMark + at.Format(copyTime) + "-" + whose
	if n > 1 {
		mark += fmt.Sprintf("-%d", n)
	}
	stem := strings.TrimSuffix(path.Base(p), ext)
	for len(stem)+len(mark)+len(ext) > maxName && stem != "" { // its beginning tells enough
		_, size := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-size]
	}
	return path.Join(path.Dir(p), stem+mark+ext)
}

// CopyOf is the file that another is a copy beside, by its name, such as the agent's text where a person's
// stands.
func CopyOf(p string) (of string, ok bool) {
	if !IsCopy(p) {
		return "", false
	}
	return p[:strings.LastIndex(p, copyMark)] + path.Ext(p), true
}

// IsCopy says whether a name is one that copyName made.
func IsCopy(name string) bool {
	name = strings.TrimSuffix(name, path.Ext(name))
	i := strings.LastIndex(name, copyMark)
	if i < 0 {
		return false
	}
	name = name[i+len(copyMark):]
	if len(name) <= len(copyTime) {
		return false
	}
	_, err := time.Parse(copyTime, name[:len(copyTime)])
	whose, _, _ := strings.Cut(name[len(copyTime)+1:], "-")
	return err == nil && (whose == ByAgent || whose == ByPerson || whose == "restored") // of older versions, from the trash
}

// KeepBeside gives a file the first name beside another that is free.
func (fsys Folder) KeepBeside(from, p, whose string) (string, error) {
	now := time.Now()
	for n := 1; n <= maxCopies; n++ {
		name := copyName(p, whose, now, n)
		err := fsys.RenameNew(from, name)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			err = fsys.SyncPath(path.Dir(p))
		}
		return name, err
	}
	return "", fmt.Errorf("keeping a copy of %s: there are %d already", p, maxCopies)
}

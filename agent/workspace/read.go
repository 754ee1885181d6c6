package workspace

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// MaxRead is the size of the largest file that is read whole, in bytes. Larger ones are streamed.
const MaxRead = 8 << 20

var errTooLarge = fmt.Errorf("larger than %d MiB", MaxRead>>20)

// load reads a whole file and reports whether it exists.
func (w *Workspace) load(p string) (data []byte, exists bool, err error) {
	data, info, err := w.loadInfo(p)
	return data, info != nil, err
}

// loadInfo reads a whole file; if it does not exist, info is nil.
func (w *Workspace) loadInfo(p string) (data []byte, info fs.FileInfo, err error) {
	f, err := w.open(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if info, err = f.Stat(); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", store.Shown(p), err)
	}
	if info.Size() > MaxRead {
		return nil, info, fmt.Errorf("%s is %w; read it by lines or as a stream", store.Shown(p), errTooLarge)
	}
	if data, err = io.ReadAll(io.LimitReader(f, MaxRead)); err != nil {
		return nil, info, fmt.Errorf("reading %s: %w", store.Shown(p), err)
	}
	return data, info, nil
}

// open does not wait on a pipe that nobody writes to: it opens without blocking and then checks what it
// opened.
func (w *Workspace) open(p string) (store.File, error) {
	at, err := w.allowedTo(p)
	if err != nil {
		return nil, err
	}
	f, err := w.fs.OpenFile(at, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder; list it instead", store.Shown(p))
	} else if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file and is not read", store.Shown(p))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// fileOf returns the file that a name refers to.
func (w *Workspace) fileOf(name string) (string, error) {
	p, err := store.Clean(name)
	if err != nil {
		return "", err
	}
	return w.fs.Real(p)
}

// allowedTo resolves a path that is to be read or listed. Hidden files, keys and passwords are not for the
// agent, even through a link.
func (w *Workspace) allowedTo(p string) (at string, err error) {
	if strings.HasPrefix(p, store.AsideDir+"/") { // it has what a person may want back
		return p, nil
	}
	if at, err = w.fs.Real(p); err != nil {
		return "", err
	}
	for _, name := range []string{p, at} {
		switch {
		case store.Hidden(name):
			err = fmt.Errorf("%s is hidden, and hidden files are not read: they hold settings and secrets of other programs", store.Shown(name))
		case layout.IsSecret(path.Base(name)):
			err = fmt.Errorf("%s is a file of keys or passwords by its name, and those are not read", store.Shown(name))
		default:
			continue
		}
		if name != p {
			err = fmt.Errorf("%s is a symbolic link: %w", store.Shown(p), err)
		}
		return "", err
	}
	return at, nil
}

// look reads a file, and waits a while for a person's save to finish.
func (w *Workspace) look(p string) (data []byte, info fs.FileInfo, err error) {
	return w.lookUntil(store.Patiently(), p)
}

// lookUntil is look with a deadline that several files share.
func (w *Workspace) lookUntil(until time.Time, p string) (data []byte, info fs.FileInfo, err error) {
	data, info, err = w.loadInfo(p)
	if err != nil || w.seen[p].hash == "" || (info != nil && store.Hash(data) == w.seen[p].hash) {
		return data, info, err
	}
	text, _ := w.seenText(p)
	return store.Settled(until, len(text), func() ([]byte, fs.FileInfo, error) { return w.loadInfo(p) })
}

// missing returns an error that a file does not exist, and names those that do.
func (w *Workspace) missing(p string) error {
	const most, near = 20, 5
	if w.fs.IsLink(p) {
		return fmt.Errorf("%s is a symbolic link that leads nowhere", store.Shown(p))
	}
	dir := path.Dir(p)
	var names []string
	entries, err := w.fs.Visible(dir)
	if err != nil {
		return fmt.Errorf("%s does not exist, nor does the folder %s", store.Shown(p), store.Shown(dir))
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	switch n := len(names); {
	case n == 0:
		return fmt.Errorf("%s does not exist; its folder is empty", store.Shown(p))
	case n > most:
		names = nearest(path.Base(p), names, near)
		return fmt.Errorf("%s does not exist; there are %d names in its folder. Did you mean %s?",
			store.Shown(p), n, firstOf(names, near, ""))
	}
	return fmt.Errorf("%s does not exist; in its folder there are %s", store.Shown(p),
		firstOf(names, most, ""))
}

// firstOf names the first few files, and how many more there are.
func firstOf(files []string, most int, more string) string {
	var shown []string
	for _, p := range files[:min(most, len(files))] {
		shown = append(shown, store.Shown(p))
	}
	all := strings.Join(shown, ", ")
	if n := len(files) - most; n > 0 {
		all += fmt.Sprintf(more, n)
	}
	return all
}

// nearest returns the names with the most similar beginning and end, ignoring case and form, best first.
func nearest(name string, names []string, most int) []string {
	wanted := []rune(store.Folded(name))
	alike := func(other string) (n int) {
		theirs := []rune(store.Folded(other))
		both := min(len(wanted), len(theirs))
		begin := 0
		for begin < both && wanted[begin] == theirs[begin] {
			begin++
		}
		for n = begin; n < both && wanted[len(wanted)-1-n+begin] == theirs[len(theirs)-1-n+begin]; {
			n++
		}
		return 2*n - len(theirs)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(alike(b), alike(a)) })
	return names[:min(most, len(names))]
}

// seenText returns the text of a file as the agent last saw it, if it is kept.
func (w *Workspace) seenText(p string) (string, bool) {
	if w.seen[p].hash == "" {
		return "", false
	}
	return w.fs.Text(w.seen[p].hash) // without a base there is no merge, and the write is refused
}

// settledOut is readOut once nobody writes to the file any more.
func (w *Workspace) settledOut(at string, known int) ([]byte, fs.FileInfo, error) {
	return store.Settled(store.Patiently(), known, func() ([]byte, fs.FileInfo, error) { return readOut(w.fs, at) })
}

// readOut reads a displaced file. It may be anything by now, so it is checked before it is opened.
func readOut(fsys store.Folder, at string) (data []byte, info fs.FileInfo, err error) {
	info, err = fsys.Lstat(at)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > MaxRead {
		return nil, nil, errors.New("the file is no longer a text; it was not written")
	}
	data, err = fsys.ReadFile(at)
	return data, info, err
}

// Version distinguishes two states of a file without reading it. A file that is touched, or renamed and
// brought back, has a new version with the same text.
func Version(info fs.FileInfo) string {
	k := store.StatOf(info)
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %v", k.Size, k.Modified.UnixNano(), k.File))
	return hex.EncodeToString(sum[:4])
}

// through explains the error for a path that leads through a file.
func through(p string, err error) error {
	if plain := store.Plainly(err); plain != err {
		return fmt.Errorf("reading %s: %w", store.Shown(p), plain)
	}
	return err
}

// Hash returns the hash of a file's current text, or "" if there is none.
func (w *Workspace) Hash(p string) string {
	data, err := w.fs.ReadFile(p)
	if err != nil {
		return ""
	}
	return store.Hash(data)
}

// Rule returns one of the person's own rule files, or "".
func (w *Workspace) Rule(name string) (string, error) {
	data, _, err := w.load(path.Join(RulesDir, path.Base(name)))
	return string(data), err
}

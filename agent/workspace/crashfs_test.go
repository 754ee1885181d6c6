package workspace_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/spf13/afero"
)

// A disk in memory whose power can be cut at any call. It keeps apart what is written and what is safe: the bytes of a file are safe when
// the file was synced, and a name in a folder when the folder was, as POSIX has it and no more. What a cut leaves of the rest is up to
// the [remains].
type crashDisk struct {
	afero.Fs // of what this disk can not do, nil

	mu      sync.Mutex // one call after the other
	root    *node
	changes []change // of folders, that are not safe
	calls   int
	cutAt   int                    // the call at which the power goes; 0 for never
	before  func()                 // each call, which waits for it; nil for nothing
	deaf    func(name string) bool // whose syncs do nothing, for controls
	plain   bool                   // it can not exchange files
	// who looks at it is shown sources by their titles: agents side by side number them in any order
	anyOrder bool
	made     map[string]string // what is shown of a source's file
	inPlace  func(name string) // before a file comes into the place of another; nil for nothing
	dice     *rand.Rand
}

var _ store.Exchanger = (*crashDisk)(nil)

// remains is how much outlives a cut of what was not synced.
type remains string

const (
	nothing   remains = "nothing"   // not synced, not there
	all       remains = "all"       // the system had just written everything back
	inOrder   remains = "in order"  // the first of the changes of folders, and any sectors of files
	scattered remains = "scattered" // any of the changes of folders, and any sectors of files
)

var errPower = errors.New("the power is cut")

const sector = 512

type node struct {
	names map[string]*node // of a folder; nil for a file
	safe  map[string]*node
	data  []byte
	disk  []byte // the data that is safe
	mode  os.FileMode
	at    time.Time
}

// change is a name that came to mean another file or folder, or, with a second place, two of them at once.
type change []struct {
	in   *node
	name string
	to   *node // nil for none
}

func newCrashDisk(seed int) *crashDisk {
	return &crashDisk{root: newFolder(), dice: rand.New(rand.NewPCG(uint64(seed), 1))}
}

func newFolder() *node {
	return &node{names: map[string]*node{}, safe: map[string]*node{}, mode: fs.ModeDir | 0o755}
}

// power counts a call, and says that it does not take place.
func (d *crashDisk) power() error {
	if d.before != nil {
		d.before()
	}
	if d.calls++; d.cutAt > 0 && d.calls >= d.cutAt {
		return errPower
	}
	return nil
}

// copy is the same disk as it is now, with dice of its own.
func (d *crashDisk) copy(seed int) *crashDisk {
	known := map[*node]*node{nil: nil}
	again := newCrashDisk(seed)
	again.root, again.deaf, again.plain, again.anyOrder = d.root.copy(known), d.deaf, d.plain, d.anyOrder
	for _, c := range d.changes {
		c = slices.Clone(c)
		for i := range c {
			c[i].in, c[i].to = c[i].in.copy(known), c[i].to.copy(known)
		}
		again.changes = append(again.changes, c)
	}
	return again
}

func (n *node) copy(known map[*node]*node) *node {
	if again, ok := known[n]; ok {
		return again
	}
	again := &node{data: slices.Clone(n.data), disk: slices.Clone(n.disk), mode: n.mode, at: n.at}
	if known[n] = again; n.names != nil {
		again.names, again.safe = map[string]*node{}, map[string]*node{}
	}
	for name, child := range n.names {
		again.names[name] = child.copy(known)
	}
	for name, child := range n.safe {
		again.safe[name] = child.copy(known)
	}
	return again
}

// afterCut is the disk as it is found when the power is back.
func (d *crashDisk) afterCut(left remains) *crashDisk {
	kept := d.dice.IntN(len(d.changes) + 1)
	for i, c := range d.changes {
		if left == all || (left == inOrder && i < kept) || (left == scattered && d.dice.IntN(2) == 0) {
			c.apply(func(n *node) map[string]*node { return n.safe })
		}
	}
	return &crashDisk{root: d.root.afterCut(left, d.dice, map[*node]*node{}), dice: d.dice, deaf: d.deaf, plain: d.plain, anyOrder: d.anyOrder}
}

func (n *node) afterCut(left remains, dice *rand.Rand, known map[*node]*node) *node {
	if again, ok := known[n]; ok {
		return again // two names of one file
	}
	found := &node{mode: n.mode, at: n.at}
	known[n] = found
	if n.names == nil {
		found.data = n.dataAfterCut(left, dice)
		found.disk = slices.Clone(found.data)
		return found
	}
	found.names, found.safe = map[string]*node{}, map[string]*node{}
	for name, child := range n.safe {
		found.names[name] = child.afterCut(left, dice, known)
		found.safe[name] = found.names[name]
	}
	return found
}

// dataAfterCut is, sector by sector, what was safe, what was written since, or zeros.
func (n *node) dataAfterCut(left remains, dice *rand.Rand) []byte {
	switch {
	case left == nothing:
		return slices.Clone(n.disk)
	case left == all || bytes.Equal(n.data, n.disk):
		return slices.Clone(n.data)
	}
	short, long := min(len(n.disk), len(n.data)), max(len(n.disk), len(n.data))
	between := max(short, (short+dice.IntN(long-short+1))/sector*sector)
	size := []int{short, between, long}[dice.IntN(3)]
	out := make([]byte, size)
	copy(out, n.disk)
	for i := 0; i < min(size, len(n.data)); i += sector {
		if dice.IntN(2) == 0 {
			copy(out[i:min(i+sector, size)], n.data[i:min(i+sector, len(n.data))])
		}
	}
	return out
}

func (c change) apply(names func(*node) map[string]*node) {
	for _, part := range c {
		if part.to == nil {
			delete(names(part.in), part.name)
		} else {
			names(part.in)[part.name] = part.to
		}
	}
}

func (d *crashDisk) do(c change) {
	c.apply(func(n *node) map[string]*node { return n.names })
	d.changes = append(d.changes, c)
}

func (d *crashDisk) find(name string) (*node, error) {
	at := d.root
	for part := range strings.SplitSeq(path.Clean(name), "/") {
		if part == "." || part == "" {
			continue
		}
		if at = at.names[part]; at == nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
	}
	return at, nil
}

func (d *crashDisk) Name() string { return "crashDisk" }

func (d *crashDisk) Open(name string) (afero.File, error) { return d.OpenFile(name, os.O_RDONLY, 0) }

func (d *crashDisk) OpenFile(name string, flag int, mode os.FileMode) (afero.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.power(); err != nil {
		return nil, err
	}
	n, err := d.find(name)
	if err == nil && flag&os.O_EXCL != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	}
	if err != nil && flag&os.O_CREATE != 0 {
		var folder *node
		if folder, err = d.find(path.Dir(name)); err == nil {
			n = &node{mode: mode, at: time.Now()}
			d.do(change{{folder, path.Base(name), n}})
		}
	}
	if err != nil {
		return nil, err
	}
	return &crashFile{disk: d, node: n, name: name, append: flag&os.O_APPEND != 0}, nil
}

func (d *crashDisk) MkdirAll(name string, _ os.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := d.root
	for part := range strings.SplitSeq(path.Clean(name), "/") {
		if part != "." && at.names[part] == nil {
			if err := d.power(); err != nil {
				return err
			}
			d.do(change{{at, part, newFolder()}})
		}
		if part != "." {
			at = at.names[part]
		}
	}
	return nil
}

func (d *crashDisk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.power(); err != nil {
		return err
	}
	if _, err := d.find(name); err != nil {
		return err
	}
	folder, err := d.find(path.Dir(name))
	d.do(change{{folder, path.Base(name), nil}})
	return err
}

func (d *crashDisk) Rename(from, to string) error {
	d.comesInPlace(from) // when it is moved out of the way
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.power(); err != nil {
		return err
	}
	n, err := d.find(from)
	if err != nil {
		return err
	}
	a, err := d.find(path.Dir(from))
	if err != nil {
		return err
	}
	b, err := d.find(path.Dir(to))
	if err != nil {
		return err
	}
	d.do(change{{a, path.Base(from), nil}, {b, path.Base(to), n}})
	return nil
}

// Exchange is one change of a folder.
func (d *crashDisk) Exchange(a, b string) error {
	if d.plain {
		return errors.ErrUnsupported
	}
	d.comesInPlace(b)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.power(); err != nil {
		return err
	}
	x, err := d.find(a)
	if err != nil {
		return err
	}
	y, err := d.find(b)
	if err != nil {
		return err
	}
	folder, err := d.find(path.Dir(a))
	d.do(change{{folder, path.Base(a), y}, {folder, path.Base(b), x}})
	return err
}

func (d *crashDisk) RenameNew(from, to string) error {
	if d.plain {
		return errors.ErrUnsupported
	}
	d.mu.Lock()
	_, err := d.find(to)
	d.mu.Unlock()
	if err == nil {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	return d.Rename(from, to)
}

func (d *crashDisk) comesInPlace(name string) {
	if d.inPlace != nil {
		d.inPlace(name)
	}
}

func (d *crashDisk) Stat(name string) (fs.FileInfo, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.power(); err != nil {
		return nil, err
	}
	n, err := d.find(name)
	if err != nil {
		return nil, err
	}
	return n.info(name), nil
}

// sync makes a file's bytes or a folder's names safe. A change of two folders is one, and safe when either is.
func (d *crashDisk) sync(n *node, name string) {
	if d.deaf != nil && d.deaf(name) {
		return
	}
	n.disk = slices.Clone(n.data)
	if n.names == nil {
		return
	}
	d.changes = slices.DeleteFunc(d.changes, func(c change) bool {
		if c[0].in != n && c[len(c)-1].in != n {
			return false
		}
		c.apply(func(n *node) map[string]*node { return n.safe })
		return true
	})
}

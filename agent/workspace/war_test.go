package workspace_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A person with four ways of saving edits the files that the agent is writing all the time. Each edit puts one mark in, and no mark may be
// lost: each stands in its file, or in a text that is kept aside.

const warFiles = 8

// fighter is who writes against the person: the agent through the workspace, or the control.
type fighter interface {
	// turn is one write: a line at the end, or another first line.
	turn(n int) error
	stop() error
}

// byWorkspace is the agent as it is.
type byWorkspace struct {
	w       *workspace.Workspace
	refused int // writes that met a person's edit of the same lines, or that person again and again
}

func (b *byWorkspace) turn(n int) error {
	name := warFile(n)
	if n%5 == 0 {
		if _, err := b.w.Changes(); err != nil {
			return err
		}
	}
	if n%3 == 0 {
		text, err := b.w.Read(name)
		if err != nil {
			return err
		}
		_, rest, _ := strings.Cut(text, "\n")
		_, err = b.w.Overwrite(name, fmt.Sprintf("turn %d\n%s", n, rest))
		return b.count(err)
	}
	return b.count(b.w.Append(name, fmt.Sprintf("the agent's line %d\n", n)))
}

func (b *byWorkspace) count(err error) error {
	var conflict *workspace.ConflictError
	if errors.As(err, &conflict) || (err != nil && strings.Contains(err.Error(), "again and again")) {
		b.refused++
		return nil
	}
	return err
}

func (b *byWorkspace) stop() error {
	_, err := b.w.Changes()
	return errors.Join(err, b.w.Close())
}

// hashThenRename is the control: it compares the hash before it writes, and replaces files whole and safely, and no more.
type hashThenRename struct{ dir string }

func (h hashThenRename) turn(n int) error {
	name := filepath.Join(h.dir, warFile(n))
	old, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	text := string(old) + fmt.Sprintf("the agent's line %d\n", n)
	if n%3 == 0 {
		_, rest, _ := strings.Cut(string(old), "\n")
		text = fmt.Sprintf("turn %d\n%s", n, rest)
	}
	now, err := os.ReadFile(name)
	if err != nil || sha256.Sum256(now) != sha256.Sum256(old) {
		return nil
	}
	f, err := os.CreateTemp(h.dir, "temp")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close(), os.Rename(f.Name(), name))
}

func (hashThenRename) stop() error { return nil }

func warFile(n int) string { return fmt.Sprintf("Notebook/%02d.md", n%warFiles) }

// person edits with real files. The ways of saving take turns, so that no save of theirs is over another of their own.
type person struct {
	t     *testing.T
	dir   string
	files int // the first so many are theirs to edit
	rand  *rand.Rand
	made  int
}

func (p *person) mark() string {
	p.made++
	return fmt.Sprintf("mark-%06d\n", p.made)
}

func (p *person) path(n int) string { return filepath.Join(p.dir, warFile(n)) }

// read is what their editor loads. In a file system without exchange there is an instant in which the name is free.
func (p *person) read(path string) string {
	for {
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		require.NoError(p.t, err)
		return string(data)
	}
}

// with puts a mark between two lines.
func (p *person) with(text string) string {
	lines := strings.SplitAfter(text, "\n")
	at := 1 + p.rand.IntN(len(lines)-1)
	return strings.Join(slices.Insert(lines, at, p.mark()), "")
}

func (p *person) renameOver(n int) {
	path := p.path(n)
	require.NoError(p.t, os.WriteFile(path+"~", []byte(p.with(p.read(path))), 0o644))
	require.NoError(p.t, os.Rename(path+"~", path))
}

func (p *person) inPlace(n int) {
	path := p.path(n)
	text := p.with(p.read(path))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC|os.O_CREATE, 0o644)
	require.NoError(p.t, err)
	for chunk := range slices.Chunk([]byte(text), 1024) {
		_, err := f.Write(chunk)
		require.NoError(p.t, err)
	}
	require.NoError(p.t, f.Close())
}

func (p *person) append(n int) {
	var f *os.File
	for {
		var err error
		f, err = os.OpenFile(p.path(n), os.O_WRONLY|os.O_APPEND, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		require.NoError(p.t, err)
		break
	}
	_, err := f.WriteString(p.mark())
	require.NoError(p.t, errors.Join(err, f.Close()))
}

// checkout changes all files, one by one, as git does: it removes one and creates it anew.
func (p *person) checkout() {
	for n := range p.files {
		path := p.path(n)
		text := p.with(p.read(path))
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) { // it is just being moved out of the way
			require.NoError(p.t, err)
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) { // the control brings files back
			f, err = os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
		}
		require.NoError(p.t, err)
		_, err = f.WriteString(text)
		require.NoError(p.t, errors.Join(err, f.Close()))
	}
}

// edit makes one edit, or a checkout's many, after a pause of reading: at any point of the agent's next write.
func (p *person) edit() {
	n := p.rand.IntN(p.files)
	for range p.rand.IntN(60) {
		p.read(p.path(n))
	}
	switch p.rand.IntN(13) {
	case 0, 1, 2, 3:
		p.renameOver(n)
	case 4, 5, 6, 7:
		p.inPlace(n)
	case 8, 9, 10, 11:
		p.append(n)
	default:
		p.checkout()
	}
}

// war lets the person make a number of edits in so many files against a fighter, another person for each seed, and gives the marks that
// stand nowhere, how many stand in copies only, and how many writes the fighter made.
func war(t *testing.T, dir string, files, edits int, seed uint64, f fighter) (lost []string, copied, turns int) {
	p := &person{t: t, dir: dir, files: files, rand: rand.New(rand.NewPCG(1, seed))}
	var over atomic.Bool
	done, wrote := make(chan error, 1), make(chan struct{})
	go func() {
		var err error
		for !over.Load() && err == nil {
			err = f.turn(turns)
			turns++
			select {
			case wrote <- struct{}{}:
			default: // the person is busy
			}
		}
		close(wrote)
		done <- err
	}()
	for p.made < edits && len(done) == 0 {
		<-wrote
		for range p.rand.IntN(12) { // a burst, so that some fall into the next write, wherever it is
			p.edit()
		}
	}
	over.Store(true)
	require.NoError(t, <-done)
	require.NoError(t, f.stop())

	texts, copies := warTexts(t, dir)
	for n := 1; n <= p.made; n++ {
		mark := fmt.Sprintf("mark-%06d\n", n)
		switch {
		case strings.Contains(texts, mark):
		case strings.Contains(copies, mark):
			copied++
		default:
			lost = append(lost, mark)
		}
	}
	return lost, copied, turns
}

// withLinks is a file system that has hard links and cannot exchange files, as on other systems than Linux.
type withLinks struct {
	afero.Fs
	dir string
}

func (l withLinks) Link(from, to string) error {
	return os.Link(filepath.Join(l.dir, from), filepath.Join(l.dir, to))
}

func warTexts(t *testing.T, dir string) (files, copies string) {
	all := func(names []string) (texts string) {
		for _, p := range names {
			data, err := os.ReadFile(p)
			require.NoError(t, err)
			texts += string(data)
		}
		return texts
	}
	found, err := filepath.Glob(filepath.Join(dir, "Notebook/*"))
	require.NoError(t, err)
	var kept []string // what was put aside since it could not be merged, and not what a write replaced
	_, err = workspace.OpenFs(afero.NewBasePathFs(afero.NewOsFs(), dir)).History().Entries(func(e store.Entry) {
		var v store.FileRow
		if e.Key == store.KeyAside && assert.NoError(t, json.Unmarshal(e.Value, &v)) {
			kept = append(kept, filepath.Join(dir, v.Kept))
		}
	})
	require.NoError(t, err)
	return all(found), all(kept)
}

func TestAnEditWar(t *testing.T) {
	edits := 200
	if os.Getenv("DAYBOOK_FULL") != "" {
		edits = 10_000
	}
	begin := func(t *testing.T, dir string, w *workspace.Workspace) *byWorkspace {
		require.NoError(t, w.Lock())
		require.NoError(t, w.Begin(nil))
		for n := range warFiles {
			require.NoError(t, w.Create(warFile(n), "turn 0\n"))
		}
		return &byWorkspace{w: w}
	}
	t.Run("files are exchanged", func(t *testing.T) {
		dir := t.TempDir()
		w, err := workspace.Open(dir)
		require.NoError(t, err)
		agent := begin(t, dir, w)
		lost, copied, turns := war(t, dir, warFiles, edits, 2, agent)
		assert.Empty(t, lost)
		assert.Less(t, agent.refused, turns/2, "the agent gets on")
		t.Logf("%d edits, %d writes of which %d were refused; %d marks in copies", edits, turns, agent.refused, copied)
	})
	t.Run("files are moved out of the way", func(t *testing.T) {
		dir := t.TempDir()
		agent := begin(t, dir, workspace.OpenFs(withLinks{afero.NewBasePathFs(afero.NewOsFs(), dir), dir}))
		lost, copied, turns := war(t, dir, warFiles, edits, 2, agent)
		assert.Empty(t, lost)
		t.Logf("%d edits, %d writes of which %d were refused; %d marks in copies", edits, turns, agent.refused, copied)
	})
	t.Run("control: hash, then rename", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "Notebook"), 0o755))
		for n := range warFiles {
			require.NoError(t, os.WriteFile(filepath.Join(dir, warFile(n)), []byte("turn 0\n"), 0o644))
		}
		lost, _, turns := war(t, dir, warFiles, edits, 2, hashThenRename{dir})
		assert.NotEmpty(t, lost, "the control loses marks")
		t.Logf("%d edits, %d writes; %d marks lost", edits, turns, len(lost))
	})
}

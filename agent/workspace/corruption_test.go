package workspace_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each byte of each file in which a research has its state is flipped, zeroed, or the first that is cut off. What is opened then is an
// earlier valid state, or is refused by a word that names the file; nothing that is whole is changed, and nothing is thrown away.

// patient is a workspace whose files are damaged, one byte at a time.
type patient struct {
	disk    *crashDisk
	naive   bool // its journal has no checksums, for the control
	sources map[string]workspace.Source
	entries map[string]bool // of the journal
	opened  time.Time       // since when others are written
}

func newPatient(t *testing.T, disk *crashDisk) patient {
	t.Helper()
	p := patient{disk: disk, sources: map[string]workspace.Source{}, entries: map[string]bool{}, opened: time.Now()}
	w := workspace.OpenFs(disk.copy(0))
	_, err := w.History().Entries(func(e store.Entry) { p.entries[written(e)] = true })
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	for _, s := range w.Sources() {
		p.sources[s.ID] = s
	}
	return p
}

func written(e store.Entry) string { return fmt.Sprint(e.Time, e.Key, string(e.Value)) }

// patients are a research that is done, and one that was cut off in the midst of a stretch.
func patients(t *testing.T) map[string]patient {
	t.Helper()
	done := newCrashDisk(0)
	require.NoError(t, (&leader{short: true}).lead(done, nil))
	off := newCrashDisk(0)
	off.cutAt = done.calls / 2
	require.ErrorIs(t, (&leader{short: true}).lead(off, nil), errPower)
	off = off.afterCut(all)
	return map[string]patient{"a research that is done": newPatient(t, done), "one that was cut off": newPatient(t, off)}
}

// everything is all files of a disk, the program's own too.
func (d *crashDisk) everything() map[string]string {
	found := map[string]string{}
	var walk func(at string, n *node)
	walk = func(at string, n *node) {
		for name, child := range n.names {
			if p := path.Join(at, name); child.names != nil {
				walk(p, child)
			} else {
				found[p] = string(child.data)
			}
		}
	}
	walk("", d.root)
	return found
}

// damages are the ways in which one byte goes wrong.
var damages = map[string]func(data []byte, at int) []byte{
	"flipped": func(data []byte, at int) []byte {
		data[at] ^= 1 << (at % 8)
		return data
	},
	"zeroed": func(data []byte, at int) []byte {
		data[at] = 0
		return data
	},
	"cut": func(data []byte, at int) []byte { return data[:at] },
}

// damaged is the disk with one file damaged, and what the files hold then.
func (p patient) damaged(name string, at int, how string) (*crashDisk, map[string]string) {
	disk := p.disk.copy(at)
	n, err := disk.find(name)
	if err != nil {
		return disk, nil
	}
	n.data = damages[how](n.data, at)
	if p.naive && name == journal {
		n.data = withChecksums(n.data)
	}
	n.disk = slices.Clone(n.data)
	return disk, disk.everything()
}

// withChecksums makes each line of a journal right, whatever stands there.
func withChecksums(data []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(data) {
		if body := bytes.TrimSuffix(line, []byte("\n")); len(body) > 9 && len(body) < len(line) {
			fmt.Fprintf(&out, "%08x %s\n", crc32.Checksum(body[9:], crc32.MakeTable(crc32.Castagnoli)), body[9:])
		} else {
			out.Write(line)
		}
	}
	return out.Bytes()
}

// survives opens a damaged workspace and looks at it, and in some cases goes on to the end.
func (p patient) survives(name string, at int, how string, goOn bool) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panics: %v", r)
		}
	}()
	disk, before := p.damaged(name, at, how)
	w := workspace.OpenFs(disk)
	if err := w.Lock(); err != nil {
		if !strings.Contains(err.Error(), name) || !maps.Equal(before, disk.everything()) {
			return fmt.Errorf("the refusal does not name the file, or changed one: %w", err)
		}
		return nil
	}
	if err := errors.Join(p.unharmed(name, before, disk), p.sound(name, w), p.told(name, before[name], w)); err != nil || !goOn {
		return err
	}
	after := &leader{short: true}
	if err := after.lead(disk, nil); err != nil {
		if strings.Contains(err.Error(), name) {
			return nil // a dashboard that a person has to put right
		}
		return fmt.Errorf("going on: %w", err)
	}
	return p.nothingLost(name, disk)
}

// unharmed says whether the files stand as they stood, but for what is a text that they had, and whether what was set aside is kept.
func (p patient) unharmed(name string, before map[string]string, disk *crashDisk) error {
	found := disk.everything()
	torn, kept := "", map[string]bool{}
	for f, text := range found {
		if strings.HasSuffix(f, "-.daybook%2Fjournal.jsonl") {
			torn += text
		} else if path.Dir(f) == ".daybook/trash" && before[f] == "" {
			kept[text] = true
		}
	}
	for f, text := range before {
		is, there := found[f]
		switch {
		case f == journal:
			whole := strings.TrimSuffix(text, torn)
			if !strings.HasPrefix(is, whole) {
				return errors.New("bytes of the journal are thrown away")
			}
		case there && is == text:
		case strings.HasPrefix(path.Base(f), ".daybook-"): // a write was under way, and what it replaced is on record or kept aside
		case f == name && there && is == p.text(f) && (kept[text] || strings.Trim(text, "\x00") == "" || strings.HasPrefix(is, text)):
		case f == name && !there && kept[text]:
		default:
			return fmt.Errorf("%s was changed: %d bytes in place of %d", f, len(is), len(text))
		}
	}
	return nil
}

func (p patient) text(name string) string {
	n, err := p.disk.find(name)
	if err != nil {
		return ""
	}
	return string(n.data)
}

// sound says whether what is counted and known is what was known before, or less.
func (p patient) sound(name string, w *workspace.Workspace) error {
	if n := w.Progress(); n < 0 || n > 1000 {
		return fmt.Errorf("the progress is %d", n)
	}
	strange := ""
	_, err := w.History().Entries(func(e store.Entry) {
		if e.Time.Before(p.opened) && !p.entries[written(e)] {
			strange = written(e)
		}
	})
	if err != nil || strange != "" {
		return errors.Join(fmt.Errorf("the journal tells what never was: %.80s", strange), err)
	}
	for _, s := range w.Sources() {
		if was, ok := p.sources[s.ID]; s.File != name && (!ok || was.File != s.File || was.SHA256 != s.SHA256) {
			return fmt.Errorf("%s stands for %s now", s.ID, s.File)
		}
		if was := p.sources[s.ID]; s.File == name && was.File != name {
			return fmt.Errorf("%s stands for %s now, which was %s", s.ID, s.File, was.File)
		}
		if _, intact, err := w.SourceText(s.ID); err != nil || s.File != name && !intact {
			return fmt.Errorf("%s is not what was read: %w", s.ID, err)
		}
	}
	if _, _, err := w.Dashboards(); err != nil && !strings.Contains(err.Error(), name) {
		return fmt.Errorf("the dashboards are refused: %w", err)
	}
	if _, err := w.Changes(); err != nil {
		return fmt.Errorf("telling changes: %w", err)
	}
	return nil
}

// told says whether what was lost is told, in words that name the file. A journal that ends behind a line is an earlier one.
func (p patient) told(name, damaged string, w *workspace.Workspace) error {
	if name != journal || p.naive || strings.HasPrefix(p.text(journal), damaged) && strings.HasSuffix(damaged, "\n") || damaged == "" {
		return nil
	}
	if !slices.ContainsFunc(w.Warnings(), func(told string) bool { return strings.Contains(told, journal) }) {
		return fmt.Errorf("the damage of the journal is not told; said was %q", w.Warnings())
	}
	return nil
}

// nothingLost says whether each line of the chapters and of the report stands in a file still, or in the trash.
func (p patient) nothingLost(name string, disk *crashDisk) error {
	var now strings.Builder
	for f, text := range disk.everything() {
		if path.Dir(f) != ".daybook" {
			now.WriteString(text)
		}
	}
	for f, text := range p.disk.texts() {
		for line := range strings.Lines(text) {
			ours := path.Dir(f) == workspace.NotebookDir && line != "Put between.\n"
			if ours && f != name && !strings.Contains(now.String(), line) {
				return fmt.Errorf("%q of %s is lost", line, f)
			}
		}
	}
	return nil
}

// stateFiles are the files of a workspace that are damaged.
func (p patient) stateFiles() []string {
	return slices.Sorted(maps.Keys(p.disk.everything()))
}

// each damages a part of all bytes, 1 in so many, and gives how often, and the faults.
func (p patient) each(every int, dice *rand.Rand, only string) (tried int, faults []error) {
	for _, name := range p.stateFiles() {
		if only != "" && name != only {
			continue
		}
		text := p.text(name)
		for at := range len(text) {
			for _, how := range slices.Sorted(maps.Keys(damages)) {
				if every > 1 && dice.IntN(every) > 0 || how == "zeroed" && text[at] == 0 {
					continue
				}
				tried++
				if err := p.survives(name, at, how, dice.IntN(16) == 0); err != nil {
					faults = append(faults, fmt.Errorf("%s, byte %d %s: %w", name, at, how, err))
				}
				if len(faults) > 20 {
					return tried, faults
				}
			}
		}
	}
	return tried, faults
}

func TestEachByteOfTheState(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	every := 110
	if os.Getenv("DAYBOOK_FULL") != "" {
		every = 1
	}
	for name, p := range patients(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tried, faults := p.each(every, rand.New(rand.NewPCG(1, 2)), "")
			for _, err := range faults {
				assert.NoError(t, err)
			}
			t.Logf("%d damages of %d files; the journal has %d bytes", tried, len(p.stateFiles()), len(p.text(journal)))
			assert.Greater(t, tried, 300)
		})
	}
}

// The control: read without checksums, a damaged journal gives states that never were.
func TestAJournalWithoutChecksumsIsFelt(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	for _, p := range patients(t) {
		p.naive = true
		tried, faults := p.each(20, rand.New(rand.NewPCG(1, 2)), journal)
		require.NotEmpty(t, faults)
		t.Logf("%d faults of %d damages, the first: %v", len(faults), tried, faults[0])
	}
}

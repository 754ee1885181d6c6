package workspace_test

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A power cut around what a person saves in the very instant of a write. What they saved was safe before the file came out of its place,
// and stands in the file or is kept aside whenever the power is cut from then on.

// save is a person who renames a synced file over another, and syncs the folder.
func (d *crashDisk) save(name, text string) {
	folder, _ := d.find(path.Dir(name)) // the root, if need be
	n := &node{data: []byte(text), disk: []byte(text), mode: 0o644}
	d.do(change{{folder, path.Base(name), n}})
	d.sync(folder, name)
}

// inTheInstant is the person's save when a file comes into the place of another next.
func (d *crashDisk) inTheInstant(name string, save func()) {
	d.inPlace = func(of string) {
		if of == name {
			d.inPlace = nil
			save()
		}
	}
}

const base = "alpha\nbeta\ngamma\n"

// cutAround writes while a person saves a text, and cuts the power at each call after that. It returns the first loss; deaf to what a cut
// leaves beside the file, it removes that, for a control.
func cutAround(seed int, plain bool, saved string, deaf bool) (cuts int, lost error) {
	disk := newCrashDisk(seed)
	disk.plain = plain
	w := workspace.OpenFs(disk)
	err := errors.Join(w.Lock(), w.Begin(map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current}), w.Create(note, base))
	acknowledged, ways := false, []remains{nothing, scattered, inOrder, all}
	if plain { // the two renames of one folder reach the disk in their order, as they do wherever folders have a journal
		ways = []remains{nothing, inOrder, all}
	}
	cut := func() {
		after := disk.copy(seed + cuts).afterCut(ways[(cuts+seed)%len(ways)])
		if deaf {
			for _, p := range after.hidden() {
				if err := after.Remove(p); err != nil {
					lost = err
				}
			}
		}
		if err := keptAfter(after, acknowledged); err != nil && lost == nil {
			lost = fmt.Errorf("cut %d, seed %d: %w", cuts, seed, err)
		}
		cuts++
	}
	disk.inTheInstant(note, func() {
		disk.save(note, saved)
		disk.before = cut
	})
	_, refused := w.Overwrite(note, strings.Replace(base, "alpha", "ALPHA", 1))
	var conflict *workspace.ConflictError
	if acknowledged = refused == nil; !acknowledged && !errors.As(refused, &conflict) {
		err = errors.Join(err, refused)
	}
	return cuts, errors.Join(lost, err, w.Append(note, "the end\n"), w.Close())
}

// keptAfter says whether the person's words are there after a power cut, and those of the agent that were acknowledged.
func keptAfter(disk *crashDisk, acknowledged bool) error {
	w := workspace.OpenFs(disk)
	if err := errors.Join(w.Lock(), w.Close()); err != nil {
		return err
	}
	texts := disk.texts()
	var all strings.Builder
	for p, text := range texts {
		if strings.HasPrefix(p, "Notebook/") {
			all.WriteString(text)
		}
	}
	for _, text := range disk.trash() {
		all.WriteString(text)
	}
	switch {
	case strings.Count(all.String(), "by hand") == 0:
		return fmt.Errorf("what the person saved is lost of %q", texts[note])
	case acknowledged && !strings.Contains(texts[note], "ALPHA"):
		return fmt.Errorf("what the agent wrote is lost of %q", texts[note])
	case len(disk.hidden()) > 0:
		return fmt.Errorf("%s is left behind", disk.hidden())
	}
	return nil
}

func TestPowerCutsAroundAPersonsSave(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	for name, plain := range ways {
		for where, saved := range map[string]string{"elsewhere": "alpha\nbeta\ngamma, by hand\n", "on the same line": "alpha, by hand\nbeta\ngamma\n"} {
			t.Run(name+", "+where, func(t *testing.T) {
				cuts := 0
				for seed := range 20 {
					n, err := cutAround(seed, plain, saved, false)
					require.NoError(t, err)
					cuts += n
				}
				t.Logf("%d power cuts", cuts)
				assert.Greater(t, cuts, 20*10)
			})
			t.Run(name+", "+where+", control: what came out is not looked at", func(t *testing.T) {
				assert.True(t, slices.ContainsFunc([]int{0, 1, 2, 3, 4, 5, 6, 7}, func(seed int) bool {
					_, err := cutAround(seed, plain, saved, true)
					return err != nil && strings.Contains(err.Error(), "what the person saved is lost")
				}))
			})
		}
	}
}

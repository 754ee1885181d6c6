package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the program makes of a research of which a byte is wrong: status tells no count that never was, and settings are refused with the
// file's name, or are right.

// spoilt are a text with one byte flipped, zeroed, and cut off there.
func spoilt(text []byte, at int) map[string][]byte {
	flipped, zeroed := []byte(string(text)), []byte(string(text))
	flipped[at] ^= 1 << (at % 8)
	zeroed[at] = 0
	return map[string][]byte{"flipped": flipped, "zeroed": zeroed, "cut": text[:at]}
}

func TestEachByteOfTheSettings(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, workspace.SettingsFile)
	text := []byte("# settings\nmodel: gpt-5.4-mini\nmax-steps: 120\ndocs: [notes, papers]\nintake: false\nmode: fixed\nrounds: 2\nprofile: brief\nallow-private: true\nbase-url: http://127.0.0.1:9/v1\n")
	require.NoError(t, os.WriteFile(path, text, 0o644))
	_, err := readSettings(dir)
	require.NoError(t, err)
	refused := 0
	for at := range text {
		for how, data := range spoilt(text, at) {
			require.NoError(t, os.WriteFile(path, data, 0o644))
			require.NotPanics(t, func() { _, err = readSettings(dir) }, "byte %d %s", at, how)
			if err != nil {
				refused++
				assert.ErrorContains(t, err, path, "byte %d %s", at, how)
			}
			left, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, data, left)
		}
	}
	t.Logf("%d of %d are refused; the others are settings as a person may write them", refused, 3*len(text))
	assert.Greater(t, refused, len(text)/2)
}

// patient is a research on the disk, and what status tells of it while it is well.
type patient struct {
	dir   string
	files map[string][]byte
	well  account.Status
}

func admitted(t *testing.T, dir string) patient {
	t.Helper()
	p := patient{dir: dir, files: map[string][]byte{}}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		p.files[path] = data
		return err
	}))
	var err error
	p.well, err = researcher.Open(dir).Status()
	require.NoError(t, err)
	return p
}

// look damages a file and asks for the status.
func (p patient) look(path string, data []byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panics: %v", r)
		}
	}()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.WriteFile(path, p.files[path], 0o644)) }()
	s, err := researcher.Open(p.dir).Status()
	if err != nil && strings.Contains(err.Error(), filepath.Base(path)) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("refused without the file's name: %w", err)
	}
	for what, n := range map[string][2]int{
		"steps": {s.Step, p.well.Step}, "stretches": {s.Stretch, p.well.Stretch}, "sources": {s.Sources, p.well.Sources},
		"replies": {s.Usage.Calls, p.well.Usage.Calls}, "tokens": {s.Usage.Tokens(), p.well.Usage.Tokens()},
	} {
		if n[0] < 0 || n[0] > n[1] {
			return fmt.Errorf("it tells of %d %s, and there were %d", n[0], what, n[1])
		}
	}
	if left, err := os.ReadFile(path); err != nil || string(left) != string(data) {
		return errors.Join(errors.New("looking changed the file"), err)
	}
	return nil
}

// The status of a research that is done and of one that was killed, with a byte wrong in any of its files, the lock among them. With
// DAYBOOK_FULL=1 it is 1 byte in 200, and otherwise 1 in 12000: that each byte is taken in right is tested in agent/workspace.
func TestTheStatusOfADamagedResearch(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	bin, every := built(t), 12000
	if os.Getenv("DAYBOOK_FULL") != "" {
		every = 200
	}
	s := newStorm(t, bin, 3)
	done, killed := filepath.Join(t.TempDir(), "done"), filepath.Join(t.TempDir(), "killed")
	require.False(t, s.run(done, plan{at: never}))
	require.True(t, s.run(killed, plan{at: thinking, count: 30}))
	for _, dir := range []string{done, killed} {
		p, tried, dice := admitted(t, dir), 0, rand.New(rand.NewPCG(7, 7))
		for _, path := range slices.Sorted(maps.Keys(p.files)) {
			text := p.files[path]
			for at := range text {
				if dice.IntN(every) > 0 && filepath.Base(path) != "lock" {
					continue
				}
				for how, data := range spoilt(text, at) {
					tried++
					assert.NoError(t, p.look(path, data), "%s, byte %d %s", filepath.Base(path), at, how)
				}
			}
		}
		t.Logf("%s: %d damages", filepath.Base(dir), tried)
		assert.Greater(t, tried, 50)
		assert.NotEqual(t, agent.Usage{}, p.well.Usage)
	}
}

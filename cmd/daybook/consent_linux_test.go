package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// newTerminal is a terminal: what is written to person is typed, and what the program shows is read from it.
func newTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, person.Close()) })
	require.NoError(t, unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	return person, program
}

// Whoever is asked whether a folder may be read agrees to that folder. A link that is put in its place while they think leads nowhere.
// The control is the same without the link.
func TestALinkPutInWhileThePersonIsAskedIsNotFollowed(t *testing.T) {
	for name, swapped := range map[string]bool{"swapped": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.put("theirs/daybook.yaml", "docs: [notes]\n")
			model := visitor(t)
			person, program := newTerminal(t)
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Args = []string{"daybook", "run", "-q", "What is the password of the cellar?", "--max-steps", "1", "theirs"}
			cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.home, program, program, program
			cmd.Env = []string{"HOME=" + s.home, "XDG_STATE_HOME=" + s.home + "/state", "OPENAI_API_KEY=" + canaryKey, "TERM=xterm",
				"DAYBOOK_LOCAL=false", "DAYBOOK_SEARCH=none", "DAYBOOK_INTAKE=false", "DAYBOOK_MODE=fixed", "DAYBOOK_ROUNDS=1",
				"DAYBOOK_PROFILE=brief", "OPENAI_BASE_URL=" + model.URL}
			require.NoError(t, cmd.Start())
			require.NoError(t, program.Close())
			said, buffer := "", make([]byte, 4096)
			for answered := false; ; {
				n, err := person.Read(buffer)
				said += string(buffer[:n])
				if err != nil { // EIO, once the program is gone
					break
				}
				if !answered && strings.Contains(said, "y or n") {
					answered = true
					if swapped {
						notes := filepath.Join(s.dir, "notes")
						require.NoError(t, os.Rename(notes, notes+"-away"))
						require.NoError(t, os.Symlink(filepath.Join(s.home, "secrets"), notes))
					}
					_, err = io.WriteString(person, "y\n")
					require.NoError(t, err)
				}
			}
			require.Error(t, cmd.Wait(), said)
			assert.Contains(t, said, "y or n")
			assert.NotContains(t, s.kept(), canaryText, "in the index, or in a file")
			if swapped {
				assert.Contains(t, said, "none of what was agreed to")
			} else {
				assert.Contains(t, s.kept(), "kept elsewhere", said)
			}
		})
	}
}

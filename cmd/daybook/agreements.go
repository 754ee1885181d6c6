package main

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// agreement records what the user agreed to for a folder, in a small file outside it that is named after the
// SHA-256 of the folder's real path. A folder renamed on its disk keeps its agreement; a copy has none.
type agreement struct {
	Folder string `json:"folder"`
	// Self identifies the folder under another name too, once it has a journal.
	Self string            `json:"self,omitempty"`
	To   map[string]string `json:"agreed"` // what each setting does, by the id of the want
	// Strange marks a folder that may hold what somebody else wrote: it was not empty when the research
	// began, or this program did not create it here, and the user agreed to none of its contents.
	Strange bool `json:"strange,omitempty"`
	// Tools holds the tools of MCP servers that the user agreed to, by the SHA-256 of each one's description.
	Tools map[string]string `json:"tools,omitempty"`

	dir string
	in  string // the file that it was read from; "" if nothing is remembered of the folder
}

// stateFolder is the folder in which a research keeps its journal.
const stateFolder = ".daybook"

const maxAgreed = 1 << 20 // bytes; the settings file has at most 64 KB

// stateHome returns XDG_STATE_HOME, or the system's equivalent.
func stateHome() (string, error) {
	if set := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(set) { // a relative one could lie in the folder
		return set, nil
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return os.UserConfigDir()
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state"), err
}

// agreedFile returns the path of the file that remembers what was agreed to for a folder.
func agreedFile(dir string) (string, error) {
	state, err := stateHome()
	if err != nil {
		return "", fmt.Errorf("finding a folder to remember it in: %w", err)
	}
	if _, isInside := within(dir, state); isInside {
		return "", fmt.Errorf(
			"the folder to remember it in, %s, belongs to the research itself: set XDG_STATE_HOME to another",
			state)
	}
	folder, err := realPath(dir)
	if err != nil {
		return "", fmt.Errorf("finding the folder: %w", err)
	}
	return filepath.Join(state, "daybook", "agreed", digest(folder)+".json"), nil
}

// agreementOn returns what is remembered of a folder, under its present name or an earlier one. A file that
// cannot be read agrees to nothing.
func agreementOn(dir string) agreement {
	if path, err := agreedFile(dir); err == nil {
		here := readAgreement(path, dir)
		self := identity(dir)
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.json")) // the pattern is ours
		for _, before := range files {
			if a := readAgreement(before, dir); here.in == "" && self != "" && a.Self == self {
				here = a
			}
		}
		if here.in != "" {
			return here
		}
	}
	entries, err := os.ReadDir(dir)
	return agreement{dir: dir, Strange: err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return !strings.HasPrefix(e.Name(), ".") || e.Name() == stateFolder
	})}
}

func readAgreement(path, dir string) (a agreement) {
	data, err := readInside(filepath.Dir(path), filepath.Base(path), maxAgreed)
	if err != nil || bounds.JSON(data, &a) != nil {
		return agreement{}
	}
	a.dir, a.in = dir, path
	return a
}

// identity returns a fingerprint of a folder that survives a rename: of its inode and the start of its
// journal, since a disk reuses the inodes of removed folders. It returns "" if there is none.
func identity(dir string) string {
	name := inode(dir)
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(store.JournalFile)))
	if name == "" || err != nil {
		return ""
	}
	defer f.Close()
	begins := make([]byte, 1<<10) // the first rows have the time and the question
	if _, err := io.ReadFull(f, begins); err != nil {
		return ""
	}
	return digest(name + "\n" + string(begins))
}

// holds reports whether the user has agreed to something.
func (a agreement) holds(w want) bool {
	_, ok := a.To[w.id()]
	return ok
}

// to returns the agreement with these wants in place of those agreed to before; tools are kept.
func (a agreement) to(wants []want, strange bool) agreement {
	a.To, a.Strange = map[string]string{}, strange
	for _, w := range wants {
		a.To[w.id()] = w.String()
	}
	return a
}

// toTools returns the agreement with these tools of MCP servers in place of those agreed to before.
func (a agreement) toTools(tools []want) agreement {
	a.Tools = map[string]string{}
	for _, w := range tools {
		a.Tools[w.id()] = prose.Shorten(w.does, 100)
	}
	return a
}

// keep saves the agreement under the folder's present name, with its identity.
func (a agreement) keep() error {
	path, err := agreedFile(a.dir)
	if err != nil {
		return err
	}
	a.Folder, _ = realPath(a.dir) // agreedFile found it
	a.Self = cmp.Or(identity(a.dir), a.Self)
	if err := replaceJSON(path, a); err != nil {
		return err
	}
	if a.in != "" && a.in != path {
		_ = os.Remove(a.in) // it has the folder's former name
	}
	return nil
}

func digest(text string) string { return store.Hash([]byte(text)) }

// within returns the path from a folder to what lies inside it, with links followed; false for other paths.
func within(dir, path string) (from string, isInside bool) {
	top, err := realPath(dir)
	at, failed := realPath(path)
	from, apart := filepath.Rel(top, at)
	return from, errors.Join(err, failed, apart) == nil && filepath.IsLocal(from)
}

// realPath returns the path of a folder without links. The folder need not exist yet.
func realPath(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(path)
	if above := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && above != path {
		real, err = realPath(above)
		real = filepath.Join(real, filepath.Base(path))
	}
	return real, err
}

func replaceJSON(path string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return replace(path, append(data, '\n'))
}

// replace writes a small file of the user's in one step, even if somebody else writes it too.
func replace(path string, data []byte) error {
	written := path + "-" + rand.Text()
	err := cmp.Or(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(written, data, 0o600))
	if err == nil {
		err = os.Rename(written, path)
	}
	if err != nil {
		_ = os.Remove(written)
	}
	return err
}

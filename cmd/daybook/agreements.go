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

// agreement is what a person agreed to for a folder. It is remembered in a small file outside the folder, named by
// the SHA-256 of the folder's real path. A folder renamed on its disk is the same one; a copy is another.
type agreement struct {
	Folder string `json:"folder"`
	// Self identifies the folder also under another name, once it has a journal.
	Self string            `json:"self,omitempty"`
	To   map[string]string `json:"agreed"` // what a setting does, by the SHA-256 of that
	// Strange says that the folder may hold what somebody else wrote: the person began a research in one that was
	// not empty, or this program did not make it here, and they agreed to nothing that was in it.
	Strange bool `json:"strange,omitempty"`
	// Tools are the tools of MCP servers that they agreed to, by the SHA-256 of what each says of itself.
	Tools map[string]string `json:"tools,omitempty"`

	dir   string
	in    string // the file that it was read from; "" for none
	known bool
}

// stateFolder is where a research keeps its journal.
const stateFolder = ".daybook"

const maxAgreed = 1 << 20 // bytes; the settings file has at most 64 KB

// stateHome is XDG_STATE_HOME, or what the system has of the kind.
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

// agreedFile is where what is agreed to for a folder is remembered.
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

// agreementOn reads what is remembered of a folder, or of the name that it had before. A file that cannot be
// read agrees to nothing.
func agreementOn(dir string) agreement {
	if path, err := agreedFile(dir); err == nil {
		here := readAgreement(path, dir)
		self := identity(dir)
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.json")) // the pattern is ours
		for _, before := range files {
			if a := readAgreement(before, dir); !here.known && self != "" && a.Self == self {
				here = a
			}
		}
		if here.known {
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
	a.dir, a.in, a.known = dir, path, true
	return a
}

// identity identifies a folder under whatever name: by what the disk calls it and how its journal begins, since
// the disk gives a removed folder's name to a new one. "" identifies none.
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

// holds reports whether the person has agreed to something.
func (a agreement) holds(w want) bool {
	_, ok := a.To[w.id()]
	return ok
}

// to agrees to these, and to nothing that was agreed to before but tools.
func (a agreement) to(wants []want, strange bool) agreement {
	a.To, a.Strange = map[string]string{}, strange
	for _, w := range wants {
		a.To[w.id()] = w.String()
	}
	return a
}

// toTools agrees to these tools of MCP servers, and to none that was agreed to before.
func (a agreement) toTools(tools []want) agreement {
	a.Tools = map[string]string{}
	for _, w := range tools {
		a.Tools[w.id()] = prose.Shorten(w.does, 100)
	}
	return a
}

// keep remembers it under the name that the folder has now, and what identifies it.
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
		_ = os.Remove(a.in) // it is of a folder that is not there any more
	}
	return nil
}

func digest(text string) string { return store.Hash([]byte(text)) }

// within is the path of what lies in a folder from there, whatever links lead to it; false for other paths.
func within(dir, path string) (from string, isInside bool) {
	top, err := realPath(dir)
	at, failed := realPath(path)
	from, apart := filepath.Rel(top, at)
	return from, errors.Join(err, failed, apart) == nil && filepath.IsLocal(from)
}

// realPath is the path of a folder without links. The folder need not be there yet.
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

// replace writes a small file of the person's in one step, whoever else writes it.
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

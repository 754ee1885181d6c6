package main

import (
	"cmp"
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

// agreements remembers, in a small file outside the folder named by the SHA-256 of the folder's real path,
// what a person agreed to. A folder renamed on its disk is the same one; a copy is another.
type agreements struct{ dir string }

type agreed struct {
	Folder string `json:"folder"`
	// Self identifies the folder also under another name, once it has a journal.
	Self string            `json:"self,omitempty"`
	To   map[string]string `json:"agreed"` // what a setting does, by the SHA-256 of that
	// Strange says that the person began a research in a folder that was not empty, and agreed to nothing
	// that was in it.
	Strange bool `json:"strange,omitempty"`
	// Tools are the tools of MCP servers that they agreed to, by the SHA-256 of what each says of itself.
	Tools map[string]string `json:"tools,omitempty"`
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

// path is the file of the folder.
func (a agreements) path() (string, error) {
	state, err := stateHome()
	if err != nil {
		return "", fmt.Errorf("finding a folder to remember it in: %w", err)
	}
	if inside(a.dir, state) {
		return "", fmt.Errorf(
			"the folder to remember it in, %s, belongs to the research itself: set XDG_STATE_HOME to another",
			state)
	}
	folder, err := realPath(a.dir)
	if err != nil {
		return "", fmt.Errorf("finding the folder: %w", err)
	}
	return filepath.Join(state, "daybook", "agreed", digest(folder)+".json"), nil
}

// read returns what is remembered. A file that cannot be read agrees to nothing.
func (a agreements) read() (kept agreed, ok bool) {
	path, err := a.path()
	if err != nil {
		return agreed{}, false
	}
	kept, _, ok = a.find(path)
	return kept, ok
}

// find is what is remembered in a file, or in that of the name that the folder had before.
func (a agreements) find(path string) (kept agreed, in string, ok bool) {
	if kept, ok = readAgreed(path); ok {
		return kept, path, true
	}
	self := a.self()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.json"))
	if self == "" || err != nil {
		return agreed{}, "", false
	}
	for _, before := range files {
		if kept, ok := readAgreed(before); ok && kept.Self == self {
			return kept, before, true
		}
	}
	return agreed{}, "", false
}

func readAgreed(path string) (kept agreed, ok bool) {
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxAgreed {
		return agreed{}, false
	}
	data, err := os.ReadFile(path)
	if err != nil || bounds.JSON(data, &kept) != nil {
		return agreed{}, false
	}
	return kept, true
}

// self identifies a folder also under another name: by what the disk calls it and how its journal begins, as
// the disk gives the name of a folder that was removed to a new one. "" is nothing.
func (a agreements) self() string {
	name := inode(a.dir)
	f, err := os.Open(filepath.Join(a.dir, filepath.FromSlash(store.JournalFile)))
	if name == "" || err != nil {
		return ""
	}
	defer f.Close()
	const enough = 1 << 10 // bytes: the first rows have the time and the question
	begins, err := io.ReadAll(io.LimitReader(f, enough))
	if err != nil || len(begins) < enough {
		return ""
	}
	return digest(name + "\n" + string(begins))
}

// settle remembers where a folder is now, and how to know it when it is renamed.
func (a agreements) settle() {
	path, err := a.path()
	if err != nil {
		return
	}
	kept, in, known := a.find(path)
	if self := a.self(); known && self != "" && (kept.Self != self || in != path) {
		if a.write(kept) == nil && in != path {
			_ = os.Remove(in) // it is of a folder that is not there any more
		}
	}
}

// holds returns what tells whether the person has agreed to something.
func (a agreements) holds() func(want) bool {
	kept, _ := a.read()
	return func(w want) bool {
		_, ok := kept.To[w.id()]
		return ok
	}
}

// strange reports whether the folder may hold what somebody else wrote: it is not empty, this program did not
// make it here, and the person never agreed to its settings.
func (a agreements) strange() bool {
	if kept, ok := a.read(); ok {
		return kept.Strange
	}
	entries, err := os.ReadDir(a.dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return !strings.HasPrefix(e.Name(), ".") || e.Name() == stateFolder
	})
}

// keep remembers these, and nothing that was agreed to before but tools.
func (a agreements) keep(wants []want, strange bool) error {
	before, _ := a.read()
	kept := agreed{To: map[string]string{}, Strange: strange, Tools: before.Tools}
	for _, w := range wants {
		kept.To[w.id()] = w.String()
	}
	return a.write(kept)
}

// keepTools remembers these tools of MCP servers, and none that was agreed to before.
func (a agreements) keepTools(tools []want) error {
	kept, _ := a.read()
	kept.Strange, kept.Tools = a.strange(), map[string]string{}
	for _, w := range tools {
		kept.Tools[w.id()] = prose.Shorten(w.does, 100)
	}
	return a.write(kept)
}

func (a agreements) write(kept agreed) error {
	path, err := a.path()
	if err != nil {
		return err
	}
	kept.Folder, _ = realPath(a.dir) // path found it
	kept.Self = a.self()
	return replaceJSON(path, kept)
}

// forget forgets what was agreed to, for a folder that is no more.
func (a agreements) forget() {
	if path, err := a.path(); err == nil {
		_ = os.Remove(path) // it agrees to nothing that is there
	}
}

func digest(text string) string { return store.Hash([]byte(text)) }

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
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

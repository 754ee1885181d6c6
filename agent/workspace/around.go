package workspace

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// lookAround warns, in a line, of what stands in the folder and the research works around: nothing of it
// stops a run. w.mu is held.
func (w *Workspace) lookAround() {
	around := surroundings{kinds: map[string][]string{}}
	crowded := map[string]int{}
	more, err := w.eachTracked(func(p string, state store.Stat, crowd bool) {
		if crowd {
			crowded[path.Dir(p)]++
		}
		if state.Size > MaxRead {
			around.add("larger than 8 MiB", p)
		}
	})
	if err != nil {
		return // whoever lists the folder next is told
	}
	for _, dir := range []string{".", NotebookDir} {
		w.lookIn(dir, 0, &around)
	}
	if told := around.String(); told != "" {
		w.warn(fmt.Sprintf("Left alone in the folder: %s", told))
	}
	n := 0
	for _, files := range crowded {
		n += files
	}
	if n > 0 || more {
		w.warn(fmt.Sprintf("The folder holds %d Markdown files where the research keeps its own: they can be searched and read, and changes are told only of those that the agent has read or written.", n))
	}
}

// surroundings are files that are left alone, by the reason.
type surroundings struct {
	kinds map[string][]string
	files int // that were looked at
}

func (s *surroundings) add(kind, p string) { s.kinds[kind] = append(s.kinds[kind], p) }

// String names the first few of each kind.
func (s *surroundings) String() string {
	const named = 3
	var all []string
	for kind, files := range s.kinds {
		slices.Sort(files)
		rest := ""
		if n := len(files) - named; n > 0 {
			rest = fmt.Sprintf(" and %d more", n)
		}
		var shown []string
		for _, p := range files[:min(named, len(files))] {
			shown = append(shown, store.Shown(p))
		}
		all = append(all, kind+": "+strings.Join(shown, ", ")+rest)
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// lookIn goes through a folder, and through those below the Notebook.
func (w *Workspace) lookIn(dir string, depth int, around *surroundings) {
	var folders []string
	same := map[string]string{} // names by what they are compared as
	err := w.fs.Each(dir, func(e fs.DirEntry) {
		name, p := e.Name(), path.Join(dir, e.Name())
		if dir != "." {
			around.files++
		}
		switch {
		case e.IsDir():
			folders = append(folders, p)
		case dir == "." && !strings.Contains(name, ".md"):
		case store.IsAside(name):
			around.add("a copy or backup of another program", p)
		case e.Type()&fs.ModeSymlink != 0:
			if _, err := w.allowedTo(p); err != nil {
				around.add("a link that is not followed", p)
			}
		case !utf8.ValidString(name):
			around.add("a name that is no UTF-8", p)
		case store.Shown(name) != name:
			around.add("a name with letters that cannot be seen", p)
		case dir != "." && same[store.Folded(name)] != "":
			around.add("the same name as another but for its form", p)
		case dir != ".":
			same[store.Folded(name)] = name
		}
	})
	if err != nil || dir == "." || depth > maxDepth {
		return
	}
	for _, p := range folders {
		if around.files > MaxFiles {
			return // enough to tell of
		}
		w.lookIn(p, depth+1, around)
	}
}

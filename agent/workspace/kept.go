package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// keyKept begins the keys of the entries that Keep writes.
const keyKept = "kept "

// Keep puts a value on record under a name. Unlike what a Recorder holds, it outlives the stretch and the
// run: the last value under a name stands until the next question.
func (w *Workspace) Keep(name string, value any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return errors.New("the workspace is open for reading only")
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encoding what is kept as %s: %w", name, err)
	}
	if err := w.journal.Record(keyKept+name, json.RawMessage(encoded)); err != nil {
		return err
	}
	if w.kept == nil {
		w.kept = map[string]json.RawMessage{}
	}
	w.kept[name] = encoded
	return nil
}

// Kept fills into with what was kept under a name for the question at hand, and reports whether there was
// anything. A workspace that is open for reading only looks it up in the journal.
func (w *Workspace) Kept(name string, into any) bool {
	w.mu.Lock()
	value, ok := w.kept[name]
	reading := w.journal == nil
	w.mu.Unlock()
	if !ok && reading {
		_, err := w.History().Entries(func(e store.Entry) {
			switch e.Key {
			case store.KeyBegin:
				value = nil
			case keyKept + name:
				value = e.Value
			}
		})
		ok = err == nil && value != nil
	}
	return ok && json.Unmarshal(value, into) == nil
}

// Progress counts what has come of the work: pages that were kept, and changes of the agent's to chapters and
// reports. What it writes on its dashboards is not counted.
func (w *Workspace) Progress() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.sources.all) + w.written
}

// isWork says whether a change of a file brings the research on.
func isWork(p string) bool { return !isDashboard(p) }

func isDashboard(p string) bool { return p == OverallFile || p == CurrentFile || isBoard(p) }

// isBoard says whether a file is the dashboard of a chapter.
func isBoard(p string) bool { return path.Dir(p) == BoardsDir && store.IsMarkdown(p) }

// maxResults bounds how many results of one call are kept: a call that was cut off is made again.
const maxResults = 100

// KeepResult keeps a result that is too large to be shown whole, under the name of its call, and returns
// where. It stands beside the pages that were read, since it may hold words from outside as they do: nothing
// in it can be changed, and what is read of it is marked.
func (w *Workspace) KeepResult(call, text string) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return "", errors.New("the workspace is open for reading only")
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	name := path.Join(SourcesDir, "result"+slug(call))
	for n := 1; n <= maxResults; n++ {
		p := name + ".md"
		if n > 1 {
			p = fmt.Sprintf("%s-%d.md", name, n)
		}
		if old, exists, err := w.load(p); err == nil && exists && string(old) == text {
			return p, nil
		} else if exists || err != nil {
			continue
		}
		err := w.keep(p, []byte(text))
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("keeping the result of %s: %w", call, err)
		}
		return p, nil
	}
	return "", fmt.Errorf("keeping the result of %s: there are %d of it in %s", call, maxResults, SourcesDir)
}

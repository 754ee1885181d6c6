package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

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

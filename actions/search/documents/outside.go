package documents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// outside is why a file is not indexed that is below none of the roots any more, or no document there, and
// was not deleted: only its name is kept, so that what was read of it is not taken for gone.
const outside = "no longer among the documents"

// leave takes a file that was not met under the roots out of the index, and remembers one that still exists.
func (w *writer) leave(path string, r record) {
	if r.skipped == outside {
		return
	}
	w.remove(r.id)
	if r.skipped == "" && isThere(path) {
		w.add(document{found: found{path: path, url: r.url}, skipped: outside})
	}
}

// Outside reports whether the file of a document that is not indexed any more still exists, such as one in a
// folder that was among the roots before. An index that was made again knows no such file.
func (d *Index) Outside(ctx context.Context, address string) (is bool, err error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	look, path := lookup{ctx: ctx, in: d.db}, ""
	for _, spelling := range spellings(address) {
		look.each(func() { is = is || isThere(path) }, []any{&path},
			"SELECT path FROM file WHERE url = ? AND skipped <> ''", spelling)
	}
	if look.err != nil {
		return false, fmt.Errorf("looking up %s in the index: %w", address, d.noteDamage(look.err))
	}
	return is, nil
}

// isThere reports whether a file exists. One on another machine is not looked for: that machine would learn
// who looks.
func isThere(path string) bool {
	if strings.HasPrefix(filepath.VolumeName(path), `\\`) {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

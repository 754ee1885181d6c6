package documents

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Unsearched returns the URLs of the documents that came or changed since the last search: those that no
// Refresh has read yet, and the others. It reads no file. It returns none for an empty index, which cannot
// tell.
func (d *Index) Unsearched(ctx context.Context) (unread, read []string, err error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	known, seen, err := d.compare(ctx)
	waiting, path := map[string]bool{}, ""
	look := lookIn(ctx, d.db)
	look.each(func() { waiting[path] = true }, []any{&path}, "SELECT path FROM unsearched")
	if err == nil {
		err = look.err
	}
	if err != nil {
		return nil, nil, fmt.Errorf("looking for new documents: %w", d.noteDamage(err))
	}
	for _, f := range seen.files {
		r, isKnown := known[f.path]
		isNew := !isKnown && canBeRead(f.path) || isKnown && isChanged(r.stamp, f.stamp)
		switch {
		case len(known) == 0:
		case isNew:
			unread = append(unread, f.url)
		case waiting[f.path] && r.skipped == "":
			read = append(read, f.url)
		}
	}
	return unread, read, nil
}

// noteSearch forgets which documents came since the last search. A failure costs a needless hint, and damage
// is met by the next search.
func (d *Index) noteSearch(ctx context.Context) {
	if !d.searched.Swap(true) {
		_, _ = d.db.ExecContext(ctx, "DELETE FROM unsearched")
	}
}

// isChanged reports whether the size or the date of a file differs: its inode also changes with its name or
// its permissions.
func isChanged(stamp, now string) bool {
	content := func(stamp string) []string { return append(strings.Fields(stamp), "", "")[:2] }
	return !slices.Equal(content(stamp), content(now))
}

// canBeRead reports whether a file can be opened. The index does not remember one that could not.
func canBeRead(path string) bool {
	file, err := os.Open(path)
	return err == nil && file.Close() == nil
}

package documents

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"syscall"
)

// Refresh brings the index up to date with the files. It does not read a file again whose size and dates are
// as they were. If ctx ends or the program is killed, what was stored stays stored, and the next Refresh goes
// on from there. progress, if not nil, is called with the files read so far and the files to read, one call
// at a time. A second call of Refresh waits for the first.
func (d *Index) Refresh(ctx context.Context, progress func(done, total int)) (Report, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	select {
	case d.refreshing <- struct{}{}:
		defer func() { <-d.refreshing }()
	case <-ctx.Done():
		return Report{}, fmt.Errorf("waiting for another refresh of the documents: %w", ctx.Err())
	}
	report, err := Report{}, errDamaged
	if !d.damaged.Load() {
		report, err = d.refresh(ctx, progress)
	}
	if isDamage(err) {
		if err = d.replace(ctx, err); err == nil {
			report, err = d.refresh(ctx, progress)
		}
	}
	slices.SortFunc(report.Skipped, func(a, b Skip) int { return strings.Compare(a.Path, b.Path) })
	d.mu.Lock()
	report.Notice, d.notice = d.notice, ""
	d.mu.Unlock()
	if codeOf(err) == diskFull {
		err = syscall.ENOSPC // the name that the system has for it
	}
	if err != nil {
		return report, fmt.Errorf("writing the index: %w", err)
	}
	return report, nil
}

// record holds what the index knows of a file.
type record struct {
	id                  int64
	url, stamp, skipped string
}

// compare returns what the index knows of each file, by its path, and what is there now.
func (d *Index) compare(ctx context.Context) (known map[string]record, seen listing, err error) {
	known = map[string]record{}
	look, path, r := lookIn(ctx, d.db), "", record{}
	look.each(func() { known[path] = r }, []any{&path, &r.id, &r.url, &r.stamp, &r.skipped},
		"SELECT path, id, url, stamp, skipped FROM file")
	if look.err != nil {
		return nil, seen, look.err
	}
	seen = listing{seen: map[string]bool{}, isResearch: func(path string) bool {
		return d.Without != nil && d.Without(path)
	}}
	for _, r := range d.roots {
		if err := cmp.Or(ctx.Err(), seen.list(r)); err != nil {
			return nil, seen, err
		}
	}
	return known, seen, nil
}

func (d *Index) refresh(ctx context.Context, progress func(done, total int)) (Report, error) {
	known, seen, err := d.compare(ctx)
	if err != nil {
		return Report{}, err
	}
	d.searched.Store(false)
	report := Report{Skipped: seen.skipped}
	w := writer{db: d.db}
	defer w.abandon()
	var toRead []found
	for _, f := range seen.files {
		r, isKnown := known[f.path]
		switch {
		case !isKnown || r.stamp != f.stamp:
			toRead = append(toRead, f)
			continue
		case r.skipped != "":
			report.Skipped = append(report.Skipped, Skip{Path: f.path, Reason: r.skipped})
		default:
			report.Unchanged++
		}
		if r.url != f.url { // as when a second root is added
			w.exec("UPDATE file SET url = ? WHERE id = ?", f.url, r.id)
		}
	}
	for path, r := range known {
		if seen.seen[path] {
			continue
		}
		w.leave(path, r)
		if r.skipped == "" {
			report.Removed++
		}
	}
	if err := w.commit(); err != nil {
		return report, err
	}
	return report, d.storeAll(ctx, &w, toRead, known, &report, progress)
}

// outside marks a file that was not deleted, but is below none of the roots any more, or no document there.
// Only its name is kept, so that what was read of it is not taken for gone.
const outside = "no longer among the documents"

// leave removes a file that was not met under the roots from the index, and remembers one that still exists.
func (w *writer) leave(path string, r record) {
	if r.skipped == outside {
		return
	}
	w.remove(r.id)
	if r.skipped == "" && isThere(path) {
		w.add(document{found: found{path: path, url: r.url}, skipped: outside})
	}
}

// storeAll reads files and stores their contents.
func (d *Index) storeAll(ctx context.Context, w *writer, files []found, known map[string]record,
	report *Report, progress func(done, total int)) error {
	progress(0, len(files))
	done := 0
	err := readAll(ctx, files, func(doc document) error {
		if doc.skipped == "" && d.Authored != nil && d.Authored(doc.page.Markdown) {
			doc.skipped, doc.passages = ofAgent, nil
		}
		old, isKnown := known[doc.path]
		wasIndexed := isKnown && old.skipped == ""
		if isKnown {
			w.remove(old.id)
		}
		if !doc.again {
			w.add(doc)
		}
		if doc.skipped == "" && len(known) > 0 && (!isKnown || isChanged(old.stamp, doc.stamp)) {
			w.exec("INSERT OR IGNORE INTO unsearched VALUES (?)", doc.path)
		}
		if w.err != nil {
			return w.err
		}
		switch {
		case doc.skipped != "":
			report.Skipped = append(report.Skipped, Skip{Path: doc.path, Reason: doc.skipped})
			if wasIndexed {
				report.Removed++
			}
		case wasIndexed:
			report.Changed++
		default:
			report.Added++
		}
		done++
		progress(done, len(files))
		return nil
	})
	// Also after the end of ctx: every document in the batch is complete. A batch in which a statement failed
	// is gone already.
	return cmp.Or(err, w.commit())
}

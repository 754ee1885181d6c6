// Package documents indexes the user's own documents, a place where web_search looks. It keeps their
// Markdown, text and HTML in one SQLite file, as clean Markdown with a full-text index over its passages.
// Chinese, Japanese and Korean are indexed as overlapping pairs of characters, which finds words of two
// characters and needs no dictionary. The index is derived data: deleting it costs a Refresh and nothing
// more.
//
// The package fetches no page, follows no link out of a document folder, and never changes a user's file. For
// fresh results call Refresh, which only stats what did not change.
package documents

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search"
)

// ErrNotFound means that no document of that URL is indexed.
var ErrNotFound = errors.New("no such document")

// Index indexes the user's own files. It is a Provider named "documents". Its methods may be called by
// several goroutines at once; searching goes on while Refresh runs.
type Index struct {
	// Without reports whether a file or folder below the roots is no document, nor anything in it. It gets
	// the full path with symbolic links resolved; nil excludes none. Set it before the first Refresh.
	Without func(path string) bool
	// Authored reports whether the agent wrote a text, which is then no document wherever it is; nil means
	// none. Set it before the first Refresh.
	Authored func(text string) bool

	path  string
	roots []root

	refreshing chan struct{} // holds one value while a Refresh runs
	damaged    atomic.Bool   // a search met damage; the next Refresh rebuilds the index
	searched   atomic.Bool   // since the last Refresh

	mu     sync.RWMutex // guards the two below: a damaged database is replaced while others may search
	db     *sql.DB
	notice string // what happened to the old database, until a Report has it
}

var _ search.Provider = (*Index)(nil)

// Open opens the index in the SQLite file db, creating it if need be, for the documents under roots: folders,
// or single files, which must exist. It reads no document yet; Refresh does. A damaged index is renamed, and
// an empty one takes its place.
//
// A document's URL is "doc:" and its path below its root, with slashes. With several roots the root's own
// name comes first; of two roots with the same name, the second by full path is called name~2.
func Open(ctx context.Context, db string, roots []string) (*Index, error) {
	known, err := openRoots(roots)
	if err != nil {
		return nil, fmt.Errorf("opening documents: %w", err)
	}
	d := &Index{path: db, roots: known, refreshing: make(chan struct{}, 1)}
	if d.db, err = openDatabase(ctx, db); isDamage(err) {
		err = d.replace(ctx, err)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the index of documents %s: %w", db, err)
	}
	return d, nil
}

// replace renames an unusable database, over one renamed earlier, and opens an empty one. It removes the log
// of the old one, which is useless without its database and would harm a new one.
func (d *Index) replace(ctx context.Context, reason error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.db != nil {
		if err := d.db.Close(); err != nil && !isDamage(err) {
			return err
		}
	}
	kept := d.path + ".damaged"
	if err := os.Rename(d.path, kept); err != nil {
		return fmt.Errorf("setting a damaged index aside: %w", err)
	}
	for _, ending := range []string{"-wal", "-shm"} {
		if err := os.Remove(d.path + ending); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("setting a damaged index aside: %w", err)
		}
	}
	db, err := openDatabase(ctx, d.path)
	if err != nil {
		return err
	}
	d.db = db
	d.notice = fmt.Sprintf("the index was made anew (%v); the old file is kept as %s", reason, kept)
	d.damaged.Store(false)
	return nil
}

// Roots lists the folders and files that the documents are read from, as absolute paths without links.
func (d *Index) Roots() []string {
	paths := make([]string, len(d.roots))
	for i, r := range d.roots {
		paths[i] = r.path
	}
	return paths
}

// Kind returns Own.
func (d *Index) Kind() search.Kind { return search.Own }

// Name returns "documents".
func (d *Index) Name() string { return "documents" }

// Close closes the index. A Refresh that still runs ends with an error and keeps what it has stored.
func (d *Index) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.db.Close(); err != nil {
		return fmt.Errorf("closing the index of documents: %w", err)
	}
	return nil
}

// Page returns the document of a URL as it was indexed, without reading the file. A "#section" at the end is
// ignored, and percent-encoding is understood. The error matches ErrNotFound when there is none.
func (d *Index) Page(ctx context.Context, address string) (p page.Page, err error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	look, found := lookIn(ctx, d.db), false
	for _, spelling := range spellings(address) {
		look.each(func() { found = true },
			[]any{&p.Title, &p.Author, &p.Published, &p.Type, &p.Language, &p.Markdown},
			`SELECT title, author, published, type, language,
			(SELECT group_concat(text, '' ORDER BY id) FROM passage WHERE passage.file = file.id)
			FROM file WHERE url = ? AND skipped = '' LIMIT 1`, spelling)
		if found {
			return p, nil
		}
	}
	if look.err != nil {
		return p, fmt.Errorf("reading %s from the index: %w", address, d.noteDamage(look.err))
	}
	return p, fmt.Errorf("reading %s from the index: %w; search for it: a new one is indexed when the next "+
		"run starts", address, ErrNotFound)
}

// Addresses returns the URLs of all documents, sorted.
func (d *Index) Addresses(ctx context.Context) (all []string, err error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	look, url := lookIn(ctx, d.db), ""
	look.each(func() { all = append(all, url) }, []any{&url},
		"SELECT DISTINCT url FROM file WHERE skipped = '' ORDER BY url")
	if look.err != nil {
		return nil, fmt.Errorf("listing the documents: %w", d.noteDamage(look.err))
	}
	return all, nil
}

// Outside reports whether the file of a document that is no longer indexed still exists, such as one in a
// folder that used to be a root. An index that was rebuilt knows no such file.
func (d *Index) Outside(ctx context.Context, address string) (is bool, err error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	look, path := lookIn(ctx, d.db), ""
	for _, spelling := range spellings(address) {
		look.each(func() { is = is || isThere(path) }, []any{&path},
			"SELECT path FROM file WHERE url = ? AND skipped <> ''", spelling)
	}
	if look.err != nil {
		return false, fmt.Errorf("looking up %s in the index: %w", address, d.noteDamage(look.err))
	}
	return is, nil
}

// isThere reports whether a file exists. It does not look for one on another machine, which would learn who
// looks.
func isThere(path string) bool {
	if strings.HasPrefix(filepath.VolumeName(path), `\\`) {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// spellings returns what address may mean, the literal reading first: a file's name may well hold a # or a %.
func spellings(address string) []string {
	list := []string{address}
	if i := strings.LastIndexByte(address, '#'); i >= 0 {
		list = append(list, address[:i])
	}
	for _, s := range list {
		if decoded, err := url.PathUnescape(s); err == nil && decoded != s {
			list = append(list, decoded)
		}
	}
	return list
}

// noteDamage remembers a damaged file for the next Refresh, and says so in the error.
func (d *Index) noteDamage(err error) error {
	if !isDamage(err) {
		return err
	}
	d.damaged.Store(true)
	return fmt.Errorf("%w; the next refresh makes the index anew", err)
}

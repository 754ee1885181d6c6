package documents

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"

	"github.com/daybook-agent/daybook/actions/page"
)

// layout is the version of the schema and of how text is read, cut and indexed. An index of another version
// is made again.
const layout = 19

const schema = `
CREATE TABLE file (
	id      INTEGER PRIMARY KEY,
	path    TEXT NOT NULL UNIQUE, -- absolute
	url     TEXT NOT NULL,
	stamp   TEXT NOT NULL,        -- what stat said when the file was read
	skipped TEXT NOT NULL,        -- why it is not indexed, or ''
	title TEXT NOT NULL, author TEXT NOT NULL, published TEXT NOT NULL, type TEXT NOT NULL, language TEXT NOT NULL,
	lead    TEXT NOT NULL         -- its first passage, which says what it is about
);
CREATE INDEX file_url ON file (url);
-- In the order of id, the passages of a file are its Markdown, to the byte.
CREATE TABLE passage (
	id      INTEGER PRIMARY KEY, -- also the rowid in passage_text
	file    INTEGER NOT NULL REFERENCES file,
	headings TEXT NOT NULL,      -- those in force where the passage begins, a line each
	line    INTEGER NOT NULL,    -- of the Markdown, from 1, on which it begins
	row     TEXT NOT NULL,       -- of a row of a table: the table's head
	is_list INTEGER NOT NULL,    -- 1 for a list of links
	text    TEXT NOT NULL
);
CREATE INDEX passage_file ON passage (file);
CREATE VIRTUAL TABLE passage_text USING fts5 (
	title, headings, name, body,
	content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER file_goes AFTER DELETE ON file BEGIN
	DELETE FROM passage_text WHERE rowid IN (SELECT id FROM passage WHERE file = old.id);
	DELETE FROM passage WHERE file = old.id;
END;
`

// errOtherLayout is an index that this version of the program cannot use.
var errOtherLayout = errors.New("the index was made by another version")

// openDatabase opens an index. Who writes blocks nobody who reads in a transaction for reading alone.
func openDatabase(ctx context.Context, path string) (*sql.DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	slashed := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		slashed = "/" + slashed
	}
	// A URI, because a bare path would be cut at its first question mark. Waiting must be set first, or
	// switching to WAL would fail at once where another process is just doing so.
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: slashed}).EscapedPath()+"?_txlock=immediate"+
		"&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
	if err != nil {
		return nil, err
	}
	const most = 5 // connections: one that writes, and some that read
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	if err := prepare(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// pageOf puts a document together from its passages. The error is sql.ErrNoRows when there is none.
func pageOf(ctx context.Context, db *sql.DB, url string) (p page.Page, err error) {
	err = db.QueryRowContext(ctx, `SELECT title, author, published, type, language,
		(SELECT group_concat(text, '' ORDER BY id) FROM passage WHERE passage.file = file.id)
		FROM file WHERE url = ? AND skipped = '' LIMIT 1`, url).
		Scan(&p.Title, &p.Author, &p.Published, &p.Type, &p.Language, &p.Markdown)
	return p, err
}

// prepare makes the tables in a new file and looks at those of an old one, which shows most kinds of damage.
func prepare(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	var version, tables, files, texts int
	if err := tx.QueryRowContext(ctx,
		"SELECT (SELECT count(*) FROM sqlite_schema), user_version FROM pragma_user_version").
		Scan(&tables, &version); err != nil {
		return err
	}
	if tables > 0 {
		if version != layout {
			return errOtherLayout
		}
		return tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM file),
			(SELECT count(*) FROM (SELECT rowid FROM passage_text WHERE passage_text MATCH 'the' LIMIT 1))`).
			Scan(&files, &texts)
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("%s PRAGMA user_version = %d", schema, layout)); err != nil {
		return err
	}
	return tx.Commit()
}

// full tells a full disk by the name that the system has for it.
func full(err error) error {
	const isFull = 13 // SQLITE_FULL
	if failure, ok := errors.AsType[*sqlite.Error](err); ok && failure.Code()&0xff == isFull {
		return syscall.ENOSPC
	}
	return err
}

// isDamage tells whether err means that the file itself is unusable, so that a new one helps.
func isDamage(err error) bool {
	const corrupt, notADatabase = 11, 26 // SQLITE_CORRUPT, SQLITE_NOTADB: sqlite.org/rescode.html
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		primary := failure.Code() & 0xff
		return primary == corrupt || primary == notADatabase
	}
	return errors.Is(err, errOtherLayout)
}

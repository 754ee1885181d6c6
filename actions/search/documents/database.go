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
	"syscall"

	"modernc.org/sqlite"

	"github.com/daybook-agent/daybook/actions/page"
)

// layout is the version of the schema and of how text is cut and indexed. An index of another version is made
// anew.
const layout = 7

const schema = `
CREATE TABLE file (
	id      INTEGER PRIMARY KEY,
	path    TEXT NOT NULL UNIQUE, -- absolute
	url     TEXT NOT NULL,
	stamp   TEXT NOT NULL,        -- what stat said when the file was read
	skipped TEXT NOT NULL,        -- why it is not indexed, or ''
	title TEXT NOT NULL, author TEXT NOT NULL, published TEXT NOT NULL, type TEXT NOT NULL, language TEXT NOT NULL,
	lead    TEXT NOT NULL,        -- its first passage, which says what it is about
	lists   REAL NOT NULL         -- the part of its passages that are lists of links
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

// database is one open index: a single writing connection, and readers that it does not block.
type database struct {
	write, read *sql.DB
}

// mostReaders is how many connections read at once.
const mostReaders = 4

// errOtherLayout is an index that this version of the program cannot use.
var errOtherLayout = errors.New("the index was made by another version")

func openDatabase(ctx context.Context, path string) (*database, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	write, err := sql.Open("sqlite", dataSource(path, "_txlock=immediate", "_pragma=cache_size(-16000)"))
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	if err := prepare(ctx, write); err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read, err := sql.Open("sqlite", dataSource(path, "_pragma=query_only(1)"))
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(mostReaders)
	return &database{write: write, read: read}, nil
}

func (db *database) close() error {
	return errors.Join(db.read.Close(), db.write.Close())
}

// page puts a document together from its passages. The error is sql.ErrNoRows when there is none.
func (db *database) page(ctx context.Context, url string) (p page.Page, err error) {
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // of one state of the index
	if err != nil {
		return p, err
	}
	defer tx.Rollback() // nothing was written
	var file int64
	err = tx.QueryRowContext(ctx, "SELECT id, title, author, published, type, language FROM file "+
		"WHERE url = ? AND skipped = '' LIMIT 1", url).
		Scan(&file, &p.Title, &p.Author, &p.Published, &p.Type, &p.Language)
	if err != nil {
		return p, err
	}
	rows, err := tx.QueryContext(ctx, "SELECT text FROM passage WHERE file = ? ORDER BY id", file)
	if err != nil {
		return p, err
	}
	defer rows.Close()
	var markdown strings.Builder
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return p, err
		}
		markdown.WriteString(text)
	}
	p.Markdown = markdown.String()
	return p, rows.Err()
}

// dataSource is a URI, because a bare path would be cut at its first question mark.
func dataSource(path string, settings ...string) string {
	slashed := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		slashed = "/" + slashed
	}
	settings = append([]string{
		// Waiting must be set first, or switching to WAL would fail at once where another process is just
		// doing so.
		"_pragma=busy_timeout(5000)", "_pragma=journal_mode(WAL)", "_pragma=synchronous(NORMAL)",
	}, settings...)
	return "file:" + (&url.URL{Path: slashed}).EscapedPath() + "?" + strings.Join(settings, "&")
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

// isDamage tells whether err means that the file itself is unusable, so that making it anew helps.
func isDamage(err error) bool {
	const corrupt, notADatabase = 11, 26 // SQLITE_CORRUPT, SQLITE_NOTADB: sqlite.org/rescode.html
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		primary := failure.Code() & 0xff
		return primary == corrupt || primary == notADatabase
	}
	return errors.Is(err, errOtherLayout)
}

// setAside moves a database that cannot be used out of the way, in place of one set aside earlier, and
// returns where it is now. Its log goes: without the database it means nothing, and beside a new one it would
// do harm.
func setAside(path string) (string, error) {
	kept := path + ".damaged"
	if err := os.Rename(path, kept); err != nil {
		return "", fmt.Errorf("setting a damaged index aside: %w", err)
	}
	for _, ending := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + ending); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("setting a damaged index aside: %w", err)
		}
	}
	return kept, nil
}

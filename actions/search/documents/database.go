package documents

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed" // for schema.sql
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
)

// layout is the version of the schema and of how text is read, cut and indexed. An index of another version
// is rebuilt.
const layout = 22

//go:embed schema.sql
var schema string

// Why an index is rebuilt, besides errors of SQLite.
var (
	errOtherLayout = errors.New("the index was made by another version")
	errDamaged     = errors.New("a search found the index damaged")
)

// openDatabase opens an index. A writer does not block read-only transactions.
func openDatabase(ctx context.Context, path string) (*sql.DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	slashed := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		slashed = "/" + slashed
	}
	// A URI, because a bare path would be cut at its first question mark. Waiting must be set first, or
	// switching to WAL would fail at once while another process is doing so.
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

// lookup reads a database or a transaction. After its first error, err, it reads nothing.
type lookup struct {
	query func(query string, args ...any) (*sql.Rows, error)
	err   error
}

func lookIn(ctx context.Context, in interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}) *lookup {
	return &lookup{query: func(query string, args ...any) (*sql.Rows, error) {
		return in.QueryContext(ctx, query, args...)
	}}
}

// each calls use for each row of a query once its columns are in into.
func (l *lookup) each(use func(), into []any, query string, args ...any) {
	if l.err != nil {
		return
	}
	rows, err := l.query(query, args...)
	if l.err = err; err != nil {
		return
	}
	defer rows.Close()
	for rows.Next() {
		if l.err = rows.Scan(into...); l.err != nil {
			return
		}
		use()
	}
	l.err = rows.Err()
}

// number returns the result of a query for one number.
func (l *lookup) number(query string, args ...any) (n int) {
	l.each(func() {}, []any{&n}, query, args...)
	return n
}

// prepare makes the tables in a new file and checks those of an old one, which reveals most kinds of damage.
func prepare(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	look := lookIn(ctx, tx)
	if look.number("SELECT count(*) FROM sqlite_schema") > 0 {
		if look.number("PRAGMA user_version") != layout && look.err == nil {
			return errOtherLayout
		}
		look.number("SELECT count(*) FROM file")
		look.number("SELECT count(*) FROM (SELECT 1 FROM passage_text WHERE passage_text MATCH 'the' " +
			"LIMIT 1)")
		if look.err != nil {
			return look.err
		}
		// An index of this layout may have been made before there was this table
		_, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS unsearched (path TEXT PRIMARY KEY)")
		return cmp.Or(err, tx.Commit())
	}
	if look.err != nil {
		return look.err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("%s PRAGMA user_version = %d", schema, layout)); err != nil {
		return err
	}
	return tx.Commit()
}

// The codes of SQLite that matter here: SQLITE_CORRUPT, SQLITE_FULL and SQLITE_NOTADB of
// sqlite.org/rescode.html.
const corrupt, diskFull, notADatabase = 11, 13, 26

// codeOf returns the primary code of an error of SQLite, or 0 for any other.
func codeOf(err error) int {
	failure, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return 0
	}
	return failure.Code() & 0xff
}

// isDamage reports whether the file itself is unusable, so that a new one helps.
func isDamage(err error) bool {
	code := codeOf(err)
	return code == corrupt || code == notADatabase || errors.Is(err, errOtherLayout) ||
		errors.Is(err, errDamaged)
}

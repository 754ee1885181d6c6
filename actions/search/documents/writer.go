package documents

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/words"
)

// A batch is one transaction. Its size bounds what a kill costs, and how far the log grows; below a megabyte
// the transactions themselves begin to cost.
const (
	batchBytes     = 4 << 20
	batchDocuments = 250
)

// writer stores documents in batches. Only one goroutine may use it at a time.
type writer struct {
	db        *sql.DB
	tx        *sql.Tx
	prepared  map[string]*sql.Stmt
	bytes     int
	documents int
}

// exec runs one statement in the current batch, and abandons the batch if it fails: half a document must not
// be stored.
func (w *writer) exec(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	result, err := w.try(ctx, statement, args...)
	if err != nil {
		w.abandon()
	}
	return result, err
}

// try begins a batch if there is none. A batch is a matter of moments, and what is in it is wanted even when
// ctx ends meanwhile, so ctx interrupts no statement; the caller looks at it between documents.
func (w *writer) try(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	if w.tx == nil {
		tx, err := w.db.BeginTx(context.WithoutCancel(ctx), nil)
		if err != nil {
			return nil, err
		}
		w.tx, w.prepared = tx, map[string]*sql.Stmt{}
	}
	s := w.prepared[statement]
	if s == nil {
		var err error
		if s, err = w.tx.Prepare(statement); err != nil {
			return nil, err
		}
		w.prepared[statement] = s
	}
	return s.Exec(args...)
}

// commit ends the batch. The transaction closes its statements.
func (w *writer) commit() error {
	if w.tx == nil {
		return nil
	}
	tx := w.tx
	w.tx, w.bytes, w.documents = nil, 0, 0
	return tx.Commit()
}

// abandon drops what is in the batch.
func (w *writer) abandon() {
	if w.tx != nil {
		_ = w.tx.Rollback() // the error that led here is the one to tell
		w.tx, w.bytes, w.documents = nil, 0, 0
	}
}

// grow commits when the batch is full, and only between whole documents.
func (w *writer) grow(bytes int) error {
	w.bytes += bytes
	w.documents++
	if w.bytes < batchBytes && w.documents < batchDocuments {
		return nil
	}
	return w.commit()
}

// remove takes a file out of the index. It never ends the batch: a document that changed is removed and added
// in one.
func (w *writer) remove(ctx context.Context, id int64) error {
	for _, statement := range []string{
		"DELETE FROM passage_text WHERE rowid IN (SELECT id FROM passage WHERE file = ?)",
		"DELETE FROM passage WHERE file = ?",
		"DELETE FROM page WHERE id = ?",
		"DELETE FROM file WHERE id = ?",
	} {
		if _, err := w.exec(ctx, statement, id); err != nil {
			return err
		}
	}
	return nil
}

// rename gives a document another URL, as when a second root is added.
func (w *writer) rename(ctx context.Context, id int64, url string) error {
	_, err := w.exec(ctx, "UPDATE file SET url = ? WHERE id = ?", url, id)
	return err
}

// add stores a document, or only the reason why a file is none.
func (w *writer) add(ctx context.Context, d document) error {
	file, err := w.exec(ctx, "INSERT INTO file (path, url, stamp, skipped) VALUES (?, ?, ?, ?)",
		d.path, d.url, d.stamp, d.skipped)
	if err != nil {
		return err
	}
	if d.skipped != "" {
		return w.grow(0)
	}
	id, err := file.LastInsertId()
	if err != nil {
		return err
	}
	p := d.page
	if _, err := w.exec(ctx, `INSERT INTO page (id, title, author, published, type, language)
		VALUES (?, ?, ?, ?, ?, ?)`, id, p.Title, p.Author, p.Published, p.Type, p.Language); err != nil {
		return err
	}
	title, name := words.Pairs(p.Title), words.Pairs(nameWords(d.url))
	for _, passage := range d.passages {
		if err := w.addPassage(ctx, id, passage, title, name); err != nil {
			return err
		}
	}
	return w.grow(len(p.Markdown))
}

func (w *writer) addPassage(ctx context.Context, file int64, p passage, title, name string) error {
	row, err := w.exec(ctx,
		"INSERT INTO passage (file, headings, row, line, is_list, text) VALUES (?, ?, ?, ?, ?, ?)",
		file, p.path, p.row, p.line, p.isList, p.text)
	if err != nil {
		return err
	}
	id, err := row.LastInsertId()
	if err != nil {
		return err
	}
	_, err = w.exec(ctx,
		"INSERT INTO passage_text (rowid, title, headings, name, body) VALUES (?, ?, ?, ?, ?)",
		id, title, words.Pairs(p.headings), name, p.body)
	return err
}

// nameWords are the words of a document's path, which people choose with care: receipts/2024-03.txt.
func nameWords(url string) string {
	name := strings.TrimPrefix(url, search.DocScheme)
	return strings.ReplaceAll(strings.TrimSuffix(name, filepath.Ext(name)), "_", " ")
}

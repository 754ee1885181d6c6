package documents

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/words"
)

const (
	// batchBytes is the size of a batch, which is one transaction. It bounds what a kill costs, and how far
	// the log grows. A document counts as perDocumentBytes and its text.
	batchBytes, perDocumentBytes = 4 << 20, 16 << 10
)

// writer stores documents in batches. Only one goroutine may use it at a time.
type writer struct {
	db    *sql.DB
	tx    *sql.Tx
	bytes int
}

// exec runs one statement in the current batch, or in a new one, and returns the id of what it inserted. It
// drops the batch if the statement fails: half a document must not be stored. The end of ctx interrupts no
// statement, since what is in a batch is wanted; the caller looks at ctx between documents.
func (w *writer) exec(ctx context.Context, statement string, args ...any) (id int64, err error) {
	if w.tx == nil {
		if w.tx, err = w.db.BeginTx(context.WithoutCancel(ctx), nil); err != nil {
			return 0, err
		}
	}
	result, err := w.tx.Exec(statement, args...)
	if err == nil {
		id, err = result.LastInsertId()
	}
	if err != nil {
		w.abandon()
	}
	return id, err
}

// commit stores what is in the batch, and abandon drops it: the error that led there is the one to tell.
func (w *writer) commit() error { return w.end((*sql.Tx).Commit) }
func (w *writer) abandon()      { _ = w.end((*sql.Tx).Rollback) }

func (w *writer) end(how func(*sql.Tx) error) error {
	if w.tx == nil {
		return nil
	}
	tx := w.tx
	w.tx, w.bytes = nil, 0
	return how(tx)
}

// remove takes a file out of the index, in the batch in which it may be added again.
func (w *writer) remove(ctx context.Context, id int64) error {
	_, err := w.exec(ctx, "DELETE FROM file WHERE id = ?", id)
	return err
}

// add stores a document, or only the reason why a file is none, and ends the batch when it is full.
func (w *writer) add(ctx context.Context, d document) error {
	p, lead := d.page, ""
	if len(d.passages) > 0 {
		lead = d.passages[0].text
	}
	file, err := w.exec(ctx, `INSERT INTO file
		(path, url, stamp, skipped, title, author, published, type, language, lead)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, d.path, d.url, d.stamp, d.skipped,
		p.Title, p.Author, p.Published, p.Type, p.Language, lead)
	if err != nil {
		return err
	}
	title, name := words.Pairs(p.Title), words.Pairs(nameWords(d.url))
	for _, passage := range d.passages {
		id, err := w.exec(ctx, "INSERT INTO passage (file, headings, row, line, is_list, text) "+
			"VALUES (?, ?, ?, ?, ?, ?)", file, passage.path, passage.row, passage.line, passage.isList,
			passage.text)
		if err != nil {
			return err
		}
		if _, err := w.exec(ctx,
			"INSERT INTO passage_text (rowid, title, headings, name, body) VALUES (?, ?, ?, ?, ?)",
			id, title, words.Pairs(passage.headings), name, passage.body); err != nil {
			return err
		}
	}
	if w.bytes += perDocumentBytes + len(p.Markdown); w.bytes < batchBytes {
		return nil
	}
	return w.commit()
}

// nameWords are the words of a document's path, which people choose with care: receipts/2024-03.txt.
func nameWords(url string) string {
	name := strings.TrimPrefix(url, search.DocScheme)
	return strings.ReplaceAll(strings.TrimSuffix(name, filepath.Ext(name)), "_", " ")
}

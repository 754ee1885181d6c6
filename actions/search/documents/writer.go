package documents

import (
	"database/sql"
	"path/filepath"
	"strings"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/words"
)

const (
	// batchBytes is the size of a batch, which is one transaction. It bounds what a kill costs, and how far
	// the log grows. A document counts as perDocumentBytes plus its text.
	batchBytes, perDocumentBytes = 4 << 20, 16 << 10
)

// writer stores documents in batches. Only one goroutine may use it at a time. After its first error, err, it
// stores nothing.
type writer struct {
	db    *sql.DB
	tx    *sql.Tx
	bytes int
	err   error
}

// exec runs one statement in the current batch, or in a new one, and returns the id of what it inserted. It
// drops the batch if the statement fails: half a document must not be stored. No context ends a statement,
// since what is in a batch is wanted; the caller checks its own between documents.
func (w *writer) exec(statement string, args ...any) (id int64) {
	if w.tx == nil && w.err == nil {
		w.tx, w.err = w.db.Begin()
	}
	if w.err != nil {
		return 0
	}
	result, err := w.tx.Exec(statement, args...)
	if err == nil {
		id, err = result.LastInsertId()
	}
	if err != nil {
		w.abandon()
		w.err = err
	}
	return id
}

// commit stores what is in the batch, and abandon drops it.
func (w *writer) commit() error {
	if w.tx != nil {
		w.err = w.tx.Commit()
	}
	w.tx, w.bytes = nil, 0
	return w.err
}

func (w *writer) abandon() {
	if w.tx != nil {
		_ = w.tx.Rollback() // the error that led here is the one to return
	}
	w.tx, w.bytes = nil, 0
}

// remove removes a file from the index, in the batch in which it may be added again.
func (w *writer) remove(id int64) { w.exec("DELETE FROM file WHERE id = ?", id) }

// add stores a document, or only the reason why a file is none, and ends the batch when it is full.
func (w *writer) add(d document) {
	p, lead := d.page, ""
	if len(d.passages) > 0 {
		lead = d.passages[0].text
	}
	file := w.exec(`INSERT INTO file
		(path, url, stamp, skipped, title, author, published, type, language, lead)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, d.path, d.url, d.stamp, d.skipped,
		p.Title, p.Author, p.Published, p.Type, p.Language, lead)
	title, name := words.Pairs(p.Title), words.Pairs(nameWords(d.url))
	for _, passage := range d.passages {
		id := w.exec("INSERT INTO passage (file, headings, row, line, is_list, text) "+
			"VALUES (?, ?, ?, ?, ?, ?)", file, passage.path, passage.row, passage.line, passage.isList,
			passage.text)
		w.exec("INSERT INTO passage_text (rowid, title, headings, name, body) VALUES (?, ?, ?, ?, ?)",
			id, title, words.Pairs(passage.headings), name, passage.body)
	}
	if w.bytes += perDocumentBytes + len(p.Markdown); w.bytes >= batchBytes {
		_ = w.commit() // its error stays
	}
}

// nameWords returns the words of a document's path, which people choose with care: receipts/2024-03.txt.
func nameWords(url string) string {
	name := strings.TrimPrefix(url, search.DocScheme)
	return strings.ReplaceAll(strings.TrimSuffix(name, filepath.Ext(name)), "_", " ")
}

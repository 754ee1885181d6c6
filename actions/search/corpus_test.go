package search_test

import (
	"database/sql"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/stretchr/testify/require"
)

// The documents that the benchmarks search: nobody here wrote them, and anyone can have them.
const (
	postgresManual = "/usr/share/doc/postgresql-doc-15/html"
	pythonManual   = "/usr/share/doc/python3.11/html"
	debianManual   = "/usr/share/debian-reference"
	installManuals = "apt-get install postgresql-doc-15 python3.11-doc debian-reference-zh-cn (Debian 12)"
)

func needed(b *testing.B, folders ...string) {
	b.Helper()
	for _, folder := range folders {
		if _, err := os.Stat(folder); err != nil {
			b.Skipf("there is no %s: %s", folder, installManuals)
		}
	}
}

func index(b *testing.B, db string, folders ...string) *search.Documents {
	b.Helper()
	documents, err := search.OpenDocuments(b.Context(), db, folders)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, documents.Close()) })
	_, err = documents.Refresh(b.Context(), nil)
	require.NoError(b, err)
	return documents
}

// BenchmarkKnownItems tells for how many questions of testdata/corpus/known-items.txt, written before any was asked, a page that answers
// it is among the first five hits.
func BenchmarkKnownItems(b *testing.B) {
	needed(b, postgresManual, debianManual)
	text, err := os.ReadFile("testdata/corpus/known-items.txt")
	require.NoError(b, err)
	for b.Loop() {
		english := index(b, filepath.Join(b.TempDir(), "english.db"), postgresManual)
		chinese := index(b, filepath.Join(b.TempDir(), "chinese.db"), debianManual)
		found, asked := map[string]int{}, map[string]int{}
		for line := range strings.Lines(string(text)) {
			question, pages, _ := strings.Cut(strings.TrimSpace(line), "\t")
			language, documents := "english", english
			if question[0] > 127 || strings.Contains(pages, "zh-cn") {
				language, documents = "chinese", chinese
			}
			hits, err := documents.Search(b.Context(), question, 5)
			require.NoError(b, err)
			rank := slices.IndexFunc(hits, func(h search.Hit) bool {
				return slices.Contains(strings.Fields(pages), path.Base(strings.TrimPrefix(h.URL, "doc:")))
			}) + 1
			asked[language]++
			if rank > 0 {
				found[language]++
			}
			b.Logf("%d  %s", rank, question)
		}
		for language, n := range asked {
			b.ReportMetric(float64(found[language]), language+"-found")
			b.ReportMetric(float64(n), language+"-asked")
		}
	}
}

// BenchmarkTenThousandPages is what reading and indexing 10,000 pages of the manuals costs, once as HTML and once as the Markdown that
// is made of them, beside filling the bare full-text index with the same words in the same run.
func BenchmarkTenThousandPages(b *testing.B) {
	needed(b, postgresManual, pythonManual)
	const pages = 10_000
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as the program does, for both
	for b.Loop() {
		top := b.TempDir()
		copied(b, filepath.Join(top, "html"), pages)
		db := filepath.Join(top, "html.db")
		html := measured(b, func() { index(b, db, filepath.Join(top, "html")) })
		rows := passagesOf(b, db)
		markdownOf(b, db, filepath.Join(top, "markdown"))
		markdown := measured(b, func() { index(b, filepath.Join(top, "markdown.db"), filepath.Join(top, "markdown")) })
		bare := measured(b, func() { insert(b, rows) })
		b.Logf("%d passages; HTML %v, Markdown %v, bare insert %v", len(rows), html, markdown, bare)
		b.ReportMetric(html.wall.Seconds()/bare.wall.Seconds(), "html/bare")
		b.ReportMetric(markdown.wall.Seconds()/bare.wall.Seconds(), "markdown/bare")
		b.ReportMetric(html.cpu.Seconds()/bare.cpu.Seconds(), "html/bare-cpu")
		b.ReportMetric(markdown.cpu.Seconds()/bare.cpu.Seconds(), "markdown/bare-cpu")
	}
}

// cost is what something took: on the clock, and of the processors.
type cost struct{ wall, cpu time.Duration }

func (c cost) String() string {
	return fmt.Sprintf("%.1f s (%.1f s of the processors)", c.wall.Seconds(), c.cpu.Seconds())
}

func measured(b *testing.B, work func()) cost {
	b.Helper()
	runtime.GC()
	spent := func() time.Duration {
		var usage syscall.Rusage
		require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	began, before := time.Now(), spent()
	work()
	return cost{time.Since(began), spent() - before}
}

// copied makes a folder of so many pages, of which several are the same but for a line, as no two files of a person's are.
func copied(b *testing.B, folder string, pages int) {
	b.Helper()
	var originals []string
	for _, manual := range []string{postgresManual, pythonManual} {
		require.NoError(b, filepath.WalkDir(manual, func(p string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && filepath.Ext(p) == ".html" {
				originals = append(originals, p)
			}
			return err
		}))
	}
	for i := range pages {
		text, err := os.ReadFile(originals[i%len(originals)])
		require.NoError(b, err)
		file := filepath.Join(folder, fmt.Sprintf("%02d", i/len(originals)), fmt.Sprintf("%05d-%s", i, filepath.Base(originals[i%len(originals)])))
		require.NoError(b, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(b, os.WriteFile(file, append(text, fmt.Sprintf("<!-- copy %d -->", i)...), 0o644))
	}
}

// passage is a row as the full-text index gets it.
type passage struct{ title, heading, name, body string }

func passagesOf(b *testing.B, file string) (rows []passage) {
	b.Helper()
	each(b, file, "SELECT title, heading, url, text FROM passage JOIN page ON page.id = file JOIN file ON file.id = page.id", func(found *sql.Rows) error {
		var r passage
		err := found.Scan(&r.title, &r.heading, &r.name, &r.body)
		r.body = linkTargets.ReplaceAllString(r.body, "")
		rows = append(rows, r)
		return err
	})
	return rows
}

var linkTargets = regexp.MustCompile(`\]\([^)]*\)`)

// markdownOf writes the documents of an index as Markdown: in the order of their ids, the passages of a file are its text, to the byte.
func markdownOf(b *testing.B, file, folder string) {
	b.Helper()
	require.NoError(b, os.MkdirAll(folder, 0o755))
	texts := map[int]*strings.Builder{}
	each(b, file, "SELECT file, text FROM passage ORDER BY file, id", func(found *sql.Rows) error {
		var id int
		var text string
		err := found.Scan(&id, &text)
		if texts[id] == nil {
			texts[id] = &strings.Builder{}
		}
		texts[id].WriteString(text)
		return err
	})
	for id, text := range texts {
		require.NoError(b, os.WriteFile(filepath.Join(folder, fmt.Sprintf("%05d.md", id)), []byte(text.String()), 0o644))
	}
}

func each(b *testing.B, file, query string, use func(*sql.Rows) error) {
	b.Helper()
	db, err := sql.Open("sqlite", file)
	require.NoError(b, err)
	defer db.Close()
	found, err := db.Query(query)
	require.NoError(b, err)
	defer found.Close()
	for found.Next() {
		require.NoError(b, use(found))
	}
	require.NoError(b, found.Err())
}

// insert fills a table of the same columns and the same way of cutting words as the program's, in one transaction.
func insert(b *testing.B, rows []passage) {
	b.Helper()
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "bare.db"))
	require.NoError(b, err)
	defer db.Close()
	_, err = db.Exec(`CREATE VIRTUAL TABLE bare USING fts5 (title, headings, name, body,
		content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`)
	require.NoError(b, err)
	tx, err := db.Begin()
	require.NoError(b, err)
	add, err := tx.Prepare("INSERT INTO bare (title, headings, name, body) VALUES (?, ?, ?, ?)")
	require.NoError(b, err)
	for _, r := range rows {
		_, err := add.Exec(r.title, r.heading, r.name, r.body)
		require.NoError(b, err)
	}
	require.NoError(b, tx.Commit())
}

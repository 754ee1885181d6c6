package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/search/documents"
	"github.com/stretchr/testify/require"
)

// BenchmarkTenThousandPages is what reading and indexing 10,000 pages of the manuals costs, once as HTML and once as the Markdown that
// is made of them, beside filling the bare full-text index with the same words in the same run.
func BenchmarkTenThousandPages(b *testing.B) {
	installed(b, postgresManual, pythonManual)
	const pages = 10_000
	for b.Loop() {
		top := b.TempDir()
		copied(b, filepath.Join(top, "html"), pages)
		html := measured(b, func() { index(b, top, filepath.Join(top, "html")) })
		_, rows := indexed(b, top)
		markdownOf(b, top, filepath.Join(top, "markdown"))
		markdown := measured(b, func() { index(b, b.TempDir(), filepath.Join(top, "markdown")) })
		bare := measured(b, func() { insert(b, rows) })
		b.Logf("%d passages; HTML %v, Markdown %v, bare insert %v", len(rows), html, markdown, bare)
		b.ReportMetric(html.wall.Seconds()/bare.wall.Seconds(), "html/bare")
		b.ReportMetric(markdown.wall.Seconds()/bare.wall.Seconds(), "markdown/bare")
		b.ReportMetric(html.cpu.Seconds()/bare.cpu.Seconds(), "html/bare-cpu")
		b.ReportMetric(markdown.cpu.Seconds()/bare.cpu.Seconds(), "markdown/bare-cpu")
	}
}

// index indexes documents for a research in dir, as a run does at its start.
func index(b *testing.B, dir string, docs string) {
	b.Helper()
	require.NoError(b, os.MkdirAll(filepath.Join(dir, ".daybook"), 0o755))
	documents, err := documents.Open(b.Context(), filepath.Join(dir, ".daybook", "documents.db"),
		[]string{docs})
	require.NoError(b, err)
	_, err = documents.Refresh(b.Context(), nil)
	require.NoError(b, err)
	require.NoError(b, documents.Close())
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
		file := filepath.Join(folder, fmt.Sprintf("%02d", i/len(originals)),
			fmt.Sprintf("%05d-%s", i, filepath.Base(originals[i%len(originals)])))
		require.NoError(b, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(b, os.WriteFile(file, append(text, fmt.Sprintf("<!-- copy %d -->", i)...), 0o644))
	}
}

// markdownOf writes the documents of an index as Markdown: in the order of their ids, the passages of a file are its text, to the byte.
func markdownOf(b *testing.B, dir, folder string) {
	b.Helper()
	require.NoError(b, os.MkdirAll(folder, 0o755))
	db, err := sql.Open("sqlite", filepath.Join(dir, ".daybook", "documents.db"))
	require.NoError(b, err)
	defer db.Close()
	found, err := db.Query("SELECT file, text FROM passage ORDER BY file, id")
	require.NoError(b, err)
	defer found.Close()
	texts := map[int]*strings.Builder{}
	for found.Next() {
		var id int
		var text string
		require.NoError(b, found.Scan(&id, &text))
		if texts[id] == nil {
			texts[id] = &strings.Builder{}
		}
		texts[id].WriteString(text)
	}
	require.NoError(b, found.Err())
	for id, text := range texts {
		require.NoError(b, os.WriteFile(filepath.Join(folder, fmt.Sprintf("%05d.md", id)),
			[]byte(text.String()), 0o644))
	}
}

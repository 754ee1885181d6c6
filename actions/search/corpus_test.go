package search_test

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/stretchr/testify/require"
)

// The documents that the benchmarks search: nobody here wrote them, and anyone can have them.
const (
	postgresManual = "/usr/share/doc/postgresql-doc-15/html"
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

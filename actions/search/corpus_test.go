package search_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/documents"
	"github.com/stretchr/testify/require"
)

// The documents that the benchmark searches: nobody here wrote them, and anyone can have them.
var (
	manuals = []string{
		"/usr/share/doc/apache2-doc/manual/en", "/usr/share/doc/postgresql-doc-15/html",
		"/usr/share/doc/python3.11/html",
	}
	chineseManuals = []string{"/usr/share/debian-reference", "/usr/share/doc/maint-guide-zh-cn/html"}
)

const (
	chinesePages   = "/usr/share/man/zh_CN"
	installManuals = "apt-get install apache2-doc postgresql-doc-15 python3-doc debian-reference-zh-cn " +
		"maint-guide-zh-cn manpages-zh (Debian 12)"
)

// knownItem is a question with the pages that answer it.
type knownItem struct {
	set, kind, question string
	pages               []string
}

func knownItems(t testing.TB, file string) []knownItem {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var list []knownItem
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 4 {
			list = append(list, knownItem{f[0], f[1], f[2], strings.Fields(f[3])})
		}
	}
	require.NotEmpty(t, list)
	return list
}

// BenchmarkKnownItems tells at which place the right page is among the hits of each question of
// testdata/corpus, asked alone and as one of five in a call. Run it with -benchtime 1x -v.
func BenchmarkKnownItems(b *testing.B) {
	for _, folder := range slices.Concat(manuals, chineseManuals, []string{chinesePages}) {
		if _, err := os.Stat(folder); err != nil {
			b.Skipf("there is no %s: %s", folder, installManuals)
		}
	}
	for b.Loop() {
		for _, c := range []struct {
			file    string
			folders []string
		}{
			{"testdata/corpus/manuals.tsv", manuals},
			{"testdata/corpus/chinese.tsv", append(slices.Clone(chineseManuals), unpackedPages(b))},
		} {
			docs, err := documents.Open(b.Context(), filepath.Join(b.TempDir(), "x.db"), c.folders)
			require.NoError(b, err)
			_, err = docs.Refresh(b.Context(), nil)
			require.NoError(b, err)
			known(b, docs, knownItems(b, c.file))
			require.NoError(b, docs.Close())
		}
	}
}

// known asks the questions and prints the tables.
func known(b *testing.B, docs *documents.Index, list []knownItem) {
	b.Helper()
	all := search.All{Providers: []search.Provider{docs}}
	tally := map[string]*[4]int{} // asked, first three alone, first three of five, sum of places of five
	for start := 0; start < len(list); start += 5 {
		five := list[start:min(start+5, len(list))]
		var queries []string
		for _, it := range five {
			queries = append(queries, it.question)
		}
		found, err := all.Search(b.Context(), search.Question{Queries: queries, Limit: 10})
		require.NoError(b, err)
		for _, it := range five {
			hits, err := docs.Search(b.Context(), it.question, 10)
			require.NoError(b, err)
			alone, together := rank(hits, it.pages), rank(found.Hits, it.pages)
			b.Logf("%s %-5s alone %2d, of five %2d  %s", it.set, it.kind, alone, together, it.question)
			for _, key := range []string{it.set, it.kind, "all"} {
				if tally[key] == nil {
					tally[key] = &[4]int{}
				}
				n := tally[key]
				n[0]++
				if alone > 0 && alone <= 3 {
					n[1]++
				}
				if together > 0 {
					n[2]++
				}
			}
		}
	}
	for _, key := range []string{"tune", "held", "title", "other", "exact", "all"} {
		if n := tally[key]; n != nil {
			b.Logf("%-5s asked %2d, among the first three %2d, shown as one of five %2d", key, n[0],
				n[1], n[2])
		}
	}
	b.ReportMetric(float64(tally["all"][1])/float64(tally["all"][0]),
		fmt.Sprintf("first-three-of-%d", len(list)))
}

// rank counts from 1; 0 is nowhere.
func rank(hits []search.Hit, pages []string) int {
	return slices.IndexFunc(hits, func(h search.Hit) bool {
		return slices.ContainsFunc(pages, func(p string) bool { return strings.HasSuffix(h.URL, "/"+p) })
	}) + 1
}

var (
	manHeading = regexp.MustCompile(`(?m)^\.S[HS] +"?(.*?)"?\s*$`)
	manMarks   = regexp.MustCompile(`(?m)^\.\\".*$|^\.[A-Za-z]+ ?|\\f.|\\[,/&]`)
)

// unpackedPages are the Chinese man pages as text.
func unpackedPages(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	paths, err := filepath.Glob(filepath.Join(chinesePages, "man*", "*.gz"))
	require.NoError(b, err)
	for _, p := range paths {
		file, err := os.Open(p)
		require.NoError(b, err)
		unzipped, err := gzip.NewReader(file)
		require.NoError(b, err)
		text, err := io.ReadAll(unzipped)
		require.NoError(b, err)
		require.NoError(b, file.Close())
		page := manMarks.ReplaceAllString(manHeading.ReplaceAllString(string(text), "\n$1\n"), "")
		name := filepath.Join(dir, filepath.Base(filepath.Dir(p)),
			strings.TrimSuffix(filepath.Base(p), ".gz")+".txt")
		require.NoError(b, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(b, os.WriteFile(name, []byte(strings.ReplaceAll(page, `\-`, "-")), 0o644))
	}
	return dir
}

// library is an index of a folder with these files, refreshed once.
func library(t testing.TB, files map[string]string) *documents.Index {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	docs, err := documents.Open(t.Context(), filepath.Join(t.TempDir(), "documents.db"), []string{dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, docs.Close()) })
	_, err = docs.Refresh(t.Context(), nil)
	require.NoError(t, err)
	return docs
}

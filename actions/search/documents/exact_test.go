package documents_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search/documents"
)

func small(t *testing.T) *documents.Index {
	t.Helper()
	docs := open(t, filepath.Join(t.TempDir(), "x.db"), filepath.Join("testdata", "small"))
	refresh(t, docs)
	return docs
}

// The form of BenchmarkKnownItems that needs no package.
func TestKnownItems(t *testing.T) {
	docs := small(t)
	text, err := os.ReadFile("testdata/small-questions.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 {
			continue
		}
		got := urls(t, docs, f[1])
		require.NotEmpty(t, got, f[1])
		if f[0] == "exact" {
			assert.Equal(t, "doc:"+f[2], got[0], f[1])
		} else {
			assert.Contains(t, got[:min(len(got), 3)], "doc:"+f[2], f[1])
		}
	}
}

func TestPhrasesAndNamesAreFoundToTheLetter(t *testing.T) {
	docs := small(t)
	type at struct {
		url   string
		lines []int
	}
	for query, want := range map[string]struct {
		text    string
		at      []at
		anyCase bool
		inWords bool
	}{
		"SQLITE_BUSY": {"SQLITE_BUSY",
			[]at{{"doc:errors.md", []int{5}}, {"doc:wal.md", []int{12}}}, false, false},
		"sqlite_busy": {"sqlite_busy",
			[]at{{"doc:errors.md", []int{5}}, {"doc:wal.md", []int{12}}}, true, false},
		"PRAGMA wal_checkpoint": {"PRAGMA wal_checkpoint", []at{{"doc:wal.md", []int{7}}}, false, false},
		"wal_checkpoint":        {"wal_checkpoint", []at{{"doc:wal.md", []int{7}}}, false, false},
		"what is fsync() for":   {"fsync()", []at{{"doc:sync.md", []int{3}}}, false, false},
		"walCheck":              {"walCheck", nil, false, false},
		"SQLITE_BUS": {"SQLITE_BUS",
			[]at{{"doc:errors.md", []int{5, 6}}, {"doc:wal.md", []int{12}}}, true, true},
		"--no-verify":                {"--no-verify", []at{{"doc:release.md", []int{4}}}, false, false},
		"os.Root":                    {"os.Root", []at{{"doc:release.md", []int{4}}}, false, false},
		"synchronous=NORMAL":         {"", nil, false, false}, // no name by its looks, and no phrase
		`locks "database is locked"`: {"database is locked", []at{{"doc:errors.md", []int{9}}}, false, false},
		`"leaves an empty log"`:      {"leaves an empty log", []at{{"doc:wal.md", []int{8}}}, false, false},
		// over the end of a line
		`"TRUNCATE) starts one by hand"`: {"TRUNCATE) starts one by hand", []at{{"doc:wal.md", []int{7}}},
			false, false},
		"“搬进数据库”": {"搬进数据库", []at{{"doc:日志.md", []int{7}}}, false, false},
		"last transactions may be lost": {"last transactions may be lost", []at{{"doc:sync.md", []int{3}}},
			false, false},
	} {
		t.Run(query, func(t *testing.T) {
			found, err := docs.Find(t.Context(), query, 5)
			require.NoError(t, err)
			if want.text == "" {
				assert.Empty(t, found.Exact)
				return
			}
			require.NotEmpty(t, found.Exact)
			e := found.Exact[0]
			assert.Equal(t, want.text, e.Text)
			var got []at
			for _, p := range e.Places {
				got = append(got, at{p.URL, p.Lines})
			}
			assert.ElementsMatch(t, want.at, got)
			assert.Equal(t, len(want.at), e.Documents)
			assert.Equal(t, [2]bool{want.anyCase, want.inWords}, [2]bool{e.AnyCase, e.InWords})
		})
	}
}

func TestWhatNoDocumentHoldsIsSaid(t *testing.T) {
	docs := small(t)
	for query, want := range map[string]struct {
		missing []string
		far     bool
	}{
		"glacier moraine log":     {[]string{"glacier", "moraine"}, true},
		"checkpoint glacier":      {[]string{"glacier"}, false},
		"write-ahead logging":     {nil, false},
		"冰川退缩":                    {[]string{"冰川退缩"}, false},
		"数据库冰川":                   {[]string{"冰川"}, false},
		"日志检查点":                   {nil, false},
		"检查员 数据库":                 {[]string{"检查员"}, false}, // 检查 is held
		"数据库检查员":                  {nil, false},             // where one word ends is not known
		"glacier in the snow and": {[]string{"glacier", "snow"}, false},
	} {
		found, err := docs.Find(t.Context(), query, 10)
		require.NoError(t, err)
		assert.Equal(t, want.missing, found.Missing, query)
		if want.far {
			assert.True(t, found.Far, query)
			assert.LessOrEqual(t, len(found.Hits), 3, "a gap looks like a gap")
		}
	}
}

// A document that holds another form of a word holds the word, and is found by it.
func TestNoFormOfAWordIsMissing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.md": "# Printers\n\nThe printer broke, and Ada ran to mend it.\n",
		"b.md": "# Stores\n\nIndices were written by women. Children keep running.\n",
		"c.md": "# Lathe\n\nDelivery is expected in week 40.\n"})
	docs := open(t, filepath.Join(t.TempDir(), "x.db"), dir)
	refresh(t, docs)
	for query, at := range map[string]string{
		"break": "doc:a.md", "broken": "doc:a.md", "breaking printers": "doc:a.md", "run mended": "doc:a.md",
		"index": "doc:b.md", "indexes": "doc:b.md", "writing woman": "doc:b.md", "child kept": "doc:b.md",
		"lathe delivered": "doc:c.md",
	} {
		found, err := docs.Find(t.Context(), query, 10)
		require.NoError(t, err)
		assert.Empty(t, found.Missing, query)
		require.NotEmpty(t, found.Hits, query)
		assert.Equal(t, at, found.Hits[0].URL, query)
	}
	found, err := docs.Find(t.Context(), "printer bound inn", 10)
	require.NoError(t, err)
	assert.Equal(t, []string{"bound", "inn"}, found.Missing, "control: another word is")
}

func TestTwoFormsOfAPageAreOneHit(t *testing.T) {
	docs := small(t)
	hits, err := docs.Search(t.Context(), "copying a live database", 10)
	require.NoError(t, err)
	copies := 0
	for _, h := range hits {
		if strings.HasPrefix(h.URL, "doc:backup.") {
			copies++
			assert.Len(t, h.Copies, 1)
			assert.True(t, strings.HasPrefix(h.Copies[0], "doc:backup."))
		} else {
			assert.Empty(t, h.Copies)
		}
	}
	assert.Equal(t, 1, copies)
}

// A page names an option in many places. Where it says what the option is comes first.
func TestWhereANameIsDefinedComesFirst(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.md": "# Options\n\nSee max_retry.\n\nAnd max_retry again.\n\n" +
		"```\nmax_retry { number };\n```\n\nOther words, with max_retry.\n\n- `max_retry`: how often.\n"})
	docs := open(t, filepath.Join(t.TempDir(), "x.db"), dir)
	refresh(t, docs)
	found, err := docs.Find(t.Context(), "max_retry", 5)
	require.NoError(t, err)
	require.NotEmpty(t, found.Exact)
	require.Len(t, found.Exact[0].Places, 1)
	assert.Equal(t, []int{13, 3, 5}, found.Exact[0].Places[0].Lines)
	assert.Equal(t, 2, found.Exact[0].Places[0].Another)

	write(t, dir, map[string]string{"a.md": "# Limits\n\nSee conn_limit in the matrix.\n\n" +
		"And conn_limit <n> is said.\n\n" +
		"conn_limit <connections>\n  The most connections at a time.\n\nconn_limit of others.\n"})
	refresh(t, docs)
	found, err = docs.Find(t.Context(), "conn_limit", 5)
	require.NoError(t, err)
	require.NotEmpty(t, found.Exact)
	assert.Equal(t, []int{7, 3, 5}, found.Exact[0].Places[0].Lines, "a term may be followed by what it takes")

	mentions := strings.Repeat("Mended: conn_limit of a server was heeded too late.\n\n", 9)
	write(t, dir, map[string]string{"NEWS.md": "# Changes\n\n" + mentions})
	refresh(t, docs)
	found, err = docs.Find(t.Context(), "conn_limit", 5)
	require.NoError(t, err)
	require.NotEmpty(t, found.Exact)
	assert.Equal(t, "doc:a.md", found.Exact[0].Places[0].URL, "before a page with many mentions")
}

// A manual may lie there in several languages, some pages translated in part only.
func TestTranslationsOfAPageAreOneHit(t *testing.T) {
	const says = "<p>The LimitRequestBody directive sets a limit on the size of a request body.</p>"
	page := func(lang, title, lead string) string {
		return `<html lang="` + lang + `"><title>` + title + "</title><h1>" + title + "</h1><p>" + lead + says
	}
	docs, _ := library(t, map[string]string{
		"en/core.html":     page("en", "Core features", "These directives are always available."),
		"en/limits.html":   page("en", "Limits", "What a server may be asked for at most."),
		"es/core.html":     page("es", "LimitRequestBody, limit, request body", "Estas son para todos."),
		"log.fr.html":      page("fr", "Journal", "Un serveur écrit ce qu'il a fait."),
		"log.pt-br.html":   page("pt-BR", "Registro", "O servidor escreve o que fez."),
		"fr/of/other.html": page("en", "Others", "A folder that is named by chance as a language is."),
	})
	hits, err := docs.Search(t.Context(), "limit request body LimitRequestBody", 10)
	require.NoError(t, err)
	copies := map[string][]string{}
	for _, h := range hits {
		copies[strings.TrimPrefix(h.URL, "doc:")] = h.Copies
	}
	require.Len(t, copies, 4, "%v", copies)
	assert.Len(t, copies["en/core.html"], 1, "most of what is found is English: %v", copies)
	for _, one := range []string{"en/limits.html", "fr/of/other.html"} {
		assert.Contains(t, copies, one)
		assert.Empty(t, copies[one])
	}
}

// A query in one language finds nothing in documents of another: how many there are is counted.
func TestDocumentsInAnotherLanguageAreCounted(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.md": "# Ovens\n\nThe warranty covers parts for 36 months.\n",
		"b.md": "# 烤箱手册\n\n烤箱预热需要二十五分钟。\n", "c.md": "# 面粉\n\n面粉供应商是丰原粮油。\n",
		"d.go": "package oven\n\nfunc heat() {}\n",
		"e.md": "# Words\n\nThe word 烤箱 is Chinese for oven.\n"})
	docs := open(t, filepath.Join(t.TempDir(), "x.db"), dir)
	refresh(t, docs)
	for query, want := range map[string]int{"烤箱的保修期": 2, "warranty of the oven": 2, "Haus 烤箱": 2} {
		found, err := docs.Find(t.Context(), query, 10)
		require.NoError(t, err)
		assert.Equal(t, want, found.Apart, query)
		assert.Equal(t, 5, found.Documents, query)
	}
}

package actions_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/documents"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/fileagent"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAVisitOpensThePartThatTheSearchShowed(t *testing.T) {
	b := newBench(t)
	manual, 手册 := "# Manual\n\n", "# 手册\n\n"
	for i := range 60 {
		manual += fmt.Sprintf("## Chapter %d\n\n", i) +
			strings.Repeat("Words that say nothing of what is asked for, to fill a page.\n\n", 12)
		手册 += fmt.Sprintf("## 第%d章\n\n", i) +
			strings.Repeat("这一段只是为了填满页面，与所问的事没有关系。\n\n", 12)
		if i == 40 {
			manual += "## Transaction control\n\nThe [`isolation_level`](other.html#level) **implicitly** " +
				"opens a [transaction](other.html) before statements that change rows.\n\n"
			手册 += "## 事务控制\n\n隔离级别决定是否**隐式**开启事务，修改数据之前开启。\n\n"
		}
	}
	b.documents(map[string]string{"manual.md": manual, "手册.md": 手册})

	for _, query := range []string{"implicitly opens transaction", "隐式开启事务"} {
		assert.Contains(t, b.one("web_search", args{"query": query}), "<results>\nh")
	}
	require.NoError(t, b.w.Close()) // as a run that is resumed
	w, err := workspace.Open(b.dir)
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	b.w, b.kit.Workspace, b.kit.Files = w, w, fileagent.Files{Workspace: w}

	for id, text := range map[string]string{"h1": "**implicitly** opens a",
		"h2": "隔离级别决定是否**隐式**开启事务"} {
		got := b.one("visit_url", args{"url": id})
		assert.Regexp(t,
			`^Read as s\d\. Part ([2-9]|1\d) of \d+, where the search result is\. Part 1 has the `+
				`beginning\.\n\n<outline id="s\d">\npart 1 \(blocks 1-\d+\): `, got)
		assert.Contains(t, got, text)
		assert.Regexp(t, `^Read as s\d\. Part 1 of \d+\. Go on`,
			b.one("visit_url", args{"url": id, "part": 1}), "the part that is asked for")
	}
	assert.Regexp(t, `^Read as s\d\. Part 1 of`, b.one("visit_url", args{"url": "doc:manual.md"}),
		"an address has no excerpt")
	_, err = w.KeepHits([]origin.Hit{{URL: "doc:manual.md",
		Excerpt: "A manual about everything, as a service puts it in words of its own"}})
	require.NoError(t, err)
	assert.Regexp(t, `^Read as s\d\. Part 1 of`, b.one("visit_url", args{"url": "h1"}),
		"an excerpt that stands nowhere")
}

// The result of a search for a row opens the part with that row, also where the table has more columns than
// an excerpt shows: the excerpt has the columns' names before the cells, and the page has not.
func TestASearchForARowOpensItsPart(t *testing.T) {
	b := newBench(t)
	table := "name,code"
	for n := range 30 {
		table += fmt.Sprintf(",column %d", n)
	}
	for n := range 300 {
		table += fmt.Sprintf("\nTown %d,T%d%s", n, n, strings.Repeat(",lowland", 30))
	}
	b.documents(map[string]string{"towns.csv": table + "\nOulu,OUL" + strings.Repeat(",lowland", 30) + "\n"})
	require.Contains(t, b.one("web_search", args{"query": "Oulu"}), "name: Oulu; code: OUL")
	got := b.one("visit_url", args{"url": "h1"})
	assert.Regexp(t, `^Read as s1\. Part (\d+) of \d+, where the search result is`, got)
	assert.Contains(t, got, "| Oulu | OUL |")
}

// The parts of a long table are read one after the other, and the table is divided once.
func TestTheWholeOfALongPageIsDividedOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("what watches for races allocates too")
	}
	b := newBench(t)
	table := "id,city,inspector\n"
	for i := range 4000 {
		table += fmt.Sprintf("ST%05d,Oslo,Ada%d\n", i, i%70)
	}
	b.documents(map[string]string{"stations.csv": table})
	allocated := func(parts int) uint64 {
		var calls []agent.Call
		for part := range parts {
			calls = append(calls,
				agenttest.Call("visit_url", args{"url": "doc:stations.csv", "part": part + 1}))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		results, _ := b.do(calls...)
		runtime.ReadMemStats(&after)
		assert.Contains(t, results[parts-1], "Part ")
		return after.TotalAlloc - before.TotalAlloc
	}
	assert.Less(t, allocated(11), 4*allocated(1), "eleven parts and one")
}

// A link to a place in a document of the person's opens that place, in the document itself.
func TestAVisitOpensThePlaceThatItsAddressNames(t *testing.T) {
	b := newBench(t)
	manual := "# Manual\n\n"
	for i := range 400 {
		manual += fmt.Sprintf("- **max_%d (default: %d)**: How much, which nobody has to know.\n", i, i)
	}
	b.documents(map[string]string{"manual.md": manual + "\n## Last words\n\nThat is all.\n",
		"a#b.md": "# A and b\n"})
	found := b.one("web_search", args{"query": "`max_321`"})
	assert.Regexp(t, `"max_321" is in 1 of 2 documents: doc:manual\.md \(Manual\) block 322`, found)
	got := b.one("visit_url", args{"url": "doc:manual.md#max_321"})
	assert.Regexp(t, `^Read as s1\. Part \d+ of \d+, where #max_321 is\. Part 1 has the beginning\.`, got)
	assert.Contains(t, got, "[s1.322] - **max_321")
	assert.Contains(t, b.one("visit_url", args{"url": "doc:manual.md#last-words"}), "That is all.")
	assert.Contains(t, b.one("visit_url", args{"url": "doc:a%23b.md"}), "A and b")
	for _, s := range b.w.Sources() {
		assert.NotContains(t, s.URL, "manual.md#")
	}
	assert.Len(t, b.w.Sources(), 2)
}

// What is shown under an address is the page, also when somebody changed the file that it was kept in; under
// an id it is that file.
func TestAPageWhoseFileWasEditedIsReadAnew(t *testing.T) {
	b := newBench(t)
	b.kit.AnyURL = true
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		fmt.Fprint(w, "# Lamp\n\nIt burns 412 litres.\n")
	}))
	defer site.Close()
	lamp := args{"url": site.URL + "/lamp"}
	assert.Contains(t, b.one("visit_url", lamp), "Read as s1. ")
	one, _ := b.w.Source("s1")
	// of another length, since the clock may stand still
	b.put(one.File, strings.Replace(b.text(one.File), "412", "1999", 1))
	read := b.one("visit_url", lamp)
	assert.Contains(t, read, "Read as s2. ")
	assert.Contains(t, read, "412 litres")
	assert.Contains(t, b.one("visit_url", lamp), "Read as s2. ")
	edited := b.one("visit_url", args{"url": "s1"})
	assert.Contains(t, edited, "Read as s1. This is all of it. Somebody changed its file since it was read")
	assert.Contains(t, edited, "999 litres")
	assert.Len(t, b.w.Sources(), 2)
}

// A refusal says what can be done in this run.
func TestARefusalNamesWhatIsThere(t *testing.T) {
	b := newBench(t)
	assert.Contains(t, b.one("visit_url", args{"url": "https://docs.test/sqlite3.html"}),
		"Search for the page, visit one that links to it")
	b.documents(map[string]string{
		"sqlite3.html": "<html><body><h1>Sqlite</h1><p>Transactions are " +
			"opened implicitly.</p></body></html>"})
	assert.Contains(t, b.one("web_search", args{"query": "transactions"}), "h1. ")
	assert.Contains(t, b.one("visit_url", args{"url": "sqlite3.html"}), "Did you mean h1 (doc:sqlite3.html)?")

	said := b.one("visit_url", args{"url": "https://docs.test/sqlite3.html"})
	assert.Contains(t, said, "so it is not visited. The web is not searched in this run: visit a page that "+
		"links to it, or give the address just as it stood")
	assert.NotContains(t, said, "Search for")
	assert.Equal(t,
		`Error: searching: "python docs" is no source; nothing but the person's own documents can `+
			`be searched in this run: leave source out`,
		b.one("web_search", args{"query": "transactions", "source": "python docs"}))

	b.kit.Search.Providers = append(b.kit.Search.Providers, of("web"))
	b.kit.Search = &search.All{Providers: b.kit.Search.Providers}
	assert.Contains(t, b.one("visit_url", args{"url": "https://docs.test/other.html"}), "Search for the page")
	assert.Contains(t, b.one("web_search", args{"query": "transactions", "source": "python docs"}),
		"give one of these")
}

// The outline names every part, by what can be read in its headings.
func TestAnOutlineNamesEachPart(t *testing.T) {
	b := newBench(t)
	fill := strings.Repeat("Words that say nothing of what is asked for, to fill a page.\n\n", 160)
	b.documents(map[string]string{
		"types.md": "# Types\n\n## Numeric Types — [`int`](doc:functions.html#int), [`a\\_b`][ref] " +
			"and `x[0]` (old)\n\n[ref]: functions.html#a_b\n\n" + fill + fill + fill +
			"## [Lists](l.md)\n\n```\n# no heading\n" + fill + "```\n\n" + fill + "### End\n"})
	_, said, _ := strings.Cut(b.one("visit_url", args{"url": "doc:types.md"}), "<outline id=\"s1\">\n")
	said, _, _ = strings.Cut(said, "\n</outline>")
	var last int
	for line := range strings.Lines(said) {
		var from, to int
		n, err := fmt.Sscanf(line, "part %d to %d:", &from, &to)
		if n < 2 {
			require.Error(t, err)
			to = from
		}
		assert.Contains(t, []int{last, last + 1}, from, said)
		last = to
	}
	assert.Regexp(t, `part 1 \(blocks \d+-\d+\): Types · Numeric Types — int, a_b and x\[0\] \(old\)\n`, said)
	assert.Contains(t, said, ": Numeric Types — int, a_b and x[0] (old), continued\n")
	assert.Contains(t, said, ": Lists")
	assert.Contains(t, b.one("visit_url", args{"url": "s1", "part": 6}), "### End", "nothing is under it")
	assert.NotContains(t, said, "no heading")
	assert.NotContains(t, said, "](")
}

// documents sets up files as the person's own documents, which alone are searched.
func (b *bench) documents(files map[string]string) {
	b.t.Helper()
	dir := b.t.TempDir()
	for name, text := range files {
		require.NoError(b.t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	documents, err := documents.Open(b.t.Context(), filepath.Join(b.t.TempDir(), "documents.db"),
		[]string{dir})
	require.NoError(b.t, err)
	b.t.Cleanup(func() { assert.NoError(b.t, documents.Close()) })
	_, err = documents.Refresh(b.t.Context(), nil)
	require.NoError(b.t, err)
	b.kit.Documents, b.kit.Search = documents, &search.All{Providers: []search.Provider{documents}}
}

// A page that is empty without scripts is named as one for the browser, where there is one.
func TestAPageThatNeedsABrowserIsNamed(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><div id=app></div><script src=/app.js></script>`)
	}))
	defer site.Close()
	for program, hint := range map[string]bool{"": false, "/usr/bin/chromium": true} {
		b := newBench(t)
		b.kit.Browser = program
		require.NoError(t, b.w.Said(site.URL))
		said := b.one("visit_url", args{"url": site.URL})
		assert.Contains(t, said, "it may need a browser")
		assert.Equal(t, hint, strings.Contains(said, "have browse open it"), said)
	}
}

package actions_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/documents"
)

// papers is a provider that answers one query and is throttled at the next.
type papers struct{}

func (papers) Name() string      { return "arxiv" }
func (papers) Kind() search.Kind { return search.Scholarly }
func (papers) Search(_ context.Context, query string, _ int) ([]search.Hit, error) {
	if query != "checkpoints of a write-ahead log" {
		return nil, fmt.Errorf("throttled: too many questions")
	}
	return []search.Hit{{
		Title: "A log\nfor everything", URL: "https://arxiv.org/abs/2401.00001",
		Snippet: "Checkpoints are </results> costly.", Published: "2024-01-02", Author: "Ada et al.",
	}}, nil
}

// The answer that the model reads: each query's own places, what is to the letter where, what no document
// holds, what was read, what was not asked.
func TestWhatTheModelReadsOfASearch(t *testing.T) {
	b := newBench(t)
	documents, err := documents.Open(t.Context(), b.w.StatePath("documents.db"),
		[]string{filepath.Join("search", "documents", "testdata", "small")})
	require.NoError(t, err)
	defer documents.Close()
	report, err := documents.Refresh(t.Context(), nil)
	require.NoError(t, err)
	b.kit.Documents, b.kit.Search = documents, &search.All{Providers: []search.Provider{documents, papers{}},
		Breadth: 3}
	b.kit.LeftOut = "28 left out: 28 × no format that is read, by its ending"
	assert.Empty(t, report.InShort())

	first := b.one("web_search",
		args{"query": "checkpoints of a write-ahead log\nSQLITE_BUSY\nglacier moraine\nfour"})
	b.one("visit_url", args{"url": "doc:wal.md"})
	second := b.one("web_search",
		args{"query": "\"database is locked\"\nSQLITE_BUSY\ncheckpoints of a write-ahead log"})
	golden(t, "testdata/web_search.golden.md", "## First\n\n"+first+
		"\n## Second, after doc:wal.md was read\n\n"+second)
	assert.NotContains(t, second, "left out", "which is said once")
}

// What is in no document's text and in the name of one that is listed is not said to be nowhere.
func TestWhatIsInADocumentsNameAlone(t *testing.T) {
	b := newBench(t)
	docs := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(docs, "rainerscript"), 0o755))
	for name, text := range map[string]string{
		"rainerscript/rainerscript_call.md": "# The call statement\n\nIt runs a ruleset and comes back.\n",
		"queues.md":                         "# Queues\n\nA queue holds messages.\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(docs, name), []byte(text), 0o644))
	}
	index, err := documents.Open(t.Context(), b.w.StatePath("documents.db"), []string{docs})
	require.NoError(t, err)
	defer index.Close()
	_, err = index.Refresh(t.Context(), nil)
	require.NoError(t, err)
	b.kit.Documents, b.kit.Search = index, &search.All{Providers: []search.Provider{index}}

	const inName = `"%s" is in the text of none of the 2 documents, but in the name of %s.` + "\n"
	found := b.one("web_search", args{"query": `"rainerscript_call"`})
	assert.Contains(t, found, fmt.Sprintf(inName, "rainerscript_call", "h1"))
	assert.NotContains(t, found, "None of")
	b.one("visit_url", args{"url": "h1"})
	assert.Contains(t, b.one("web_search", args{"query": `"RainerScript_call"`}),
		fmt.Sprintf(inName, "RainerScript_call", "s1"))
	assert.Contains(t, b.one("web_search", args{"query": `"rainerscript_stop"`}),
		`None of the 2 documents holds "rainerscript_stop" to the letter.`)
}

// cut is a place that no network leads to.
type cut struct{ of }

func (cut) Search(context.Context, string, int) ([]search.Hit, error) {
	return nil, &search.ServiceError{Reason: search.Unavailable, Detail: "it cannot be reached"}
}

// When no network leads to any place of others, what comes later is promised the person's documents alone,
// and is not told again and again of each place. What must not leave the machine stays there all the same.
func TestWithoutANetworkThePersonsDocumentsAreAllThereIs(t *testing.T) {
	b := newBench(t)
	b.kit.Search = &search.All{Providers: []search.Provider{of("documents"), cut{"web"}, cut{"scholarly"}}}
	assert.Equal(t, "the person's own documents, the web, scholarly papers", b.kit.Searchable())
	assert.False(t, b.kit.SearchesOwnAlone())

	const line = "Not searched: no place but the person's own documents and services can be reached so far " +
		"in this run."
	first := b.one("web_search", args{"query": "tide"})
	assert.Contains(t, first, line)
	assert.NotContains(t, first, "my-web")
	assert.Contains(t, b.one("web_search", args{"query": "moon", "source": "web"}),
		"can be reached so far in this run. Leave source out")

	assert.Equal(t, "the person's own documents; not the web", b.kit.Searchable())
	assert.True(t, b.kit.SearchesOwnAlone())
	assert.Contains(t, b.kit.Exploring()[0].Doc, "Searches the person's own documents (documents). No other "+
		"place can be reached so far in this run.")
	assert.NotContains(t, b.one("web_search", args{"query": "tide"}), "Not searched",
		"it stands in what the model reads of the action")
	assert.Contains(t, b.one("web_search", args{"query": "sk-abcdefghij0123456789"}), "not sent out")
}

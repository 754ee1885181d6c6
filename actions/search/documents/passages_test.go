package documents_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crossReference is an index of a manual that names pages in plain text, as a list of links would.
func crossReference() string {
	var b strings.Builder
	b.WriteString("# Keyword crossreference\n\n")
	for i := range 40 {
		fmt.Fprintf(&b, "- wal.html#checkpoint%d\n- checkpoint starvation %d SHOP_BUSY\n"+
			"- c3ref/checkpoint%d.html#starvation\n", i, i, i)
	}
	return b.String()
}

func TestAnIndexDoesNotCrowdOutContent(t *testing.T) {
	docs, _ := library(t, map[string]string{
		"crossref.md": crossReference(),
		"wal.md": "# The log\n\nReaders that never end keep a checkpoint from its end. This " +
			"starvation lets the log grow. The call returns SHOP_BUSY then.\n",
		"codes.md": "# Codes\n\n## SHOP_BUSY\n\nAnother one writes.\n\n## SHOP_FULL\n" +
			"\nThere is no room. It is not SHOP_BUSY, whatever SHOP_BUSY means.\n",
		"bread.md": bread, "stars.html": stars,
	})
	assert.Equal(t, "doc:wal.md", urls(t, docs, "checkpoint starvation")[0])
	found, err := docs.Find(t.Context(), "SHOP_BUSY", 10)
	require.NoError(t, err)
	require.Len(t, found.Exact, 1)
	require.Len(t, found.Exact[0].Places, 3)
	assert.Equal(t, "doc:codes.md", found.Exact[0].Places[0].URL, "it has a heading about it")
	assert.Equal(t, "doc:crossref.md", found.Exact[0].Places[2].URL, "an index comes last")
	assert.NotEqual(t, "doc:crossref.md", found.Hits[0].URL)
}

func TestADocumentShowsItsBestPassages(t *testing.T) {
	fill := strings.Repeat(
		"Words of another matter stand between, to make a chapter of it, and say nothing. ", 12) + "\n\n"
	docs, _ := library(t, map[string]string{
		"recovery.md": "# Recovery\n\n" + fill +
			"## Locked packages\n\nWhen a package is locked, the database cannot be repaired: remove the " +
			"lock.\n\n" + fill +
			"## Broken packages\n\nTo repair a broken package, configure it again.\n\n" + fill +
			"## Repairing the database\n" +
			"\nThe database of each package is repaired from the backup of yesterday.\n\n" + fill,
		"bread.md": bread, "stars.html": stars, "磁盘.md": disks,
	})
	found, err := docs.Find(t.Context(), "repair the package database", 10)
	require.NoError(t, err)
	require.NotEmpty(t, found.Hits)
	first := found.Hits[0]
	shown := first.Title + "\n" + first.Snippet
	for _, more := range first.More {
		shown += "\n" + more.Text
	}
	require.NotEmpty(t, first.More)
	assert.LessOrEqual(t, len(first.More), 2)
	assert.Contains(t, shown, "backup of yesterday")
	assert.Contains(t, shown, "remove the lock")
	assert.Regexp(t, `(?m)^(?:Locked packages|Broken packages|Repairing the database): `,
		first.More[0].Text)

	hits, err := docs.Search(t.Context(), "sourdough starter", 10)
	require.NoError(t, err)
	assert.Empty(t, hits[0].More, "one passage says all")
}

// A list of results is not filled up with documents that hold a word or two of the question.
func TestWeakResultsAreLeftOut(t *testing.T) {
	files := map[string]string{
		"signatures.md": "# Signatures\n\nCheck the signature of the archive's release file with its key.\n",
		"keys.md":       "# Keys\n\nThe archive's key checks the signature of a release file.\n"}
	for i := range 12 {
		files[fmt.Sprintf("%d.md", i)] =
			fmt.Sprintf("# Chapter %d\n\nThe file number %d tells of ships, and of harbour %d.\n", i, i, i)
	}
	docs, _ := library(t, files)
	found := urls(t, docs, "check the signature of a release file")
	assert.Subset(t, found, []string{"doc:signatures.md", "doc:keys.md"})
	assert.LessOrEqual(t, len(found), 3)
	assert.Len(t, urls(t, docs, "ships in the harbour"), 10, "the control: all of them hold all of it")
}

// The number of a version is weighed, and is no name to be told of, unless it alone is asked for.
func TestANumberIsNoName(t *testing.T) {
	docs, _ := library(t, map[string]string{"new.md": "# News\n\nIn 3.22.0 a log can be read only.\n",
		"old.md": "# Old news\n\nIn 3.21.0 a log could not be read only.\n"})
	for query, told := range map[string]int{"3.22.0 read-only log": 0, "v3.22.0 with option -t": 0,
		"3.22.0": 1, `"3.22.0" read-only`: 1} {
		found, err := docs.Find(t.Context(), query, 10)
		require.NoError(t, err)
		assert.Len(t, found.Exact, told, query)
		assert.Equal(t, "doc:new.md", found.Hits[0].URL, query)
	}
}

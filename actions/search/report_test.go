package search_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/stretchr/testify/assert"
)

func TestReportCountsWhatIsInTheIndexAndWhatIsNot(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"bread.md": bread, "stars.html": stars, "lost.epub": "missing"}
	for i := range 300 {
		files[fmt.Sprintf("pictures/%03d.png", i)] = "\x89PNG\r\n"
	}
	write(t, dir, files)
	docs := open(t, filepath.Join(t.TempDir(), "x.db"), dir)
	for _, run := range []string{"first", "second"} {
		report := refresh(t, docs)
		assert.Equal(t, 2, report.Documents(), run)
		assert.Equal(t, "301 left out: 300 × no format that is read, by its ending; "+report.Skipped[0].Path+
			": this is no EPUB, whatever its name says, and no text either", report.LeftOut(), run)
		assert.Equal(t, "lost.epub", filepath.Base(report.Skipped[0].Path))
	}
}

func TestLeftOutIsOneLineWhateverTheReasons(t *testing.T) {
	assert.Empty(t, search.Report{}.LeftOut())
	assert.Equal(t, "1 left out: a%0Ab: not text",
		search.Report{Skipped: []search.Skip{{Path: "a\nb", Reason: "not text"}}}.LeftOut())
	var report search.Report
	for i := range 40 {
		report.Skipped = append(report.Skipped,
			search.Skip{Path: fmt.Sprintf("%02d", i), Reason: fmt.Sprint("reason ", i/2*(i%3))})
	}
	line := report.LeftOut()
	assert.True(t, strings.HasPrefix(line, "40 left out: 15 × reason 0; 02, 04: reason 2; "), line)
	assert.Contains(t, line, " for other reasons")
	assert.Equal(t, 5, strings.Count(line, ";"))
}

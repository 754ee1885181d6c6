package documents_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// packed is a document of a format that is a zip archive, from names and contents in turn.
func packed(t *testing.T, files ...string) string {
	t.Helper()
	var body bytes.Buffer
	w := zip.NewWriter(&body)
	for i := 0; i+1 < len(files); i += 2 {
		f, err := w.Create(files[i])
		require.NoError(t, err)
		_, err = f.Write([]byte(files[i+1]))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return body.String()
}

// gzipped is a text as gzip keeps it.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var body bytes.Buffer
	w := gzip.NewWriter(&body)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return body.String()
}

func TestDocumentsOtherThanByTheirEnding(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"changelog.html.gz":   gzipped(t, "<h1>Changes</h1><p>The <b>walrus</b> no longer leaks.</p>"),
		"NEWS.gz":             gzipped(t, "The narwhal learned to swim backwards.\n"),
		"changelog.Debian.gz": gzipped(t, "The puffin was packaged anew.\n"),
		"bomb.txt.gz":         gzipped(t, strings.Repeat("a line of a bomb\n", 1<<20)),
		"trace.gz":            gzipped(t, "\x00\x01\x02 the puffin"),
		"broken.txt.gz":       "the puffin",
		"cut.txt.gz":          gzipped(t, strings.Repeat("the puffin", 1000))[:40],
	})
	docs := open(t, filepath.Join(t.TempDir(), "x.db"), dir)
	report := refresh(t, docs)
	for query, url := range map[string]string{
		"walrus": "doc:changelog.html.gz", "narwhal": "doc:NEWS.gz", "puffin": "doc:changelog.Debian.gz",
	} {
		assert.Equal(t, []string{url}, urls(t, docs, query), query)
	}
	reasons := map[string]string{}
	for _, skip := range report.Skipped {
		reasons[filepath.Base(skip.Path)] = skip.Reason
	}
	assert.Equal(t, map[string]string{
		"bomb.txt.gz":   "larger than 8 MB, unpacked or since it was listed",
		"trace.gz":      "not text, whatever its name says",
		"broken.txt.gz": "no gzip, whatever its name says",
		"cut.txt.gz":    "its gzip is damaged or was cut off",
	}, reasons)
}

func TestDocumentsOfOtherFormats(t *testing.T) {
	docs, _ := library(t, map[string]string{
		"letter.docx": packed(t, "word/document.xml",
			"<w:p><w:r><w:t>The lighthouse keeper counted seventeen gannets.</w:t></w:r></w:p>"),
		"novel.epub": packed(t, "mimetype", "application/epub+zip", "META-INF/container.xml",
			`<c><rootfile full-path="b.opf"/></c>`,
			"b.opf", `<p><item id="a" href="a.html"/><itemref idref="a"/></p>`, "a.html",
			"<p>老船长在暴风雨中唱起了歌。</p>"),
		"note.odt": packed(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml",
			"<a><body><p>Marmalade needs bitter oranges.</p></body></a>"),
		"prices.ods": packed(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml",
			"<a><table><table-row><table-cell><p>fruit</p></table-cell></table-row><table-row><table-cell>"+
				"<p>Quinces from Portugal</p></table-cell></table-row></table></a>"),
		"data.json": `{"volcano": {"name": "Popocatépetl", "height": 5452}}`,
		"feed.rss": "<rss><channel><title>News</title><item><title>Glacier retreats " +
			"again</title></item></channel></rss>",
		"plan.ipynb":  `{"cells":[{"cell_type":"markdown","source":"Estimating the drag of a penguin."}]}`,
		"guide.mdx":   "# Guide\n\nThe hollow oak shelters barn owls.",
		"icon.svg":    "<svg><text>The hollow oak shelters barn owls.</text></svg>",
		"broken.docx": "PK\x03\x04 no archive",
	})
	for query, url := range map[string]string{
		"lighthouse gannets":   "doc:letter.docx",
		"老船长唱歌":                "doc:novel.epub",
		"marmalade oranges":    "doc:note.odt",
		"quinces portugal":     "doc:prices.ods",
		"volcano popocatépetl": "doc:data.json",
		"glacier retreats":     "doc:feed.rss",
		"drag of a penguin":    "doc:plan.ipynb",
		"hollow oak owls":      "doc:guide.mdx",
	} {
		assert.Equal(t, []string{url}, urls(t, docs, query), query)
	}
}

func TestDocumentsOfOtherFormatsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"broken.docx": "PK\x03\x04 no archive",
		"table.epub":  packed(t, "ppt/presentation.xml", "<x/>"),
		"huge.pdf":    "%PDF-1.7" + strings.Repeat(" ", 33<<20),
	})
	report := refresh(t, open(t, filepath.Join(t.TempDir(), "x.db"), dir))
	reasons := map[string]string{}
	for _, skip := range report.Skipped {
		reasons[filepath.Base(skip.Path)] = skip.Reason
	}
	assert.Equal(t, map[string]string{
		"broken.docx": "could not read this archive: it is damaged or was cut off",
		"table.epub":  "this is a presentation or drawing, not text",
		"huge.pdf":    "larger than 32 MB",
	}, reasons)
}

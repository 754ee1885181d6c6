package documents_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pdfOf is a PDF by hand, a page for each line of text.
func pdfOf(lines ...string) string {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>",
		"", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
	var kids []string
	for _, line := range lines {
		content := "BT /F1 11 Tf 72 700 Td (" + line + ") Tj ET"
		n := len(objects) + 1
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 "+
				"3 0 R >> >> /Contents %d 0 R >>", n+1),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids))
	var b strings.Builder
	b.WriteString("%PDF-1.7\n")
	table := fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for i, object := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "%strailer\n<< /Root 1 0 R /Size %d >>\nstartxref\n%d\n%%%%EOF\n",
		table, len(objects)+1, start)
	return b.String()
}

func TestDocumentsThatArePDF(t *testing.T) {
	docs, _ := library(t, map[string]string{
		"paper.pdf":   pdfOf("Sextants measure the angle to a star.", "Chronometers tell the longitude."),
		"other.md":    bread,
		"scanned.pdf": pdfOf(""),
	})
	assert.Equal(t, []string{"doc:paper.pdf"}, urls(t, docs, "longitude chronometers"))
	assert.Empty(t, urls(t, docs, "page 2"), "the marks before pages are not indexed")
	p, err := docs.Page(t.Context(), "doc:paper.pdf")
	require.NoError(t, err)
	assert.Equal(t, "<!-- page 1 -->\n\nSextants measure the angle to a star.\n\n<!-- page 2 -->\n"+
		"\nChronometers tell the longitude.\n", p.Markdown)
	assert.Equal(t, "pdf", p.Type)

	report := refresh(t, docs)
	require.Len(t, report.Skipped, 1)
	assert.Equal(t, "this PDF has no text, its pages are empty or scanned images without text",
		report.Skipped[0].Reason)
}

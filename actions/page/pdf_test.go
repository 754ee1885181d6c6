package page_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"hash/adler32"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pdfOf writes a PDF by hand: the objects in order, the first of them the catalogue, and the table that finds
// them.
func pdfOf(objects ...string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.7\n")
	offsets := make([]int, len(objects))
	for i, object := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Root 1 0 R /Info 2 0 R /Size %d >>\nstartxref\n%d\n%%%%EOF\n",
		len(objects)+1, table)
	return b.String()
}

const pdfInfo = "<< /Title (The Bridge) /Author (Ada Byron) /CreationDate (D:20250304120000Z) >>"

// pdfPages is a PDF whose pages have these streams of drawing commands. Fonts: F1 Helvetica, F2 Courier.
func pdfPages(contents ...string) string {
	objects := []string{"<< /Type /Catalog /Pages 3 0 R >>", pdfInfo, "",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>"}
	var kids []string
	for _, content := range contents {
		n := len(objects) + 1
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 3 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 "+
				"4 0 R /F2 5 0 R >> >> /Contents %d 0 R >>", n+1),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content))
	}
	objects[2] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids))
	return pdfOf(objects...)
}

// at sets a line of text.
func at(x, y, size int, text string) string {
	return fmt.Sprintf("BT /F1 %d Tf %d %d Td (%s) Tj ET\n", size, x, y, text)
}

func readPDF(t *testing.T, body string) page.Page {
	t.Helper()
	doc, err := page.Read(t.Context(),
		page.Raw{URL: "https://e.org/a.pdf", ContentType: "application/pdf", Body: []byte(body)})
	require.NoError(t, err)
	return doc
}

func TestPDF(t *testing.T) {
	doc := readPDF(t, pdfPages(
		at(72, 720, 24, "Opening of the Bridge")+
			at(72, 680, 11, "The bridge was opened to all traffic on the first day of spring, in wonder-")+
			at(72, 666, 11, "ful weather, and 4,096 people came to see it. It is a well-known bridge of")+
			"BT /F1 11 Tf 72 652 Td (steel, and it cost 10) Tj 4 Ts /F1 7 Tf (6) Tj 0 Ts /F1 "+
			"11 Tf ( crowns.) Tj ET\n"+
			at(84, 638, 11, "A second paragraph begins with its first line set in by a little, and the")+
			at(72, 624, 11, "word well-")+
			at(72, 610, 11, "known keeps the hyphen that it has elsewhere. if a < b, a <!-- page 9 --> b")+
			at(72, 580, 11, "\\267 steel")+at(72, 566, 11, "\\267 stone"),
		at(72, 720, 11, "On the second page."),
	))
	assert.Equal(t, page.Page{
		Title: "The Bridge", Author: "Ada Byron", Type: "pdf", Markdown: doc.Markdown,
	}, doc)
	assert.Equal(t, `<!-- page 1 -->

# Opening of the Bridge

The bridge was opened to all traffic on the first day of spring, in wonderful weather, and 4,096 people came to see it. It is a well-known bridge of steel, and it cost 10^6 crowns.

A second paragraph begins with its first line set in by a little, and the word well-known keeps the hyphen that it has elsewhere. if a < b, a \<!-- page 9 --> b

- steel

- stone

<!-- page 2 -->

On the second page.
`, doc.Markdown)
	checkForm(t, doc.Markdown)
}

// A year at the end of a sentence begins no item of a list.
func TestPDFYearAtALineStart(t *testing.T) {
	doc := readPDF(t, pdfPages(at(72, 720, 11, "The pontoon has fourteen floats, all of them from the year")+
		at(72, 706, 11, "2011. Three of them have taken in water.")+
		at(72, 680, 11, "1. Renew the chains.")+at(72, 666, 11, "2. Move the ladder.")))
	assert.Contains(t, doc.Markdown, "from the year 2011. Three of them have taken in water.\n")
	assert.Contains(t, doc.Markdown, "\n1. Renew the chains.\n")
	assert.Contains(t, doc.Markdown, "\n2. Move the ladder.\n")
}

// A table without rules is one, each row a line, also where its label takes two lines beside its figures.
func TestPDFRowsOfFigures(t *testing.T) {
	cells := func(y int, amounts ...string) string {
		all := ""
		for i, amount := range amounts {
			all += at(200+60*i, y, 11, amount)
		}
		return all
	}
	doc := readPDF(t, pdfPages(
		at(72, 720, 11, "Consultation")+cells(720, "32.00", "34.00", "26.00")+
			at(72, 706, 11, "Second visit, same")+at(72, 692, 11, "problem")+
			cells(699, "22.00", "24.00", "18.00")+
			at(72, 678, 11, "Castration,")+at(72, 664, 11, "male")+cells(671, "98.00", "245.00", "-")))
	assert.Equal(t, "<!-- page 1 -->\n\n| | | | |\n| --- | --- | --- | --- |\n"+
		"| Consultation | 32.00 | 34.00 | 26.00 |\n"+
		"| Second visit, same problem | 22.00 | 24.00 | 18.00 |\n"+
		"| Castration, male | 98.00 | 245.00 | - |\n", doc.Markdown)
}

// The rows of a table in larger letters than the text, as Chromium prints one of a page without a doctype,
// are no headings, and each has its own figures.
func TestPDFTableInLargerLetters(t *testing.T) {
	row := func(y int, columns ...string) string {
		all := ""
		for i, text := range columns {
			if text != "" {
				all += at([]int{40, 224, 384, 500}[i], y, 12, text)
			}
		}
		return all
	}
	doc := readPDF(t, pdfPages(
		at(34, 735, 20, "Office Package Policy")+
			at(34, 710, 10, "The policy is valid from 1 July 2026 to 30 June 2027, and covers the offices")+
			at(34, 699, 10, "of the insured alone.")+
			row(673, "Section", "Sum insured / limit", "Excess", "Premium")+
			row(653, "A Contents", "$85,000", "$250", "$412.60")+
			row(634, "B Computers and portable", "$32,000 \\(any one item")+
			row(627, "", "", "$500", "$366.10")+row(620, "equipment", "$3,000\\)")+
			row(600, "D Business interruption", "$400,000, 12 months", "48 hours", "$288.00")+
			row(581, "E Liability of employers", "$10,000,000", "nil", "$341.20")+
			at(34, 555, 10, "Claims must be notified within 14 days, and theft reported to the police.")+
			at(34, 520, 15, "Endorsements")+
			at(34, 496, 10, "Laptops are covered only if they are locked in the boot of a car.")))
	assert.Equal(t, `<!-- page 1 -->

# Office Package Policy

The policy is valid from 1 July 2026 to 30 June 2027, and covers the offices of the insured alone.

| Section | Sum insured / limit | Excess | Premium |
| --- | --- | --- | --- |
| A Contents | $85,000 | $250 | $412.60 |
| B Computers and portable equipment | $32,000 (any one item $3,000) | $500 | $366.10 |
| D Business interruption | $400,000, 12 months | 48 hours | $288.00 |
| E Liability of employers | $10,000,000 | nil | $341.20 |

Claims must be notified within 14 days, and theft reported to the police.

## Endorsements

Laptops are covered only if they are locked in the boot of a car.
`, doc.Markdown)
	checkForm(t, doc.Markdown)
}

// A head may stand in the middle of its column, above cells at the left. It is the head, even if only dates
// have figures.
func TestPDFTableWithItsHeadInTheMiddle(t *testing.T) {
	row := func(y int, from []int, columns ...string) string {
		all := ""
		for i, text := range columns {
			all += at(from[i], y, 11, text)
		}
		return all
	}
	left := []int{40, 180, 340, 440}
	doc := readPDF(t, pdfPages(row(700, []int{90, 240, 340, 440}, "Day", "Practice", "Doctor", "Nurse")+
		row(680, left, "31 May \\(Saturday\\)", "closed", "-", "-")+
		row(660, left, "1 June \\(Sunday\\)", "open until noon, then closed", "Zhao", "Ting")+
		row(640, left, "2 June \\(Monday\\)", "closed", "-", "-")))
	assert.Equal(t, "<!-- page 1 -->\n\n| Day | Practice | Doctor | Nurse |\n| --- | --- | --- | --- |\n"+
		"| 31 May (Saturday) | closed | - | - |\n"+
		"| 1 June (Sunday) | open until noon, then closed | Zhao | Ting |\n"+
		"| 2 June (Monday) | closed | - | - |\n", doc.Markdown)
}

// Two rows are no table, but no headings either, and items and the lines of a justified column are no rows.
func TestPDFNoTable(t *testing.T) {
	text := ""
	for i := range 12 {
		text += at(34, 500-12*i, 10, "The offices of the insured are covered against fire, water and theft.")
	}
	for _, test := range []struct{ name, page, want string }{
		{"two rows", at(34, 700, 14, "First night") + at(300, 700, 14, "20.00 crowns") +
			at(34, 680, 14, "Next night") + at(300, 680, 14, "15.00 crowns"),
			"First night 20.00 crowns\n\nNext night 15.00 crowns\n"},
		{"items", at(34, 700, 10, "1.") + at(60, 700, 10, "Renew the chains.") +
			at(34, 688, 10, "2.") + at(60, 688, 10, "Move the ladder.") +
			at(34, 676, 10, "3.") + at(60, 676, 10, "Close the gate."),
			"1. Renew the chains.\n\n2. Move the ladder.\n\n3. Close the gate.\n"},
		{"a heading with its number", at(34, 700, 16, "1") + at(70, 700, 16, "Liability of the carrier"),
			"# 1 Liability of the carrier\n"},
		{"justified lines", "BT /F1 10 Tf 12 Tw 34 700 Td (thermometers hung close) Tj ET\n" +
			"BT /F1 10 Tf 12 Tw 34 688 Td (thermometers were to) Tj ET\n" +
			"BT /F1 10 Tf 12 Tw 34 676 Td (thermometers in chimneys) Tj ET\n",
			"thermometers hung close thermometers were to thermometers in chimneys\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := readPDF(t, pdfPages(test.page+text))
			assert.Contains(t, doc.Markdown, "<!-- page 1 -->\n\n"+test.want)
			assert.NotContains(t, doc.Markdown, "|")
		})
	}
}

func TestPDFRunningHeadsAreDropped(t *testing.T) {
	var pages []string
	for n := range 4 {
		pages = append(pages, at(72, 760, 9, "Journal of Bridges")+
			at(72, 700, 11, fmt.Sprintf("Text number %d of the article.", n+1))+
			at(72, 686, 11, fmt.Sprintf("More text, which differs: %s.", strings.Repeat("x", n+1)))+
			at(72, 672, 11, fmt.Sprintf("And more %s.", strings.Repeat("y", n+1)))+
			at(300, 40, 9, fmt.Sprint(17+n)))
	}
	doc := readPDF(t, pdfPages(pages...))
	assert.NotContains(t, doc.Markdown, "Journal of Bridges")
	assert.NotContains(t, doc.Markdown, "18")
	for n := range 4 {
		assert.Contains(t, doc.Markdown,
			fmt.Sprintf("<!-- page %d -->\n\nText number %d of the article. More text", n+1, n+1))
	}
}

// bitmapPDF is as LaTeX writes it with bitmap fonts: glyphs have numbers, and nothing says which characters
// they are.
func bitmapPDF(lines ...string) string {
	var names, glyphs, widths, content strings.Builder
	for code := 1; code < 127; code++ {
		fmt.Fprintf(&names, " /a%d", code)
		fmt.Fprintf(&glyphs, " /a%d 5 0 R", code)
		widths.WriteString(" 500")
	}
	for i, line := range lines {
		fmt.Fprintf(&content, "BT /F1 11 Tf 72 %d Td <%x> Tj ET\n", 700-14*i, line)
	}
	glyph := "500 0 0 0 500 700 d1 0 0 400 700 re f"
	return pdfOf("<< /Type /Catalog /Pages 3 0 R >>", pdfInfo, "<< /Type /Pages /Kids [6 0 R] /Count 1 >>",
		"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 "+
			"0 0] /FirstChar 1 /LastChar 126 /Widths ["+widths.String()+
			" ] /Encoding << /Type /Encoding /Differences [1"+names.String()+"] >> /CharProcs <<"+
			glyphs.String()+" >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(glyph), glyph),
		"<< /Type /Page /Parent 3 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 "+
			"R >> >> /Contents 7 0 R >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", content.Len(), content.String()))
}

func TestPDFLigaturesOfBitmapFonts(t *testing.T) {
	doc := readPDF(t, bitmapPDF("On the E\x1ecient Flow of O\x1ece A\x1bairs: we de\x1cne it, \x1crst by "+
		"\x1dow, in ba\x1fes, then o\x1b"))
	assert.Contains(t, doc.Markdown,
		"On the Efficient Flow of Office Affairs: we define it, first by flow, in baffles, then off\n")
	doc = readPDF(t, bitmapPDF(
		"On the E\x0ecient Flow of A\x0bairs: we de\x0cne it, \x0crst by \x0dow and re\x0dow, in ba\x0fes."))
	assert.Contains(t, doc.Markdown,
		"On the Efficient Flow of Affairs: we define it, first by flow and reflow, in baffles.\n")
	doc = readPDF(t, bitmapPDF("On 3 \x1c 4 and ( \x0c ) nothing is restored"))
	assert.NotContains(t, doc.Markdown, "fi", "apart from letters it is none")
}

func TestPDFInTwoColumns(t *testing.T) {
	var left, right strings.Builder
	for i := range 20 {
		left.WriteString(at(60, 700-14*i, 10, fmt.Sprintf("left line %d of the first column here", i)))
		right.WriteString(at(330, 700-14*i, 10, fmt.Sprintf("right line %d of the second column", i)))
	}
	doc := readPDF(t, pdfPages(left.String()+right.String()))
	assert.Regexp(t, "(?s)left line 0 .*left line 19 .*right line 0 .*right line 19", doc.Markdown)
}

// chinesePDF has a font that it does not bring along, and letters by their number in Unicode.
func chinesePDF() string {
	line := func(y, size int, text string) string {
		return fmt.Sprintf("BT /F1 %d Tf 60 %d Td <%X> Tj ET\n", size, y, encodeUTF16(text))
	}
	content := line(720, 20, "大桥通车") +
		line(690, 11, "　　二〇二五年三月四日，新大桥正式通车，全长4096米，双向六车道。市民们一早就来到桥") +
		line(672, 11, "头，争相目睹这座耗时五年建成的钢结构大桥，许多人还带来了孩子。") +
		line(654, 11, "　　市长说，大桥将两岸的距离缩短了十公里。")
	return pdfOf("<< /Type /Catalog /Pages 3 0 R >>", "<< /Title <FEFF"+
		fmt.Sprintf("%X", encodeUTF16("大桥通车"))+"> >>",
		"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 3 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 6 0 "+
			"R >> >> /Contents 5 0 R >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content),
		"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts "+
			"[7 0 R] >>",
		"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 /CIDSystemInfo "+
			"<< /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> >>")
}

func encodeUTF16(s string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u>>8), byte(u))
	}
	return out
}

func TestPDFChinese(t *testing.T) {
	doc := readPDF(t, chinesePDF())
	assert.Equal(t, "大桥通车", doc.Title)
	assert.Equal(t, "<!-- page 1 -->\n\n# 大桥通车\n\n"+
		"二〇二五年三月四日，新大桥正式通车，全长4096米，双向六车道。市民们一早就来到桥头，"+
		"争相目睹这座耗时五年建成的钢结构大桥，许多人还带来了孩子。\n\n"+
		"市长说，大桥将两岸的距离缩短了十公里。\n", doc.Markdown)
}

func TestPDFErrors(t *testing.T) {
	encrypted := strings.Replace(pdfPages(at(72, 700, 11, "secret")), "/Info 2 0 R",
		"/Info 2 0 R /ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -64"+
			" /O <"+strings.Repeat("00", 32)+"> /U <"+strings.Repeat("11", 32)+"> >>", 1)
	for _, test := range []struct {
		name, body, says string
		kind             page.Kind
	}{
		{"scanned", pdfPages("0 0 100 100 re f"), "scanned images without text", page.Empty},
		{"encrypted", encrypted, "an encrypted PDF, which needs a password", page.Unsupported},
		{"header only", "%PDF-1.7\n", "could not read PDF: it is no PDF or a damaged one", page.Broken},
		{"no pages", pdfOf("<< /Type /Catalog /Pages 3 0 R >>", pdfInfo,
			"<< /Type /Pages /Kids [] /Count 0 >>"), "it has no pages", page.Broken},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := page.Read(t.Context(),
				page.Raw{URL: "https://e.org/a.pdf?key=secret", Body: []byte(test.body)})
			assert.Equal(t, test.kind, asError(t, err).Kind)
			assert.Contains(t, err.Error(), test.says)
			assert.NotContains(t, err.Error(), "secret")
		})
	}
	t.Run("stopped", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := page.Read(ctx, page.Raw{Body: []byte(pdfPages(at(72, 700, 11, "x")))})
		require.ErrorIs(t, err, context.Canceled)
		assert.NotNil(t, asError(t, err))
	})
	t.Run("more than 32 MB", func(t *testing.T) {
		_, err := page.Read(t.Context(), page.Raw{Body: []byte("%PDF-1.7" + strings.Repeat(" ", 33<<20))})
		assert.Equal(t, page.TooLarge, asError(t, err).Kind)
	})
}

// One reader serves many at a time, and a document that kills its machine harms no other.
func TestPDFSideBySide(t *testing.T) {
	before := runtime.NumGoroutine()
	var reader page.Reader
	good, endless := pdfPages(at(72, 700, 11, "A good page.")), pdfStream(2, 16<<20)
	_, err := reader.Read(t.Context(), page.Raw{Body: []byte(good)}) // starts the machine
	require.NoError(t, err)
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := reader.Read(ctx, page.Raw{Body: []byte(endless)})
			assert.ErrorIs(t, err, context.DeadlineExceeded)
		})
	}
	for range 6 {
		readers.Go(func() {
			doc, err := reader.Read(t.Context(), page.Raw{Body: []byte(good)})
			assert.NoError(t, err)
			assert.Equal(t, "<!-- page 1 -->\n\nA good page.\n", doc.Markdown)
		})
	}
	readers.Wait()
	require.NoError(t, reader.Close())
	_, err = reader.Read(t.Context(), page.Raw{Body: []byte(good)})
	assert.Contains(t, asError(t, err).Error(), "closed")
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+1 }, time.Minute,
		10*time.Millisecond, "all that was started has ended")
}

// pdfStream is a page whose drawing commands are packed n times over and unpack to size bytes.
func pdfStream(n, size int) string {
	commands := bytes.Repeat([]byte("(x) Tj "), 1<<12)
	times, sum := size/len(commands)+1, adler32.New()
	for range times {
		must(sum.Write(commands))
	}
	body := sum.Sum(append([]byte("\x78\x9c"), deflated("", commands, times)...))
	for range n - 1 {
		var packed bytes.Buffer
		w := zlib.NewWriter(&packed)
		must(w.Write(body))
		must(0, w.Close())
		body = packed.Bytes()
	}
	return pdfOf("<< /Type /Catalog /Pages 3 0 R >>", pdfInfo, "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 3 0 R /MediaBox [0 0 612 792] /Contents 5 0 R >>",
		fmt.Sprintf("<< /Length %d /Filter [%s] >>\nstream\n%s\nendstream", len(body),
			strings.Repeat("/FlateDecode ", n), body))
}

func FuzzPDF(f *testing.F) {
	f.Add([]byte(pdfPages(at(72, 720, 24, "Heading") + at(72, 700, 11, "Text."))))
	f.Add([]byte(pdfStream(2, 1000)))
	f.Add([]byte("%PDF-1.7\n"))
	f.Add([]byte(chinesePDF()))
	var reader page.Reader
	f.Cleanup(func() { assert.NoError(f, reader.Close()) })
	// Compiling takes longer here than one run of a fuzz function may.
	_, err := reader.Read(f.Context(), page.Raw{Body: []byte(chinesePDF())})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, body []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		doc, err := reader.Read(ctx, page.Raw{Body: append([]byte("%PDF-"), body...)})
		if err != nil {
			asError(t, err)
			return
		}
		checkForm(t, doc.Markdown)
	})
}

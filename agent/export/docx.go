package export

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// maxConvert bounds the time of pandoc; it took 14 s for a report of 200,000 words.
const maxConvert = 2 * time.Minute

// docx makes a Word document of our page, which has nothing to fetch, with the pandoc on the path.
func docx(ctx context.Context, r report) ([]byte, error) {
	pandoc, err := exec.LookPath("pandoc")
	if err != nil {
		return nil, told{"making a Word document needs pandoc 2.15 or newer, and none was found",
			exec.ErrNotFound}
	}
	page, err := render(ctx, r, word, "")
	if err != nil {
		return nil, err
	}
	// pandoc knows notes only in the HTML of books.
	convert := []string{"--from=html+epub_html_exts", "--to=docx", "--output=-", "+RTS", "-M1g", "-RTS"}
	made, err := run(ctx, maxConvert, page, pandoc, append([]string{"--sandbox"}, convert...)...)
	if err != nil && strings.Contains(err.Error(), "data file") {
		// The pandoc of Debian and its kin cannot read its own files in its sandbox.
		made, err = run(ctx, maxConvert, page, pandoc, convert...)
	}
	if err != nil {
		return nil, fmt.Errorf("converting with %s: %w", pandoc, err)
	}
	if !strings.HasPrefix(string(made), "PK") {
		return nil, fmt.Errorf("converting with %s: it made no Word document", pandoc)
	}
	if made, err = finished(made, r.language(), r.Written); err != nil {
		return nil, fmt.Errorf("finishing the Word document: %w", err)
	}
	return made, nil
}

// wordFonts holds Word's fonts for Chinese characters; otherwise it takes the machine's first.
var wordFonts = map[lang]string{
	"zh-CN": "Microsoft YaHei", "zh-TW": "Microsoft JhengHei", "ja": "Yu Gothic", "ko": "Malgun Gothic",
}

var (
	wordLanguage = regexp.MustCompile(`<w:lang [^>]*/>`)
	wordAsian    = regexp.MustCompile(`w:eastAsiaTheme="[^"]*"`)
	wordFootnote = regexp.MustCompile(`(?s)(w:styleId="FootnoteText".*?)(</w:style>)`)
	wordInTable  = regexp.MustCompile(`(?s)(w:styleId="Table".*?)(<w:tblPr>)`)
	wordTime     = regexp.MustCompile(`(<dcterms:(?:created|modified)[^>]*>)[^<]*`)
)

// ruled gives pandoc's tables lines, and its code a shade.
var ruled = strings.NewReplacer(
	"<w:tblCellMar>", strings.ReplaceAll(
		"<w:tblBorders><w:top $/><w:bottom $/><w:insideH $/></w:tblBorders><w:tblCellMar>",
		"$", `w:val="single" w:sz="4" w:color="BFC4C9"`),
	`<w:wordWrap w:val="off" />`,
	`<w:shd w:val="clear" w:color="auto" w:fill="F3F4F5"/><w:wordWrap w:val="off" />`)

var (
	wordTable = regexp.MustCompile(`(?s)<w:tbl>.*?</w:tbl>`)
	wordRow   = regexp.MustCompile(`(?s)<w:tr>.*?</w:tr>`)
	wordCell  = regexp.MustCompile(`(?s)<w:tc>.*?</w:tc>`)
	wordMark  = regexp.MustCompile(`<[^>]*>`)
	wordGrid  = regexp.MustCompile(`<w:gridCol w:w="\d+" ?/>`)
)

// fitted returns a table of pandoc's with columns as wide as their content.
func fitted(table []byte) []byte {
	const page, beside, most = 9000, 3, 30 // twentieths of a point, and columns of text
	wide := make([]int, len(wordGrid.FindAll(table, -1)))
	for _, row := range wordRow.FindAll(table, -1) {
		for i, cell := range wordCell.FindAll(row, -1) {
			if i < len(wide) {
				text := wordMark.ReplaceAllString(string(cell), "")
				wide[i] = max(wide[i], beside+min(most, ansi.StringWidth(text))/2)
				for word := range strings.FieldsSeq(text) {
					wide[i] = max(wide[i], beside+min(most, ansi.StringWidth(word)))
				}
			}
		}
	}
	sum, i := 0, -1
	for _, w := range wide {
		sum += w
	}
	return wordGrid.ReplaceAllFunc(table, func([]byte) []byte {
		i++
		return fmt.Appendf(nil, `<w:gridCol w:w="%d" />`, page*wide[i]/max(sum, 1))
	})
}

// finished returns pandoc's document with the report's language and date instead of pandoc's own, so that the
// same report gives the same document.
func finished(made []byte, lang lang, written time.Time) ([]byte, error) {
	in, err := zip.NewReader(bytes.NewReader(made), int64(len(made)))
	if err != nil {
		return nil, err
	}
	if wordFonts[lang] == "" {
		lang = "zh-CN" // for the few characters of a report in another language
	}
	var parts []packed
	for _, file := range in.File {
		text, err := fs.ReadFile(in, file.Name)
		if err != nil {
			return nil, err
		}
		switch file.Name {
		case "word/styles.xml":
			tag := fmt.Appendf(nil, `<w:lang w:val="en-US" w:eastAsia="%s" w:bidi="ar-SA"/>`, lang)
			text = wordLanguage.ReplaceAll(text, tag)
			text = wordFootnote.ReplaceAll([]byte(ruled.Replace(string(text))),
				[]byte(`$1<w:rPr><w:sz w:val="18"/></w:rPr>$2`))
			text = wordInTable.ReplaceAll(text, []byte(`$1<w:rPr><w:sz w:val="19"/></w:rPr>$2`))
			text = wordAsian.ReplaceAll(text, fmt.Appendf(nil, `w:eastAsia="%s"`, wordFonts[lang]))
		case "word/document.xml":
			text = wordTable.ReplaceAllFunc(text, fitted)
		case "docProps/core.xml":
			text = wordTime.ReplaceAll(text, written.UTC().AppendFormat([]byte("${1}"), time.RFC3339))
		}
		parts = append(parts, packed{file.Name, text})
	}
	return pack(parts, written)
}

package office

import (
	"errors"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
)

// xlsx is an Excel workbook being read.
type xlsx struct {
	sheets
	strings []string  // that cells refer to by index
	kinds   []kind    // of the numbers in cells, by style
	zero    time.Time // day zero of the day count
}

// kind is the meaning of the number in a cell; dates and times are stored as a count of days.
type kind int

const (
	quantity kind = iota
	date
	elapsed
)

// readXLSX leaves out hidden sheets, comments, charts and pictures; of a formula it takes the value.
func readXLSX(a *archive) (doc markup.Document, err error) {
	const book, relations = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
	trees := map[string]*html.Node{}
	for _, name := range [...]string{"docProps/core.xml", book, relations, "xl/styles.xml"} {
		if trees[name], _, err = a.tree(name); err != nil {
			return doc, err
		}
	}
	doc = describe(trees["docProps/core.xml"])
	parts := map[string]string{} // file names by the id of a relation, and by its type
	for r := range elements(trees[relations], "Relationship") {
		file := beside(book, tree.Attr(r, "Target"))
		parts[tree.Attr(r, "Id")], parts[path.Base(tree.Attr(r, "Type"))] = file, file
	}
	b := xlsx{kinds: kindsOf(trees["xl/styles.xml"]), zero: time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)}
	if is := tree.Attr(first(trees[book], "workbookPr"), "date1904"); is == "1" || is == "true" {
		b.zero = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	err = b.parts(a, parts["sharedStrings"], "si", func(si *html.Node) bool {
		b.strings = append(b.strings, runs(si))
		return len(b.strings) < 5*maxCells
	})
	if err != nil && !errors.Is(err, errNoPart) {
		return doc, err
	}
	missing := false
	for s := range elements(trees[book], "sheet") {
		if state := tree.Attr(s, "state"); state == "hidden" || state == "veryHidden" {
			continue
		}
		b.all = append(b.all, sheet{name: tree.Attr(s, "name")})
		if failed := b.parts(a, parts[tree.Attr(s, "id")], "row", b.row); failed != nil {
			err, missing = failed, true
		}
	}
	doc.Markdown, doc.Partial = b.write()
	switch {
	case missing && doc.Markdown == "", errors.Is(err, errEncrypted):
		return doc, err
	case missing:
		doc.Partial = "some of its sheets are missing or too large to read"
	}
	return doc, nil
}

var (
	elapsedCode = regexp.MustCompile(`(?i)\[(?:h+|m+|s+)\]`)
	// notCode matches parts of a format code that do not format a number: words, colours, single signs.
	notCode = regexp.MustCompile(`"[^"]*"?|\[[^\]]*\]?|[\\_*].`)
)

// kindsOf reads the number formats. Built-in ones, below 164, have no code in the file.
func kindsOf(styles *html.Node) (kinds []kind) {
	formats := map[string]kind{"46": elapsed}
	for id := range 59 {
		if id >= 14 && id <= 22 || id >= 27 && id <= 36 || id == 45 || id == 47 || id >= 50 {
			formats[strconv.Itoa(id)] = date
		}
	}
	for n := range styles.Descendants() {
		id, code := tree.Attr(n, "numFmtId"), tree.Attr(n, "formatCode")
		switch {
		case n.Data == "xf" && n.Parent.Data == "cellXfs":
			kinds = append(kinds, formats[id])
		case n.Data != "numFmt" || n.Parent.Data != "numFmts":
		case elapsedCode.MatchString(code):
			formats[id] = elapsed
		case strings.ContainsAny(notCode.ReplaceAllString(code, ""), "ymdhsYMDHS"):
			formats[id] = date
		default:
			formats[id] = quantity
		}
	}
	return kinds
}

// row reads a row; a cell's reference gives its column, which otherwise follows the previous one.
func (b *xlsx) row(n *html.Node) bool {
	var row []string
	column := 0
	for c := range n.ChildNodes() {
		if c.Data != "c" {
			continue
		}
		at := 0
		letters := strings.TrimRight(tree.Attr(c, "r"), "0123456789")
		for _, letter := range strings.ToUpper(letters[:min(len(letters), 3)]) {
			at = at*26 + max(0, int(letter-'A')) + 1
		}
		if at > 0 {
			column = at - 1
		}
		row = b.put(row, column, b.cell(c))
		column++
	}
	return b.add(row)
}

func (b *xlsx) cell(c *html.Node) string {
	stored := strings.TrimSpace(tree.Text(child(c, "v"), markup.MaxText))
	switch tree.Attr(c, "t") {
	case "s":
		if i, err := strconv.Atoi(stored); err == nil && i >= 0 && i < len(b.strings) {
			return b.strings[i]
		}
		return ""
	case "inlineStr":
		return runs(c)
	case "b":
		return map[string]string{"0": "FALSE", "1": "TRUE"}[stored]
	case "str", "e":
		return clean(unescapedSigns.Replace(stored))
	case "d":
		return isoMoment(stored)
	}
	const last = 2_958_465 // 31 December 9999
	style, _ := strconv.Atoi(tree.Attr(c, "s"))
	days, err := strconv.ParseFloat(stored, 64)
	inDays := style >= 0 && style < len(b.kinds) && b.kinds[style] != quantity
	if err != nil || !inDays || !(days >= 0 && days <= last) {
		return number(stored)
	}
	seconds := int64(math.Round(days * 24 * 60 * 60))
	if b.kinds[style] == elapsed || days < 1 {
		return clock(seconds)
	}
	if days < 60 && b.zero.Year() < 1900 { // Excel has a 29 February 1900
		seconds += 24 * 60 * 60
	}
	return moment(time.Unix(b.zero.Unix()+seconds, 0).UTC())
}

// unescapedSigns decodes Excel's escapes for characters that XML cannot contain.
var unescapedSigns = strings.NewReplacer("_x000D_", " ", "_x000A_", " ", "_x0009_", " ", "_x005F_", "_")

// runs joins the formatted runs of a text, leaving out phonetic hints.
func runs(n *html.Node) string {
	var b strings.Builder
	for t := range elements(n, "t") {
		if t.Parent.Data != "rPh" {
			b.WriteString(tree.Text(t, markup.MaxText))
		}
	}
	return clean(unescapedSigns.Replace(b.String()))
}

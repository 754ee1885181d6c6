//go:build unix

package export_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/citation"
	reader "github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func printable() export.Report {
	return export.Report{Question: "为什么？", Text: "# 持久性的报告\n\n这是我们的报告[s1]。\n\n" +
		longReport(2000), Written: day(2026, 11, 3), Sources: sources()}
}

func TestPDF(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	sizes := map[string]string{export.A4: `/MediaBox \[0 0 59[45][0-9.]* 84[12]`,
		export.Letter: `/MediaBox \[0 0 612 792\]`}
	for paper, box := range sizes {
		pdf, err := export.PDF(t.Context(), printable(), paper, browser(t))
		require.NoError(t, err)
		for name, holds := range map[string]bool{
			"a PDF":               bytes.HasPrefix(pdf, []byte("%PDF-")),
			"its paper":           regexp.MustCompile(box).Match(pdf),
			"pages":               bytes.Count(pdf, []byte("/Type /Page\n")) > 5,
			"an outline":          bytes.Contains(pdf, []byte("/Outlines")),
			"links that lead out": bytes.Contains(pdf, []byte("(https://example.org/")),
			"the report's date":   bytes.Count(pdf, []byte("Date (D:20261103120000")) == 2,
			"no file's name":      !bytes.Contains(pdf, []byte("file://")),
		} {
			assert.True(t, holds, "%s: %s", paper, name)
		}
	}
	left, err := filepath.Glob(filepath.Join(temp, "daybook-*"))
	require.NoError(t, err)
	assert.Empty(t, left, "nothing is left of it")
}

// printedPages is the text of each page that a report is printed on.
func printedPages(t *testing.T, r export.Report) []string {
	t.Helper()
	pdf, err := export.PDF(t.Context(), r, export.A4, browser(t))
	require.NoError(t, err)
	read, err := reader.Read(t.Context(), reader.Raw{URL: "report.pdf", Body: pdf})
	require.NoError(t, err)
	return strings.Split(read.Markdown, "<!-- page ")[1:]
}

// A table of many columns is printed on a page turned sideways, and no word or figure in it is divided.
func TestAWideTableIsPrintedSideways(t *testing.T) {
	for _, columns := range []int{12, 17, 20} {
		row := func(cell string) string { return strings.Repeat("| "+cell+" ", columns) + "|\n" }
		r := export.Report{Text: "# Films\n\nThese are the films.\n\n" + row("Production") + row("---") +
			strings.Repeat(row("175000000"), 5), Written: day(2026, 11, 3)}
		pdf, err := export.PDF(t.Context(), r, export.A4, browser(t))
		require.NoError(t, err)
		assert.Regexp(t, `/MediaBox \[0 0 84[12][0-9.]* 59[45]`, string(pdf), columns)
		pages := strings.Join(printedPages(t, r), "")
		for word, times := range map[string]int{"Production": columns, "175000000": 5 * columns} {
			assert.Equal(t, times, strings.Count(pages, word), "%s in %d columns", word, columns)
		}
	}
}

// A table that Chromium prints is read back as one, also where its cells take several lines.
func TestAPrintedTableIsReadAsOne(t *testing.T) {
	table := "| Section | Sum insured | Premium |\n| --- | --- | --- |\n" +
		"| A Contents | £85,000 | £412.60 |\n" +
		"| D Business interruption, wherever the business of the insured is carried on, and for as long " +
		"as it is interrupted by what is named in this schedule | £400,000 | £288.00 |\n" +
		"| E Employers | £10,000,000 | £341.20 |\n"
	prose := strings.Repeat("Internationally acknowledged methodologies were used throughout. ", 5)
	text := "# Schedule\n\n" + prose + "\n\n## Sections\n\n" + table + "\n## Endorsements\n\n" + prose + "\n"
	page := strings.Join(printedPages(t, export.Report{Text: text, Written: day(2026, 11, 3)}), "")
	assert.Contains(t, page, table)
	assert.Contains(t, page, "\n## Sections\n")
	assert.Contains(t, page, "\n## Endorsements\n")
	assert.Equal(t, 2, strings.Count(page, strings.TrimSpace(prose)))
	assert.NotContains(t, page, "# A Contents")
}

func TestCodeGoesOnOnTheNextPage(t *testing.T) {
	var text strings.Builder
	text.WriteString("# Grammar\n\nThis is the grammar.\n\n")
	for i := range 6 {
		fmt.Fprintf(&text, "Lead %d:\n\n```\nbegin %[1]d\n%sshort\n```\n\n", i,
			strings.Repeat("option <name>;\n", 30))
	}
	text.WriteString("Lead 6:\n\n```\nbegin 6\n" + strings.Repeat("short;\n", 9) + "end 6\n```\n")
	pages := printedPages(t, export.Report{Text: text.String(), Written: day(2026, 11, 3)})
	assert.LessOrEqual(t, len(pages), 5, "no page is left half empty")
	for i, p := range pages {
		for n := range 7 {
			lead := strings.Contains(p, fmt.Sprintf("Lead %d:", n))
			begins := strings.Contains(p, fmt.Sprintf("begin %d", n))
			assert.Equal(t, lead, begins, "on page %d: what leads to code is on its page", i+1)
		}
		assert.Equal(t, strings.Contains(p, "begin 6"), strings.Contains(p, "end 6"),
			"on page %d: short code is on one", i+1)
	}
}

// Fewer than eight lines of contents are left out of print, and more go on to the next page.
func TestContentsInPrint(t *testing.T) {
	printed := func(chapters int, before string) []string {
		var text strings.Builder
		text.WriteString("# T\n\n## Summary\n\n" + before + "\n\n")
		for i := range chapters {
			fmt.Fprintf(&text, "## Chapter %d\n\nIt is short.\n\n", i)
		}
		return printedPages(t, export.Report{Text: text.String(), Written: day(2026, 11, 3)})
	}
	assert.NotContains(t, strings.Join(printed(6, "Yes."), ""), "Contents")
	assert.Contains(t, strings.Join(printed(7, "Yes."), ""), "Contents")
	pages := printed(30, strings.Repeat("The answer.\n\n", 15))
	assert.Contains(t, pages[0], "Contents", "the page with the answer is not left half empty")
	assert.NotRegexp(t, `(?s)Contents.*Chapter 29.*`, pages[0])
}

// A report without a model is nothing but quotes.
func TestPDFPrintsAQuoteOnce(t *testing.T) {
	const quoted = "Backups of `db-01` are kept for 24 months."
	const told = "Restores are rehearsed in May and in November."
	r := export.Report{Sources: sources(), Links: map[workspace.Ref]citation.Link{
		{ID: "s1", Block: 1}: {Passage: strings.ReplaceAll(quoted, "`", ""),
			Place: "Retention › Name | Kept"},
		{ID: "s2", Block: 1}: {Passage: told}},
		Text: "# Backups\n\n> “" + quoted + "” [s1.1]\n\nRestores are rehearsed [s2.1].\n"}
	all := strings.Join(printedPages(t, r), "")
	assert.Equal(t, 1, strings.Count(all, "are kept for 24 months"))
	assert.Contains(t, all, `s1.1, One "first" page, Retention`)
	assert.NotContains(t, all, "Name | Kept", "the head of a table tells nothing without the row")
	assert.Contains(t, all, told)
}

// A card tells the passage, and not once more what it would cover: the quotation, row or code that it is of.
func TestACardRepeatsNothing(t *testing.T) {
	const told = "Backups are kept for 24 months."
	for text, cards := range map[string]int{
		"> “" + told + "” [s1.1]\n":                                    0,
		"> - “" + told + "” [s1.1]\n":                                  0,
		"Code, from [s1.1]:\n\n```\n" + told + "\n```\n":               0,
		"| What | Where |\n| --- | --- |\n| " + told + " | [s1.1] |\n": 0,
		"They are kept for two years [s1.1].\n":                        1,
		"They are kept [s1.1].\n\n> “" + told + "” [s1.1]\n":           1,
		"> “Backups are kept” [s1.1]\n":                                1,
	} {
		onScreen, err := export.HTML(t.Context(), export.Report{Sources: sources(), Text: "# R\n\n" + text,
			Links: map[workspace.Ref]citation.Link{{ID: "s1", Block: 1}: {Passage: told}}})
		require.NoError(t, err)
		found := regexp.MustCompile(`popover="auto">(Backups)?`).FindAllStringSubmatch(string(onScreen), -1)
		require.NotEmpty(t, found, text)
		tell := 0
		for _, card := range found {
			tell += len(card[1]) / len("Backups")
		}
		assert.Equal(t, cards, tell, text)
	}
}

func TestPDFWithoutABrowser(t *testing.T) {
	_, err := export.FindBrowser("/nowhere/chromium")
	require.ErrorIs(t, err, export.ErrNoBrowser)
	t.Setenv("PATH", t.TempDir())
	path, err := export.FindBrowser("")
	if err == nil { // where they are installed outside of the path
		require.True(t, filepath.IsAbs(path))
	} else {
		require.ErrorIs(t, err, export.ErrNoBrowser)
	}
}

// script is a program that stands in for a browser.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "browser")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755))
	return path
}

func TestABrowserThatFails(t *testing.T) {
	_, err := export.PDF(t.Context(), printable(), export.A4, script(t, "echo no display >&2; exit 3"))
	require.ErrorContains(t, err, "exit status 3; it says: no display")
	_, err = export.PDF(t.Context(), printable(), export.A4, script(t, "echo all is well >&2"))
	require.ErrorContains(t, err, "it made no PDF; it says: all is well")
}

// A browser that hangs is ended with all its children, and it never saw a key.
func TestABrowserThatHangs(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	dir := t.TempDir()
	pids := filepath.Join(dir, "pids")
	require.NoError(t, syscall.Mkfifo(pids, 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := export.PDF(ctx, printable(), export.A4,
			script(t, fmt.Sprintf("env >%s/env; sleep 300 & echo $$ $! >%s; wait", dir, pids)))
		ended <- err
	}()
	said, err := os.ReadFile(pids) // waits until the child is there
	require.NoError(t, err)
	cancel()
	select {
	case err := <-ended:
		require.ErrorIs(t, err, context.Canceled)
	case <-time.After(2 * time.Minute):
		t.Fatal("it is still waited for")
	}
	for pid := range strings.FieldsSeq(string(said)) {
		n, err := strconv.Atoi(pid)
		require.NoError(t, err)
		assert.Eventually(t, func() bool { return isGone(n) }, time.Minute, 10*time.Millisecond,
			"process %s", pid)
	}
	environment := read(t, filepath.Join(dir, "env"))
	assert.Contains(t, environment, "PATH=")
	assert.NotContains(t, environment, "sk-secret")
}

// isGone says whether a process has ended, also when nobody has taken note of it yet.
func isGone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && regexp.MustCompile(`\) Z `).Match(stat)
}

func TestDocx(t *testing.T) {
	pandoc(t)
	r := hostileReport()
	r.Text += "\n# 结论\n\n**重要：**文字[s1]。\n\n| a | b |\n|---|---|\n| c | d |\n"
	data, err := export.Docx(t.Context(), r)
	require.NoError(t, err)
	text := unzip(t, data)
	for name := range text {
		assert.NotContains(t, name, "media/", "no image is in it")
	}
	assert.Contains(t, text["word/document.xml"], "结论")
	assert.Contains(t, text["word/document.xml"], "<w:tbl>")
	assert.Contains(t, text["word/document.xml"], `w:anchor="ref:s1"`, "citations lead to the references")
	assert.Contains(t, text["word/document.xml"], "new(Image)", "what was hostile is there as text")
	links := regexp.MustCompile(`Target="([^"]*)"[^>]*TargetMode="External"`).FindAllStringSubmatch(
		text["word/_rels/document.xml.rels"], -1)
	require.NotEmpty(t, links)
	for _, link := range links {
		assert.Regexp(t, "^https?://", link[1])
	}
	assert.Contains(t, text["word/document.xml"], "████████", "scores are a chart of blocks")
}

// In Word a table with more columns than a page has room for comes part by part, its columns as rows.
func TestAWideTableInWord(t *testing.T) {
	pandoc(t)
	row := func(cell string) string { return strings.Repeat("| "+cell+" ", 12) + "|\n" }
	data, err := export.Docx(t.Context(), export.Report{Text: "# Films\n\n" + row("Production") + row("---") +
		strings.Repeat(row("175000000"), 10), Written: day(2026, 11, 3)})
	require.NoError(t, err)
	document := unzip(t, data)["word/document.xml"]
	assert.Equal(t, 3, strings.Count(document, "<w:tbl>"), "ten rows, four at a time")
	assert.Equal(t, 36, strings.Count(document, "Production"))
	assert.Equal(t, 120, strings.Count(document, "175000000"))
}

// A text whose HTML is not well formed becomes a Word document like another.
func TestDocxOfOpenTags(t *testing.T) {
	pandoc(t)
	r := hostileReport()
	r.Text = "# Keys\n\nPress <kbd>Ctrl and go on [s1].\n\n| a |\n|---|\n| <sub>b |\n\n## Next <sup>x\n\n" +
		"c</kbd> d.\n"
	data, err := export.Docx(t.Context(), r)
	require.NoError(t, err)
	assert.Contains(t, unzip(t, data)["word/document.xml"], "Ctrl and go on")
}

// A Word document has the cited passages as footnotes, the fonts and the language of the report, and no time
// but the report's: made twice it is the same.
func TestDocxForChinese(t *testing.T) {
	pandoc(t)
	r := export.Report{Text: "# 持久性\n\n提交是持久的 [s1.2] [s2.1]，如此 [s1]。\n",
		Written: day(2026, 11, 3), Sources: sources(), Links: map[workspace.Ref]citation.Link{
			{ID: "s1", Block: 2}: {Passage: "日志先写。", Address: "https://example.org/one#:~:text=x"},
			{ID: "s2", Block: 1}: {Passage: "又一段。"},
		}}
	data, err := export.Docx(t.Context(), r)
	require.NoError(t, err)
	text := unzip(t, data)
	assert.Contains(t, text["word/footnotes.xml"], "日志先写。")
	assert.Contains(t, text["word/footnotes.xml"], "又一段。")
	assert.Contains(t, text["word/_rels/footnotes.xml.rels"], "https://example.org/one#:~:text=x")
	assert.Equal(t, 2, strings.Count(text["word/document.xml"], "<w:footnoteReference "))
	assert.Contains(t, text["word/styles.xml"], `w:eastAsia="zh-CN"`)
	assert.NotContains(t, text["word/styles.xml"], `w:eastAsia="en-US"`)
	assert.Contains(t, text["word/styles.xml"],
		`<w:rFonts w:asciiTheme="minorHAnsi" w:cstheme="minorBidi" w:eastAsia="Microsoft YaHei"`)
	assert.Regexp(t,
		`"FootnoteText"[^/]*/>(?:\s*<w:[a-zA-Z]+(?: w:val="[^"]*")? />)*\s*<w:rPr><w:sz `+
			`w:val="18"/></w:rPr></w:style>`, text["word/styles.xml"], "footnotes are small")
	assert.Contains(t, text["word/styles.xml"], "<w:tblBorders>")
	for name, part := range text {
		assert.NoError(t, wellFormed(part), name)
	}
	assert.Contains(t, text["word/document.xml"], "2026年11月3日")
	assert.Equal(t, 2, strings.Count(text["docProps/core.xml"], ">2026-11-03T12:00:00Z<"))
	assert.NotContains(t, text["word/document.xml"], "↩")
}

// A passage that is cited again, as by the second part of a quotation, has no second footnote in Word: the
// number of the first one leads there.
func TestWordRepeatsNoFootnote(t *testing.T) {
	pandoc(t)
	r := export.Report{
		Text:    "# Made [s2.1]\n\n> “One half.” [s1.2]\n>\n> “The other.” [s1.2]\n\nSo [s2.1] [s1.2].\n",
		Written: day(2026, 11, 3), Sources: sources(), Links: map[workspace.Ref]citation.Link{
			{ID: "s1", Block: 2}: {Passage: "One half. The other."}, {ID: "s2", Block: 1}: {Passage: "So."},
		}}
	data, err := export.Docx(t.Context(), r)
	require.NoError(t, err)
	text := unzip(t, data)
	assert.Equal(t, 1, strings.Count(text["word/footnotes.xml"], "One half. The other."))
	assert.Equal(t, 2, strings.Count(text["word/document.xml"], "<w:footnoteReference "))
	again := regexp.MustCompile(`<w:bookmarkStart [^>]*w:name="(noted:\d)" />|` +
		`<w:hyperlink w:anchor="(noted:\d)">.*?(\d)</w:t>`)
	var marks []string
	for _, mark := range again.FindAllStringSubmatch(text["word/document.xml"], -1) {
		marks = append(marks, mark[1]+mark[2]+" "+mark[3])
	}
	assert.Equal(t, []string{"noted:2 ", "noted:2 1", "noted:1 ", "noted:2 1"}, marks)
}

func wellFormed(text string) error {
	in := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := in.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// unzip is what a zip file holds, by name. Its files have no date.
func unzip(t *testing.T, data []byte) map[string]string {
	t.Helper()
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	text := map[string]string{}
	for _, f := range files.File {
		assert.Greater(t, f.Modified.Year(), 2000, f.Name)
		in, err := f.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(in)
		require.NoError(t, err)
		text[f.Name] = string(content)
	}
	return text
}

func TestDocxWithoutPandoc(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := export.Docx(t.Context(), printable())
	require.ErrorIs(t, err, export.ErrNoPandoc)
}

// The rows of a table that is wider than a page stand beside each other, if they are few.
func TestAWideTableOfFewRowsIsTurned(t *testing.T) {
	head, rule, rows := "|", "|", []string{"|", "|"}
	for i := range 12 {
		head, rule = head+fmt.Sprintf(" column %d |", i), rule+" ---: |"
		for n := range rows {
			rows[n] += fmt.Sprintf(" cell %d of %d |", i, n)
		}
	}
	text := "# R\n\n" + head + "\n" + rule + "\n" + strings.Join(rows, "\n") + "\n"
	out, err := export.HTML(t.Context(), export.Report{Text: text})
	require.NoError(t, err)
	page := regexp.MustCompile(`\s*\n\s*`).ReplaceAllString(string(out), "")
	assert.Contains(t, page, "<tr><th>column 0</th><th>cell 0 of 0</th><th>cell 0 of 1</th></tr></thead>")
	assert.Contains(t, page, "<tr><td>column 11</td><td>cell 11 of 0</td><td>cell 11 of 1</td></tr>")

	many := text + strings.Repeat(rows[0]+"\n", 3)
	out, err = export.HTML(t.Context(), export.Report{Text: many})
	require.NoError(t, err)
	assert.Contains(t, string(out), `<th align="right">column 11</th>`, "more rows than fit stay rows")
}

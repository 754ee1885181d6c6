package page_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const letter = "From: =?utf-8?Q?Ada_M=C3=BCller?= <ada@example.org>\r\n" +
	"Date: Mon, 02 Mar 2026 23:30:00 +0100\r\n" +
	"Subject: =?gb2312?B?us/NrLW9xto=?=\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: multipart/mixed; boundary=outer\r\n\r\nPreamble\r\n" +
	"--outer\r\nContent-Type: multipart/alternative; boundary=inner\r\n\r\n" +
	"--inner\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n" +
	"\r\nThe lease ends in M=C3=A4rz, and the rent is =\r\n900 euros.\r\n" +
	"--inner\r\nContent-Type: text/html\r\n\r\n<p>The lease ends, in HTML.</p>\r\n--inner--\r\n" +
	"--outer\r\nContent-Type: application/pdf; name=\"lease.pdf\"\r\nContent-Disposition: attachment\r\n" +
	"Content-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--outer--\r\n"

func mailOf(t *testing.T, name, body string) page.Page {
	t.Helper()
	got, err := page.Read(t.Context(), page.Raw{URL: "/mails/" + name, Body: []byte(body)})
	require.NoError(t, err)
	return got
}

func TestAMailIsReadInItsPlainForm(t *testing.T) {
	got := mailOf(t, "lease.eml", letter)
	assert.Equal(t, "mail", got.Type)
	assert.Equal(t, "合同到期", got.Title)
	assert.Equal(t, "Ada Müller <ada@example.org>", got.Author)
	assert.Equal(t, "2026-03-02", got.Published)
	assert.Equal(t, "# 合同到期\n\nAda Müller <ada@example.org>, 2026-03-02\n"+
		"\nThe lease ends in März, and the rent is 900 euros.\n\n(attached: lease.pdf)\n", got.Markdown)

	formatted := strings.Replace(letter,
		"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable",
		"Content-Type: image/png", 1)
	assert.Contains(t, mailOf(t, "lease.eml", formatted).Markdown, "(attached: image/png)")
	alone := "Subject: Hello\nContent-Type: text/html; charset=iso-8859-1\n" +
		"Content-Transfer-Encoding: base64\n\nPHA+R3L832UgYXVzIEv2bG4uPC9wPg==\n"
	assert.Contains(t, mailOf(t, "a.eml", alone).Markdown, "Grüße aus Köln.")
}

// To whom a mail went is read with who wrote it.
func TestAMailNamesToWhomItWent(t *testing.T) {
	got := mailOf(t, "a.eml", "From: Ada <ada@example.org>\nTo: Bob <bob@leimwerk.example>,\n "+
		"Eve <eve@example.org>\nCc: =?utf-8?B?5ZC05YCp?= <wq@example.org>\n"+
		"Date: Sat, 30 May 2026 21:46:35 +0000\nSubject: Rent\n\nIt is 900.\n")
	assert.Contains(t, got.Markdown, "Ada <ada@example.org>, 2026-05-30 → "+
		"Bob <bob@leimwerk.example>, Eve <eve@example.org>, 吴倩 <wq@example.org>\n\nIt is 900.\n")
	assert.Equal(t, "Ada <ada@example.org>", got.Author)
}

// What is attached as text is read with the mail, a table as a table.
func TestAttachedTextIsRead(t *testing.T) {
	const attached = "\r\nContent-Disposition: attachment; filename="
	const table = "Content-Type: text/csv" + attached + "\"alarms.csv\"\r\n\r\n" +
		"gauge;level 2 (cm)\r\nTannengrund;130\r\n--outer\r\n"
	const patch = "Content-Type: text/plain" + attached + "\"a.diff\"\r\n\r\n" +
		"# no heading\r\n--outer\r\n"
	got := mailOf(t, "lease.eml", strings.Replace(letter, "--outer\r\nContent-Type: application/pdf",
		"--outer\r\n"+table+patch+"Content-Type: application/pdf", 1)).Markdown
	assert.Contains(t, got, "900 euros.\n\n(attached: alarms.csv)\n\n"+
		"| gauge | level 2 (cm) |\n| --- | --- |\n| Tannengrund | 130 |\n")
	assert.Contains(t, got, "(attached: a.diff)\n\n```\n# no heading\n```\n\n(attached: lease.pdf)\n")
}

// A patch within a mail is code; the words around it are not, nor is a line of dashes.
func TestAPatchInAMailIsCode(t *testing.T) {
	const head = "From: Ada <ada@example.org>\nSubject: [PATCH] fix\n\n"
	const patch = "diff --git a/x.c b/x.c\nindex 1..2 100644\n--- a/x.c\n+++ b/x.c\n@@ -1,2 +1,2 @@\n" +
		" /* *one* */\n-# two\n\n+# three\n"
	got := mailOf(t, "a.eml", head+"It was *wrong*:\n\n"+patch+"\nThanks\n--- the end\n").Markdown
	assert.Contains(t, got, "It was *wrong*:\n\n```diff\n"+patch+"```\n")
	assert.Contains(t, got, "```\n\nThanks\n--- the end\n")
	fenced := "Look:\n\n```diff\n" + patch + "```\n\nThanks\n"
	assert.Contains(t, mailOf(t, "a.eml", head+fenced).Markdown, fenced, "it is in a fence of its author's")
	assert.NotContains(t, mailOf(t, "a.eml", head+"--- old words\n+++ new words\nand more\n").Markdown, "```")
}

func TestAnArchiveOfMailsHasEachUnderItsSubject(t *testing.T) {
	archive := "From ada@example.org Mon Mar  2 23:30:00 2026\n" + strings.ReplaceAll(letter, "\r\n", "\n") +
		"\nFrom bob@example.org Tue Mar  3 08:00:00 2026\nFrom: Bob <bob@example.org>\n" +
		"Subject: Re: The lease\n\nFrom now on I pay 950.\n>From the bank.\n"
	got := mailOf(t, "2026-03.mbox", archive)
	assert.Equal(t, "2026-03.mbox", got.Title)
	assert.Contains(t, got.Markdown,
		"## 合同到期\n\nAda Müller <ada@example.org>, 2026-03-02\n\nThe lease ends in März")
	assert.Contains(t, got.Markdown, "## Re: The lease\n\nBob <bob@example.org>\n\nFrom now on I pay 950.\n")
	assert.NotContains(t, got.Markdown, "HTML")
}

// Lists archive their mail as text files.
func TestAnArchiveIsMailWhateverItsName(t *testing.T) {
	const archive = "From 9f3be2a9fa8b Mon Sep 17 00:00:00 2001\nFrom: Ada <ada@example.org>\n" +
		"Date: Sat, 30 May 2026 21:46:35 +0000\nSubject: The rent\n\nIt is 900 euros.\n"
	for _, name := range []string{"2026-05.txt", "2026-05", "2026-05.log"} {
		assert.Equal(t, "mail", mailOf(t, name, archive).Type, name)
	}
	assert.Contains(t, mailOf(t, "2026-05.txt", archive).Markdown,
		"## The rent\n\nAda <ada@example.org>, 2026-05-30\n\nIt is 900 euros.")
	for _, text := range []string{
		"From Monday at 10:00 on, in 2026, it is closed.\nBring a coat: it is cold.\n", "Notes\n\n" + archive,
	} {
		assert.Equal(t, "text", mailOf(t, "notes.txt", text).Type, "control")
	}
}

// What is damaged, nested for ever or no mail at all is read as far as it goes.
func TestOddMails(t *testing.T) {
	nested := "Subject: deep\nContent-Type: multipart/mixed; boundary=b0\n\n"
	for i := range 40 {
		nested += strings.Replace("--bN\nContent-Type: multipart/mixed; boundary=bM\n\n",
			"N", string(rune('0'+i%10)), 1)
	}
	for name, body := range map[string]string{
		"nested":    nested + "the end",
		"no header": "just words\n",
		"cut":       "Subject: cut\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\nVGhlIGVu",
		"many": "Subject: many\nContent-Type: multipart/mixed; boundary=x\n\n" +
			strings.Repeat("--x\n\npart\n", 5000) + "--x--\n",
	} {
		got := mailOf(t, name+".eml", body)
		assert.Less(t, len(got.Markdown), 4000, name)
	}
	assert.Contains(t, mailOf(t, "cut.eml",
		"Subject: cut\nContent-Transfer-Encoding: base64\n\nVGhlIGVu").Markdown, "The en")
	assert.Contains(t, mailOf(t, "none.eml", "just words\n").Markdown, "just words")
}

func FuzzMail(f *testing.F) {
	f.Add(letter)
	f.Add("From a@b.c Mon Mar  2 23:30:00 2026\nSubject: x\n\ny\n")
	f.Fuzz(func(t *testing.T, body string) {
		got, err := page.Read(t.Context(),
			page.Raw{URL: "doc:a.mbox", ContentType: "application/mbox", Body: []byte(body)})
		if err == nil {
			assert.Less(t, len(got.Markdown), 20*len(body)+2000)
		}
	})
}

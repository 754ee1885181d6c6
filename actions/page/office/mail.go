package office

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"regexp"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/net/html/charset"
)

const (
	// maxMails bounds how many messages of an archive are read.
	maxMails = 5000
	// maxMailParts and maxMailDepth bound the parts of one message, and how deeply they nest.
	maxMailParts = 100
	maxMailDepth = 6
)

// fromLine matches the start of an mbox message (RFC 4155): From ada@example.org Mon Jan 2 15:04:05 2006.
var fromLine = regexp.MustCompile(`(?m)^From .*\b\d\d?:\d\d(?::\d\d)?\b.*\b\d{4}\b.*\r?\n`)

// archived matches an archive's first message up to its headers.
var archived = regexp.MustCompile(`^From .*\d\d?:\d\d.*\b\d{4}\b.*\r?\n(?:[A-Za-z-]+: .*\r?\n(?:[ \t].*\r?\n)*){2}`)

// ofProse matches the name of an attached file that is read as prose.
var ofProse = regexp.MustCompile(`(?i)^[^.]*$|\.(?:txt|text|md|markdown|eml)$`)

// IsMailbox reports whether a text is an mbox archive, for files whose name does not tell.
func IsMailbox(body []byte) bool { return archived.Match(body[:min(len(body), 4096)]) }

// Mail reads a message, or the messages of an mbox, each under its subject; it prefers plain text to HTML.
func Mail(ctx context.Context, body []byte) (markup.Document, error) {
	starts := fromLine.FindAllIndex(body, -1)
	if len(starts) == 0 || starts[0][0] > 0 {
		m := readMessage(ctx, body)
		return markup.Document{Title: m.subject, Author: m.from, Published: m.date,
			Markdown: m.under("#")}, ctx.Err()
	}
	var out strings.Builder
	var doc markup.Document
	for i, at := range starts {
		if i == maxMails {
			doc.Partial = fmt.Sprintf("only the first %d of %d messages were read", maxMails, len(starts))
			break
		}
		end := len(body)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		out.WriteString(readMessage(ctx, body[at[1]:end]).under("##") + "\n")
		if ctx.Err() != nil {
			return markup.Document{}, ctx.Err()
		}
	}
	doc.Markdown = plain.Tidy(out.String())
	return doc, nil
}

// message is the visible part of a mail. Its date has the form 2006-01-02.
type message struct{ subject, from, to, date, text string }

func readMessage(ctx context.Context, body []byte) message {
	m, err := mail.ReadMessage(bytes.NewReader(body))
	if err != nil {
		return message{text: plain.Decode(body, "")}
	}
	parts := mailParts{left: maxMailParts}
	shown := message{
		subject: headerText(m.Header.Get("Subject")),
		from:    headerText(m.Header.Get("From")),
		to:      recipients(m.Header),
		text:    parts.read(ctx, textproto.MIMEHeader(m.Header), m.Body, 0),
	}
	if date, err := m.Header.Date(); err == nil {
		shown.date = date.UTC().Format(time.DateOnly)
	}
	return shown
}

// under returns a message with its subject as heading.
func (m message) under(marks string) string {
	about := strings.Trim(m.from+", "+m.date, ", ")
	if m.to != "" {
		about += " → " + m.to
	}
	return plain.Tidy(fmt.Sprintf("%s %s\n\n%s\n\n%s\n", marks, cmp.Or(m.subject, "(no subject)"),
		about, m.text))
}

// recipients lists those a mail is addressed and copied to, up to a readable length.
func recipients(header mail.Header) string {
	const longest = 500
	var all []string
	for _, name := range []string{"To", "Cc"} {
		if line := headerText(header.Get(name)); line != "" {
			all = append(all, line)
		}
	}
	return prose.Shorten(strings.Join(all, ", "), longest)
}

// headerText decodes a header line: =?utf-8?B?…?= is written out.
func headerText(line string) string {
	decoder := mime.WordDecoder{CharsetReader: func(name string, in io.Reader) (io.Reader, error) {
		return charset.NewReaderLabel(name, in)
	}}
	if text, err := decoder.DecodeHeader(line); err == nil {
		line = text
	}
	return plain.Line(plain.Decode([]byte(line), ""))
}

// patch matches output of diff and git within the text of a mail, as developers send it.
var patch = regexp.MustCompile(`(?m)^(?:diff --git .*\n(?:[a-z].*\n)*)?` +
	`--- \S.*\n\+\+\+ \S.*\n(?:@@ .*\n(?:[ +\\-].*\n|\n)*)+`)

// patched puts the patches in a text into fences, unless the text has fences of its own.
func patched(text string) string {
	if ownFence.MatchString(text) {
		return text
	}
	return patch.ReplaceAllStringFunc(text, func(lines string) string {
		return "\n" + markup.Fenced("diff", lines) + "\n"
	})
}

// ownFence matches the start or end of a Markdown code block.
var ownFence = regexp.MustCompile("(?m)^ {0,3}(?:```|~~~)")

// mailParts reads the parts of one message.
type mailParts struct {
	left int // parts that may still be read
}

// read returns the text of a part and of the parts in it.
func (p *mailParts) read(ctx context.Context, header textproto.MIMEHeader, body io.Reader, depth int) string {
	p.left--
	media, params, err := mime.ParseMediaType(cmp.Or(header.Get("Content-Type"), "text/plain"))
	if err != nil {
		media = "text/plain"
	}
	disposition, about, _ := mime.ParseMediaType(header.Get("Content-Disposition"))
	name := headerText(cmp.Or(about["filename"], params["name"]))
	switch {
	case p.left < 0 || depth > maxMailDepth || ctx.Err() != nil:
		return ""
	case strings.HasPrefix(media, "multipart/") && params["boundary"] != "":
		return p.readAll(ctx, media, multipart.NewReader(body, params["boundary"]), depth+1)
	case media == "message/rfc822" && disposition != "attachment":
		inner, err := mail.ReadMessage(body)
		if err != nil {
			return ""
		}
		subject := headerText(inner.Header.Get("Subject"))
		return subject + "\n\n" + p.read(ctx, textproto.MIMEHeader(inner.Header), inner.Body, depth+1)
	case !strings.HasPrefix(media, "text/"):
		return "(attached: " + cmp.Or(name, media) + ")"
	}
	switch strings.ToLower(strings.TrimSpace(header.Get("Content-Transfer-Encoding"))) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	data, _ := io.ReadAll(io.LimitReader(body,
		markup.MaxText)) // a damaged part is read up to the damage
	text := plain.Decode(data, "text/plain; charset="+params["charset"])
	switch {
	case media == "text/csv" || strings.HasSuffix(strings.ToLower(name), ".csv"):
		if table, err := CSV(text); err == nil {
			text = table.Markdown
		}
	case media == "text/html":
		text = markup.Markdown(text, nil)
	case disposition == "attachment" && media != "text/markdown" && !ofProse.MatchString(name):
		text = markup.Fenced("", text) // a program, a patch, settings
	default:
		text = patched(text)
	}
	if disposition == "attachment" {
		text = "(attached: " + cmp.Or(name, media) + ")\n\n" + text
	}
	return text
}

// readAll reads the parts of a multipart; of alternatives it takes the plain text, otherwise the first.
func (p *mailParts) readAll(ctx context.Context, media string, parts *multipart.Reader, depth int) string {
	var texts, formatted []string
	for p.left > 0 {
		part, err := parts.NextRawPart()
		if err != nil {
			break
		}
		text := strings.TrimSpace(p.read(ctx, part.Header, part, depth))
		isPlain := strings.HasPrefix(strings.ToLower(part.Header.Get("Content-Type")), "text/plain")
		switch {
		case text == "":
		case media == "multipart/alternative" && !isPlain:
			formatted = append(formatted, text)
		default:
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 && len(formatted) > 0 {
		texts = formatted[:1]
	}
	return strings.Join(texts, "\n\n")
}

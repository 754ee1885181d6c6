package openai

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/bounds"
)

// complaint is an error as servers write it: an object, a bare string, or flat at the top of the body.
type complaint struct {
	message string
	code    string
	kind    string
	status  int // from a numeric code
}

// complaintIn finds the complaint in a body or in a chunk of a stream.
func complaintIn(body []byte) (complaint, bool) {
	var fields map[string]any
	if bounds.JSON(body, &fields) != nil {
		return complaint{}, false
	}
	said := fields["error"]
	inner, isObject := said.(map[string]any)
	switch {
	case said == nil, said == false, said == "", isObject && len(inner) == 0: // it is there for form only
		if fields["message"] == nil && fields["detail"] == nil {
			return complaint{}, false
		}
	case isObject:
		fields = inner
	default:
		fields = map[string]any{"message": said}
	}
	c := complaint{message: words(fields["message"]), code: words(fields["code"]),
		kind: words(fields["type"])}
	if c.message == "" {
		c.message = words(fields["detail"])
	}
	if c == (complaint{}) {
		c.message = words(said)
	}
	if n, err := strconv.Atoi(c.code); err == nil && n >= 400 && n < 600 {
		c.status = n
	}
	return c, true
}

func words(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return plainJSON(v)
}

// refusal is the error for an answer with a status that is no success.
func (b *Brain) refusal(status int, header http.Header, body []byte) *Error {
	c, ok := complaintIn(body)
	if !ok {
		c.message = string(body)
	}
	c.status = status
	e := b.classed(c, header.Get("Location"))
	e.After = retryAfter(header)
	if e.Class == Compress {
		e.Window = windowIn(string(body))
	}
	return e
}

// classed says what helps against a complaint. Its status is 0 when it came inside a reply and names none.
func (b *Brain) classed(c complaint, location string) *Error {
	text := strings.ToLower(c.code + " " + c.kind + " " + c.message)
	at, said := b.server(), b.quoted(c)
	key, address := b.Quirks.keyVariable(), b.Quirks.addressSetting()
	is := func(class Class, err error, format string, with ...any) *Error {
		return &Error{Class: class, Server: at, Key: key, Status: c.status, said: text, Err: err,
			Message: fmt.Sprintf(format, with...)}
	}
	switch {
	case c.status == http.StatusPaymentRequired ||
		mentions(text, "insufficient_quota", "current quota", "insufficient balance", "credit balance"):
		return is(Ask, errQuota, "the account at %s has no quota left%s: check its plan and billing, then resume",
			at, said)
	case c.status == http.StatusRequestEntityTooLarge ||
		c.status < 500 && c.status != http.StatusTooManyRequests && tooLong(text) ||
		mentions(text, "no user query found", "request too large"):
		return is(Compress, agent.ErrTooLong, "the conversation is too long for %s%s", b.Model, said)
	case isFiltered(text):
		return is(Stop, errFiltered, "the content filter of %s refused the conversation%s", at, said)
	case c.status == http.StatusUnauthorized && b.Key == "":
		return is(Ask, nil, "%s wants a key%s: set %s", at, said, key)
	case c.status == http.StatusUnauthorized, c.status == http.StatusForbidden:
		return is(Ask, nil, "%s refused the key%s: check %s", at, said, key)
	case c.status == http.StatusNotFound && !strings.Contains(text, "model"):
		return is(Ask, nil, "there is no chat at %s%s: check %s, which usually ends in /v1", at, said, address)
	case c.status == http.StatusNotFound || mentions(text, "model_not_found"):
		return is(Ask, nil, "model %s is not served at %s%s: check DAYBOOK_MODEL and %s", b.Model, at, said,
			address)
	case c.status >= 300 && c.status < 400:
		location, _, _ = strings.Cut(location, "?") // where a token may stand
		return is(Ask, nil, "%s sends the request on to %s: check %s", at, b.clean(location), address)
	case c.status >= 400 && c.status < 500 && !passing(c.status):
		return is(Stop, nil, "%s refused the request%s", at, said)
	}
	return is(Wait, nil, "%s is not answering%s", at, said)
}

// isFiltered says whether a complaint is of what a conversation says.
func isFiltered(text string) bool {
	return mentions(text, "content_filter", "contentfilter", "responsibleaipolicyviolation",
		"content_policy_violation", "content management policy",
		"data_inspection_failed", "datainspectionfailed", "inappropriate content", "was flagged",
		"considered high risk", "prohibited_content", "敏感内容")
}

// passing says that a status below 500 is one that goes away by itself.
func passing(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusConflict ||
		status == http.StatusTooEarly || status == http.StatusTooManyRequests
}

func mentions(text string, any ...string) bool {
	for _, word := range any {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// quoted is what the server said, for the end of a clause: status and a few of its words in brackets.
func (b *Brain) quoted(c complaint) string {
	said := b.clean(c.message)
	if isHTML([]byte(c.message)) {
		said = "a web page"
	}
	switch {
	case c.status > 0 && said != "":
		return fmt.Sprintf(" (%d: %s)", c.status, said)
	case c.status > 0:
		return fmt.Sprintf(" (%d)", c.status)
	case said != "":
		return fmt.Sprintf(" (%s)", said)
	}
	return ""
}

// clean makes a server's words fit for one line of a terminal or a log, without the key.
func (b *Brain) clean(text string) string {
	return head([]byte(strings.Join(strings.Fields(b.excerpt(text, len(text))), " ")), 200)
}

// excerpt is the beginning of a text without the key.
func (b *Brain) excerpt(text string, max int) string {
	return head([]byte(b.redactor().Text(text)), max)
}

// head is the beginning of a text, at most max bytes of it and whole characters only.
func head(text []byte, max int) string {
	if len(text) > max {
		text = append(bytes.ToValidUTF8(text[:max:max], nil), "…"...)
	}
	return strings.ToValidUTF8(string(text), "?")
}

// isHTML says whether a body is a web page, or holds one.
func isHTML(body []byte) bool {
	body = bytes.TrimLeft(body, " \t\r\n\xef\xbb\xbf")
	lower := bytes.ToLower(body[:min(len(body), 4<<10)])
	return bytes.HasPrefix(lower, []byte("<")) || bytes.Contains(lower, []byte("<html")) ||
		bytes.Contains(lower, []byte("<!doctype"))
}

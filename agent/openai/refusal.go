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
	e := &Error{Status: c.status, Server: b.server(), Key: b.Quirks.keyVariable(), said: text}
	said := b.quoted(c)
	switch {
	case c.status == http.StatusPaymentRequired ||
		mentions(text, "insufficient_quota", "current quota", "insufficient balance", "credit balance"):
		e.Class, e.Err, e.Message = Ask, errQuota, fmt.Sprintf(
			"the account at %s has no quota left%s: check its plan and billing, then resume",
			b.server(), said)
	case c.status == http.StatusRequestEntityTooLarge ||
		c.status < 500 && c.status != http.StatusTooManyRequests && tooLong(text) ||
		mentions(text, "no user query found", "request too large"):
		e.Class, e.Err, e.Message = Compress, agent.ErrTooLong, fmt.Sprintf(
			"the conversation is too long for %s%s", b.Model, said)
	case isFiltered(text):
		e.Class, e.Err, e.Message = Stop, errFiltered, fmt.Sprintf("the content filter of %s refused "+
			"the conversation%s", b.server(), said)
	case c.status == http.StatusUnauthorized && b.Key == "":
		e.Class, e.Message = Ask, fmt.Sprintf("%s wants a key%s: set %s", b.server(),
			said, b.Quirks.keyVariable())
	case c.status == http.StatusUnauthorized, c.status == http.StatusForbidden:
		e.Class, e.Message = Ask, fmt.Sprintf("%s refused the key%s: check %s", b.server(), said,
			b.Quirks.keyVariable())
	case c.status == http.StatusNotFound && !strings.Contains(text, "model"):
		e.Class, e.Message = Ask, fmt.Sprintf("there is no chat at %s%s: check %s, which usually ends in /v1",
			b.server(), said, b.Quirks.addressSetting())
	case c.status == http.StatusNotFound || mentions(text, "model_not_found"):
		e.Class, e.Message = Ask, fmt.Sprintf("model %s is not served at %s%s: check DAYBOOK_MODEL and %s",
			b.Model, b.server(), said, b.Quirks.addressSetting())
	case c.status >= 300 && c.status < 400:
		location, _, _ = strings.Cut(location, "?") // where a token may stand
		e.Class, e.Message = Ask, fmt.Sprintf("%s sends the request on to %s: check %s", b.server(),
			b.clean(location), b.Quirks.addressSetting())
	case c.status >= 400 && c.status < 500 && !passing(c.status):
		e.Class, e.Message = Stop, fmt.Sprintf("%s refused the request%s", b.server(), said)
	default:
		e.Class, e.Message = Wait, fmt.Sprintf("%s is not answering%s", b.server(), said)
	}
	return e
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

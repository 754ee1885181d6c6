package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/daybook-agent/daybook/agent"
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
	type fields struct {
		Message any `json:"message"`
		Detail  any `json:"detail"`
		Code    any `json:"code"`
		Type    any `json:"type"`
	}
	var whole struct {
		fields
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &whole) != nil {
		return complaint{}, false
	}
	found := whole.fields
	if !isNothing(whole.Error) {
		found = fields{}
		if json.Unmarshal(whole.Error, &found) != nil {
			found.Message = string(whole.Error)
			var text string
			if json.Unmarshal(whole.Error, &text) == nil {
				found.Message = text
			}
		}
		if found == (fields{}) {
			found.Message = string(whole.Error)
		}
	} else if found.Message == nil && found.Detail == nil {
		return complaint{}, false
	}
	c := complaint{message: words(found.Message), code: words(found.Code), kind: words(found.Type)}
	if c.message == "" {
		c.message = words(found.Detail)
	}
	if n, ok := found.Code.(float64); ok && n >= 400 && n < 600 {
		c.status = int(n)
	}
	return c, true
}

// isNothing says that an error field is there for form only.
func isNothing(field json.RawMessage) bool {
	switch string(field) {
	case "", "null", "false", `""`, "{}":
		return true
	}
	return false
}

func words(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, err := plainJSON(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// refusal is the error for an answer with a status that is no success.
func (b *Brain) refusal(status int, header http.Header, body []byte) *Error {
	c, ok := complaintIn(body)
	switch {
	case ok:
	case isHTML(body):
		c.message = "a web page"
	default:
		c.message = string(body)
	}
	c.status = status
	e := b.classed(c, header.Get("Location"))
	e.After = retryAfter(header)
	return e
}

// classed says what helps against a complaint. Its status is 0 when it came inside a reply and names none.
func (b *Brain) classed(c complaint, location string) *Error {
	e := &Error{Status: c.status}
	said := b.quoted(c)
	switch text := strings.ToLower(c.code + " " + c.kind + " " + c.message); {
	case c.status == http.StatusPaymentRequired || mentions(text, "insufficient_quota", "current quota", "insufficient balance", "credit balance"):
		e.Class, e.Message = Ask, fmt.Sprintf("the account at %s has no quota left%s: check its plan and billing, then resume", b.server(), said)
	case c.status == http.StatusRequestEntityTooLarge ||
		mentions(text, "context_length_exceeded", "context length", "context window", "prompt is too long", "no user query found"):
		e.Class, e.Err, e.Message = Compress, agent.ErrTooLong, fmt.Sprintf("the conversation is too long for %s%s", b.Model, said)
	case c.status == http.StatusUnauthorized && b.Key == "":
		e.Class, e.Message = Ask, fmt.Sprintf("%s wants a key%s: set OPENAI_API_KEY", b.server(), said)
	case c.status == http.StatusUnauthorized, c.status == http.StatusForbidden:
		e.Class, e.Message = Ask, fmt.Sprintf("%s refused the key%s: check OPENAI_API_KEY", b.server(), said)
	case c.status == http.StatusNotFound && !strings.Contains(text, "model"):
		e.Class, e.Message = Ask, fmt.Sprintf("there is no chat at %s%s: check OPENAI_BASE_URL, which usually ends in /v1", b.server(), said)
	case c.status == http.StatusNotFound || mentions(text, "model_not_found"):
		e.Class, e.Message = Ask, fmt.Sprintf("model %s is not served at %s%s: check DAYBOOK_MODEL and OPENAI_BASE_URL", b.Model, b.server(), said)
	case c.status >= 300 && c.status < 400:
		e.Class, e.Message = Ask, fmt.Sprintf("%s sends the request on to %s: check OPENAI_BASE_URL", b.server(), b.clean(location))
	case mentions(text, "does not support tools", "tools is not supported"):
		e.Class, e.Message = Stop, fmt.Sprintf("model %s can not call actions%s: choose one that can", b.Model, said)
	case mentions(text, "content_filter", "responsibleaipolicyviolation"):
		e.Class, e.Err, e.Message = Stop, ErrFiltered, ErrFiltered.Error()+said
	case c.status >= 400 && c.status < 500 && !passing(c.status):
		e.Class, e.Message = Stop, fmt.Sprintf("%s refused the request%s", b.server(), said)
	default:
		e.Class, e.Message = Wait, fmt.Sprintf("%s is not answering%s", b.server(), said)
	}
	return e
}

// passing says that a status below 500 is one that goes away by itself.
func passing(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooEarly || status == http.StatusTooManyRequests
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

// clean makes a server's words fit for one line of a terminal or a log, and takes the key out should the server repeat it.
func (b *Brain) clean(text string) string {
	if b.Key != "" {
		text = strings.ReplaceAll(text, b.Key, "[key]")
	}
	return head([]byte(strings.Join(strings.Fields(text), " ")), 200)
}

// head is the beginning of a text, at most max bytes of it and whole characters only.
func head(text []byte, max int) string {
	if len(text) > max {
		text = append(bytes.ToValidUTF8(text[:max:max], nil), "…"...)
	}
	return strings.ToValidUTF8(string(text), "?")
}

func isHTML(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

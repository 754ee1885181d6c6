package openai

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
)

// Class says what would help against an error. The retry loop decides by it.
type Class string

// The five classes.
const (
	Wait     Class = "wait and retry" // the server is busy, broken or out of reach
	Again    Class = "retry at once"  // what came is not a whole reply
	Compress Class = "compress"       // the conversation is too long for the model
	Ask      Class = "ask the person" // a key, a model's name, an address or an account needs fixing
	Stop     Class = "stop"           // nothing helps
)

// Error says why there is no reply. Errors of the first two classes are returned only after further tries.
type Error struct {
	Class   Class
	Server  string        // the base URL that was asked, without secrets; "" if none was
	Key     string        // the variable that should hold its key
	Status  int           // of the HTTP answer, or of an error inside a reply; 0 if there was none
	Message string        // what happened, where, and what to do
	After   time.Duration // what the server asked to wait; 0 if it did not say
	Window  int           // tokens that the model takes in one request, if the error says so; otherwise 0
	Err     error         // one of the errors below, or that of the network; nil for a plain refusal

	said      string // the server's own words, in lower case
	announced bool   // another Brain's observer heard of the wait
}

// Error returns the message.
func (e *Error) Error() string {
	if e.Message == "" && e.Err != nil {
		return e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Reasons not to use a reply. Each comes inside an [Error].
var (
	errTruncated = errors.New("the reply broke off")
	errCutCall   = fmt.Errorf("the reply ends in the middle of a call: %w", agent.ErrCut)
	errLength    = fmt.Errorf("the reply reached the model's limit of output: %w", agent.ErrCut)
	errBroken    = errors.New("the server says that its reply went wrong")
	errEndless   = errors.New("the reply does not end")
	errTooLarge  = errors.New("the reply is too large")
	errEmpty     = errors.New("the reply is empty")
	errNoChoice  = errors.New("the reply holds no message")
	errNotJSON   = errors.New("the reply is not JSON")
	// unless it has answered before
	errHTML     = errors.New("the reply is a web page, so this is no model server")
	errFiltered = fmt.Errorf("the reply is not shown: %w", agent.ErrFiltered)
	errQuota    = errors.New("the account has no quota left")
)

// fault returns an error of a class, with its message.
func fault(class Class, err error, format string, with ...any) *Error {
	return &Error{Class: class, Err: err, Message: fmt.Sprintf(format, with...)}
}

// tooLarge returns the error for a reply that is dropped for its size.
func tooLarge(format string, with ...any) *Error {
	return unusable(fmt.Errorf("%w to be used: %s", errTooLarge, fmt.Sprintf(format, with...)))
}

// unusable returns the error for what came instead of a whole reply.
func unusable(err error) *Error {
	switch {
	case errors.Is(err, errHTML):
		return &Error{Class: Ask, Err: err}
	case errors.Is(err, errLength), errors.Is(err, errFiltered):
		return &Error{Class: Stop, Err: err} // the same words would bring the same
	}
	return &Error{Class: Again, Err: err}
}

// complaint is an error as servers write it: an object, a bare string, or flat at the top of the body.
type complaint struct {
	message string
	code    string
	kind    string
	status  int // from a numeric code
}

// complaintIn finds the complaint in a body or in a chunk of a stream.
func complaintIn(body []byte) (c complaint, ok bool) {
	var fields map[string]any
	if bounds.JSON(body, &fields) != nil {
		return c, false
	}
	said := fields["error"]
	inner, isObject := said.(map[string]any)
	switch {
	case isObject && len(inner) > 0:
		fields = inner
	case isObject, said == nil, said == false, said == "": // it is there for form only
		if fields["message"] == nil && fields["detail"] == nil {
			return c, false
		}
	default:
		fields = map[string]any{"message": said}
	}
	c = complaint{message: cmp.Or(words(fields["message"]), words(fields["detail"])),
		code: words(fields["code"]), kind: words(fields["type"])}
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

// refusal returns the error for an answer with an HTTP status other than success.
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

// classed returns the error for a complaint, whose status is 0 if it came inside a reply and names none.
func (b *Brain) classed(c complaint, location string) *Error {
	text := strings.ToLower(c.code + " " + c.kind + " " + c.message)
	at, said := b.server(), b.quoted(c)
	key, address := b.Quirks.keyVariable(), b.Quirks.addressSetting()
	is := func(class Class, err error, format string, with ...any) *Error {
		e := fault(class, err, format, with...)
		e.Server, e.Key, e.Status, e.said = at, key, c.status, text
		return e
	}
	switch {
	case c.status == http.StatusPaymentRequired ||
		mentions(text, "insufficient_quota", "current quota", "insufficient balance", "credit balance"):
		return is(Ask, errQuota,
			"the account at %s has no quota left%s: check its plan and billing, then resume", at, said)
	case c.status == http.StatusRequestEntityTooLarge ||
		c.status < 500 && c.status != http.StatusTooManyRequests && mentions(text, tooLong...) ||
		mentions(text, "no user query found", "request too large"):
		return is(Compress, agent.ErrTooLong, "the conversation is too long for %s%s", b.Model, said)
	case mentions(text, "content_filter", "contentfilter", "responsibleaipolicyviolation",
		"content_policy_violation", "content management policy", "data_inspection_failed",
		"datainspectionfailed", "inappropriate content", "was flagged", "considered high risk",
		"prohibited_content", "敏感内容"):
		return is(Stop, errFiltered, "the content filter of %s refused the conversation%s", at, said)
	case c.status == http.StatusUnauthorized && b.Key == "":
		return is(Ask, nil, "%s wants a key%s: set %s", at, said, key)
	case c.status == http.StatusUnauthorized, c.status == http.StatusForbidden:
		return is(Ask, nil, "%s refused the key%s: check %s", at, said, key)
	case c.status == http.StatusNotFound && !strings.Contains(text, "model"):
		return is(Ask, nil, "there is no chat at %s%s: check %s, which usually ends in /v1", at,
			said, address)
	case c.status == http.StatusNotFound || mentions(text, "model_not_found"):
		return is(Ask, nil, "model %s is not served at %s%s: check DAYBOOK_MODEL and %s", b.Model, at, said,
			address)
	case c.status >= 300 && c.status < 400:
		location, _, _ = strings.Cut(location, "?") // which may hold a token
		return is(Ask, nil, "%s sends the request on to %s: check %s", at, b.clean(location), address)
	case c.status >= 400 && c.status < 500 && !slices.Contains(passing, c.status):
		return is(Stop, nil, "%s refused the request%s", at, said)
	}
	return is(Wait, nil, "%s is not answering%s", at, said)
}

// passing lists the statuses below 500 that go away by themselves.
var passing = []int{http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly,
	http.StatusTooManyRequests}

func mentions(text string, any ...string) bool {
	return slices.ContainsFunc(any, func(word string) bool { return strings.Contains(text, word) })
}

// quoted returns what the server said, for the end of a clause: status and a few words, in brackets.
func (b *Brain) quoted(c complaint) string {
	said := b.clean(c.message)
	if isHTML([]byte(c.message)) {
		said = "a web page"
	}
	if c.status > 0 {
		said = strings.TrimSuffix(fmt.Sprintf("%d: %s", c.status, said), ": ")
	}
	if said == "" {
		return ""
	}
	return " (" + said + ")"
}

// clean makes a server's words fit for one line of a terminal or a log, without the key.
func (b *Brain) clean(text string) string {
	return prose.Shorten(prose.OneLine(strings.ToValidUTF8(b.redactor().Text(text), "?")), 200)
}

// isHTML reports whether a body is a web page, or contains one.
func isHTML(body []byte) bool { return webPage.Match(body[:min(len(body), 4<<10)]) }

var webPage = regexp.MustCompile(`(?i)^[\s\x{FEFF}]*<|<html|<!doctype`)

// blame turns whatever went wrong in a try into an [Error], or the context's own cause.
func (b *Brain) blame(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	known, isKnown := errors.AsType[*Error](err)
	switch {
	case errors.Is(cause, errTimeout):
		return fault(Wait, cause, "%s gave no whole reply within %s", b.server(),
			cmp.Or(b.Timeout, defaultTimeout))
	case errors.Is(cause, errIdle):
		return fault(Wait, cause, "%s went silent for %s in the middle of its reply", b.server(),
			cmp.Or(b.IdleTimeout, defaultIdleTimeout))
	case cause != nil:
		return cause
	case errors.Is(err, errHTML) && b.can().answered:
		// it is a model server, and something in front of it is in the way for a while
		return fault(Wait, err, "%s sends a web page in place of a reply", b.server())
	case isKnown:
		return b.named(known)
	}
	return fault(Wait, errors.Join(errTruncated, err), "the reply of %s broke off: %s", b.server(),
		b.clean(err.Error()))
}

// named adds the server to an error that has no message yet.
func (b *Brain) named(e *Error) *Error {
	if e.Message == "" {
		e.Message = fmt.Sprintf("asking %s: %v", b.server(), b.withoutKey(e.Err))
	}
	return e
}

// unreached returns the error for a request that got no answer.
func (b *Brain) unreached(err error) *Error {
	at, address := b.server(), b.Quirks.addressSetting()
	noName, isName := errors.AsType[*net.DNSError](err)
	_, isBad := errors.AsType[*tls.CertificateVerificationError](err)
	_, isPlain := errors.AsType[tls.RecordHeaderError](err)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return fault(Wait, err, "nothing answers at %s", at)
	case isName:
		return fault(Wait, err, "the name %s is not known: check the network and %s", noName.Name, address)
	case isBad:
		return fault(Stop, err, "the certificate of %s does not hold: %s", at, b.clean(err.Error()))
	case isPlain, strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return fault(Stop, err, "%s does not speak TLS: should %s begin with http: ?", at, address)
	}
	return fault(Wait, err, "%s cannot be reached (%s): check the network and %s", at, b.clean(err.Error()),
		address)
}

package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/redact"
)

// Reason names why a provider did not answer as it should, in words for the model and the user.
type Reason string

// The reasons.
const (
	Throttled   Reason = "throttled"     // too many questions in a short time
	OutOfQuota  Reason = "out of quota"  // nothing left on the account
	Refused     Reason = "refused"       // the key is missing or wrong, or the service does not let us in
	Unavailable Reason = "not available" // no connection, a fault of the server, or no answer in time
	Strange     Reason = "bad answer"    // an answer that is not what the service documents
)

// ServiceError means that a provider did not answer as it should. Its text has neither address nor key.
type ServiceError struct {
	Reason Reason
	Detail string        // what the service said, one line, or ""
	Wait   time.Duration // how long the service asks to be left alone, or 0
	status int           // of HTTP, or 0
	code   string        // the service's own word for it, or ""
	cause  error
}

// Error returns one line without the provider's name, which callers put before it.
func (e *ServiceError) Error() string {
	text := string(e.Reason)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if e.Wait > 0 {
		text = fmt.Sprintf("%s (try again in %s)", text, e.Wait.Round(time.Second))
	}
	return text
}

// Unwrap returns the cause, for errors.Is. Its own text may hold the address with the query.
func (e *ServiceError) Unwrap() error { return e.cause }

// unreached reports whether there was no connection with the service.
func (e *ServiceError) unreached() bool {
	return e.Reason == Unavailable && e.status == 0 && !errors.Is(e.cause, io.ErrUnexpectedEOF)
}

func unavailable(ctx context.Context, err error) error {
	e := &ServiceError{Reason: Unavailable, Detail: "it cannot be reached", cause: err}
	switch {
	case ctx.Err() != nil:
		e.Detail, e.cause = "no answer in time", context.Cause(ctx)
	case errors.Is(err, errElsewhere):
		e.Reason, e.Detail = Strange, errElsewhere.Error()
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Detail = "the connection broke off"
	}
	return e
}

// refusal returns the error for a status other than 200, with the few words that the service says.
func refusal(response *http.Response, body []byte) error {
	code := response.StatusCode
	said, word := complaint(body)
	e := &ServiceError{Reason: reasonFor(code, response.Header), Detail: fmt.Sprintf("status %d", code),
		Wait: retryAfter(response.Header), status: code, code: word}
	if said != "" {
		e.Detail += ", " + said
	}
	return e
}

// ofStatus maps statuses to reasons; 432 and 433 are Tavily's: plan and pay-as-you-go limits.
var ofStatus = map[int]Reason{http.StatusTooManyRequests: Throttled, http.StatusPaymentRequired: OutOfQuota,
	432: OutOfQuota, 433: OutOfQuota, http.StatusUnauthorized: Refused, http.StatusForbidden: Refused}

// reasonFor returns the reason that a status other than 200 means.
func reasonFor(code int, header http.Header) Reason {
	switch {
	case code == http.StatusForbidden && header.Get("X-RateLimit-Remaining") == "0": // GitHub's
		return Throttled
	case code >= 500:
		return Unavailable
	}
	return cmp.Or(ofStatus[code], Strange)
}

// retryAfter reads the header in both of its forms; 0 if there is none.
func retryAfter(header http.Header) time.Duration {
	const most = 24 * time.Hour
	value, wait := header.Get("Retry-After"), time.Duration(0)
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		wait = time.Until(at)
	}
	return max(0, min(wait, most))
}

// complaint returns the message in an answer of one of the usual shapes, and the short code with it.
func complaint(body []byte) (text, code string) {
	var answer data
	if bounds.JSON(body, &answer.value) != nil {
		return "", ""
	}
	text = answer.text("message|error|error.message|error.error|error.detail|detail|detail.message|" +
		"detail.error|msg|errors.0|errors.0.message|errors.0.detail")
	return words.Capped(oneLine(text), 160), answer.text("error.code|errors.0.code|code")
}

// keyHeader matches the name of a header that holds a key, whatever the service calls it.
var keyHeader = regexp.MustCompile(`(?i)auth|key|token|secret`)

// withoutKeys removes the keys of a request from an answer: some services repeat a wrong one.
func withoutKeys(body []byte, request *http.Request) []byte {
	secrets := []string{request.URL.Query().Get("api_key")}
	for name, values := range request.Header {
		if keyHeader.MatchString(name) {
			secrets = append(secrets, strings.TrimPrefix(values[0], "Bearer "))
		}
	}
	return []byte(redact.New(secrets...).Text(string(body)))
}

// errNoList returns the error for an answer without a list, which must not pass for an empty one.
func errNoList() error {
	return &ServiceError{Reason: Strange, Detail: "the answer holds no list of results"}
}

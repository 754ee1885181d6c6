package page

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"code.dny.dev/ssrf"
)

// unreachable puts the reasons a request can fail for into words. The text of an unknown cause is left out, since
// net/http writes whole addresses into it.
func unreachable(address string, cause error) *Error {
	if e, ok := errors.AsType[*Error](cause); ok {
		return &Error{Kind: e.Kind, doing: e.doing, subject: shown(address),
			message: "it redirects to " + e.subject + ": " + e.message}
	}
	e := newError(Unreachable, "fetching", address, "")
	e.cause = cause
	dns, isDNS := errors.AsType[*net.DNSError](cause)
	switch {
	case errors.Is(cause, ssrf.ErrProhibitedIP), errors.Is(cause, ssrf.ErrProhibitedPort), errors.Is(cause, ssrf.ErrProhibitedNetwork),
		errors.Is(cause, ssrf.ErrInvalidHostPort):
		e.Kind = Blocked
		e.message = "it leads to a private network or an unusual port, which web pages are not read from: look for a public source"
	case errors.Is(cause, context.Canceled):
		e.message = "stopped by the caller"
	case errors.Is(cause, errRedirects):
		e.message = fmt.Sprintf("it redirects more than %d times: look for another source", maxRedirects)
	case errors.Is(cause, errEncoding), errors.Is(cause, gzip.ErrHeader), errors.Is(cause, gzip.ErrChecksum):
		e.message = "its compression cannot be read: look for another source"
	case isDNS && dns.IsNotFound:
		e.message = "there is no such host: check the address"
	case isTimeout(cause):
		e.message = "no answer in time: try once more later or use another source"
	default:
		e.message = "the connection failed (" + reason(cause) + "): try once more later or use another source"
	}
	return e
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return errors.Is(err, context.DeadlineExceeded) || ok && timeout.Timeout()
}

// reason is the part of a network error that holds no address.
func reason(cause error) string {
	if op, ok := errors.AsType[*net.OpError](cause); ok {
		return op.Op + ": " + op.Err.Error()
	}
	if wrapped, ok := errors.AsType[*url.Error](cause); ok {
		cause = wrapped.Err
	}
	if strings.ContainsAny(cause.Error(), "?") {
		return "a malformed answer"
	}
	return cause.Error()
}

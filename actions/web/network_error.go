package web

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"code.dny.dev/ssrf"
	"github.com/daybook-agent/daybook/actions/page"
)

// unreachable explains why a request failed. The text of an unknown cause is left out, since net/http puts
// whole addresses into it.
func unreachable(address string, cause error) *page.Error {
	if e, ok := cause.(*page.Error); ok {
		return e
	}
	if e, ok := errors.AsType[*page.Error](cause); ok { // from checking a redirect
		return e.Via(address)
	}
	kind, message := page.Unreachable, ""
	dns, isDNS := errors.AsType[*net.DNSError](cause)
	network, isNetwork := errors.AsType[net.Error](cause)
	switch {
	case errors.Is(cause, ssrf.ErrProhibitedIP), errors.Is(cause, ssrf.ErrProhibitedPort),
		errors.Is(cause, ssrf.ErrProhibitedNetwork), errors.Is(cause, ssrf.ErrInvalidHostPort):
		kind = page.Blocked
		message = "it leads to a private network or an unusual port, which web pages are not read from: " +
			"look for a public source"
	case errors.Is(cause, context.Canceled):
		message = "stopped by the caller"
	case errors.Is(cause, errRedirects):
		message = fmt.Sprintf("it redirects more than %d times: look for another source", maxRedirects)
	case errors.Is(cause, errEncoding), errors.Is(cause, gzip.ErrHeader), errors.Is(cause, gzip.ErrChecksum):
		message = "its compression cannot be read: look for another source"
	case isDNS && dns.IsNotFound:
		message = "there is no such host: check the address"
	case isDNS && !dns.IsTimeout:
		message = "the name of its host cannot be looked up at the moment: try once more later " +
			"or use another source"
	case certificateFault(cause) != "":
		message = certificateFault(cause) + ", so nothing proves whose page it is: look for another source"
	case errors.Is(cause, io.ErrUnexpectedEOF):
		message = "it breaks off before its end: try once more later or use another source"
	case errors.Is(cause, context.DeadlineExceeded), isNetwork && network.Timeout():
		message = "no answer in time: try once more later or use another source"
	default:
		message = "the connection failed (" + reason(cause) + "): try once more later or use another source"
	}
	return failed(kind, address, message).Because(cause)
}

// certificateFault describes a certificate error; it returns "" for other errors.
func certificateFault(cause error) string {
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](cause); ok &&
		invalid.Reason == x509.Expired {
		return "the certificate of its server has expired or is not valid yet"
	}
	if _, ok := errors.AsType[x509.HostnameError](cause); ok {
		return "the certificate of its server was made for another name"
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](cause); ok {
		return "the certificate of its server comes from nobody this machine trusts"
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](cause); ok {
		return "the certificate of its server is not valid"
	}
	return ""
}

// reason returns the part of a network error without addresses and without the server's own words: what a
// model reads of a page is labelled as such, but an error is not.
func reason(cause error) string {
	if op, ok := errors.AsType[*net.OpError](cause); ok {
		return op.Op + ": " + op.Err.Error()
	}
	if wrapped, ok := errors.AsType[*url.Error](cause); ok {
		cause = wrapped.Err
	}
	switch text := cause.Error(); {
	case errors.Is(cause, io.EOF):
		return "it was closed before the answer"
	case strings.HasPrefix(text, "tls: "), text == "http: server gave HTTP response to HTTPS client":
		return text
	}
	return "the answer is no proper HTTP"
}

func badStatus(address string, status int) *page.Error {
	next := "look for another source"
	switch {
	case status == http.StatusNotFound || status == http.StatusGone:
		next = "check the address, or search for where the page is now"
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		next = "the site is busy: go on with another source and come back later"
	case status == http.StatusUnauthorized, status == http.StatusPaymentRequired,
		status == http.StatusForbidden, status == http.StatusUnavailableForLegalReasons:
		next = "the page is not open to everyone: look for another source"
	case status >= 500:
		next = "the site has a fault: try once more later or use another source"
	}
	text := strings.ToLower(http.StatusText(status))
	return refused(address, status, strings.TrimSpace(fmt.Sprintf("the server answers %d %s", status, text))+
		": "+next)
}

// refused returns the error for a page whose server answers with a status, or would.
func refused(address string, status int, message string) *page.Error {
	e := failed(page.Status, address, message)
	e.Status = status
	return e
}

// failed returns the error for a page that was not fetched.
func failed(kind page.Kind, address, message string) *page.Error {
	return page.NewError(kind, "fetching", address, message)
}

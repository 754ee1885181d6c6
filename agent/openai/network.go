package openai

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
)

// blame turns whatever went wrong in a try into an [Error], or into the context's own cause when that ended
// it.
func (b *Brain) blame(ctx context.Context, x *exchange, err error) error {
	switch cause := context.Cause(ctx); {
	case cause == nil:
	case errors.Is(cause, errTimeout):
		return &Error{Class: Wait, Err: cause,
			Message: fmt.Sprintf("%s gave no whole reply within %s", b.server(),
				cmp.Or(b.Timeout, defaultTimeout))}
	case errors.Is(cause, errIdle):
		return &Error{Class: Wait, Err: cause,
			Message: fmt.Sprintf("%s went silent for %s in the middle of its reply", b.server(),
				cmp.Or(b.IdleTimeout, defaultIdleTimeout))}
	default:
		return cause
	}
	var known *Error
	if errors.As(err, &known) {
		// so it is one, and something before it is in the way for a while
		if errors.Is(err, ErrHTML) && b.can().answered {
			return &Error{Class: Wait, Err: err,
				Message: fmt.Sprintf("%s sends a web page in place of a reply", b.server())}
		}
		return b.named(known)
	}
	if x.body != nil {
		return &Error{Class: Wait, Err: errors.Join(ErrTruncated, err),
			Message: fmt.Sprintf("the reply of %s broke off: %s", b.server(), b.clean(err.Error()))}
	}
	return b.unreached(err)
}

// named says which server an error is about, unless it does.
func (b *Brain) named(e *Error) *Error {
	if e.Message == "" {
		e.Message = fmt.Sprintf("asking %s: %v", b.server(), b.withoutKey(e.Err))
	}
	return e
}

// unreached is the error for a request that got no answer.
func (b *Brain) unreached(err error) *Error {
	e := &Error{Class: Wait, Err: err}
	var badCertificate *tls.CertificateVerificationError
	var notTLS tls.RecordHeaderError
	var noName *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Message = fmt.Sprintf("nothing answers at %s: start the server there, or set %s to where it is",
			b.server(), b.Quirks.addressSetting())
	case errors.As(err, &noName):
		e.Message = fmt.Sprintf("the name %s is not known: check the network and %s", noName.Name,
			b.Quirks.addressSetting())
	case errors.As(err, &badCertificate):
		e.Class, e.Message = Stop, fmt.Sprintf("the certificate of %s does not hold: %s", b.server(),
			b.clean(err.Error()))
	case errors.As(err, &notTLS), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		e.Class, e.Message = Stop, fmt.Sprintf("%s does not speak TLS: should %s begin with http: ?",
			b.server(), b.Quirks.addressSetting())
	default:
		e.Message = fmt.Sprintf("%s cannot be reached (%s): check the network and %s", b.server(),
			b.clean(err.Error()), b.Quirks.addressSetting())
	}
	return e
}

package page

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/plain"
)

// Kind classifies what went wrong with a document, so that a caller can decide what to do.
type Kind string

// The kinds of error. A caller needs no default branch: any other failure on the way is Unreachable.
const (
	BadURL      Kind = "bad URL"     // not an http or https address that can be fetched
	Blocked     Kind = "blocked"     // the address leads to a private or local network
	Robots      Kind = "robots"      // the site's robots.txt asks programs to stay away from it
	Unreachable Kind = "unreachable" // no answer: name, connection, certificate, time
	Status      Kind = "status"      // the server answered with an error, see Error.Status
	Unsupported Kind = "unsupported" // a format that is not text
	TooLarge    Kind = "too large"   // more bytes than the limit
	Empty       Kind = "empty"       // nothing to read in it
	// a captcha, a browser check or a page of scripts came instead
	Challenge Kind = "challenge"
	Login     Kind = "login"     // a sign-in form came instead
	NotFound  Kind = "not found" // the page says that there is no such page, though the server says 200
	Broken    Kind = "broken"    // a document that defeats its reader
)

// Error says what happened to which document and what to do next. Its text is fit for a model and for a log:
// it never contains the query of an address, which may hold keys and search terms.
type Error struct {
	Kind   Kind
	Status int // HTTP status if Kind is Status, otherwise 0

	doing   string // the verb: fetching or reading
	subject string // the address without its secrets
	message string // what happened: what to do next
	cause   error
}

// Error returns one line: verb and address, what happened, what to do next.
func (e *Error) Error() string {
	if e.subject == "" {
		return e.doing + ": " + e.message
	}
	return e.doing + " " + e.subject + ": " + e.message
}

// What returns what happened, without the address and the advice: for a list of files, which shows the name
// anyway, and where advice about the web is of no use.
func (e *Error) What() string {
	if i := strings.LastIndex(e.message, ": "); i >= 0 {
		return e.message[:i]
	}
	return e.message
}

// Unwrap returns the cause, so that errors.Is finds context.Canceled. The cause's own text may contain the
// full address: print the Error, not its cause.
func (e *Error) Unwrap() error { return e.cause }

// NewError makes an error about an address. message is what happened and, after the last colon, what to do.
func NewError(kind Kind, doing, address, message string) *Error {
	return &Error{Kind: kind, doing: doing, subject: shown(address), message: message}
}

// About returns the same error about another document.
func (e *Error) About(address string) *Error {
	other := *e
	other.subject = shown(address)
	return &other
}

// Via returns the same error about a document that redirects to this one.
func (e *Error) Via(address string) *Error {
	other := e.About(address)
	other.message = "it redirects to " + e.subject + ": " + e.message
	return other
}

// Because sets the cause of the error.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// NewUnsupported returns the error for a format that is not text.
func NewUnsupported(doing, address, format string) *Error {
	return NewError(Unsupported, doing, address,
		fmt.Sprintf("this is %s, not text", format)+": look for an HTML, Markdown or text version of it")
}

// NewEmpty returns the error for a document without text.
func NewEmpty(doing, address string) *Error {
	return NewError(Empty, doing, address,
		"there is no text in it; it may need a browser to show any: look for another source of "+
			"the same facts")
}

// NeedsScripts reports whether a browser that runs the page's scripts may show more.
func (e *Error) NeedsScripts() bool {
	return e.Kind == Empty || e.Kind == Challenge && strings.Contains(e.message, withoutScripts)
}

// withoutScripts describes such a page, as the rest of a sentence.
const withoutScripts = "shows nothing without a browser that runs its scripts"

// challenge describes what the page does in does, as the rest of a sentence.
func challenge(address, does string) *Error {
	return NewError(Challenge, "reading", address,
		"the page itself is not open to programs, it "+does+
			": use another source of the same facts, or ask the person to save the page as a file")
}

// NewTooLarge returns the error for a document above the limit; size 0 means that its size is unknown.
func NewTooLarge(doing, address string, size, limit int64) *Error {
	is := "has more than that"
	if size > 0 {
		is = "has " + plain.Size(size)
	}
	return NewError(TooLarge, doing, address, fmt.Sprintf(
		"the limit is %s and this page %s: look for a smaller page or a summary of it",
		plain.Size(limit), is))
}

func broken(address string, cause any) *Error {
	return NewError(Broken, "reading", address,
		fmt.Sprintf("its markup defeats the reader (%.80v): look for another source of the same facts",
			cause))
}

// stopped returns the error for a document that was not read to its end because its context ended.
func stopped(ctx context.Context, address string) *Error {
	return NewError(Broken, "reading", address, "reading was stopped before its end: read it again").
		Because(ctx.Err())
}

// damaged returns the error for a document whose own format is broken.
func damaged(address, message string) *Error {
	return NewError(Broken, "reading", address, message+
		": look for another version of it, or another source of the same facts")
}

// shown returns an address fit for a message: without password, query and fragment, and of limited length.
func shown(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		address = u.Scheme + "://" + u.Host + u.EscapedPath()
	} else {
		address, _, _ = strings.Cut(address, "?")
		if _, after, found := strings.Cut(address, "@"); found && strings.Contains(address, "://") {
			address = after
		}
	}
	address = plain.Line(address)
	if len(address) > 200 {
		address = strings.ToValidUTF8(address[:200], "") + "…"
	}
	return address
}

package markup

import "errors"

// MaxText is how many bytes a text and its Markdown may have; manuals have pages of 2 MB.
const MaxText = 8 << 20

// Document is a text and what it says of itself, in its own words.
type Document struct {
	Title, Author, Published, Language string

	Partial  string // why this is not the whole text, or ""
	Markdown string
}

// NotText is the error for a document that holds no text that can be read. It names what it is instead.
type NotText string

// Error implements error.
func (n NotText) Error() string { return "this is " + string(n) + ", not text" }

// ErrTooLarge is wrapped by the error for a document that is larger, unpacked, than a reader takes.
var ErrTooLarge = errors.New("larger than the limit")

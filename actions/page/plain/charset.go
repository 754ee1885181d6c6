package plain

import (
	"bytes"
	"mime"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/net/html/charset"
)

// guessWindow is how many bytes the charset guess examines: from the first non-ASCII byte on, so that a long
// head of markup does not hide the text. 32 KB are thousands of characters.
const guessWindow = 32 << 10

// Decode converts the body to valid UTF-8. The order is that of browsers: byte order mark, HTTP header, the
// document's own declaration, which only markup has, and then a guess from the bytes.
func Decode(body []byte, contentType string) string {
	if name := UTF16(body); name != "" {
		return decodeAs(name, body)
	}
	if after, found := bytes.CutPrefix(body, []byte("\xef\xbb\xbf")); found {
		return strings.ToValidUTF8(string(after), "\uFFFD")
	}
	declared := ""
	if _, params, err := mime.ParseMediaType(contentType); err == nil {
		declared = canonical(params["charset"])
	}
	if declared == "" && bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		declared = declaredInside(body)
	}
	valid := utf8.Valid(body)
	switch {
	case declared != "" && declared != "utf-8" && !(valid && surelyUTF8(body)):
		return decodeAs(declared, body)
	case valid && !bytes.Contains(body, []byte("\x1b$")): // ISO-2022, which is all ASCII, shifts by it
		return string(body)
	case declared == "utf-8" && mostlyUTF8(body):
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return decodeAs(guess(body), body)
}

// UTF16 returns the form of UTF-16 given by a body's byte order mark, or "".
func UTF16(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return "utf-16le"
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return "utf-16be"
	}
	return ""
}

// canonical returns the standard name for a label, "" for an unknown label.
func canonical(label string) string {
	_, name := charset.Lookup(label)
	return name
}

var charsetInside = regexp.MustCompile(`(?i)(?:charset|encoding)\s*=[\s"']*([^\s"'> ;/?]+)`)

// declaredInside finds charset=… or encoding="…" in the first 2 KB, even after long comments.
func declaredInside(body []byte) string {
	for _, found := range charsetInside.FindAllSubmatch(body[:min(len(body), 2048)], -1) {
		if name := canonical(string(found[1])); strings.HasPrefix(name, "utf-16") {
			return "utf-8" // could not have been read so far if it were true
		} else if name != "" {
			return name
		}
	}
	return ""
}

// surelyUTF8 decides on valid UTF-8: with ten characters beyond ASCII it is nothing else, whatever was
// declared, since only one letter in five of another charset would fit the pattern. Pages saved or moved to a
// new server often keep an old label.
func surelyUTF8(body []byte) bool { return len(body)-utf8.RuneCount(body) >= 10 }

// mostlyUTF8 reports whether a body is UTF-8 with a few bytes spoiled rather than another charset under a
// wrong label: there, nearly every character above ASCII is invalid.
func mostlyUTF8(body []byte) bool {
	good, bad := 0, 0
	for _, r := range string(body) {
		switch {
		case r == utf8.RuneError:
			bad++
		case r >= utf8.RuneSelf:
			good++
		}
	}
	return bad <= good
}

func guess(body []byte) string {
	first := bytes.IndexFunc(body, func(r rune) bool { return r >= utf8.RuneSelf })
	first = max(first, 0)
	window := body[first:min(len(body), first+guessWindow)]
	// UTF-16 whose mark is not at the start of the text is two stray bytes.
	if name := canonical(chardet.Detect(window).Encoding); name != "" && !strings.HasPrefix(name, "utf-16") {
		return name
	}
	return "windows-1252"
}

func decodeAs(name string, body []byte) string {
	encoding, _ := charset.Lookup(name)
	text, err := encoding.NewDecoder().Bytes(body)
	if err != nil {
		text = body // the decoder refuses the whole
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(text), "\uFFFD"), "\uFEFF")
}

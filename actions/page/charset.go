package page

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/net/html/charset"
)

// guessWindow is how many bytes the charset guess looks at: from the first byte that is not ASCII on, so that
// a long head of markup does not hide the text. 32 KB are thousands of characters.
const guessWindow = 32 << 10

// decode turns the body into valid UTF-8. The order is that of browsers: byte order mark, HTTP header, the
// document's own declaration, and then what the bytes themselves say.
func decode(raw Raw, kind string) string {
	body := raw.Body
	if name := utf16BOM(body); name != "" {
		return decodeAs(name, body)
	}
	if after, found := bytes.CutPrefix(body, []byte("\xef\xbb\xbf")); found {
		return strings.ToValidUTF8(string(after), "\uFFFD")
	}
	declared := ""
	if _, params, err := mime.ParseMediaType(raw.ContentType); err == nil {
		declared = canonical(params["charset"])
	}
	if declared == "" && kind == "html" {
		declared = declaredInside(body)
	}
	valid := utf8.Valid(body)
	switch {
	case declared != "" && declared != "utf-8" && !(valid && surelyUTF8(body)):
		return decodeAs(declared, body)
	case valid && !bytes.Contains(body, []byte("\x1b$")): // the shift of ISO-2022, which is all ASCII
		return string(body)
	case declared == "utf-8" && mostlyUTF8(body):
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return decodeAs(guess(body), body)
}

func utf16BOM(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return "utf-16le"
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return "utf-16be"
	}
	return ""
}

// canonical is the standard's name for a label, and "" for a label nobody knows.
func canonical(label string) string {
	_, name := charset.Lookup(label)
	return name
}

// declaredInside finds charset=… of a meta element or encoding="…" of an XML declaration in the first 2 KB;
// the standard looks at the first one, but long comments come before.
func declaredInside(body []byte) string {
	head := strings.ToLower(string(body[:min(len(body), 2048)]))
	for _, key := range [...]string{"charset", "encoding"} {
		for rest := head; ; {
			_, after, found := strings.Cut(rest, key)
			if !found {
				break
			}
			rest = after
			value, equals := strings.CutPrefix(strings.TrimLeft(after, " \t\r\n"), "=")
			if !equals {
				continue
			}
			value = strings.TrimLeft(value, " \t\r\n\"'")
			if end := strings.IndexAny(value, "\"'> ;/?"); end >= 0 {
				value = value[:end]
			}
			switch name := canonical(value); name {
			case "":
			case "utf-16le", "utf-16be": // could not have been read so far if it were true
				return "utf-8"
			default:
				return name
			}
		}
	}
	return ""
}

// surelyUTF8 is about valid UTF-8: with ten characters beyond ASCII it is nothing else, whatever was
// declared, since one letter in five of another charset would fit the pattern. Pages saved or moved to a new
// server often keep an old label.
func surelyUTF8(body []byte) bool {
	return beyondASCII(body) >= 10
}

func beyondASCII(body []byte) int {
	count := 0
	for _, c := range body {
		if c >= 0xc0 { // every character beyond ASCII has one such byte
			count++
		}
	}
	return count
}

// mostlyUTF8 is true for UTF-8 with a few bytes spoiled, and false for another charset under a wrong label:
// there, nearly every character above ASCII is invalid.
func mostlyUTF8(body []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(body); {
		if body[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && size == 1 {
			bad++
		} else {
			good++
		}
		i += size
	}
	return bad <= good
}

func guess(body []byte) string {
	first := bytes.IndexFunc(body, func(r rune) bool { return r >= utf8.RuneSelf })
	first = max(first, 0)
	window := body[first:min(len(body), first+guessWindow)]
	if name := canonical(chardet.Detect(window).Encoding); name != "" {
		return name
	}
	return "windows-1252"
}

func decodeAs(name string, body []byte) string {
	encoding, _ := charset.Lookup(name)
	if encoding == nil {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	text, err := encoding.NewDecoder().Bytes(body)
	if err != nil {
		// x/text decoders replace what they cannot read; an error means a decoder that refuses the whole.
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return strings.TrimPrefix(string(text), "\uFEFF")
}

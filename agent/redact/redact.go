// Package redact removes secrets from what a server said, before anybody sees or keeps it. A server knows the
// key it was asked with, and an error, a reply or a search result may repeat it, even altered.
//
// [Redactor.Text] is the function you want:
//
//	safe := redact.New(key).Text(said)
//
// It finds any piece of eight characters of a key: in upper or lower case, backwards, in base64 or
// hexadecimal, and with escapes of a URL, HTML or JSON, even nested. It cannot find an encoding that only the
// server knows.
package redact

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Mark replaces a piece of a secret.
const Mark = "[key]"

const (
	piece    = 8 // characters: shorter pieces are common words, and reveal little of a key
	shortest = 6 // no service gives out shorter keys
	passes   = 3 // of decoding, for nested escapes
)

// placeholders are set where a server needs no key. They are words that may occur in a text.
var placeholders = []string{
	"ollama", "lm-studio", "lmstudio", "not-needed", "no-key-required", "sk-no-key-required", "unused",
	"required", "placeholder",
}

// Redactor removes some secrets. The zero value removes none.
type Redactor struct {
	pieces map[string]bool // of all forms of the secrets, in lower case
	sizes  []int           // of the pieces
}

// New returns a Redactor for these secrets. It skips empty and very short ones and usual placeholders.
func New(secrets ...string) Redactor {
	r := Redactor{pieces: map[string]bool{}}
	for _, secret := range secrets {
		secret = strings.TrimSpace(secret)
		if len(secret) < shortest || slices.Contains(placeholders, strings.ToLower(secret)) {
			continue
		}
		for _, form := range forms(secret) {
			r.add(lower(form))
			r.add(lower(backwards(form)))
		}
	}
	return r
}

func (r *Redactor) add(form string) {
	size := min(piece, len(form))
	if !slices.Contains(r.sizes, size) {
		r.sizes = append(r.sizes, size)
	}
	for i := range len(form) - size + 1 {
		if p := form[i : i+size]; varied(p) {
			r.pieces[p] = true
		}
	}
}

// varied reports whether a piece is more than a row of equal characters, as in a number or a rule across a
// page.
func varied(piece string) bool {
	seen := map[rune]bool{}
	for _, r := range piece {
		seen[r] = true
	}
	return len(seen) >= 4
}

// forms returns the ways to write a secret. Base64 has three, depending on what precedes it.
func forms(secret string) (all []string) {
	cased := []string{strings.ToUpper(secret), strings.ToLower(secret)}
	for _, changed := range append(cased, secret, backwards(secret)) {
		all = append(all, changed, hex.EncodeToString([]byte(changed)))
		for before := range 3 {
			for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				coded := encoding.EncodeToString(append(make([]byte, before), changed...))
				// the first characters contain bits of what comes before
				all = append(all, coded[(before*8+5)/6:])
			}
		}
	}
	return all
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// lower returns the text in lower case, of the same length in bytes, unlike strings.ToLower.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// Text replaces each piece of a secret by [Mark].
func (r Redactor) Text(text string) string {
	if len(r.pieces) == 0 || text == "" {
		return text
	}
	var found []span
	v := plain(text)
	for range passes {
		found = append(found, r.in(v)...)
		next := v.decoded()
		if len(next.text) == len(v.text) {
			break
		}
		v = next
	}
	found = append(found, r.in(v)...)
	if len(found) == 0 {
		return text
	}
	slices.SortFunc(found, func(a, b span) int { return a.from - b.from })
	var out strings.Builder
	at := 0
	for i, f := range found {
		if f.to <= at {
			continue
		}
		if i == 0 || f.from > at {
			out.WriteString(text[at:f.from])
			out.WriteString(Mark)
		}
		at = f.to
	}
	out.WriteString(text[at:])
	return out.String()
}

// in finds pieces of secrets in a view.
func (r Redactor) in(v view) (found []span) {
	small := lower(string(v.text))
	for _, size := range r.sizes {
		for i := range len(small) - size + 1 {
			if r.pieces[small[i:i+size]] {
				found = append(found, span{v.at[i].from, v.at[i+size-1].to})
			}
		}
	}
	return found
}

// span is a part of a text.
type span struct{ from, to int }

// view is a text with some escapes decoded, and the place of each byte in the original text.
type view struct {
	text []byte
	at   []span
}

func plain(text string) view {
	v := view{[]byte(text), make([]span, len(text))}
	for i := range v.at {
		v.at[i] = span{i, i + 1}
	}
	return v
}

// decoded removes one layer of escapes.
func (v view) decoded() view {
	var out view
	for i := 0; i < len(v.text); {
		plain, size := unescape(v.text[i:])
		for _, c := range []byte(plain) {
			out.text = append(out.text, c)
			out.at = append(out.at, span{v.at[i].from, v.at[i+size-1].to})
		}
		i += size
	}
	return out
}

// unescape decodes the character or escape at the beginning of a text. An invisible character is decoded as
// "".
func unescape(text []byte) (plain string, size int) {
	switch text[0] {
	case '%':
		if code, ok := number(text, 1, 2, 16); ok {
			return string([]byte{byte(code)}), 3
		}
	case '\\':
		return backslash(text)
	case '&':
		const longest = 40 // with leading zeros
		end := slices.Index(text[:min(len(text), longest)], ';')
		if end < 0 {
			break
		}
		if s := html.UnescapeString(string(text[:end+1])); len(s) <= end {
			return s, end + 1
		}
	case 0xe2, 0xef, 0xc2:
		switch r, size := utf8.DecodeRune(text); r {
		case '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad':
			return "", size
		}
	}
	return string(text[:1]), 1
}

// backslash decodes an escape of JSON or a similar format.
func backslash(text []byte) (plain string, size int) {
	if len(text) < 2 {
		return string(text), len(text)
	}
	switch text[1] {
	case 'u':
		if code, ok := number(text, 2, 4, 16); ok {
			return string(rune(code)), 6
		}
	case 'x':
		if code, ok := number(text, 2, 2, 16); ok {
			return string([]byte{byte(code)}), 4
		}
	case '\\', '/', '"', '\'', '-', '_':
		return string(text[1:2]), 2
	}
	return string(text[:1]), 1
}

// number parses so many digits at a position in a text.
func number(text []byte, at, digits, base int) (int, bool) {
	if len(text) < at+digits {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[at:at+digits]), base, 32)
	return int(n), err == nil
}

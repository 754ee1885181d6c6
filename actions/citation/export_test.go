package citation

import "unicode/utf8"

// Locate is what finds a quote, for tests, with its range in bytes.
func Locate(text, quote string) (start, end int, ok bool) {
	p, f, at, ok := locate(text, quote)
	if !ok {
		return 0, 0, false
	}
	in := f.place(at)
	_, size := utf8.DecodeLastRune(p.plain.text[:in.end])
	last := int(p.plain.at[in.end-size])
	_, size = utf8.DecodeRuneInString(text[last:])
	return int(p.plain.at[in.start]), last + size, true
}

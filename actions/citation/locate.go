package citation

import (
	"slices"
	"sort"
	"strings"
)

// gap bounds the text that an ellipsis in a quote may replace, in bytes of the folded text.
const gap = 2000

// page is a text prepared for searching.
type page struct {
	plain plain
	folds map[folding]folded // made when needed
}

// newPage parses a source's text. Indented lines are not code if the source's blocks do not treat them so.
func newPage(text string, indentedCode bool) *page {
	return &page{plainOf(text, indentedCode), map[folding]folded{}}
}

func (p *page) fold(how folding) folded {
	f, made := p.folds[how]
	if !made {
		f = fold(p.plain, how)
		p.folds[how] = f
	}
	return f
}

// all returns the range of the whole plain text.
func (p *page) all() span { return span{0, len(p.plain.text)} }

// needle holds the words of a quote, folded like the text that is searched.
type needle []string

// needleOf folds the text of a quote.
func needleOf(quote string) needle { return needleIn(plain{text: []byte(quote)}, folding{}) }

func needleIn(quote plain, how folding) needle {
	return trimNeedle(strings.Split(strings.Trim(fold(quote, how).text, separator), separator))
}

// trimNeedle removes what a sentence puts inside the marks of a quote: a comma, a stop, an ellipsis.
func trimNeedle(n needle) needle {
	const edges = ellipsis + "'" + blockEnd + codeEnd
	for len(n) > 0 && strings.Contains(edges, n[0]) {
		n = n[1:]
	}
	for len(n) > 0 && strings.Contains(edges+".,;", n[len(n)-1]) {
		n = n[:len(n)-1]
	}
	return n
}

// parts returns the parts between the ellipses of a quote, and those that are long enough to search for.
func (n needle) parts() (all, weighty []needle) {
	for len(n) > 0 {
		i := slices.Index(n, ellipsis)
		if i < 0 {
			i = len(n)
		}
		all = append(all, n[:i])
		if weight(strings.NewReplacer(" - ", "-", " ' ", "'").Replace(strings.Join(n[:i], " "))) >=
			leastPart {
			weighty = append(weighty, n[:i])
		}
		n = n[min(i+1, len(n)):]
	}
	return all, weighty
}

// joined joins the parts of a quote with ellipses.
func joined(parts []needle) needle {
	var n needle
	for _, part := range parts {
		n = append(append(n, part...), ellipsis)
	}
	return trimNeedle(n)
}

// find returns the range of a quote in the text: as a whole, otherwise as its parts between ellipses, in
// order.
func (f folded) find(n needle, in span) (span, bool) {
	if at, ok := f.whole(n, in); ok || len(n) == 0 {
		return at, ok
	}
	parts, weighty := n.parts()
	const most, tries = 12, 1000
	if len(parts) < 2 || len(parts) > most || len(weighty) < len(parts) {
		return span{}, false
	}
	for range tries {
		first, ok := f.whole(trimNeedle(parts[0]), in)
		if !ok {
			break
		}
		if end, ok := f.follow(parts[1:], span{first.end, in.end}); ok {
			return span{first.start, end}, true
		}
		in.start = first.start + 1
	}
	return span{}, false
}

// follow finds parts one after the other, none too far apart or beyond a heading or page end.
func (f folded) follow(parts []needle, in span) (end int, ok bool) {
	for _, part := range parts {
		part = trimNeedle(part)
		behind := in.start
		at, ok := f.whole(part, span{behind - len(separator), min(in.end, behind+gap+len(enclosed(part)))})
		if !ok || strings.Contains(f.text[behind:at.start+len(separator)], blockEnd) {
			return 0, false
		}
		in.start = at.end
	}
	return in.start, true
}

// within returns the range of a part of the plain text: whole words with the separators around them.
func (f folded) within(s span) span {
	behind := func(at int) int {
		k := sort.Search(len(f.at), func(k int) bool { return int(f.at[k]) >= at })
		return k + max(0, strings.Index(f.text[k:], separator))
	}
	return span{behind(s.start), min(behind(s.end)+len(separator), len(f.text))}
}

// whole finds words in a range of the text, but not inside a number.
func (f folded) whole(n needle, in span) (span, bool) {
	wanted := enclosed(n)
	for len(n) > 0 {
		i := strings.Index(f.text[in.start:max(in.start, in.end)], wanted)
		if i < 0 {
			break
		}
		at := span{in.start + i, in.start + i + len(wanted)}
		if place := f.place(at); !f.cutsNumber(place.start) && !f.cutsNumber(place.end) {
			return at, true
		}
		in.start = at.start + 1
	}
	return span{}, false
}

// place returns the range of some words of the text in the plain text.
func (f folded) place(s span) span {
	return span{int(f.at[s.start]), int(f.at[s.end-len(separator)-1])}
}

func (f folded) holds(n needle) bool {
	_, ok := f.find(n, span{0, len(f.text)})
	return ok
}

// find searches a range of the plain text for a quote outside code, also with words joined that are divided
// at the end of a line.
func (p *page) find(n needle, in span) (folded, span, bool) {
	return p.search(n, in, folding{}, folding{rejoin: true})
}

// search searches a range of the plain text for a quote, with each way of folding in turn.
func (p *page) search(n needle, in span, ways ...folding) (f folded, at span, ok bool) {
	for _, how := range ways {
		f = p.fold(how)
		if at, ok = f.find(n, f.within(in)); ok {
			break
		}
	}
	return f, at, ok
}

// locate finds a quote in a Markdown text. Unlike [Check] it also looks inside code blocks. A passage that
// spans headings is found if it includes them.
func locate(text, quote string) (p *page, f folded, at span, ok bool) {
	p = newPage(text, true)
	f, at, ok = p.find(needleOf(plainText(quote)), p.all())
	asCode := needleIn(plainOf(quote, true), folding{code: true})
	for _, n := range []needle{needleOf(plainText(quote)), asCode} {
		if !ok {
			f, at, ok = p.search(n, p.all(), folding{code: true})
		}
	}
	return p, f, at, ok
}

// plainText removes the inline mark-up of a text.
func plainText(markdown string) string {
	var p plain
	p.erase(node{raw: []byte(markdown), pieces: []piece{{0, 0}}})
	return string(p.text)
}

// blocked returns why a quote is not found in a range that has its words, or "".
func (p *page) blocked(n needle, in span) string {
	small := needle(strings.Split(strings.ToLower(strings.Join(n, separator)), separator))
	for _, try := range []struct {
		needle
		how folding
		why string
	}{
		{n, folding{code: true}, "is only in a block of code"},
		{n, folding{open: true}, "runs over a heading or across the end of a page"},
		{small, folding{open: true, lower: true}, "differs in upper and lower case from the text"},
	} {
		if _, _, ok := p.search(try.needle, in, try.how); ok {
			return try.why
		}
	}
	return ""
}

package citation

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// gap is the most that an ellipsis in a quote stands for, in bytes of the folded text.
const gap = 2000

// page is a text made ready to be searched.
type page struct {
	source string
	plain  plain
	folds  map[folding]folded // made when they are needed
}

// newPage reads a source's text. Its indented lines are no code where they are none of its blocks either.
func newPage(text string, indentedCode bool) *page {
	return &page{text, plainOf(text, indentedCode), map[folding]folded{}}
}

func (p *page) fold(how folding) folded {
	f, made := p.folds[how]
	if !made {
		f = fold(p.plain, how)
		p.folds[how] = f
	}
	return f
}

// all is the whole of the plain text.
func (p *page) all() span { return span{0, len(p.plain.text)} }

// needle is the words of a quote, folded as the text is in which it is looked for.
type needle []string

// needleOf folds the text of a quote.
func needleOf(quote string) needle { return needleIn(plain{text: []byte(quote)}, folding{}) }

func needleIn(quote plain, how folding) needle {
	return trimNeedle(strings.Split(strings.Trim(fold(quote, how).text, separator), separator))
}

// trimNeedle takes off what a sentence puts inside the marks of a quote: a comma, a stop, an ellipsis.
func trimNeedle(n needle) needle {
	for len(n) > 0 && slices.Contains([]string{"", ellipsis, "'", blockEnd, codeEnd}, n[0]) {
		n = n[1:]
	}
	for len(n) > 0 &&
		slices.Contains([]string{"", ellipsis, "'", ".", ",", ";", blockEnd, codeEnd}, n[len(n)-1]) {
		n = n[:len(n)-1]
	}
	return n
}

// parts are what is between the ellipses of a quote, and those of them that are long enough to look for.
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

// joined is the parts of a quote with ellipses between them.
func joined(parts []needle) needle {
	var n needle
	for _, part := range parts {
		n = append(append(n, part...), ellipsis)
	}
	return trimNeedle(n)
}

// find returns the words at which a quote is among some: whole, otherwise its parts between ellipses, in
// order.
func (f folded) find(n needle, in span) (span, bool) {
	before := f.at(in.end)
	if at, ok := f.whole(n, in.start, before); ok || len(n) == 0 {
		return at, ok
	}
	parts, weighty := n.parts()
	const most, tries = 12, 1000
	if len(parts) < 2 || len(parts) > most || len(weighty) < len(parts) {
		return span{}, false
	}
	from := in.start
	for range tries {
		first, ok := f.whole(trimNeedle(parts[0]), from, before)
		if !ok {
			break
		}
		if end, ok := f.follow(parts[1:], first.end, before); ok {
			return span{first.start, end}, true
		}
		from = first.start + 1
	}
	return span{}, false
}

// follow finds parts one behind the other, none too far off and none beyond a heading or a page's end.
func (f folded) follow(parts []needle, end, before int) (int, bool) {
	for _, part := range parts {
		part = trimNeedle(part)
		behind := f.at(end)
		at, ok := f.whole(part, end, min(before, behind+gap+len(enclosed(part))))
		if !ok || strings.Contains(f.text[behind:f.at(at.start)], blockEnd) {
			return 0, false
		}
		end = at.end
	}
	return end, true
}

// within are the words in a stretch of the plain text.
func (f folded) within(s span) span {
	behind := func(at int) int {
		return sort.Search(len(f.words), func(k int) bool { return f.words[k].plain.start >= at })
	}
	return span{behind(s.start), behind(s.end)}
}

// at is where a word begins in the folded text.
func (f folded) at(word int) int {
	if word == len(f.words) {
		return len(f.text)
	}
	return f.words[word].at
}

// whole finds words from a word of the text on, before an offset, and not in the midst of a number.
func (f folded) whole(n needle, from, before int) (span, bool) {
	wanted := enclosed(n)
	for len(n) > 0 && from < len(f.words) {
		begin := f.at(from) - len(separator)
		i := strings.Index(f.text[begin:max(begin, min(before, len(f.text)))], wanted)
		if i < 0 {
			break
		}
		start := sort.Search(len(f.words),
			func(k int) bool { return f.words[k].at >= begin+i+len(separator) })
		end := start + len(n)
		if end > len(f.words) {
			break
		}
		if !f.cutsNumber(f.words[start].plain.start) && !f.cutsNumber(f.words[end-1].plain.end) {
			return span{start, end}, true
		}
		from = start + 1
	}
	return span{}, false
}

func (f folded) holds(n needle) bool {
	_, ok := f.find(n, span{0, len(f.words)})
	return ok
}

// find looks for a quote in a stretch of the plain text outside code, and where a word is divided at a line's
// end, for the word as one, too.
func (p *page) find(n needle, in span) (folded, span, bool) {
	f := p.fold(folding{})
	at, ok := f.find(n, f.within(in))
	if !ok && f.divided {
		f = p.fold(folding{rejoin: true})
		at, ok = f.find(n, f.within(in))
	}
	return f, at, ok
}

// original is where words of a folded text are in the source, and in its plain text.
func (p *page) original(f folded, s span) (inSource, inPlain span) {
	inPlain = span{f.words[s.start].plain.start, f.words[s.end-1].plain.end}
	_, size := utf8.DecodeLastRune(p.plain.text[:inPlain.end])
	end := int(p.plain.at[inPlain.end-size])
	_, size = utf8.DecodeRuneInString(p.source[end:])
	return span{int(p.plain.at[inPlain.start]), end + size}, inPlain
}

// locate finds a quote in a Markdown text, folded as [Check] folds it, and returns its range in bytes. Unlike
// Check it also looks inside code blocks, so that it finds any passage copied from the text. A passage that
// spans headings is found if it includes them.
func locate(text, quote string) (start, end int, ok bool) {
	p := newPage(text, true)
	n := needleOf(plainText(quote))
	f, at, ok := p.find(n, p.all())
	for _, n := range []needle{n, needleIn(plainOf(quote, true), folding{code: true})} {
		if !ok {
			f = p.fold(folding{code: true})
			at, ok = f.find(n, f.within(p.all()))
		}
	}
	if !ok {
		return 0, 0, false
	}
	place, _ := p.original(f, at)
	return place.start, place.end, true
}

// plainText takes the inline mark-up off a text.
func plainText(markdown string) string {
	var p plain
	p.erase(node{raw: []byte(markdown), pieces: []piece{{0, 0}}})
	return string(p.text)
}

// blocked says what keeps a quote from being in a stretch that has its words, "" when it has not.
func (p *page) blocked(n needle, in span) string {
	code, open := p.fold(folding{code: true}), p.fold(folding{open: true})
	if _, ok := code.find(n, code.within(in)); ok {
		return "is only in a block of code"
	}
	if _, ok := open.find(n, open.within(in)); ok {
		return "runs over a heading or across the end of a page"
	}
	open.text = strings.ToLower(open.text)
	lower := strings.Split(strings.ToLower(strings.Join(n, separator)), separator)
	if _, ok := open.find(lower, open.within(in)); ok {
		return "differs in upper and lower case from the text"
	}
	return ""
}

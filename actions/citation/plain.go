package citation

import "sort"

// span is a stretch of a text, in bytes.
type span struct{ start, end int }

func (s span) stretch() span { return s }

// overlapping are those of some stretches, which are in order, that share a byte with one.
func overlapping[T interface{ stretch() span }](all []T, s span) []T {
	from := sort.Search(len(all), func(i int) bool { return all[i].stretch().end > s.start })
	n := sort.Search(len(all)-from, func(i int) bool { return all[from+i].stretch().start >= s.end })
	return all[from : from+n]
}

// inside reports whether an offset is in one of some stretches, which are in order.
func inside[T interface{ stretch() span }](all []T, i int) bool {
	return len(overlapping(all, span{i, i + 1})) > 0
}

// plain is a text without its Markdown, and for each of its bytes the offset where it comes from.
type plain struct {
	text []byte
	at   []int32
	code []span // blocks of code
	bits []span // spans of code in a line of text
}

// The marks that divide the blocks of a plain text. Nothing from outside can hold them: an eraser drops
// control characters.
const (
	wall     = 0x00 // around a heading, and where a page ends: no quote runs across
	codeWall = 0x01 // where a block of code was
)

func (p *plain) put(at int, text ...byte) {
	for range text {
		p.at = append(p.at, int32(at))
	}
	p.text = append(p.text, text...)
}

// plainOf reads a whole Markdown text.
func plainOf(source string, indentedCode bool) plain {
	all := nodes([]byte(source), indentedCode)
	var p plain
	for _, b := range all {
		switch b.kind {
		case pageBreak:
			p.put(p.last(), wall)
		case heading:
			p.put(b.pieces[0].text, wall)
			p.erase(b)
			p.put(p.last(), wall)
		case code:
			start := len(p.text)
			for i, c := range b.raw {
				if c >= ' ' || c == '\n' || c == '\t' {
					p.put(b.textAt(i), c)
				}
			}
			p.code = append(p.code, span{start, len(p.text)})
			p.put(p.last(), '\n')
		default:
			p.erase(b)
			p.put(p.last(), '\n')
		}
	}
	return p
}

// within is what comes from a stretch of the whole text.
func (p *plain) within(from, to int) span {
	behind := func(at int) int {
		return sort.Search(len(p.at), func(i int) bool { return int(p.at[i]) >= at })
	}
	return span{behind(from), behind(to)}
}

func (p *plain) last() int {
	if len(p.at) == 0 {
		return 0
	}
	return int(p.at[len(p.at)-1])
}

// textAt is where an offset of raw is in the whole text.
func (b *node) textAt(raw int) int {
	i := sort.Search(len(b.pieces), func(i int) bool { return b.pieces[i].raw > raw })
	piece := b.pieces[max(0, i-1)]
	return piece.text + raw - piece.raw
}

package citation

import (
	"bytes"
	"unicode/utf8"
)

// blocked says what keeps a quote from being found in the text proper of a source that holds its words.
func (p *page) blocked(needle []byte) string {
	if _, ok := fold(p.plain, true, false).find(needle); ok {
		return "stands only in a block of code"
	}
	open := p.prose.withoutWalls()
	if _, ok := open.find(needle); ok {
		return "runs over a heading or across the end of a page"
	}
	open.text, needle = bytes.ToLower(open.text), bytes.ToLower(needle)
	if _, ok := open.find(needle); ok {
		return "differs in upper and lower case from the text"
	}
	return ""
}

// withoutWalls puts a blank where a heading or a page ends, if it is kept between the words there.
func (f folded) withoutWalls() folded {
	var out folded
	walls := false
	for i, c := range f.text {
		if c <= codeWall {
			walls = true
			continue
		}
		if walls {
			before, _ := utf8.DecodeLastRune(out.text)
			after, _ := utf8.DecodeRune(f.text[i:])
			if isSpaced(before) && isSpaced(after) {
				out.text = append(out.text, ' ')
			}
			walls = false
		}
		out.text = append(out.text, c)
	}
	return out
}

// gram is how many bytes of a folded text are compared at once to find what is like a quote.
const gram = 8

// nearest finds the passage of a source that is most like a quote, and how much of it is like it, in percent. Less than a third is nothing.
func (p *page) nearest(needle []byte) (passage string, likeness int) {
	if len(needle) < 2*gram {
		return "", 0
	}
	offsets := map[string]int{}
	for q := 0; q+gram <= len(needle); q++ {
		offsets[string(needle[q:q+gram])] = q
	}
	const width = 32 // how far letters may have moved
	lanes := map[int]lane{}
	var best lane
	text := p.prose.text
	for i := 0; i+gram <= len(text); i++ {
		if q, ok := offsets[string(text[i:i+gram])]; ok {
			k := (i - q + len(needle)) / width
			lanes[k] = lanes[k].with(i - q)
			if joined := lanes[k].joined(lanes[k-1]); joined.votes > best.votes {
				best = joined
			}
		}
	}
	likeness = min(100*best.votes/(len(needle)-gram+1), 99)
	const least = 33
	if likeness < least {
		return "", 0
	}
	from := max(0, best.first)
	to := max(from+1, min(best.last+len(needle), len(text)))
	for from > 0 && insideWord(text, from) {
		from--
	}
	for to < len(text) && insideWord(text, to) {
		to++
	}
	_, at := p.original(p.prose, span{runeStart(text, from), to})
	return oneLine(printable(string(p.plain.text[at.start:at.end]))), likeness
}

// lane counts matches that have about the same distance between quote and text.
type lane struct{ votes, first, last int }

func (l lane) with(distance int) lane {
	if l.votes == 0 {
		return lane{1, distance, distance}
	}
	return lane{l.votes + 1, min(l.first, distance), max(l.last, distance)}
}

func (l lane) joined(other lane) lane {
	if other.votes == 0 {
		return l
	}
	return lane{l.votes + other.votes, min(l.first, other.first), max(l.last, other.last)}
}

// runeStart goes back to where a character begins.
func runeStart(text []byte, i int) int {
	for i > 0 && i < len(text) && text[i]&0xc0 == 0x80 {
		i--
	}
	return i
}

// printable drops the marks that a plain text has between its blocks.
func printable(text string) string {
	return string(bytes.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, []byte(text)))
}

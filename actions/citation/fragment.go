package citation

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// Link is the web address of a citation, its passage, and the passage's place on the page.
type Link struct{ Passage, Place, Address string }

// Links returns the passages that a report cites and, for a web source, the address that opens it there.
func Links(report string, lookup Lookup) map[workspace.Ref]Link {
	links := map[workspace.Ref]Link{}
	c := checker{lookup: lookup, sources: map[string]*cited{}}
	for _, m := range workspace.Marks(withoutOwn(report)) {
		for _, ref := range m.Refs {
			if _, done := links[ref]; done || ref.Block == 0 {
				continue
			}
			s := c.source(ref.ID)
			if ref.Block > len(s.blocks) {
				continue
			}
			b := s.blocks[ref.Block-1]
			links[ref] = Link{excerptOf(s.Source, b), whereIn(s.Source, b),
				s.page.fragment(webAddress(s.Source), b)}
		}
	}
	return links
}

// fragment returns the address of a page opened at a block of its text: with a text fragment,
// #:~:text=start,end, after any other fragment. The words are the page's own, so that browsers find them. For
// a code block, or if the address is not a web address, it is returned unchanged.
func (p *page) fragment(address string, b block.Block) string {
	if !isWeb(address) {
		return address
	}
	f, at, ok := p.find(needleOf(plainBlock(b)), p.plain.within(b.Start, b.End))
	if !ok {
		return address
	}
	directive := textDirective(p.plain.text, f.place(at))
	if directive == "" {
		return address
	}
	base, fragment, _ := strings.Cut(address, "#")
	fragment, _, _ = strings.Cut(fragment, ":~:")
	return base + "#" + fragment + ":~:text=" + directive
}

func isWeb(address string) bool {
	scheme, rest, ok := strings.Cut(address, "://")
	return ok && rest != "" && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// wholeQuote is the maximum width, in columns, of a quote that is given as a whole, not just by its two ends.
const wholeQuote = 60

// textDirective returns the directive for a passage, in words of the text.
func textDirective(text []byte, place span) string {
	passage := text[place.start:place.end]
	lines := bytes.FieldsFunc(passage, isBreak)
	if len(lines) == 0 {
		return ""
	}
	if len(lines) == 1 && columns(string(passage)) <= wholeQuote {
		return encode(string(passage))
	}
	first, last := lines[0], lines[len(lines)-1]
	starts := each(cuts(first), func(at int) []byte { return first[:at] })
	ends := each(cuts(last), func(at int) []byte { return last[at:] })
	slices.Reverse(ends)
	start := shortest(first, starts, func(s []byte) bool { return bytes.Index(text, s) == place.start })
	end := shortest(last, ends,
		func(s []byte) bool { return bytes.Index(passage, s) == len(passage)-len(s) })
	if len(lines) == 1 && len(start)+len(end) >= len(lines[0]) {
		return encode(string(passage))
	}
	return encode(strings.TrimRightFunc(start, isEdge)) + "," + encode(strings.TrimLeftFunc(end, isEdge))
}

// isEdge reports whether a character at the inner end of a part may be left out.
func isEdge(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }

// isBreak reports whether a block, a cell or a line may end here. No part of a directive spans two blocks.
func isBreak(r rune) bool { return r == '\n' || r == '\t' || r <= codeWall }

// enough is the weight of a part of a directive: four English words or eight Chinese characters.
const enough = 8

// shortest returns the first of some parts of a line with enough weight that is found at its place, otherwise
// the last with enough weight, or the line.
func shortest(line []byte, parts [][]byte, isFound func(part []byte) bool) string {
	for _, part := range parts {
		if weight(string(part)) >= enough {
			if line = part; isFound(part) {
				break
			}
		}
	}
	return string(line)
}

var cutMark = regexp.MustCompile(`[\s\pZ]|[^\PP'’\-.,_]`)

// cuts lists where a line can be split so that all browsers see the end of a word.
func cuts(line []byte) []int {
	all := each(cutMark.FindAllIndex(line, -1), func(at []int) int { return at[0] })
	return slices.DeleteFunc(all, func(at int) bool { return at == 0 })
}

// encode percent-encodes a part of a directive, also the special characters - and , and &.
func encode(part string) string {
	return strings.NewReplacer("+", "%20", "-", "%2D").Replace(
		url.QueryEscape(prose.OneLine(printable(part))))
}

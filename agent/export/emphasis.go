package export

import (
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// emphasisParser reads * and ** in Chinese, Japanese and Korean, which write no spaces: CommonMark, which
// tells opening from closing marks by them, leaves those of **重要：**文字 in the text.
type emphasisParser struct{}

// Trigger names the characters that begin it.
func (emphasisParser) Trigger() []byte { return []byte{'*', '_'} }

// Parse reads a run of marks.
func (p emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	mark := parser.ScanDelimiter(line, before, 1, p)
	if mark == nil {
		return nil
	}
	after, _ := utf8.DecodeRune(line[mark.OriginalLength:])
	if mark.Char == '*' && mark.OriginalLength < len(line) && (isWide(before) || isWide(after)) {
		mark.CanOpen, mark.CanClose = flanks(before, after), flanks(after, before)
	}
	mark.Segment = segment.WithStop(segment.Start + mark.OriginalLength)
	block.Advance(mark.OriginalLength)
	pc.PushDelimiter(mark)
	return mark
}

// flanks says whether marks may belong to what stands on their inner side.
func flanks(outer, inner rune) bool {
	return !unicode.IsSpace(inner) &&
		(!isMark(inner) || unicode.IsSpace(outer) || isMark(outer) || isWide(outer))
}

// isMark says whether a character is punctuation of a language that writes spaces.
func isMark(r rune) bool { return !isWide(r) && (unicode.IsPunct(r) || unicode.IsSymbol(r)) }

// isWide says whether a character is of a script that writes no spaces, or of its punctuation.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}

func (emphasisParser) IsDelimiter(b byte) bool { return b == '*' || b == '_' }

// CanOpenCloser says whether two marks fit.
func (emphasisParser) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch makes the node of a pair: 1 is emphasis, 2 is strong.
func (emphasisParser) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }

// Package block divides the text of a source into numbered blocks, so that a claim can name the very passage
// that supports it.
//
// A block is a paragraph, a list item, a table row or a code block. [Split] numbers the blocks of a Markdown
// text from 1 in their order; the same text always gets the same numbers. A block longer than 1,200 bytes is
// split into several. Headings and table heads have no number: each block knows the headings above it, and a
// row knows its table's head.
//
//	for _, b := range block.Split(text) {
//		fmt.Printf("[s5.%d] %s\n", b.N, b.Text)
//	}
package block

import (
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a block.
type Kind int

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Item           // of a list, without its nested items
	Row            // of a table
	Code
	Links // definitions of link targets, which state nothing
)

// maxLength is the maximum length of a block, in bytes. 1,200 bytes are some 300 tokens of English: enough
// for a long paragraph, and short enough for a checker to judge a claim against.
const maxLength = 1200

// Block is a stretch of a source's text.
type Block struct {
	N        int // from 1
	Kind     Kind
	Headings []string // those above it, the outermost first, as Markdown without the leading marks
	Head     string   // of a Row: the head of its table, with the line below it
	Term     string   // of the definition that it is part of, not its own, as Markdown; "" for none
	Page     int      // of a paged document, from 1; 0 if the text has no page marks
	Text     string   // to the letter, with the marks of its list, its table or its fence
	Start    int      // offset of Text in the whole text, in bytes
	End      int      // where it ends
	Goes     bool     // it continues the block before it, which would have been too long
}

// pieces splits a block at blank lines, between sentences, between words, or at worst anywhere.
func pieces(text string, kind Kind) [][2]int {
	var all [][2]int
	for start := 0; start < len(text); {
		end := len(text)
		if end-start > maxLength {
			end = start + divide(text[start:], kind)
		}
		from, to := trimmed(text, start, end)
		if from < to {
			all = append(all, [2]int{from, to})
		}
		start = end
	}
	return all
}

// trimmed excludes the blank lines and spaces around a piece; the indentation of its first line stays.
func trimmed(text string, start, end int) (from, to int) {
	to = start + len(strings.TrimRight(text[start:end], " \t\r\n"))
	for from = start; from < to; {
		line := strings.IndexByte(text[from:to], '\n')
		if line < 0 || strings.TrimSpace(text[from:from+line]) != "" {
			break
		}
		from += line + 1
	}
	return from, to
}

// divide returns the length, in bytes, of the first piece of a text that is too long.
func divide(text string, kind Kind) int {
	limit := maxLength
	for !utf8.RuneStart(text[limit]) {
		limit--
	}
	ends := []string{". ", ".\n", "! ", "!\n", "? ", "?\n", "。", "！", "？", "；", "; ", ";\n"}
	if kind == Code {
		ends = []string{"\n\n"}
	}
	best := 0
	for _, end := range ends {
		if i := strings.LastIndex(text[:limit], end); i >= 0 {
			best = max(best, i+len(end))
		}
	}
	for _, end := range []string{"\n", " "} {
		if best < limit/3 { // no short first piece before a long one
			best = max(best, strings.LastIndex(text[:limit], end)+len(end))
		}
	}
	if best < limit/3 {
		return limit
	}
	return best
}

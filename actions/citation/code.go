package citation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// maxListings bounds how many blocks of code belong to one citation.
const maxListings = 20

// code gives a block of code to the citation that introduces it, or to the one right behind it.
func (r *Report) code(x *passage) {
	r.samples += string(x.raw) + "\n"
	to := &r.listings
	if k := len(r.intros); k > 0 {
		to = &r.claims[r.intros[k-1].claim].code
	}
	if len(*to) < maxListings {
		*to = append(*to, agent.Rearm(string(x.raw)))
	}
}

// ownRemark is a comment in a block of code: its author's, who may name there what no source does. A line
// that begins with # may be a command at the prompt of root, and "--" between words an end of options.
var ownRemark = regexp.MustCompile(
	`(?m)^[ \t]*(?://|--[ \t]|;).*$|([;{}),])[ \t]*(?://|--)[ \t].*$|(\S[ \t]+)#[ \t].*$`)

// lookForCode compares the blocks of code of a claim with its passages. A block that is not there as it is,
// but with nearly all its words, is a copy, and a name in it that is nowhere in the source was changed. Code
// with more words of its own is left alone: it may be an example of the author's.
func (m *comparison) lookForCode() {
	for _, listing := range m.claim.code {
		line := prose.OneLine(listing)
		if m.some(func(e *evidence) bool { return e.n > 0 && strings.Contains(e.listing().line, line) }) {
			m.copied++
			continue
		}
		listing = ownRemark.ReplaceAllString(listing, "$1$2")
		if changed := m.changedLine(listing); changed != "" {
			m.quotes = append(m.quotes, changed)
			continue
		}
		known, missing := map[string]bool{}, 0
		var changed []string
		for _, place := range codeWord.FindAllStringIndex(listing, -1) {
			at, word := place[0], listing[place[0]:place[1]]
			isKnown := known[word]
			known[word] = true
			if isKnown || m.some(func(e *evidence) bool { return e.n > 0 && e.listing().words[word] }) {
				continue
			}
			elsewhere := m.some(func(e *evidence) bool { return e.n > 0 && e.source.code()[word] })
			if missing++; isName(listing, at, word) && !elsewhere {
				changed = append(changed, word)
			}
		}
		const most = 5 // times as many words are there
		if missing*most <= len(known) {
			m.names = append(m.names, changed...)
		}
	}
}

// changedLine is the first line of a block of code that its passage lacks, if the claim says that the block
// is from there. The first and the last may be parts of a line; remarks of the author's are left out.
func (m *comparison) changedLine(listing string) string {
	text := strings.Trim(m.claim.Text, " :：")
	if text != prose.CodeFrom && text != prose.Chinese.Say(prose.CodeFrom) {
		return ""
	}
	lines := slices.DeleteFunc(strings.Split(listing, "\n"), func(line string) bool {
		return !prose.HasWord(line) || strings.HasPrefix(line, "```") || comment.MatchString(line)
	})
	for i, line := range lines {
		line = prose.OneLine(line)
		isEdge := i == 0 || i == len(lines)-1
		isThere := func(e *evidence) bool {
			return e.n > 0 && (strings.Contains(e.listing().lines, "\n"+line+"\n") ||
				isEdge && strings.Contains(e.listing().line, line))
		}
		if !m.some(isThere) {
			return line
		}
	}
	return ""
}

// comment is a line that is one, as the shell writes it.
var comment = regexp.MustCompile(`^[ \t]*#\s`)

var quoteMarks = regexp.MustCompile(`(?m)^[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:>[ \t]?)+`)

// listing is a passage with its neighbours as code is looked for in it, with and without marks of quotes.
type listing struct {
	line  string // all of it in one
	lines string // each between two line ends, without the author's remarks
	words map[string]bool
}

func (e *evidence) listing() *listing {
	if e.asCode == nil { // the text of the source itself: nothing is taken off but the marks of quotes
		bare := quoteMarks.ReplaceAllString(e.text, "")
		line, both := prose.OneLine(e.text)+"\n"+prose.OneLine(bare), e.text+"\n"+bare+"\n"
		var lines strings.Builder
		lines.WriteString("\n")
		for one := range strings.Lines(both + ownRemark.ReplaceAllString(both, "$1$2")) {
			lines.WriteString(prose.OneLine(one) + "\n")
		}
		e.asCode = &listing{line, lines.String(), codeSet(e.text + "\n" + e.plain + "\n" + e.around)}
	}
	return e.asCode
}

func (s *cited) code() map[string]bool {
	if s.words == nil {
		s.words = codeSet(s.Text)
	}
	return s.words
}

func codeSet(text string) map[string]bool {
	all := map[string]bool{}
	for _, word := range codeWord.FindAllString(text, -1) {
		all[word] = true
	}
	return all
}

// codeWord is a word that could be a name: with a letter, and longer than one.
var codeWord = regexp.MustCompile(`[0-9_]*[A-Za-z][0-9A-Za-z_]+|[0-9_]+[A-Za-z]`)

// isName reports whether a word of code is no word of a comment, by its form or what is right beside it.
func isName(code string, at int, word string) bool {
	hump := strings.ContainsAny(word[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && word != strings.ToUpper(word)
	return hump || strings.ContainsAny(word, "_0123456789") ||
		strings.IndexAny(code[at+len(word):], "(=[") == 0 || at > 0 && strings.Contains(".-$@", code[at-1:at])
}

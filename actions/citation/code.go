package citation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// maxListings bounds the code blocks of one citation.
const maxListings = 20

// code assigns a code block to the citation that introduces it, or to the one right after it.
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

// ownRemark matches a comment in a code block: it is the author's, who may use names that no source has. A
// line that begins with # may be a command at a root prompt, and "--" between words the end of options.
var ownRemark = regexp.MustCompile(
	`(?m)^[ \t]*(?://|--[ \t]|;).*$|([;{}),])[ \t]*(?://|--)[ \t].*$|(\S[ \t]+)#[ \t].*$`)

// lookForCode compares the code blocks of a claim with its passages. A block that is not there exactly, but
// with nearly all its words, is a copy; a name in it that is nowhere in the source was changed. Code with
// more words of its own is left alone: it may be an example by the author.
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
		const most = 5 // at least this many times as many words are there
		if missing*most <= len(known) {
			m.names = append(m.names, changed...)
		}
	}
}

// changedLine returns the first line of a code block that its passage lacks, if the claim says that the block
// is from there. The first and last lines may be partial; the author's comments are left out.
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

// comment matches a comment line in shell syntax.
var comment = regexp.MustCompile(`^[ \t]*#\s`)

var quoteMarks = regexp.MustCompile(`(?m)^[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:>[ \t]?)+`)

// listing is a passage with its neighbours, prepared for searching code, with and without quote marks.
type listing struct {
	line  string // all of it in one line
	lines string // each between two line ends, without comments
	words map[string]bool
}

func (e *evidence) listing() *listing {
	if e.asCode == nil { // the text of the source itself: only quote marks are removed
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

// codeWord matches a word that could be a name: longer than one character, with a letter.
var codeWord = regexp.MustCompile(`[0-9_]*[A-Za-z][0-9A-Za-z_]+|[0-9_]+[A-Za-z]`)

// isName reports whether a word of code is a name, and not from a comment, by its form or its neighbours.
func isName(code string, at int, word string) bool {
	hump := strings.ContainsAny(word[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && word != strings.ToUpper(word)
	return hump || strings.ContainsAny(word, "_0123456789") ||
		strings.IndexAny(code[at+len(word):], "(=[") == 0 || at > 0 && strings.Contains(".-$@", code[at-1:at])
}

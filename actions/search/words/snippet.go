package words

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Snippet returns at most most characters of a text, which is given by its sentences: those with most of the
// wanted terms, in the text's order, and some of what follows them. A text that holds none of the terms is
// shown by its beginning.
func Snippet(sentences []string, wanted []Term, most int) string {
	text := strings.Join(sentences, " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	held, order := make([]int, len(sentences)), make([]int, len(sentences))
	for i, s := range sentences {
		held[i], order[i] = len(Sightings(s, wanted)), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(held[b], held[a]) })
	if held[order[0]] == 0 {
		return Capped(text, most)
	}
	shown, room := map[int]bool{}, most
	for _, i := range order {
		size := utf8.RuneCountInString(sentences[i]) + 3 // a space and two ellipses at worst
		if held[i] > 0 && size <= room {
			shown[i], room = true, room-size
		}
	}
	if len(shown) == 0 {
		return stretch(sentences[order[0]], wanted, most)
	}
	snippet, last := "", -1
	for i, s := range sentences {
		if !shown[i] {
			continue
		}
		switch {
		case i > last+1 && last < 0:
			snippet = "… "
		case i > last+1:
			snippet += " … "
		case i > 0:
			snippet += " "
		}
		snippet, last = snippet+s, i
	}
	const enough = 60 // characters: less of the next sentence says nothing
	if rest := most - utf8.RuneCountInString(snippet); rest > enough && last+1 < len(sentences) {
		snippet += " " + Capped(strings.Join(sentences[last+1:], " "), rest-1)
	}
	return snippet
}

// stretch returns a part of a sentence too long to be shown whole, from shortly before the first wanted word.
func stretch(sentence string, wanted []Term, most int) string {
	at := slices.Min(slices.Collect(maps.Values(Sightings(sentence, wanted))))
	before := []rune(sentence[:at])
	if margin := most / 8; len(before) > margin {
		lead := string(before[len(before)-margin:])
		if _, words, found := strings.Cut(lead, " "); found {
			lead = words
		}
		sentence = "…" + lead + sentence[at:]
	}
	return Capped(sentence, most)
}

var sentenceEnd = regexp.MustCompile(`[。！？；]|[.!?] `)

// Sentences cuts text after its full stops. "et al. 2017" is cut too, and is whole again when both halves are
// shown.
func Sentences(text string) []string {
	var list []string
	start := 0
	for _, end := range sentenceEnd.FindAllStringIndex(text, -1) {
		list = append(list, strings.TrimSpace(text[start:end[1]]))
		start = end[1]
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		list = append(list, rest)
	}
	return list
}

// Sightings returns the offset in bytes of each wanted term's first occurrence in a text, by its place in
// wanted. The index knows better which words are forms of one, but does not say where it found them.
func Sightings(text string, wanted []Term) map[int]int {
	first := map[int]int{}
	for _, w := range Split(text) {
		stemmed := ""
		if !w.Dense {
			stemmed = prose.Stem(w.Text)
		}
		for i, t := range wanted {
			at := -1
			switch {
			case t.Dense && w.Dense:
				at = strings.Index(w.Text, t.Text)
			case !t.Dense && !w.Dense && t.Stem == stemmed:
				at = 0
			}
			if _, known := first[i]; !known && at >= 0 {
				first[i] = w.Start + at
			}
		}
	}
	return first
}

var (
	link     = regexp.MustCompile(`!?\[((?:[^\[\]\\\n]|\\.|\[[^\[\]\n]*\])*)\]\((?:[^()\n]|\([^()\n]*\))*\)`)
	emphasis = regexp.MustCompile(`\*([^\s*()][^*\n]*)\*`)
	marks    = strings.NewReplacer(`\|`, "|", "|", " ", "**", "", "~~", "", "`", "")
)

// Plain removes the marks of Markdown from a text and leaves its words. It also removes the targets of links,
// since a page is not about those, fences, page marks, and the rule under a table's head.
func Plain(markdown string) string {
	if !strings.ContainsAny(markdown, "`*[>\\|#~-<") {
		return markdown
	}
	var b strings.Builder
	for line := range strings.Lines(markdown) {
		line = strings.TrimLeft(line, " \t>#")
		isFence, isPage := strings.HasPrefix(line, "```"), strings.HasPrefix(line, "<!-- page ")
		if isFence || isPage || strings.Trim(line, "-|:= \r\n") == "" {
			b.WriteByte('\n')
			continue
		}
		if strings.Contains(line, "](") { // a picture may be the text of a link
			line = link.ReplaceAllString(link.ReplaceAllString(line, "$1"), "$1")
		}
		b.WriteString(prose.Unescaped(emphasis.ReplaceAllString(marks.Replace(line), "$1")))
	}
	return b.String()
}

// Capped returns text of at most most characters. It cuts at a space if one is near, and shows the cut.
func Capped(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	cut := []rune(text)[:most-1]
	for at := len(cut) - 1; at >= most*4/5; at-- {
		if cut[at] == ' ' {
			cut = cut[:at]
			break
		}
	}
	return strings.TrimRightFunc(string(cut), unicode.IsSpace) + "…"
}

// Spoken returns the words of an excerpt, whatever dots and signs are around them.
func Spoken(text string) string {
	var spoken strings.Builder
	for _, w := range Split(text) {
		spoken.WriteString(w.Text + " ")
	}
	return spoken.String()
}

package actions

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastSentence is how many bytes a sentence has at least that is looked for on its own: a Chinese one says in four characters what an
// English one says in twelve. What is shorter goes with the next.
const leastSentence = 12

// keepSentences keeps what stands in the part of a line that does not stand there as a whole, since readers leave sentences out in
// between. The rest is counted, but for the words in which a reader announces what follows.
func (p *passages) keepSentences(part, line string) {
	kept, missing, last := 0, 0, -1
	for _, sentence := range sentencesOf(unwrapped(strings.TrimSpace(line))) {
		start, end, ok := located(part, sentence)
		switch {
		case !ok && strings.HasSuffix(strings.TrimRight(sentence, "*_ "), ":"), !ok && strings.HasSuffix(sentence, "："):
		case !ok:
			missing++
		case last >= 0 && last <= start && strings.TrimSpace(part[last:start]) == "" && len(p.found) > 0:
			p.found[len(p.found)-1] += part[last:end]
			kept, last = kept+1, end
		case p.add(part[start:end]):
			kept, last = kept+1, end
		default:
			kept, last = kept+1, -1 // it is there already
		}
	}
	if kept == 0 {
		missing = min(missing, 1)
	}
	p.invented += missing
}

// add puts a passage to the others, unless one of them holds it.
func (p *passages) add(passage string) bool {
	passage = strings.TrimSpace(passage)
	if slices.ContainsFunc(p.found, func(other string) bool { return strings.Contains(other, passage) }) {
		return false
	}
	p.found = append(p.found, passage)
	return true
}

// sentencesOf divides a text where a sentence ends, and where an ellipsis says that something was left out.
func sentencesOf(text string) []string {
	const gap = '\x00'
	text = strings.NewReplacer("[…]", string(gap), "[...]", string(gap), "……", string(gap), "…", string(gap), "...", string(gap)).Replace(text)
	var list []string
	start := 0
	take := func(stop int) {
		if s := strings.TrimSpace(strings.Trim(text[start:stop], string(gap))); s != "" {
			list = append(list, s)
		}
		start = stop
	}
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:]) // not by r, which stands for a broken byte, too
		stop := i + size
		next, _ := utf8.DecodeRuneInString(text[stop:])
		ends := strings.ContainsRune("。！？", r) || strings.ContainsRune(".!?", r) && (unicode.IsSpace(next) || strings.ContainsRune("\"”’)", next))
		if r == gap || ends && len(strings.TrimSpace(text[start:stop])) >= leastSentence {
			take(stop)
		}
	}
	take(len(text))
	return list
}

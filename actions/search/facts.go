package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	factSize  = 80       // characters of one fact; a venue's name may be longer than what is said there
	factsSize = 170      // characters of all facts of a snippet: the rest is for the text
	maxText   = 64 << 10 // bytes of a text that are looked through; the longest abstracts have a tenth of it
)

// snippetOf is a snippet of the facts that help to choose, then those sentences of the text that hold words
// of the query. Both are plain text.
func snippetOf(query string, facts []string, text string) string {
	var b strings.Builder
	room := factsSize
	for _, fact := range facts {
		fact = capped(oneLine(fact), factSize)
		size := utf8.RuneCountInString(fact) + 3
		if fact == "" || size > room {
			continue
		}
		room -= size
		if b.Len() > 0 {
			b.WriteString(" · ")
		}
		b.WriteString(fact)
	}
	text = oneLine(strings.ToValidUTF8(text[:min(len(text), maxText)], ""))
	if text == "" {
		return b.String()
	}
	if b.Len() > 0 {
		b.WriteString(" — ")
	}
	return b.String() + telling(text, query, maxSnippet-utf8.RuneCountInString(b.String()))
}

// telling is at most most characters of a text: the sentences with most of the query's words, in the text's
// order. The beginning says best what a text is about that holds none of them.
func telling(text, query string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	list := sentences(text)
	wanted := terms(query)
	held := make([]int, len(list))
	best := 0
	for i, s := range list {
		if held[i] = distinct(sightings(s, wanted)); held[i] > held[best] {
			best = i
		}
	}
	if held[best] == 0 {
		return capped(text, most)
	}
	chosen := choose(list, held, most)
	if len(chosen) == 0 {
		return stretch(list[best], wanted, most)
	}
	var b strings.Builder
	for n, i := range chosen {
		switch {
		case n == 0 && i > 0:
			b.WriteString("… ")
		case n > 0 && chosen[n-1] != i-1:
			b.WriteString(" … ")
		case n > 0:
			b.WriteByte(' ')
		}
		b.WriteString(list[i])
	}
	const enough = 60 // characters: less of the next sentence says nothing
	next := chosen[len(chosen)-1] + 1
	if rest := most - utf8.RuneCountInString(b.String()); rest > enough && next < len(list) {
		b.WriteString(" " + capped(list[next], rest-1))
	}
	return b.String()
}

// choose picks the sentences that hold most, as many as there is room for, and gives their places in order.
func choose(list []string, held []int, most int) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(held[b], held[a]) })
	var chosen []int
	used := 0
	for _, i := range order {
		size := utf8.RuneCountInString(list[i]) + 3 // a space and two ellipses at worst
		if held[i] == 0 || used+size > most {
			continue
		}
		chosen = append(chosen, i)
		used += size
	}
	slices.Sort(chosen)
	return chosen
}

// stretch is a part of a sentence too long to be shown whole, from shortly before the first word that is
// wanted.
func stretch(sentence string, wanted []term, most int) string {
	seen := sightings(sentence, wanted)
	if len(seen) == 0 {
		return capped(sentence, most)
	}
	from := back(sentence, seen[0].start, min(margin, most/4))
	to := from + forward(sentence[from:], most-2)
	return cut(sentence, from, to)
}

func distinct(seen []sighting) int {
	found := map[int]bool{}
	for _, s := range seen {
		found[s.term] = true
	}
	return len(found)
}

// sentences cuts text after its full stops. "et al. 2017" is cut too, and stands together again when both
// halves are shown.
func sentences(text string) []string {
	var list []string
	start := 0
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		dense := r == '。' || r == '！' || r == '？' || r == '；'
		if dense || (r == '.' || r == '!' || r == '?') && strings.HasPrefix(text[end:], " ") {
			list = append(list, strings.TrimSpace(text[start:end]))
			start = end
		}
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		list = append(list, rest)
	}
	return list
}

// byline is the first author and whether there are others.
func byline(names []string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return oneLine(name) == "" })
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	return names[0] + " et al."
}

// year is what a date begins with, for a snippet.
func year(date string) string {
	date = day(date)
	return date[:min(4, len(date))]
}

// many says 1 star and 12,345 stars.
func many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + more
}

// grouped writes 12345 as 12,345.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

package words

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Telling is at most most characters of a text: the sentences with most of the query's words, in the text's
// order. The beginning says best what a text is about that holds none of them.
func Telling(text, query string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	list := sentences(text)
	wanted := Terms(query)
	held := make([]int, len(list))
	best := 0
	for i, s := range list {
		if held[i] = Distinct(Sightings(s, wanted)); held[i] > held[best] {
			best = i
		}
	}
	if held[best] == 0 {
		return Capped(text, most)
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
		b.WriteString(" " + Capped(list[next], rest-1))
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
func stretch(sentence string, wanted []Term, most int) string {
	seen := Sightings(sentence, wanted)
	if len(seen) == 0 {
		return Capped(sentence, most)
	}
	from := back(sentence, seen[0].Start, min(margin, most/4))
	to := from + forward(sentence[from:], most-2)
	return cut(sentence, from, to)
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

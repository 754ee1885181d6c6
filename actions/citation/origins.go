package citation

import (
	"context"
	"hash/fnv"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/net/publicsuffix"
)

// Origins is how many independent voices some sources really are.
type Origins struct {
	// by text: copies with different headers and footers count as one
	Texts []Origin `json:"texts"`
	// by site, such as bbc.co.uk; all documents of the person count as one
	Publishers []Origin `json:"publishers"`
	// by both: sources that share text or publisher, directly or through others, count as one
	Independent []Origin `json:"independent"`
}

// Origin is a group of sources that count as one.
type Origin struct {
	Name    string   `json:"name"` // the site of a publisher, otherwise the first source's title
	Sources []string `json:"sources"`
}

// ownDocuments is the publisher of sources that are not from the web.
const ownDocuments = "own documents"

// IsOwn reports whether a publisher is the person, for documents that are not from the web.
func (o Origin) IsOwn() bool { return o.Name == ownDocuments }

// OriginsOf groups sources by origin, in their order. Two texts count as one if half of the shorter one's
// eight-word runs are in the other, unless they are editions that differ in a figure.
func OriginsOf(ctx context.Context, sources []Source) Origins {
	byText, bySite := duplicates(ctx, sources), [][2]int{}
	first := map[string]int{}
	for i, s := range sources {
		site := publisher(s)
		if _, ok := first[site]; !ok {
			first[site] = i
		}
		bySite = append(bySite, [2]int{first[site], i})
	}
	title := func(s Source) string { return s.Title }
	return Origins{Texts: grouped(sources, byText, title), Publishers: grouped(sources, bySite, publisher),
		Independent: grouped(sources, slices.Concat(byText, bySite), title)}
}

// grouped merges sources by pairs that count as one, each group under its earliest source.
func grouped(sources []Source, pairs [][2]int, name func(Source) string) []Origin {
	of := make([]int, len(sources)) // for each source, the earliest of its group
	for i := range of {
		of[i] = i
	}
	for _, pair := range pairs {
		a, b := of[pair[0]], of[pair[1]]
		for i := range of {
			if of[i] == max(a, b) {
				of[i] = min(a, b)
			}
		}
	}
	all := make([]Origin, len(sources))
	for i, s := range sources {
		group := &all[of[i]]
		if group.Sources = append(group.Sources, s.ID); of[i] == i {
			group.Name = name(s)
		}
	}
	return slices.DeleteFunc(all, func(o Origin) bool { return o.Sources == nil })
}

// publisher returns the site of a source: its registered domain, or its host if there is none.
func publisher(s Source) string {
	address := webAddress(s)
	if address == "" {
		return ownDocuments
	}
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if net.ParseIP(host) != nil {
		return host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

const (
	shingle = 8 // words of a run that is compared
	sampled = 4 // one run in so many is sampled
	fewest  = 8 // a text with fewer sampled runs is compared whole
)

// duplicates returns the pairs of sources with the same text. Each source is compared with the earlier ones
// that are not copies themselves, so that ten copies cost no more than ten sources.
func duplicates(ctx context.Context, sources []Source) (pairs [][2]int) {
	var texts [][]uint64
	standing := map[uint64][]int{} // the texts that have each run
	for i, s := range sources {
		if ctx.Err() != nil {
			return nil
		}
		words := wordsOf(s)
		text := shingles(words)
		texts = append(texts, text)
		shared := map[int]int{}
		for _, h := range text {
			for _, k := range standing[h] {
				shared[k]++
			}
		}
		known := len(pairs)
		for k, n := range shared {
			if 2*n >= min(len(text), len(texts[k])) && !areEditions(wordsOf(sources[k]), words) {
				pairs = append(pairs, [2]int{k, i})
			}
		}
		if len(pairs) == known {
			for _, h := range text {
				standing[h] = append(standing[h], i)
			}
		}
	}
	return pairs
}

// wordsOf returns the words of a source. They are not kept: a thousand sources have millions.
func wordsOf(s Source) []string { return prose.Words(string(plainOf(s.Text, false).text)) }

// shingles returns hashes of some of a text's runs, each once; for a short text one of all its words.
func shingles(words []string) (some []uint64) {
	some = slices.DeleteFunc(runs(words), func(run uint64) bool { return run%sampled != 0 })
	slices.Sort(some)
	if some = slices.Compact(some); len(some) < fewest {
		return []uint64{sumOf(words)}
	}
	return some
}

// fewestOther is how many figures must differ: one may be a counter, or the number of a note.
const fewestOther = 2

// areEditions reports whether two texts, which share many runs, have different figures behind and before the
// same words. What stands around the runs that they share is not compared: copies have other menus and dates.
func areEditions(a, b []string) bool {
	inA, inB := runs(a), runs(b)
	places, other := figuresAt(a, inA, inB), 0
	for place, figures := range figuresAt(b, inB, inA) {
		isIn := func(figure string) bool { return slices.Contains(places[place], figure) }
		if len(places[place]) > 0 && !slices.ContainsFunc(figures, isIn) {
			other++
		}
	}
	return other >= fewestOther
}

// runs returns a hash of each run of a text, in order.
func runs(words []string) (all []uint64) {
	for i := range max(0, len(words)-shingle+1) {
		all = append(all, sumOf(words[i:i+shingle]))
	}
	return all
}

// figuresAt returns the figures of a text between the first and the last of its runs that another has, by the
// three words before each and the one behind it, in which figures count as alike.
func figuresAt(words []string, runs, others []uint64) map[string][]string {
	shared := map[uint64]bool{}
	for _, run := range others {
		shared[run] = true
	}
	first, last := len(words), 0
	for i, run := range runs {
		if shared[run] {
			first, last = min(first, i), i+shingle
		}
	}
	all := map[string][]string{}
	isFigure := func(word string) bool { return strings.ContainsAny(word, "0123456789") }
	for i := max(first, 3); i < last-1; i++ {
		if !isFigure(words[i]) {
			continue
		}
		place := slices.Concat(words[i-3:i], words[i+1:i+2])
		for k, word := range place {
			if isFigure(word) {
				place[k] = "0"
			}
		}
		at := strings.Join(place, " ")
		all[at] = append(all[at], words[i])
	}
	return all
}

// sumOf returns the same hash in each run of the program, so that the same sources are found to be copies.
func sumOf(words []string) uint64 {
	sum := fnv.New64a()
	for _, word := range words {
		sum.Write([]byte(word + " ")) // never fails
	}
	return sum.Sum64()
}

package origin

import (
	"cmp"
	"encoding/json"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
)

// authored is what the agent wrote before anybody else did. It only grows. Texts are kept squeezed, since
// people and tools may change everything in a text except its letters.
type authored struct {
	seed maphash.Seed
	// hashes with the neighbouring lines, so that a rewritten chapter adds only what is new
	lines map[uint64]bool
	keys  map[string]bool // of addresses
	hosts map[string]bool
	text  strings.Builder // squeezed
}

func newAuthored() authored {
	return authored{seed: maphash.MakeSeed(), lines: map[uint64]bool{}, keys: map[string]bool{}, hosts: map[string]bool{}}
}

// add adds a text of the agent's. Whatever others named before, as known reports, is not the agent's.
func (a *authored) add(text string, known func(address string) bool, knownHost func(host string) bool) {
	text = a.news(text)
	if text == "" {
		return
	}
	var own strings.Builder
	from := 0
	for _, n := range addressesIn(text) {
		if known(n.url) {
			own.WriteString(text[from:max(from, n.start)])
			from = max(from, n.start+len(n.url))
			continue
		}
		host, tail := divided(n.url)
		a.keys[squeezed(host)+squeezed(tail)] = true
	}
	own.WriteString(text[from:])
	for _, host := range hostsIn(text) {
		if !knownHost(host) {
			a.hosts[host] = true
		}
	}
	a.text.WriteString(squeezed(own.String()) + "\n")
}

// news returns the new lines of a text, each with its neighbours: an address may be split across them.
func (a *authored) news(text string) string {
	lines := strings.SplitAfter(text, "\n")
	fresh := make([]bool, len(lines))
	for i := range lines {
		var h maphash.Hash
		h.SetSeed(a.seed)
		for _, line := range lines[max(0, i-1):min(len(lines), i+2)] {
			h.WriteString(line)
		}
		if sum := h.Sum64(); !a.lines[sum] {
			a.lines[sum] = true
			for j := max(0, i-2); j < min(len(lines), i+3); j++ {
				fresh[j] = true
			}
		}
	}
	var out strings.Builder
	for i, line := range lines {
		if fresh[i] {
			out.WriteString(line)
		}
	}
	return out.String()
}

// An address is the agent's, even after a person or a tool changed it, if the agent wrote enough of it.
const (
	gram      = 8  // length of the letter sequences that are compared
	leastPart = 10 // minimum letters for a part of an address to be judged by itself
	longRun   = 20 // letters in a row that two people never write by chance
	longWord  = 16 // a longer word is in no dictionary
)

// isAddress reports whether an address is the agent's: as it is, in another spelling, assembled from pieces,
// with a letter changed, or within another address.
func (a *authored) isAddress(address string) bool {
	host, tail := divided(address)
	for end := len(tail); end >= 0; end = strings.LastIndexAny(tail[:end], "?&;/") {
		if (end == len(tail) || tail[end] != '/' || strings.ContainsAny(tail[:end], "0123456789")) && a.wrote(host, tail[:end]) {
			return true // adding something after it changes nothing
		}
	}
	suffix, _ := publicsuffix.PublicSuffix(host) // which its owner did not choose
	registered := cmp.Or(strings.TrimSuffix(strings.TrimSuffix(host, suffix), "."), host)
	if a.holds(registered, leastPart) || a.holds(tail, gram) {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(tail, func(r rune) bool { return strings.ContainsRune("/?&=;|,", r) }),
		func(part string) bool { return a.holds(part, leastPart) })
}

// wrote reports whether the agent wrote an address, in any spelling, even with line ends and marks in it.
func (a *authored) wrote(host, tail string) bool {
	host, tail = squeezed(host), squeezed(tail)
	return a.keys[host+tail] || tail != "" && strings.Contains(a.text.String(), host+tail)
}

// holds reports whether half of the letters of a text, or a long run of them, are the agent's. Single words
// prove nothing: a sequence counts if it has a digit, spans two words, or is in a very long word.
func (a *authored) holds(text string, least int) bool {
	letters, word := []rune{}, []int{} // and the index of each letter's word
	isMark := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	words := strings.FieldsFunc(text, isMark)
	for i, w := range words {
		for _, r := range w {
			letters, word = append(letters, r), append(word, i)
		}
	}
	if len(letters) < least {
		return false
	}
	covered, run, longest := 0, 0, 0
	last := -1 // index of the last letter known to be the agent's
	for i := range letters {
		if end := i + gram; end <= len(letters) {
			piece := letters[i:end]
			isOdd := func(r rune) bool { return unicode.IsDigit(r) || r > unicode.MaxASCII }
			telling := word[i] != word[end-1] || utf8.RuneCountInString(words[word[i]]) > longWord ||
				slices.ContainsFunc(piece, isOdd)
			if telling && strings.Contains(a.text.String(), string(piece)) {
				last = end - 1
			}
		}
		if run++; i > last {
			run = 0
			continue
		}
		covered++
		longest = max(longest, run)
	}
	return covered*2 >= len(letters) || longest >= longRun
}

// wordsOfReply returns the words of a recorded reply: its text, and each string in the arguments of its
// calls.
func wordsOfReply(value json.RawMessage) string {
	var reply struct {
		Text  string `json:"text"`
		Calls []struct {
			Args string `json:"args"`
		} `json:"calls"`
	}
	if json.Unmarshal(value, &reply) != nil {
		return string(value)
	}
	out := &strings.Builder{}
	out.WriteString(reply.Text + "\n")
	for _, call := range reply.Calls {
		var args any
		if json.Unmarshal([]byte(call.Args), &args) != nil {
			args = call.Args
		}
		eachString(args, func(text string) { out.WriteString(text + "\n") })
	}
	return out.String()
}

func eachString(value any, use func(string)) {
	switch v := value.(type) {
	case string:
		use(v)
	case []any:
		for _, e := range v {
			eachString(e, use)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			use(name)
			eachString(v[name], use)
		}
	}
}

// passages finds texts within others by hashes of their runs of letters, of which one in thinned is kept.
type passages struct {
	of       [2]int // lengths of the hashed texts
	ours     []uint64
	excepted []uint64
}

const (
	runLetters = 24
	thinned    = 4
)

// mostly reports whether at least half of the runs of a text, without the excepted ones, are among ours.
func (p *passages) mostly(text, ours, excepted string) bool {
	if lengths := [2]int{len(ours), len(excepted)}; lengths != p.of {
		p.of, p.ours, p.excepted = lengths, sums(ours), sums(excepted)
	}
	all, same := 0, 0
	for _, sum := range sums(text) {
		if _, found := slices.BinarySearch(p.excepted, sum); found {
			continue
		}
		all++
		if _, found := slices.BinarySearch(p.ours, sum); found {
			same++
		}
	}
	return same > 0 && same*2 >= all
}

// sums returns the sorted hashes of the runs of a text.
func sums(text string) []uint64 {
	const base, mix = 1099511628211, 0x9E3779B97F4A7C15
	var kept []uint64
	letters := []rune(text)
	for end := runLetters; end <= len(letters); end++ {
		var sum uint64
		for _, r := range letters[end-runLetters : end] {
			sum = sum*base + uint64(r)
		}
		if mixed := sum * mix; mixed>>32%thinned == 0 {
			kept = append(kept, mixed)
		}
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}

package workspace

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/maphash"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sourceList is the sources by number, by address and by text. A long research knows thousands, so they are held packed.
type sourceList struct {
	all   []packedSource // by number
	leads []lead         // by hash
	seed  maphash.Seed   // of the hashes, so that no page can have an address that collides with another
	next  int            // number of the next source
	fresh []string       // ids that were read in this stretch
	later []string       // those that a run before this one read in it, fresh after the opening that takes it up
}

// lead is where an address leads: to the newest source with it.
type lead struct {
	hash   uint64 // of the address
	number int
}

// packedSource is a source in less than half of the memory.
type packedSource struct {
	number  int
	fetched time.Time
	sum     textSum
	strings string // each behind its length
}

// textSum is a checksum; zero when what stands in the file can be none, which is read back as "" and fits no text.
type textSum [sha256.Size]byte

func parseSum(sum string) (c textSum) {
	if raw, err := hex.DecodeString(sum); err == nil && len(raw) == len(c) {
		copy(c[:], raw)
	}
	return c
}

func (c textSum) String() string {
	if c == (textSum{}) {
		return ""
	}
	return hex.EncodeToString(c[:])
}

func pack(s Source) packedSource {
	var b []byte
	for _, field := range append([]string{s.URL, s.FinalURL, s.Title, s.Author, s.Published, s.Type, s.Language, s.Complete, s.Note, s.File}, s.Also...) {
		b = append(binary.AppendUvarint(b, uint64(len(field))), field...)
	}
	return packedSource{number: numberOf(s.ID), fetched: s.Fetched, sum: parseSum(s.SHA256), strings: string(b)}
}

func (p packedSource) source() Source {
	s := Source{ID: "s" + strconv.Itoa(p.number), Fetched: p.fetched, SHA256: p.sum.String()}
	rest := p.strings
	for _, field := range []*string{&s.URL, &s.FinalURL, &s.Title, &s.Author, &s.Published, &s.Type, &s.Language, &s.Complete, &s.Note, &s.File} {
		*field, rest = cutField(rest)
	}
	for rest != "" {
		var also string
		also, rest = cutField(rest)
		s.Also = append(s.Also, also)
	}
	return s
}

func cutField(packed string) (field, rest string) {
	length, n := binary.Uvarint([]byte(packed[:min(len(packed), binary.MaxVarintLen64)]))
	end := n + int(length)
	return packed[n:end], packed[end:]
}

// place is where the source with a number stands, or would.
func (l *sourceList) place(number int) (int, bool) {
	return slices.BinarySearchFunc(l.all, number, func(p packedSource, n int) int { return p.number - n })
}

// byID is where the source with an id stands.
func (l *sourceList) byID(id string) (int, bool) {
	n := numberOf(id)
	at, ok := l.place(n)
	return at, ok && id == "s"+strconv.Itoa(n)
}

func (l *sourceList) byNumber(number int) (Source, bool) {
	at, ok := l.place(number)
	if !ok {
		return Source{}, false
	}
	return l.all[at].source(), true
}

func (l *sourceList) find(idOrURL string) (Source, bool) {
	if at, ok := l.leadFrom(idOrURL); ok {
		return l.byNumber(l.leads[at].number)
	}
	at, ok := l.byID(idOrURL)
	if !ok {
		return Source{}, false
	}
	return l.all[at].source(), true
}

// leadFrom is the place of what leads from an address, or where it would stand.
func (l *sourceList) leadFrom(url string) (at int, ok bool) {
	if len(l.leads) == 0 {
		return 0, false
	}
	hash := maphash.String(l.seed, url)
	at, _ = slices.BinarySearchFunc(l.leads, hash, func(to lead, hash uint64) int { return cmp.Compare(to.hash, hash) })
	for ; at < len(l.leads) && l.leads[at].hash == hash; at++ {
		if s, known := l.byNumber(l.leads[at].number); known && slices.Contains(s.Addresses(), url) {
			return at, true
		}
	}
	return at, false
}

// same is the source with this very text, that at the same address before others.
func (l *sourceList) same(s Source) (Source, bool) {
	if known, ok := l.find(s.URL); ok && known.SHA256 == s.SHA256 {
		return known, true
	}
	sum := parseSum(s.SHA256)
	at := slices.IndexFunc(l.all, func(p packedSource) bool { return p.sum == sum })
	if at < 0 {
		return Source{}, false
	}
	return l.all[at].source(), true
}

// add enters a source, in place of one with its id.
func (l *sourceList) add(s Source) {
	l.put(s)
	for _, url := range slices.Compact(slices.Sorted(slices.Values(s.Addresses()))) {
		l.point(url, s)
	}
}

// put holds a source in place of one with its id. Which source an address leads to stays.
func (l *sourceList) put(s Source) {
	at, known := l.place(numberOf(s.ID))
	if !known {
		l.all = slices.Insert(l.all, at, packedSource{})
	}
	l.all[at] = pack(s)
	l.next = max(l.next, numberOf(s.ID)+1)
}

// point has an address lead to a source that is held, and has it.
func (l *sourceList) point(url string, s Source) {
	if url == "" {
		return
	}
	if len(l.leads) == 0 {
		l.seed = maphash.MakeSeed()
	}
	at, known := l.leadFrom(url)
	if !known {
		l.leads = slices.Insert(l.leads, at, lead{hash: maphash.String(l.seed, url)})
	}
	l.leads[at].number = numberOf(s.ID)
}

// from gives the sources from a place on, as they stand by number.
func (l *sourceList) from(at int) iter.Seq[Source] {
	return func(yield func(Source) bool) {
		for _, p := range l.all[max(0, at):] {
			if !yield(p.source()) {
				return
			}
		}
	}
}

// numberOf is that of a source's id, or 0.
func numberOf(id string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "s"))
	if err != nil {
		return 0
	}
	return n
}

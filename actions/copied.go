package actions

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/daybook-agent/daybook/agent/workspace"
)

const (
	// maxCopied is how many words in a row a dashboard may not share with a page. No sentence of one's own has so many by chance, while
	// names and titles are shorter.
	maxCopied = 16
	// maxRemembered bounds how many texts from outside a dashboard is compared with: the last that were shown, and the last sources, of
	// which a run before this one may have shown some. Few stretches show more.
	maxRemembered = 64
)

// outside remembers what was shown of the world outside, for comparing dashboards with it.
type outside struct {
	mu      sync.Mutex
	texts   []text
	resumed bool // what the run before showed was taken up
}

// text is what was shown, or what a source says, as the sums of its runs of words.
type text struct {
	source string // id and hash of a source, or ""
	sums   []uint64
	words  func() []string
}

// show remembers a text.
func (o *outside) show(shown string) {
	o.add(text{sums: windows(wordsOf(shown)), words: func() []string { return wordsOf(shown) }})
}

// forget drops what was shown: the model has forgotten it too.
func (o *outside) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.texts = slices.DeleteFunc(o.texts, func(t text) bool { return t.source == "" })
}

func (o *outside) add(t text) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.texts = append(o.texts, t); len(o.texts) > 2*maxRemembered {
		o.texts = o.texts[len(o.texts)-2*maxRemembered:]
	}
}

func (o *outside) holds(source string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.texts, func(t text) bool { return t.source == source })
}

// resume takes up, once, what the run before showed in the stretch that this one goes on with.
func (o *outside) resume(w *workspace.Workspace) {
	o.mu.Lock()
	taken := o.resumed
	o.resumed = true
	o.mu.Unlock()
	if taken {
		return
	}
	for _, result := range w.Journal().ResultsBefore() {
		if strings.Contains(result, "</results>") || strings.Contains(result, "</p") { // page, passages
			o.show(result)
		}
	}
}

// remember takes up the last sources: in a run that was resumed they were shown by the one before.
func (o *outside) remember(w *workspace.Workspace) {
	sources := w.Sources()
	for _, s := range sources[max(0, len(sources)-maxRemembered):] {
		if o.holds(s.ID + s.SHA256) {
			continue
		}
		words := func() []string {
			page, _, err := w.SourceText(s.ID)
			if err != nil {
				return nil // a source that was thrown away was copied by nobody
			}
			return wordsOf(s.Title + "\n" + s.Author + "\n" + page)
		}
		o.add(text{s.ID + s.SHA256, windows(words()), words})
	}
}

// copied refuses a text for a dashboard that holds a passage of a page. What stands on a dashboard is obeyed, and a page must not get
// there by being copied. A quote with its source's id is told from it by those, and may stay.
func (k Kit) copied(update string) error {
	overall, current, err := k.Workspace.Dashboards()
	if err != nil {
		return err
	}
	stood := map[uint64]bool{} // what is there already was looked at when it came, or is a person's
	for _, sum := range windows(wordsOf(overall + "\n" + current)) {
		stood[sum] = true
	}
	own := wordsOf(cited().ReplaceAllString(update, " "))
	runs := map[uint64]int{}
	for i, sum := range windows(own) {
		if !stood[sum] {
			runs[sum] = i
		}
	}
	if len(runs) == 0 {
		return nil
	}
	k.outside.resume(k.Workspace)
	k.outside.remember(k.Workspace)
	if at, found := k.outside.shares(own, runs); found {
		return fmt.Errorf("the text holds a passage copied from a page or a search result, beginning %q. A dashboard holds your own words: say it shorter, or quote one sentence of it with the id of its source, as “…” [s1]",
			strings.Join(own[at:at+8], " "))
	}
	return nil
}

// shares finds a passage that a text shares with what was shown.
func (o *outside) shares(own []string, runs map[uint64]int) (at int, found bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.texts {
		var theirs []string
		for i, sum := range t.sums {
			at, ok := runs[sum]
			if !ok {
				continue
			}
			if theirs == nil {
				theirs = t.words()
			}
			if i < len(theirs) && sameRun(own[at:], theirs[i:]) {
				return at, true
			}
		}
	}
	return 0, false
}

// cited finds quotes of up to 400 letters, which may hold others, with the id of a source after them.
var cited = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`["“「『].{1,400}?["”」』][\s.。,，;；)）]{0,3}\[s[0-9][^\]]*\]`)
})

// wordsOf are the words of a text in lower case; each Chinese or Japanese character is one.
func wordsOf(text string) []string {
	var words []string
	start := -1
	for i, r := range text {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		alone := workspace.IsCJK(r)
		if start >= 0 && (!letter || alone) {
			words = append(words, strings.ToLower(text[start:i]))
			start = -1
		}
		switch {
		case alone:
			words = append(words, string(r))
		case letter && start < 0:
			start = i
		}
	}
	if start >= 0 {
		words = append(words, strings.ToLower(text[start:]))
	}
	return words
}

// windows are the sums of every run of maxCopied words, rolled on from word to word.
func windows(words []string) []uint64 {
	const base = 1099511628211
	if len(words) < maxCopied {
		return nil
	}
	power := uint64(1)
	for range maxCopied {
		power *= base
	}
	sums := make([]uint64, 0, len(words)-maxCopied+1)
	var sum uint64
	for i, word := range words {
		sum = sum*base + sumOf(word)
		if i >= maxCopied {
			sum -= sumOf(words[i-maxCopied]) * power
		}
		if i >= maxCopied-1 {
			sums = append(sums, sum)
		}
	}
	return sums
}

// sumOf is FNV-1a.
func sumOf(word string) uint64 {
	sum := uint64(14695981039346656037)
	for i := range len(word) {
		sum = (sum ^ uint64(word[i])) * 1099511628211
	}
	return sum
}

// sameRun says whether two texts begin with the same passage. It is a passage when it weighs maxCopied words; a Chinese character
// weighs half of one.
func sameRun(a, b []string) bool {
	weight := 0.0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		weight++
		if r := []rune(a[i]); len(r) == 1 && workspace.IsCJK(r[0]) {
			weight -= 0.5
		}
		if weight >= maxCopied {
			return true
		}
	}
	return false
}

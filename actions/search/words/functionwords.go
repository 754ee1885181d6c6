package words

import (
	_ "embed" // for functionwords.txt
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent/prose"
)

//go:embed functionwords.txt
var functionWords string

// lists are those of the file. The English one is short on purpose: bm25 makes little of frequent words
// anyway, and a word dropped wrongly is a page not found. The Chinese one has words that ask, point or join
// and are part of no other word, a longer one before the one it begins with; one of these takes its
// characters out of the query. The joints begin or end others (用 in 用户, 中 in 中文), and are dropped only
// where they are alone.
var lists = sync.OnceValue(func() map[string]string { return prose.Sections(functionWords) })

var english = sync.OnceValue(func() []string {
	return slices.Sorted(strings.FieldsSeq(lists()["English"]))
})

// IsFunctionWord tells whether an English word says nothing about what is looked for.
func IsFunctionWord(word string) bool {
	_, is := slices.BinarySearch(english(), word)
	return is
}

// maskFunctionWords marks the characters of a run that belong to function words.
func maskFunctionWords(run []rune, masked []bool) {
	listed := strings.Fields(lists()["Chinese"])
	text := string(run)
	for i := 0; i < len(run); {
		step := 1
		for _, w := range listed {
			if strings.HasPrefix(text, w) {
				step = len([]rune(w))
				for j := range step {
					masked[i+j] = true
				}
				break
			}
		}
		text = text[len(string(run[i:i+step])):]
		i += step
	}
	for i, r := range run {
		alone := (i == 0 || masked[i-1]) && (i+1 == len(run) || masked[i+1])
		if alone && strings.ContainsRune(lists()["Chinese joints"], r) {
			masked[i] = true
		}
	}
}

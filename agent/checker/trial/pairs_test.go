package trial_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/checker"
	"github.com/daybook-agent/daybook/agent/checker/trial"
)

func builtIn(t *testing.T) []trial.Pair {
	t.Helper()
	pairs, err := trial.Pairs()
	require.NoError(t, err)
	return pairs
}

// tally counts pairs, faithful ones first.
type tally map[string][2]int

func (c tally) add(name string, p trial.Pair) {
	n := c[name]
	n[side(p)]++
	c[name] = n
}

func side(p trial.Pair) int {
	if p.Faulty() {
		return 1
	}
	return 0
}

func TestTheSetIsBalanced(t *testing.T) {
	languages, fields, kinds, passages := tally{}, tally{}, tally{}, tally{}
	verdicts := map[string]int{}
	for _, p := range builtIn(t) {
		languages.add(p.Language, p)
		fields.add(p.Field, p)
		kinds.add(p.Kind+" "+p.Language, p)
		passages.add(p.Passages[0].Text, p)
		verdicts[p.Verdict]++
	}
	assert.Equal(t, tally{"en": {52, 52}, "zh": {52, 52}}, languages)
	require.GreaterOrEqual(t, len(fields), 5)
	for field, n := range fields {
		assert.Equal(t, n[0], n[1], field)
	}
	for _, kind := range []string{"cause", "cell", "condition", "date", "direction", "figure", "identifier",
		"name", "negation",
		"source", "strength", "unit", "version"} {
		for _, language := range []string{"en", "zh"} {
			assert.Equal(t, 4, kinds[kind+" "+language][1], "%s %s", kind, language)
		}
	}
	for _, kind := range []string{"cell", "conversion", "paraphrase", "sum"} {
		for _, language := range []string{"en", "zh"} {
			assert.GreaterOrEqual(t, kinds[kind+" "+language][0], 5, "%s %s", kind, language)
		}
	}
	assert.GreaterOrEqual(t, kinds["translation zh"][0], 15)
	for text, n := range passages {
		assert.Equal(t, n[0], n[1], "the passage tells what is said of its claims: %s", text)
	}
	for _, verdict := range checker.Words() {
		assert.Positive(t, verdicts[verdict], verdict)
	}
}

func TestThePairsAreWellFormed(t *testing.T) {
	claims := map[string]bool{}
	han := func(text string) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	for _, p := range builtIn(t) { // that labels are shown is checked by Read
		assert.False(t, claims[p.Claim], "twice: %s", p.Claim)
		claims[p.Claim] = true
		assert.Equal(t, p.Language == "zh", han(p.Claim), p.Claim)
		assert.GreaterOrEqual(t, len(p.Passages), 2, "nothing to choose from: %s", p.Claim)
		if p.Kind == "translation" {
			assert.False(t, han(p.Passages[0].Text), p.Claim)
		}
		if p.Kind == "source" {
			assert.NotEmpty(t, p.Better, p.Claim)
			assert.Equal(t, checker.Word(citation.Unsupported), p.Verdict, p.Claim)
		}
		if len(p.Cited) == 0 {
			assert.Equal(t, !p.Faulty(), p.Better != "", p.Claim)
		}
		for _, passage := range p.Passages {
			assert.Less(t, len(passage.Text), 1200, "longer than a block: %s", passage.Text)
			assert.NotContains(t, passage.Text, p.Claim)
			if p.Kind == "cell" && slices.Contains(p.Cited, passage.Label) {
				assert.True(t, strings.HasPrefix(passage.Text, "| "), "no row of a table: %s", passage.Text)
			}
		}
	}
}

// A checker that reads no passage must not do well: neither the length of a claim, nor its words, nor its
// place tells what it is.
func TestTheSetGivesNothingAway(t *testing.T) {
	pairs := builtIn(t)
	lengths := map[string][2][]int{}
	words := tally{}
	word := regexp.MustCompile(`[a-z]+|\p{Han}`)
	for _, p := range pairs {
		l := lengths[p.Language]
		l[side(p)] = append(l[side(p)], utf8.RuneCountInString(p.Claim))
		lengths[p.Language] = l
		found := word.FindAllString(strings.ToLower(p.Claim), -1)
		slices.Sort(found)
		for _, w := range slices.Compact(found) {
			words.add(p.Language+" "+w, p)
		}
	}
	for language, l := range lengths {
		for limit := range 200 {
			short := [2]int{}
			for i := range short {
				short[i] = len(slices.DeleteFunc(slices.Clone(l[i]), func(n int) bool { return n >= limit }))
			}
			guessed := max(short[0]+len(l[1])-short[1], short[1]+len(l[0])-short[0])
			assert.LessOrEqual(t, float64(guessed), 0.62*float64(len(l[0])+len(l[1])), "%s, split at %d",
				language, limit)
		}
	}
	for w, n := range words {
		if total := n[0] + n[1]; total >= 12 {
			assert.InDelta(t, 0.5, float64(n[1])/float64(total),
				0.3, "the word %q gives away what a claim is: %v", w, n)
		}
	}
	for batch := range slices.Chunk(pairs, checker.MostClaims) {
		faulty, seen := 0, map[string]bool{}
		for _, p := range batch {
			faulty += side(p)
			assert.False(t, seen[p.Passages[0].Text],
				"two claims on the same passages in one request: %s", p.Claim)
			seen[p.Passages[0].Text] = true
		}
		assert.InDelta(t, len(batch)/2, faulty, 3)
	}
}

func TestASetOfOnesOwnIsRefusedWithItsLine(t *testing.T) {
	const passages = `"passages": [{"label": "s1.1", "text": "A."}, {"label": "s1.2", "text": "B."}]`
	const rest = `, "verdict": "not", "kind": "k", "language": "en"}`
	const good = `{"claim": "C.", ` + passages + rest
	for line, want := range map[string]string{
		``:                                  "the set contains no pair",
		"\n\nno":                            "line 3: it must be a pair in JSON",
		good + good:                         "line 1: it must be one pair",
		good + "\n" + good:                  "line 2: its claim and passages are those of line 1",
		`{"claim": " ", ` + passages + rest: `"claim" is missing`,
		`{"claim": "C.", ` + passages + `, "verdict": "not", "language": "en"}`: `"kind" is missing`,
		`{"claim": "C.", ` + passages + `, "verdict": "not", "kind": "k"}`:      `"language" is missing`,
		`{"claim": "C."` + rest: `"passages" is empty`,
		`{"claim": "C.", ` + passages +
			`, "verdict": "no", "kind": "k", "language": "en"}`: `the verdict is one of`,
		`{"claim": "C.", ` + passages + `, "cited": ["s1.3"]` +
			rest: `no passage has the cited label "s1.3"`,
		`{"claim": "C.", ` + passages + `, "better": "s1.3"` +
			rest: `not "s1.3"`,
		`{"claim": "C.", ` + passages + `, "cited": ["s1.1"], "better": "s1.1"` +
			rest: `not "s1.1"`,
		`{"claim": "C.", "passages": [{"label": "S1.1", "text": "A."}]` +
			rest: `in lower case`,
		`{"claim": "C.", "passages": [{"label": "a", "text": ""}]` +
			rest: `the passage "a" has no text`,
		`{"claim": "C.", "passages": [{"label":"a","text":"A"},{"label":"a","text":"B"}]` +
			rest: `the label "a" occurs twice`,
		`{"claim": "C.", "expected": "not", ` + passages + rest: `unknown field "expected"`,
	} {
		_, err := trial.Read(strings.NewReader(line))
		assert.ErrorContains(t, err, want, line)
	}
	pairs, err := trial.Read(strings.NewReader("\n" + good + "\n"))
	require.NoError(t, err)
	assert.Len(t, pairs, 1)
}

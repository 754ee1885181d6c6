package trial_test

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/evaluator/trial"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	citation = regexp.MustCompile(`\[(s\d+(?:, s\d+)*)\]`)
	quote    = regexp.MustCompile(`“[^”]{12,}”`)
)

func builtIn(t *testing.T) []trial.Case {
	t.Helper()
	cases, err := trial.Cases()
	require.NoError(t, err)
	return cases
}

// text is all that a judge is shown of a report and its chapters.
func text(m evaluator.Material) string {
	all := m.Report
	for _, c := range m.Chapters {
		all += "\n" + c.Text
	}
	return all
}

func chapters(m evaluator.Material) string { return strings.TrimPrefix(text(m), m.Report) }

func TestTheCasesAreWhole(t *testing.T) {
	cases := builtIn(t)
	require.Len(t, cases, 4)
	chinese := 0
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			require.Len(t, c.Planted, len(trial.Faults()))
			assert.GreaterOrEqual(t, len(c.Honest.Chapters), 3)
			assert.GreaterOrEqual(t, len(c.Honest.Sources), 11)
			assert.Greater(t, len(strings.Fields(c.Honest.Report))+
				strings.Count(c.Honest.Report, "的")*20, 500)
			wellMade(t, c.Honest)
			for _, q := range quote.FindAllString(c.Honest.Report, -1) {
				if !strings.Contains(q, "railway killed") { // a saying, cited to nobody
					assert.Contains(t, chapters(c.Honest), q)
				}
			}
			for _, p := range c.Planted {
				assert.NotEqual(t, c.Honest, p.Material, "%s", p.Fault)
				assert.Equal(t, c.Honest.Question, p.Material.Question)
				assert.NotEmpty(t, p.What)
				for _, w := range p.Words {
					assert.Equal(t, strings.ToLower(w), w)
					assert.NotEmpty(t, w)
				}
				wellMade(t, p.Material)
			}
		})
		if strings.Contains(c.Honest.Question, "？") {
			chinese++
		}
	}
	assert.Equal(t, 2, chinese)
}

// wellMade checks what no fault is meant to break: all that is cited is in the list, hosts are reserved,
// nothing is left of an edit.
func wellMade(t *testing.T, m evaluator.Material) {
	t.Helper()
	known := map[string]bool{}
	for _, s := range m.Sources {
		assert.False(t, known[s.ID], "%s twice", s.ID)
		known[s.ID] = true
		assert.True(t, strings.HasSuffix(s.Host, ".example"), s.Host)
		assert.Regexp(t, `^\d{4}-\d\d-\d\d$`, s.Published)
		assert.LessOrEqual(t, s.Published, m.Today)
	}
	for _, found := range citation.FindAllStringSubmatch(text(m), -1) {
		for _, id := range strings.Split(found[1], ", ") {
			assert.True(t, known[id], "%s is cited and not in the list", found[0])
		}
	}
	assert.NotContains(t, text(m), "---")
	assert.NotContains(t, text(m), "\n\n\n")
}

// Each copy has the fault that its name says, as far as code can see it.
func TestTheFaultsArePlanted(t *testing.T) {
	for _, c := range builtIn(t) {
		for _, p := range c.Planted {
			t.Run(c.Name+" "+string(p.Fault), func(t *testing.T) {
				before, after := c.Honest, p.Material
				switch p.Fault {
				case trial.MissingChapter:
					assert.Equal(t, strings.Count(before.Report, "\n## ")-1,
						strings.Count(after.Report, "\n## "))
					assert.Equal(t, before.Chapters, after.Chapters,
						"the notes are there; the report lacks them")
				case trial.StaleFigure:
					assert.Equal(t, before.Sources, after.Sources, "the newer source is still in the list")
					assert.Equal(t, before.Chapters, after.Chapters)
				case trial.OneSided:
					assert.Less(t, len(parties(after)), 4)
					assert.Greater(t, len(parties(before)), 6)
				case trial.InventedQuote:
					assert.Equal(t, before.Chapters, after.Chapters)
					invented := 0
					for _, q := range quote.FindAllString(after.Report, -1) {
						if !strings.Contains(text(before), q) {
							invented++
						}
					}
					assert.Equal(t, 1, invented)
				case trial.Padding:
					assert.Greater(t, len(after.Report)*10, len(before.Report)*13)
					for line := range strings.Lines(before.Report) {
						assert.Contains(t, after.Report, line, "nothing is taken away")
					}
					assert.Equal(t, len(citation.FindAllString(before.Report, -1)),
						len(citation.FindAllString(after.Report, -1)), "nothing new is cited")
				}
			})
		}
	}
}

// parties are the last two labels of the hosts.
func parties(m evaluator.Material) map[string]bool {
	found := map[string]bool{}
	for _, s := range m.Sources {
		labels := strings.Split(s.Host, ".")
		found[labels[len(labels)-2]] = true
	}
	return found
}

const honestReport = "# Tides\n\n## Answer\n\nTwice a day [s1].\n\n## Neaps\n\nSmall [s2].\n" +
	"\n## Open\n\nMuch.\n"

// small is a case with one edit for all faults, changed in places.
func small(name, edit string) fstest.MapFS {
	folder := fstest.MapFS{}
	put := func(file, text string) { folder[name+"/"+file] = &fstest.MapFile{Data: []byte(text)} }
	put("question.md", "Today: 2026-01-02\n\nHow do tides work at "+name+"?\n")
	put("sources.txt", "s1 · sea.example · 2025-01-02 · The sea\ns2 · moon.example · 2024-01-02 · The moon\n")
	put("report.md", honestReport)
	put("chapters/01-neaps.md", "# Neaps\n\nSmall [s2].\n")
	for _, f := range trial.Faults() {
		put("faults/"+strings.ReplaceAll(string(f), " ", "-")+".edit",
			strings.ReplaceAll(edit, "FAULT", string(f)))
	}
	return folder
}

func TestAnEditIsCarriedOutToTheLetter(t *testing.T) {
	for name, c := range map[string]struct{ changes, report string }{
		"find": {"--- find\nTwice\n--- replace\nThrice",
			strings.Replace(honestReport, "Twice", "Thrice", 1)},
		"find to delete": {"--- find\n a day\n--- replace", strings.Replace(honestReport, " a day", "", 1)},
		"delete": {"--- delete\nSmall [s2].\n\n",
			"# Tides\n\n## Answer\n\nTwice a day [s1].\n\n## Neaps\n\n## Open\n\nMuch.\n"},
		"section": {"--- delete section\n## Neaps",
			"# Tides\n\n## Answer\n\nTwice a day [s1].\n\n## Open\n\nMuch.\n"},
		"last section": {"--- delete section\n## Open",
			"# Tides\n\n## Answer\n\nTwice a day [s1].\n\n## Neaps\n\nSmall [s2].\n\n"},
		"append": {"--- append\nAnd more.", honestReport + "\nAnd more.\n"},
		"whole":  {"--- whole\n# All new", "# All new\n"},
		"two": {"--- find\nTwice\n--- replace\nThrice\n--- find\nThrice a\n--- replace\nOnce a",
			strings.Replace(honestReport, "Twice", "Once", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			cases, err := trial.Load(small("brest", "What FAULT is.\nwords: Neap, tide\n\n=== report.md\n"+
				c.changes+"\n"))
			require.NoError(t, err)
			require.Len(t, cases, 1)
			p := cases[0].Planted[0]
			assert.Equal(t, strings.TrimRight(c.report, "\n"), strings.TrimRight(p.Material.Report, "\n"))
			assert.Equal(t, "What missing chapter is.", p.What)
			assert.Equal(t, []string{"neap", "tide"}, p.Words)
			assert.Equal(t, honestReport, cases[0].Honest.Report)
		})
	}
}

func TestAnEditThatDoesNotFitIsRefused(t *testing.T) {
	const head = "What.\nwords: neap\n\n=== report.md\n"
	for name, edit := range map[string]string{
		"not there":       head + "--- delete\nFour times",
		"there twice":     head + "--- delete\n[s",
		"no text":         head + "--- delete\n",
		"no replace":      head + "--- find\nTwice",
		"another verb":    head + "--- find\nTwice\n--- delete\nTwice",
		"no verb":         head + "--- change\nTwice",
		"no section":      head + "--- delete section\n## Springs",
		"half a heading":  head + "--- delete section\n## Nea",
		"no file":         "What.\nwords: neap\n\n=== other.md\n--- append\nx",
		"no words":        "What.\n\n=== report.md\n--- append\nx",
		"no change":       head,
		"words before":    head + "Twice\n--- delete\nTwice",
		"broken sources":  "What.\nwords: neap\n\n=== sources.txt\n--- whole\ns1 sea.example",
		"broken question": "What.\nwords: neap\n\n=== question.md\n--- whole\nWhy?",
		"empty report":    head + "--- whole\n",
		"nothing":         "",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := trial.Load(small("brest", edit))
			require.Error(t, err)
			assert.Contains(t, err.Error(), "brest")
		})
	}
	folder := small("brest", head+"--- append\nx")
	delete(folder, "brest/faults/padding.edit")
	_, err := trial.Load(folder)
	assert.ErrorContains(t, err, "padding")
}

package citation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Claims of two chapters that speak of the same thing with other values are found by their words; the same
// value in another unit, another thing, and a figure that only one of them has are no difference.
func TestClaimsThatDiffer(t *testing.T) {
	for _, c := range []struct{ one, other, why string }{
		{"A message is retried for 4 days before it bounces [s1.2].",
			"Before it bounces, a message is retried for 5 days [s2.3].", "4 / 5"},
		{"A message is retried for 4 days before it bounces [s1.2].",
			"A message is retried for 96 hours before it bounces [s2.3].", ""},
		{"A message is retried for 4 days before it bounces [s1.2].",
			"A message is retried for days before it bounces, in 3 steps [s2.3].", ""},
		{"The treaty of Riga was signed in March 1921 by both sides [s1.2].",
			"Both sides signed the treaty of Riga in May 1921 [s2.3].", "March 1921 / May 1921"},
		{"The co-operative pays its managers at most 4.5 times the lowest wage [s1.2].",
			"Its managers get at most 9 times the lowest wage in the co-operative [s2.3].", "4.5 / 9"},
		{"Delivery to remote hosts is enabled for untrusted users by default [s1.2].",
			"Delivery to remote hosts is disabled for untrusted users by default [s2.3].",
			"enable / disable"},
		{"The harbour of Ostend is 12 metres deep [s1.2].",
			"The harbour of Calais took 9 years to build [s2.3].", ""},
		{"邮件在退回之前默认重试 4 天，间隔逐渐加长 [s1.2]。",
			"邮件退回之前默认重试 5 天，间隔逐渐加长 [s2.3]。", "4 / 5"},
		{"邮件在退回之前默认重试 4 天，间隔逐渐加长 [s1.2]。",
			"港口水深 12 米，建于九年之内，可停大船 [s2.3]。", ""},
	} {
		all := append(citation.Read(t.Context(), c.one).Stated("a.md"),
			citation.Read(t.Context(), c.other).Stated("b.md")...)
		why := ""
		for _, p := range all.Differing() {
			why += p.Why
		}
		assert.Equal(t, c.why, why, "%s | %s", c.one, c.other)
		assert.Empty(t, all.Twice(), "%s | %s", c.one, c.other)
	}
}

// The same claim on the same block in two places is found, whatever small words are around it; another block,
// another claim on the block, and another figure are none.
func TestClaimsThatAreMadeTwice(t *testing.T) {
	const first = "Neap tides follow the quarters of the moon by two days [s1.1]."
	for other, twice := range map[string]bool{
		"The neap tides follow the moon's quarters by two days [s1.1].":   true,
		"Neap tides follow the quarters of the moon by two days [s1.2].":  false,
		"The moon's quarters are easily seen from harbour walls [s1.1].":  false,
		"Neap tides follow the quarters of the moon by 19 days [s1.1].":   false,
		"Spring tides are the highest of the month at any harbour [s2].":  false,
		"Neap tides follow the quarters of the moon by two days [s1].":    true,
		"Neap tides follow the quarters of the moon by two days (above).": false,
	} {
		all := citation.Read(t.Context(), "## One\n\n"+first+"\n\n## Two\n\n"+other+"\n").Stated("report.md")
		assert.Len(t, all.Twice(), map[bool]int{true: 1}[twice], other)
	}
	all := citation.Read(t.Context(), "## One\n\n"+first+" "+first+"\n").Stated("report.md")
	assert.Empty(t, all.Twice(), "within a section it is the writer's matter")
	cell := strings.TrimSuffix(first, ".")
	for title, twice := range map[string]int{"Decisions at a glance": 0, "The tides, the control": 1} {
		table := "## " + title + "\n\n| Tides | What |\n| --- | --- |\n| neap | " + cell + " |\n\n"
		all = citation.Read(t.Context(), table+"## Two\n\n"+first+"\n").Stated("report.md")
		assert.Len(t, all, 2)
		assert.Len(t, all.Twice(), twice, title)
	}
}

// Two places that tell one thing of a block overlap, in other words and with other details; what else the
// block says, or the same words on another block, does not.
func TestClaimsThatOverlap(t *testing.T) {
	const first = "With several parents a child is unreachable only when all have failed, since v2.12 [s1.9]."
	for other, overlaps := range map[string]bool{
		"Review dependencies: several parents make a child unreachable only when all fail [s1.9].": true,
		"Review dependencies: several parents make a child unreachable only when all fail [s1.8].": false,
		"Acknowledging a problem twice is refused from v2.12 on, which old scripts notice [s1.9].": false,
	} {
		all := citation.Read(t.Context(), "## One\n\n"+first+"\n\n## Two\n\n"+other+"\n").Stated("report.md")
		assert.Len(t, all.Overlapping(), map[bool]int{true: 1}[overlaps], other)
		assert.Empty(t, all.Twice(), other)
	}
}

// What a report loses of a chapter is found: a claim with its citation, a citation alone, and one that went
// over to another claim. Other words, another order and another section are no loss.
func TestClaimsThatGoAstray(t *testing.T) {
	const chapter = "The mole at Ostend was built of Norwegian granite [s1.4]. Its lighthouse burned whale " +
		"oil until the war [s2.7].\n\n" +
		"A pilot boards each ship beyond the outer bank [s3.1]."
	for report, want := range map[string]string{
		chapter: "",
		"A pilot comes aboard every ship outside the bank [s3.1].\n\n## Light\n\n" +
			"Until the war whale oil burned in the lighthouse [s2.7].\n\n" +
			"## Stone\n\nGranite from Norway is what the mole at Ostend is made of [s1.4].": "",
		"The mole at Ostend was built of Norwegian granite [s1.4]. Its lighthouse burned whale oil until " +
			"the war [s2.7].": "[s3.1] –",
		"The mole at Ostend was built of Norwegian granite [s1.4]. Its lighthouse burned whale oil until " +
			"the war.\n\n" +
			"A pilot boards each ship beyond the outer bank [s3.1].": "[s2.7] –",
		"The mole at Ostend was built of Norwegian granite [s2.7]. Its lighthouse burned whale oil until " +
			"the war [s1.4].\n\n" +
			"A pilot boards each ship beyond the outer bank [s3.1].": "[s1.4] 2.7 [s2.7] 1.4",
		// mended: a block that no chapter cites
		strings.Replace(chapter, "[s1.4]", "[s1.5]", 1): "",
	} {
		assert.Equal(t, want, strayed(t, report, chapter), report)
	}
	both :=
		"The mole was built of granite from Norway in one summer [s1.4]. Storms broke it at the northern " +
			"end, and nobody mended it [s1.4]."
	left, _, _ := strings.Cut(both, " Storms")
	lost := citation.Read(t.Context(), left).Stated("report.md").Astray(
		citation.Read(t.Context(), both).Stated("c.md"))
	if assert.Len(t, lost, 1, "a claim is gone whose block is cited for another") {
		assert.Contains(t, lost[0].Text, "Storms")
	}
}

// strayed shows the claims of chapters that went astray in a report, each with its citation there.
func strayed(t *testing.T, report, chapters string) string {
	var all []string
	for _, a := range citation.Read(t.Context(), report).Stated("report.md").Astray(
		citation.Read(t.Context(), chapters).Stated("c.md")) {
		in := "–"
		if a.In != nil {
			in = a.In.Refs[0].String()[1:]
		}
		all = append(all, fmt.Sprintf("[%s] %s", a.Refs[0], in))
	}
	return strings.Join(all, " ")
}

// Of two claims that tell one thing of a block, one may go: the report was to say it in one. Not so what else
// the block is cited for, a citation that is gone, and one that went over to a claim which no chapter made.
func TestMergedClaimsAreNotAstray(t *testing.T) {
	const one = "Since 9.18.8 `named -V` and the start-up log show the supported algorithms [s1.4]: see."
	const other = "Prove it first: 9.18 lists the supported algorithms at startup and in `named -V` [s1.4]."
	const third = "Zones are signed anew when their keys change, and resolvers notice nothing of it [s1.4]."
	const away = "The harbour master keeps a log of all ships that come in at night [s1.4]."
	chapters := "## Host\n\n" + one + "\n\n## Signing\n\n" + other + "\n\n" + third + "\n"
	for report, want := range map[string]string{
		one + "\n\n" + other + "\n\n" + third: "",
		one + "\n\n" + third:                  "",
		other + "\n\n" + third:                "",
		one:                                   "[s1.4] 1.4", // the third, which tells another thing
		third:                                 "[s1.4] 1.4 [s1.4] 1.4",
		"Look there first.":                   "[s1.4] – [s1.4] – [s1.4] –",
		away:                                  "[s1.4] 1.4 [s1.4] 1.4 [s1.4] 1.4",
		strings.ReplaceAll(one, "s1.4", "s2.7") + "\n\n" + third: "[s1.4] 2.7 [s1.4] 1.4",
	} {
		assert.Equal(t, want, strayed(t, report, chapters), report)
	}
}

// The items of a list in one sentence are each its own words, not what introduces them all.
func TestItemsOfAListAreNotAstray(t *testing.T) {
	const chapter = "- Only warned about: `coresize`, `datasize`, `files`, `stacksize` [s1.385], " +
		"`alt-transfer-source` [s1.386], a `port` in source addresses [s1.359], DSCP [s1.372]."
	for report, want := range map[string]string{
		chapter: "",
		"- Only deprecated: `coresize`, `datasize`, `files`, `stacksize` [s1.385], `alt-transfer-source` " +
			"[s1.386] and a `port` in source addresses [s1.359]. DSCP values in `named.conf` cause a " +
			"warning [s1.372].": "",
		strings.Replace(chapter, "s1.359", "s1.357", 1):    "", // mended
		strings.Replace(chapter, "s1.386", "s2.9", 1):      "[s1.386] 2.9",
		strings.Replace(chapter, ", DSCP [s1.372]", "", 1): "[s1.372] –",
	} {
		assert.Equal(t, want, strayed(t, report, chapter), report)
	}
}

// A quote between “ and ” may have marks of its own, also where they do not pair with each other.
func TestABlockQuoteKeepsTheMarksOfItsText(t *testing.T) {
	for _, text := range []string{
		`"Replace every valve", said the plumber, "or close it."`, `He wrote: "Close it." She wrote: "Keep it."`,
		"“The valve” is a “stop” for “the line”", `The valve is of 3.5" and called "a gate`,
	} {
		for body, held := range map[string]bool{text: true, strings.Replace(text, "e", "a", 1): false} {
			library := lookupIn(source("s1", "html", body))
			result := citation.Check(t.Context(), "> “"+text+"” [s1.1]\n", library)
			require.Len(t, result.Findings, 1)
			missing := result.Findings[0].Verdict == citation.QuoteMissing
			assert.Equal(t, held, !missing, "%s in %s", text, body)
		}
	}
}

package citation_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const harbour = "# Harbour\n\nThe harbour of Ostend was built in 1445 and has four docks.\n\n" +
	"In 1898 a storm raised the water by 4.2 metres above the mean.\n\n" +
	"The lighthouse keeper wrote: the sea took nine boats that night.\n\n```\nset --tide-limit 12\n```\n" +
	"\nThe flag `--tide-limit` bounds the water that a lock lets in.\n\n" +
	"| Dock | Depth (m) | Ships (千艘) |\n|---|---|---|\n| North | 8.5 | 41.2 |\n| South | 6.1 | 12.9 |\n"

func TestCitationsMoveToTheBlockThatTheyMean(t *testing.T) {
	lookup := lookupIn(source("s1", "html", harbour),
		source("s2", "html", "The sea is blue.\n\nThe sky is grey."))
	for name, c := range map[string]struct{ report, want string }{
		"a quote without a block": {"“the sea took nine boats that night” [s1].",
			"“the sea took nine boats that night” [s1.3]."},
		"a figure without a block": {"A storm of 1898 raised the water by 4.2 metres [s1].",
			"A storm of 1898 raised the water by 4.2 metres [s1.2]."},
		"a quote at another block": {"It is said that “the sea took nine boats that night” [s1.1].",
			"It is said that “the sea took nine boats that night” [s1.3]."},
		"a figure at another block": {
			"A storm of 1898 raised the water by 4.2 metres above the mean [s1.4].",
			"A storm of 1898 raised the water by 4.2 metres above the mean [s1.2]."},
		"what is right stays": {"The harbour of Ostend has four docks [s1.1].",
			"The harbour of Ostend has four docks [s1.1]."},
		"what nothing says stays": {"The storm cost 17 lives [s1.2].",
			"The storm cost 17 lives [s1.2]."},
		"other words stay open": {"Seafaring was dangerous in those days [s1].",
			"Seafaring was dangerous in those days [s1]."},
		"brackets of their own": {"All of it is so [s1.1][s1.2], and [s1.3, s2.1].",
			"All of it is so [s1.1] [s1.2], and [s1.3] [s2.1]."},
		"Chinese brackets": {"都是这样【s1.1、s2.2】。", "都是这样[s1.1] [s2.2]。"},
		"a report of an older version": {"All of it is like this [s1, s2].",
			"All of it is like this [s1] [s2]."},
		"what a row is about stays": {
			"| water | so |\n|---|---|\n| 4.2 metres | `--tide-limit` bounds what a lock lets in [s1.2] |",
			"| water | so |\n|---|---|\n| 4.2 metres | `--tide-limit` bounds what a lock lets in [s1.2] |"},
		"words between two citations stay": {
			"According to [s1], the sea [2020] took `a[0]` boats [s1.5].",
			"According to [s1], the sea [2020] took `a[0]` boats [s1.5]."},
		"a block that is not there": {
			"| water | so |\n|---|---|\n| 4.2 metres | `--tide-limit` bounds what a lock lets in [s1.99] |",
			"| water | so |\n|---|---|\n| 4.2 metres | `--tide-limit` bounds what a lock lets in [s1.5] |"},
		"two that a word joins": {"All of it is so [s1.1][s1.2] and [s1.3].",
			"All of it is so [s1.1] [s1.2] and [s1.3]."},
		"a page stays": {"All of it is so [s1.1, p. 4].", "All of it is so [s1.1, p. 4]."},
		"code stays":   {"Write `[s1.1][s1.2]` for it.", "Write `[s1.1][s1.2]` for it."},
		"two places of one line, moved": {
			"The water rose by 4.2 metres in the storm of 1898 [s1.4]. “the sea took nine boats " +
				"that night” [s1.5].", "The water rose by 4.2 metres in the storm of 1898 [s1.2]. “the sea " +
				"took nine boats that night” [s1.3]."},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := citation.Read(t.Context(), c.report+"\n").Repoint(t.Context(), lookup, nil)
			assert.Equal(t, c.want+"\n", got)
			again, moves := citation.Read(t.Context(), got).Repoint(t.Context(), lookup, nil)
			assert.Equal(t, got, again, "once is enough")
			assert.Empty(t, moves)
		})
	}
}

// TestAMoveIsNamedWhenItIsMade holds what Repoint returns against what it wrote: a citation that stays as it
// is, for the words in its brackets, takes nothing from another that moves to the same block.
func TestAMoveIsNamedWhenItIsMade(t *testing.T) {
	lookup := lookupIn(source("s1", "html", harbour))
	const moved, left = "It is said that “the sea took nine boats that night” [s1.1].", "It is said that " +
		"“the sea took nine boats that night” [s1.5, p. 4]."
	got, moves := citation.Read(t.Context(), moved+"\n\n"+left+"\n").Repoint(t.Context(), lookup, nil)
	assert.Equal(t, strings.Replace(moved, "s1.1", "s1.3", 1)+"\n\n"+left+"\n", got)
	if assert.Len(t, moves, 1) {
		assert.Equal(t, "1 s1.1 s1.3", fmt.Sprint(moves[0].Line, " ", moves[0].From, " ", moves[0].To))
	}

	nobody := func(workspace.Ref) bool { return false }
	got, moves = citation.Read(t.Context(), moved).Repoint(t.Context(), lookup, nobody)
	assert.Equal(t, moved, got, "nobody read the other block")
	assert.Empty(t, moves)
}

// TestWhatABlockSays holds single claims against single blocks: what is the matter, and which block is
// better.
func TestWhatABlockSays(t *testing.T) {
	lookup := lookupIn(source("s1", "html", harbour))
	for name, c := range map[string]struct {
		report string
		want   citation.Verdict
		better string
	}{
		"all words": {"The harbour of Ostend was built in 1445 [s1.1].",
			citation.Supported, ""},
		"other words": {"Ostend got its harbour in 1445 [s1.1].", citation.NotChecked, ""},
		"a changed word": {"“the sea took nine ships that night at the harbour” [s1.3].",
			citation.QuoteMissing, ""},
		"a figure": {"The harbour of Ostend was built in 1545 [s1.1].",
			citation.FigureMissing, ""},
		"the figure of a block": {"A storm raised the water by 4.2 metres in 1898 [s1.4].",
			citation.FigureMissing, "s1.2"},
		"another unit": {"A storm raised the water by 4.2 kilometres in 1898 [s1.2].",
			citation.FigureMissing, ""},
		"the same in other units": {"A storm raised the water by 420 centimetres [s1.2].",
			citation.NotChecked, ""},
		"a name in code":         {"`--tide-limit` bounds the water [s1.5].", citation.Supported, ""},
		"a name with blanks":     {"`set --tide-limit` bounds it [s1.4].", citation.NotChecked, ""},
		"an invented name":       {"`--tide-maximum` bounds the water [s1.5].", citation.NameMissing, ""},
		"a name in other case":   {"`--TIDE-LIMIT` bounds the water [s1.5].", citation.NotChecked, ""},
		"a cell":                 {"The north dock is 8.5 m deep [s1.6].", citation.NotChecked, ""},
		"a cell under a scale":   {"北码头停过41.2千艘船，即41,200艘[s1.6]。", citation.NotChecked, ""},
		"a cell of another unit": {"The north dock is 8.5 km deep [s1.6].", citation.FigureMissing, ""},
		"the opposite": {"In 1898 a storm lowered the water by 4.2 metres above the mean [s1.2].",
			citation.Contradicted, ""},
		"a negation": {"The harbour of Ostend was not built in 1445 [s1.1].", citation.Contradicted, ""},
		"no such block": {"The harbour of Ostend was built in 1445 [s1.99].",
			citation.Verdict("block missing"), "s1.1"},
	} {
		t.Run(name, func(t *testing.T) {
			f := citation.Check(t.Context(), c.report, lookup).Findings[0]
			assert.Equal(t, c.want, f.Verdict, f.Why)
			if c.better == "" {
				assert.Nil(t, f.Better, f.Why)
				return
			}
			assert.Equal(t, c.better, f.Better.String())
		})
	}
}

// TestALoneDigitSupportsNothing: "0" is on nearly every page.
func TestALoneDigitSupportsNothing(t *testing.T) {
	result := citation.Check(t.Context(), "The default is 0 [s1]. 默认值是 1 [s1.1]。",
		lookupIn(source("s1", "html", "It has 0 and 1 of them.\n\nOther text.")))
	assert.Equal(t, 2, result.Count(citation.NotChecked))
	assert.Len(t, result.Open(), 2)
}

func TestCellsCodeAndLabelsOfAReport(t *testing.T) {
	lookup := lookupIn(source("s1", "html", "1"), source("s2", "html", "1"))
	for name, c := range map[string]struct{ report, want string }{
		"a cell's citation is the cell's": {"| a | b | c |\n|---|---|---|\n| x 30 [s1] | 40 | 50 |\n" +
			"| y 30 [s1] | 40 | 50 [s2] |", "s1 30; s1 30; s2 50"},
		"a sentence begins with code": {"It had 20. `fsync` took 30 [s1].", "s1 30 fsync"},
		"a Chinese label":             {"这就是“潮汐锁定效应”的来历[s1]。", "s1 "},
		"a Chinese coinage":           {"业内称之为“第二次大航海”[s1]。", "s1 "},
		"a Chinese quote with a verb": {"船长说：“我们回家去吧”，然后离开了[s1]。", "s1 我们回家去吧"},
		"a Chinese quote of sentence length": {"那一年“海水漫过了整个老城的街道”，人们逃走了[s1]。",
			"s1 海水漫过了整个老城的街道"},
		"the words of a heading": {
			"# 报告\n\n## 海水漫过老城街道的那一夜\n\n在“海水漫过老城街道的那一夜”一节中说过[s1]。", "s1 "},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, told(citation.Check(t.Context(), c.report, lookup)))
		})
	}
}

// TestAJudgementIsGivenOnce: the same claim and passage have one key, and what code refuted no judgement
// overrules.
func TestAJudgementIsGivenOnce(t *testing.T) {
	lookup := lookupIn(source("s1", "html", harbour))
	report := "Ostend got its harbour in 1445 [s1.1].\n\nThe water rose by 17 metres [s1.2].\n" +
		"\nOstend got its harbour in 1445 [s1.1].\n"
	result := citation.Check(t.Context(), report, lookup)
	open := result.Open()
	if assert.Len(t, open, 1) {
		assert.Equal(t, "Ostend got its harbour in 1445", open[0].Text)
		assert.Equal(t, "s1.1", open[0].Passages[0].Label)
		assert.True(t, open[0].Passages[0].Cited)
		assert.Contains(t, open[0].Passages[0].Text, "Harbour\nThe harbour of Ostend was built in 1445")
	}
	result.Judge(map[string]citation.Judgement{open[0].Key: {Verdict: citation.Partly,
		Why: "no year is given", Better: "s1.2"}, "other": {Verdict: citation.Supported}})
	assert.Equal(t, 2, result.Count(citation.Partly))
	assert.Equal(t, 1, result.Count(citation.FigureMissing))
	assert.Equal(t, "s1.2", result.Findings[0].Better.String())
	assert.Empty(t, result.Open())
}

// A citation that is put into a sentence makes what is behind it another question: what was said of the whole
// sentence is not said of that part. What an earlier build asked stays answered, though its key named no
// part.
func TestAPartOfASentenceIsAQuestionOfItsOwn(t *testing.T) {
	lookup := lookupIn(source("s1", "html", "The value 0 turns off the limit.\n\nSet it to some seconds."))
	const whole = "The limit is off by default, some seconds are recommended [s1.2]."
	const parted = "The limit is off by default [s1.1], some seconds are recommended [s1.2]."
	open := func(report string) citation.Question {
		all := citation.Check(t.Context(), report, lookup).Open()
		return all[len(all)-1]
	}
	before, now := open(whole), open(parted)
	require.Equal(t, before.Context+before.Text, now.Context+now.Text, "only the part differs")
	result := citation.Check(t.Context(), parted, lookup)
	result.Judge(map[string]citation.Judgement{before.Key: {Verdict: citation.Partly, Why: "off by default"}})
	assert.Zero(t, result.Count(citation.Partly))
	assert.Contains(t, result.Open(), now)

	sum := sha256.New()
	for _, p := range now.Passages {
		fmt.Fprintf(sum, "%s\x00%s\x00%t\x00", p.Label, p.Text, p.Cited)
	}
	sum.Write([]byte(now.Context + now.Text + now.After))
	earlier := hex.EncodeToString(sum.Sum(nil))
	result.Judge(map[string]citation.Judgement{earlier: {Verdict: citation.Supported}})
	assert.Equal(t, 1, result.Count(citation.Supported))
}

// FuzzEvidence compares any claim with any block: nothing panics, what is open has a question, and what the
// program writes under a report is recognised again.
func FuzzEvidence(f *testing.F) {
	f.Add("“the sea took nine boats that night” [s1.3]. It has `--tide-limit` [s1.5] [s1.6].", harbour)
	f.Add("| a | b |\n|---|---|\n| 8.5 m [s1.6] | 41.2千艘 [s1.7-9] |", harbour)
	f.Add("> 海水漫过 [s1.1]\n\n写入者不会阻塞读取者【s1.2】。",
		"写入者不会阻塞读取者。\n\n|甲（万元）|\n|-|\n|3|\n")
	f.Fuzz(func(t *testing.T, report, text string) {
		if len(report)+len(text) > 20_000 {
			return
		}
		s := source("s1", "html", text)
		s.File, s.Title = "Sources/s01.md", "A title"
		lookup := lookupIn(s)
		result := citation.Check(t.Context(), report, lookup)
		questions := map[string]bool{}
		for _, q := range result.Open() {
			questions[q.Key] = true
			assert.NotEmpty(t, q.Passages)
		}
		for _, x := range result.Findings {
			assert.NotEmpty(t, x.Source)
			assert.Equal(t, x.Verdict == citation.Supported, x.Why == "", "%s for no reason", x.Verdict)
		}
		repointed, _ := citation.Read(t.Context(), report).Repoint(t.Context(), lookup, nil)
		assert.LessOrEqual(t, len(citation.Check(t.Context(), repointed, lookup).Missing()),
			len(result.Missing()), "a move refutes nothing")
		own := citation.Read(t.Context(), "It is so [s1] [s1.1].\n").References(lookup, prose.English)
		if !strings.Contains(own, "```") {
			assert.Empty(t, strings.TrimSpace(citation.WithoutOwn(own)), own)
		}
		citation.Links(report, lookup)
	})
}

// Words that say no by themselves may say the same as a negation: that is for a checker to judge.
func TestAWordThatSaysNoIsNoContradiction(t *testing.T) {
	passage := source("s1", "web",
		"Setting `statement_timeout` in the file is not recommended because it would affect all sessions.\n")
	for said, want := range map[string]citation.Verdict{
		"discouraged": citation.NotChecked, "unwise": citation.NotChecked,
		"recommended": citation.Contradicted, // the control
	} {
		claim := "Setting `statement_timeout` in the file is " + said +
			" because it would affect all sessions [s1.1].\n"
		found := citation.Check(t.Context(), claim, lookupIn(passage)).Findings
		assert.Equal(t, want, found[0].Verdict, said)
	}
}

// Two things forbidden one by one are forbidden together: only one negation against none is certain.
func TestNegationsAreNotCounted(t *testing.T) {
	passage := source("s1", "web", "不要删除或修改 “/var/lib/dpkg/” 中的文件。\n")
	for said, want := range map[string]citation.Verdict{
		"不删除、不修改": citation.NotChecked,
		"可以删除或修改": citation.Contradicted, // the control
	} {
		found := citation.Check(t.Context(), said+" /var/lib/dpkg/ 中的文件 [s1.1]。\n",
			lookupIn(passage)).Findings
		assert.Equal(t, want, found[0].Verdict, said)
	}
}

// "Not before" says when, and negates nothing.
func TestANegationThatSaysWhen(t *testing.T) {
	const ends = " all queries of the clients are finished"
	passage := source("s1", "web", "The command PAUSE will not return before"+ends+".\n")
	for when, want := range map[string]citation.Verdict{
		"when":   citation.NotChecked,
		"before": citation.Contradicted, // the control
	} {
		claim := "The command PAUSE will return " + when + ends + " [s1.1].\n"
		found := citation.Check(t.Context(), claim, lookupIn(passage)).Findings
		assert.Equal(t, want, found[0].Verdict, claim)
	}
}

// What a cell says, another cell of its row may say no to: that is for a checker to judge.
func TestACellMayBeDeniedByItsRow(t *testing.T) {
	passage := source("s1", "web",
		"A node that registers with more memory than configured becomes available.\n")
	cell := "A node that registers with less memory than configured"
	for report, want := range map[string]citation.Verdict{
		"| Case | Returns |\n|---|---|\n| " + cell + " [s1.1] | no |\n": citation.NotChecked,
		cell + " becomes available [s1.1].\n":                           citation.Contradicted, // the control
	} {
		found := citation.Check(t.Context(), report, lookupIn(passage)).Findings
		assert.Equal(t, want, found[0].Verdict, report)
	}
}

// A condition with a negation of its own hides no negation that was taken out.
func TestANegationBesideAnother(t *testing.T) {
	for said, passage := range map[string]string{
		"The lock is released within a while if the holder does not answer": "The lock is not " +
			"released within a " +
			"while if the holder does not answer.",
		"如果持有者没有回应，锁在三十秒之内会释放": "如果持有者没有回应，锁在三十秒之内不会释放。",
	} {
		found := citation.Check(t.Context(), said+" [s1.1].\n",
			lookupIn(source("s1", "web", passage+"\n"))).Findings
		assert.Equal(t, citation.Contradicted, found[0].Verdict, said)
	}
}

// A number before "to 2 million" counts no millions where it is the greater.
func TestAGreaterNumberSharesNoScale(t *testing.T) {
	passage := source("s1", "web", "It grew from 500 to 2 million users, and 3 to 5 million came back.\n")
	for said, want := range map[string]citation.Verdict{
		"It grew from 500 million users": citation.FigureMissing,
		"3 million came back":            citation.Supported,
	} {
		found := citation.Check(t.Context(), said+" [s1.1].\n", lookupIn(passage)).Findings
		assert.Equal(t, want, found[0].Verdict, said)
	}
}

// Two numbers may share what multiplies them.
func TestNumbersShareAScale(t *testing.T) {
	passage := source("s1", "web",
		"Warnings begin at 40 million transactions, and refusal at 3 million, or 70 percent.\n")
	for said, want := range map[string]citation.Verdict{
		"forty and three million": citation.NotChecked, "40 and 3 million": citation.NotChecked,
		"3–40 million":            citation.NotChecked,
		"fifty and three million": citation.FigureMissing, // the controls
		"40 and 3 thousand":       citation.FigureMissing,
	} {
		found := citation.Check(t.Context(), "They come at "+said+" [s1.1].\n",
			lookupIn(passage)).Findings
		assert.Equal(t, want, found[0].Verdict, said)
	}
}

// A block that has a claim's name and not what the claim says of it is not the one that is meant.
func TestANameAloneMovesNoCitation(t *testing.T) {
	const before = "Backups are written every night to another disk.\n\nThey are kept.\n\nThey are read.\n\n"
	report := "By `wal_keep_size` old segments stay [s1.1].\n"
	for last, want := range map[string]string{
		"See `wal_keep_size` below.\n":                          report,
		"Old segments stay by `wal_keep_size` of the server.\n": strings.Replace(report, "s1.1", "s1.4", 1),
	} {
		got, _ := citation.Read(t.Context(), report).Repoint(t.Context(),
			lookupIn(source("s1", "html", before+last)), nil)
		assert.Equal(t, want, got, last)
	}
}

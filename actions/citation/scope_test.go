package citation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asked is each claim of a report as a checker is shown it, with what goes before it in square brackets.
func asked(t *testing.T, report string) string {
	t.Helper()
	const text = "First of them.\n\nSecond of them.\n\nThird of them.\n"
	result := citation.Check(t.Context(), report,
		lookupIn(source("s1", "html", text), source("s2", "html", text)))
	var all []string
	for i, f := range result.Findings {
		if i > 0 && f.Line == result.Findings[i-1].Line && f.Text == result.Findings[i-1].Text &&
			len(f.Refs) > 1 {
			continue
		}
		before := ""
		if f.Context != "" {
			before = "[" + f.Context + "]"
		}
		all = append(all, before+f.Text)
	}
	return strings.Join(all, " / ")
}

// A claim that is only a thing in a list says nothing without the rest of its sentence.
func TestAThingInAListKnowsItsSentence(t *testing.T) {
	const text = "First of them.\n\nSecond of them.\n\nThird of them.\n"
	result := citation.Check(t.Context(), "A full disk [s1.1], a lost lock [s1.2] and a crash [s1.3] end it "+
		"at once. A pool that was idle for longer than that may be closed [s1.1], and opened again [s1.2].\n",
		lookupIn(source("s1", "html", text)))
	var after []string
	for _, f := range result.Findings {
		after = append(after, f.Text+" | "+f.After)
	}
	assert.Equal(t, []string{"A full disk | , a lost lock and a crash end it at once.",
		"a lost lock |  and a crash end it at once.", "and a crash end it at once. | ",
		"A pool that was idle for longer than that may be closed | ", "and opened again | "}, after)
}

// TestWhatAClaimIs pins where a claim begins and ends, and what goes before it.
func TestWhatAClaimIs(t *testing.T) {
	for name, c := range map[string]struct{ report, want string }{
		"a list of parts": {
			"Likely to harm it are: swapping files [s1.1], moving one [s1.2], and copying it " +
				"[s1.3], or both [s1.1].", "Likely to harm it are: swapping files / [Likely to " +
				"harm it are: swapping files, ]moving one / [Likely to harm it are: swapping files, moving " +
				"one, ]and copying it / [Likely to harm it are: swapping files … and copying it, ]or both"},
		"in Chinese": {"由轻到重：先检查[s1.1]、再修复[s1.2]、最后重装[s1.3]。",
			"由轻到重：先检查 / [由轻到重：先检查, ]再修复 / [由轻到重：先检查, 再修复, ]最后重装"},
		"advice behind a semicolon": {"Close every handle of it [s1.1]; do not leave one open.",
			"Close every handle of it"},
		"advice behind a comma": {"The file outlives a crash [s1.1], so a copy is not enough.",
			"The file outlives a crash"},
		"advice in Chinese": {"缓存默认会被删除[s1.1]，所以要另存一份。", "缓存默认会被删除"},
		"the rest of a clause": {"Set the mode to FULL [s1.1] on a disk that honours syncs, and be done.",
			"Set the mode to FULL on a disk that honours syncs"},
		"a relative clause": {"There were many ships [s1.1], most of which sank, and so on.",
			"There were many ships, most of which sank"},
		"inference behind it": {"It keeps the file whole [s1.1]; what is lost is the last " +
			"commit (inference).", "It keeps the file whole"},
		"inference before it": {"An idle pool is the usual suspect (our inference); the function finds " +
			"the rest [s1.1].",
			"[An idle pool is the usual suspect (our inference), ]the function finds the rest"},
		"advice before it": {"先备份数据（本报告的建议），再挂载坏系统[s1.1]。",
			"[先备份数据（本报告的建议）, ]再挂载坏系统"},
		"all of it an inference": {"The next one is lost, too [s1.1] (inference).",
			"The next one is lost, too (inference)."},
		"a pronoun": {"The log grows without bound. Nothing else does. It stops " +
			"at midnight [s1.1].", "[Nothing else does. ]It stops at midnight"},
		"an item of a list": {"Never do this. What harms the file:\n\n- moving the file [s1.1]\n" +
			"- copying the file [s1.2]\n\nThe end is near [s1.3].",
			"[What harms the file: ]moving the file / [What harms the file: ]copying the file " +
				"/ The end is near"},
		"a cell": {"| Setting | Value | Why |\n|---|---|---|\n" +
			"| `mode` | FULL, on each | Syncs the log [s1.1]. Faster without [s1.2]; see below |",
			"[mode | Why: ]Syncs the log / [mode | Why: ]Faster without"},
		"a row": {"| Setting | Value | Source |\n|---|---|---|\n" +
			"| `mode` | FULL, on each | [s1.1] |", "mode | Value: FULL, on each"},
		"a short part is no lead": {"Read the notes [s1.1]; save the whole system first [s1.2].",
			"Read the notes / [Read the notes, ]save the whole system first"},
		"a lead": {"According to [s1.1], the wave came at night; stay away.",
			"According to, the wave came at night"},
		"a condition": {"If a log is lost [s1.1], what was written may be lost, too. In this mode it " +
			"may be lost [s1.2], so keep it.",
			"If a log is lost, what was written may be lost, too. / [If a log is lost, what was " +
				"written may be lost, too. ]In this mode it may be lost"},
		"two at one place": {"The wave came at night [s1.1] [s2.1].", "The wave came at night"},

		"e.g.": {"It stands on disks, e.g. Quantum drives, that lie [s1.1].",
			"It stands on disks, e.g. Quantum drives, that lie"},
		"i.e.": {"The default, i.e. FULL, is safe in it [s1.1].",
			"The default, i.e. FULL, is safe in it"},
		"Fig.": {"See the curve of Fig. S1 and of Fig. 2 there [s1.1].",
			"See the curve of Fig. S1 and of Fig. 2 there"},
		"No.": {"The ship No. 5 of the fleet sank [s1.1].", "The ship No. 5 of the fleet sank"},
		"v3.": {"The driver of v3. Linux has the fault [s1.1].",
			"The driver of v3. Linux has the fault"},
		"Dr.": {"The report of Dr. Miller says the same [s1.1].",
			"The report of Dr. Miller says the same"},
		"U.S.": {"The harbours of the U.S. East Coast are shallow [s1.1].",
			"The harbours of the U.S. East Coast are shallow"},
		"for example": {"有些磁盘会说谎，例如：U 盘和 SD 卡[s1.1]。",
			"有些磁盘会说谎，例如：U 盘和 SD 卡"},
		"code with ends": {"Run `echo s > x; echo u. Then y` twice [s1.1] as `a; b` says, or not.",
			"Run echo s > x; echo u. Then y twice as a; b says"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, strings.ReplaceAll(asked(t, c.report), "  ", " "))
		})
	}
}

// TestContextIsCutBetweenWords has a first part longer than is shown.
func TestContextIsCutBetweenWords(t *testing.T) {
	long := strings.Repeat("wonderful harbours and ", 20)
	got := asked(t, "It has "+long+"ships [s1.1], and it has "+long+"boats [s1.2], and cranes [s1.3].")
	for word := range strings.FieldsSeq(
		strings.NewReplacer("[", " ", "]", " ", "…", " ", ",", " ").Replace(got)) {
		assert.Contains(t, []string{"It", "it", "has", "wonderful", "harbours", "and", "ships", "boats",
			"cranes", "/"}, word)
	}
	assert.Less(t, len(got), 2*len(long)+900)
}

// TestANameInAnotherForm: what the words of a name are in is not refuted by code, and not confirmed.
func TestANameInAnotherForm(t *testing.T) {
	text := "When the journaling mode is changed, the wal file and the shm file are unlinked.\n" +
		"\nOf the size of a journal there is no limit."
	for report, want := range map[string]citation.Verdict{
		"The `-wal` file is unlinked [s1.1].":        citation.NotChecked,
		"It depends on `journal_mode` [s1.1].":       citation.NotChecked,
		"It depends on `journal_mode_limit` [s1.1].": citation.NameMissing,
		// somewhere on a page its words are soon found
		"It depends on `journal_size_limit` [s1].":      citation.NameMissing,
		"The `-t` option of it is for that [s1.1].":     citation.NameMissing,
		"The `-wap` file of it is unlinked too [s1.1].": citation.NameMissing,
	} {
		f := citation.Check(t.Context(), report, lookupIn(source("s1", "html", text))).Findings
		require.Len(t, f, 1)
		assert.Equal(t, want, f[0].Verdict, report)
	}
}

// TestWhatACheckerIsShown: the cited blocks with what introduces them, together where they are cited
// together, and no others.
func TestWhatACheckerIsShown(t *testing.T) {
	text := "# Page\n\n## [Harm](harm.html)\n\nNever do it. These harm the file:\n\n- moving the log\n" +
		"  - also by hand\n- copying [the file](doc:file.html#a) at `m[i](x)`\n\nRun this first:\n\n```\n" +
		"make it so\n```\n\n" +
		"## Sizes\n\nThe sizes of the ships:\n\n| ship | metres |\n|---|---|\n| Ada | 12 |\n| Bea | 14 |\n" +
		"\n新手应当只用稳定版。下面有一些提醒。\n\n- 不要混用套件\n" +
		"\n## Modes\n\n**Halt**\n\nA halted ship keeps its crew.\n\n- **Weight**: How heavy a ship counts.\n"
	s := source("s1", "html", text)
	s.Title = "The manual"
	for name, c := range map[string]struct {
		report string
		want   []string
	}{
		"an item": {"Do not copy anything here [s1.4].",
			[]string{"s1.4 cited: The manual\nPage > Harm\nNever do it. These harm the file:\n" +
				"- copying the file at `m[i](x)`"}},
		"an item below one": {"It is just as bad by hand [s1.3].",
			[]string{"s1.3 cited: The manual\nPage > Harm\nmoving the log\n  - also by hand"}},
		"code": {"It is made with one order [s1.6].",
			[]string{"s1.6 cited: The manual\nPage > Harm\nRun this first:\n```\nmake it so\n```"}},
		"after a full stop": {"新手把套件混在一起有害 [s1.11]。",
			[]string{"s1.11 cited: The manual\nPage > Sizes\n新手应当只用稳定版。下面有一些提醒。\n" +
				"- 不要混用套件"}},
		"a row": {"Ada is of no great length [s1.8].",
			[]string{"s1.8 cited: The manual\nPage > Sizes\n| ship | metres |\n|---|---|\n| Ada | 12 |"}},
		"two together": {"Moving and copying are harmful [s1.2] [s1.4].",
			[]string{"s1.2 cited: The manual\nPage > Harm\nNever do it. These harm the file:\n" +
				"- moving the log", "s1.4 cited: The manual\nPage > Harm\n" +
				"Never do it. These harm the file:\n- copying the file at `m[i](x)`"}},
		"a definition under the end of another": {"Heavy ships count for more [s1.14].",
			[]string{"s1.14 cited: The manual\nPage > Modes\n- **Weight**: How heavy a ship counts."}},
		"a figure beside": {"Ada has a length of 14 metres [s1.8].",
			[]string{"s1.8 cited: The manual\nPage > Sizes\n| ship | metres |\n|---|---|\n| Ada | 12 |",
				"s1.7 : The sizes of the ships:", "s1.9 : | ship | metres |\n|---|---|\n| Bea | 14 |"}},
	} {
		t.Run(name, func(t *testing.T) {
			open := citation.Check(t.Context(), c.report, lookupIn(s)).Open()
			require.Len(t, open, 1)
			var got []string
			for _, p := range open[0].Passages {
				cited := ""
				if p.Cited {
					cited = "cited"
				}
				got = append(got, p.Label+" "+cited+": "+p.Text)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestCitedTogetherIsJudgedTogether: what one of two citations at a place supports is supported.
func TestCitedTogetherIsJudgedTogether(t *testing.T) {
	lookup := lookupIn(source("s1", "html",
		"The harbour of Ostend was built in 1445.\n\nIts tower is of oak.\n"))
	result := citation.Check(t.Context(),
		"The harbour of Ostend was built in 1445 [s1.1] [s1.2]. The tower is made from oak wood "+
			"[s1.1] [s1.2].", lookup)
	require.Len(t, result.Findings, 4)
	assert.Equal(t, 2, result.Count(citation.Supported))
	require.Len(t, result.Open(), 1)
	result.Judge(map[string]citation.Judgement{result.Open()[0].Key: {Verdict: citation.Supported}})
	assert.Equal(t, 4, result.Count(citation.Supported))
}

// The sentence before, which says what "it" is, may end with a quote, and its citation stand behind the stop.
func TestWhatItMeansIsNeverACitationAlone(t *testing.T) {
	got := asked(t,
		`The hint is "Stop the server and vacuum it." [s1.1]. Do not follow it: it stops too much [s1.2].`)
	assert.Contains(t, got, `[The hint is "Stop the server and vacuum it.". ]Do not follow it`)
}

// What introduces a list is not said of the list behind it, which another mark or a block of code begins.
func TestAListIsIntroducedByItsOwnWords(t *testing.T) {
	for _, between := range []string{"", "```\nmake\n```\n\n"} {
		s := source("s1", "html", "These harm it:\n\n- moving the file\n\n"+between+"* copying the log\n"+
			"* keeping the rest\n")
		n := 3 + min(len(between), 1)
		open := citation.Check(t.Context(), fmt.Sprintf("Save all else [s1.%d].", n+1), lookupIn(s)).Open()
		require.Len(t, open, 1)
		assert.NotContains(t, open[0].Passages[0].Text, "These harm it", between)
		open = citation.Check(t.Context(), "Do not shift it [s1.2].", lookupIn(s)).Open()
		assert.Contains(t, open[0].Passages[0].Text, "These harm it", "the control")
	}
}

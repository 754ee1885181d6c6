package researcher_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// itsLine has each chapter's researcher write a line of its own behind the page that all read.
func itsLine(of map[string]string) func(file string, step int) (agent.Call, bool) {
	return func(file string, step int) (agent.Call, bool) {
		return agenttest.Call("file_operation", args{"operation_description": "Append the content to " + file + " as it is",
			"content": of[filepath.Base(file)] + "\n"}), step == 1
	}
}

// What chapters that were written apart say twice, and where they differ in a value, is told to the researcher with both claims and their
// citations. Code finds it by the words; a checker, where there is one, says whether two values contradict each other.
func TestChaptersThatSayTheSameOrDiffer(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	said := map[string]string{
		"01-part.md": "The tide at Dover takes 6 hours to rise from low to high water [s1.1].\n\nNeap tides follow the quarters of the moon by two days [s1.1].",
		"02-part.md": "At Dover the tide takes 7 hours to rise from low to high water [s1.1].\n\nThe harbour of Ostend is 12 metres deep [s1.1].",
		"03-part.md": "Neap tides follow the quarters of the moon by two days [s1.1].\n\nThe harbour of Calais took 9 years to build [s1.1].",
	}
	differ := "01-part.md:1 “The tide at Dover takes 6 hours to rise from low to high water” [s1.1] ↔ " +
		"02-part.md:1 “At Dover the tide takes 7 hours to rise from low to high water” [s1.1]: 6 / 7"
	for verdict, want := range map[string]string{"": differ + "\n", "contradicted": differ + " (another time)", "supported": ""} {
		t.Run("checker "+verdict, func(t *testing.T) {
			url, _ := library(t)
			o := &office{site: url, chapters: 3, instead: itsLine(said)}
			asked := ""
			server := serve(t, func(r agenttest.Request) agenttest.Answer {
				if slices.Contains(r.Tools, "verdicts") {
					asked += r.Messages[1].Content
					return say(agenttest.Call("verdicts", args{"verdicts": []args{{"claim": 1, "verdict": verdict, "why": "another time"}}}))
				}
				return o.answer(r)
			})
			c := config(filepath.Join(t.TempDir(), "research"), server.URL)
			c.Parallel, c.MaxSteps = 3, 2
			if verdict != "" {
				c.Judging = rounds.Judging{Fixed: 1, Without: scoresAlone &^ rounds.NoChecker}
			}
			_, err := run(t.Context(), c)
			require.NoError(t, err)
			told := ""
			for _, r := range server.Requests() {
				if slices.Contains(r.Tools, "research_chapters") {
					told += r.Messages[len(r.Messages)-1].Content + "\n"
				}
			}
			assert.Contains(t, told, "what both say, say in one:\n\n- 01-part.md:3 “Neap tides follow the quarters of the moon by two days” [s1.1] ↔ 03-part.md:1 “Neap")
			assert.Equal(t, want != "", strings.Contains(told, "Two places differ"), told)
			assert.Contains(t, told, want)
			assert.NotContains(t, told, "Ostend", "two harbours are two things")
			assert.Equal(t, verdict != "", strings.Contains(asked, "7 hours"), asked)
			replayed(t, c.Dir)
		})
	}
}

// styles are three chapters of different hands: a list, a running text, and a table, with names and orders of their own.
var styles = map[string]string{
	"01-causes.md": "## Causes of the tide\n\n- MOON: draws the water of every sea on both sides of the earth [s1.1]\n- SUN: adds to the moon's pull, or takes from it [s1.2]\n",
	"02-heights.md": "## How high it gets, and why\n\nOne would hardly believe it, but our satellite alone lifts the open ocean by half a metre [s1.3]. " +
		"Bays shaped like a funnel heap up much more than that [s1.4].\n",
	"03-use.md": "## Use\n\n| Plant | Since |\n| --- | --- |\n| Rance | tidal power station, in service since 1966 [s1.5] |\n| Sihwa | the largest tidal power station [s1.6] |\n",
}

// bound is the report as the chapters are bound into it.
func bound(styles map[string]string) string {
	return "# Tides\n\nThe moon makes them.\n\n" + styles["01-causes.md"] + "\n" + styles["02-heights.md"] + "\n" + styles["03-use.md"]
}

// voices is a server that gives the three chapters away, binds them, and changes the report each time that it is refused.
type voices struct {
	t        *testing.T
	site     string
	styles   map[string]string
	mistakes []func(report string) string // what it makes of the bound report, one proposal after the other
	decides  string                       // in the end, under decisions
	summary  string                       // what a chapter's researcher hands back
	byHand   func()                       // what a person does as the pass begins
	pass     string                       // the dashboard as the pass begins
	refused  []string
}

func (v *voices) answer(r agenttest.Request) agenttest.Answer {
	last := r.Messages[len(r.Messages)-1].Content
	propose := agenttest.Call("all_finished", args{"result": "report.md"})
	write := func(file, content string) agent.Call {
		return agenttest.Call("file_operation", args{"operation_description": "Write the content to " + file, "content": content})
	}
	switch {
	case slices.Contains(r.Tools, "chapter_finished"):
		file := ownChapter.FindStringSubmatch(r.Messages[1].Content)[1]
		switch len(r.Messages) {
		case 3:
			return say(agenttest.Call("visit_url", args{"url": v.site + "/tides.txt"}))
		case 5:
			return say(write(file, v.styles[filepath.Base(file)]))
		}
		return say(agenttest.Call("chapter_finished", args{"summary": cmp.Or(v.summary, "Written.")}))
	case strings.Contains(r.Messages[2].Content, "One voice: report.md rests"):
		if v.pass == "" {
			v.pass = r.Messages[2].Content
			if v.byHand != nil {
				v.byHand()
			}
		}
		if at := strings.Index(last, "Not finished: "); at >= 0 {
			v.refused = append(v.refused, last[at:])
		}
		if n := len(v.refused); n < len(v.mistakes) {
			return say(write("report.md", v.mistakes[n](bound(v.styles))), propose)
		}
		return say(write("report.md", v.mistakes[0](bound(v.styles))), agenttest.Call("update_overall_dashboard",
			args{"section": "decisions", "text": v.decides}), propose)
	case len(r.Messages) == 3:
		var given []args
		for _, file := range []string{"01-causes.md", "02-heights.md", "03-use.md"} {
			given = append(given, args{"file": "Notebook/" + file, "title": file, "question": "What of " + file + "?"})
		}
		return say(agenttest.Call("update_overall_dashboard", args{"section": "blueprint",
			"text": "- [x] **Causes of the tide**\n- [x] **How high it gets, and why**\n- [x] **Use**"}),
			agenttest.Call("research_chapters", args{"chapters": given}))
	}
	return say(write("report.md", bound(v.styles)), propose)
}

// After the chapters are bound, the researcher is asked for a pass that gives the report one voice; code says which claims the pass lost, or
// parted from their citation, what it says twice, and where it leaves the order. What is left out on purpose is named under decisions.
func TestTheReportGetsOneVoice(t *testing.T) {
	site := tides(t)
	replace := func(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }
	v := &voices{t: t, site: site, styles: styles, decides: "- [s1.4] left out: which bays, nobody asked.", mistakes: []func(string) string{
		replace(" Bays shaped like a funnel heap up much more than that [s1.4].", ""),
		replace("by half a metre [s1.3]", "by half a metre [s1.4]", "more than that [s1.4]", "more than that [s1.3]"),
		replace("in service since 1966 [s1.5] |", "in service since 1966 [s1.5]; the moon draws the water of every sea on both sides of the earth [s1.1] |"),
		func(report string) string {
			head, rest, _ := strings.Cut(report, "## Causes of the tide")
			causes, rest, _ := strings.Cut(rest, "## How high")
			return head + "## How high" + rest + "\n## Causes of the tide" + causes
		},
	}}
	server := serve(t, v.answer)
	c := config(filepath.Join(t.TempDir(), "research"), server.URL)
	c.Parallel = 3
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.Empty(t, result.Unsound)
	text := read(t, c.Dir, "report.md")
	assert.NotContains(t, text, "funnel", "what was left out on purpose stays out")
	asked := v.pass[strings.Index(v.pass, "## Task"):strings.Index(v.pass, "## Learned")]
	goldenText(t, "testdata/voice.golden.md", asked+"\n"+strings.Join(v.refused, "\n\n")+"\n")
	require.Len(t, v.refused, 4)
	replayed(t, c.Dir)
}

// Of chapters whose researchers handed back claims the report has to have these; what else their files hold is
// material, which the writer takes or leaves. Who hands back a claim that the file does not have handed back nothing.
func TestMaterialThatWasNotHandedBackMayBeLeftOut(t *testing.T) {
	without := func(claim string) func(string) string { return strings.NewReplacer(claim, "").Replace }
	const funnel = " Bays shaped like a funnel heap up much more than that [s1.4]."
	for summary, refused := range map[string]string{
		"- The moon draws the water [s1.1].\n- Half a metre [s1.3].": "",
		"- Stations [s1.5].": "funnel",
	} {
		v := &voices{t: t, site: tides(t), styles: styles, summary: summary,
			mistakes: []func(string) string{without(" by half a metre [s1.3]"), without(funnel)}}
		if refused == "" { // its passage may serve another claim
			v.mistakes[1] = strings.NewReplacer(funnel, " Ferries of the harbour wait there for the ebb [s1.4].").Replace
		} else {
			v.mistakes, v.decides = v.mistakes[1:], "- [s1.4] left out: which bays, nobody asked."
		}
		c := config(filepath.Join(t.TempDir(), "research"), serve(t, v.answer).URL)
		c.Parallel = 3
		result, err := run(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, agent.Finished, result.Reason)
		require.Len(t, v.refused, 1, "%s", strings.Join(v.refused, "\n\n"))
		assert.Equal(t, refused == "", strings.Contains(v.refused[0], "lifts the open ocean"), v.refused[0])
		assert.Equal(t, refused != "", strings.Contains(v.refused[0], "funnel"), v.refused[0])
		assert.NotContains(t, read(t, c.Dir, "report.md"), "much more than that")
	}
}

// What a person wrote into a chapter is no material that may be left out without a word.
func TestAPersonsLineOfAChapterIsNotLeftOut(t *testing.T) {
	v := &voices{t: t, site: tides(t), styles: styles, summary: "- The moon draws the water [s1.1].\n- Half a metre [s1.3].",
		decides:  "- [s1.4] left out: ferries, nobody asked.",
		mistakes: []func(string) string{strings.NewReplacer(" Bays shaped like a funnel heap up much more than that [s1.4].", "").Replace}}
	c := config(filepath.Join(t.TempDir(), "research"), serve(t, v.answer).URL)
	c.Parallel = 3
	v.byHand = func() {
		path := filepath.Join(c.Dir, "Notebook", "02-heights.md")
		text := read(t, c.Dir, "Notebook/02-heights.md") + "\n**Ferries** of the harbour wait there for the ebb [s1.4].\n"
		assert.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	require.Len(t, v.refused, 1, "%s", strings.Join(v.refused, "\n\n"))
	assert.Contains(t, v.refused[0], "of the harbour wait")
	assert.NotContains(t, v.refused[0], "funnel")
}

// tides is the address of a site with one page.
func tides(t *testing.T) string {
	t.Helper()
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "The moon draws the water of every sea on both sides of the earth.\n\nThe sun adds to the moon's pull, or takes from it.\n\n"+
			"The moon alone lifts the open ocean by half a metre.\n\nBays shaped like a funnel heap up much more.\n\n"+
			"Rance is a tidal power station, in service since 1966.\n\nSihwa is the largest tidal power station.\n")
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	return site.URL
}

// A claim of a chapter's that a gate refused may leave the report, or change, without a word under decisions: the chapters keep the fault.
func TestWhatIsRefusedMayChangeInTheOneVoice(t *testing.T) {
	faulty := maps.Clone(styles)
	faulty["01-causes.md"] = strings.Replace(styles["01-causes.md"], "adds to the moon's pull", "adds 17 percent to the moon's pull", 1)
	v := &voices{t: t, site: tides(t), styles: faulty, mistakes: []func(string) string{
		func(report string) string { return report },
		strings.NewReplacer("\n- SUN: adds 17 percent to the moon's pull, or takes from it [s1.2]", "").Replace,
	}}
	c := config(filepath.Join(t.TempDir(), "research"), serve(t, v.answer).URL)
	c.Parallel = 3
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	require.Len(t, v.refused, 1, "%s", strings.Join(v.refused, "\n\n"))
	assert.Contains(t, v.refused[0], "17")
	assert.NotContains(t, read(t, c.Dir, "report.md"), "17 percent")
}

func goldenText(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "UPDATE_GOLDEN=1 writes %s again", path)
}

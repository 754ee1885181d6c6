package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type object = map[string]any

// memo is a profile of the user's own.
var memo = map[string]map[string]any{"memo": {"guide": "A memo.", "words": object{"min": 60}, "abstract": object{"min": 10, "max": 90},
	"section-words": object{"min": 10}, "sections": []any{object{"title": "Costs"}}, "sources": 2, "tables": 1, "chapters": true, "conclusion": true}}

// proposer is a model that proposes one report for ever, and plays all those who judge it besides.
type proposer struct {
	dir     string
	steps   []agent.Reply // of the researcher, before it proposes
	doubts  bool          // the checker's verdicts cannot be read
	objects bool          // the opponent objects, and gets no answer
	low     bool          // the judge is not content
	note    string        // that a person writes when the work begins
}

func (p *proposer) answer(r agenttest.Request) agenttest.Answer {
	say := func(name string, args any) agenttest.Answer {
		return agenttest.Answer{Reply: agenttest.Reply(agenttest.Call(name, args))}
	}
	asked := r.Messages[len(r.Messages)-1].Content
	switch {
	case slices.Contains(r.Tools, "verdicts"):
		var all []object
		verdict := map[bool]string{true: "perhaps", false: "supported"}[p.doubts]
		for i := range strings.Count(asked, `what="claim"`) {
			all = append(all, object{"claim": i + 1, "verdict": verdict, "why": "it says so"})
		}
		return say("verdicts", object{"verdicts": all})
	case slices.Contains(r.Tools, "checklist"):
		var points []object
		for n := range 9 {
			points = append(points, object{"text": fmt.Sprint("It says point ", n+1), "aspect": "fact", "queries": []string{fmt.Sprint("tides ", n+1)}})
		}
		return say("checklist", object{"points": points})
	case slices.Contains(r.Tools, "assess"):
		var marks []object
		for n := range 9 {
			marks = append(marks, object{"n": n + 1, "mark": "met", "where": "the moon and the sun pull"})
			if p.low {
				marks[n] = object{"n": n + 1, "mark": "missing"}
			}
		}
		return say("assess", object{"points": marks, "gaps": []object{}, "analysis": "Read.", "coverage": 8, "diversity": 8, "consistency": 8, "freshness": 8})
	case slices.Contains(r.Tools, "choose"):
		return say("choose", object{"why": "It is.", "better": "A"})
	case slices.Contains(r.Tools, "chapter_finished") && strings.Contains(asked, "# Current dashboard"):
		return say("file_operation", object{"operation_description": "Write the content to Notebook/01-whales.md",
			"content": "## Whales\n\nA whale in the harbour rings the bell of the pilot [s1.2].\n"})
	case slices.Contains(r.Tools, "chapter_finished"):
		return say("chapter_finished", object{"summary": "Whales ring [s1.2]."})
	case slices.Contains(r.Tools, "object"):
		all := []object{}
		if p.objects {
			all = append(all, object{"where": "the moon and the sun pull", "what": "It is the wind.", "passage": "s1.1", "remedy": "Say so."})
		}
		return say("object", object{"objections": all})
	}
	if p.note != "" {
		file := filepath.Join(p.dir, workspace.CurrentFile)
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, append(text, "\n"+p.note+"\n"...), 0o600)
		}
		if err != nil {
			return agenttest.Answer{Status: 500, Body: err.Error()}
		}
		p.note = ""
	}
	if len(p.steps) == 0 {
		return say("all_finished", object{"result": workspace.ReportFile})
	}
	reply := p.steps[0]
	p.steps = p.steps[1:]
	return agenttest.Answer{Reply: reply}
}

const (
	english = "The water of the sea is what the moon and the sun pull at, and so it rises and it falls as all have known. "
	chinese = "海水受月亮和太阳的吸引，每天涨落两次，这是古人早就知道的道理。"
)

// sound is a report that passes the gates of a profile, with its blueprint.
func sound(p gate.Profile, filler string) (report, blueprint string) {
	fill := func(words int) string { return strings.Repeat(filler, words/20+1) + "\n\n" }
	var out, plan strings.Builder
	out.WriteString("# Tides\n\n")
	sections := p.Sections
	if len(sections) < 2 {
		sections = append([]gate.Section{{Title: "Causes", Words: 150}}, sections...)
		out.WriteString(fill(p.Abstract.Min))
	}
	for i, s := range sections {
		mark := "## "
		if number, _, _ := strings.Cut(s.Title, " "); strings.Contains(number, ".") {
			mark = "### "
		}
		fmt.Fprintf(&plan, "- [x] **%s**\n", s.Title)
		fmt.Fprintf(&out, "%s%s\n\n", mark, s.Title)
		if i == 0 {
			for n := range max(1, p.Sources) {
				fmt.Fprintf(&out, "Harbours must therefore be deep [s%d.1].\n\n", n+1)
			}
			out.WriteString(strings.Repeat("| a | b |\n| --- | --- |\n| c | d |\n\nWords.\n\n", p.Tables))
		}
		out.WriteString(fill(max(40, s.Words)))
	}
	out.WriteString("## Conclusion and outlook\n\n" + fill(20))
	return out.String(), plan.String()
}

// faulty says how a report fails a gate, which then ends the research as not sound, unless it says otherwise.
type faulty struct {
	report  func(gate.Profile, string) string
	model   func(*proposer)
	planned string // another chapter of the blueprint
	gap     string // on the dashboard
	apart   bool   // a chapter is written by an agent of its own, and the report has nothing of it
	stopped bool   // an earlier run came to its limit before it wrote
	not     string // a profile that does not ask for it
	ends    string // on the screen, of a gate that stops no report for ever
}

func failures() map[string]faulty {
	add := func(text string) func(gate.Profile, string) string {
		return func(_ gate.Profile, report string) string { return report + text }
	}
	return map[string]faulty{
		"notes":   {model: func(p *proposer) { p.note = "Think of the [whales]." }, ends: "your notes without an answer (1): “Think of the [whales].”"},
		"round":   {model: func(p *proposer) { p.low = true }, ends: "finished after"}, // it passed the others and was judged; its score says how good it is
		"written": {stopped: true},
		"form":    {report: add("\n#### Deep\n\nWords.\n")},
		"parts":   {planned: "- [ ] **Whales**\n", not: "brief"},
		"evidence": {gap: workspace.Unproven{Title: "Whales", File: "Notebook/09-whales.md", Why: "its file was not written"}.String(),
			report: func(_ gate.Profile, report string) string {
				return strings.Replace(report, "## Conclusion", "## Whales\n\n"+english+"\n\n## Conclusion", 1)
			}},
		"voice":     {apart: true},
		"citations": {report: add("\nThe sea weighs 17 tonnes [s1.1].\n")},
		"length": {report: func(p gate.Profile, report string) string {
			if p.Words.Max > 0 {
				return report + strings.Repeat(english, p.Words.Max/20)
			}
			before, after, _ := strings.Cut(report, "\n\n## Conclusion") // the last section loses its words
			return before[:strings.LastIndex(before, "\n\n")] + "\n\nShort.\n\n## Conclusion" + after
		}},
		"language": {report: func(p gate.Profile, _ string) string {
			report, _ := sound(p, chinese)
			return report
		}},
		"minimum": {report: func(p gate.Profile, report string) string {
			for n := range p.Sources {
				report = strings.Replace(report, fmt.Sprintf("[s%d.1]", n+1), map[bool]string{true: "[s1.1]"}[p.Sources > 1], 1)
			}
			return report
		}},
		"objections": {model: func(p *proposer) { p.objects = true }},
		"checker":    {model: func(p *proposer) { p.doubts = true }},
	}
}

// No way is left to finish with a failed gate: each gate, each profile, with a model that proposes the same bad report for ever. A gate
// of the code without a row here fails the test, and so does a row without a gate. With DAYBOOK_FULL=1 each gate is tried in each profile,
// and otherwise in one that has it.
func TestNothingFinishesWithAFailedGate(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	table := failures()
	gates := gatesOfTheCode(t)
	require.ElementsMatch(t, gates, slices.Collect(maps.Keys(table)), "each gate has a row")
	c := newCourtroom(t)
	profiles := []string{"brief", "standard", "exhaustive", "memo"}
	for p, name := range profiles {
		profile, err := gate.FindProfile(name, memo)
		require.NoError(t, err)
		t.Run(name+"/control", func(t *testing.T) {
			code, said := c.run(t, profile, faulty{})
			assert.Equal(t, exitFinished, code, said.stderr)
			assert.Equal(t, "finished", said.result["reason"], said.stderr)
			assert.Contains(t, said.result, "score")
			assert.NotContains(t, said.report, "WARNING")
		})
		for g, failed := range gates {
			at := g % len(profiles)
			if table[failed].not == profiles[at] {
				at = (at + 1) % len(profiles)
			}
			if p != at && os.Getenv("DAYBOOK_FULL") == "" {
				continue
			}
			t.Run(name+"/"+failed, func(t *testing.T) {
				row := table[failed]
				code, said := c.run(t, profile, row)
				if row.ends != "" || row.not == name {
					assert.Equal(t, exitFinished, code, said.stderr)
					assert.Contains(t, said.stderr, row.ends)
					return
				}
				assert.Equal(t, exitUnsound, code, said.stderr)
				assert.Regexp(t, `(?m)^daybook: not sound: the report does not pass its checks.*[:;] `+failed+`: `, said.stderr)
				assert.NotContains(t, said.stderr, "of 10")
				assert.Contains(t, fmt.Sprint(said.result["unsound"]), "gate:"+failed+" ")
				assert.NotContains(t, said.result, "score")
				assert.Contains(t, said.status, "\nstate     not sound\n")
				assert.Contains(t, said.status, "\nfailed    "+failed+": ")
				assert.Equal(t, "not sound", said.look["state"])
				assert.Contains(t, fmt.Sprint(said.look["unsound"]), failed+": ")
				assert.Regexp(t, `(?m)^> \[!WARNING\]\n> \*\*Not sound(?:.*\n)*?> - `+failed+`: `, said.report[:min(len(said.report), 9<<10)])
				assert.NotContains(t, said.report, "of 10")
			})
		}
	}
	t.Run("notes are named at the end", func(t *testing.T) {
		profile, err := gate.FindProfile("brief", nil)
		require.NoError(t, err)
		_, said := c.run(t, profile, table["notes"])
		assert.Equal(t, []any{"Think of the [whales]."}, said.result["notes"])
		assert.Equal(t, []any{"Think of the [whales]."}, said.look["notes"])
		assert.Contains(t, said.status, "\nnotes without an answer\n  - Think of the [whales].\n")
		assert.True(t, strings.HasSuffix(said.report, "\n## Notes without an answer {#record}\n\n- 1; `daybook status` names them.\n"), said.report)
		assert.NotContains(t, said.report, "whales", "the report goes to others")
	})
}

// gatesOfTheCode names every type that is a gate, whether a report is asked for it or not.
func gatesOfTheCode(t *testing.T) (names []string) {
	t.Helper()
	named := regexp.MustCompile(`\{(?:Name: )?"(\w+)", (?:Refuse: )?(?:[\w.]*[a-z]\}|func\()|const judgedAlready = "(\w+)"`)
	for _, room := range []string{"../../actions/gate", "../../agent/rounds"} {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, found := range named.FindAllStringSubmatch(string(text), -1) {
				if !strings.HasSuffix(file, "_test.go") {
					names = append(names, found[1]+found[2])
				}
			}
		}
	}
	return names
}

// courtroom runs the program on documents, with a model over HTTP.
type courtroom struct {
	docs  string
	model *proposer
}

func newCourtroom(t *testing.T) *courtroom {
	t.Helper()
	c := &courtroom{docs: t.TempDir()}
	for n := range 40 {
		text := fmt.Sprintf("# Book %d\n\nThe moon and the sun pull at the water of the harbour. %s\n", n+1, strings.Repeat(fmt.Sprintf("pier%d quay%d ", n*7, n*11), 40))
		require.NoError(t, os.WriteFile(filepath.Join(c.docs, fmt.Sprintf("book%d.md", n+1)), []byte(text), 0o600))
	}
	server, err := agenttest.Serve(func(r agenttest.Request) agenttest.Answer { return c.model.answer(r) })
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_CACHE_HOME": home, "XDG_STATE_HOME": home, "OPENAI_BASE_URL": server.URL, "DAYBOOK_SEARCH": "none",
		"DAYBOOK_LOCAL": "false", "DAYBOOK_INTAKE": "false", "DAYBOOK_HARSH": "true"} {
		t.Setenv(name, value)
	}
	return c
}

// said is what a run leaves for a person and for a program.
type said struct {
	stderr, status, report string
	result, look           object
}

func (c *courtroom) run(t *testing.T, p gate.Profile, bad faulty) (code int, all said) {
	t.Helper()
	c.model = &proposer{dir: filepath.Join(t.TempDir(), "r")}
	settings, err := json.Marshal(object{"profiles": memo}) // JSON is YAML
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(c.model.dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(c.model.dir, "daybook.yaml"), settings, 0o600))
	if p.Name == "exhaustive" && (bad.report != nil || bad.planned != "") {
		p.Sections = slices.Clone(p.Sections) // the report that is refused at once need not be long besides
		for i := range p.Sections {
			p.Sections[i].Words = 0
		}
	}
	report, blueprint := sound(p, english)
	if bad.report != nil {
		report = bad.report(p, report)
	}
	if bad.model != nil {
		bad.model(c.model)
	}
	var visits []agent.Call
	for n := range max(1, p.Sources) {
		visits = append(visits, agenttest.Call("visit_url", object{"url": fmt.Sprintf("doc:book%d.md", n+1)}))
	}
	c.model.steps = []agent.Reply{agenttest.Reply(visits...)}
	args := []string{"run", "-q", "Why do tides rise?", "--docs", c.docs, "--profile", p.Name}
	if bad.apart {
		args = append(args, "--parallel", "2")
		c.model.steps = append(c.model.steps, agenttest.Reply(agenttest.Call("research_chapters", object{"chapters": []object{
			{"file": "Notebook/01-whales.md", "title": "Whales", "question": "What do whales do?"}}})))
	}
	if bad.stopped {
		code, _, stderr := carriedOut(t, append(args, "--max-steps", "1", c.model.dir)...)
		require.Equal(t, exitLimit, code, stderr)
	} else {
		c.model.steps = append(c.model.steps,
			agenttest.Reply(agenttest.Call("file_operation", object{"operation_description": "Write the content to report.md", "content": report})),
			agenttest.Reply(agenttest.Call("update_overall_dashboard", object{
				"sections": object{"blueprint": blueprint + bad.planned, "gaps": bad.gap}})))
	}
	code, stdout, stderr := carriedOut(t, append(args, "--json", c.model.dir)...)
	all.stderr = stderr
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &all.result), stdout)
	_, all.status, _ = carriedOut(t, "status", c.model.dir)
	_, look, _ := carriedOut(t, "status", "--json", c.model.dir)
	require.NoError(t, json.Unmarshal([]byte(look), &all.look))
	text, err := os.ReadFile(filepath.Join(c.model.dir, workspace.ReportFile))
	require.NoError(t, err)
	all.report = string(text)
	return code, all
}

// carriedOut is what the program says to a command line, and how it ends.
func carriedOut(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var files [2]*os.File
	for i := range files {
		f, err := os.CreateTemp(t.TempDir(), "said")
		require.NoError(t, err)
		defer func() { assert.NoError(t, f.Close()) }()
		files[i] = f
	}
	code = run(args, terminal{stdout: files[0], stderr: files[1]})
	out, err := os.ReadFile(files[0].Name())
	require.NoError(t, err)
	told, err := os.ReadFile(files[1].Name())
	require.NoError(t, err)
	return code, string(out), string(told)
}

package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// progress is the state of a run, as the live display shows it.
type progress struct {
	lang     prose.Language
	began    time.Time
	indexed  time.Duration // spent reading documents before the work; neither status nor limit counts it
	before   time.Duration // time that earlier runs worked
	question string
	maxSteps int
	maxCost  float64 // 0 for no limit
	maxTime  time.Duration

	stopping bool // after Ctrl-C
	over     bool

	step     int
	action   string
	indexing bool        // documents are read, before the first step
	round    int         // the current one; 0 for the first
	quality  string      // of the round before, "" before the first judgement
	queries  int         // searched for in this run
	total    agent.Usage // at the researcher's last reply
	since    agent.Usage // of the agents nested in it, since then
	plan     planned
	// what the researchers of chapters are doing, by their paths
	chapters map[string]string
	read     map[string]bool // sources, in this run
	older    int             // sources in the folder that were read for other questions
}

// planned holds what the dashboards say about the work.
type planned struct {
	chapters []workspace.Item
	next     string
	sources  int
}

// planIn reads the dashboards of a folder without changing anything.
func planIn(dir string) (p planned) {
	section := func(file, id string) string {
		text, _ := readInside(dir, file, maxDashboard) // before a run has begun there is none
		body, _ := workspace.Section(string(text), id)
		return body
	}
	p.chapters = workspace.Checklist(section(workspace.OverallFile, "blueprint"))
	for _, line := range workspace.Lines(section(workspace.CurrentFile, "next")) {
		p.next = cmp.Or(p.next, clean(line))
	}
	sources, _ := fs.Glob(os.DirFS(dir), workspace.SourcesDir+"/s[0-9]*.md") // the pattern is ours
	p.sources = len(sources)
	return p
}

// maxDashboard bounds what is read of a dashboard, in bytes: a run lets none grow to half of that.
const maxDashboard = 64 << 10

func (p *progress) take(e agent.Event, n *narrator) {
	if at := e.Where(); at.Agent == account.Name {
		p.step = max(p.step, at.Step)
	}
	if p.began.IsZero() {
		p.began = time.Now()
	}
	p.sideBySide(e, n)
	switch e := e.(type) {
	case account.Indexing:
		p.indexing = e.Documents+e.LeftOut == 0
		p.indexed = time.Since(p.began)
		p.action = p.lang.Say("indexing documents: %d of %d", e.Done, e.Total)
	case agent.Thinking:
		if p.thinking(e.At); n.alone {
			p.action = p.lang.Say("weighing what was read")
		}
	case agent.Waiting:
		p.action = n.waiting(e)
	case agent.Replied:
		if isOutermost(e.At) {
			p.total, p.since = e.Total, agent.Usage{}
		} else {
			p.since = p.since.Plus(e.Usage)
		}
	case agent.Acting:
		if isOutermost(e.At) {
			p.action = p.doing(e.Call, n)
		}
	case agent.Acted:
		if !e.Failed {
			p.acted(e)
		}
	case agent.Ended:
		if isOutermost(e.At) && e.Reason == agent.Finished {
			p.action, p.over = p.lang.Say("finished"), true
		}
	}
}

// doing describes what a call is doing while it is under way.
func (p *progress) doing(call agent.Call, n *narrator) string {
	doing := cmp.Or(p.lang.Say(deeds[call.Name].doing), actionName(call))
	return strings.TrimSpace(doing + "  " + n.about(agent.Acted{Call: call}))
}

// thinking sets the action by who is at work: the researcher, or one of those who help it.
func (p *progress) thinking(at agent.At) {
	if isOutermost(at) {
		p.action = p.lang.Say("thinking")
	}
	for _, who := range [][2]string{
		{"/intake", "looking at the question"}, {"/evaluator", "judging the report"},
		{"/checker", "checking claims against their passages"}, {"/opponent", "looking for what speaks against the report"},
	} {
		if strings.Contains(at.Agent, who[0]) {
			p.action = p.lang.Say(who[1])
		}
	}
}

// acted counts sources and queries, and takes over the judge's score and the number of the next round.
func (p *progress) acted(e agent.Acted) {
	for _, f := range e.Facts {
		switch {
		case f.Kind == agent.Read && depth(e.At) == 0:
			put(&p.read, f.ID, true)
		case f.Kind == agent.NextRound:
			p.round = f.N
		}
	}
	switch e.Call.Name {
	case "web_search":
		p.queries += max(1, len(queriesOf(e.Call)))
	case "assess":
		var a evaluator.Assessment
		if bounds.JSON([]byte(e.Text), &a) == nil && a.Score() > 0 {
			p.quality = p.judgedAs(fmt.Sprintf("%.1f", a.Score()), len(a.Gaps))
		}
	}
}

func (p *progress) judgedAs(score string, gaps int) string {
	return p.lang.Say("scored %s of 10, %s left", score, p.lang.Count(gaps, "gap"))
}

// judged takes the round and the score of a run that goes on from a status.
func (p *progress) judged(s account.Status) {
	if len(s.Rounds) == 0 || p.quality != "" {
		return
	}
	last := s.Rounds[len(s.Rounds)-1]
	p.round = last.N
	if last.Stop == "" {
		p.round++
	}
	if score := scored(p.lang, last); score != "" {
		p.quality = p.judgedAs(score, last.Gaps)
	}
}

// block returns the display's lines, none wider than the terminal.
func (p *progress) block(columns, rows int, now time.Time) []string {
	took := time.Duration(0)
	if !p.began.IsZero() {
		took = now.Sub(p.began)
	}
	clock := elapsed(p.before + took)
	if p.maxTime > 0 { // the limit is for this run alone
		clock = elapsed(took-p.indexed) + " / " + elapsed(p.maxTime)
	}
	title := cut(dotted("Daybook", p.question), columns-len(clock)-2)
	gap := strings.Repeat(" ", max(1, columns-ansi.StringWidth(title)-len(clock)))
	const fixedRows = 7 // those besides the chapters, and one for the shell's prompt
	lines := []string{title + gap + clock}
	lines = append(lines, p.checklist(rows-fixedRows)...)
	searched := ""
	if p.queries > 0 {
		searched = p.lang.Count(p.queries, "query")
	}
	read := p.lang.Say("%s read", p.lang.Count(max(p.plan.sources-p.older, len(p.read)), "source"))
	lines = append(append(lines, p.atWork()...), dotted(p.lang.Say("round %d", max(1, p.round)), read, searched, p.quality), p.spent())
	if p.plan.next != "" && !p.over {
		lines = append(lines, p.lang.Say("next: %s", p.plan.next))
	}
	for i := range lines[1:] {
		lines[i+1] = cut("  "+lines[i+1], columns)
	}
	return lines
}

// checklist lists the planned chapters, done ones ticked off, and sums up those for which there are no rows.
func (p *progress) checklist(rows int) (lines []string) {
	rows = min(max(rows, 0), 6) // for chapters one by one
	var done, open []string
	for _, c := range p.plan.chapters {
		if title := clean(cmp.Or(c.Title(), c.Text)); c.Done {
			done = append(done, "✓ "+title)
		} else {
			open = append(open, "· "+title)
		}
	}
	switch isTooLong := len(done)+len(open) > rows; {
	case isTooLong && rows < 3:
		return []string{p.lang.Say("%d of %s done", len(done), p.lang.Count(len(p.plan.chapters), "chapter"))}
	case isTooLong && len(done) > 1:
		done = []string{"✓ " + p.lang.Say("%s done", p.lang.Count(len(done), "chapter"))}
	}
	lines = append(done, open...)
	if n := len(lines); n > rows {
		lines = append(lines[:rows-1], "  "+p.lang.Say("… and %d more", n-rows+1))
	}
	return lines
}

// spent returns what was used so far, and of how much.
func (p *progress) spent() string {
	steps := p.lang.Say("step %d", p.step)
	if p.step <= p.maxSteps {
		steps = p.lang.Say("step %d of %d", p.step, p.maxSteps)
	}
	total := p.total.Plus(p.since)
	total.Prefix = 0 // what a server could have cached does not matter here
	money := dollars(total.Cost)
	if p.maxCost > 0 {
		money = p.lang.Say("$%.4f of $%.2f", total.Cost, p.maxCost)
	}
	return dotted(steps, money, tokens(p.lang, total))
}

// dotted joins the parts that are not empty.
func dotted(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

// chapterOf returns the path of the chapter's researcher that an event comes from, or "".
func chapterOf(at agent.At) string {
	parts := strings.SplitN(at.Agent, "/", 4)
	if len(parts) < 3 || agent.Kind(parts[2]) != "chapter" {
		return ""
	}
	return strings.Join(parts[:3], "/")
}

// isOutermost reports whether an event is the researcher's own.
func isOutermost(at agent.At) bool { return at.Agent == account.Name }

// given remembers the chapters that a reply has researched side by side, by the paths of their researchers.
func (n *narrator) given(e agent.Replied) {
	for _, call := range e.Calls {
		if call.Name != "research_chapters" {
			continue
		}
		for i, c := range argsOf(call).Chapters {
			name := strings.TrimSuffix(path.Base(clean(c.File)), ".md")
			put(&n.chapters, fmt.Sprintf("%s/%s/chapter%d", e.Agent, call.ID, i+1), name)
		}
	}
}

// sideBySide keeps track of what the researchers of chapters do.
func (p *progress) sideBySide(e agent.Event, n *narrator) {
	chapter := chapterOf(e.Where())
	if chapter == "" || depth(e.Where()) > 0 {
		return
	}
	switch e := e.(type) {
	case agent.Opened:
		put(&p.chapters, chapter, n.chapters[chapter]+"  "+p.lang.Say("thinking"))
	case agent.Acting:
		put(&p.chapters, chapter, n.chapters[chapter]+"  "+p.doing(e.Call, n))
	case agent.Ended:
		delete(p.chapters, chapter)
	}
}

// atWork returns the lines for what is being done: one, or one for each chapter researched side by side.
func (p *progress) atWork() []string {
	switch {
	case p.stopping:
		return []string{"▸ " + p.lang.Say("stopping")}
	case len(p.chapters) == 0:
		return []string{"▸ " + cmp.Or(p.action, p.lang.Say("thinking"))} // before the first step
	}
	doing := func(chapter string) string { return "▸ " + p.chapters[chapter] }
	return texts(slices.Sorted(maps.Keys(p.chapters)), doing)
}

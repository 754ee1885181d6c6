package clip

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent"
)

// Bounds of the report's abstract, in words. It is to have 100 to 200 words; some room
// is left for another way of counting.
const (
	abstractWords   = 150
	abstractMost    = 190
	mostRefusals    = 9 // a gate passes a report that it refused twice, with a note; there are five
	reportFinished  = "The report is " + reportFile
	refusalOfReport = "Not finished:"
)

// report reads the chapters back, binds them, and finishes. Quotes that a gate names are left out; what it wants beyond that, such as more words or
// sources than the documents have, this brain can not do, and it proposes the report as it is.
func report(s *stretch) agent.Reply {
	var files, urls []string
	for _, c := range s.chapters {
		files = append(files, c.file)
		for _, url := range c.urls[:min(1, len(c.urls))] { // to weigh the quotes by how rare their words are
			urls = appendNew(urls, url)
		}
	}
	if calls := append(s.reads(files), s.visits(urls)...); len(calls) > 0 {
		return ask(calls...)
	}
	if s.reopen() {
		return s.updates()
	}
	refusals := s.refusals()
	if n, failed, last := s.operated(writeOperation(reportFile)); n > failed && !last.failed() && len(refusals) == 0 {
		return s.finish()
	}
	if len(refusals) > mostRefusals {
		return giveUp(fmt.Sprintf(s.say.refused, refusals[len(refusals)-1]))
	}
	content := s.bind()
	for _, why := range refusals {
		content = mend(content, why)
	}
	if pending, ok := s.save(reportFile, content); ok {
		return pending
	}
	if _, _, last := s.operated(writeOperation(reportFile)); last.failed() {
		return giveUp(fmt.Sprintf(s.say.cannotWrite, reportFile, last.result))
	}
	return s.finish()
}

// reopen unticks the chapters whose files cannot be read, so that they are written again rather than missed. Each is written again
// once: what is on record as such, and lost once more, stays out of the report.
func (s *stretch) reopen() bool {
	body, chapters := section(s.overall, "blueprint"), slices.Clone(s.chapters)
	for i, c := range chapters {
		if s.text(c.file) == "" && !strings.Contains(section(s.overall, "decisions"), s.lossOf(c)) {
			body, chapters[i].done = untick(body, c), false
			s.add("decisions", s.lossOf(c))
		}
	}
	if s.nowOverall == s.overall {
		return false
	}
	s.note("blueprint", body)
	s.agenda(chapters, false)
	return true
}

// lossOf is the line that puts on record that a chapter is written again.
func (s *stretch) lossOf(c chapter) string { return fmt.Sprintf(s.say.again, c.title, c.file) }

// finish says in the dashboard that the report is done, and then that all is. Should that be refused, the update has dropped the
// history, and what was refused is heard the second time, when nothing is left to update.
func (s *stretch) finish() agent.Reply {
	s.agenda(s.chapters, true)
	decisions := section(s.overall, "decisions")
	for _, c := range s.chapters {
		if s.text(c.file) != "" { // should it be lost again, it is written again
			decisions = strings.Trim(strings.Replace("\n"+decisions, "\n"+s.lossOf(c), "", 1), "\n")
		}
	}
	if decisions != section(s.overall, "decisions") {
		s.note("decisions", decisions)
	}
	calls := s.answers()
	if section(s.current, "task") != s.say.taskDone {
		calls = s.changes()
	}
	return ask(append(calls, call("all_finished", arguments{"result": reportFinished}))...)
}

// refusals are what all_finished said in this stretch. What is no refusal but an error counts as one too.
func (s *stretch) refusals() []string {
	var all []string
	for _, a := range s.acts {
		if a.action == "all_finished" {
			all = append(all, strings.TrimSpace(strings.TrimPrefix(a.result, refusalOfReport)))
		}
	}
	return all
}

// bound is a chapter as it goes into the report.
type bound struct {
	chapter
	body   string // without its title, its headings one level down
	quotes []quote
	lost   bool // the file could not be read
}

// bind composes the report. The list of references is the program's work.
func (s *stretch) bind() string {
	var parts []bound
	for _, c := range s.chapters {
		text := s.text(c.file)
		parts = append(parts, bound{chapter: c, body: s.demote(text), quotes: readQuotes(text), lost: text == ""})
	}
	best := s.best(parts)
	abstract := forAbstract(best, countWords(s.say.noModel))
	var out strings.Builder
	title := s.brief.question
	if title == "" {
		title = s.say.reportTitle
	}
	fmt.Fprintf(&out, "# %s\n\n## %s {#abstract}\n\n%s\n", title, s.say.abstract, s.say.noModel)
	if len(best) == 0 {
		fmt.Fprintf(&out, "\n%s\n", s.say.noEvidence)
	}
	writeQuotes(&out, abstract)
	for _, b := range parts {
		if !b.lost {
			fmt.Fprintf(&out, "\n## %s\n\n%s\n", b.title, b.body)
		}
	}
	fmt.Fprintf(&out, "\n## %s\n", s.say.conclusion)
	s.conclude(&out, parts, best)
	fmt.Fprintf(&out, "\n### %s\n\n%s\n", s.say.missing, strings.Join(s.missing(parts), "\n"))
	return out.String()
}

// demote takes the title and the question off a chapter and puts its headings one level down. Code is left as it is.
func (s *stretch) demote(text string) string {
	var lines []string
	fence, begun := "", false
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if !begun && (strings.HasPrefix(line, "# ") || strings.HasPrefix(line, s.say.question)) {
			continue
		}
		begun = begun || strings.TrimSpace(line) != ""
		if fence = fenceAfter(fence, line); fence == "" && strings.HasPrefix(line, "#") {
			line = "#" + line
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// best ranks the quotes of the chapters by the question; those that stand among the findings were chosen when the pages were at
// hand, and come before others. What is far behind the first is left out.
func (s *stretch) best(parts []bound) []rated {
	const behind = 0.4
	var ps []passage
	for i, b := range parts {
		page := &page{id: fmt.Sprint(i), title: b.title}
		about := terms(b.title)
		for _, q := range b.quotes {
			ps = append(ps, passage{page: page, heading: q.id, text: q.text, order: len(ps), terms: terms(q.text), about: about})
		}
	}
	ranked := newScorer(slices.Concat(passages(s.pages(), s.shelf), ps), wanted{keywords(s.brief.question), 1}).rank(ps, func(passage) bool { return true })
	findings, figure := oneLine(section(s.overall, "findings")), asksForFigure(s.brief.question)
	for i, r := range ranked {
		if strings.Contains(findings, oneLine(r.text)) {
			ranked[i].rate *= 1.25
		}
		if figure && strings.ContainsFunc(r.text, unicode.IsDigit) {
			ranked[i].rate *= 1.5
		}
	}
	sort.SliceStable(ranked, func(i, j int) bool { return ranked[i].rate > ranked[j].rate })
	for i, r := range ranked {
		if r.rate < behind*ranked[0].rate {
			return ranked[:i]
		}
	}
	return ranked
}

// forAbstract takes the best quote of each chapter, then the second best, until there are enough words; it passes over one that
// would make too many.
func forAbstract(best []rated, words int) []rated {
	var inTurn, chosen []rated
	for turn := 0; len(inTurn) < len(best); turn++ {
		seen := map[*page]int{}
		for _, r := range best {
			if seen[r.page] == turn {
				inTurn = append(inTurn, r)
			}
			seen[r.page]++
		}
	}
	for _, r := range inTurn {
		n := countWords(r.text) + 1
		if words >= abstractWords {
			break
		}
		if words+n <= abstractMost && !repeats(r.passage, chosen) {
			words += n
			chosen = append(chosen, r)
		}
	}
	return chosen
}

func writeQuotes(out *strings.Builder, quotes []rated) {
	for _, r := range quotes {
		fmt.Fprintf(out, "\n%s\n", quote{r.text, r.heading})
	}
}

// conclude says which chapter answers best and what each rests on. It repeats no quote: those that answer best stand in the abstract.
func (s *stretch) conclude(out *strings.Builder, parts []bound, best []rated) {
	if len(best) == 0 {
		fmt.Fprintf(out, "\n%s\n", s.say.noDirect)
		return
	}
	out.WriteString("\n")
	if len(parts) > 1 {
		fmt.Fprintf(out, "%s\n\n", fmt.Sprintf(s.say.direct, best[0].page.title))
	}
	for _, b := range parts {
		var from []string
		for _, q := range b.quotes {
			from = append(from, q.id)
		}
		if len(from) > 0 {
			fmt.Fprintf(out, "%s\n", fmt.Sprintf(s.say.holds, b.title, ids(from)))
		}
	}
}

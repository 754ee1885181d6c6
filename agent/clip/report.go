package clip

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// Bounds of the report's abstract, in words, and of its conclusion, in quotes. The abstract is to have 100 to 200 words; some room
// is left for another way of counting.
const (
	abstractWords   = 150
	abstractMost    = 190
	conclusionMost  = 4
	mostRefusals    = 2
	reportFinished  = "The report is " + reportFile
	refusalOfReport = "Not finished:"
)

// report reads the chapters back, binds them, and finishes; what a gate refuses is mended by leaving out the quotes it names.
func report(s *stretch) agent.Reply {
	var files, urls []string
	for _, c := range s.chapters {
		files = append(files, c.file)
		urls = append(urls, c.urls[:min(1, len(c.urls))]...) // to weigh the quotes by how rare their words are
	}
	if calls := append(s.reads(files), s.visits(urls)...); len(calls) > 0 {
		return ask(calls...)
	}
	content := s.bind()
	refusals := s.refusals()
	if len(refusals) > mostRefusals {
		return giveUp(fmt.Sprintf(s.say.refused, refusals[len(refusals)-1]))
	}
	for _, why := range refusals {
		mended := mend(content, why)
		if mended == content {
			return giveUp(fmt.Sprintf(s.say.refused, why))
		}
		content = mended
	}
	if pending, ok := s.save(reportFile, content); ok {
		return pending
	}
	return ask(call("all_finished", arguments{"result": reportFinished}))
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
	s.conclude(&out, best, abstract)
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
		about := set(terms(b.title))
		for _, q := range b.quotes {
			ps = append(ps, passage{page: page, heading: q.id, text: q.text, order: len(ps), terms: terms(q.text), about: about})
		}
	}
	ranked := newScorer(slices.Concat(passages(s.pages()), ps), wanted{keywords(s.brief.question), 1}).rank(ps, func(passage) bool { return true })
	findings := section(s.overall, "findings")
	for i, r := range ranked {
		if strings.Contains(findings, r.text) {
			ranked[i].rate *= 1.25
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

// conclude writes the quotes that bear most on the question, those that the abstract has not shown if there are any.
func (s *stretch) conclude(out *strings.Builder, best, shown []rated) {
	var direct []rated
	for _, r := range best {
		if len(direct) < conclusionMost && !repeats(r.passage, shown) && !repeats(r.passage, direct) {
			direct = append(direct, r)
		}
	}
	if len(direct) == 0 {
		direct = best[:min(2, len(best))]
	}
	if len(direct) == 0 {
		fmt.Fprintf(out, "\n%s\n", s.say.noDirect)
		return
	}
	fmt.Fprintf(out, "\n%s\n", s.say.direct)
	writeQuotes(out, direct)
}

package clip

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// Bounds of a chapter.
const (
	chapterQueries   = 3
	chapterVisits    = 4
	chapterLastPart  = 8 // of a long document; a part is some 3,000 tokens
	chapterMoreParts = 8
	mostQuotes       = 10
	quotesOfOne      = 6 // from one document
	quotesOfOnly     = 8 // from one when there is hardly another
	keptFindings     = 2 // of a chapter, in the dashboard
	shortFinding     = 220
)

// fill searches for a chapter, reads the best hits, writes the chapter, and only then ticks it.
func fill(s *stretch, at int) agent.Reply {
	c := s.chapters[at]
	keys := keywords(s.brief.question)
	s.ask(&c, keys)
	queries := c.queries[:min(chapterQueries, len(c.queries))]
	if calls := s.searches(queries); len(calls) > 0 {
		if n, _, _ := s.operated(listOperation); n == 0 {
			calls = append(calls, operate(listOperation))
		}
		return ask(calls...)
	}
	about := slices.Concat(keywords(c.title), keys)
	hits := rankHits(s.hits(queries), about)
	if len(hits) == 0 { // an engine that wants every word finds more with fewer
		queries = appendNew(queries, c.title)
		if calls := s.searches(queries); len(calls) > 0 {
			return ask(calls...)
		}
		hits = rankHits(s.hits(queries), about)
	}
	urls := c.urls[:min(3, len(c.urls))]
	for _, url := range addressesOf(hits, chapterVisits) {
		if len(urls) < chapterVisits {
			urls = appendNew(urls, url)
		}
	}
	if calls := append(s.visits(urls), s.reads(s.written(c))...); len(calls) > 0 {
		return ask(calls...)
	}
	if calls := s.furtherParts(chapterLastPart, chapterMoreParts); len(calls) > 0 {
		return ask(calls...)
	}
	if n, failed, last := s.operated(writeOperation(c.file)); n > failed && !last.failed() {
		return s.close(at, c, s.rank(readQuotes(last.args.Content), keywords(c.title), keys))
	}
	content := s.compose(c, s.quotesFor(c, keys))
	content += s.ownWords(s.text(c.file), content)
	pending, _ := s.save(c.file, content)
	return pending
}

// rank rates the quotes of a chapter against each other, the best first: choosing them took all pages, and takes most of the time.
func (s *stretch) rank(quotes []quote, title, keys []keyword) []rated {
	var ps []passage
	for i, q := range quotes {
		ps = append(ps, passage{page: &page{id: q.id}, text: q.text, terms: terms(q.text), order: i})
	}
	return newScorer(ps, wanted{title, 0.5}, wanted{keys, 1}).rank(ps, func(passage) bool { return true })
}

// save is the reply that writes a file, false once it is written. A write that was refused is tried again after the file was read:
// somebody else may have written there.
func (s *stretch) save(file, content string) (agent.Reply, bool) {
	n, failed, last := s.operated(writeOperation(file))
	switch {
	case n > failed && last.args.Content == content && !last.failed():
		return agent.Reply{}, false
	case failed > 2:
		return giveUp(fmt.Sprintf(s.say.cannotWrite, file, last.result)), true
	case failed > 0:
		if _, _, seen := s.operated(readOperation(file)); seen.at < last.at {
			return ask(s.read(file)), true
		}
	}
	return ask(s.write(file, content)), true
}

// written are the files of this chapter and of those that are done, as far as the directory has them.
func (s *stretch) written(c chapter) []string {
	_, _, listing := s.operated(listOperation)
	var files []string
	for _, other := range s.chapters {
		if (other.done || other.file == c.file) && strings.Contains(listing.result, strings.TrimPrefix(other.file, "Notebook/")) && !listing.failed() {
			files = append(files, other.file)
		}
	}
	return files
}

// quotesFor picks the sentences that answer a chapter best, and neither stand in one that is done nor under the heading that is the
// title of another that is still to come.
func (s *stretch) quotesFor(c chapter, keys []keyword) []rated {
	ps := passages(s.pages())
	own := known(keywords(c.title), ps)
	used, reserved := map[string]bool{}, map[string]bool{}
	for _, other := range s.chapters {
		if reserved[other.title] = !other.done && other.title != c.title; other.done {
			text := s.text(other.file)
			for _, q := range readQuotes(text) {
				used[q.text] = true
			}
		}
	}
	scorer := newScorer(ps, wanted{own, 0.5}, wanted{keys, 1})
	ranked := scorer.rank(ps, func(p passage) bool {
		if used[p.text] || reserved[shorten(p.heading)] {
			return false
		}
		return shorten(p.heading) == c.title || 2*p.covers(own) >= max(1, len(own))
	})
	for i := range ranked {
		if shorten(ranked[i].heading) == c.title {
			ranked[i].rate *= 1.4 // it is where the chapter's title comes from
		}
	}
	sort.SliceStable(ranked, func(i, j int) bool { return ranked[i].rate > ranked[j].rate })
	quotes := choose(ranked, mostQuotes, quotesOfOne)
	if len(quotes) <= quotesOfOne { // there is hardly another document
		quotes = choose(ranked, quotesOfOnly, quotesOfOnly)
	}
	return quotes
}

// compose writes a chapter: its quotes under the title of their document, documents in the order of their best quote.
func (s *stretch) compose(c chapter, quotes []rated) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n%s%s\n", c.title, s.say.question, c.question)
	if len(quotes) == 0 {
		fmt.Fprintf(&out, "\n%s\n\n%s\n", fmt.Sprintf(s.say.nothing, c.title), fmt.Sprintf(s.say.searchedFor, strings.Join(c.queries, s.say.join)))
		if read := s.idsRead(); len(read) > 0 {
			fmt.Fprintf(&out, "\n%s\n", fmt.Sprintf(s.say.readInVain, ids(read)))
		}
	}
	var documents []string
	for _, q := range quotes {
		documents = appendNew(documents, q.page.id)
	}
	inOrder := slices.Clone(quotes)
	sort.SliceStable(inOrder, func(i, j int) bool { return inOrder[i].order < inOrder[j].order })
	for i, id := range documents {
		named := i == 0 && strings.EqualFold(quotes[0].page.name(), c.title)
		for _, q := range inOrder {
			if q.page.id != id {
				continue
			}
			if !named {
				fmt.Fprintf(&out, "\n## %s\n", q.page.name())
				named = true
			}
			fmt.Fprintf(&out, "\n%s\n", quote{q.text, id})
		}
	}
	return out.String()
}

// ownWords are the paragraphs of a chapter's old text that are not clip's: what a person wrote there stays.
func (s *stretch) ownWords(old, now string) string {
	var kept strings.Builder
	for _, p := range strings.Split(strings.ReplaceAll(old, "\r\n", "\n"), "\n\n") {
		p = strings.Trim(p, "\n")
		nothing, _, _ := strings.Cut(s.say.nothing, "%s")
		searched, _, _ := strings.Cut(s.say.searchedFor, "%s")
		read, _, _ := strings.Cut(s.say.readInVain, "%s")
		own := strings.TrimSpace(p) != "" && !strings.Contains(now, p) && !strings.HasPrefix(p, "# ") && !strings.HasPrefix(p, "## ")
		for _, mine := range []string{s.say.question, nothing, searched, read, "> “"} {
			own = own && !strings.HasPrefix(p, mine)
		}
		if own {
			kept.WriteString("\n" + p + "\n")
		}
	}
	return kept.String()
}

// close ticks a chapter and says what was learned, in one reply.
func (s *stretch) close(at int, c chapter, quotes []rated) agent.Reply {
	chapters := slices.Clone(s.chapters)
	chapters[at].done = true
	calls := s.agenda(chapters)
	read := s.idsRead()
	var from []string
	for _, q := range quotes {
		from = appendNew(from, q.page.id)
	}
	findings := findingsOf(quotes)
	learned := fmt.Sprintf(s.say.chapterEmpty, c.title, ids(read))
	if len(quotes) > 0 {
		learned = fmt.Sprintf(s.say.chapterDone, c.title, len(quotes), ids(from), ids(read))
		if known := section(s.overall, "findings"); !strings.Contains(known, findings[0]) {
			calls = append(calls, overallSection("findings", addTo(known, findings)))
		}
	} else if gap, known := fmt.Sprintf(s.say.gap, c.title), section(s.overall, "gaps"); !strings.Contains(known, gap) {
		calls = append(calls, overallSection("gaps", addTo(known, []string{gap})))
	}
	calls = append(calls, currentSection("learned", learned), overallSection("blueprint", tick(section(s.overall, "blueprint"), c, s.say)))
	return s.sections(calls...)
}

// findingsOf are the lines that the best quotes of a chapter make in the dashboard, where room is scarce: short ones first.
func findingsOf(quotes []rated) []string {
	var short, long []string
	for _, q := range quotes {
		line := "- " + strings.TrimPrefix(quote{q.text, q.page.id}.String(), "> ")
		if columns(q.text) <= shortFinding {
			short = append(short, line)
		} else {
			long = append(long, line)
		}
	}
	all := append(short, long...)
	return all[:min(keptFindings, len(all))]
}

// agenda are the updates that say what is to be done: the first open chapter, or the report.
func (s *stretch) agenda(chapters []chapter) []agent.Call {
	task, next := s.say.taskReport, s.say.nextReport
	var steps []string
	due := true
	for i, c := range chapters {
		mark := " "
		if c.done {
			mark = "x"
		} else if due {
			due = false
			s.ask(&c, nil)
			task, next = fmt.Sprintf(s.say.task, i+1, len(chapters), c.title), fmt.Sprintf(s.say.next, c.question, c.file)
		}
		steps = append(steps, fmt.Sprintf("- [%s] %s", mark, c.title))
	}
	steps = append(steps, "- [ ] "+s.say.stepReport)
	return []agent.Call{
		currentSection("task", task),
		currentSection("next", next),
		currentSection("plan", strings.Join(steps, "\n")),
	}
}

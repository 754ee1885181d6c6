package clip

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent"
)

// Bounds of a chapter.
const (
	chapterQueries   = 3
	chapterVisits    = 4
	chapterLastPart  = 8 // so many parts of a long document; a part is some 3,000 tokens
	chapterMoreParts = 4 // in all: laying out the chapters has read the others that speak of the question
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
	calls, found := s.find(c, keys)
	if n, _, _ := s.operated(listOperation); n == 0 {
		calls = append(calls, operate(listOperation))
	} else if found {
		calls = append(calls, s.reads(s.written(c))...)
		calls = append(calls, s.furtherParts(chapterLastPart, chapterMoreParts, c.title+" "+s.brief.question)...)
	}
	if len(calls) > 0 {
		return ask(calls...)
	}
	if n, failed, last := s.operated(writeOperation(c.file)); n > failed && !last.failed() {
		reply := s.close(at, c, s.rank(readQuotes(last.args.Content), keywords(c.title), keys))
		if len(reply.Calls) == 0 && slices.ContainsFunc(s.acts, act.copied) { // it is written, and cannot be ticked however it is told
			s.chapters[at].done = true
			s.nowOverall, s.nowCurrent = s.overall, s.current
			return research(s)
		}
		return reply
	}
	content := s.compose(c, s.quotesFor(c, keys))
	content += s.ownWords(s.text(c.file), content)
	if pending, ok := s.save(c.file, content); ok {
		return pending
	}
	return s.skip(at, c)
}

// find makes the calls that find and read the documents of a chapter; found is true once they are those that were there to read.
func (s *stretch) find(c chapter, keys []keyword) (calls []agent.Call, found bool) {
	urls, queries := c.urls[:min(chapterVisits, len(c.urls))], c.queries[:min(chapterQueries, len(c.queries))]
	if len(queries) == 0 {
		if calls := s.visits(urls); len(calls) > 0 {
			return calls, false
		}
		if len(s.pages()) > 0 {
			return nil, true
		}
	}
	about := slices.Concat(keywords(c.title), keys)
	if calls := s.searches(queries); len(calls) > 0 {
		return calls, false
	}
	hits := rankHits(s.hits(queries), about)
	if len(hits) == 0 { // an engine that wants every word finds more with fewer
		queries = appendNew(queries, c.title)
		if calls := s.searches(queries); len(calls) > 0 {
			return calls, false
		}
		hits = rankHits(s.hits(queries), about)
	}
	for _, url := range addressesOf(hits, chapterVisits) {
		if len(urls) < chapterVisits {
			urls = appendNew(urls, url)
		}
	}
	calls = s.visits(urls)
	return calls, len(calls) == 0
}

// rank rates the quotes of a chapter against each other, the best first: choosing them took all pages, and takes most of the time.
func (s *stretch) rank(quotes []quote, title, keys []keyword) []rated {
	var ps []passage
	for i, q := range quotes {
		words := terms(q.text)
		ps = append(ps, passage{page: &page{id: q.id}, text: q.text, terms: words, order: i})
	}
	return newScorer(ps, wanted{title, 0.5}, wanted{keys, 1}).rank(ps, func(passage) bool { return true })
}

// save is the reply that writes a file, false once it is written or was refused twice. A write that was refused is tried again
// after the file was read: somebody else may have written there.
func (s *stretch) save(file, content string) (agent.Reply, bool) {
	n, failed, last := s.operated(writeOperation(file))
	switch {
	case n > failed && last.args.Content == content && !last.failed():
		return agent.Reply{}, false
	case failed > 1:
		return agent.Reply{}, false
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
	ps := passages(s.pages(), s.shelf)
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
		return !used[p.text] && !reserved[shorten(p.heading)] && p.belongs(c.title, own) && p.longEnough(keys)
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
	fmt.Fprintf(&out, "# %s\n", c.title)
	if c.question != fmt.Sprintf(s.say.asks, c.title) { // which says nothing more
		fmt.Fprintf(&out, "\n%s%s\n", s.say.question, c.question)
	}
	if len(quotes) == 0 {
		fmt.Fprintf(&out, "\n%s\n", fmt.Sprintf(s.say.nothing, c.title))
		if len(c.queries) > 0 {
			fmt.Fprintf(&out, "\n%s\n", fmt.Sprintf(s.say.searchedFor, strings.Join(c.queries, s.say.join)))
		}
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
	read := s.idsRead()
	var from []string
	for _, q := range quotes {
		from = appendNew(from, q.page.id)
	}
	learned := fmt.Sprintf(s.say.chapterEmpty, c.title, ids(read))
	if len(quotes) > 0 {
		learned = fmt.Sprintf(s.say.chapterDone, c.title, len(quotes), ids(from), ids(read))
		if findings := findingsOf(quotes); !strings.Contains(section(s.overall, "findings"), findings[0]) {
			s.add("findings", findings...)
		}
	} else {
		s.add("gaps", fmt.Sprintf(s.say.gap, c.title))
	}
	s.learn(learned)
	return s.tickOff(at, c)
}

// skip ticks a chapter that cannot be written, so that the others are, and puts on record why it is missing.
func (s *stretch) skip(at int, c chapter) agent.Reply {
	s.add("decisions", s.lossOf(c))
	return s.tickOff(at, c)
}

func (s *stretch) tickOff(at int, c chapter) agent.Reply {
	s.note("blueprint", tick(section(s.overall, "blueprint"), c, s.say))
	chapters := slices.Clone(s.chapters)
	chapters[at].done = true
	s.agenda(chapters, false)
	return s.updates()
}

// oneLine is a text without its line breaks. A quote of several lines is none for the check of what may stand on a dashboard.
func oneLine(text string) string {
	if !strings.Contains(text, "  ") && !strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }) {
		return strings.TrimSpace(text) // as most sentences are
	}
	return strings.Join(strings.Fields(text), " ")
}

// findingsOf are the lines that the best quotes of a chapter make in the dashboard, where room is scarce: short ones first.
func findingsOf(quotes []rated) []string {
	var short, long []string
	for _, q := range quotes {
		line := "- " + strings.TrimPrefix(quote{oneLine(q.text), q.page.id}.String(), "> ")
		if columns(q.text) <= shortFinding {
			short = append(short, line)
		} else {
			long = append(long, line)
		}
	}
	all := append(short, long...)
	return all[:min(keptFindings, len(all))]
}

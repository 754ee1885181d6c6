package clip

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// Bounds of what is read for a question or a chapter.
const (
	mostPages   = 8                // at the places where the search found something
	deepPages   = 3                // of them, if they are long, from the beginning
	mostParts   = 16               // of each
	notSearched = "Not searched: " // what a search says before the places that did not answer
)

// plan searches, reads the best hits, and lays out the chapters: the best passages, which are the top of the
// report, and one for each document with more of them.
func plan(s *stretch) agent.Reply {
	if calls := s.find(cmp.Or(joined(s.keys), s.search)); len(calls) > 0 { // it may be stop words alone
		return ask(calls...)
	}
	for _, a := range s.acts {
		if a.action == "web_search" && a.failed() {
			_, where, _ := strings.Cut(a.result, notSearched)
			return agent.Reply{Text: s.lang.Say("Nothing could be searched: %s", cmp.Or(where, a.result))}
		}
	}
	all := passages(s.pages(), s.search)
	top, more := choose(rank(all, s.keys), s.lang)
	words := s.missing()
	if len(top) > 0 && !slices.ContainsFunc(all, func(p passage) bool { return isHan(p.text) }) {
		words = slices.DeleteFunc(words, isHan) // documents in another language hold no word of the question's
	}
	if len(words) > 0 {
		s.add("gaps", "- "+s.lang.Say(sayNoDocument)+strings.Join(words, s.lang.Say(", "))+s.lang.Say("."))
		more = nil // what is further off does not answer
	}
	if len(top) == 0 {
		return report(s)
	}
	chapters := []chapter{{title: s.lang.Say(sayBest)}}
	at := map[string]int{} // by page
	for _, p := range top {
		chapters[0].passages = append(chapters[0].passages, p.ref)
		s.add("findings", "- “"+shorten(p.heading())+"” ["+p.ref+"]")
	}
	for _, p := range more {
		i, known := at[p.page.id]
		if !known {
			i, at[p.page.id] = len(chapters), len(chapters)
			chapters = append(chapters, chapter{title: shorten(cmp.Or(p.page.name(), p.page.id))})
		}
		chapters[i].passages = append(chapters[i].passages, p.ref)
	}
	nameFiles(chapters)
	for _, c := range chapters {
		s.add("blueprint", c.lay(s.lang))
	}
	s.chapters = chapters
	s.agenda(false)
	return s.updates()
}

// find returns the next calls of a search: for a query; for the best pages, at the place that was found; and for
// all parts of those that are long.
func (s *stretch) find(query string) []agent.Call {
	var visits, further []agent.Call
	for _, a := range s.acts {
		for _, ref := range readHits(a) {
			if visit := call("visit_url", arguments{"url": ref}); len(visits) < mostPages {
				visits = appendNew(visits, visit)
			}
		}
	}
	for _, p := range s.pages() {
		for part := 1; part <= min(p.parts, mostParts) && p.parts > 1 && p.rank < deepPages; part++ {
			further = append(further, call("visit_url", arguments{"url": p.id, "part": part}))
		}
	}
	for _, calls := range [][]agent.Call{{call("web_search", arguments{"query": query})}, visits, further} {
		if left := s.undone(calls...); len(left) > 0 {
			return left
		}
	}
	return nil
}

var (
	inNone = regexp.MustCompile(`(?m)^None of the \d+ documents holds: (.+?)\.(?: Nothing closer.*)?$`)
	// ofBlock is a quote or a row of a block of a source.
	ofBlock = regexp.MustCompile(`^(?:> .*” |\|.*)\[s\d+\.\d+\]`)
)

// missing are the words of the question that no document of the person's holds, as the question writes them.
func (s *stretch) missing() (words []string) {
	for _, a := range s.acts {
		for _, m := range inNone.FindAllStringSubmatch(a.result, -1) {
			for word := range strings.SplitSeq(m[1], ", ") {
				if i := slices.IndexFunc(s.keys, func(k keyword) bool { return strings.EqualFold(k.text, word) }); i >= 0 {
					word = s.keys[i].text
				}
				words = appendNew(words, word)
			}
		}
	}
	return words
}

// fill reads the passages of a chapter, or searches for it, writes it, and only then ticks it.
func fill(s *stretch, at int) agent.Reply {
	c := s.chapters[at]
	calls := s.undone(visitsOf(c.passages)...)
	if len(c.passages) == 0 {
		calls = s.find(joined(keywords(c.title + " " + joined(s.keys[:min(3, len(s.keys))]))))
	}
	if made, _ := s.writes(c.file); made == 0 { // a person may have written into what is there
		calls = append(calls, s.undone(operate(listOperation))...)
		if slices.ContainsFunc(s.acts, func(a act) bool {
			return a.args.Operation == listOperation && !a.failed() && strings.Contains(a.result, path.Base(c.file))
		}) {
			calls = append(calls, s.reads(c.file)...)
		}
	}
	if len(calls) > 0 {
		return ask(calls...)
	}
	ps := s.passagesFor(c)
	if pending, ok := s.save(c.file, s.compose(c, ps), 1); ok {
		return pending
	}
	if len(ps) == 0 {
		s.add("gaps", s.lang.Say(sayGap, shorten(c.title)))
	}
	s.note("blueprint", tick(s.body("blueprint"), c, s.lang))
	s.chapters[at].done = true
	s.agenda(false)
	return s.updates()
}

// visitsOf are the calls that show some blocks with their neighbours, one a source.
func visitsOf(refs []string) (calls []agent.Call) {
	var ids []string
	blocks := map[string][]string{}
	for _, ref := range refs {
		id, number, _ := strings.Cut(ref, ".")
		if n, err := strconv.Atoi(number); err == nil {
			ids = appendNew(ids, id)
			blocks[id] = append(blocks[id], fmt.Sprintf("%d-%d", max(1, n-1), n+beyond))
		}
	}
	for _, id := range ids {
		calls = append(calls, call("visit_url", arguments{"url": id, "blocks": strings.Join(blocks[id], ", ")}))
	}
	return calls
}

// passagesFor are those that the blueprint names for a chapter, or the best of what was found for it.
func (s *stretch) passagesFor(c chapter) (chosen []passage) {
	all := passages(s.pages(), "")
	if len(c.passages) > 0 {
		for _, ref := range c.passages {
			if i := slices.IndexFunc(all, func(p passage) bool { return p.ref == ref }); i >= 0 {
				chosen = append(chosen, all[i])
			}
		}
		return chosen
	}
	top, more := choose(rank(all, keywords(c.title)), s.lang)
	chosen = append(top, more...)
	return chosen[:min(len(chosen), ofOnePage)]
}

// still returns a chapter's text without quotes and rows of none of its passages.
func still(old string, ps []passage) string {
	return without(old, func(line string) bool {
		return ofBlock.MatchString(line) && !slices.ContainsFunc(ps, func(p passage) bool {
			return slices.ContainsFunc(p.with, func(b block) bool { return strings.Contains(line, "["+b.ref+"]") })
		})
	})
}

// compose writes a chapter: its passages, each under its heading, the best passages of all with their places
// and in full. What the file holds already stays as it is, and is not written again.
func (s *stretch) compose(c chapter, ps []passage) string {
	old, best := still(s.text(c.file), ps), c.title == s.lang.Say(sayBest)
	var out strings.Builder
	if old == "" {
		fmt.Fprintf(&out, "# %s\n", c.title)
	} else {
		out.WriteString(old + "\n")
	}
	last := c.title
	for i, p := range ps {
		var blocks []block
		for _, b := range p.with {
			if !strings.Contains(out.String(), "["+b.ref+"]") {
				blocks = append(blocks, b)
			}
		}
		if len(blocks) == 0 {
			continue
		}
		heading := p.heading()
		if name := p.page.name(); best && name != "" && name != heading {
			heading += " · " + name
		}
		if best {
			heading = fmt.Sprintf("%d. %s", i+1, heading)
		}
		if heading != last {
			last = heading
			fmt.Fprintf(&out, "\n## %s\n", heading)
		}
		fmt.Fprintf(&out, "\n%s\n", show(blocks, s.lang))
	}
	if old == "" && len(ps) == 0 {
		out.WriteString("\n" + s.lang.Say(sayNothing, c.title) + "\n")
	}
	return out.String()
}

// agenda puts into the current dashboard what is to be done.
func (s *stretch) agenda(finished bool) {
	task := s.lang.Say("The report")
	next := s.lang.Say("Read the chapters back and put the report together in `report.md`.")
	if finished {
		task, next = s.lang.Say("The report is done: `report.md`"), s.lang.Say("Nothing. The research is finished.")
	}
	if i := slices.IndexFunc(s.chapters, func(c chapter) bool { return !c.done }); i >= 0 {
		task = s.lang.Say("Chapter %d of %d: %s", i+1, len(s.chapters), shorten(s.chapters[i].title))
		next = s.lang.Say("Quote into `%s` what answers the question.", s.chapters[i].file)
	}
	s.note("task", task)
	s.note("next", next)
}

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
	"github.com/daybook-agent/daybook/agent/prose"
)

// Bounds of what is read for a question or a chapter.
const (
	mostPages   = 16               // at the places where the search found something
	deepPages   = 5                // of them, if they are long, from the beginning
	mostParts   = 150              // of each
	notSearched = "Not searched: " // what a search says before the places that did not answer
)

// plan searches, reads the best hits, and lays out the chapters: the best passages, and more by document.
func plan(s *stretch) agent.Reply {
	if calls := s.find(s.query); len(calls) > 0 {
		return ask(calls...)
	}
	found := s.found(s.query)
	if strings.HasPrefix(found, failed) {
		_, where, _ := strings.Cut(found, notSearched)
		where = prose.FirstLine(cmp.Or(where, found))
		if places, why, ok := strings.Cut(strings.TrimSuffix(where, ")"), " ("); ok {
			where = places + s.lang.Say(" (%s)", s.lang.Tell(why))
		}
		return agent.Reply{Text: s.lang.Say("Nothing could be searched: %s", where)}
	}
	s.forget()
	all, words := passages(s.pages(), s.search), s.missing(found)
	if inHan := len(slices.DeleteFunc(slices.Clone(all), func(p passage) bool { return !prose.HasHan(p.text) })); len(all) > 10*inHan {
		words = slices.DeleteFunc(words, prose.HasHan) // documents in another language hold no word of the question's
		if s.leaveHan() {
			s.add("gaps", "- "+s.lang.Say(sayForeign))
		}
	}
	ranked := rank(all, s.keys, prose.Question(s.search).Hints(), len(prose.Question(s.search).Parts()), s.search)
	top, more := choose(ranked, answers(all, ranked, s.search), s.lang)
	what, absent := s.absent(words, all, top)
	s.lack(what, absent)
	unread := named.FindAllString(notRead.FindString(found), -1)
	for i, name := range unread {
		unread[i] = s.lang.Tell(name)
	}
	s.lack(sayUnread, unread)
	if len(top) == 0 {
		return report(s)
	}
	first, at := len(s.chapters), map[string]int{} // by page
	for i, p := range append(top, more...) {
		title, of := s.lang.Say(sayBest), ""
		if i < len(top) {
			said := prose.OneLine(inCode.Replace(fences.ReplaceAllString(p.plain, "")))
			s.add("findings", "- “"+shorten(said)+"” ["+p.ref+"]")
		} else {
			title, of = shorten(cmp.Or(p.page.name(), p.page.id)), p.page.id
		}
		if _, known := at[of]; !known {
			at[of] = len(s.chapters)
			s.chapters = append(s.chapters, chapter{title: title, query: s.query})
		}
		c := &s.chapters[at[of]]
		for _, b := range p.with {
			if b.ref == p.ref || p.whole || p.lead != nil && b.ref == p.lead.ref { // further than is read with a passage
				c.passages = appendNew(c.passages, b.ref)
			}
		}
	}
	nameFiles(s.chapters)
	for _, c := range s.chapters[first:] {
		s.add("blueprint", c.lay(s.lang))
	}
	s.agenda(false)
	return s.updates()
}

// leaveHan leaves out the keywords that are Chinese, and reports whether there were any.
func (s *stretch) leaveHan() bool {
	all := len(s.keys)
	s.keys = slices.DeleteFunc(s.keys, func(k prose.Keyword) bool { return prose.HasHan(k.Text) })
	return len(s.keys) < all
}

// lack notes what was not found, or not looked at.
func (s *stretch) lack(what string, list []string) {
	if len(list) > 0 {
		s.add("gaps", "- "+s.lang.Say(what)+strings.Join(list, s.lang.Say(", "))+s.lang.Say("."))
	}
}

// isOld reports whether a chapter was laid out for another question than is asked now, or its passages are
// all gone.
func (s *stretch) isOld(c chapter) bool {
	return c.query != "" && (c.query != s.query || len(c.passages) == 0)
}

// forget takes out of the dashboard what was laid out, found, and said to be missing for a question.
func (s *stretch) forget() {
	s.chapters = slices.DeleteFunc(s.chapters, func(c chapter) bool { return c.query != "" })
	s.drop("blueprint", laidOut)
	s.drop("findings", finding)
	s.drop("gaps", ourGap)
}

// found is what the search for a query returned.
func (s *stretch) found(query string) (result string) {
	for _, a := range s.acts {
		if a.action == "web_search" && a.args.Query == query {
			result = a.result
		}
	}
	return result
}

// find returns the next calls of a search: for a query; for the best pages; for all parts of those that are
// long.
func (s *stretch) find(query string) []agent.Call {
	var visits, further []agent.Call
	most := mostPages
	for _, p := range s.pages() {
		if prose.IsEnglish(s.search, 5) && p.isForeign() { // another is read in its place
			most++
			continue
		}
		for part := 1; part <= min(p.parts, mostParts) && p.parts > 1 && p.rank < deepPages; part++ {
			further = appendNew(further, call("visit_url", arguments{"url": p.id, "part": part}))
		}
	}
	for _, ref := range append(readHits(s.found(query)), readHits(s.found(prose.Otherwise(query)))...) {
		if len(visits) < most {
			visits = appendNew(visits, call("visit_url", arguments{"url": ref}))
		}
	}
	search := func(query string) agent.Call { return call("web_search", arguments{"query": query}) }
	searches := appendNew([]agent.Call{search(query)}, search(prose.Otherwise(query)))
	for _, calls := range [][]agent.Call{searches, visits, further} {
		if left := s.undone(calls...); len(left) > 0 {
			return left
		}
	}
	return nil
}

var (
	notRead = regexp.MustCompile(`(?m)^Could not be read, and so not searched: .+\.$`)
	named   = regexp.MustCompile("`[^`]+`|\\b\\d+ more\\b")
	finding = regexp.MustCompile(`(?m)^- “[^”]*” \[s\d+\.\d+\]$`)
	ourGap  = regexp.MustCompile(`(?m)^- (?:No document holds: |没有文档提到：|No passage found speaks of|No passage found tells when|找到的段落都没有|No section found |没有一节|The documents are in another language|文档与问题|Could not be read, and so not searched: |未能读取，因而没有查询：).*$`)
	leftOut = regexp.MustCompile(`(?m)^- (?:Left out: |未收入：|Left out, since |未收入，因为).*$`)
	ending  = regexp.MustCompile(`\n(?:---\n|## (?:What was not found|没有找到的内容)\n|## .*\{#references\})`)
	// ofBlock is a quote or a row of a block of a source.
	ofBlock = regexp.MustCompile(`^(?:> .*” |\|.*|Code, from |代码，出自 )\[s\d+\.\d+\]`)
)

// fill reads the passages of a chapter, or searches for it, writes it, and only then ticks it.
func fill(s *stretch, at int) agent.Reply {
	c := s.chapters[at]
	calls := s.undone(visitsOf(c.passages)...)
	if len(c.passages) == 0 {
		calls = s.find(joined(prose.Keywords(c.title + " " + joined(s.keys[:min(3, len(s.keys))]))))
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
				if n := len(chosen); n > 0 && chosen[n-1].leads() && !all[i].leads() && chosen[n-1].isOver(all[i].block) {
					chosen[n-1].with = []block{chosen[n-1].block} // not the whole list that it leads to
				}
				chosen = append(chosen, all[i])
			}
		}
		return chosen
	}
	top, more := choose(rank(all, prose.Keywords(c.title), nil, 1, c.title), nil, s.lang)
	chosen = append(top, more...)
	return chosen[:min(len(chosen), ofOnePage)]
}

// compose writes a chapter: its passages, each under its heading, below what the file holds already.
func (s *stretch) compose(c chapter, ps []passage) string {
	best := c.title == s.lang.Say(sayBest)
	old := without(s.text(c.file), func(line string) bool { // quotes of none of its passages
		has := func(b block) bool { return strings.Contains(line, "["+b.ref+"]") }
		return ofBlock.MatchString(line) && !slices.ContainsFunc(ps, func(p passage) bool { return slices.ContainsFunc(p.with, has) })
	})
	var out strings.Builder
	if old == "" {
		fmt.Fprintf(&out, "# %s\n", c.title)
	} else {
		out.WriteString(old + "\n")
	}
	last, blocks, cited := c.title, []block(nil), map[string]bool{}
	flush := func() {
		if len(blocks) > 0 {
			fmt.Fprintf(&out, "\n%s\n", show(blocks, s.lang))
		}
		blocks = nil
	}
	for _, p := range together(ps) {
		heading := p.heading()
		if name := p.page.name(); best && name != "" && name != heading {
			heading += " · " + name
		}
		for _, b := range p.with {
			if m := byline.FindStringSubmatch(b.plain); m != nil {
				heading += " · " + cleanHeading(m[1]+m[2])
				continue
			}
			if cited[b.ref] || strings.Contains(old, "["+b.ref+"]") {
				continue
			}
			cited[b.ref] = true
			if heading != last {
				flush()
				last = heading
				fmt.Fprintf(&out, "\n## %s\n", heading)
			}
			blocks = append(blocks, b)
		}
	}
	flush()
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
	if i := slices.IndexFunc(s.chapters, chapter.isOpen); i >= 0 {
		task = s.lang.Say("Chapter %d of %d: %s", i+1, len(s.chapters), shorten(s.chapters[i].title))
		next = s.lang.Say("Quote into `%s` what answers the question.", s.chapters[i].file)
	}
	s.note("task", task)
	s.note("next", next)
}

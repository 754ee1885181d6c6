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
	found := s.result(search(s.query))
	if strings.HasPrefix(found, failed) {
		_, where, _ := strings.Cut(found, notSearched)
		where = prose.FirstLine(cmp.Or(where, found))
		if places, why, ok := strings.Cut(strings.TrimSuffix(where, ")"), " ("); ok {
			where = places + s.lang.Say(" (%s)", s.lang.Tell(why))
		}
		return agent.Reply{Text: s.lang.Say("Nothing could be searched: %s", where)}
	}
	if slices.ContainsFunc(s.chapters, func(c chapter) bool { return c.query != "" && c.query != s.query }) {
		s.drop("gaps", goneGap)
	}
	s.chapters = slices.DeleteFunc(s.chapters, func(c chapter) bool { return c.query != "" }) // for another question
	s.drop("blueprint", laidOut)
	s.drop("findings", finding)
	s.drop("gaps", ourGap)
	all, words := passages(s.pages(), s.search), s.missing(found)
	if inHan := len(slices.DeleteFunc(slices.Clone(all), func(p passage) bool { return !prose.HasHan(p.text) })); len(all) > 10*inHan {
		words = slices.DeleteFunc(words, prose.HasHan) // documents in another language hold no word of the question's
		if prose.HasHan(prose.Joined(s.keys)) {
			s.add("gaps", "- "+s.lang.Say(sayForeign))
		}
		s.keys = slices.DeleteFunc(s.keys, func(k prose.Keyword) bool { return prose.HasHan(k.Text) })
	}
	ranked := rank(all, s.keys, s.search)
	top, more := choose(ranked, answers(all, ranked, string(prose.Question(s.search).AtHand(s.question))), s.lang)
	top, more = s.lacks(words, all, top, more)
	unread := named.FindAllString(notRead.FindString(found), -1)
	for i, name := range unread {
		unread[i] = s.lang.Tell(name)
	}
	s.lack(sayUnread, unread)
	if len(top) == 0 {
		return report(s)
	}
	first, at := len(s.chapters), map[string]int{}
	one := prose.Question(s.search).Restates(top[0].heading()) && !slices.ContainsFunc(top, func(p passage) bool { return p.page != top[0].page || p.heading() != top[0].heading() })
	for i, p := range append(top, more...) {
		title := shorten(cmp.Or(p.page.name(), p.page.id))
		if i < len(top) {
			title = s.lang.Say(sayBest)
			said := prose.OneLine(inCode.Replace(fences.ReplaceAllString(p.plain, "")))
			s.add("findings", "- “"+shorten(said)+"” ["+p.ref+"]")
		}
		if _, known := at[title]; !known {
			at[title] = len(s.chapters)
			s.chapters = append(s.chapters, chapter{title: title, query: s.query})
		}
		s.chapters[at[title]].take(p, one || i >= len(top))
	}
	nameFiles(s.chapters)
	for _, c := range s.chapters[first:] {
		s.add("blueprint", c.lay(s.lang))
	}
	s.agenda(false)
	return s.updates()
}

// lack notes what was not found, or not looked at.
func (s *stretch) lack(what string, list []string) {
	if len(list) > 0 {
		s.add("gaps", "- "+s.lang.Say(what)+strings.Join(list, s.lang.Say(", "))+s.lang.Say("."))
	}
}

// isOld reports whether a chapter was laid out for another question, or its passages are all gone.
func (s *stretch) isOld(c chapter) bool {
	return c.query != "" && (c.query != s.query || len(c.passages) == 0)
}

func search(query string) agent.Call { return call("web_search", arguments{"query": query}) }

// find returns the next calls of a search: for a query; for the best pages; for all parts of long ones.
func (s *stretch) find(query string) []agent.Call {
	var visits, further []agent.Call
	most := mostPages
	for _, p := range s.pages() {
		if prose.IsEnglish(s.search, 5) && p.foreign { // another is read in its place
			most++
			continue
		}
		for part := 1; part <= min(p.parts, mostParts) && p.parts > 1 && p.rank < deepPages; part++ {
			further = appendNew(further, call("visit_url", arguments{"url": p.id, "part": part}))
		}
	}
	searches := appendNew([]agent.Call{search(query)}, search(prose.Question(s.search).Otherwise(query)))
	for _, c := range searches {
		for _, ref := range readHits(s.result(c)) {
			if len(visits) < most {
				visits = appendNew(visits, call("visit_url", arguments{"url": ref}))
			}
		}
	}
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
	ourGap  = regexp.MustCompile(`(?m)^- (?:No document holds: |没有文档提到：|No passage found (?:speaks of|tells when|tells how much|answers this part)|找到的段落都没有|No section found |没有一节|Without a model rows |没有模型时只|The documents are in another language|文档与问题|Could not be read, and so not searched: |未能读取，因而没有查询：).*$`)
	// goneGap is a gap that a refresh left, which rounds words.
	goneGap = regexp.MustCompile(`(?m)^- (?:Gone since it was read: |读过之后已不存在：).*$`)
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
		calls = s.find(prose.Joined(prose.Keywords(c.title + " " + prose.Joined(s.keys[:min(3, len(s.keys))]))))
	}
	if list := operate(listOperation); s.file(c.file).made == 0 { // a person may have written into what is there
		calls = append(calls, s.undone(list)...)
		if strings.Contains(s.result(list), path.Base(c.file)) {
			calls = append(calls, s.reads(c.file)...)
		}
	}
	if len(calls) > 0 {
		return ask(calls...)
	}
	blocks := s.blocksFor(c)
	if pending, ok := s.save(c.file, s.compose(c, blocks), 1); ok {
		return pending
	}
	if len(blocks) == 0 {
		s.add("gaps", s.lang.Say(sayGap, shorten(c.title)))
	}
	s.note("blueprint", tick(s.now["blueprint"], c, s.lang))
	s.chapters[at].done = true
	s.agenda(false)
	return s.updates()
}

// visitsOf are the calls that show some blocks, one a source, each with the one before: it may be of its code.
func visitsOf(refs []string) (calls []agent.Call) {
	var ids []string
	blocks := map[string][]string{}
	for _, ref := range refs {
		id, number, _ := strings.Cut(ref, ".")
		if n, err := strconv.Atoi(number); err == nil {
			ids = appendNew(ids, id)
			blocks[id] = append(blocks[id], fmt.Sprintf("%d-%d", max(1, n-1), n))
		}
	}
	for _, id := range ids {
		calls = append(calls, call("visit_url", arguments{"url": id, "blocks": strings.Join(blocks[id], ", ")}))
	}
	return calls
}

// blocksFor are those that the blueprint names for a chapter, or of the best passages that were found for it.
func (s *stretch) blocksFor(c chapter) (blocks []block) {
	pages := s.pages()
	if len(c.passages) == 0 {
		top, more := choose(rank(passages(pages, ""), prose.Keywords(c.title), c.title), nil, s.lang)
		for _, p := range slices.Concat(top, more)[:min(len(top)+len(more), ofOnePage)] {
			c.take(p, false)
		}
	}
	var shown []block
	for _, p := range pages {
		shown = append(shown, p.blocks...)
	}
	for _, ref := range c.passages {
		if i := slices.IndexFunc(shown, func(b block) bool { return b.ref == ref }); i >= 0 {
			blocks = append(blocks, shown[i])
		}
	}
	return blocks
}

// compose writes a chapter: its blocks, each under its heading, below what the file holds already, if that has
// words of a person, and otherwise in the order of the blueprint.
func (s *stretch) compose(c chapter, blocks []block) string {
	old := prose.Without(s.file(c.file).text, func(line string) bool { // quotes of none of them
		isIn := func(b block) bool { return strings.Contains(line, "["+b.ref+"]") }
		return ofBlock.MatchString(line) && !slices.ContainsFunc(blocks, isIn)
	})
	if old != "" {
		if anew := s.compose(chapter{title: c.title}, blocks); blocksOver(anew, old) == "" {
			return anew
		}
	}
	text, last := cmp.Or(old, "# "+c.title)+"\n", c.title
	var under []block // the heading that was written last
	for _, b := range blocks {
		if b.isByline() || strings.Contains(old, "["+b.ref+"]") {
			continue
		}
		heading := b.heading()
		if name := b.page.name(); c.title == s.lang.Say(sayBest) && name != "" && name != heading {
			heading = map[bool]string{true: name, false: heading + " · " + name}[strings.Contains(name, heading)] // says it too
		}
		if heading += b.author(blocks, s.lang); heading != last {
			text += show(under, s.lang) + "\n## " + heading + "\n"
			last, under = heading, nil
		}
		b.head, b.plain = prose.Question(s.search).Narrow(b.head, b.plain)
		under = append(under, b)
	}
	if old == "" && len(blocks) == 0 {
		return text + "\n" + s.lang.Say(sayNothing, c.title) + "\n"
	}
	return text + show(under, s.lang)
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

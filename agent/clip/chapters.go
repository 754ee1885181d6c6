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

// Bounds on what is read for a question or a chapter.
const (
	mostPages            = 16               // at the places where the search found something
	deepPages, mostParts = 5, 150           // of them, if they are long, from the beginning; and of each
	notSearched          = "Not searched: " // what a search says before the places that did not answer
)

// chapter is an item of the blueprint's checklist and the indented lines under it.
type chapter struct {
	done        bool
	title, file string   // file "" if the item names none, as when a person added it
	passages    []string // to quote, such as s5.12
	asked       string   // the queries that it names
	query       string   // for which this Brain laid it out; "" if a person did
	line        int      // of the item, in the section's body
}

func (c chapter) isOpen() bool { return !c.done }

// take makes a chapter quote a passage, after the others or in the order of the document.
func (c *chapter) take(p passage, inOrder bool) {
	for _, b := range p.with {
		c.passages = appendNew(c.passages, b.ref)
	}
	byNumber := func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }
	if inOrder {
		slices.SortStableFunc(c.passages, byNumber)
	}
}

var (
	labels      = regexp.MustCompile(`(?:Quer(?:y|ies)|检索词|Passages?|段落|[Ff]ile|文件)[:：]`)
	queries     = regexp.MustCompile(`(?:Quer(?:y|ies)|检索词)[:：](.*?)(?:\.? +(?:Files?|Passages?): |。|(?:文件|段落)[:：]|\.?$)`)
	laidOut     = regexp.MustCompile(`(?m)^- \[.*(?:Queries: |检索词：)(.*?)(?:\. |。)(?:Passages: |段落：).*$`)
	item        = regexp.MustCompile(`^(?:[-*+]|\d+[.)]) +\[([ xX])\] +(\S.*)$`)
	chapterFile = regexp.MustCompile(`^(.*)(Notebook/.*?\.md)(.*)$`)
	citing      = regexp.MustCompile(`\[s\d+(?:\.\d+)?\]`)
)

// readBlueprint reads a checklist of "- [ ] **Title** — why? Passages: [s5.12]. File: …", or that below it.
func readBlueprint(body string) (chapters []chapter) {
	fence := ""
	for i, line := range strings.Split(prose.WithoutComments(body), "\n") {
		if fence = prose.FenceAfter(fence, line); fence != "" {
			continue
		}
		if m := item.FindStringSubmatch(strings.TrimRight(line, " \r")); m != nil {
			c := chapter{done: m[1] != " ", line: i}
			if laid := laidOut.FindStringSubmatch(line); laid != nil {
				c.query = laid[1]
			}
			c.fields(m[2])
			chapters = append(chapters, c)
		} else if (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")) && len(chapters) > 0 {
			chapters[len(chapters)-1].fields(line)
		}
	}
	return chapters
}

// fields reads the labelled parts of a line, and from the first line the title before them.
func (c *chapter) fields(line string) {
	if m := chapterFile.FindStringSubmatch(line); m != nil && c.file == "" { // an earlier one is the item's
		if file := path.Clean(m[2]); strings.HasPrefix(file, "Notebook/") {
			c.file, line = file, m[1]+m[3]
		}
	}
	for _, ref := range citing.FindAllString(line, -1) {
		c.passages = appendNew(c.passages, strings.Trim(ref, "[]"))
	}
	named := append(queries.FindStringSubmatch(line), "", "")[1]
	c.asked = cmp.Or(c.asked, prose.Joined(prose.Keywords(named)))
	if title := labels.Split(line, 2)[0]; c.title == "" {
		c.title = strings.Trim(strings.ReplaceAll(title, "**", ""), " \t-–—`:：.。([（<")
	}
}

// nameFiles gives each chapter that names no file one that no other chapter has.
func nameFiles(chapters []chapter) {
	for i := range chapters {
		for n := i + 1; chapters[i].file == ""; n++ {
			file := fmt.Sprintf("Notebook/%02d-%s.md", n, cmp.Or(prose.Slug(chapters[i].title), "chapter"))
			isItsFile := func(c chapter) bool { return strings.EqualFold(c.file, file) }
			if !slices.ContainsFunc(chapters, isItsFile) {
				chapters[i].file = file
			}
		}
	}
}

// tick marks a chapter as done in the section's body. An item that named no file gets the name of its file.
func tick(body string, c chapter, lang prose.Language) string {
	lines := strings.Split(body, "\n")
	lines[c.line] = strings.Replace(lines[c.line], "[ ]", "[x]", 1)
	if !strings.Contains(body, c.file) {
		lines[c.line] = strings.TrimRight(lines[c.line], " \r") + " " + lang.Say("File: ") + c.file
	}
	return strings.Join(lines, "\n")
}

func (c chapter) lay(lang prose.Language) string {
	stop := lang.Say(". ")
	return fmt.Sprintf("- [ ] **%s** %s%s%s%s[%s]%s%s%s", c.title, lang.Say("Queries: "), c.query, stop,
		lang.Say("Passages: "), strings.Join(c.passages, "] ["), stop, lang.Say("File: "), c.file)
}

// plan searches, reads the best hits, and lays out the chapters: the best passages, and more by document.
func plan(s *stretch) agent.Reply {
	if calls := s.find(s.query); len(calls) > 0 {
		return ask(calls...)
	}
	found := s.results[search(s.query)]
	if strings.HasPrefix(found, failed) {
		_, where, _ := strings.Cut(found, notSearched)
		where = prose.FirstLine(cmp.Or(where, found))
		if places, why, ok := strings.Cut(strings.TrimSuffix(where, ")"), " ("); ok {
			where = places + s.lang.Say(" (%s)", s.lang.Tell(why))
		}
		return agent.Reply{Text: s.lang.Say("Nothing could be searched: %s", where)}
	}
	s.chapters = filter(s.chapters, func(c chapter) bool { return c.query == "" }) // the others are redone
	s.drop("blueprint", laidOut)
	s.drop("findings", finding)
	s.drop("gaps", ourGap)
	all, words := passages(s.pages(), s.search), s.missing(found)
	others := s.lang.Tell(inOther.FindString(found))
	if inHan := filter(all, func(p passage) bool { return prose.HasHan(p.text) }); len(all) > 10*len(inHan) {
		words = slices.DeleteFunc(words, prose.HasHan) // which documents in another language do not have
		others = either(prose.HasHan(prose.Joined(s.keys)), s.lang.Say(sayForeign), others)
		s.keys = slices.DeleteFunc(s.keys, func(k prose.Keyword) bool { return prose.HasHan(k.Text) })
	}
	ranked := rank(all, s.keys, s.search)
	top, more := choose(ranked, answers(all, ranked, s.core), s.lang)
	unread := named.FindAllString(notRead.FindString(found), -1)
	for i, name := range unread {
		unread[i] = s.lang.Tell(name)
	}
	s.lack(sayUnread, unread)
	before := s.now["gaps"]
	isNothing, more := s.lacks(words, all, top, more)
	isMore := s.now["gaps"] != before || others == s.lang.Say(sayForeign)
	s.add("gaps", either(isMore && others != "", "- "+others, ""))
	if isNothing {
		return report(s)
	}
	known, at := len(s.chapters), map[string]int{}
	isElsewhere := func(p passage) bool { return p.page != top[0].page || p.heading() != top[0].heading() }
	isList := top[0].isStep() || s.search.Restates(top[0].heading())
	for i, p := range append(top, more...) {
		title := either(p.page.place == "", shorten(cmp.Or(p.page.name(), p.page.id)), p.page.name())
		if i < len(top) {
			title = s.lang.Say(sayBest)
			said := prose.OneLine(inCode.Replace(fences.ReplaceAllString(p.plain, "")))
			s.add("findings", "- “"+shorten(said)+"” ["+p.ref+"]")
		}
		if _, known := at[title]; !known {
			at[title] = len(s.chapters)
			s.chapters = append(s.chapters, chapter{title: title, query: s.query})
		}
		s.chapters[at[title]].take(p, i >= len(top) || isList && !slices.ContainsFunc(top, isElsewhere))
	}
	nameFiles(s.chapters)
	for _, c := range s.chapters[known:] {
		s.add("blueprint", c.lay(s.lang))
	}
	s.agenda(false)
	return s.updates()
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
		if prose.IsEnglish(string(s.search), 5) && p.foreign { // another is read in its place
			most++
			continue
		}
		for part := 1; part <= min(p.parts, mostParts) && p.parts > 1 && p.rank < deepPages; part++ {
			further = appendNew(further, call("visit_url", arguments{"url": p.id, "part": part}))
		}
	}
	searches := appendNew([]agent.Call{search(query)}, search(s.search.Otherwise(query)))
	for _, c := range searches {
		for _, ref := range readHits(s.results[c]) {
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
	inOther = regexp.MustCompile(`(?m)^(?:- )?(?:Documents (?:not )?in Chinese|不是中文的文档|中文的文档).*$`)
	finding = regexp.MustCompile(`(?m)^- “[^”]*” \[s\d+\.\d+\]$`)
	ourGap  = regexp.MustCompile(`(?m)^- (?:No document holds: |没有文档提到：|No passage found (?:speaks of|tells when|tells how much|answers this part)|找到的段落都没有|No section found |没有一节|Without a model rows |没有模型时只|The documents are in another language|文档与问题|Documents (?:not )?in Chinese|不是中文的文档|中文的文档|Could not be read, and so not searched: |未能读取，因而没有查询：).*$`)
	// goneGap matches a gap that a refresh left, in the words of package rounds.
	goneGap = regexp.MustCompile(`(?m)^- (?:Gone since it was read: |读过之后已不存在：).*$`)
	leftOut = regexp.MustCompile(`(?m)^- (?:Left out: |未收入：|Left out, since |未收入，因为).*$`)
	ending  = regexp.MustCompile(`\n(?:---\n|## (?:What was not found|没有找到的内容)\n|## .*\{#references\})`)
	// ofBlock matches a quote or a row of a block of a source.
	ofBlock = regexp.MustCompile(`^(?:> .*” |\|.*|Code, from |代码，出自 )\[s\d+\.\d+\]`)
)

// fill reads the passages of a chapter, or searches for it, writes it, and only then ticks it.
func fill(s *stretch, at int) agent.Reply {
	c := s.chapters[at]
	calls := s.undone(visitsOf(c.passages)...)
	if len(c.passages) == 0 {
		subject := prose.Joined(s.keys[:min(3, len(s.keys))])
		calls = s.find(cmp.Or(c.asked, prose.Joined(prose.Keywords(c.title+" "+subject))))
	}
	if list := operate(listFiles); s.file(c.file).made == 0 { // a person may have written into what is there
		calls = append(calls, s.undone(list)...)
		if strings.Contains(s.results[list], path.Base(c.file)) {
			calls = append(calls, s.reads(c.file)...)
		}
	}
	if len(calls) > 0 {
		return ask(calls...)
	}
	blocks := s.blocksFor(c)
	if calls := s.save(c.file, s.compose(c, blocks), 1); len(calls) > 0 {
		return ask(calls...)
	}
	if len(blocks) == 0 {
		s.add("gaps", s.lang.Say(sayGap, shorten(c.title)))
	}
	s.note("blueprint", tick(s.now["blueprint"], c, s.lang))
	s.chapters[at].done = true
	s.agenda(false)
	return s.updates()
}

// visitsOf returns calls that show blocks, one a source, with the one before: it may be of its code.
func visitsOf(refs []string) (calls []agent.Call) {
	ids, blocks := []string{}, map[string]string{}
	for _, ref := range refs {
		id, number, _ := strings.Cut(ref, ".")
		if n, err := strconv.Atoi(number); err == nil {
			ids = appendNew(ids, id)
			blocks[id] += fmt.Sprintf(", %d-%d", max(1, n-1), n)
		}
	}
	for _, id := range ids {
		calls = append(calls, call("visit_url", arguments{"url": id, "blocks": blocks[id][len(", "):]}))
	}
	return calls
}

// blocksFor returns the blocks that the blueprint names for a chapter, or those of the best passages for it.
func (s *stretch) blocksFor(c chapter) (blocks []block) {
	pages := s.pages()
	if len(c.passages) == 0 {
		ranked := rank(passages(pages, ""), prose.Keywords(c.title+" "+c.asked), prose.Question(c.title))
		top, more := choose(ranked, nil, s.lang)
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

// compose writes a chapter: its blocks under their headings, below the words of a person if it has some.
func (s *stretch) compose(c chapter, blocks []block) string {
	old := prose.Without(s.file(c.file).text, func(line string) bool { // drops quotes of other blocks
		isIn := func(b block) bool { return strings.Contains(line, "["+b.ref+"]") }
		return ofBlock.MatchString(line) && !slices.ContainsFunc(blocks, isIn)
	})
	if old != "" {
		if anew := s.compose(chapter{title: c.title}, blocks); blocksOver(anew, old) == "" {
			return anew
		}
	}
	text, last, isBest := cmp.Or(old, "# "+c.title)+"\n", c.title, c.title == s.lang.Say(sayBest)
	var under []block // the heading that was written last
	for _, b := range blocks {
		if b.isByline() || strings.Contains(old, "["+b.ref+"]") {
			continue
		}
		heading := b.heading()
		if name := b.page.name(); isBest && name != "" && prose.Letters(name) != prose.Letters(heading) {
			heading = either(strings.Contains(name, heading), name, heading+" · "+name)
		}
		if heading += b.author(blocks, s.lang); heading != last {
			text += show(under, s.lang) + "\n## " + heading + "\n"
			last, under = heading, nil
		}
		b.head, b.plain = s.search.Narrow(b.head, b.plain)
		under = append(under, b)
	}
	if old == "" && len(blocks) == 0 {
		return text + "\n" + s.lang.Say(sayNothing, c.title) + "\n"
	}
	return text + show(under, s.lang)
}

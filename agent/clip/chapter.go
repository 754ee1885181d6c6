package clip

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// fill reads the passages of a chapter, or searches for it, writes the chapter, and only then ticks it.
func fill(s *stretch, at int) agent.Reply {
	c := s.chapters[at]
	keys := appendKeys(keywords(c.title+" "+c.question), s.keys...)
	calls := s.undone(operate(listOperation))
	var more []agent.Call
	switch {
	case len(c.passages) > 0:
		more = s.undone(visitsOf(c.passages)...)
	case len(c.urls) > 0:
		for _, url := range c.urls {
			more = append(more, call("visit_url", arguments{"url": url, "focus": joined(keys)}))
		}
		more = s.undone(more...)
	default:
		queries := c.queries
		if len(queries) == 0 {
			queries = []string{joined(appendKeys(keywords(c.title), s.keys[:min(3, len(s.keys))]...))}
		}
		more = s.find(keys, queries)
	}
	if calls = append(calls, more...); len(calls) == 0 {
		calls = s.reads(s.written(c))
	}
	if len(calls) > 0 {
		return ask(calls...)
	}
	ps := s.passagesFor(c, keys)
	// that nothing was found would be untrue: it waits for a new allowance
	if len(ps) == 0 && slices.ContainsFunc(s.acts, act.late) {
		s.chapters[at].done = true
		return research(s)
	}
	content := s.compose(c, ps)
	content += ownWords(s.text(c.file), content, s.say)
	if pending, ok := s.save(c.file, content); ok {
		return pending
	}
	if n, failed, _ := s.operated(writeOperation(c.file)); n == failed {
		s.add("decisions", s.lossOf(c))
	} else if len(ps) == 0 {
		s.add("gaps", fmt.Sprintf(s.say.gap, s.titled(c.title)))
	} else if len(c.passages) == 0 {
		s.add("findings", s.finding(slices.MaxFunc(ps, func(a, b passage) int { return cmp.Compare(a.rate, b.rate) })))
	}
	var from []string
	for _, p := range ps {
		from = appendNew(from, "["+p.page.id+"]")
	}
	if len(ps) > 0 {
		s.nowCurrent = withSection(s.nowCurrent, "learned", fmt.Sprintf(s.say.chapterDone, s.titled(c.title), len(ps), strings.Join(from, " ")))
	}
	s.note("blueprint", tick(section(s.overall, "blueprint"), c, true, s.say))
	chapters := slices.Clone(s.chapters)
	chapters[at].done = true
	s.agenda(chapters, false)
	reply := s.updates()
	// it is written, and cannot be ticked however it is told
	if len(reply.Calls) == 0 && s.refusedAsCopied() > 0 {
		s.chapters[at].done = true
		s.nowOverall, s.nowCurrent = s.overall, s.current
		return research(s)
	}
	return reply
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

// written is the file of this chapter, if the directory has it already.
func (s *stretch) written(c chapter) []string {
	if _, _, listing := s.operated(listOperation); listing.failed() || !strings.Contains(listing.result, strings.TrimPrefix(c.file, "Notebook/")) {
		return nil
	}
	return []string{c.file}
}

// passagesFor are those that the blueprint names for a chapter, or the best of what was found for it.
func (s *stretch) passagesFor(c chapter, keys []keyword) []passage {
	all := passages(s.pages())
	if len(c.passages) > 0 {
		return slices.DeleteFunc(all, func(p passage) bool { return !slices.Contains(c.passages, p.ref) })
	}
	own := keywords(c.title)
	var elsewhere []string
	for _, other := range s.chapters {
		elsewhere = append(elsewhere, other.passages...)
	}
	all = slices.DeleteFunc(all, func(p passage) bool {
		return slices.Contains(elsewhere, p.ref) || len(own) > 0 && speaks(own, p.own)+speaks(own, p.about) == 0
	})
	top, more := choose(rank(all, keys), weights(all, s.keys), s.say)
	chosen := append(top, more...)
	return chosen[:min(len(chosen), ofOnePage)]
}

// compose writes a chapter: its passages under their headings, document by document in the order of the
// pages.
func (s *stretch) compose(c chapter, ps []passage) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n", c.title)
	if c.question != "" && c.question != s.say.asks {
		fmt.Fprintf(&out, "\n%s\n", c.question)
	}
	if len(ps) == 0 {
		fmt.Fprintf(&out, "\n"+s.say.nothing+"\n", c.title)
	}
	ps = slices.Clone(ps)
	slices.SortStableFunc(ps, func(a, b passage) int {
		if a.page.id != b.page.id {
			return 0
		}
		return a.n - b.n
	})
	last, wanted := c.title, weights(ps, s.keys)
	shown := map[string]bool{}
	for _, p := range ps {
		if shown[p.ref] {
			continue // beside the one before it
		}
		for _, b := range p.with {
			shown[b.ref] = true
		}
		if h := p.heading(); h != last {
			last = h
			fmt.Fprintf(&out, "\n## %s\n", h)
		}
		fmt.Fprintf(&out, "\n%s\n", p.show(false, wanted, s.say))
	}
	return out.String()
}

// ownWords are the paragraphs of a chapter's old text that are not clip's: what a person wrote there stays.
func ownWords(old, now string, say phrases) string {
	var kept strings.Builder
	nothing, _, _ := strings.Cut(say.nothing, "%s")
	for _, p := range paragraphs(old) {
		if !quoted.MatchString(p) && !strings.HasPrefix(p, "# ") && !strings.HasPrefix(p, "## ") && !strings.HasPrefix(p, nothing) && !strings.Contains(now, p) {
			kept.WriteString("\n" + p + "\n")
		}
	}
	return kept.String()
}

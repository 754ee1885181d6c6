package clip

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// report reads the chapters again, binds them without what a gate rejects, and finishes.
func report(s *stretch) agent.Reply {
	var files []string
	for _, c := range s.chapters {
		files = append(files, c.file)
	}
	theirs := strings.Contains(s.now["decisions"], s.lang.Say(sayTheirs))
	if theirs {
		files = append(files, reportFile)
	}
	if calls := s.reads(files...); len(calls) > 0 {
		return ask(calls...)
	}
	text, times := s.file(reportFile).text, 0
	if !theirs || text == "" { // they deleted it
		refusals, faulty := s.faults()
		if len(refusals) > 9 { // of all gates together, in one stretch
			const sayWhy = "The report was refused, and I cannot mend what is asked for: %s"
			return agent.Reply{Text: s.lang.Say(sayWhy, refusals[9])}
		}
		text, times = s.bind(faulty), 1+len(refusals)
	} else if more := s.sound(blocksOver(text, s.byHand), nil, true); more != "" { // they wrote into chapters
		at := append(ending.FindStringIndex(text), len(text))[0]
		text, times = text[:at]+s.yours(more)+text[at:], 1
	}
	if calls := s.save(reportFile, text, times); len(calls) > 0 {
		return ask(calls...)
	}
	s.agenda(true) // the update drops the history: refusals are heard once nothing needs updating
	finish := call("all_finished", arguments{"result": "The report is " + reportFile})
	return ask(append(s.changes(), finish)...)
}

// heedEdit records that a person edited the finished report, which is theirs from then on.
func (s *stretch) heedEdit() []agent.Call {
	if !s.edited || s.file(reportFile).made > 0 {
		return nil
	}
	calls, text := s.reads(reportFile), s.file(reportFile).text
	isDone := text != "" && !strings.Contains(text, s.lang.Say("This report is not finished"))
	if len(calls) == 0 && isDone {
		s.add("decisions", s.lang.Say(sayTheirs))
		return s.changes() // before anything is written into it
	}
	return calls
}

// bind composes the report. What it leaves out becomes a gap, and stays out until somebody changes a chapter.
func (s *stretch) bind(faulty map[string]bool) string {
	var out strings.Builder
	var lines []string // on what was not found
	s.drop("gaps", leftOut)
	for i, c := range s.chapters {
		text := s.file(c.file).text
		if text == "" {
			const sayLost = "- Left out: the chapter *%s*, since `%s` is not there or not text."
			s.add("gaps", s.lang.Say(sayLost, c.title, c.file))
			continue
		}
		title := either(i == 0, s.lang.Say(sayBest)+" {#abstract}", c.title)
		if text = nested(text, c.title); text != "" {
			fmt.Fprintf(&out, "\n## %s\n\n%s\n", title, text)
		}
		if strings.Contains(text, s.lang.Say(sayNothing, c.title)) {
			lines = append(lines, s.lang.Say(sayGap, c.title))
		}
	}
	out.WriteString(s.yours(blocksOver(out.String(), s.byHand))) // also from other files and the last report
	said := s.sound(out.String(), faulty, len(s.changed) == 0)
	none := either(citing.MatchString(said), "", s.lang.Say("Nothing was found that answers the question."))
	gaps, ends := ourGap.FindAllString(s.now["gaps"], -1), "---"
	isUnread, blank := "- "+s.lang.Say(sayUnread), either(s.lang == prose.Chinese, "", " ")
	absent := filter(gaps, func(gap string) bool { return !strings.HasPrefix(gap, isUnread) })
	first := strings.ReplaceAll("\n"+strings.Join(absent, "\n"), "\n- ", blank)
	gone, left := goneGap.FindAllString(s.now["gaps"], -1), leftOut.FindAllString(s.now["gaps"], -1)
	if lines = slices.Concat(lines, gone, left, s.notFound(said, first), gaps); len(lines) > 0 {
		ends = "## " + s.lang.Say("What was not found") + "\n\n" + strings.Join(lines, "\n")
	}
	title := "# " + agent.Literal(cmp.Or(s.question, s.lang.Say(sayBest)))
	parts := []string{title, strings.TrimSpace(first), none, said, ends, s.lang.Say(sayNoModel)}
	return strings.Join(filter(parts, func(part string) bool { return part != "" }), "\n\n") + "\n"
}

// sound returns a text without what a gate rejects, and without duplicates but in a person's chapters.
func (s *stretch) sound(text string, faulty map[string]bool, before bool) string {
	seen := map[string]int{} // passages of two chapters may extend into the same block
	return prose.Without(text, func(line string) bool {
		cited := strings.Join(citing.FindAllString(line, -1), " ") + " " + citing.ReplaceAllString(line, "")
		told := s.lang.Say(sayFaulted, shorten(inCode.Replace(cited)))
		isFaulty := faulty[line] || before && strings.Contains(s.was["gaps"], told)
		if isFaulty {
			s.add("gaps", told)
		}
		isTheirs := func(c chapter) bool { return c.query == "" && line == "## "+c.title }
		if slices.ContainsFunc(s.chapters, isTheirs) {
			clear(seen)
		}
		seen[line]++
		return isFaulty || seen[line] > 1 && ofBlock.MatchString(line)
	})
}

// faults returns the refusals of the report, including errors, and the lines they reject.
func (s *stretch) faults() (refusals []string, faulty map[string]bool) {
	faulty = map[string]bool{}
	for _, a := range s.acts {
		if a.call.Name != "all_finished" {
			continue
		}
		refusals = append(refusals, strings.TrimSpace(strings.TrimPrefix(a.result, "Not finished:")))
		lines := strings.Split(s.bind(faulty), "\n")
		for _, m := range faulted.FindAllStringSubmatch(a.result, -1) {
			if n, _ := strconv.Atoi(m[1]); n <= len(lines) && strings.Contains(lines[n-1], m[2]) {
				faulty[lines[n-1]] = true
			}
		}
	}
	return refusals, faulty
}

// yours returns what the person wrote elsewhere below a heading of its own.
func (s *stretch) yours(more string) string {
	return either(more == "", "", "\n"+s.lang.Say("## Added by hand")+"\n\n"+more+"\n")
}

// blocksOver returns the blocks of more with a line missing in text, whatever its heading level or citation.
func blocksOver(text, more string) string {
	same := func(line string) string {
		return citing.ReplaceAllString(strings.TrimSpace(strings.TrimLeft(line, "#")), "")
	}
	have := map[string]bool{}
	for line := range strings.Lines(text) {
		have[same(line)] = true
	}
	lacks := func(line string) bool { return !have[same(line)] }
	return strings.Join(filter(prose.Blocks(more), func(block string) bool {
		return slices.ContainsFunc(strings.Split(block, "\n"), lacks)
	}), "\n\n")
}

// nested returns a chapter for the report: no title, headings a level lower, a gap between quotes and words.
func nested(text, title string) string {
	fence, above, lines := "", "", []string(nil)
	for line := range strings.SplitSeq(text, "\n") {
		inCode := fence != ""
		if fence = prose.FenceAfter(fence, line); !inCode && fence == "" {
			if apart.MatchString(above + "\n" + line) {
				lines = append(lines, "")
			}
			if strings.HasPrefix(line, "#") {
				line = "#" + line
			}
		}
		lines, above = append(lines, line), line
	}
	nested := strings.TrimLeft(strings.Join(lines, "\n"), "\n") + "\n"
	return strings.Trim(strings.TrimPrefix(nested, "## "+title+"\n"), "\n")
}

var (
	// inCode removes what ends a code span or looks like a quote, a citation or a comment.
	inCode = strings.NewReplacer("`", "", "“", "", "”", "", "[", "", "]", "", "|", " ", "> ", "", "<", "")
	// inNone finds what a search reports about words that no document contains.
	inNone  = regexp.MustCompile(`(?m)^None of the \d+ documents holds(?:: (.+?)\.(?: Nothing closer.*)?| "(.+)" to the letter\.)$`)
	faulted = regexp.MustCompile(`(?m)^- line ([1-9]\d*)(?: (\[s[\d.]+\]))?`)
	// apart finds a cited quote or row directly above words that are not part of it.
	apart = regexp.MustCompile(`^(?:> “|\|).*\[s\d+(?:\.\d+)?\].*\n(?:[^>|\s]|> ?[^“\s])|^> “.*\[s\d+(?:\.\d+)?\].*\n\|`)
)

// missing returns the things of the question that no document contains, but notes those written wrong.
func (s *stretch) missing(found string) (words []string) {
	for _, m := range s.respelt {
		s.add("gaps", s.lang.Say("- No document holds: %s. Looked for in its place: %s.", m[2], m[1]))
	}
	for _, m := range inNone.FindAllStringSubmatch(found, -1) {
		for word := range strings.SplitSeq(m[1]+m[2], ", ") {
			i := slices.IndexFunc(s.keys, func(k prose.Keyword) bool { return k.IsWritten(word) })
			if i >= 0 {
				word = s.keys[i].Text
			}
			isVerb := prose.HasHan(word) && s.search.Asks(word) || i >= 0 && s.keys[i].Means != ""
			if (i >= 0 || m[1] != "" && len(word) > 2) && !isVerb { // a phrase is more than a word
				words = appendNew(words, word)
			}
		}
	}
	return words
}

// absent returns the missing words to report: no passage has one in another form, or in a longer word.
func absent(missing []string, core prose.Question, isFar bool, all []passage) []string {
	simplified := func(text string) string { return prose.Letters(strings.Map(prose.Simplified, text)) }
	return filter(missing, func(word string) bool {
		part, stem := prose.PartOf(word), prose.Stem(word)
		holds := func(p passage) bool {
			isPart := part.MatchString(p.text) || strings.Contains(strings.ToLower(p.page.title), stem)
			isTold := prose.Question(word).Fits(p.head + p.said) // as a cost is
			return len(word) >= shortest && isPart || isTold
		}
		isShort := func(p passage) bool { // for a longer one, as 年假 for 年休假
			return prose.IsShortFor(word, p.page.title+p.heading()+p.head+p.text)
		}
		isSaid := core.Asks(word) && speak(all, prose.Whole(word))
		return !isSaid && !slices.ContainsFunc(all, holds) &&
			strings.Contains(simplified(string(core)), simplified(word)) &&
			core.IsMissed(word, isFar || core.IsPart(word) && !slices.ContainsFunc(all, isShort))
	})
}

// lacks notes, for the start of the report, which names, parts or dates of the question no passage has. It
// reports whether nothing answers, and returns what of more to show: none if a thing is in no document.
func (s *stretch) lacks(missing []string, all, top, more []passage) (nothing bool, besides []passage) {
	core, most := s.core.Core(), 0.0
	for _, p := range top {
		most = max(most, p.share)
	}
	near := filter(top, func(p passage) bool { return p.share >= 0.8*most })
	unmet := slices.DeleteFunc(core.Each(), func(part prose.Question) bool {
		return slices.ContainsFunc(slices.Concat(top, more), func(p passage) bool {
			terms := []map[string]int{p.own, p.about, prose.Tally(1, prose.Terms(show(p.with, s.lang)))}
			return part.IsMet(terms...) && part.IsDone(s.search, terms...)
		})
	})
	isOtherYear := func(k prose.Keyword) bool { return k.IsYear() && !speak(near, k) }
	isFar := len(unmet) > 0 || slices.ContainsFunc(s.keys, isOtherYear)
	isHeld := func(word string) bool { return speak(top, append(prose.Keywords(word), prose.Whole(word))...) }
	absent := absent(slices.DeleteFunc(missing, isHeld), core, isFar, all)
	unspoken := filter(core.Things(), func(word string) bool {
		return core.IsName(word) && !prose.Keyword{Text: word}.IsYear() && !isHeld(word)
	})
	if done := filter(near, func(p passage) bool { // those that mention what is done
		return core.SpeaksOfDeed(p.own, prose.Tally(1, prose.Terms(p.head)))
	}); len(done) > 0 {
		near = done
	}
	isTold := slices.ContainsFunc(near, func(p passage) bool {
		whole := p.page.title + " " + p.heading() + show(p.with, s.lang)
		text := either(core.AsksAmount() && !p.leads(), p.head+p.said, whole)
		return core.Fits(text) || core.AsksAmount() && p.isRow() && len(p.held) > 0
	})
	switch {
	case len(top) == 0, len(absent) > 0:
		s.lack("No document holds: ", absent)
	case len(unspoken) > 0:
		s.lack("No passage found speaks of: ", unspoken[:1])
	case isFar && len(core.Each()) == 1:
		const both = "No passage found speaks of all of these, so the nearest are shown: "
		s.lack(either(len(core.Named()) == 1, "No passage found speaks of: ", both), core.Named())
	case core.Compares() && top[0].isRow():
		s.lack("Without a model rows are quoted, and neither compared nor counted", []string{""})
	case core.AsksWhen() && !isTold:
		s.lack("No passage found tells when: ", core.Things())
	case core.AsksAmount() && !isTold:
		s.lack("No passage found tells how much: ", core.Things())
	}
	for _, part := range unmet {
		isTold := len(absent) > 0 && len(prose.Keywords(string(part))) < 2 // 冰川呢
		if len(top) > 0 && len(core.Each()) > 1 && !isTold {
			s.lack("No passage found answers this part of the question: ", []string{"“" + string(part) + "”"})
		}
	}
	isThere := func(word string) bool { return !slices.Contains(absent, word) || prose.IsKind(word) }
	isFar = len(filter(top, func(p passage) bool { return p.speaks(s.keys) > 2 })) == 0
	nothing = len(top) == 0 || len(absent) > 0 && isFar && !slices.ContainsFunc(s.search.Things(), isThere)
	return nothing, either(len(absent) > 0, nil, more)
}

// lack notes what was not found or not examined.
func (s *stretch) lack(what string, list []string) {
	if len(list) > 0 {
		s.add("gaps", "- "+s.lang.Say(what)+strings.Join(list, s.lang.Say(", "))+s.lang.Say("."))
	}
}

// notFound lists what the report has no passage for, and if nothing was found, what was searched.
func (s *stretch) notFound(text, absent string) (lines []string) {
	q, isForeign := s.core, strings.Contains(absent, s.lang.Say(sayForeign))
	for _, word := range q.Unsaid(text) {
		isTold := strings.Contains(absent, word) || isForeign && prose.HasHan(word)
		if !isTold && (len(s.keys) < 3 || !q.Asks(word)) {
			lines = append(lines, s.lang.Say("- No passage in this report speaks of `%s`.", word))
		}
	}
	if len(s.chapters) == 0 {
		lines = append(lines, s.lang.Say("- Searched for: `%s`.", s.query))
		if _, where, found := strings.Cut(s.results[search(s.query)], "\n"+notSearched); found {
			lines = append(lines, "- "+s.lang.Tell(notSearched+prose.FirstLine(where)))
		}
	}
	return lines
}

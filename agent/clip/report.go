package clip

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

const (
	mostRefusals = 9 // of all gates together, in one stretch
	finished     = "The report is " + reportFile
	notFinished  = "Not finished:"
)

// report reads the chapters and the passages for the top, binds them, and finishes. Passages that a gate
// names are left out; what it wants beyond that, such as more words or sources than the documents have, this
// brain cannot do, and it proposes the report as it is.
func report(s *stretch) agent.Reply {
	var files []string
	for _, c := range s.chapters {
		files = append(files, c.file)
	}
	if strings.Contains(section(s.nowOverall, "decisions"), s.say.theirs) {
		files = append(files, reportFile)
	}
	top := s.top()
	if calls := append(s.reads(files), s.undone(visitsOf(top)...)...); len(calls) > 0 {
		return ask(calls...)
	}
	if s.reopen() {
		return s.updates()
	}
	if s.isTheirs() {
		return s.finish()
	}
	refusals := s.refusals()
	if n, failed, last := s.operated(writeOperation(reportFile)); n > failed && !last.failed() && len(refusals) == 0 {
		return s.finish()
	}
	if len(refusals) > mostRefusals {
		return agent.Reply{Text: fmt.Sprintf(s.say.refused, refusals[len(refusals)-1])}
	}
	content := s.bind(top)
	for _, why := range refusals {
		content = mend(content, why)
	}
	if pending, ok := s.save(reportFile, content); ok {
		return pending
	}
	if _, _, last := s.operated(writeOperation(reportFile)); last.failed() {
		return agent.Reply{Text: fmt.Sprintf(s.say.cannotWrite, reportFile, last.result)}
	}
	return s.finish()
}

// heedEdit puts on record that a person edited the report, which is theirs from then on; first it asks for
// the text. What a run left that was stopped is no report yet.
func (s *stretch) heedEdit() []agent.Call {
	if !s.edited {
		return nil
	}
	calls := s.reads([]string{reportFile})
	if text := s.text(reportFile); len(calls) == 0 && text != "" && !strings.Contains(text, s.say.unfinished) {
		s.add("decisions", s.say.theirs)
	}
	return calls
}

// isTheirs reports whether the report is the person's, as the dashboard says, unless they took it away.
func (s *stretch) isTheirs() bool {
	return strings.Contains(section(s.nowOverall, "decisions"), s.say.theirs) && s.text(reportFile) != ""
}

// top are the passages for the top of the report: the first that the findings cite.
func (s *stretch) top() (refs []string) {
	if len(s.chapters) == 0 {
		return nil
	}
	for _, ref := range citing.FindAllString(withoutComments(section(s.overall, "findings")), -1) {
		if ref = strings.Trim(ref, "[]"); strings.Contains(ref, ".") {
			refs = appendNew(refs, ref)
		}
	}
	return refs[:min(onTop, len(refs))]
}

// reopen unticks the chapters whose files cannot be read, so that they are written again rather than missed.
// Each is written again once: what is on record as such, and lost once more, stays out of the report.
func (s *stretch) reopen() bool {
	body, chapters, again := section(s.overall, "blueprint"), slices.Clone(s.chapters), false
	for i, c := range chapters {
		if s.text(c.file) == "" && !strings.Contains(section(s.overall, "decisions"), s.lossOf(c)) {
			body, chapters[i].done = tick(body, c, false, s.say), false
			s.add("decisions", s.lossOf(c))
			again = true
		}
	}
	if !again {
		return false
	}
	s.note("blueprint", body)
	s.agenda(chapters, false)
	return true
}

// lossOf is the line that puts on record that a chapter is written again.
func (s *stretch) lossOf(c chapter) string { return fmt.Sprintf(s.say.again, c.title, c.file) }

// finish says in the dashboard that the report is done, and then that all is. Should that be refused, the
// update has dropped the history, and what was refused is heard the second time, when nothing is left to
// update.
func (s *stretch) finish() agent.Reply {
	s.agenda(s.chapters, true)
	before := section(s.nowOverall, "decisions")
	decisions := before
	for _, c := range s.chapters {
		if s.text(c.file) != "" { // should it be lost again, it is written again
			decisions = strings.Trim(strings.Replace("\n"+decisions, "\n"+s.lossOf(c), "", 1), "\n")
		}
	}
	if decisions != before {
		s.note("decisions", decisions)
	}
	calls := s.answers()
	if (section(s.current, "task") != s.say.taskDone || s.nowOverall != s.overall) && s.refusedAsCopied() == 0 {
		calls = s.changes()
	}
	return ask(append(calls, call("all_finished", arguments{"result": finished}))...)
}

// refusals are what all_finished said in this stretch. What is no refusal but an error counts as one too.
func (s *stretch) refusals() (all []string) {
	for _, a := range s.acts {
		if a.action == "all_finished" {
			all = append(all, strings.TrimSpace(strings.TrimPrefix(a.result, notFinished)))
		}
	}
	return all
}

// bind composes the report: first what no document holds, then the passages that answer best, then what else
// the chapters hold, and what was not found. The list of references is the program's work.
func (s *stretch) bind(top []string) string {
	var out strings.Builder
	title := s.brief.question
	if title == "" {
		title = s.say.reportTitle
	}
	fmt.Fprintf(&out, "# %s\n", agent.Literal(title))
	absent := s.absent()
	if absent != "" {
		fmt.Fprintf(&out, "\n%s\n", absent)
	}
	fmt.Fprintf(&out, "\n## %s {#abstract}\n", s.say.summary)
	all := passages(s.pages())
	shown, wanted := map[string]bool{}, weights(all, s.keys)
	n := 0
	for _, ref := range top {
		for _, p := range all {
			if p.ref == ref && !shown[ref] {
				n++
				for _, b := range p.all(true) {
					shown[b.ref] = true
				}
				fmt.Fprintf(&out, "\n### %d. %s\n\n%s\n", n, p.above(), p.show(true, wanted, s.say))
			}
		}
	}
	var chapters strings.Builder
	var lost []string
	said := map[string]bool{}
	for _, c := range s.chapters {
		text := s.text(c.file)
		if text == "" {
			lost = append(lost, fmt.Sprintf(s.say.lost, c.title, c.file))
			continue
		}
		if body := s.body(text, c, shown, said); body != "" {
			fmt.Fprintf(&chapters, "\n## %s\n\n%s\n", c.title, body)
		}
	}
	spoken := set(terms(out.String()[len(title)+2:] + chapters.String()))
	if !citing.MatchString(out.String()) && !citing.MatchString(chapters.String()) {
		fmt.Fprintf(&out, "\n%s\n", s.say.noneFound)
	}
	out.WriteString(chapters.String())
	if lost = append(lost, s.notFound(spoken, absent)...); len(lost) > 0 {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n", s.say.missing, strings.Join(lost, "\n"))
	} else {
		out.WriteString("\n---\n")
	}
	fmt.Fprintf(&out, "\n%s\n", s.say.noModel)
	return out.String()
}

// absent is the line that says which words of the question no document holds, "" if there is none: in the
// gaps, or what the searches of this stretch said.
func (s *stretch) absent() string {
	if words := s.missing(); len(words) > 0 {
		return s.say.noDocument + strings.Join(words, s.say.comma) + s.say.stop
	}
	for line := range strings.Lines(section(s.overall, "gaps")) {
		if line = strings.TrimPrefix(strings.TrimSpace(line), "- "); strings.HasPrefix(line, s.say.noDocument) {
			return line
		}
	}
	return ""
}

// body is what a chapter adds to the report: without its title and its question, its headings one level down,
// and without what was shown already.
func (s *stretch) body(text string, c chapter, shown, said map[string]bool) string {
	var kept []string
	for _, p := range paragraphs(text) {
		if strings.HasPrefix(p, "# ") || p == c.question || quoted.MatchString(p) && (said[p] || citesOne(p, shown)) {
			continue
		}
		if said[p] = true; strings.HasPrefix(p, "#") {
			p = "#" + p
		}
		kept = append(kept, p)
	}
	return strings.Join(withoutEmpty(kept), "\n\n")
}

func citesOne(paragraph string, refs map[string]bool) bool {
	return slices.ContainsFunc(citing.FindAllString(paragraph, -1), func(ref string) bool { return refs[strings.Trim(ref, "[]")] })
}

// notFound lists, by count and not by judgement, what the report has no passage for.
func (s *stretch) notFound(said map[string]bool, absent string) (lines []string) {
	for _, c := range s.chapters {
		if text := s.text(c.file); text != "" && strings.Contains(text, fmt.Sprintf(s.say.nothing, c.title)) {
			lines = append(lines, fmt.Sprintf(s.say.gap, c.title))
		}
	}
	for _, k := range s.keys {
		if !k.asks && !k.in(said) && !strings.Contains(absent, k.text) {
			lines = append(lines, fmt.Sprintf(s.say.speaksNot, k.text))
		}
	}
	if absent != "" {
		lines = append(lines, "- "+absent)
	}
	if len(s.chapters) > 0 {
		return lines
	}
	var queries []string
	for _, a := range s.acts {
		if a.action == "web_search" {
			queries = appendNew(queries, strings.ReplaceAll(a.args.Query, "\n", s.say.comma))
		}
		for line := range strings.Lines(a.result) {
			if line = strings.TrimSpace(line); a.action == "web_search" && (strings.HasPrefix(line, notSearched) || strings.HasPrefix(line, "Error:")) {
				lines = appendNew(lines, "- "+line)
			}
		}
	}
	return append(lines, fmt.Sprintf(s.say.searched, strings.Join(queries, s.say.comma)))
}

// mend leaves out the passages that a refusal names: those whose words it gives, otherwise those whose block or,
// at last, whose source.
func mend(content, why string) string {
	words, all := set(tokens(why)), paragraphs(content)
	for _, named := range []func(p string) bool{
		func(p string) bool {
			text := []rune(strings.TrimPrefix(p, "> “"))
			return strings.Contains(why, string(text[:min(25, len(text))]))
		},
		func(p string) bool { return citesOne(p, words) },
		func(p string) bool { return citesOne(blockNumber.ReplaceAllString(p, "]"), words) },
	} {
		kept := slices.DeleteFunc(slices.Clone(all), func(p string) bool { return quoted.MatchString(p) && named(p) })
		if len(kept) < len(all) {
			all = kept
			break
		}
	}
	return strings.Join(withoutEmpty(all), "\n\n") + "\n"
}

var blockNumber = regexp.MustCompile(`\.\d+\]`)

// withoutEmpty drops the headings below the second level that nothing is under.
func withoutEmpty(all []string) (kept []string) {
	level := func(p string) int { return len(p) - len(strings.TrimLeft(p, "#")) }
	for i, p := range all {
		next := 1
		if i+1 < len(all) {
			next = level(all[i+1])
		}
		if own := level(p); own < 3 || next == 0 || next > own {
			kept = append(kept, p)
		}
	}
	return kept
}

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

// report reads the chapters back, binds them without what a gate finds fault with, and finishes.
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
	if !theirs || text == "" { // they took it away
		const most = 9 // of all gates together, in one stretch
		refusals, faulty := s.faults()
		if len(refusals) > most {
			return agent.Reply{Text: s.lang.Say("The report was refused, and I cannot mend what is asked for: %s", refusals[most])}
		}
		text, times = s.bind(faulty), 1+len(refusals)
	} else if more := s.sound(blocksOver(text, s.byHand), nil, true); more != "" { // they wrote it into chapters
		at := append(ending.FindStringIndex(text), len(text))[0]
		text, times = text[:at]+s.yours(more)+text[at:], 1
	}
	if pending, ok := s.save(reportFile, text, times); ok {
		return pending
	}
	s.agenda(true) // the update drops the history: what refuses the report is heard when nothing is left to update
	return ask(append(s.changes(), call("all_finished", arguments{"result": "The report is " + reportFile}))...)
}

// heedEdit puts on record that a person edited the report, which is theirs from then on, once it is finished.
func (s *stretch) heedEdit() []agent.Call {
	if !s.edited || s.file(reportFile).made > 0 {
		return nil
	}
	calls := s.reads(reportFile)
	if text := s.file(reportFile).text; len(calls) == 0 && text != "" && !strings.Contains(text, s.lang.Say("This report is not finished")) {
		s.add("decisions", s.lang.Say(sayTheirs))
		return s.changes() // before anything is written into it
	}
	return calls
}

// bind composes the report: what no document holds, the chapters without what is faulty, what was not found.
// What it leaves out is a gap from then on, and is left out again until somebody changes a chapter.
func (s *stretch) bind(faulty map[string]bool) string {
	var out strings.Builder
	var lines []string // of what was not found
	s.drop("gaps", leftOut)
	for i, c := range s.chapters {
		text := s.file(c.file).text
		if text == "" {
			s.add("gaps", s.lang.Say("- Left out: the chapter *%s*, since `%s` is not there or not text.", c.title, c.file))
			continue
		}
		title := map[bool]string{true: s.lang.Say(sayBest) + " {#abstract}", false: c.title}[i == 0]
		if text = nested(text, c.title); text != "" {
			fmt.Fprintf(&out, "\n## %s\n\n%s\n", title, text)
		}
		if strings.Contains(text, s.lang.Say(sayNothing, c.title)) {
			lines = append(lines, s.lang.Say(sayGap, c.title))
		}
	}
	out.WriteString(s.yours(blocksOver(out.String(), s.byHand))) // also into other files and the one before
	said := s.sound(out.String(), faulty, len(s.changed) == 0)
	gaps, none, ends := ourGap.FindAllString(s.now["gaps"], -1), "", "---"
	told := slices.DeleteFunc(slices.Clone(gaps), func(gap string) bool { return strings.HasPrefix(gap, "- "+s.lang.Say(sayUnread)) })
	absent := strings.TrimPrefix(strings.ReplaceAll(strings.Join(told, "\n"), "\n- ", " "), "- ")
	if !citing.MatchString(said) {
		none = s.lang.Say("Nothing was found that answers the question.")
	}
	lines = append(append(lines, goneGap.FindAllString(s.now["gaps"], -1)...), leftOut.FindAllString(s.now["gaps"], -1)...)
	if lines = append(lines, append(s.notFound(said, absent), gaps...)...); len(lines) > 0 {
		ends = "## " + s.lang.Say("What was not found") + "\n\n" + strings.Join(lines, "\n")
	}
	parts := []string{"# " + agent.Literal(cmp.Or(s.question, s.lang.Say(sayBest))), absent, none, said, ends, s.lang.Say(sayNoModel)}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n") + "\n"
}

// sound is a text without what a gate finds fault with, or did before, and without passages that come twice.
func (s *stretch) sound(text string, faulty map[string]bool, before bool) string {
	seen := map[string]int{} // passages of two chapters go on into the same block
	return prose.Without(text, func(line string) bool {
		cited := strings.Join(citing.FindAllString(line, -1), " ")
		told := s.lang.Say(sayFaulted, shorten(inCode.Replace(cited+" "+citing.ReplaceAllString(line, ""))))
		isFaulty := faulty[line] || before && strings.Contains(s.was["gaps"], told)
		if isFaulty {
			s.add("gaps", told)
		}
		seen[line]++
		return isFaulty || seen[line] > 1 && ofBlock.MatchString(line)
	})
}

// inCode leaves nothing that ends a code span or is taken for a quote, a citation or a comment.
var inCode = strings.NewReplacer("`", "", "“", "", "”", "", "[", "", "]", "", "|", " ", "> ", "", "<", "")

// notFound lists what the report has no passage for, and where nothing was found what was searched.
func (s *stretch) notFound(text, absent string) (lines []string) {
	q := prose.Question(s.search).AtHand(s.question)
	said := prose.Tally(1, prose.Terms(text))
	meant := q.Meant(said)
	for _, k := range prose.Keywords(string(q)) {
		isSaid := slices.ContainsFunc(k.Terms, func(term string) bool { return said[term] > 0 || slices.Contains(meant, term) })
		if !isSaid && !prose.Question(k.Text).Fits(text) && k.IsThing() && !(prose.HasHan(k.Text) && strings.Contains(absent, s.lang.Say(sayForeign))) && !strings.Contains(absent, k.Text) && !k.IsEveryday() &&
			(len(s.keys) < 3 || !q.Asks(k.Text)) {
			lines = append(lines, s.lang.Say("- No passage in this report speaks of `%s`.", k.Text))
		}
	}
	if len(s.chapters) == 0 {
		lines = append(lines, s.lang.Say("- Searched for: `%s`.", s.query))
		if _, where, found := strings.Cut(s.result(search(s.query)), "\n"+notSearched); found {
			lines = append(lines, "- "+s.lang.Tell(notSearched+prose.FirstLine(where)))
		}
	}
	return lines
}

// faults returns what refused the report, errors too, and the lines of it with which that finds fault.
func (s *stretch) faults() (refusals []string, faulty map[string]bool) {
	faulty = map[string]bool{}
	for _, a := range s.acts {
		if a.call.Name != "all_finished" {
			continue
		}
		refusals = append(refusals, strings.TrimSpace(strings.TrimPrefix(a.result, "Not finished:")))
		lines := strings.Split(s.bind(faulty), "\n")
		for _, m := range faulted.FindAllStringSubmatch(a.result, -1) {
			if n, err := strconv.Atoi(m[1]); err == nil && n <= len(lines) && strings.Contains(lines[n-1], m[2]) {
				faulty[lines[n-1]] = true
			}
		}
	}
	return refusals, faulty
}

// yours puts what the person wrote elsewhere below a heading of its own.
func (s *stretch) yours(more string) string {
	return strings.Repeat("\n"+s.lang.Say("## Added by hand")+"\n\n"+more+"\n", count(more != ""))
}

// blocksOver are those of a text of which another lacks a line, whatever their headings' level and cited blocks.
func blocksOver(text, more string) string {
	same := func(line string) string {
		return citing.ReplaceAllString(strings.TrimSpace(strings.TrimLeft(line, "#")), "")
	}
	have := map[string]bool{}
	for line := range strings.Lines(text) {
		have[same(line)] = true
	}
	lacks := func(line string) bool { return !have[same(line)] }
	return strings.Join(slices.DeleteFunc(prose.Blocks(more), func(block string) bool {
		return !slices.ContainsFunc(strings.Split(block, "\n"), lacks)
	}), "\n\n")
}

// nested is a chapter without its title, its headings one level down, and words right below a quote apart.
func nested(text, title string) string {
	var lines []string
	fence, above := "", ""
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
	faulted = regexp.MustCompile(`(?m)^- line ([1-9]\d*)(?: (\[s[\d.]+\]))?`)
	// apart finds a quote or a row that cites a source above words that are no part of it.
	apart = regexp.MustCompile(`^(?:> “|\|).*\[s\d+(?:\.\d+)?\].*\n(?:[^>|\s]|> ?[^“\s])|^> “.*\[s\d+(?:\.\d+)?\].*\n\|`)
)

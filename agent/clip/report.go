package clip

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

const mostRefusals = 9 // of all gates together, in one stretch

// report reads the chapters back, binds them without what a gate finds fault with, and finishes.
func report(s *stretch) agent.Reply {
	var files []string
	for _, c := range s.chapters {
		files = append(files, c.file)
	}
	theirs := strings.Contains(s.body("decisions"), s.lang.Say(sayTheirs))
	if theirs {
		files = append(files, reportFile)
	}
	if calls := s.reads(files...); len(calls) > 0 {
		return ask(calls...)
	}
	if theirs && s.text(reportFile) != "" { // unless they took it away
		return s.finish()
	}
	var refusals []string // what is no refusal but an error counts as one too
	for _, a := range s.acts {
		if a.action == "all_finished" {
			refusals = append(refusals, strings.TrimSpace(strings.TrimPrefix(a.result, "Not finished:")))
		}
	}
	if len(refusals) > mostRefusals {
		return agent.Reply{Text: s.lang.Say(sayRefused, refusals[len(refusals)-1])}
	}
	if pending, ok := s.save(reportFile, s.bind(refusals), 1+len(refusals)); ok {
		return pending
	}
	return s.finish()
}

// heedEdit puts on record that a person edited the report, which is theirs from then on, unless it is unfinished.
func (s *stretch) heedEdit() []agent.Call {
	if made, _ := s.writes(reportFile); !s.edited || made > 0 {
		return nil
	}
	calls := s.reads(reportFile)
	if text := s.text(reportFile); len(calls) == 0 && text != "" && !strings.Contains(text, s.lang.Say("This report is not finished")) {
		s.add("decisions", s.lang.Say(sayTheirs))
	}
	return calls
}

// finish says in the dashboard that the report is done, and then that all is. The update drops the history: what
// refuses the report is heard the second time, when nothing is left to update.
func (s *stretch) finish() agent.Reply {
	s.agenda(true)
	return ask(append(s.changes(), call("all_finished", arguments{"result": "The report is " + reportFile}))...)
}

// bind composes the report: what no document holds, the chapters without what a refusal names, what was not found.
func (s *stretch) bind(refusals []string) string {
	var out strings.Builder
	var lines []string // of what was not found
	for i, c := range s.chapters {
		text := s.text(c.file)
		if text == "" {
			lines = append(lines, s.lang.Say(sayLost, c.title, c.file))
			continue
		}
		title := c.title
		if i == 0 {
			title = s.lang.Say(sayBest) + " {#abstract}"
		}
		fmt.Fprintf(&out, "\n## %s\n\n%s\n", title, body(text, c))
		if strings.Contains(text, s.lang.Say(sayNothing, c.title)) {
			lines = append(lines, s.lang.Say(sayGap, c.title))
		}
	}
	out.WriteString("\n" + prose.BlocksOver(out.String(), s.byHand)) // what they wrote into the one before
	seen, faulty := map[string]bool{}, faults(refusals)
	said := without(out.String(), func(line string) bool {
		twice := seen[line] && ofBlock.MatchString(line) // passages of two chapters go on into the same block
		seen[line] = true
		return twice || faulty(line)
	})
	for _, ref := range citing.FindAllString(out.String(), -1) {
		if !strings.Contains(said, ref) {
			lines = appendNew(lines, s.lang.Say(sayFaulted, strings.Trim(ref, "[]")))
		}
	}
	gaps, absent, none, ends := ourGap.FindAllString(s.body("gaps"), -1), "", "", "---"
	if all := strings.Join(gaps, "\n"); strings.Contains(all, s.lang.Say(sayNoDocument)) {
		absent = strings.ReplaceAll(all[len("- "):], "\n- ", " ")
	}
	if !citing.MatchString(said) {
		none = s.lang.Say("Nothing was found that answers the question.")
	}
	if lines = append(lines, append(s.notFound(tally(terms(said)), absent), gaps...)...); len(lines) > 0 {
		ends = "## " + s.lang.Say("What was not found") + "\n\n" + strings.Join(lines, "\n")
	}
	title := "# " + agent.Literal(cmp.Or(s.question, s.lang.Say(sayBest)))
	parts := []string{title, absent, none, said, ends, s.lang.Say(sayNoModel)}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n") + "\n"
}

// body is a chapter without its title, its headings one level down, and words below a quote or a row apart.
func body(text string, c chapter) string {
	var out strings.Builder
	fence, above := "", ""
	for line := range strings.Lines(text) {
		inCode, isRow := fence != "", strings.HasPrefix(above, "|")
		fence = prose.FenceAfter(fence, line)
		goesOn := strings.Trim(line, "> \t\n") == "" || strings.HasPrefix(line, "> “") || isRow && line[0] == '|'
		quoted := (isRow || strings.HasPrefix(above, "> “")) && citing.MatchString(above)
		if quoted && !goesOn && !inCode && fence == "" {
			out.WriteString("\n")
		}
		if fence == "" && strings.HasPrefix(line, "#") {
			if strings.TrimSpace(line) == "# "+c.title {
				continue
			}
			out.WriteString("#")
		}
		above = line
		out.WriteString(line)
	}
	return strings.Trim(out.String(), "\n")
}

// notFound lists what the report has no passage for, and where nothing was found what was searched.
func (s *stretch) notFound(said map[string]int, absent string) (lines []string) {
	for _, k := range s.keys {
		if !k.in(said) && !strings.Contains(absent, k.text) {
			lines = append(lines, s.lang.Say("- No passage in this report speaks of `%s`.", k.text))
		}
	}
	if len(s.chapters) == 0 {
		lines = append(lines, s.lang.Say("- Searched for: %s.", s.query))
		if _, where, found := strings.Cut(s.found(s.query), "\n"+notSearched); found {
			lines = append(lines, "- "+notSearched+prose.FirstLine(where))
		}
	}
	return lines
}

var faulted = regexp.MustCompile(`(?m)^- [^\[\n“]*\[(s\d+(?:\.\d+)?)\]`)

// faults returns what tells the lines that refusals find fault with: by the citations at the heads of theirs, or
// of one without such lines by all that it names.
func faults(refusals []string) func(line string) bool {
	named := map[string]bool{}
	for _, why := range refusals {
		heads := faulted.FindAllStringSubmatch(why, -1)
		for _, m := range heads {
			named[m[1]] = true
		}
		for _, word := range tokens(why) {
			named[word] = named[word] || heads == nil
		}
	}
	return func(line string) bool {
		return slices.ContainsFunc(citing.FindAllString(line, -1), func(ref string) bool {
			id, _, _ := strings.Cut(strings.Trim(ref, "[]"), ".")
			return named[id] || named[strings.Trim(ref, "[]")]
		})
	}
}

// without leaves lines out of Markdown with what they leave empty, and code below a line that names its source.
func without(text string, drop func(line string) bool) string {
	var kept []string
	fence, skip, lost := "", false, 0 // so many were kept when the last was left out
	for part := range strings.SplitSeq(strings.TrimSpace(text)+"\n\n# ", "\n\n") {
		lines, isCode := strings.Split(part, "\n"), fence != ""
		for _, line := range lines {
			fence = prose.FenceAfter(fence, line)
		}
		if skip = skip && (isCode || isFence.MatchString(part)); skip {
			lost = len(kept)
			continue
		}
		if isCode { // a comment of a program is no heading
			kept = append(kept, part)
			continue
		}
		if left := slices.DeleteFunc(slices.Clone(lines), drop); len(left) < len(lines) {
			skip = strings.HasSuffix(part, "]:")
			left = slices.CompactFunc(left, func(a, b string) bool { return a == ">" && b == ">" })
			if part = strings.Trim(strings.Join(left, "\n"), ">\n"); part == "" || part[0] == '|' && !citing.MatchString(part) {
				lost = len(kept)
				continue
			}
			part = strings.TrimSuffix(strings.Join(left[count(left[0] == ">"):], "\n"), "\n>")
		}
		if n := len(kept); n == lost && strings.HasPrefix(part, "#") {
			for below := 7; n > 0 && depth(kept[n-1]) >= max(2, depth(part)) && depth(kept[n-1]) < below; n-- {
				below = depth(kept[n-1])
			}
			kept, lost = kept[:n], 0
		}
		kept = append(kept, part)
	}
	return strings.Join(kept[:len(kept)-1], "\n\n")
}

// depth is that of a heading which is alone, 0 of anything else.
func depth(part string) int {
	if strings.Contains(part, "\n") {
		return 0
	}
	return len(part) - len(strings.TrimLeft(part, "#"))
}

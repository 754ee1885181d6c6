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

const (
	mostRefusals = 9 // of all gates together, in one stretch
	finished     = "The report is " + reportFile
	notFinished  = "Not finished:"
)

// report reads the chapters back, binds them, and finishes. A chapter that a person deleted stays deleted.
// Passages that a gate names are left out; otherwise the report is proposed as it is.
func report(s *stretch) agent.Reply {
	var files []string
	for _, c := range s.chapters {
		files = append(files, c.file)
	}
	theirs := strings.Contains(s.body("decisions"), s.lang.Say(sayTheirs))
	if calls := s.reads(files...); len(calls) > 0 {
		return ask(calls...)
	}
	if calls := s.reads(reportFile); theirs && len(calls) > 0 {
		return ask(calls...)
	}
	if theirs && s.text(reportFile) != "" { // unless they took it away
		return s.finish()
	}
	var refusals []string // what is no refusal but an error counts as one too
	for _, a := range s.acts {
		if a.action == "all_finished" {
			refusals = append(refusals, strings.TrimSpace(strings.TrimPrefix(a.result, notFinished)))
		}
	}
	if len(refusals) > mostRefusals {
		return agent.Reply{Text: s.lang.Say(sayRefused, refusals[len(refusals)-1])}
	}
	if pending, ok := s.save(reportFile, s.bind(refusals), 1+len(refusals)); ok {
		return pending
	}
	if _, failed := s.writes(reportFile); failed > 1 {
		return agent.Reply{Text: s.lang.Say(sayRefused, reportFile)}
	}
	return s.finish()
}

// heedEdit puts on record that a person edited the report, which is theirs from then on, after it has asked for
// the text: what a run left that was stopped is no report yet.
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
	return ask(append(s.changes(), call("all_finished", arguments{"result": finished}))...)
}

// bind composes the report: what no document holds, the chapters, the best passages first, without those that
// a refusal names, and what was not found.
func (s *stretch) bind(refusals []string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "## %s {#abstract}\n", s.lang.Say(sayBest))
	var lines []string
	for i, c := range s.chapters {
		text := s.text(c.file)
		if text == "" {
			lines = append(lines, s.lang.Say(sayLost, c.title, c.file))
			continue
		}
		if i > 0 {
			fmt.Fprintf(&out, "\n## %s\n", c.title)
		}
		out.WriteString("\n" + body(text, c) + "\n")
		if strings.Contains(text, s.lang.Say(sayNothing, c.title)) {
			lines = append(lines, s.lang.Say(sayGap, c.title))
		}
	}
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
	absent, none, ends := s.absent(), "", "---"
	if !citing.MatchString(said) {
		none = s.lang.Say("Nothing was found that answers the question.")
	}
	if lines = append(lines, s.notFound(tally(terms(said)), absent)...); len(lines) > 0 {
		ends = "## " + s.lang.Say("What was not found") + "\n\n" + strings.Join(lines, "\n")
	}
	title := "# " + agent.Literal(cmp.Or(s.question, s.lang.Say(sayBest)))
	parts := []string{title, absent, none, said, ends, s.lang.Say(sayNoModel)}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n") + "\n"
}

// absent is the line that says which words no document holds, "" if there is none.
func (s *stretch) absent() string {
	for line := range strings.Lines(s.body("gaps")) {
		if line = strings.TrimPrefix(strings.TrimSpace(line), "- "); strings.HasPrefix(line, s.lang.Say(sayNoDocument)) {
			return line
		}
	}
	return ""
}

// body is a chapter without its title, its headings one level down. A person's words below a quote or a row
// are no part of it.
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

// notFound lists, by count and not by judgement, what the report has no passage for, and where nothing was
// found what was searched.
func (s *stretch) notFound(said map[string]int, absent string) (lines []string) {
	for _, k := range s.keys {
		if !k.in(said) && !strings.Contains(absent, k.text) {
			lines = append(lines, s.lang.Say("- No passage in this report speaks of `%s`.", k.text))
		}
	}
	if absent != "" {
		lines = append(lines, "- "+absent)
	}
	for _, a := range s.acts {
		if a.action == "web_search" && len(s.chapters) == 0 {
			lines = append(lines, s.lang.Say("- Searched for: %s.", a.args.Query))
			if _, where, found := strings.Cut(a.result, "\n"+notSearched); found {
				lines = append(lines, "- "+notSearched+prose.FirstLine(where))
			}
		}
	}
	return lines
}

// faulted are the citations that a refusal finds fault with: those at the heads of its lines, or of one without
// such lines all that it names.
var faulted = regexp.MustCompile(`(?m)^- [^\[\n“]*\[(s\d+(?:\.\d+)?)\]`)

// faults returns what tells the quotes and rows that refusals find fault with.
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
			ref = strings.Trim(ref, "[]")
			id, _, _ := strings.Cut(ref, ".")
			return named[id] || named[ref]
		})
	}
}

// without leaves lines out of Markdown, and with them what they leave empty: quotes, heads of tables, headings,
// and the code below a line that names its source.
func without(text string, drop func(line string) bool) string {
	var kept []string
	fence, skip := "", false
	for part := range strings.SplitSeq(strings.TrimSpace(text)+"\n\n# ", "\n\n") {
		lines, isCode := strings.Split(part, "\n"), fence != ""
		for _, line := range lines {
			fence = prose.FenceAfter(fence, line)
		}
		if skip = skip && (isCode || isFence.MatchString(part)); skip {
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
				continue
			}
			part = strings.Join(left[count(left[0] == ">"):], "\n")
			part = strings.TrimSuffix(part, "\n>")
		}
		for n := len(kept) - 1; n >= 0 && strings.HasPrefix(part, "#") && depth(kept[n]) >= depth(part) && depth(kept[n]) > 1; n-- {
			kept = kept[:n]
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

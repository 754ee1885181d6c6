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

// report reads the chapters back, binds them, and finishes. A chapter that is lost is written again, once.
// Passages that a gate names are left out; otherwise the report is proposed as it is.
func report(s *stretch) agent.Reply {
	var files []string
	for _, c := range s.chapters {
		files = append(files, c.file)
	}
	theirs := strings.Contains(s.body("decisions"), sayTheirs[s.lang])
	if calls := s.reads(files...); len(calls) > 0 {
		return ask(calls...)
	}
	for i, c := range s.chapters {
		if made, _ := s.writes(c.file); made == 0 && s.text(c.file) == "" {
			return fill(s, i)
		}
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
		return agent.Reply{Text: fmt.Sprintf(sayRefused[s.lang], refusals[len(refusals)-1])}
	}
	content := s.bind()
	for _, why := range refusals {
		content = mend(content, why)
	}
	if pending, ok := s.save(reportFile, content, 1+len(refusals)); ok {
		return pending
	}
	if _, failed := s.writes(reportFile); failed > 1 {
		return agent.Reply{Text: fmt.Sprintf(sayRefused[s.lang], reportFile)}
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
	if text := s.text(reportFile); len(calls) == 0 && text != "" && !strings.Contains(text, sayUnfinished[s.lang]) {
		s.add("decisions", sayTheirs[s.lang])
	}
	return calls
}

// finish says in the dashboard that the report is done, and then that all is. The update drops the history: what
// refuses the report is heard the second time, when nothing is left to update.
func (s *stretch) finish() agent.Reply {
	s.agenda(s.chapters, true)
	return ask(append(s.changes(), call("all_finished", arguments{"result": finished}))...)
}

// bind composes the report: what no document holds, the chapters, the best passages first, and what was not found.
func (s *stretch) bind() string {
	var out strings.Builder
	title := cmp.Or(s.question, sayBest[s.lang])
	fmt.Fprintf(&out, "# %s\n", agent.Literal(title))
	absent := s.absent()
	if absent != "" {
		fmt.Fprintf(&out, "\n%s\n", absent)
	}
	fmt.Fprintf(&out, "\n## %s {#abstract}\n", sayBest[s.lang])
	var lines []string
	for i, c := range s.chapters {
		text := s.text(c.file)
		if text == "" {
			lines = append(lines, fmt.Sprintf(sayLost[s.lang], c.title, c.file))
			continue
		}
		if i > 0 {
			fmt.Fprintf(&out, "\n## %s\n", c.title)
		}
		out.WriteString("\n" + body(text, c) + "\n")
		if strings.Contains(text, fmt.Sprintf(sayNothing[s.lang], c.title)) {
			lines = append(lines, fmt.Sprintf(sayGap[s.lang], c.title))
		}
	}
	said := out.String()
	if !citing.MatchString(said) {
		fmt.Fprintf(&out, "\n%s\n", sayNoneFound[s.lang])
	}
	if lines = append(lines, s.notFound(set(terms(said[len(title)+2:])), absent)...); len(lines) > 0 {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n", sayMissing[s.lang], strings.Join(lines, "\n"))
	} else {
		out.WriteString("\n---\n")
	}
	fmt.Fprintf(&out, "\n%s\n", sayNoModel[s.lang])
	return out.String()
}

// absent is the line that says which words no document holds, "" if there is none.
func (s *stretch) absent() string {
	for line := range strings.Lines(s.body("gaps")) {
		if line = strings.TrimPrefix(strings.TrimSpace(line), "- "); strings.HasPrefix(line, sayNoDocument[s.lang]) {
			return line
		}
	}
	return ""
}

// body is a chapter without its title, its headings one level down.
func body(text string, c chapter) string {
	var out strings.Builder
	fence, above := "", byte(0)
	for line := range strings.Lines(text) {
		if fence = prose.FenceAfter(fence, line); fence == "" && strings.HasPrefix(line, "#") {
			if strings.TrimSpace(line) == "# "+c.title {
				continue
			}
			out.WriteString("#")
		}
		if below := strings.TrimSpace(line); fence == "" && (above == '>' || above == '|') && below != "" && below[0] != above {
			out.WriteString("\n") // a person's words below a quote or a row are no part of it
		}
		above = line[0]
		out.WriteString(line)
	}
	return strings.Trim(out.String(), "\n")
}

// notFound lists, by count and not by judgement, what the report has no passage for, and where nothing was
// found what was searched.
func (s *stretch) notFound(said map[string]bool, absent string) (lines []string) {
	for _, k := range s.keys {
		if !k.in(said) && !strings.Contains(absent, k.text) {
			lines = append(lines, fmt.Sprintf(saySpeaksNot[s.lang], k.text))
		}
	}
	if absent != "" {
		lines = append(lines, "- "+absent)
	}
	for _, a := range s.acts {
		if a.action == "web_search" && len(s.chapters) == 0 {
			lines = append(lines, fmt.Sprintf(saySearched[s.lang], a.args.Query))
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

// mend leaves out the quotes and rows that a refusal finds fault with.
func mend(content, why string) string {
	words := set(tokens(why))
	if heads := faulted.FindAllStringSubmatch(why, -1); heads != nil {
		words = map[string]bool{}
		for _, m := range heads {
			words[m[1]] = true
		}
	}
	return without(content, func(line string) bool {
		return slices.ContainsFunc(citing.FindAllString(line, -1), func(ref string) bool {
			id, _, _ := strings.Cut(strings.Trim(ref, "[]"), ".")
			return words[id] || words[strings.Trim(ref, "[]")]
		})
	}) + "\n"
}

// without leaves lines out of Markdown, and with them what they leave empty: quotes, heads of tables, headings.
func without(text string, drop func(line string) bool) string {
	var kept []string
	fence := ""
	for part := range strings.SplitSeq(strings.TrimSpace(text)+"\n\n# ", "\n\n") {
		lines, isCode := strings.Split(part, "\n"), fence != ""
		for _, line := range lines {
			fence = prose.FenceAfter(fence, line)
		}
		if isCode { // a comment of a program is no heading
			kept = append(kept, part)
			continue
		}
		if left := slices.DeleteFunc(slices.Clone(lines), drop); len(left) < len(lines) {
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

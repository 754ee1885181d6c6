package evaluator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// Bounds on the material shown to a judge, in tokens as counted by agent.EstimateTokens. A report of 20,000
// words has about 27,000.
const (
	most  = 32_000 // report, chapters and sources
	least = 4_000  // every model must take this much

	mostSources = 200
	mostDone    = 60
	longestDeed = 200 // characters
)

// mark is the kind of all text that a judge must not obey; agent.Disarm knows it.
const mark = "material"

// show writes the material into so many tokens: up to three quarters for the report, up to a quarter for the
// sources, and the rest for the chapters, which contain in other words what the report was made from.
func (m Material) show(room int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Today is %s.", m.Today)
	if m.Pair == [2]string{} {
		fmt.Fprintf(&out, " This is round %d.", max(1, m.Round))
	}
	out.WriteString("\n\n")
	out.WriteString(m.places())
	put := func(text string, attributes ...string) {
		if text != "" {
			out.WriteString(agent.Outside(mark, text, attributes...) + "\n\n")
		}
	}
	report, reportCut := cutReport(m.Report, room*3/4)
	sources, sourcesCut := m.sourceLines(room / 4)
	rest := room - agent.EstimateTokens(report) - agent.EstimateTokens(sources)
	chapters, chaptersCut := m.cutChapters(report, rest)

	put(m.Question, "what", "question")
	put(m.Brief, "what", "brief")
	if m.Report != "" {
		put(m.counts(), "what", "counted by the program")
		put(m.Claims.String(), "what", "claims checked against their passages")
	}
	put(pointLines(m.Points), "what", "checklist")
	put(m.doneLines(), "what", "done in this round")
	if m.Before != nil {
		put(m.Before.lines(), "what", "judgement of the round before")
	}
	put(sources, "what", "sources that were read", "cut", sourcesCut)
	for i, c := range chapters {
		put(c, "what", "chapter", "file", line(m.Chapters[i].Name, longestLine), "cut", chaptersCut[i])
	}
	switch {
	case m.Pair[0] != "":
		m.putPair(room, put)
	case m.unwritten:
	case strings.TrimSpace(report) == "":
		put("(The report is empty.)", "what", "report")
	default:
		put(report, "what", "report", "cut", reportCut)
	}
	fmt.Fprintf(&out, "The question was: %s\n", line(m.Question, 2*longestLine))
	return out.String()
}

// places returns what can be searched, and the consequences for the judge.
func (m Material) places() string {
	if m.Places == "" {
		return ""
	}
	text := fmt.Sprintf("What can be searched in this run: %s. Ask for nothing that cannot be found there: "+
		"each gap and each remedy must be such that it can be closed with that. Judge the sources, their "+
		"kinds and dates, by what can be had there.", line(m.Places, longestLine))
	if m.OwnAlone {
		text += " No other sources can be had: that they are few, of one kind or of one side takes nothing " +
			"off reliability and diversity. What counts is whether the report says what they leave open."
	}
	return text + "\n\n"
}

// putPair shows two reports to compare. If they share most of their text, the second is shown as differences
// from the first.
func (m Material) putPair(room int, put func(text string, attributes ...string)) {
	changes := differences(m.Pair[0], m.Pair[1])
	second, cut := cutReport(m.Pair[1], room*2/5)
	if size := agent.EstimateTokens(changes); size < agent.EstimateTokens(second)/2 {
		first, left := cutReport(m.Pair[0], room*4/5-size)
		put(first, "what", "report A", "cut", left)
		put(changes, "what", "report B, by what is other in it than in A")
		return
	}
	first, left := cutReport(m.Pair[0], room*2/5)
	put(first, "what", "report A", "cut", left)
	put(second, "what", "report B", "cut", cut)
}

func (m Material) sourceLines(room int) (text, cut string) {
	var kept []string
	for _, s := range m.Sources {
		fields := []string{s.ID, s.Host, cmp.Or(s.Published, "no date"), s.Title}
		if s.Host == "" {
			fields = []string{s.ID, "own document " + s.Path, s.Published, s.Title}
		}
		for i, f := range fields {
			fields[i] = line(f, 100)
		}
		if m.unwritten {
			fields = append(fields, line(s.Headings, longestLine))
		}
		fields = slices.DeleteFunc(fields, func(f string) bool { return f == "" })
		next := strings.Join(fields, " · ")
		if room -= agent.EstimateTokens(next) + 1; room < 0 || len(kept) == mostSources {
			return strings.Join(kept, "\n"),
				fmt.Sprintf("only %d of %d are listed", len(kept), len(m.Sources))
		}
		kept = append(kept, next)
	}
	return strings.Join(kept, "\n"), ""
}

// Claims counts how well the claims of a report stand up to the passages that they cite.
type Claims struct {
	All       int `json:"all"`
	Supported int `json:"supported"`
	Partly    int `json:"partly"`
	Unchecked int `json:"unchecked"`

	InPart []string `json:"-"` // those that hold only in part, with reasons: a list in Markdown
}

// String returns a summary line, and below it the claims that hold in part; "" if nothing is cited.
func (c Claims) String() string {
	if c.All == 0 {
		return ""
	}
	text := fmt.Sprintf("%d citations: %d supported, %d partly, %d refuted, %d not checked.",
		c.All, c.Supported, c.Partly, c.All-c.Supported-c.Partly-c.Unchecked, c.Unchecked)
	for _, item := range c.InPart {
		text += "\n- " + item
	}
	return text
}

// doneLines keeps the last calls, which show why a round ended as it did.
func (m Material) doneLines() string {
	done := m.Done
	var kept []string
	if over := len(done) - mostDone; over > 0 {
		kept = append(kept, fmt.Sprintf("(%d calls before these)", over))
		done = done[over:]
	}
	for _, d := range done {
		if d = prose.Shorten(prose.OneLine(prose.Seen(d)), longestDeed); d != "" {
			kept = append(kept, d)
		}
	}
	return strings.Join(kept, "\n")
}

// cutChapters leaves out of the chapters the lines that the shown report repeats, or has with a few words
// changed: a report is bound from its chapters, so most of them would be paid for twice, and some would show
// faults that were mended since.
func (m Material) cutChapters(report string, room int) (texts, cuts []string) {
	said := map[string]bool{}
	for line := range strings.Lines(report) {
		for _, run := range runs(line) {
			said[run] = true
		}
	}
	left, sizes := make([]string, len(m.Chapters)), make([]int, len(m.Chapters))
	for i, c := range m.Chapters {
		left[i] = unsaid(c.Text, said)
		sizes[i] = agent.EstimateTokens(left[i])
	}
	texts, cuts = make([]string, len(sizes)), make([]string, len(sizes))
	for i, share := range prose.Shares(sizes, room) {
		text := strings.TrimSpace(left[i])
		if text == "" {
			texts[i] = "(Nothing but what the report says in the same words.)"
			if strings.TrimSpace(m.Chapters[i].Text) == "" {
				texts[i] = "(The chapter is empty.)"
			}
			continue
		}
		if texts[i] = cut(text, share); texts[i] != text {
			cuts[i] = fmt.Sprintf("its first %d of %d words are shown", prose.Count(texts[i]),
				prose.Count(text))
		}
		if texts[i] == "" {
			texts[i] = "(not shown)"
		}
	}
	return texts, cuts
}

// runs returns the runs of a line's words, or the line if it is short.
func runs(line string) []string {
	const width = 4 // words
	words := prose.Words(line)
	if len(words) <= width {
		return []string{strings.TrimSpace(line)}
	}
	var all []string
	for i := range len(words) - width + 1 {
		all = append(all, strings.Join(words[i:i+width], " "))
	}
	return all
}

// isSaid reports whether nearly all runs of a line are said elsewhere.
func isSaid(line string, said map[string]bool) bool {
	const most = 0.8
	all, held := runs(line), 0
	for _, run := range all {
		if said[run] {
			held++
		}
	}
	return float64(held) >= most*float64(len(all))
}

// unsaid returns a text without the lines said elsewhere. A heading stays if something is left under it.
func unsaid(text string, said map[string]bool) string {
	var out strings.Builder
	kept := "\n" // blank lines and headings to write before the next kept line
	fence := ""
	for line := range strings.Lines(text) {
		fence = prose.FenceAfter(fence, line)
		switch bare := strings.TrimSpace(line); {
		case strings.HasPrefix(bare, "#") && fence == "":
			kept = "\n" + line
		case bare == "" && !strings.HasSuffix("\n"+kept, "\n\n"):
			kept += "\n"
		case bare == "":
		case !isSaid(line, said):
			out.WriteString(kept + line)
			kept = ""
		}
	}
	return out.String()
}

// lines writes a judgement for the judge of the next round.
func (a Assessment) lines() string {
	var out strings.Builder
	fmt.Fprintf(&out, "score %.1f: completeness %g, depth %g, reliability %g, actionability %g\n", a.Score(),
		a.Completeness.Score, a.Depth.Score, a.Reliability.Score, a.Actionability.Score)
	out.WriteString("gaps:\n")
	for _, g := range lines(a.Gaps, mostGaps) {
		out.WriteString("- " + g + "\n")
	}
	return strings.TrimSpace(out.String())
}

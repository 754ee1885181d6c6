package clip

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent"
)

// exhibits are what an evaluator is shown, taken apart again.
type exhibits struct {
	question, brief, report, answers string
	today                            string
	chapters                         []exhibit
	sources                          map[string][]string // by id: host or document, date, title
}

type exhibit struct{ file, text string }

// readExhibits finds the blocks <material what="…">. What stands in them can not close them.
func readExhibits(talk *agent.Conversation) exhibits {
	e := exhibits{sources: map[string][]string{}}
	for _, m := range talk.Messages {
		if m.Role != agent.RoleUser {
			continue
		}
		if _, after, found := strings.Cut(m.Text, "Today is "); found && e.today == "" {
			e.today, _, _ = strings.Cut(after, ".")
		}
		for rest := m.Text; ; {
			_, after, found := strings.Cut(rest, `<material what="`)
			if !found {
				break
			}
			head, after, _ := strings.Cut(after, ">\n")
			text, after, _ := strings.Cut(after, "\n</material>")
			rest = after
			what, more, _ := strings.Cut(head, `"`)
			_, file, _ := strings.Cut(more, `file="`)
			file, _, _ = strings.Cut(file, `"`)
			e.take(what, file, text)
		}
	}
	if len(subjects(e.question)) == 0 && e.brief != "" { // what is researched stands in the brief alone
		e.question = readBrief(e.brief).question
	}
	return e
}

func (e *exhibits) take(what, file, text string) {
	switch what {
	case "question":
		e.question = text
	case "brief":
		e.brief = text
	case "report":
		e.report = text
	case "objections and answers":
		e.answers = text
	case "chapter":
		e.chapters = append(e.chapters, exhibit{file, text})
	case "sources that were read":
		for line := range strings.SplitSeq(text, "\n") {
			fields := strings.SplitN(line, " · ", 4)
			if len(fields) == 3 {
				fields = slices.Insert(fields, 2, "") // a document of the person's own has no date
			}
			if len(fields) == 4 {
				e.sources[fields[0]] = fields[1:]
			}
		}
	}
}

// counted is what the rules count in a report.
type counted struct {
	words   []keyword
	unsaid  []string // words of the question that no quote speaks of
	quotes  []quote
	ahead   int      // words that are spoken of in the first section
	missing []string // chapters that the report lacks, or in which it quotes nothing
	listed  []string // what the report itself says it did not find
	lengths []int    // quotes by chapter
	origins int      // independent hosts that are quoted; sources, where none has a host
	newest  int      // year of the newest source; 0 when none is dated
}

func (e exhibits) count() counted {
	c := counted{words: keywords(e.question), quotes: evidence(e.report)}
	sections := map[string][]quote{}
	var first []quote
	for i, part := range strings.Split("\n"+e.report, "\n## ") {
		head, body, _ := strings.Cut(part, "\n")
		if i == 1 {
			first = evidence(body)
		}
		if i > 0 {
			title, _, _ := strings.Cut(head, " {#")
			sections[folded(title)] = evidence(body)
		}
	}
	for _, ch := range e.chapters {
		title := ch.title()
		quotes := sections[folded(title)]
		if len(quotes) == 0 {
			c.missing = append(c.missing, title)
		}
		c.lengths = append(c.lengths, len(quotes))
	}
	for _, k := range c.words {
		if !k.spoken(c.quotes) {
			c.unsaid = append(c.unsaid, k.text)
		}
		if k.spoken(first) {
			c.ahead++
		}
	}
	c.listed = e.listed()
	e.countSources(&c)
	return c
}

// evidence is what a report rests on: its quotes, or where it has none the paragraphs that cite.
func evidence(text string) []quote {
	quotes := readQuotes(text)
	if len(quotes) > 0 {
		return quotes
	}
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if _, after, found := strings.Cut(paragraph, "[s"); found && !strings.HasPrefix(paragraph, "#") && !inVain(paragraph) {
			digits := len(after) - len(strings.TrimLeft(after, "0123456789"))
			if digits > 0 && citesSource(strings.ReplaceAll(paragraph, ",", "]")) { // [s1, s2] counts as [s1]
				quotes = append(quotes, quote{text: paragraph, id: "s" + after[:digits]})
			}
		}
	}
	return quotes
}

// inVain says whether a paragraph cites what was read and held nothing, which is no evidence.
func inVain(paragraph string) bool {
	for _, say := range []phrases{english(), chinese()} {
		if read, _, _ := strings.Cut(say.readInVain, "%s"); strings.Contains(paragraph, read) {
			return true
		}
	}
	return false
}

func (k keyword) spoken(quotes []quote) bool {
	return slices.ContainsFunc(quotes, func(q quote) bool { return k.in(terms(q.text)) })
}

// title is that of a chapter, or what its file is called after.
func (x exhibit) title() string {
	for line := range strings.SplitSeq(x.text, "\n") {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			title, _, _ = strings.Cut(title, " {#")
			return strings.TrimSpace(title)
		}
	}
	name := strings.TrimSuffix(x.file[strings.LastIndexByte(x.file, '/')+1:], ".md")
	return strings.ReplaceAll(strings.TrimLeft(name, "0123456789-"), "-", " ")
}

// folded is what two forms of a title have in common.
func folded(title string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimLeft(title, "0123456789. "))
}

// listed are the subjects under the heading of what was not found, as bind writes it.
func (e exhibits) listed() []string {
	var subjects []string
	for _, title := range []string{english().missing, chinese().missing} {
		_, after, found := strings.Cut(e.report, "\n### "+title+"\n")
		if !found {
			continue
		}
		body, _, _ := strings.Cut(after, "\n#")
		for line := range strings.SplitSeq(body, "\n") {
			for _, mark := range []string{"`", "*"} {
				if parts := strings.SplitN(line, mark, 3); strings.HasPrefix(line, "- ") && len(parts) == 3 {
					subjects = appendNew(subjects, parts[1])
					break
				}
			}
		}
	}
	return subjects
}

func (e exhibits) countSources(c *counted) {
	hosts, ids := map[string]bool{}, map[string]bool{}
	for _, q := range c.quotes {
		ids[q.id] = true
		if s := e.sources[q.id]; s != nil && !strings.HasPrefix(s[0], "own document") {
			hosts[s[0]] = true
		}
	}
	if c.origins = len(hosts); c.origins == 0 {
		c.origins = len(ids)
	}
	for _, s := range e.sources {
		c.newest = max(c.newest, year(s[1]))
	}
}

// year is that at the beginning of a date, or 0.
func year(date string) int {
	var y int
	if n, err := fmt.Sscanf(date, "%4d", &y); err != nil || n != 1 || y < 1000 {
		return 0
	}
	return y
}

// share is a part of a whole; of nothing, all is there.
func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// Scores of the rules. A report that covers all gets 9 at most for anything, since rules see only that something is there. One that lacks a
// chapter, or leaves half of the question's words unsaid, must not pass as good enough: with these bounds its mean stays below 7.
const (
	fullScore    = 9.0
	lackingScore = 4.0 // completeness at most, when something is lacking
	thinScore    = 6.0 // depth at most, when a chapter is
)

// lacks says whether a chapter is missing, or half of the question.
func (c counted) lacks() bool {
	return len(c.missing) > 0 || len(c.quotes) == 0 || share(len(c.unsaid), len(c.words)) >= 0.5 && len(c.words) > 0
}

func (c counted) completeness() float64 {
	said := share(len(c.words)-len(c.unsaid), len(c.words))
	there := share(len(c.lengths)-len(c.missing), len(c.lengths))
	score := 1 + (fullScore-1)*min(said, there)
	switch {
	case len(c.quotes) == 0:
		return 1
	case c.lacks():
		return half(min(lackingScore, score))
	}
	return half(score)
}

// depth is 1 and two for each quote of a chapter, up to four, on average.
func (c counted) depth() float64 {
	lengths := c.lengths
	if len(lengths) == 0 {
		lengths = []int{len(c.quotes)}
	}
	sum := 0
	for _, n := range lengths {
		sum += min(4, n)
	}
	score := 1 + 2*share(sum, len(lengths))
	if len(c.missing) > 0 {
		score = min(thinScore, score)
	}
	return half(score)
}

func (c counted) reliability() float64 { return []float64{1, 4, 7, 8}[min(3, c.origins)] }

// coverage is by how many chapters hold more than one quote.
func (c counted) coverage(rich int) float64 {
	if len(c.quotes) == 0 {
		return 1
	}
	return half(1 + (fullScore-1)*share(rich, len(c.lengths)))
}

// actionability is by how much of the question is spoken of at the beginning, where a reader looks for the answer.
func (c counted) actionability() float64 {
	if len(c.quotes) == 0 {
		return 1
	}
	return half(1 + (fullScore-1)*share(c.ahead, len(c.words)))
}

// freshness is by the age of the newest source; 5 when no source has a date.
func (c counted) freshness(today string) float64 {
	switch age := year(today) - c.newest; {
	case c.newest == 0 || year(today) == 0:
		return 5
	case age <= 1:
		return 9
	case age <= 3:
		return 7
	case age <= 6:
		return 5
	}
	return 3
}

func half(score float64) float64 { return math.Round(score*2) / 2 }

package actions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
)

const (
	// readerPart is how much of a page the reader is shown at a time, in tokens: twice what the researcher is, since it is shown
	// nothing else.
	readerPart = 6000
	// maxReaderParts bounds what one focus may cost; a book is to be read by parts.
	maxReaderParts = 10
	// leastReaderPart is what a model must take at least to be of use as a reader.
	leastReaderPart = 500
	// leastPassage is how many characters a passage has at least; fewer stand in any page and say nothing.
	leastPassage = 4
)

// passages are what a reader took out of a page.
type passages struct {
	focus    string
	found    []string // to the letter as they stand in the page
	invented int      // that do not stand there, and were left out
	parts    int      // of the page, in the reader's measure
	unread   int      // parts that were not read
}

// distil has a reader pick the passages of a page that bear on a question. The reader has no action, so that whatever the page says,
// nothing comes of it but text; and of that text only what stands in the page, to the letter, is passed on.
func (k Kit) distil(ctx context.Context, turn *agent.Turn, r reading, focus string) (passages, error) {
	return k.distilBy(ctx, turn, r, focus, readerPart, 0)
}

// distilBy does so by parts of so many tokens. Where one is too much for the reader's model, it begins anew with smaller ones, by readers
// of other names.
func (k Kit) distilBy(ctx context.Context, turn *agent.Turn, r reading, focus string, size, name int) (passages, error) {
	parts := split(r.text, size)
	p := passages{focus: focus, parts: len(parts), unread: max(0, len(parts)-maxReaderParts)}
	for i, part := range parts[:min(len(parts), maxReaderParts)] {
		if onlyLinks(part) {
			continue // there is nothing to find
		}
		result, err := turn.Nest(ctx, agent.Agent{
			Name:  fmt.Sprintf("reader%d", name+i+1),
			Brain: k.reader(),
			Open: func(context.Context) ([]agent.Message, error) {
				return []agent.Message{agent.System(doc("reader")), agent.User("What to look for: " + focus + "\n\n" + agent.Outside("page", part, "title", r.source.Title))}, nil
			},
			Limits: agent.Limits{Steps: 2},
		})
		if errors.Is(err, agent.ErrTooLong) && size > leastReaderPart {
			return k.distilBy(ctx, turn, r, focus, size/2, name+maxReaderParts)
		}
		if err != nil {
			return p, err
		}
		if result.Reason != agent.Finished {
			p.unread++
			continue
		}
		p.take(part, result.Text)
	}
	return p, nil
}

func (k Kit) reader() agent.Brain {
	if k.Reader != nil {
		return k.Reader
	}
	return k.Files.Brain
}

// take keeps those passages of a reader's answer that stand in the part that it was shown. One that does not stand there as a whole may be
// a list of passages, as small models like to write them.
func (p *passages) take(part, answer string) {
	for passage := range strings.SplitSeq(strings.ReplaceAll(answer, "\r\n", "\n"), "\n\n") {
		if p.keep(part, passage) {
			continue
		}
		for line := range strings.Lines(passage) {
			if !p.keep(part, line) {
				p.keepSentences(part, line)
			}
		}
	}
}

// keep keeps a passage that stands in the part, and says whether nothing is left to say of it.
func (p *passages) keep(part, passage string) bool {
	passage = strings.TrimSpace(passage)
	if passage == "" || strings.Trim(strings.ToUpper(passage), ".。 ") == "NONE" || onlyLinks(passage) {
		return true
	}
	start, end, ok := located(part, passage)
	if ok {
		p.add(part[start:end])
	}
	return ok
}

// located is where a passage stands in the part, with the marks and stops that belong to it.
func located(part, passage string) (start, end int, ok bool) {
	if utf8.RuneCountInString(passage) < leastPassage {
		return 0, 0, false
	}
	start, end, ok = citation.Locate(part, passage)
	if !ok {
		start, end, ok = citation.Locate(part, unwrapped(passage))
	}
	if !ok {
		return 0, 0, false
	}
	if exact := strings.Index(part, passage); exact >= 0 { // with the marks and stops that Locate looks past
		start, end = exact, exact+len(passage)
	}
	return before(part, start), after(part, end), true
}

// before is where a passage that is located at a place begins with the marks that belong to it: those of a list, of a link, of stress.
func before(part string, start int) int {
	line := part[strings.LastIndexByte(part[:start], '\n')+1 : start]
	if bare := strings.TrimLeft(line, " \t"); strings.Trim(bare, "-*+[_` \t") == "" {
		return start - len(bare)
	}
	return len(strings.TrimRight(part[:start], "[*_`"))
}

// after is where it ends with its stops, and with where its last link leads: "[so](to)." and "[so][name]." end with the stop.
func after(part string, end int) int {
	const stops = ".。!！?？;；:：\"”’'」』)）*_`"
	end = len(part) - len(strings.TrimLeft(part[end:], stops))
	if !strings.HasPrefix(part[end:], "]") {
		return end
	}
	end++
	line, _, _ := strings.Cut(part[end:], "\n")
	for _, marks := range []string{"()", "[]"} {
		if target := strings.IndexByte(line, marks[1]); target > 0 && line[0] == marks[0] {
			end += target + 1
			break
		}
	}
	return len(part) - len(strings.TrimLeft(part[end:], stops))
}

// onlyLinks says whether a passage only defines where links lead.
func onlyLinks(passage string) bool {
	for line := range strings.Lines(passage) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, target, found := strings.Cut(strings.TrimSpace(line), "]: ")
		if !found || !strings.HasPrefix(name, "[") || strings.HasPrefix(name, "[^") || strings.ContainsAny(strings.TrimSpace(target), " \t") {
			return false
		}
	}
	return true
}

// unwrapped takes off what models like to put around a quote: a dash, a number, quotation marks.
func unwrapped(passage string) string {
	passage = strings.TrimLeft(passage, "->*• 0123456789.)")
	return strings.Trim(passage, "\"“”'‘’`")
}

// show writes the passages for the model, which reads the page in parts of so many tokens.
func (p passages) show(r reading, part int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Read as %s.%s ", r.source.ID, r.warning())
	if len(p.found) == 0 && p.invented > 0 {
		fmt.Fprintf(&out, "The reader found nothing on %q that stands in the page: read it yourself.", p.focus)
	} else if len(p.found) == 0 {
		fmt.Fprintf(&out, "Nothing in it bears on %q.", p.focus)
	} else {
		fmt.Fprintf(&out, "What bears on %q, to the letter:", p.focus)
	}
	if p.invented > 0 && len(p.found) > 0 {
		fmt.Fprintf(&out, " (%d more passages were named that do not stand in the page, and are left out.)", p.invented)
	}
	if p.unread > 0 {
		fmt.Fprintf(&out, " %d of its %d sections were not looked at.", p.unread, p.parts)
	}
	if len(p.found) > 0 {
		out.WriteString("\n\n" + r.outside("passages", strings.Join(p.found, "\n\n")))
	}
	if lines := outline(split(r.text, part), outlineFor(part)); lines != "" && (len(p.found) == 0 || p.unread > 0) {
		out.WriteString("\n\n" + agent.Outside("outline", lines, "id", r.source.ID))
	}
	if len(split(r.text, part)) == 1 {
		fmt.Fprintf(&out, "\n\nTo read all of it: visit_url with %q alone.", r.source.ID)
		return out.String()
	}
	fmt.Fprintf(&out, "\n\nTo read it yourself: visit_url with %q and a part.", r.source.ID)
	return out.String()
}

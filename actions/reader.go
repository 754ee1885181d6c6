package actions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// readerPart is how much of a page the reader is shown, in tokens. It sees nothing else and answers with
	// numbers.
	readerPart = 20_000
	// leastReaderPart is what a model must at least accept to be useful as a reader.
	leastReaderPart = 500
	// maxUnread bounds the headings that name a part that was not looked at, and maxGaps those shown to a
	// reader for all such parts, in characters.
	maxUnread, maxGaps = 160, 6000
	// mostUnread is how many of these parts are named.
	mostUnread = 4
	// besideTokens bounds what is shown of the blocks that the focus does not ask for.
	besideTokens = 600
)

// chosen holds the blocks that a reader chose from a page.
type chosen struct {
	focus  string
	ranked []block.Block   // each once, the most important first
	beside []block.Block   // others, each once, that matter for the question of the research
	looked int             // blocks that were looked at
	unread [][]block.Block // runs of blocks that should have been looked at, too
}

// distil has a reader choose the blocks relevant to a question. A reader has no actions and only names
// numbers, so whatever the page says, the result is only text of the page. If the page is too much for the
// reader's model, another reader is shown the likeliest half.
func (k Kit) distil(
	ctx context.Context,
	turn *agent.Turn,
	r *reading,
	focus string,
	blocks []block.Block,
) (chosen, error) {
	c := chosen{focus: focus}
	for size, name := readerPart, 1; ; size, name = size/2, name+1 {
		likely, unread := likeliest(blocks, focus, size)
		shown := agent.Outside("page", r.withGaps(likely, unread), "title", r.source.Title)
		// the focus last, so that a second question about a page hits the prompt cache
		shown += "\n\nThe question of the research: " + prose.OneLine(k.Workspace.Asked()) +
			"\n\nWhat to look for: " + focus
		reader := agent.Asked(fmt.Sprintf("reader%d", name), k.reader(), doc("reader"), shown, 2)
		var answer agent.Result
		err := agent.Caught(reader.Name, func() (err error) {
			answer, err = turn.Nest(ctx, reader)
			return err
		})
		if errors.Is(err, agent.ErrTooLong) && size > leastReaderPart {
			continue
		}
		if err != nil {
			return c, err
		}
		c.looked, c.unread = len(likely), unread
		if len(likely) > 0 && (answer.Reason != agent.Finished || !c.take(blocks, answer.Text)) {
			c.looked, c.unread = 0, [][]block.Block{blocks}
		}
		isChosen := among(slices.Concat(c.ranked, c.beside))
		for i, run := range c.unread {
			c.unread[i] = slices.DeleteFunc(slices.Clone(run), isChosen)
		}
		c.unread = slices.DeleteFunc(c.unread, func(run []block.Block) bool { return len(run) == 0 })
		return c, nil
	}
}

func (k Kit) reader() agent.Brain {
	if k.Reader != nil {
		return k.Reader
	}
	return k.Files.Brain
}

// alsoMark matches the start of a reader's line of blocks that the focus does not ask for.
var alsoMark = regexp.MustCompile(`(?i)^[\s*-]*also\b[\s*:：]*`)

// withGaps writes the blocks of a page for its reader. It names the runs left out, so that a reader can
// choose from them by number.
func (r *reading) withGaps(shown []block.Block, hidden [][]block.Block) string {
	most := maxUnread
	if len(hidden) > 0 {
		most = min(3*maxUnread, maxGaps/len(hidden))
	}
	text := block.ShowBeside("", shown, func(before, after block.Block) string {
		for _, run := range hidden {
			if before.N < run[0].N && run[0].N < after.N {
				return r.named(before, run, most)
			}
		}
		return ""
	})
	if n := len(hidden); n > 0 && hidden[n-1][0].N > shown[len(shown)-1].N {
		text += "\n… " + r.named(shown[len(shown)-1], hidden[n-1], most)
	}
	return text
}

// among returns a function that reports whether a block is one of some.
func among(some []block.Block) func(block.Block) bool {
	isSome := map[int]bool{}
	for _, b := range some {
		isSome[b.N] = true
	}
	return func(b block.Block) bool { return isSome[b.N] }
}

// take parses a reader's answer and reports whether it is valid. Only lines of numbers choose blocks, so that
// figures within a sentence do not.
func (c *chosen) take(page []block.Block, answer string) bool {
	ranked, beside := "", ""
	for line := range strings.Lines(answer) {
		numbers, to := alsoMark.ReplaceAllString(line, ""), &ranked
		if numbers != line {
			to = &beside
		}
		if !strings.ContainsFunc(blockNumbers.ReplaceAllString(numbers, ""), unicode.IsLetter) {
			*to += numbers + ","
		}
	}
	c.ranked, c.beside = numbered(ranked, page), numbered(beside, page)
	return len(c.ranked)+len(c.beside) > 0 || strings.Contains(strings.ToUpper(answer), "NONE")
}

// inBudget returns the blocks that fit in so many tokens, the first before the others, and the rest; both in
// page order. A long block that does not fit does not keep out the short ones behind it.
func inBudget(ranked []block.Block, most int) (fits, left []block.Block) {
	tokens := 0
	for _, b := range ranked {
		if cost := costOf([]block.Block{b}); tokens+cost <= most || len(fits) == 0 {
			tokens += cost
			fits = append(fits, b)
		} else {
			left = append(left, b)
		}
	}
	if slack := costOf(left); slack <= most/10 { // not worth another visit
		fits, left = append(fits, left...), nil
	}
	return inOrder(fits), inOrder(left)
}

// show writes the chosen blocks for the model, as many as fit in so many tokens.
func (c chosen) show(r *reading, most int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Read as %s.%s ", r.source.ID, r.warning())
	fits, left := inBudget(c.ranked, most)
	if len(fits) == 0 {
		out.WriteString(c.nothing(r))
	} else {
		fmt.Fprintf(&out, "What bears on %q, %d of its %d blocks:", c.focus, len(fits), len(r.blocks))
		out.WriteString("\n\n" + r.outside("passages", r.show(fits)) + r.goOn(left))
	}
	beside := slices.DeleteFunc(slices.Clone(c.beside), among(c.ranked))
	if beside, _ = inBudget(beside, besideTokens); len(beside) > 0 {
		out.WriteString("\n\nNot asked for, but of weight for the question:\n\n" +
			r.outside("passages", r.show(beside)))
	}
	switch {
	case len(c.unread) > 0:
		out.WriteString("\n\n" + c.leftUnread(r))
	case len(fits) == 0:
		out.WriteString(r.outline(split(r.blocks, maxPart), maxPart/3))
	}
	return out.String()
}

// nothing says how much of the page was searched in vain.
func (c chosen) nothing(r *reading) string {
	switch {
	case c.looked == len(r.blocks):
		return fmt.Sprintf("Nothing in it bears on %q.", c.focus)
	case c.looked == 0:
		return fmt.Sprintf("The reader did not say what in it bears on %q.", c.focus)
	}
	return fmt.Sprintf("Of its %d blocks %d were looked at, and nothing in those bears on %q.",
		len(r.blocks), c.looked, c.focus)
}

// leftUnread says how much was not looked at, and names the longest runs with their headings: "blocks
// 120-180: Limits · Errors".
func (c chosen) leftUnread(r *reading) string {
	count := 0
	for _, run := range c.unread {
		count += len(run)
	}
	longest := slices.Clone(c.unread)
	slices.SortStableFunc(longest, func(a, b []block.Block) int { return cmp.Compare(len(b), len(a)) })
	longest = longest[:min(len(longest), mostUnread)]
	slices.SortFunc(longest, func(a, b []block.Block) int { return cmp.Compare(a[0].N, b[0].N) })
	lines := make([]string, len(longest))
	for i, run := range longest {
		var above block.Block // headings shared by the whole run add nothing
		if under := run[0].Headings; len(under) > 0 {
			above.Headings = under[:len(under)-1]
		}
		lines[i] = "blocks " + r.named(above, run, maxUnread)
	}
	return fmt.Sprintf("Not looked at: %d of its %d blocks, most of them in\n", count, len(r.blocks)) +
		agent.Outside("outline", strings.Join(lines, "\n"), "id", r.source.ID)
}

// named describes a run of blocks, after the one before it, by its numbers and at most so many characters of
// its headings or terms: "120-180: Limits · 150: Errors".
func (r *reading) named(before block.Block, run []block.Block, most int) string {
	titles, terms := titlesOf(r.links, before, run), r.termsOf(run)
	if terms != "" && slices.Equal(before.Headings, run[0].Headings) {
		titles = titles[min(1, len(titles)):] // drop "…, continued"
	}
	text := fmt.Sprintf("%d-%d", run[0].N, run[len(run)-1].N)
	if len(titles) > 0 {
		text += ": " + prose.Shorten(inOneLine(thinned(titles, most), run[0].N), most)
	}
	if len(titles) < 2 && terms != "" {
		text += ": " + terms
	}
	return text
}

// spans lists block numbers in short form: "3, 7-9".
func spans(blocks []block.Block) string {
	var all []string
	for i := 0; i < len(blocks); {
		last := i
		for last+1 < len(blocks) && blocks[last+1].N == blocks[last].N+1 {
			last++
		}
		if last == i {
			all = append(all, strconv.Itoa(blocks[i].N))
		} else {
			all = append(all, fmt.Sprintf("%d-%d", blocks[i].N, blocks[last].N))
		}
		i = last + 1
	}
	return strings.Join(all, ", ")
}

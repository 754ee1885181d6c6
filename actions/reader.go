package actions

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// readerPart is how much of a page the reader is shown at a time, in tokens. It is shown nothing else and answers with numbers.
	readerPart = 10_000
	// maxReaderParts bounds what one focus may cost. Of a page with more parts those are read that say most of the focus.
	maxReaderParts = 4
	// leastReaderPart is what a model must take at least to be of use as a reader.
	leastReaderPart = 500
	// mostAside is how many other blocks of weight the reader may point to in one page.
	mostAside = 6
)

// chosen is what a reader chose of a page.
type chosen struct {
	focus  string
	blocks []block.Block // in their order
	aside  []string      // other blocks of weight, as "12: what it says"
	unread []string      // which blocks were not looked at, as "120-180"
}

// distil has a reader choose the blocks of a page that bear on a question. The reader has no action and only names numbers, so
// that whatever the page says, nothing comes of it but text of the page.
func (k Kit) distil(ctx context.Context, turn *agent.Turn, r reading, focus string) (chosen, error) {
	return k.distilBy(ctx, turn, r, focus, readerPart, 0)
}

// distilBy does so by parts of so many tokens. Where one is too much for the reader's model, it starts again with smaller ones,
// by readers of other names.
func (k Kit) distilBy(ctx context.Context, turn *agent.Turn, r reading, focus string, size, name int) (chosen, error) {
	text := slices.DeleteFunc(slices.Clone(r.blocks), func(b block.Block) bool { return b.Kind == block.Links })
	parts := split(text, size)
	read := likeliest(parts, focus)
	c := chosen{focus: focus}
	for i, part := range parts {
		if len(part) == 0 {
			continue // a page without text
		}
		span := fmt.Sprintf("%d-%d", part[0].N, part[len(part)-1].N)
		if !read[i] {
			c.unread = append(c.unread, span)
			continue
		}
		result, err := turn.Nest(ctx, agent.Agent{
			Name:  fmt.Sprintf("reader%d", name+i+1),
			Brain: k.reader(),
			Open: func(context.Context) ([]agent.Message, error) {
				shown := agent.Outside("page", block.Show("", part), "title", r.source.Title)
				return []agent.Message{agent.System(doc("reader")), agent.User("What to look for: " + focus + "\n\n" + shown)}, nil
			},
			Limits: agent.Limits{Steps: 2},
		})
		if errors.Is(err, agent.ErrTooLong) && size > leastReaderPart {
			return k.distilBy(ctx, turn, r, focus, size/2, name+len(parts))
		}
		if err != nil {
			return c, err
		}
		if result.Reason != agent.Finished {
			c.unread = append(c.unread, span)
			continue
		}
		if !c.take(part, result.Text) {
			c.unread = append(c.unread, span)
		}
	}
	return c, nil
}

func (k Kit) reader() agent.Brain {
	if k.Reader != nil {
		return k.Reader
	}
	return k.Files.Brain
}

// likeliest says which parts a reader is to be shown: all of them, or those that hold most of the words of the focus.
func likeliest(parts [][]block.Block, focus string) map[int]bool {
	order, held := make([]int, len(parts)), make([]int, len(parts))
	wanted := wordsIn(focus)
	for i, part := range parts {
		order[i] = i
		there := map[string]int{}
		for _, word := range wordsIn(block.Show("", part)) {
			there[word]++
		}
		for _, word := range wanted {
			if n := there[word]; n > 0 {
				held[i] += 10 + min(n, 10) // that a word is there at all counts most
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return held[b] - held[a] })
	read := map[int]bool{}
	for _, i := range order[:min(len(order), maxReaderParts)] {
		read[i] = true
	}
	return read
}

// aside finds a number with words: "12: deprecated since 3.8".
var aside = regexp.MustCompile(`^[\s*-]*\[?(\d{1,6})\]?\s*(?:[:：]|[-–—]\s)\s*(.*\pL.*)$`)

// take reads a reader's answer and reports whether it is one. Lines of numbers alone choose blocks; a number with words points
// to one that nobody asked for.
func (c *chosen) take(part []block.Block, answer string) bool {
	before := len(c.blocks) + len(c.aside)
	for line := range strings.Lines(answer) {
		if m := aside.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			if len(numbered(m[1], part)) == 1 && len(c.aside) < mostAside {
				c.aside = append(c.aside, m[1]+": "+shorten(agent.Disarm(oneLine(m[2])), maxNamed))
			}
		} else if !strings.ContainsFunc(sourceMark.ReplaceAllString(line, ""), unicode.IsLetter) { // no sentence with a figure in it
			c.blocks = append(c.blocks, numbered(line, part)...)
		}
	}
	c.blocks = inOrder(c.blocks)
	return len(c.blocks)+len(c.aside) > before || strings.Contains(strings.ToUpper(answer), "NONE")
}

// sourceMark is what a label has before its number.
var sourceMark = regexp.MustCompile(`\bs\d+\.`)

// show writes the chosen blocks for the model, as many as fit in so many tokens.
func (c chosen) show(r reading, most int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Read as %s.%s ", r.source.ID, r.warning())
	if len(c.blocks) == 0 {
		fmt.Fprintf(&out, "Nothing in it bears on %q.", c.focus)
	} else {
		fits := split(c.blocks, most)[0]
		fmt.Fprintf(&out, "What bears on %q, %d of its %d blocks:", c.focus, len(fits), len(r.blocks))
		out.WriteString("\n\n" + r.outside("passages", r.show(fits)))
		if left := c.blocks[len(fits):]; len(left) > 0 {
			fmt.Fprintf(&out, "\n\nMore did not fit: visit_url with %q and blocks %q.", r.source.ID, spans(left))
		}
	}
	if len(c.aside) > 0 {
		out.WriteString("\n\nAlso of weight there, by block:\n" + agent.Outside("outline", strings.Join(c.aside, "\n"), "id", r.source.ID))
	}
	if len(c.unread) > 0 {
		fmt.Fprintf(&out, "\n\nNot looked at: blocks %s.", strings.Join(c.unread, ", "))
	}
	if len(c.blocks) == 0 || len(c.unread) > 0 {
		out.WriteString(r.outline(split(r.blocks, maxPart), maxPart))
	}
	return out.String()
}

// spans names blocks shortly: "3, 7-9".
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

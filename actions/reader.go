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
	"github.com/daybook-agent/daybook/agent/prose"
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
	ranked [][]block.Block // of each part, the most important first
	aside  []string        // other blocks of weight, as "12: what it says"
	unread []string        // which blocks were not looked at, as "120-180"
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
				shown := agent.Outside("page", block.Show("", plainly(part)), "title", r.source.Title)
				return []agent.Message{agent.System(doc("reader")), agent.User(shown + "\n\nWhat to look for: " + focus)}, nil // the focus last: a page asked about twice is served from a cache
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

// plainly is blocks as a reader chooses by: without where their links lead, which is a third of many pages.
func plainly(blocks []block.Block) []block.Block {
	plain := slices.Clone(blocks)
	for i, b := range plain {
		if b.Kind != block.Code {
			plain[i].Text = link.ReplaceAllString(b.Text, "$1")
		}
	}
	return plain
}

// likeliest says which parts a reader is to be shown: of a page with few parts all of them, of a longer one the first, which says what
// the page is, and those that hold most of the words of the focus. A part without any of them is left out when others have some.
func likeliest(parts [][]block.Block, focus string) map[int]bool {
	order, held := make([]int, len(parts)), make([]int, len(parts))
	wanted := prose.Words(focus)
	for i, part := range parts {
		order[i] = i
		there := map[string]int{}
		for _, word := range prose.Words(block.Show("", part)) {
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
	if len(parts) > maxReaderParts {
		read[0] = true
	}
	for _, i := range order {
		if len(read) < maxReaderParts && (held[i] > 0 || held[order[0]] == 0) {
			read[i] = true
		}
	}
	return read
}

// aside finds a number with words: "12: deprecated since 3.8".
var aside = regexp.MustCompile(`^[\s*-]*\[?(\d{1,6})\]?\s*(?:[:：]|[-–—]\s)\s*(.*\pL.*)$`)

// take reads a reader's answer and reports whether it is one. Lines of numbers alone choose blocks; a number with words points
// to one that nobody asked for.
func (c *chosen) take(part []block.Block, answer string) bool {
	pointed := len(c.aside)
	var named []block.Block
	for line := range strings.Lines(answer) {
		if m := aside.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			if len(numbered(m[1], part)) == 1 && len(c.aside) < mostAside {
				c.aside = append(c.aside, m[1]+": "+prose.Shorten(agent.Disarm(prose.OneLine(m[2])), maxNamed))
			}
		} else if !strings.ContainsFunc(sourceMark.ReplaceAllString(line, ""), unicode.IsLetter) { // no sentence with a figure in it
			named = append(named, numbered(line, part)...)
		}
	}
	if len(named) > 0 {
		c.ranked = append(c.ranked, named)
	}
	return len(named)+len(c.aside) > pointed || strings.Contains(strings.ToUpper(answer), "NONE")
}

// fitting are the chosen blocks that fit in so many tokens, those that were named first, and the others; both in the page's order.
func (c chosen) fitting(most int) (fits, left []block.Block) {
	seen, tokens := map[int]bool{}, 0
	longest := 0
	for _, named := range c.ranked {
		longest = max(longest, len(named))
	}
	for place := range longest { // the first of each part, then the second of each
		for _, named := range c.ranked {
			if place >= len(named) || seen[named[place].N] {
				continue
			}
			b := named[place]
			seen[b.N] = true
			if tokens += labelTokens + agent.EstimateTokens(b.Text); tokens <= most || len(fits) == 0 {
				fits = append(fits, b)
			} else {
				left = append(left, b)
			}
		}
	}
	return inOrder(fits), inOrder(left)
}

// sourceMark is what a label has before its number.
var sourceMark = regexp.MustCompile(`\bs\d+\.`)

// show writes the chosen blocks for the model, as many as fit in so many tokens.
func (c chosen) show(r reading, most int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Read as %s.%s ", r.source.ID, r.warning())
	fits, left := c.fitting(most)
	if len(fits) == 0 {
		fmt.Fprintf(&out, "Nothing in it bears on %q.", c.focus)
	} else {
		fmt.Fprintf(&out, "What bears on %q, %d of its %d blocks:", c.focus, len(fits), len(r.blocks))
		out.WriteString("\n\n" + r.outside("passages", r.show(fits)))
		if len(left) > 0 {
			fmt.Fprintf(&out, "\n\nMore did not fit: visit_url with %q and blocks %q.", r.source.ID, spans(left))
		}
	}
	if len(c.aside) > 0 {
		out.WriteString("\n\nAlso of weight there, by block:\n" + agent.Outside("outline", strings.Join(c.aside, "\n"), "id", r.source.ID))
	}
	if len(c.unread) > 0 {
		fmt.Fprintf(&out, "\n\nNot looked at: blocks %s.", strings.Join(c.unread, ", "))
	}
	if len(fits) == 0 || len(c.unread) > 0 {
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

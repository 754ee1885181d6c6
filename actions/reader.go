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

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"golang.org/x/sync/errgroup"
)

const (
	// readerPart is how much of a page the reader is shown at a time, in tokens. It is shown nothing else and
	// answers with numbers.
	readerPart = 10_000
	// maxRead bounds what one focus may cost. Of a page with more those sections are read that hold most of
	// the focus.
	maxRead = 25_000
	// sectionTokens is how much of such a page is weighed at a time.
	sectionTokens = 600
	// leastHeld is how much of the focus a section must hold to be read, as a share of what the one with most
	// of it holds. Of 248 blocks that readers had put among their first six of 27 long pages, sections by
	// these figures hold 97 %, for two thirds of the tokens.
	leastHeld = 0.2
	// leastReaderPart is what a model must take at least to be of use as a reader.
	leastReaderPart = 500
	// maxUnread is how many letters of its headings name a part that was not looked at.
	maxUnread = 160
	// mostUnread is how many of such parts are named with their headings.
	mostUnread = 4
	// mostAside is how many other blocks of weight the reader may point to in one page.
	mostAside = 6
)

// chosen is what a reader chose of a page.
type chosen struct {
	focus  string
	ranked [][]block.Block // of each part, the most important first
	aside  []string        // other blocks of weight, as "12: what it says"
	unread [][]block.Block // runs of blocks that were not looked at
}

// distil has readers choose the blocks that bear on a question, each from a part of what is given, side by
// side. A reader has no action and only names numbers, so that whatever the page says, nothing comes of it
// but text of the page.
func (k Kit) distil(ctx context.Context, turn *agent.Turn, title, focus string, blocks []block.Block) (chosen, error) {
	return k.distilBy(ctx, turn, title, chosen{focus: focus}, blocks, readerPart, 0)
}

// distilBy does so by parts of so many tokens. Where one is too much for the reader's model, it starts again
// with smaller ones, by readers of other names.
func (k Kit) distilBy(ctx context.Context, turn *agent.Turn, title string, c chosen, blocks []block.Block, size, name int) (chosen, error) {
	likely, unread := likeliest(blocks, c.focus, size)
	parts := split(likely, size)
	answers := make([]agent.Result, len(parts))
	readers, within := errgroup.WithContext(ctx)
	for i := range parts {
		reader := agent.Agent{
			Name:  fmt.Sprintf("reader%d", name+i+1),
			Brain: k.reader(),
			Open: func(context.Context) ([]agent.Message, error) {
				shown := agent.Outside("page", block.Show("", parts[i]), "title", title)
				// the focus last: a page asked about twice is served from a cache
				return []agent.Message{agent.System(doc("reader")), agent.User(shown + "\n\nWhat to look for: " + c.focus)}, nil
			},
			Limits: agent.Limits{Steps: 2},
		}
		readers.Go(func() error {
			return agent.Caught(reader.Name, func() (err error) {
				answers[i], err = turn.Nest(within, reader)
				return err
			})
		})
	}
	err := readers.Wait()
	if errors.Is(err, agent.ErrTooLong) && size > leastReaderPart {
		return k.distilBy(ctx, turn, title, c, blocks, size/2, name+len(parts))
	}
	if err != nil {
		return c, err
	}
	c.unread = unread
	for i, part := range parts {
		if len(part) > 0 && (answers[i].Reason != agent.Finished || !c.take(part, answers[i].Text)) {
			c.unread = append(c.unread, part)
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

// likeliest divides a page that is too long for one reader into the blocks that readers are shown and the
// runs that they are not. Shown are the first section, which says what the page is, and of the others those
// that hold most of the focus.
func likeliest(blocks []block.Block, focus string, size int) (likely []block.Block, unread [][]block.Block) {
	if costOf(blocks) <= size {
		return blocks, nil
	}
	sections := split(blocks, min(size, sectionTokens))
	order, texts := make([]int, len(sections)), make([]string, len(sections))
	for i, section := range sections {
		order[i], texts[i] = i, block.Show("", section)
	}
	held := search.Coverage(focus, texts)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(held[b], held[a]) })
	read, tokens := map[int]bool{0: true}, costOf(sections[0])
	for _, i := range order {
		cost := costOf(sections[i])
		if !read[i] && held[i] >= held[order[0]]*leastHeld && tokens+cost <= maxRead {
			read[i], tokens = true, tokens+cost
		}
	}
	for i, section := range sections {
		switch {
		case read[i]:
			likely = append(likely, section...)
		case i > 0 && !read[i-1]:
			unread[len(unread)-1] = append(unread[len(unread)-1], section...)
		default:
			unread = append(unread, slices.Clone(section))
		}
	}
	return likely, unread
}

// aside finds a number with words: "12: deprecated since 3.8".
var aside = regexp.MustCompile(`^[\s*-]*\[?(\d{1,6})\]?\s*(?:[:：]|[-–—]\s)\s*(.*\pL.*)$`)

// take reads a reader's answer and reports whether it is one. Lines of numbers alone choose blocks; a number
// with words points to one that nobody asked for.
func (c *chosen) take(part []block.Block, answer string) bool {
	pointed := len(c.aside)
	var named []block.Block
	for line := range strings.Lines(answer) {
		if m := aside.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			if len(numbered(m[1], part)) == 1 && len(c.aside) < mostAside {
				c.aside = append(c.aside, m[1]+": "+prose.Shorten(agent.Disarm(prose.OneLine(m[2])), maxNamed))
			}
			// no sentence with a figure in it
		} else if !strings.ContainsFunc(sourceMark.ReplaceAllString(line, ""), unicode.IsLetter) {
			named = append(named, numbered(line, part)...)
		}
	}
	if len(named) > 0 {
		c.ranked = append(c.ranked, named)
	}
	return len(named)+len(c.aside) > pointed || strings.Contains(strings.ToUpper(answer), "NONE")
}

// fitting are the chosen blocks that fit in so many tokens, those that were named first, and the others; both
// in the page's order.
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
			if tokens += costOf([]block.Block{b}); tokens <= most || len(fits) == 0 {
				fits = append(fits, b)
			} else {
				left = append(left, b)
			}
		}
	}
	if slack := costOf(left); slack <= most/10 { // not worth another visit
		fits, left = append(fits, left...), nil
	}
	return inOrder(fits), inOrder(left)
}

// sourceMark is what a label has before its number.
var sourceMark = regexp.MustCompile(`\bs\d+\.`)

// show writes the chosen blocks for the model, as many as fit in so many tokens.
func (c chosen) show(r *reading, most int) string {
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
	switch {
	case len(c.unread) > 0:
		out.WriteString("\n\n" + c.leftUnread(r))
	case len(fits) == 0:
		out.WriteString(r.outline(split(r.blocks, maxPart), maxPart/3))
	}
	return out.String()
}

// leftUnread names the parts that were not looked at, with the headings in each: "blocks 120-180: Limits ·
// Errors".
func (c chosen) leftUnread(r *reading) string {
	var names, lines []string
	for _, part := range c.unread {
		name := fmt.Sprintf("%d-%d", part[0].N, part[len(part)-1].N)
		names = append(names, name)
		var above block.Block // what all of the page is under tells nothing
		if under := part[0].Headings; len(under) > 0 {
			above.Headings = under[:len(under)-1]
		}
		if titles := titlesOf(r.links, above, part); len(titles) > 0 {
			lines = append(lines, name+": "+prose.Shorten(inOneLine(titles), maxUnread))
		}
	}
	text := fmt.Sprintf("Not looked at: blocks %s.", strings.Join(names, ", "))
	if len(lines) > 0 {
		lines = lines[:min(len(lines), mostUnread)]
		text += "\n" + agent.Outside("outline", strings.Join(lines, "\n"), "id", r.source.ID)
	}
	return text
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

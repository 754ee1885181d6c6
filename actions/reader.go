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
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// readerPart is how much of a page the reader is shown, in tokens. It is shown nothing else and answers
	// with numbers.
	readerPart = 20_000
	// wholePage is how long a page may be that is shown whole. Of a longer one those sections are that hold
	// most of the focus.
	wholePage = 8_000
	// sectionTokens is how much of such a page is weighed at a time.
	sectionTokens = 400
	// leastReaderPart is what a model must take at least to be of use as a reader.
	leastReaderPart = 500
	// maxUnread is how many letters of its headings name a part that was not looked at.
	maxUnread = 160
	// mostUnread is how many of such parts are named.
	mostUnread = 4
	// besideTokens is how much is shown of the blocks that nobody asked for.
	besideTokens = 600
)

// chosen is what a reader chose of a page.
type chosen struct {
	focus  string
	ranked []block.Block   // the most important first
	beside []block.Block   // others that bear on the question of the research
	looked int             // blocks that were looked at
	unread [][]block.Block // runs of others that were to be looked at
}

// distil has a reader choose the blocks that bear on a question, from what it is given. A reader has no
// action and only names numbers, so that whatever the page says, nothing comes of it but text of the page.
// Where it is too much for the reader's model, another is shown the likeliest half.
func (k Kit) distil(
	ctx context.Context,
	turn *agent.Turn,
	title, focus string,
	blocks []block.Block,
) (chosen, error) {
	c := chosen{focus: focus}
	for size, name := readerPart, 1; ; size, name = size/2, name+1 {
		likely, unread := likeliest(blocks, focus, size)
		shown := agent.Outside("page", block.Show("", likely), "title", title)
		reader := agent.Agent{
			Name:  fmt.Sprintf("reader%d", name),
			Brain: k.reader(),
			Open: func(context.Context) ([]agent.Message, error) {
				// the focus last: a page asked about twice is served from a cache
				return []agent.Message{agent.System(doc("reader")), agent.User(shown +
					"\n\nThe question of the research: " + prose.OneLine(k.Workspace.Asked()) +
					"\n\nWhat to look for: " + focus)}, nil
			},
			Limits: agent.Limits{Steps: 2},
		}
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
		if len(likely) > 0 && (answer.Reason != agent.Finished || !c.take(likely, answer.Text)) {
			c.looked, c.unread = 0, [][]block.Block{blocks}
		}
		return c, nil
	}
}

func (k Kit) reader() agent.Brain {
	if k.Reader != nil {
		return k.Reader
	}
	return k.Files.Brain
}

// likeliest divides a long page into the blocks that the reader is shown, of at most so many tokens, and the
// runs that it is not. Shown are the first section, which says what the page is, then those that define what
// the focus names, then those that hold most of it.
func likeliest(blocks []block.Block, focus string, most int) (likely []block.Block, unread [][]block.Block) {
	if costOf(blocks) <= min(most, wholePage) {
		return blocks, nil
	}
	sections := split(blocks, min(most, sectionTokens))
	read, tokens := map[int]bool{}, 0
	take := func(i int) bool {
		if cost := costOf(sections[i]); i == 0 || tokens+cost <= most {
			read[i], tokens = true, tokens+cost
		}
		return read[i]
	}
	texts, first, names, was := make([]string, len(sections)), []int{}, namesIn(focus), false
	for i, section := range sections {
		texts[i] = block.Show("", section)
		defines := slices.ContainsFunc(section,
			func(b block.Block) bool { return asks(focus, names, b.Defines()) })
		if (i == 0 || defines || was && asks(focus, names, section[0].Term)) && take(i) {
			first = append(first, i)
		}
		was = defines // and may go on
	}
	for _, name := range names { // that nothing defines
		holds := func(i int) bool { return name.MatchString(texts[i]) }
		i := slices.IndexFunc(texts, name.MatchString)
		if i >= 0 && !slices.ContainsFunc(first, holds) && take(i) {
			first = append(first, i)
		}
	}
	for i := range words.Spread(focus, texts, first) {
		take(i)
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

// askedFor finds the names in a focus, and the beginnings of several: PriorityWeight*, bf_.
var askedFor = regexp.MustCompile(`[\w-]{3,}\*|\w+_\b|\pL[\pL\d]*(?:[-_.][\pL\d]+)+|\pL*\p{Ll}\p{Lu}\pL*`)

// namesIn gives for each name in a focus what finds it, also as the end of a longer one: wait_nodes.
func namesIn(focus string) (names []*regexp.Regexp) {
	for _, name := range askedFor.FindAllString(focus, -1) {
		begin := strings.TrimSuffix(name, "*")
		form := `(?i)(?:^|[^\pL\d])` + regexp.QuoteMeta(begin)
		if begin == name && !strings.HasSuffix(name, "_") {
			form += `(?:[^\pL\d]|$)`
		}
		names = append(names, regexp.MustCompile(form))
	}
	return names
}

// asks reports whether a focus names a term that a page defines.
func asks(focus string, names []*regexp.Regexp, term string) bool {
	term = strings.Trim(term, "`* ")
	return len(term) > 2 && namedIn(strings.ToLower(focus), strings.ToLower(term)) ||
		slices.ContainsFunc(names, func(name *regexp.Regexp) bool { return name.MatchString(term) })
}

// namedIn reports whether a text has a name that is no part of a longer one.
func namedIn(text, name string) bool {
	inName := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }
	for at := 0; ; at += len(name) {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(name):])
		if !inName(before) && !inName(after) {
			return true
		}
	}
}

// alsoMark begins a reader's line of blocks that nobody asked for.
var alsoMark = regexp.MustCompile(`(?i)^[\s*-]*also\b[\s*:：]*`)

// take reads a reader's answer and reports whether it is one. Only lines of numbers choose blocks, so that no
// figure of a sentence does.
func (c *chosen) take(part []block.Block, answer string) bool {
	for line := range strings.Lines(answer) {
		numbers, to := alsoMark.ReplaceAllString(line, ""), &c.ranked
		if numbers != line {
			to = &c.beside
		}
		if !strings.ContainsFunc(sourceMark.ReplaceAllString(numbers, ""), unicode.IsLetter) {
			*to = append(*to, numbered(numbers, part)...)
		}
	}
	return len(c.ranked)+len(c.beside) > 0 || strings.Contains(strings.ToUpper(answer), "NONE")
}

// inBudget are those of some blocks that fit in so many tokens, the first ones, and the others; both in the
// page's order.
func inBudget(ranked []block.Block, most int) (fits, left []block.Block) {
	seen, tokens := map[int]bool{}, 0
	for _, b := range ranked {
		if seen[b.N] {
			continue
		}
		seen[b.N] = true
		if tokens += costOf([]block.Block{b}); tokens <= most || len(fits) == 0 {
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

// sourceMark is what a label has before its number.
var sourceMark = regexp.MustCompile(`\bs\d+\.`)

// show writes the chosen blocks for the model, as many as fit in so many tokens.
func (c chosen) show(r *reading, most int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Read as %s.%s ", r.source.ID, r.warning())
	fits, left := inBudget(c.ranked, most)
	if len(fits) == 0 {
		fmt.Fprintf(&out, c.nothing(r), c.focus)
	} else {
		fmt.Fprintf(&out, "What bears on %q, %d of its %d blocks:", c.focus, len(fits), len(r.blocks))
		out.WriteString("\n\n" + r.outside("passages", r.show(fits)))
		if len(left) > 0 {
			fmt.Fprintf(&out, "\n\nMore did not fit: visit_url with %q and blocks %q.", r.source.ID,
				spans(left))
		}
	}
	beside := slices.DeleteFunc(slices.Clone(c.beside), func(b block.Block) bool {
		return slices.ContainsFunc(c.ranked, func(other block.Block) bool { return other.N == b.N })
	})
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

// nothing says of what of a page nothing was chosen, with a place for the focus.
func (c chosen) nothing(r *reading) string {
	switch {
	case c.looked == len(r.blocks):
		return "Nothing in it bears on %q."
	case c.looked == 0:
		return "The reader did not say what in it bears on %q."
	}
	return fmt.Sprintf("Of its %d blocks %d were looked at, and nothing in those bears on %%q.",
		len(r.blocks), c.looked)
}

// leftUnread says how much was not looked at, and names the longest runs with the headings in each: "blocks
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
	var lines []string
	for _, run := range longest {
		var above block.Block // what all of the page is under tells nothing
		if under := run[0].Headings; len(under) > 0 {
			above.Headings = under[:len(under)-1]
		}
		line := fmt.Sprintf("blocks %d-%d", run[0].N, run[len(run)-1].N)
		titles := titlesOf(r.links, above, run)
		if len(titles) > 0 {
			line += ": " + prose.Shorten(inOneLine(titles), maxUnread)
		}
		if terms := r.termsOf(run); len(titles) < 2 && terms != "" {
			line += ": " + terms
		}
		lines = append(lines, line)
	}
	return fmt.Sprintf("Not looked at: %d of its %d blocks, most of them in\n", count, len(r.blocks)) +
		agent.Outside("outline", strings.Join(lines, "\n"), "id", r.source.ID)
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

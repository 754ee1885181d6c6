package actions

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// maxPart is how much of a page one visit shows, in estimated tokens: it fits in a prompt beside the
	// dashboards.
	maxPart = 3000
	// labelTokens is the cost of a block's label, and headingTokens the allowance for a heading above it.
	labelTokens, headingTokens = 6, 12
)

// partFor returns how much of a page a visit shows, without its outline, to a model with room for a result of
// that size.
func partFor(room int) int { return min(maxPart, room*3/4) }

// split divides the blocks of a page into parts of at most so many tokens, but at least one block.
func split(blocks []block.Block, most int) [][]block.Block {
	var parts [][]block.Block
	begin, tokens := 0, 0
	for i, b := range blocks {
		cost := costOf(blocks[i : i+1])
		if i == 0 || !slices.Equal(b.Headings, blocks[i-1].Headings) {
			cost += headingTokens
		}
		if i > begin && tokens+cost > most {
			parts, begin, tokens = append(parts, blocks[begin:i]), i, 0
		}
		tokens += cost
	}
	return append(parts, blocks[begin:])
}

// costOf returns how many tokens blocks take when shown, without their headings.
func costOf(blocks []block.Block) int {
	tokens := labelTokens * len(blocks)
	for _, b := range blocks {
		tokens += agent.EstimateTokens(b.Text)
	}
	return tokens
}

// manyParts is from how many parts on a page is worth searching for a word: its outline has no room for all.
const manyParts = 4

// part returns the part that is asked for, and all parts.
func (r *reading) part(asked opening, most int) (part int, parts [][]block.Block, err error) {
	parts = split(r.blocks, most)
	switch part = asked.in(parts); {
	case part <= len(parts):
		return part, parts, nil
	case len(parts) == 1:
		return 0, nil, fmt.Errorf("%s is short and has one part alone, so there is no part %d: "+
			"visit it without part", r.name(), part)
	}
	return 0,
		nil, fmt.Errorf("the last part of %s is part %d, so there is no part %d", r.name(), len(parts), part)
}

// numbered returns the blocks whose numbers a model gave, in page order.
func (r *reading) numbered(numbers string) ([]block.Block, error) {
	wanted := inOrder(numbered(numbers, r.all))
	if len(wanted) == 0 {
		return nil, fmt.Errorf(
			"%s has the blocks 1 to %d, and %q names none of them; give numbers such as \"12, 20-24\"",
			r.name(), len(r.all), prose.Shorten(prose.OneLine(numbers), maxNamed))
	}
	return wanted, nil
}

// name returns the name of the page for error messages; it may have no id yet.
func (r *reading) name() string { return cmp.Or(r.source.ID, "this page") }

// showPart writes one part of a page for the model. The first shown, or the one that a visit opens, comes
// with the outline of all.
func (r *reading) showPart(asked opening, most int) (string, error) {
	part, parts, err := r.part(asked, most)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Read as %s. ", r.source.ID)
	switch {
	case len(parts) == 1:
		out.WriteString("This is all of it.")
	case asked.part == 0 && part > 1:
		where := "the search result"
		if asked.hasPlace(parts[part-1]) {
			where = "#" + asked.place
		}
		fmt.Fprintf(&out, "Part %d of %d, where %s is. Part 1 has the beginning.", part, len(parts), where)
	case part == len(parts):
		fmt.Fprintf(&out, "Part %d of %d, the last.", part, len(parts))
	default:
		fmt.Fprintf(&out, "Part %d of %d. Go on with part %d, or give a focus.", part, len(parts), part+1)
	}
	out.WriteString(r.warning())
	if (part == 1 || asked.part == 0 || len(r.seen) == 0) && len(parts) > 1 {
		out.WriteString(r.outline(parts, most))
		if len(parts) >= manyParts {
			out.WriteString("\n\nWhich blocks of all parts have a word is told by file_operation: " +
				"\"Search Sources/ for 'word'\".")
		}
	}
	out.WriteString("\n\n" + r.outside("page", r.show(parts[part-1]), "part",
		fmt.Sprintf("%d/%d", part, len(parts))))
	return out.String(), nil
}

// showBlocks writes the blocks whose numbers a model named.
func (r *reading) showBlocks(numbers string, most int) (string, error) {
	wanted, err := r.numbered(numbers)
	if err != nil {
		return "", err
	}
	fits, left := inBudget(wanted, most)
	text := r.outside("page", r.show(fits))
	text = fmt.Sprintf("Read as %s.%s\n\n%s", r.source.ID, r.warning(), text)
	return text + r.goOn(left) + r.around(wanted), nil
}

// around names the short sections that contain the requested blocks only in part, with their block ranges:
// whoever guesses numbers does not see where a section begins and ends.
func (r *reading) around(wanted []block.Block) string {
	const most, short = 4, 24 // sections, and blocks of one
	var cut []string
	for i := 0; i < len(r.all); {
		n := i + 1
		for n < len(r.all) && slices.Equal(r.all[n].Headings, r.all[i].Headings) {
			n++
		}
		first, last := r.all[i], r.all[n-1]
		inside := slices.DeleteFunc(slices.Clone(wanted), func(b block.Block) bool {
			return b.N < first.N || b.N > last.N
		})
		if m := len(inside); m > 0 && m < n-i && n-i <= short && len(first.Headings) > 0 {
			cut = append(cut, fmt.Sprintf("%d-%d %q", first.N, last.N,
				prose.Shorten(prose.OneLine(first.Headings[len(first.Headings)-1]), maxNamed)))
		}
		i = n
	}
	if len(cut) == 0 || len(cut) > most {
		return ""
	}
	return "\n\nThese sections were shown only in part: blocks " + agent.Disarm(strings.Join(cut, ", ")) + "."
}

// goOn says how to get the blocks that did not fit.
func (r *reading) goOn(left []block.Block) string {
	if len(left) == 0 {
		return ""
	}
	return fmt.Sprintf("\n\nMore did not fit: visit_url with %q and blocks %q.", r.source.ID, spans(left))
}

// blockNumbers matches numbers of blocks: 12, 12-14, 12 to 14, [s5.12].
var blockNumbers = regexp.MustCompile(
	`(?:\bs\d+\.)?(\d{1,6})(?:\]?\s*(?:[-–—~～…至到]|\.{2,3}|to\b)\s*\[?(?:s\d+\.)?(\d{1,6}))?`)

// numbered returns the blocks named by a list such as "3, 7-9" or "[s5.3], [s5.7]", in the order of the list,
// each once.
func numbered(list string, blocks []block.Block) []block.Block {
	var found []block.Block
	seen := map[int]bool{}
	for _, m := range blockNumbers.FindAllStringSubmatch(list, -1) {
		from, _ := strconv.Atoi(m[1]) // at most six digits
		to, err := strconv.Atoi(m[2])
		if err != nil {
			to = from
		}
		for _, b := range blocks {
			if b.N >= from && b.N <= to && !seen[b.N] {
				seen[b.N] = true
				found = append(found, b)
			}
		}
	}
	return found
}

// inOrder sorts blocks and removes duplicates.
func inOrder(blocks []block.Block) []block.Block {
	slices.SortStableFunc(blocks, func(a, b block.Block) int { return a.N - b.N })
	return slices.CompactFunc(blocks, func(a, b block.Block) bool { return a.N == b.N })
}

// show writes blocks with the labels to cite them by, and records them as shown.
func (r *reading) show(blocks []block.Block) string {
	r.shown = append(r.shown, blocks...)
	return block.Show(r.source.ID, blocks)
}

// outside marks a text of the page as outside material for the model.
func (r *reading) outside(kind, text string, more ...string) string {
	s := r.source
	return agent.Outside(kind, text,
		append([]string{"id", s.ID, "url", s.URL, "title", s.Title, "author", s.Author, "published",
			s.Published}, more...)...)
}

// warning tells the model if a page is incomplete, or if its file was edited.
func (r *reading) warning() string {
	warning := ""
	if !r.source.IsWhole() {
		warning = " Not the whole page: " + prose.OneLine(r.source.Complete) + "."
	}
	if r.edited {
		warning += " Somebody changed its file since it was read, so that no quote of it counts " +
			"as checked; visit its address for the page."
	}
	return warning
}

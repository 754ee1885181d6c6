package actions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// mostUnseen is how much is shown at once of what nobody was shown, in tokens.
	mostUnseen = 2000
	// beside is how far from a cited block, in blocks, others are looked at. In ten researches a fifth of
	// what was shown by this and by qualifying was cited in the end, and a fortieth of the rest.
	beside = 3
)

// qualifying finds words by which a text says what holds for something, and when it does not.
var qualifying = regexp.MustCompile(`(?i)\b(?:note|tip|warning|caution|important|defaults?|maximum|minimum|` +
	`limits?|unless|except|only|must|never|cannot|required|deprecated|recommended|otherwise)\b|` +
	`注意|警告|默认|缺省|最多|至少|上限|除非|例外|必须|不能|仅限|建议|弃用`)

// Unseen names blocks of a source, as a call of visit_url does: "3, 7-9".
type Unseen struct {
	Source string `json:"source"` // its id
	Blocks string `json:"blocks"`
}

// Unseen picks passages that no model was shown from the sources that a text cites: those near a cited block
// that qualify something. A reader picks what it is asked for, and nobody asks for an exception that they do
// not know of. file is the chapter whose researcher has to have been shown the source, "" for the researcher
// of the whole; room is how many tokens there are. Of a source of which it is not on record what was shown
// there is none.
func (k Kit) Unseen(text, file string, room int) (all []Unseen) {
	left := min(mostUnseen, room/2)
	for _, c := range k.cited(text, file) {
		var picked []block.Block
		for i, b := range c.blocks {
			cost := costOf(c.blocks[i:i+1]) + headingTokens
			if len(c.seen) > 0 && !c.seen[b.N] && cost <= left && b.Kind != block.Code && // a sample
				qualifying.MatchString(b.Text) && c.citesBeside(i) {
				picked, left = append(picked, b), left-cost
			}
		}
		if len(picked) > 0 {
			all = append(all, Unseen{c.source.ID, spans(picked)})
		}
	}
	return all
}

// ShowUnseen shows passages to a model, with the labels by which they are cited, and says what to do with
// them; "" for none.
func (k Kit) ShowUnseen(all []Unseen) (string, error) {
	var out strings.Builder
	for _, u := range all {
		r, ok := k.read(u.Source)
		if !ok {
			continue // somebody took it away, or changed it
		}
		out.WriteString("\n\n" + r.outside("passages", r.show(inOrder(numbered(u.Blocks, r.all)))))
		if err := k.recordShown(&r, false); err != nil {
			return "", err
		}
	}
	if out.Len() == 0 {
		return "", nil
	}
	return "Nobody was shown these passages, which stand beside those that you cite. A default, limit, " +
		"exception or warning among them that the reader needs, or that corrects what you wrote, goes in " +
		"at its place, with its citation; leave the rest. Then end again." + out.String(), nil
}

// read is a source as it was read.
func (k Kit) read(id string) (reading, bool) {
	s, ok := k.Workspace.Source(id)
	text, intact, err := k.Workspace.SourceText(id)
	r := reading{source: s, text: text, seen: k.Workspace.BlocksShown(id)}
	r.take(false)
	return r, ok && intact && err == nil
}

// citing is a source with the numbers of its blocks that a text cites.
type citing struct {
	reading
	cites map[int]bool
}

// cited are the sources of a text, in the order in which it cites them.
func (k Kit) cited(text, file string) (all []citing) {
	for _, m := range workspace.Marks(text) {
		for _, ref := range m.Refs {
			i := slices.IndexFunc(all, func(c citing) bool { return c.source.ID == ref.ID })
			if i < 0 {
				r, ok := k.read(ref.ID)
				if !ok || !k.Workspace.WasShown(file, ref.ID) {
					continue
				}
				i, all = len(all), append(all, citing{r, map[int]bool{}})
			}
			all[i].cites[ref.Block] = true
		}
	}
	return all
}

// citesBeside reports whether a block near another is cited, under the same headings.
func (c citing) citesBeside(i int) bool {
	near := c.blocks[max(0, i-beside):min(len(c.blocks), i+beside+1)]
	return slices.ContainsFunc(near, func(b block.Block) bool {
		return c.cites[b.N] && section(b) == section(c.blocks[i])
	})
}

// section is what the headings above a block come to.
func section(b block.Block) string { return strings.Join(b.Headings, "\n") }

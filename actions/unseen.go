package actions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

const (
	// mostUnseen is how much is shown at once of what nobody was shown, in tokens: most of it is of no use.
	mostUnseen = 2500
	// unseenPiece is how much of it is weighed at a time, in tokens, and fewestUnseen how many words are
	// worth the mention.
	unseenPiece, fewestUnseen = 250, 40
	// beside is how far from a cited block, in blocks, others may be picked. A list of changes has hundreds
	// under one heading.
	beside = 8
)

// qualifying are words by which a text says what holds for something, and when it does not.
const qualifying = "note tip warning caution important default maximum minimum limit unless except only " +
	"must never cannot required deprecated recommended otherwise " +
	"注意 警告 默认 缺省 最多 至少 上限 除非 例外 必须 不能 仅限 建议 弃用"

// Unseen names blocks of a source, as a call of visit_url does: "3, 7-9".
type Unseen struct {
	Source string `json:"source"` // its id
	Blocks string `json:"blocks"`
}

// Unseen picks passages that no model was shown from the sources that a text cites: near a cited block, or
// where something is defined that the text names in code. A reader picks what it is asked for, and nobody
// asks for an exception that they do not know of. file is the chapter whose researcher has to have been shown
// the source, "" for the researcher of the whole; room is how many tokens there are.
func (k Kit) Unseen(text, file string, room int) (all []Unseen) {
	names, sources := namesIn(text), k.cited(text, file)
	var pieces [][]block.Block
	var of []int // of each piece, its source
	var texts []string
	for i, c := range sources {
		for _, piece := range c.unseen(names) {
			pieces, of, texts = append(pieces, piece), append(of, i), append(texts, block.Show("", piece))
		}
	}
	wanted := []string{k.Workspace.Asked(), strings.Join(names, " "), qualifying}
	for _, h := range markdown.Headings([]byte(text)) {
		wanted = append(wanted, h.Title)
	}
	picked, left, count := make([][]block.Block, len(sources)), min(mostUnseen, room/2), 0
	for i := range words.Spread(strings.Join(wanted, "\n"), texts, nil) {
		if cost := costOf(pieces[i]) + headingTokens; cost <= left {
			left, count = left-cost, count+prose.Count(texts[i])
			picked[of[i]] = append(picked[of[i]], pieces[i]...)
		}
	}
	for i, blocks := range picked {
		if len(blocks) > 0 && count >= fewestUnseen {
			all = append(all, Unseen{sources[i].source.ID, spans(inOrder(blocks))})
		}
	}
	return all
}

// ToldUnseen says what to do with passages that nobody was shown.
func ToldUnseen(passages string) string {
	return "Nobody was shown these passages yet. They stand beside those that you cite, or define what you " +
		"name. Go through them: a default, limit, exception, warning or " +
		"step among them that the reader needs, or that corrects what you wrote, goes in at its place, " +
		"with its citation; leave the rest. Then end again.\n\n" + passages
}

// ShowUnseen shows passages to a model, with the labels by which they are cited.
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
	return strings.TrimSpace(out.String()), nil
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

// unseen are the stretches of a source that nobody was shown, and that stand beside a cited block or define
// one of the names. Of a source of which it is not on record what was shown there is none.
func (c citing) unseen(names []string) (all [][]block.Block) {
	var run []block.Block
	end := func() {
		if len(run) > 0 {
			all, run = append(all, split(run, unseenPiece)...), nil
		}
	}
	for i, b := range c.blocks {
		bears := c.citesBeside(i) || definesOne(b.Defines(), names)
		if c.seen[b.N] || !bears || b.Kind == block.Code { // a sample; what it is of is said beside it
			end()
			continue
		}
		if len(run) > 0 && section(run[0]) != section(b) {
			end()
		}
		run = append(run, b)
	}
	if end(); len(c.seen) == 0 {
		return nil
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

// definesOne reports whether a term that a text defines is among some names.
func definesOne(term string, names []string) bool {
	term = strings.ToLower(term)
	return slices.ContainsFunc(names, func(name string) bool { return namedIn(term, strings.ToLower(name)) })
}

// inCode finds what a text has in code within a line, and codeName what of that is a name and no word.
var (
	inCode   = regexp.MustCompile("`([^`\n]{2,80})`")
	codeName = regexp.MustCompile(`\pL[\pL\d]*(?:[-_.][\pL\d]+)+|\pL*\p{Ll}\p{Lu}\pL*|\p{Lu}[\p{Lu}\d]{2,}`)
)

// namesIn are the names that a text has in code, each once.
func namesIn(text string) (names []string) {
	for _, m := range inCode.FindAllStringSubmatch(text, -1) {
		for _, name := range codeName.FindAllString(m[1], -1) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

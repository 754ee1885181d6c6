package actions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// editorPart is how much of a text an editor reads at a time, and editorPassages how much of its sources
	// along with it, in tokens.
	editorPart, editorPassages = 2500, 7000
	// mostMissed bounds the passages shown of those that editors chose, in tokens, and longestWhy the reason
	// shown for each, in characters.
	mostMissed, longestWhy = 4000, 240
	editorsAtOnce          = 4
	// leastSaying is the minimum length of a passage that says something by itself, in bytes.
	leastSaying = 40
)

// qualifying matches words by which a text states a default, a limit or a condition.
var qualifying = regexp.MustCompile(`(?i)\b(?:note|tip|warning|caution|important|defaults?|maximum|minimum|` +
	`limits?|unless|except|only|must|never|cannot|not|required|recommended|otherwise|instead|beware|fails?)\b|` +
	`注意|警告|默认|缺省|最多|至少|上限|除非|例外|必须|不能|不会|仅限|建议|否则`)

// correcting matches words by which the definition of a name revokes what is said of it elsewhere.
var correcting = regexp.MustCompile(`(?i)\b(?:no longer|(?:always|silently|is|are) ignored|obsolete|deprecated|superseded|replaced by|` +
	`has no effect|have no effect|never returned|(?:not|never) be used|not supported|incompatible|overrid(?:es|den)|as of [\w ]{0,20}\d|starting with [\w ]{0,20}\d|prior to [\w ]{0,20}\d)\b|` +
	`不再|弃用|废弃|会被忽略|被忽略|无效|不支持|取代|自 ?[\w. ]{1,20}起`)

// Missed is a block of a source that a text does not cite, though its reader may need it.
type Missed struct {
	Source  string `json:"source"` // its id
	Block   int    `json:"block"`
	Section string `json:"section,omitempty"` // of the text
	Why     string `json:"why"`               // in an editor's words, one line
}

// Missed has editors compare a text, part by part, with what its sources say and it does not: defaults,
// limits, conditions and corrections that its writer never saw or lost on the way. Only sources shown to the
// researcher of the chapter in file ("" for the whole) count, and only if it is on record which of their
// blocks were shown. An editor that is not understood adds nothing.
func (k Kit) Missed(ctx context.Context, turn *agent.Turn, text, file string) ([]Missed, error) {
	sources, names := k.cited(text, file), codeNames(text)
	parts := partsOf(text)
	found, offered := make([][]Missed, len(parts)), map[string]bool{}
	var group errgroup.Group
	group.SetLimit(editorsAtOnce)
	for i, part := range parts {
		candidates := part.candidates(sources, names, offered)
		if len(candidates) == 0 {
			continue
		}
		group.Go(func() error {
			name := fmt.Sprintf("editor%d", i+1)
			return agent.Caught(name, func() (err error) {
				about := fmt.Sprintf("Part %d of %d of %s", i+1, len(parts),
					cmp.Or(file, workspace.ReportFile))
				found[i], err = k.edit(ctx, turn, name, about, part, candidates)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("comparing a text with its sources: %w", err)
	}
	return bounded(found, sources, min(mostMissed, turn.Room()/2)), nil
}

// edit compares one part of a text with passages. about names the part, since several editors work at once.
func (k Kit) edit(ctx context.Context, turn *agent.Turn, name, about string, part textPart,
	candidates []citing) ([]Missed, error) {
	var passages []string
	for _, c := range candidates {
		passages = append(passages, c.outside("passages", block.Show(c.source.ID, c.blocks)))
	}
	asked := fmt.Sprintf("%s\n\nThe question of the research: %s\n\n%s\n\n%s", about,
		prose.OneLine(k.Workspace.Asked()),
		strings.Join(passages, "\n\n"), agent.Outside("material", part.text, "what", "text"))
	answer, err := turn.Nest(ctx, agent.Asked(name, k.reader(), doc("editor"), asked, 2))
	if errors.Is(err, agent.ErrTooLong) || errors.Is(err, agent.ErrFiltered) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return part.chosen(candidates, answer.Text), nil
}

// textPart is a run of sections of a text.
type textPart struct{ title, text string }

// partsOf divides a text at its chapters, so that short ones are read together; it divides a long one between
// its blocks, but not within a table.
func partsOf(text string) (parts []textPart) {
	var now textPart
	from, tokens, chapter := 0, 0, ""
	blocks := block.Split(text)
	for i, b := range blocks {
		title := chapterOf(b)
		if i == 0 {
			now.title = title
		} else if title != chapter && tokens > editorPart/2 || tokens > editorPart && b.Kind != block.Row {
			now.text = text[from:blocks[i-1].End]
			parts, from, tokens = append(parts, now), blocks[i-1].End, 0
			now.title = title
		}
		tokens += agent.EstimateTokens(b.Text)
		chapter = title
	}
	if now.text = text[from:]; strings.TrimSpace(now.text) != "" {
		parts = append(parts, now)
	}
	return parts
}

// chapterOf returns the second heading above a block of a report, "" above the first chapter.
func chapterOf(b block.Block) string {
	if len(b.Headings) < 2 {
		return ""
	}
	return b.Headings[1]
}

// pool holds what a part of a text may be compared with, in the order of its sources.
type pool struct {
	texts  []string
	places []struct{ source, block int }
	// of these, those that correct what a name means, those that define a name in a sample, and those near
	// what the part cites
	first, defining, near []int
}

// candidates returns the passages a part is compared with: from the sources it cites, those that qualify
// something and are not cited. Unshown passages count only near what is cited, or if they correct what a name
// in the text means; and from all sources, those that define a name in a sample of the part. A passage that
// is merely similar is offered for one part only.
func (p textPart) candidates(sources []citing, names, offered map[string]bool) (all []citing) {
	from := p.pool(sources, names)
	picked, used, took := map[int][]block.Block{}, 0, map[string]bool{}
	take := func(i int) {
		at := from.places[i]
		b := sources[at.source].blocks[at.block]
		cost, said := costOf([]block.Block{b})+headingTokens, prose.Letters(b.Text)
		if !took[said] && used+cost <= editorPassages { // release notes repeat their changes
			picked[at.source], used, took[said] = append(picked[at.source], b), used+cost, true
		}
	}
	for _, i := range from.first {
		take(i)
	}
	for _, i := range from.defining {
		if used < editorPassages*3/4 {
			take(i)
		}
	}
	for _, i := range from.near {
		take(i)
	}
	for i := range words.Spread(p.text, from.texts, from.first) {
		if said := prose.Letters(from.texts[i]); !offered[said] {
			offered[said] = true
			take(i)
		}
	}
	for n, c := range sources {
		if len(picked[n]) > 0 {
			c.blocks = inOrder(picked[n])
			all = append(all, c)
		}
	}
	return all
}

func (p textPart) pool(sources []citing, names map[string]bool) (all pool) {
	here, samples := workspace.CitedBlocks(p.text), sampleNames(p.text)
	for n, c := range sources {
		cites := c.cites
		c.cites = here[c.source.ID]
		isHere := c.cites != nil
		if len(c.seen) == 0 || !isHere && len(samples) == 0 {
			continue
		}
		for i, b := range c.blocks {
			if cites[b.N] || b.Kind == block.Code || len(b.Text) < leastSaying {
				continue
			}
			name, qualifies := defined(b), isHere && qualifying.MatchString(b.Text)
			corrects := (isHere && names[name] || samples[name]) && correcting.MatchString(b.Text)
			isNear := qualifies && c.citesBeside(i)
			if !corrects && !samples[name] && !isNear && !(qualifies && c.seen[b.N]) {
				continue
			}
			at := len(all.texts)
			switch {
			case corrects:
				all.first = append(all.first, at)
			case samples[name]:
				all.defining = append(all.defining, at)
			case isNear:
				all.near = append(all.near, at)
			}
			all.texts = append(all.texts, b.Text+"\n"+b.Term)
			all.places = append(all.places, struct{ source, block int }{n, i})
		}
	}
	return all
}

// editorLine matches a line of an editor's answer: a label and why its block is needed.
var editorLine = regexp.MustCompile(`^[\s*>-]*\[?(s\d+)\.(\d+)\]?[\s:：–—-]+(\S.*)$`)

// chosen parses an editor's answer; a block that the editor was not shown is ignored.
func (p textPart) chosen(candidates []citing, answer string) (all []Missed) {
	for line := range strings.Lines(answer) {
		m := editorLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		for _, c := range candidates {
			if blocks := numbered(m[2], c.blocks); c.source.ID == m[1] && len(blocks) == 1 {
				why := prose.Shorten(agent.Disarm(prose.OneLine(m[3])), longestWhy)
				all = append(all, Missed{m[1], blocks[0].N, p.title, why})
			}
		}
	}
	return all
}

// bounded keeps as many of the editors' findings as fit in so many tokens, the gravest of each part first,
// each block once, and returns them in the order of the parts.
func bounded(found [][]Missed, sources []citing, room int) []Missed {
	kept, has := make([][]Missed, len(found)), map[string]bool{}
	for rank, more := 0, true; more; rank++ {
		more = false
		for i, part := range found {
			if rank >= len(part) {
				continue
			}
			more = true
			l := part[rank]
			at := slices.IndexFunc(sources, func(c citing) bool { return c.source.ID == l.Source })
			cost := costOf(numbered(fmt.Sprint(l.Block), sources[at].all)) + headingTokens
			if label := block.Label(l.Source, l.Block); !has[label] && cost <= room {
				kept[i], has[label], room = append(kept[i], l), true, room-cost
			}
		}
	}
	return slices.Concat(kept...)
}

// ShowMissed shows such passages to the writer of a text, with the labels to cite them by, and says what to
// do with them; "" for none.
func (k Kit) ShowMissed(file string, all []Missed) (string, error) {
	var said, passages strings.Builder
	var ids []string
	numbers := map[string]string{} // of blocks, by source
	for _, l := range all {
		if numbers[l.Source] == "" {
			ids = append(ids, l.Source)
		}
		numbers[l.Source] += fmt.Sprintf("%d, ", l.Block)
	}
	for _, id := range ids {
		r, ok := k.read(id)
		if !ok {
			continue // somebody removed or changed it
		}
		chosen := inOrder(numbered(numbers[id], r.all))
		passages.WriteString("\n\n" + r.outside("passages", r.show(chosen)))
		if err := k.recordShown(&r, false); err != nil {
			return "", err
		}
	}
	if passages.Len() == 0 {
		return "", nil
	}
	section := ""
	for _, l := range all {
		if l.Section != section {
			section = l.Section
			fmt.Fprintf(&said, "%s:\n", section)
		}
		fmt.Fprintf(&said, "- [%s.%d] %s\n", l.Source, l.Block, l.Why)
	}
	// the editor read pages
	list := agent.Outside("material", strings.TrimSpace(said.String()), "what", "an editor's list")
	return fmt.Sprintf("An editor compared %s with its sources. What they say and it does not, though its "+
		"reader may need it:\n\n%s\n\nLook at each passage below. What holds goes in at its place, in a few "+
		"words, with its citation, or mends what is wrong there; leave out what changes nothing for the "+
		"reader. Then end again.%s", file, list, passages.String()), nil
}

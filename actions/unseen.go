package actions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// mostUnseen is how much is shown at once of what nobody was shown, in tokens, and mostDefined how much
	// of that is definitions.
	mostUnseen, mostDefined = 3000, 1600
	// beside is how far from a cited block, in blocks, others are looked at. In ten researches a fifth of
	// what was shown by this and by qualifying was cited in the end, and a fortieth of the rest.
	beside = 3
)

// qualifying finds words by which a text says what holds for something, and when it does not.
var qualifying = regexp.MustCompile(`(?i)\b(?:note|tip|warning|caution|important|defaults?|maximum|minimum|` +
	`limits?|unless|except|only|must|never|cannot|required|deprecated|recommended|otherwise)\b|` +
	`注意|警告|默认|缺省|最多|至少|上限|除非|例外|必须|不能|仅限|建议|弃用`)

// correcting finds words by which the definition of a name takes back what is said of it elsewhere.
var correcting = regexp.MustCompile(`(?i)\b(?:no longer|(?:always|silently|is|are) ignored|obsolete|deprecated|superseded|replaced by|` +
	`has no effect|have no effect|not supported|incompatible|overrid(?:es|den)|as of [\w ]{0,20}\d|starting with [\w ]{0,20}\d|prior to [\w ]{0,20}\d)\b|` +
	`不再|弃用|废弃|会被忽略|被忽略|无效|不支持|取代|自 ?[\w. ]{1,20}起`)

// Unseen names blocks of a source, as a call of visit_url does: "3, 7-9".
type Unseen struct {
	Source string `json:"source"` // its id
	Blocks string `json:"blocks"`
}

// Unseen picks passages that no model was shown from the sources that a text cites: those that correct what
// a name of the text means, and those near a cited block that qualify something. A reader picks what it is
// asked for, and nobody asks for an exception that they do not know of. file is the chapter whose
// researcher has to have been shown the source, "" for the researcher of the whole; room is how many tokens
// there are. Of a source of which it is not on record what was shown there is none.
func (k Kit) Unseen(text, file string, room int) (all []Unseen) {
	sources, names := k.cited(text, file), codeNames(text)
	picked := make([][]block.Block, len(sources))
	pick := func(most int, wants func(c citing, i int) bool) (used int) {
		for n, c := range sources {
			for i, b := range c.blocks {
				cost := costOf(c.blocks[i:i+1]) + headingTokens
				if len(c.seen) > 0 && !c.seen[b.N] && used+cost <= most && b.Kind != block.Code && // a sample
					wants(c, i) {
					picked[n], used = append(picked[n], b), used+cost
				}
			}
		}
		return used
	}
	corrects := func(c citing, i int) bool {
		return names[defined(c.blocks[i])] && correcting.MatchString(c.blocks[i].Text)
	}
	most := min(mostUnseen, room/2)
	most -= pick(min(mostDefined, most), corrects)
	pick(most, func(c citing, i int) bool {
		return qualifying.MatchString(c.blocks[i].Text) && c.citesBeside(i) && !corrects(c, i)
	})
	for n, c := range sources {
		if len(picked[n]) > 0 {
			all = append(all, Unseen{c.source.ID, spans(inOrder(picked[n]))})
		}
	}
	return all
}

var (
	inCode    = regexp.MustCompile("`([^`\n]{2,80})`")
	firstName = regexp.MustCompile(`^[\s*` + "`" + `]*([-\w.$:]*\w)`)
)

// codeNames are the names that a text has in code type.
func codeNames(text string) map[string]bool {
	names := map[string]bool{}
	for _, m := range inCode.FindAllStringSubmatch(text, -1) {
		if name := firstName.FindStringSubmatch(m[1]); name != nil {
			names[name[1]] = true
		}
	}
	return names
}

// defined is the name that a block defines, or helps to define; "" for none.
func defined(b block.Block) string {
	if name := firstName.FindStringSubmatch(b.Defines()); name != nil {
		return name[1]
	}
	return ""
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
	return "Nobody was shown these passages. They stand beside those that you cite, or define what you " +
		"name. A default, limit, exception or warning among them that the reader needs, or that " +
		"corrects what you wrote, goes in at its place, with its citation; leave the rest. Then end " +
		"again." + out.String(), nil
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

// citesBeside reports whether a block near another is cited, under the same headings and of the same
// definition.
func (c citing) citesBeside(i int) bool {
	near := c.blocks[max(0, i-beside):min(len(c.blocks), i+beside+1)]
	return slices.ContainsFunc(near, func(b block.Block) bool {
		return c.cites[b.N] && section(b) == section(c.blocks[i]) && defined(b) == defined(c.blocks[i])
	})
}

// section is what the headings above a block come to.
func section(b block.Block) string { return strings.Join(b.Headings, "\n") }

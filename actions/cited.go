package actions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// beside is how far from a cited block, in blocks, unshown blocks are considered.
const beside = 3

var (
	inCode     = regexp.MustCompile("`([^`\n]{2,80})`")
	sampleName = regexp.MustCompile(`\w+(?:[-_.]\w+)+|\pL*\p{Ll}\p{Lu}\w*|\w{9,}`)
	firstName  = regexp.MustCompile(`^[\s*` + "`" + `]*([-\w.$:]*\w)`)
)

// codeNames returns the names that a text sets in code type.
func codeNames(text string) map[string]bool {
	names := map[string]bool{}
	for _, m := range inCode.FindAllStringSubmatch(text, -1) {
		if name := firstName.FindStringSubmatch(m[1]); name != nil {
			names[name[1]] = true
		}
	}
	return names
}

// sampleNames returns possible names of settings and calls in a text's code blocks: compound words, or long
// ones.
func sampleNames(text string) map[string]bool {
	names := map[string]bool{}
	for _, b := range block.Split(text) {
		if b.Kind == block.Code {
			for _, name := range sampleName.FindAllString(b.Text, -1) {
				names[name] = true
			}
		}
	}
	return names
}

// defined returns the name that a block defines, or helps to define; "" for none.
func defined(b block.Block) string {
	if name := firstName.FindStringSubmatch(b.Defines()); name != nil {
		return name[1]
	}
	return ""
}

// read returns a source as it was read.
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

// cited returns the sources of a text, in the order in which it cites them.
func (k Kit) cited(text, file string) (all []citing) {
	cites := workspace.CitedBlocks(text)
	for _, id := range workspace.Cited(text) {
		if r, ok := k.read(id); ok && k.Workspace.WasShown(file, id) {
			all = append(all, citing{r, cites[id]})
		}
	}
	return all
}

// citesBeside reports whether a block near block i, under the same headings and of the same definition, is
// cited.
func (c citing) citesBeside(i int) bool {
	near := c.blocks[max(0, i-beside):min(len(c.blocks), i+beside+1)]
	return slices.ContainsFunc(near, func(b block.Block) bool {
		return c.cites[b.N] && section(b) == section(c.blocks[i]) && defined(b) == defined(c.blocks[i])
	})
}

// section identifies the headings above a block.
func section(b block.Block) string { return strings.Join(b.Headings, "\n") }

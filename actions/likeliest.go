package actions

import (
	"slices"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// wholePage is the length up to which a page is shown whole, in tokens. Of a longer page only the
	// sections that match the focus best are shown.
	wholePage = 8_000
	// sectionTokens is the size of the sections that such a page is divided into, in tokens.
	sectionTokens = 400
	// mostMentions is how many sections are shown for a name that nothing on the page defines.
	mostMentions = 3
)

// likeliest divides a long page into the blocks that the reader is shown, at most so many tokens, and the
// runs of blocks that are left out. Shown are the first section, which says what the page is, then those that
// define a name in the focus, then those under a heading whose words are all in the focus, then those that
// match the focus best. A page of which at most a third would be hidden is shown whole.
func likeliest(blocks []block.Block, focus string, most int) (likely []block.Block, unread [][]block.Block) {
	whole := costOf(blocks)
	if whole <= min(most, wholePage) {
		return blocks, nil
	}
	c := choice{sections: split(blocks, min(most, sectionTokens))}
	c.texts, c.read = make([]string, len(c.sections)), make([]bool, len(c.sections))
	for i, section := range c.sections {
		c.texts[i] = block.Show("", section)
	}
	c.defined(namesIn(focus), most)
	c.asked(focus, most/2)
	for i := range words.Spread(focus, c.texts, c.taken) {
		c.take(i, most)
	}
	if whole <= most && c.tokens >= whole-whole/3 {
		return blocks, nil
	}
	for i, section := range c.sections {
		switch {
		case c.read[i]:
			likely = append(likely, section...)
		case i > 0 && !c.read[i-1]:
			unread[len(unread)-1] = append(unread[len(unread)-1], section...)
		default:
			unread = append(unread, slices.Clone(section))
		}
	}
	return likely, unread
}

// choice records which sections of a page the reader is shown.
type choice struct {
	sections [][]block.Block
	texts    []string // of the sections
	read     []bool
	taken    []int // those that are read, in the order they were taken
	tokens   int   // of these
}

// take marks a section as read if the total stays within most tokens. The first section always is.
func (c *choice) take(i, most int) bool {
	cost := costOf(c.sections[i])
	if !c.read[i] && (i == 0 || c.tokens+cost <= most) {
		c.read[i], c.taken, c.tokens = true, append(c.taken, i), c.tokens+cost
	}
	return c.read[i]
}

// defined takes the sections that define names, by a term or by the heading above. For a name that nothing
// defines, it takes the first sections that mention it.
func (c *choice) defined(names []name, most int) {
	c.take(0, most)
	known := make([]bool, len(names))
	for i, section := range c.sections {
		for _, b := range section {
			for n, name := range names {
				if slices.ContainsFunc(subjects(b), name.in) {
					known[n] = c.take(i, most) || known[n]
				}
			}
		}
	}
	for n, name := range names {
		mentions := 0
		for i := 0; i < len(c.texts) && !known[n] && mentions < mostMentions; i++ {
			if name.in(c.texts[i]) && c.take(i, most) {
				mentions++
			}
		}
	}
}

// asked takes the sections whose term or heading occurs in the focus with all its words.
func (c *choice) asked(focus string, most int) {
	plain := words.Plain(focus)
	asks := func(subject string) bool {
		terms := words.Terms(subject)
		return len(terms) > 0 && len(words.Sightings(plain, terms)) == len(terms)
	}
	for i, section := range c.sections {
		if slices.ContainsFunc(section, func(b block.Block) bool {
			return slices.ContainsFunc(subjects(b), asks)
		}) {
			c.take(i, most)
		}
	}
}

// subjects returns the names that a block may define: its own term, the term whose definition it is part of,
// and the heading right above it.
func subjects(b block.Block) (all []string) {
	all = append(all, b.Defines(), b.Term)
	if n := len(b.Headings); n > 0 {
		all = append(all, b.Headings[n-1])
	}
	all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
	for i, s := range all {
		all[i] = prose.OneLine(unmarked(s))
	}
	return slices.Compact(all)
}

package actions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// excerptRun is how many words, or Chinese characters, in a row are looked for together: fewer stand
	// anywhere.
	excerptRun = 3
	// excerptShare is which part of an excerpt's runs a part must hold, one in so many. Links and marks in
	// the page break some that stand there, and what a search service writes in words of its own has hardly
	// any.
	excerptShare = 3
)

// columnName finds the names of columns, with which the excerpt of a table has its cells.
var columnName = regexp.MustCompile(`(?:^|; )[^:;]{1,60}: `)

// opening is which part of a page a visit asks for.
type opening struct {
	part    int    // from 1; 0 is none
	excerpt string // what a search showed of the page, or ""
	place   string // what the address names behind its #, or ""
}

// in is the number of the part: the one that was asked for, otherwise the one with the place that the address
// names, with the most of the excerpt, or the first.
func (o opening) in(parts [][]block.Block) int {
	if o.part > 0 {
		return o.part
	}
	if at := slices.IndexFunc(parts, o.hasPlace); at >= 0 {
		return at + 1
	}
	wanted := threes(columnName.ReplaceAllString(o.excerpt, "; "))
	best, most := 1, (len(wanted)-1)/excerptShare
	if len(parts) == 1 || len(wanted) == 0 {
		return best
	}
	for i, part := range parts {
		held, there := 0, threes(block.Show("", part))
		for run := range wanted {
			if there[run] {
				held++
			}
		}
		if held > most {
			best, most = i+1, held
		}
	}
	return best
}

// hasPlace reports whether a part has the heading or the definition that the address names.
func (o opening) hasPlace(part []block.Block) bool {
	slug := prose.Slug(o.place)
	return slug != "" && slices.ContainsFunc(part, func(b block.Block) bool {
		heading := ""
		if n := len(b.Headings); n > 0 {
			heading = b.Headings[n-1]
		}
		return strings.EqualFold(defined(b), o.place) || prose.Slug(heading) == slug
	})
}

// threes are the words of a text in threes, whatever marks and spaces are between them.
func threes(text string) map[string]bool {
	words := prose.Words(text)
	found := map[string]bool{}
	for i := range len(words) - excerptRun + 1 {
		found[strings.Join(words[i:i+excerptRun], " ")] = true
	}
	return found
}

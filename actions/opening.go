package actions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// excerptRun is how many words, or Chinese characters, in a row are searched for together: shorter runs
	// occur anywhere.
	excerptRun = 3
	// excerptShare: a part must contain one in so many of an excerpt's runs. Links and marks in the page
	// break some runs, and an excerpt that a search service wrote in its own words has hardly any in common.
	excerptShare = 3
)

// columnName matches the column names that precede the cells in an excerpt of a table.
var columnName = regexp.MustCompile(`(?:^|; )[^:;]{1,60}: `)

// opening says which part of a page a visit asks for.
type opening struct {
	part    int    // from 1; 0 is none
	excerpt string // what a search showed of the page, or ""
	place   string // the fragment after the # of the address, or ""
}

// in returns the number of a part: the one asked for, otherwise the one with the place that the address
// names, otherwise the one with the most of the excerpt, otherwise the first.
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

var firstName = regexp.MustCompile(`^[\s*` + "`" + `]*([-\w.$:]*\w)`)

// defined returns the name that a block defines, or helps to define; "" for none.
func defined(b block.Block) string {
	if name := firstName.FindStringSubmatch(b.Defines()); name != nil {
		return name[1]
	}
	return ""
}

// threes returns every three consecutive words of a text, ignoring the marks and spaces between them.
func threes(text string) map[string]bool {
	words := prose.Words(text)
	found := map[string]bool{}
	for i := range len(words) - excerptRun + 1 {
		found[strings.Join(words[i:i+excerptRun], " ")] = true
	}
	return found
}

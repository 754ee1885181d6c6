package markup

import (
	"strings"

	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
)

// leastRecurring is how often a heading must occur on a page to count as a label inside others.
const leastRecurring = 3

// levelsOf returns the levels of headings whose tags are misleading. A heading that recurs, each time right
// below a deeper one, belongs to that: manuals put "Types" as h3 into the entry of each function, which has
// an h4, so that what follows would belong to no function.
func levelsOf(root *html.Node) map[*html.Node]int {
	type heading struct {
		node *html.Node
		text string
	}
	var all []heading
	for n := range root.Descendants() {
		if tree.IsHeading(n.DataAtom) {
			all = append(all, heading{n, strings.TrimSpace(tree.Text(n, 100))})
		}
	}
	below := map[string]int{} // how often right after a deeper one
	count := map[string]int{}
	for i, h := range all {
		count[h.text]++
		if i > 0 && all[i-1].node.Data > h.node.Data {
			below[h.text]++
		}
	}
	levels := map[*html.Node]int{}
	for i, h := range all {
		if count[h.text] >= leastRecurring && below[h.text] == count[h.text] {
			levels[h.node] = min(levelOf(all[i-1].node)+1, 6)
		}
	}
	return levels
}

// levelOf returns the level of a heading by its tag.
func levelOf(n *html.Node) int { return int(n.Data[1] - '0') }

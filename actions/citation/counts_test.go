package citation_test

import (
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
)

// A number in words is compared where the block counts the same otherwise.
func TestANumberInWordsIsCompared(t *testing.T) {
	for claim, c := range map[string]struct{ block, missing string }{
		"It was tested on five nodes":             {"They tested it on four nodes.", "five nodes"},
		"It ran on Five worker nodes":             {"It ran on 4 worker nodes.", "Five worker nodes"},
		"It needs three masters and five workers": {"Three masters, and four workers.", "five workers"},
		"It took six days":                        {"They did it in 5 days.", "six days"},
		"Seven people voted":                      {"Eight people voted.", "Seven people"},
		"Nethold won the vote four to two":        {"The vote: Nethold 4, Hetzner 1.", "four to two"},
		"They won four to one":                    {"It ended 5–1 for them.", "four to one"},
		"They lost five to three":                 {"They lost 4–1.", "five to three"},
		"它在五个节点上测试":                               {"整夜在四个节点上测试。", "五个节点"},
		"一共用了六天":                                  {"一共用了5天。", "六天"},
		"It ran on four nodes":                    {"It ran on 4 nodes, no more.", ""},
		"It ran on 4 nodes":                       {"It ran on four nodes, no more.", ""},
		"It took two weeks":                       {"It took 14 days, not three weeks.", ""},
		"Nethold won four to one":                 {"The vote: Nethold 4, Hetzner 1.", ""},
		"It fell from four to two":                {"It was four, then three.", ""},
		"They won four to two":                    {"Six voted, four of them for Nethold.", ""},
		"改期的保留两年":                                 {"改期的保留一年。", "两年"},
		"改期的保留一年":                                 {"改期的保留两年。", ""},
		"要收三成房费":                                  {"收两成房费。", "三成"},
		"它在四个节点上测试":                               {"整夜在 4 个节点上测试。", ""},
		"It has a two-factor, twofold lock":       {"It has three factors and four locks.", ""},
		"One of the two nodes failed":             {"There are three nodes.", ""},
		"In two steps it is set up":               {"There are three steps.", ""},
		"Two nodes failed: alpha and beta":        {"Of four nodes, alpha and beta failed.", ""},
		"At least two nodes are needed":           {"Four nodes are needed.", ""},
		"Two to three nodes are needed":           {"Four nodes are needed.", ""},
		"Two nodes are needed":                    {"At least three nodes are needed.", ""},
		"Eight nodes took part":                   {"There were four nodes here and four nodes there.", ""},
		"Two nodes are left":                      {"There are five nodes, and three nodes failed.", ""},
		"Two nodes hold data":                     {"There are four nodes, of which two hold data.", ""},
		"Two disks failed":                        {"Four nodes failed.", ""},
		"Two failed":                              {"Four failed.", ""},
		"Two thirds of the nodes are enough":      {"One third, at best two fourths.", ""},
		"有两个原因":                                   {"有三个原因。", ""},
		"至少两个节点":                                  {"四个节点就够。", ""},
		"第二个节点坏了":                                 {"四个节点都坏了。", ""},
	} {
		result := citation.Check(t.Context(), claim+" [s1.1].", lookupIn(source("s1", "html", c.block)))
		want := []string(nil)
		if c.missing != "" {
			want = []string{c.missing}
			assert.Equal(t, citation.FigureMissing, result.Findings[0].Verdict, claim)
		}
		assert.Equal(t, want, result.Findings[0].Missing, "%s: %s", claim, c.block)
	}
}

// What another block, or the question, counts so is no fault.
func TestANumberInWordsMayBeBeside(t *testing.T) {
	s := source("s1", "html", "There are four nodes.\n\nFive nodes are new.\n\nSix nodes are not.")
	s.Asked = "Why do seven nodes fail?"
	for claim, missing := range map[string]int{"Five nodes [s1.1].": 0, "Six nodes [s1.1].": 1,
		"Six nodes [s1.1] [s1.3].": 0, "Seven nodes [s1.1].": 0, "Six nodes [s1].": 0} {
		result := citation.Check(t.Context(), claim, lookupIn(s))
		assert.Equal(t, missing, result.Count(citation.FigureMissing), claim)
	}
}

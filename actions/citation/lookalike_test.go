package citation_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
)

func TestWhatLooksLikeACitation(t *testing.T) {
	for name, c := range map[string]struct{ report, want string }{
		"round brackets": {"It rose.\nIt fell (s1). （s2） Then (s2, s1).",
			"2 (s1)=[s1] （s2）=[s2] (s2, s1)=[s2, s1]"},
		"a number":   {"It fell [1]. 下降[2]。", "1 [1]=[s1] [2]=[s2]"},
		"a footnote": {"It fell.[^s1]", "1 [^s1]=[s1]"},
		"a word": {"It fell [source s1], [Source: s2], [来源 s1], (来源：s2).",
			"1 [source s1]=[s1] [Source: s2]=[s2] [来源 s1]=[s1] (来源：s2)=[s2]"},
		"once for a line": {"It fell (s1), (s1).\n\nAnd (s1).", "1 (s1)=[s1]; 3 (s1)=[s1]"},
		"in a table and a list": {"| a | b |\n|---|---|\n| x | (s1) |\n\n- y (s2)\n",
			"3 (s1)=[s1]; 5 (s2)=[s2]"},
		"citations": {
			"It fell [s1], [S2], 【s1】, ［s2］, [ s1 ], (see [s1]), [s1, p. 4], [s1](Sources/s01.md).", ""},
		"no such source":  {"It fell (s9), [9], [^s9], [source s9], (s1, s9).", ""},
		"an abbreviation": {"The Simple Storage Service (S1) is one.", ""},
		"code":            {"`f(s1)` and `x[1]`.\n\n```\nf (s1) [1]\n```\n", ""},
		"quotes":          {"He says “as it fell [1] (s1) again” [s2].\n\n> It fell [1].\n\n[s2]", ""},
		"links": {
			"See [1](https://a.example/), [a][1] and [1][b].\n\n[1]: https://b.example/\n", ""},
		"an author's references": {"It fell [1] (s2).\n\n## References\n\n1. A. Miller\n", "1 (s2)=[s2]"},
		"a list without a title": {"It fell [1].\n\n- [1] A. Miller\n", ""},
		"a note of its own":      {"It fell.[^s1]\n\n[^s1]: A. Miller\n", ""},
		"the program's parts": {
			"It fell [s1].\n\n## References {#references}\n\n| (s1) | [1] |\n|---|---|\n", ""},
		"an enumeration": {"It is (1) cheap and (2) good.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, l := range citation.Read(context.Background(), c.report).Lookalikes(
				func(id string) bool { return id == "s1" || id == "s2" }) {
				line := fmt.Sprint(l.Line)
				for i, form := range l.Forms {
					line += " " + form + "=" + l.Write[i]
				}
				got = append(got, line)
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}

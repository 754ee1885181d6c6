package block_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFindLinks(t *testing.T) {
	const defined = "\n\n[there]: https://example.org/there\n"
	for text, want := range map[string]string{
		"See [WAL mode](doc:wal.html#a_(b)) and [the page][there].": "See WAL mode and the page.",
		"[a](b), [c](<d e>), [f](g 'h') and [i](j \"k\").":          "a, c, f and i.",
		"See [the first [s1.2] of](b) all.":                         "See the first [s1.2] of all.",
		"> - See [the\n>   page](b)\n>   and [more](c)\n>   there": "> - See the\n>   page\n" +
			">   and more\n>   there",
		"请看[预写日志](wal.html \"标题\")和[那里][there]。": "请看预写日志和那里。",
		"<b>[a](b)</b> and [`m[i]`](c)":          "<b>a</b> and `m[i]`",
		"[![a tide](tide.png)](b)":               "![a tide](tide.png)",
		"A [tide][] and [there][].":              "A [tide][] and there.",

		"Write `m[i][j]`, ``slices.Sort[T](x)`` and `f[there][there]`.": "",
		"Half-open [0,1](a, b, c), [1][2], [there] and f[i](x y).":      "",
		`An escaped \[i\](x), \[i](x) and [i\](x).`:                     "",
		"![a tide](tide.png) and ![another][there]":                     "",
		"<https://example.org/[a](b)> and <a href='[a](b)'>":            "",
		"```go\nm[i](x) = [a](b)\n```":                                  "",
		"Not [closed](there":                                            "",
	} {
		if want == "" {
			want = text
		}
		all := block.Split(text + defined)
		got := block.FindLinks(text + defined).Block(all[0])
		assert.Equal(t, want, got.Text, text)
	}
}

func TestLinksAboveABlock(t *testing.T) {
	const text = "# [Tides](t.html) of `m[i](x)`\n\n| [A](a) | B |\n|---|---|\n| [c](d) | `e[f](g)` |\n" +
		"| h | i |\n"
	links, all := block.FindLinks(text), block.Split(text)
	for i, want := range []string{"| c | `e[f](g)` |", "| h | i |"} {
		b := links.Block(all[i])
		assert.Equal(t, []string{"Tides of `m[i](x)`"}, b.Headings)
		assert.Equal(t, "| A | B |\n|---|---|", b.Head)
		assert.Equal(t, want, b.Text)
	}
	assert.Equal(t, "|  | `e[f](g)` |", links.Rest(all[0]))
	assert.Equal(t, []string{"[Tides](t.html) of `m[i](x)`"}, all[0].Headings, "the block itself stays")
}

// Code that a long block is divided in is code in each of its pieces.
func TestALinkInCodeThatIsDivided(t *testing.T) {
	text := strings.Repeat("Words of some length. ", 50) + "`" + strings.Repeat("m[i](x). ", 20) +
		"` and [a link](b)."
	links, all := block.FindLinks(text), block.Split(text)
	require.Len(t, all, 2)
	assert.Equal(t, all[0].Text, links.Block(all[0]).Text)
	assert.Equal(t, strings.Replace(all[1].Text, "[a link](b)", "a link", 1), links.Block(all[1]).Text)
}

func TestLinksOfTwiceTheTextAreTwiceTheWork(t *testing.T) {
	for _, unit := range []string{"[a](b) ", "[a](b)\n\n", "[", "]", "[a][b]", "`[a](b)", "![", "# [a](b)\n",
		"|[a](b)\n|-\n", "[a]: b\n"} {
		t.Run(unit, func(t *testing.T) {
			agenttest.RequireLinear(t, 128<<10, agenttest.Repeated(unit), func(text string) {
				links := block.FindLinks(text)
				for _, b := range block.Split(text) {
					links.Block(b)
				}
			})
		})
	}
}

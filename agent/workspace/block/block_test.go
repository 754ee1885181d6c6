package block_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sample = `# Guide

Intro text over
two lines.

## Modes

| Mode | Meaning |
| --- | --- |
| PASSIVE | Does as much as it can |
| FULL | Waits for writers |

- first item
  goes on
  - below it
- second item

  with a paragraph

> A quoted paragraph.

` + "```sql\nPRAGMA wal_checkpoint;\n\nSELECT 1;\n```" + `

<!-- page 2 -->

### Details

Last words.

[1]: https://example.org/a
`

func TestSplit(t *testing.T) {
	blocks := block.Split(sample)
	var got []string
	for i, b := range blocks {
		assert.Equal(t, i+1, b.N)
		assert.Equal(t, b.Text, sample[b.Start:b.End])
		got = append(got, fmt.Sprintf("%d %d %s|%s", b.Kind, b.Page, strings.Join(b.Headings, ">"), b.Text))
	}
	assert.Equal(t, []string{
		"0 0 Guide|Intro text over\ntwo lines.",
		"2 0 Guide>Modes|| PASSIVE | Does as much as it can |",
		"2 0 Guide>Modes|| FULL | Waits for writers |",
		"1 0 Guide>Modes|- first item\n  goes on",
		"1 0 Guide>Modes|  - below it",
		"1 0 Guide>Modes|- second item",
		"0 0 Guide>Modes|  with a paragraph",
		"0 0 Guide>Modes|> A quoted paragraph.",
		"3 0 Guide>Modes|```sql\nPRAGMA wal_checkpoint;\n\nSELECT 1;\n```",
		"0 2 Guide>Modes>Details|Last words.",
		"4 2 Guide>Modes>Details|[1]: https://example.org/a",
	}, got)
	assert.Equal(t, "| Mode | Meaning |\n| --- | --- |", blocks[1].Head)
}

func TestAHeadingWithNothingUnderIt(t *testing.T) {
	var got []string
	for _, b := range block.Split("# A\n\n## B\n\n## C\n\nText.\n\n# D\n\n- one\n\n### E\n") {
		got = append(got, strings.Join(b.Headings, ">")+"|"+b.Text)
	}
	assert.Equal(t, []string{"A|## B", "A>C|Text.", "D|- one", "D|### E"}, got)
}

// A text that would take its parser too long loses its structure and none of its words.
func TestATextOverTheBudgetKeepsItsWords(t *testing.T) {
	text := strings.Repeat(strings.Repeat("> ", 300)+"words of a quote\n", 300)
	count := 0
	for _, b := range block.Split(text) {
		assert.LessOrEqual(t, len(b.Text), block.MaxLength)
		count += strings.Count(b.Text, "quote")
	}
	assert.Equal(t, 300, count)
}

func TestALongBlockIsDivided(t *testing.T) {
	for name, text := range map[string]string{
		"English": strings.Repeat("A sentence of some words stands here. ", 100),
		"Chinese": strings.Repeat("这里是一个有几个词的句子。", 200),
		"no stop": strings.Repeat("word ", 1000),
		"no gap":  strings.Repeat("字", 3000),
		"code":    "```\n" + strings.Repeat("line of code\nanother\n\n", 200) + "```",
	} {
		t.Run(name, func(t *testing.T) {
			blocks := block.Split(text)
			require.Greater(t, len(blocks), 1)
			for i, b := range blocks {
				assert.LessOrEqual(t, len(b.Text), block.MaxLength)
				assert.Equal(t, i > 0, b.Goes)
				assert.True(t, utf8.ValidString(b.Text))
			}
			if name == "English" || name == "Chinese" {
				assert.True(t, strings.HasSuffix(blocks[0].Text, ".") ||
					strings.HasSuffix(blocks[0].Text, "。"))
			}
		})
	}
}

// FuzzSplit holds that no word is lost but headings, heads of tables and comments, that blocks do not
// overlap, and that a text gets the same numbers each time.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{
		sample, strings.Repeat("- ", 200) + "x", strings.Repeat(">", 500) + "a\n| a |\n| - |\n| b |",
		"```\nopen",
		"| | |\n| - | - |\n| | x |", "- | a |\n  | - |\n  | b |", "a\r\n\r\n- b\r\n",
		"<div>\nx\n</div>\n\n<!-- a\nb", "\x00\xff|\n-|\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		blocks, end := block.Split(text), 0
		for i, b := range blocks {
			require.Equal(t, i+1, b.N)
			require.GreaterOrEqual(t, b.Start, end)
			require.LessOrEqual(t, len(b.Text), block.MaxLength)
			require.Equal(t, text[b.Start:b.End], b.Text)
			require.NotEmpty(t, strings.TrimSpace(b.Text))
			end = b.End
		}
		require.Equal(t, blocks, block.Split(text))
	})
}

func TestTimeGrowsWithTheText(t *testing.T) {
	for name, unit := range map[string]string{"quotes": "> > > > > > a\n", "lists": "- - - - b\n",
		"rows": "| a | b |\n| - | - |\n| c | d |\n", "brackets": "![a](", "a fixed link": "]: 00\n",
		"ticks": "`", "words": "word "} {
		t.Run(name, func(t *testing.T) {
			bomb := agenttest.Bomb{Name: name,
				Make: func(size int) string { return strings.Repeat(unit, size/len(unit)) }}
			agenttest.RequireLinear(t, 200_000, bomb, func(text string) { block.Split(text) })
		})
	}
}

func TestShow(t *testing.T) {
	blocks := block.Split(sample)
	assert.Equal(t, `# Guide
## Modes
| Mode | Meaning |
| --- | --- |
[s5.2] | PASSIVE | Does as much as it can |
[s5.3] | FULL | Waits for writers |
[s5.4] - first item
  goes on
…
### Details
(page 2)
[s5.10] Last words.`, block.Show("s5", append(blocks[1:4:4], blocks[9])))
	assert.Equal(t, "# Guide\n[1] Intro text over\ntwo lines.", block.Show("", blocks[:1]))
}

// A table may do without the marks at its sides; what is shown of it is told from prose all the same.
func TestShowBeginsEachRowWithItsMark(t *testing.T) {
	const text = "Crop\t| Harvest\n----|----\nLeeks\t| October\n| Kale | May |\n\n> A | B\n> --|--\n> 1 | 2\n"
	assert.Equal(t, "| Crop\t| Harvest\n| ----|----\n[s1.1] | Leeks\t| October\n[s1.2] | Kale | May |\n"+
		"> A | B\n> --|--\n[s1.3] > 1 | 2", block.Show("s1", block.Split(text)))
}

// Indented lines begin a paragraph, after a blank line too: what follows them is read.
func TestIndentedLinesEndNothing(t *testing.T) {
	for name, text := range map[string]string{
		"a tab":     "It contains\n\n\tMODE=fast\n\nand so on.\n\n## Next\n\nThe end.\n",
		"at first":  "    MODE=fast\n\nIt contains, and so on.\n\n## Next\n\nThe end.\n",
		"in a list": "- It contains\n\n      MODE=fast\n\n- and so on.\n\n## Next\n\nThe end.\n",
		"in quotes": "> It contains\n>\n>     MODE=fast\n\nand so on.\n\n## Next\n\nThe end.\n",
	} {
		blocks := block.Split(text)
		var all []string
		for _, b := range blocks {
			all = append(all, b.Text)
		}
		for _, want := range []string{"It contains", "MODE=fast", "and so on.", "The end."} {
			assert.Contains(t, strings.Join(all, "\n"), want, name)
		}
		require.NotEmpty(t, blocks)
		assert.Equal(t, []string{"Next"}, blocks[len(blocks)-1].Headings, name)
	}
}

// A line without a bar right below a table is a sentence about it, and has its number all the same.
func TestALineBelowATableIsNoRow(t *testing.T) {
	blocks := block.Split("|锅温|结果|\n|---|---|\n|240℃|青气|\n|265℃|最好|\n" +
		"结论：用中间一档。\n\n下一段。\n")
	require.Len(t, blocks, 4)
	assert.Equal(t, block.Row, blocks[1].Kind)
	assert.Equal(t, block.Paragraph, blocks[2].Kind)
	assert.Empty(t, blocks[2].Head)
	assert.Equal(t, "结论：用中间一档。", blocks[2].Text)
}

// A paragraph that a line below it makes a heading is shown above each block, so it is not endless.
func TestAHeadingIsNotEndless(t *testing.T) {
	blocks := block.Split(strings.Repeat("many words\n", 1000) + "=====\n\nText.\n")
	require.Len(t, blocks, 1)
	assert.Equal(t, []string{strings.Repeat("many words ", 17) + "many words…"}, blocks[0].Headings)
}

package block_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

func nothing(string, bool) bool { return false }

func TestKeep(t *testing.T) {
	web := func(address string, isPicture bool) bool {
		return strings.HasPrefix(address, "https://") &&
			!isPicture
	}
	for markdown, want := range map[string]string{
		"See [a](https://a.test), [b](b.md) and ![c](https://c.test).": "See [a](https://a.test), b and c.",
		"<https://a.test> <javascript:b> <ann@a.test>": "<https://a.test> " +
			"&lt;javascript:b> <ann@a.test>",
		"H<sub>2</sub>O<br>and <!-- page 3 --> <b>bold</b>": "H<sub>2</sub>O<br>and <!-- page 3 --> " +
			"&lt;b>bold&lt;/b>",
		"<!-- page 3 -->\n\nWords.": "<!-- page 3 -->\n\nWords.",
		"<!-- a --><img src=b>":     "<!-- a -->&lt;img src=b>",
		"`<img>` a < b, p <0.05 and \\<img>\n\n```\n<img>\n```\n": "`<img>` a < b, p <0.05 and \\<img>\n" +
			"\n```\n<img>\n```\n",
		"a \\\\<img> \\\\\\<img>": "a \\\\&lt;img> \\\\\\<img>",
		"<a href='![b](c)'>":      "&lt;a href='b'>",
		"<div>\n![b](c)\n</div>":  "&lt;div>\nb\n&lt;/div>",
	} {
		assert.Equal(t, want, block.Keep(markdown, web), markdown)
	}
}

// Viewers differ in what is code, and in what they have besides CommonMark: what one takes for text another
// fetches. The control: by the parser of blocks, which knows no indented code, and without footnotes there is
// nothing.
func TestKeepIsReadAlikeByViewers(t *testing.T) {
	for _, hostile := range []string{
		"Words.\n\n    `a\n<img src=https://spy.test>\n`\n",
		"| a | b |\n|---|---|\n| `a | <img src=https://spy.test> ` |\n",
		"a[^n]\n\n[^n]: <img src=https://spy.test>\n",
		"a[^n]\n\n[^n]: ![](https://spy.test)\n",
		"[^n]: x\n    ![](https://spy.test)\n\na[^n]",
		// a backslash escapes nothing in a block of HTML
		`<!-- x -->\<img src=https://spy.test>`,
		"<kbd>\n\\<img src=https://spy.test>\n",
		"> <br>\n> \\\\\\<img src=https://spy.test>\n",
		"- <sub>\n  \\<img src=https://spy.test>\n",
	} {
		kept := block.Keep(hostile, nothing)
		gfm := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote),
			goldmark.WithRendererOptions(html.WithUnsafe()))
		common := goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe()))
		leaks := 0
		for _, viewer := range []goldmark.Markdown{gfm, common} {
			var out, control bytes.Buffer
			require.NoError(t, viewer.Convert([]byte(kept), &out))
			assert.NotContains(t, out.String(), "<img", hostile)
			require.NoError(t, viewer.Convert([]byte(hostile), &control))
			leaks += strings.Count(control.String(), "<img")
		}
		assert.Positive(t, leaks, "the control: %s", hostile)
	}
}

func TestKeepingTwiceTheTextIsTwiceTheWork(t *testing.T) {
	for _, unit := range []string{"[a](b) ", "<b>", "<", "![a](b)\n\n", "<!--", "\\<", "\\", "[^a]: b\n\n",
		"<div>\n", "[<a:b>"} {
		t.Run(unit, func(t *testing.T) {
			agenttest.RequireLinear(t, 64<<10, agenttest.Repeated(unit),
				func(text string) { block.Keep(text, nothing) })
		})
	}
}

// Of a text with more than anybody reads no link is kept that nobody looked at. The control: the text itself
// has them, for a reader of Markdown other than ours.
func TestKeepOfATextOverTheBudget(t *testing.T) {
	const hostile = "[run](javascript:alert(1)) ![seen](https://spy.test/p.png) <javascript:alert(2)>\n"
	for name, before := range map[string]string{
		"links of one paragraph":    strings.Repeat("[a](b) ", 4000),
		"a paragraph before":        strings.Repeat("[a](b) ", 4000) + "\n\n",
		"a text that is too long":   strings.Repeat("Words.\n\n", 300_000),
		"a fence that would end it": strings.Repeat("[a](b) ", 4000) + "\n\n````\n```\n````\n\n~~~\n~~~\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			kept := block.Keep(before+hostile, nothing)
			assert.Empty(t, destinations(kept))
			assert.Contains(t, kept, before+hostile, "nothing of the text is lost")
			assert.Subset(t, destinations(before+hostile),
				[]string{"javascript:alert(1)", "https://spy.test/p.png", "javascript:alert(2)"})
		})
	}
	assert.Equal(t, "run seen &lt;javascript:alert(2)>\n", block.Keep(hostile, nothing))
}

// destinations are where the links and pictures of a text lead.
func destinations(markdown string) (all []string) {
	source := []byte(markdown)
	_ = ast.Walk(goldmark.New().Parser().Parse(text.NewReader(source)),
		func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch n := n.(type) {
			case *ast.Link:
				all = append(all, string(n.Destination))
			case *ast.Image:
				all = append(all, string(n.Destination))
			case *ast.AutoLink:
				all = append(all, string(n.URL(source)))
			}
			return ast.WalkContinue, nil
		})
	return all
}

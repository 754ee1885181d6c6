package gate_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

func TestTidyPutsBlankLinesWhereTheyBelong(t *testing.T) {
	got := gate.Tidy("# A\nText\n- one\n- two\n\n  more\n## B\nCode:\n```go\nx\n```\nand on\n| a | b |\n"+
		"| - | - |\n| 1 | 2 |\n\n~~~\n~~~\nEnd\n", 0)
	assert.Equal(t, "# A\n\nText\n\n- one\n- two\n\n  more\n\n## B\n\nCode:\n\n```go\nx\n```\n\nand on\n"+
		"\n| a | b |\n| - | - |\n| 1 | 2 |\n\n~~~\n~~~\n\nEnd\n", got)
	assert.Equal(t, "# A\r\n\r\nText\r\n\r\n- one\r\n", gate.Tidy("# A\r\nText\r\n- one\r\n", 0),
		"the line ends stay")
	assert.Equal(t, "# A\n\nText\n\nMore\n\n```\na\n\n\nb\n```\n\n\n",
		gate.Tidy("# A\n\n\nText\n\n \n\nMore\n\n\n```\na\n\n\nb\n```\n\n\n", 0), "one between two blocks")
}

func TestTidyWrapsParagraphsAndNothingElse(t *testing.T) {
	long := "The Moon pulls at the water of the seas and so they rise twice a day, which was " +
		"known in Greece. It says so here [s1, s2] and in [a link with words](https://example.org/a/b) or " +
		"`code with blanks` there.\n"
	got := gate.Tidy("# A title that is far longer than the width that was given to it here\n\n"+long+
		"\n- an item that is far longer than the width that was given to it here\n"+
		"\n| a cell that is far longer than the width that was given |\n| --- |\n", 40)
	for line := range strings.Lines(got) {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "-") &&
			!strings.Contains(line, "](") {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSpace(line)), 40, line)
		}
	}
	assert.Contains(t, got, "[s1, s2]")
	assert.Contains(t, got, "[a link with words](https://example.org/a/b)")
	assert.Contains(t, got, "`code with blanks`")
	assert.Contains(t, got, "# A title that is far longer than the width that was given to it here\n")
	assert.Equal(t, strings.Fields("x "+long), strings.Fields("x "+
		strings.Join(strings.Fields(got[strings.Index(got, "The Moon"):strings.Index(got, "- an item")]),
			" ")))
}

func FuzzTidy(f *testing.F) {
	f.Add(good, 40)
	f.Add("a\n- b\n1. c\n\n# d\n```\nx", 3)
	f.Add("| a | b |\n|--|--|\n- x [s1, s2] ![](a b)\n", 10)
	f.Fuzz(func(t *testing.T, text string, width int) {
		if len(text) > 4000 || strings.ContainsAny(text, "\x00\f\v") || !utf8.ValidString(text) {
			return
		}
		tidied := gate.Tidy(text, width%200)
		assert.Equal(t, strings.Fields(text), strings.Fields(tidied), "the words and their order")
		assert.Equal(t, tidied, gate.Tidy(tidied, width%200), "tidied once is tidy")
		assert.Equal(t, shown(t, text), shown(t, tidied))
	})
}

func shown(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(text), &out))
	return strings.Join(strings.Fields(out.String()), " ")
}

func FuzzForm(f *testing.F) {
	f.Add(good)
	f.Add("|\n-|-\n```")
	f.Fuzz(func(t *testing.T, text string) {
		r := report("Why?", text)
		for _, g := range []gate.Gate{gate.Form,
			gate.Length(gate.Profile{Sections: []gate.Section{{Title: "1 A / B", Words: 3}},
				SectionWords: gate.Range{Min: 1}}), gate.Language} {
			g.Refuse(context.Background(), r)
		}
	})
}

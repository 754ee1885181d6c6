package workspace_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/stretchr/testify/assert"
)

func TestOutlineOf(t *testing.T) {
	deep := strings.Repeat("> ", 300)
	for name, c := range map[string]struct {
		text string
		want []markdown.Heading
	}{
		"nothing":               {"", []markdown.Heading{}},
		"words up to the next":  {"# A\n\none two\n\n## B {#b}\n\n三个字\n", []markdown.Heading{{Level: 1, Title: "A", Line: 1, Words: 2}, {Level: 2, Title: "B", ID: "b", Line: 5, Words: 3}}},
		"underlined":            {"A\n=\n\nB\n---\nx\n", []markdown.Heading{{Level: 1, Title: "A", Line: 1}, {Level: 2, Title: "B", Line: 4, Words: 1}}},
		"a mark at the start":   {"\uFEFF# A\r\nx\r\n", []markdown.Heading{{Level: 1, Title: "A", Line: 1, Words: 1}}},
		"none in code":          {"```\n# a\n~~~\n# b\n```\n    # c\n~~~~\n```\n# d\n", []markdown.Heading{}},
		"none in a quote":       {"> # a\n- # b\n", []markdown.Heading{}},
		"none below the deeps":  {deep + "# x\n\n# A\n\n" + deep + "\n", []markdown.Heading{{Level: 1, Title: "A", Line: 3}}},
		"after a reference":     {"[x]: y\n# A\n", []markdown.Heading{{Level: 1, Title: "A", Line: 2}}},
		"marks stay in a title": {"# *A* `b`\n", []markdown.Heading{{Level: 1, Title: "*A* `b`", Line: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, markdown.OutlineOf([]byte(c.text)))
		})
	}
}

// BenchmarkOutline takes texts of 1 MiB on which a parser may take time that grows with the square of their length.
func BenchmarkOutline(b *testing.B) {
	for name, part := range map[string]string{"images": "![](", "quotes": "> ", "lists": "1. ", "emphasis": "a_b*", "lines": "a line\n"} {
		text := []byte(strings.Repeat(part, 1<<20/len(part)))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				markdown.OutlineOf(text)
			}
		})
	}
}

package prose_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

func TestWords(t *testing.T) {
	for text, n := range map[string]int{"": 0, "one two-three, don't": 3, "深度研究": 4,
		"用 Go 写的 3 个程序": 8, "a/b": 2} {
		assert.Equal(t, n, prose.Count(text), text)
	}
	assert.Equal(t, []string{"用", "go", "1", "22", "写", "の", "ö"}, prose.Words("用Go 1.22 写の…Ö!"))
	assert.True(t, prose.IsChinese("Daybook 怎样保存长期研究？"))
	assert.False(t, prose.IsChinese("What does 深 mean?"))
}

func TestLines(t *testing.T) {
	assert.Equal(t, "a b c", prose.OneLine("\ta\n\n b\u3000c "))
	assert.Equal(t, "a", prose.FirstLine("a\nb"))
	assert.Equal(t, "潮汐…", prose.Shorten("潮汐表", 2))
	assert.Equal(t, "潮汐表", prose.Shorten("潮汐表", 3))
}

// A name that is too long ends with a whole word, unless that would leave next to nothing of it.
func TestSlugs(t *testing.T) {
	for title, want := range map[string]string{
		"": "", "…/..": "", "CON: a|b": "con-a-b", "潮汐 & 月球": "潮汐-月球",
		strings.Repeat("a", 50):                            strings.Repeat("a", 40),
		"one two three four five six seven eight nine ten": "one-two-three-four-five-six-seven-eight",
	} {
		assert.Equal(t, want, prose.Slug(title), title)
	}
}

// A title has no pictures in it, as a badge is one, unless it is nothing else.
func TestTitled(t *testing.T) {
	for heading, want := range map[string]string{
		"Mill [![CI](https://ci.test/a.svg)](https://ci.test)":          "Mill",
		"![Logo](a.png) Mill ![b](c.png) <img src='d.png' width=\"3\">": "Mill",
		"[![Mill](a.png)](https://mill.test)":                           "Mill",
		"See [the mill](mill.md)":                                       "See the mill",
		"`![a](b)` and \\![c](d)":                                       "`![a](b)` and \\!c",
		"数据库[日期](时段)":                                                   "数据库\\[日期](时段)",
	} {
		assert.Equal(t, want, prose.Titled(heading), heading)
	}
}

package passage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/fileagent/passage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is replaced by nothing leaves no empty item, and no empty line in a list.
func TestDeletedByItsWords(t *testing.T) {
	for _, c := range []struct{ whole, words, left string }{
		{"- one\n- two\n- three\n", "two", "- one\n- three\n"},
		{"- one\n- two\n- three\n", "- two", "- one\n- three\n"},
		{"1. one\n2. two", "two", "1. one\n"},
		{"* [ ] one\n", "one", ""},
		{"- one, two\n", ", two", "- one\n"},
		{"- two more\n", "two ", "- more\n"},
		{"a - b\n", "b", "a - \n"},
		{"- one\r\n- two\r\n", "one", "- two\r\n"},
		{"| a |\n| b |\n\n## C\n", "| b |\n", "| a |\n\n## C\n"},
		{"| a |\n\nb\n\n## C\n", "\nb\n", "| a |\n\n## C\n"},
		{"- a\n- b\n\n## C\n", "- b\n\n", "- a\n\n## C\n"},
		{"a\n\nb\n\nc\n", "b\n\n", "a\n\nc\n"},
	} {
		left, err := passage.Replace(c.whole, c.words, "")
		require.NoError(t, err)
		assert.Equal(t, c.left, left, "%q without %q", c.whole, c.words)
	}
}

// Whoever looks for a text from memory is shown the one place that is nearest, to the letter.
func TestTheNearestPlaceIsShown(t *testing.T) {
	const whole = "# Report\n\n" +
		"At each commit, *synchronous=FULL* waits for the disk [s1.2]. It takes 5 ms. " +
		"The rest is fast.\n\nThe same row.\n\n| a | 1 ms | of the first kind |\n" +
		"| b | 2 ms | of the second kind |\n\nThe same row!\n\n" +
		"| c | 1 | number one, of the same kind |\n| d | 2 | number one, of the same kind |\n\n" +
		"数据库在每次提交时都会等待磁盘，\n所以很慢。\n"
	const nearest = "The nearest, on line %d, is to the letter: “%s”"
	for _, c := range []struct {
		name, old string
		line      int
		text      string
	}{
		{"another word", "It takes 6 ms.", 3, "It takes 5 ms."},
		{"marks", "At each commit, synchronous=FULL waits for the disk.", 3,
			"At each commit, *synchronous=FULL* waits for the disk [s1.2]."},
		{"words that are left out", "each commit waits for the disk", 3,
			"each commit, *synchronous=FULL* waits for the disk [s1.2]."},
		{"the same first words",
			"At each commit, synchronous=FULL calls what a system has for such a need.", 3,
			"At each commit, *synchronous=FULL* waits for the disk [s1.2]. It takes 5 ms."},
		{"the same last words", "Whatever was set by whom, it takes 5 ms. The rest is fast.", 3,
			"waits for the disk [s1.2]. It takes 5 ms. The rest is fast."},
		{"a row", "| b | 3 ms | of the second kind |", 8, "| b | 2 ms | of the second kind |"},
		{"its second paragraph", "# Report\n\nIt takes 7 ms. The rest is fast.", 3,
			"It takes 5 ms. The rest is fast."},
		{"Chinese, over a line's end", "提交时等待磁盘，所以很慢", 15, "提交时都会等待磁盘，\n所以很慢。"},
		{"two places", "The same rows.", 0, ""},
		{"two rows", "| c | 3 ms | of the third kind |", 0, ""},
		{"the last words of two rows", "| a thing | of that | number one, of the same kind |", 0, ""},
		{"nothing of it", "The moon pulls the water of the sea.", 0, ""},
		{"a word alone", "never", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := passage.Replace(whole, c.old, "new")
			require.ErrorContains(t, err, "stands there 0 times")
			if c.text == "" {
				assert.ErrorContains(t, err, "Search the file for a few of its words")
				return
			}
			assert.ErrorContains(t, err, fmt.Sprintf(nearest, c.line, c.text))
			_, err = passage.Replace(whole, c.text, "new")
			assert.NoError(t, err, "the next try")
		})
	}
}

// A stretch is found by its ends up to white space, whatever bytes they hold.
func TestAStretchUpToWhiteSpace(t *testing.T) {
	const whole = "# A\n\nOne  two\nthree\xff and\u00a0then\n\n| a\tb |\nthing now it, and so on.\n"
	for asked, want := range map[string]string{
		"One two three\xff … b | thing now it": "One  two\nthree\xff and\u00a0then\n\n| a\tb |\nthing now it",
		"and then | a … thing now it":          "and\u00a0then\n\n| a\tb |\nthing now it",
	} {
		got, err := passage.Stretch(whole, asked)
		require.NoError(t, err, "%q", asked)
		assert.Equal(t, want, got, "%q", asked)
	}
	_, err := passage.Stretch(whole+"One two  three\xff\n", "One two three\xff … thing now it")
	assert.ErrorContains(t, err, "stands there more than once, up to white space")
}

// However long a request is, its ends are looked for in one pass over the file.
func TestAStretchIsFoundInLinearTime(t *testing.T) {
	for _, unit := range []string{"a ", "| - | - |\n"} {
		agenttest.RequireLinear(t, 32<<10, agenttest.Repeated(unit), func(text string) {
			_, err := passage.Stretch(text, strings.ReplaceAll(text[:len(text)/4], "\n", " ")+"b c … x y z w")
			require.Error(t, err)
		})
	}
}

package markdown_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
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
	} {
		left, err := markdown.Replace(c.whole, c.words, "")
		require.NoError(t, err)
		assert.Equal(t, c.left, left, "%q without %q", c.whole, c.words)
	}
}

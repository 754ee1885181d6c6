package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An erased letter goes with all its columns, and a key that is no letter leaves nothing in the line.
func TestALineIsTypedKeyByKey(t *testing.T) {
	for keys, want := range map[string]struct{ line, shown string }{
		"abc\x7fd\r":              {"abd", "abc\b \bd\r\n"},
		"潮汐\x7f水\r":               {"潮水", "潮汐\b \b\b \b水\r\n"},
		"\x7fa\n":                 {"a", "a\r\n"},
		"ab\x15c\r":               {"c", "ab\b \b\b \bc\r\n"},
		"a\x1b[D\x1bOP\x1b[3~b\r": {"ab", "ab\r\n"},
		"a\t\x00b\x04":            {"ab", "ab\r\n"},
	} {
		var shown strings.Builder
		line, err := typed(strings.NewReader(keys), &shown)
		require.NoError(t, err)
		assert.Equal(t, want.line, line, "%q", keys)
		assert.Equal(t, want.shown, shown.String(), "%q", keys)
	}
	_, err := typed(strings.NewReader("a\x03"), &strings.Builder{})
	require.ErrorIs(t, err, errInterrupted)
}

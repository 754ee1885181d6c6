package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What a text of an older time shows on a terminal can neither clear it, name its window nor turn the direction of writing.
func TestATextOnATerminalIsHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"one\n\ttwo\n":                   "one\n\ttwo\n",
		"a\x1b[2Jb\x1b]0;title\x07c\r\n": "a[2Jb]0;titlec\n",
		"safe\u202egpj.exe\u009b2J":      "safegpj.exe2J",
		"潮汐 \xff✓":                       "潮汐 ✓",
	} {
		assert.Equal(t, want, harmless(text))
	}
}

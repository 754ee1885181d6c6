package prose_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

// A date is the same however it is written; what only looks like one stays as it is.
func TestADateIsOneWordHoweverItIsWritten(t *testing.T) {
	for _, text := range []string{"on 17 December 2012", "Dec. 17th, 2012", "the 17th of December, 2012",
		"on 2012-12-17", "on 2012/12/17", "于2012年12月17日", "2012 年 12 月 17 号"} {
		assert.Contains(t, prose.Tokens(text), "2012-12-17", text)
		terms := prose.Tally(1, prose.Terms(text))
		for _, asked := range []string{"2012-12-17", "2012", "December", "17"} {
			assert.Positive(t, terms[prose.Terms(asked)[0]], "%s: %s", text, asked)
		}
	}
	assert.Contains(t, prose.Tokens("2026年3月3日"), "2026-03-03")
	for _, text := range []string{"May 2012", "version 2012.12.17", "a path 1/2/2012", "1234567-12-17",
		"Mayfair 12, 2012a", "lines 17 to 2012"} {
		assert.Equal(t, text, prose.Dated(text))
	}
}

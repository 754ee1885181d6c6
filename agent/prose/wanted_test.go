package prose_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

// A question may say how long its answer is to be.
func TestAQuestionMayAskForALength(t *testing.T) {
	for question, words := range map[string]int{
		"Compare them. At most about 2,500 words in all.":      2500,
		"How do tides work? In 300 words":                      300,
		"Say it within\n800 words, please":                     800,
		"1,200 words or less on tides":                         1200,
		"比较两种方案，不超过800字":                                       800,
		"请用1500字左右说明潮汐":                                        1500,
		"How do tides work?":                                   0,
		"Write at least 2,000 words on tides":                  0,
		"Can you explain tides in 300 words?":                  300,
		"A 500-word summary of how tides work":                 500,
		"比较两种方案，不超过1,500字":                                     1500,
		"Can a child learn about 3000 words in two years?":     0,
		"Why does it cut replies at around 750 words?":         0,
		"At most 99999999999999999999 words":                   0,
		"Does a passphrase have at most 12 words?":             0,
		"What do people say in words about the year 2500 here": 0,
	} {
		assert.Equal(t, words, prose.Question(question).Length(), question)
	}
}

package prose_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

func TestALongTextIsQuotedInWholeSentencesOrClauses(t *testing.T) {
	sentence := strings.Repeat("one word ", 20)
	assert.Equal(t, []string{sentence + "ends.", sentence + "ends."},
		prose.Quotes(sentence+"ends. "+sentence+"ends.", 250))
	assert.Equal(t, []string{sentence + "ends,", sentence + "ends."},
		prose.Quotes(sentence+"ends, "+sentence+"ends.", 250), "no word of the second clause")
	assert.Equal(t, []string{"It is ‘so’, he said."}, prose.Quotes("It is “so”, he said.", 250))
}

func TestQuestionsAreDivided(t *testing.T) {
	for question, want := range map[string]int{
		"How does it stream, and does it need a key?":    2,
		"After how many days is it sent, and who pays?":  2,
		"橱柜台面有多厚，每延米多少钱？":                                2,
		"How do I log the time, in microseconds?":        1,
		"How are the pages of a book and a letter sent?": 1,
		"断电以后，怎样恢复？":                                     1,
	} {
		assert.Len(t, prose.Questions(question), want, question)
	}
}

func TestApart(t *testing.T) {
	texts := []map[string]int{{"port": 1, "databas": 1, "oracl": 1}, {"port": 1, "listen": 1},
		{"server": 1, "port": 1}}
	for question, want := range map[string][]string{
		"Which port does the Oracle database listen on?": {"Oracle", "listen"},
		"Which port does the database listen on?":        nil, // a verb may be another
		"Which server has a database?":                   {"server", "database"},
		// no name: it begins with a capital by its place
		"Does Kotlin have a port?":     nil,
		"Which port does Kotlin have?": {"Kotlin"},
	} {
		assert.Equal(t, want, prose.Apart(question, prose.Keywords(question), texts), question)
	}
}

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

func TestAQuestionThatAsksForAFigureIsAnsweredByOne(t *testing.T) {
	for question, want := range map[string]bool{
		"How many retries are there?": true, "How long is it kept?": true, "押金是多少？": true,
		"What is the largest size?": true,
		"How do I stop it?":         false, "谁负责打印机？": false,
	} {
		assert.Equal(t, want, prose.AsksFigure(question), question)
	}
	for text, want := range map[string]bool{
		"The default is 10.": true, "At most 50MB of it": true, "每月二十五号以前": true, "押金 300 元": true,
		"See utf8 and sha256": false, "The default is none.": false, "一起去": false,
	} {
		assert.Equal(t, want, prose.HasFigure(text), text)
	}
}

func TestNamesAndEverydayWords(t *testing.T) {
	question := "Which port does Kotlin use on IPv6 with json.loads?"
	for _, name := range []string{"Kotlin", "IPv6", "json.loads"} {
		assert.True(t, prose.IsName(question, name), name)
	}
	assert.False(t, prose.IsName(question, "Which"))
	assert.False(t, prose.IsName(question, "port"))
	for word, want := range map[string]bool{"small": true, "smaller": false, "forgotten": true, "加入": true,
		"port": false, "Small": false} {
		assert.Equal(t, want, prose.IsEveryday(word), word)
	}
}

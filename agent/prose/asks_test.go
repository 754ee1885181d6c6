package prose_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

func TestARowIsChosenByItsYesOrNo(t *testing.T) {
	const head = "| tenant | rent_paid | key |\n| --- | --- | --- |"
	for question, want := range map[string]map[string]int{
		"Who has not paid the rent?": {"| Hale | no | yes |": 2, "| Weber | | no |": 2},
		"Who has paid the rent?":     {"| Hale | no | yes |": 0, "| Okafor | Yes | no |": 2},
		"Has Hale paid the rent?":    {"| Hale | no | yes |": 0},
	} {
		for row, terms := range want {
			assert.Len(t, prose.Question(question).Chosen(head, row), terms, "%s %s", question, row)
		}
	}
	unpaid := prose.Question("谁没有交押金？")
	assert.NotEmpty(t, unpaid.Chosen("| 租户 | 押金 |\n| --- | --- |", "| 王 | 否 |"))
	assert.Empty(t, unpaid.Chosen("| 租户 | 押金 |\n| --- | --- |", "| 王 | 是 |"))
}

func TestAQuestionThatASteppedListAnswers(t *testing.T) {
	for question, want := range map[string]bool{
		"How do I reset it?": true, "what should I do first?": true, "忘记了密码怎么办？": true,
		"How many are there?": false, "密码是多少？": false,
	} {
		assert.Equal(t, want, prose.Question(question).AsksHow(), question)
	}
}

func TestWhatStandsBeforeTheRestOfAKeyword(t *testing.T) {
	assert.True(t, prose.Question("狂犬疫苗要打几针？").IsPart("狂犬"))
	assert.True(t, prose.Question("公司班车几点发车？").IsPart("班车"))
	assert.False(t, prose.Question("报销要多久？").IsPart("报销"))
	assert.True(t, prose.IsShortFor("年假", "员工每年有年休假五天"))
	assert.False(t, prose.IsShortFor("年假", "每年的第一个假日"))
	assert.True(t, prose.IsShortFor("請假", "请病假的流程"))
	assert.False(t, prose.IsShortFor("C++(", "C"), "what is no Chinese is taken to the letter")
}

func TestAQuestionThatADateAnswers(t *testing.T) {
	for question, want := range map[string]bool{
		"when was the chimney last swept?": true, "On which day did it rain?": true,
		"When are pages read?": false, "What happens when it was read?": false,
	} {
		assert.Equal(t, want, prose.Question(question).AsksWhen(), question)
	}
	assert.True(t, prose.Keyword{Text: "2022"}.IsYear())
	assert.False(t, prose.Keyword{Text: "8080"}.IsYear())
	assert.Equal(t, []string{"water", "bill", "2022"},
		prose.Question("What was the water bill in 2022?").Things())
	assert.NotEqual(t, prose.Stem("http"), prose.Stem("https"))
}

// What is left of "couldn't" is no word, and a number may be written in another way: neither is said to be
// missing.
func TestWhatMayBeSaidToBeMissing(t *testing.T) {
	const question = "Why couldn't we reach port 8443 in 2024, and who'll open the landlord’s gate?"
	var missed, all []string
	for _, k := range prose.Keywords(question) {
		if all = append(all, k.Text); prose.Question(question).IsMissed(k.Text, false) {
			missed = append(missed, k.Text)
		}
	}
	assert.Equal(t, []string{"reach", "port", "8443", "2024", "open", "landlord", "gate"}, all)
	assert.Equal(t, []string{"port", "2024", "landlord", "gate"}, missed)
}

// A question in traditional characters is taken apart as one in simplified ones, and keeps its own.
func TestATraditionalQuestionIsTakenApart(t *testing.T) {
	keys := prose.Keywords("什麼是備份？")
	assert.Len(t, keys, 1)
	assert.Equal(t, prose.Keyword{Text: "備份", Terms: []string{"备份"}}, keys[len(keys)-1])
	assert.Empty(t, prose.Question("什麼是備份？").Hints())
	assert.True(t, prose.Question("數據庫怎麼備份？").AsksHow())
	assert.Equal(t, prose.Terms("图书馆"), prose.Terms("圖書館"))
}

// The name of a host is one word; a word before a hyphen and a number is none, since a text may have both
// apart.
func TestWordsBeforeAHyphenAndANumber(t *testing.T) {
	for question, want := range map[string]string{
		"Is log-01 up?":                "log-01",
		"What are the under-18 fares?": "18 fares",
		"Since mid-2019?":              "mid 2019",
	} {
		assert.Equal(t, want, prose.Joined(prose.Keywords(question)), question)
	}
}

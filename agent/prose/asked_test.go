package prose_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

// The words in braces are those that a document may leave out and yet answer.
func TestAsks(t *testing.T) {
	for _, marked := range []string{
		"What did the tenant {pay}?",
		"How high is the subsidy, and what does the warranty on radiators {cover}?",
		"Which house has the {lowest} spf, and how many kWh per year does a house from 1962 {consume}?",
		"How much do employees {pay} for parking?",
		"How do I {enable} HTTP/2 in Apache and which MPM does it need?",
		"Who {won} the football world cup in 1974?",
		"{Remove} the delay after the escape key",
		"How to {protect} a directory",
		"How {big} is my database?",
		"Where is Starbucks {headquartered}?",
		"When does the office in Lisbon {close}?",
		"When does the office {close}?",
		"When does the server {begin} a checkpoint {automatically}?",
		"How many redirects does the client {follow}?",
		"Is the garage {heated}?",
		"Is the parking {free}?",
		"Does Kotlin {support} coroutines?",
		"How do dogs {see} colours?",
		"Which plan {covers} the dentist?",
		"Which Kubernetes ingress controller does Apache {recommend}?",
		"How do I {train} a model with PyTorch?",
		// what may be a thing is one
		"How much may a hotel cost on a business trip?",
		"What is the pension of a widow?",
		"How does the plan cover maternity?",
		"Where is the parking garage?",
		"Which bluetooth headsets are there?",
		"postgres vacuum settings",
		"How do I {make} a request?",
		"When does the interest rise after the forest fire?",
		"What currency does Mongolia {use}?",
	} {
		question := strings.NewReplacer("{", "", "}", "").Replace(marked)
		for field := range strings.FieldsSeq(marked) {
			word := strings.Trim(field, "{},?")
			if strings.HasPrefix(field, "{") {
				assert.True(t, prose.Question(question).Asks(word), "%s: %s", question, word)
			} else if strings.ContainsAny(word[len(word)-1:], "abcdefghijklmnopqrstuvwxyz0123456789") &&
				len(word) > 5 {
				assert.False(t, prose.Question(question).Asks(word), "%s: %s", question, word)
			}
		}
	}
}

func TestAsksInChinese(t *testing.T) {
	for _, c := range []struct {
		question, run string
		asks          bool
	}{
		{"房租每月涨到多少钱", "涨到", true},
		{"房租涨到了多少？", "涨到了", true},
		{"外卖平台抽成对独立咖啡店的利润有什么影响？", "影响", true},
		{"断电以后怎样恢复 ZFS 池？", "恢复", true},
		{"油价影响什么？", "影响", true},
		{"如何影响油价？", "影响", true},
		{"怎样连接蓝牙耳机？", "蓝牙耳机", false},
		{"怎样连接蓝牙耳机？", "连接蓝牙耳机", false},
		{"游泳池多久换一次水？", "游泳池", false},
		{"公司有哪些食堂？", "食堂", false},
		{"停车月费多少？", "月费", false},
		{"什么是蓝牙？", "蓝牙", false},
		{"冥王星的平均轨道半径是多少公里？", "冥王星", false},
	} {
		assert.Equal(t, c.asks, prose.Question(c.question).Asks(c.run), "%s: %s", c.question, c.run)
	}
}

func TestTheEntryOfWhatIsAsked(t *testing.T) {
	const asked = prose.Question("How many connections are allowed by default?")
	for text, want := range map[string]bool{
		"**`max_connections` (`integer`)** : Determines the maximum number.": true,
		"| `connections` | 100 |":          true,
		"**`port` (`integer`)** : of them": false,
		"connections are few":              false,
	} {
		assert.Equal(t, want, asked.IsOf(text), text)
	}
}

// A sentence that only tells something is no part of a question.
func TestWhatISaidIsNotAsked(t *testing.T) {
	parts := prose.Question("I had a bug, when may I come back?").Parts()
	assert.Equal(t, []string{"when may I come back"}, parts)
	assert.Len(t, prose.Question("How many had a bug, and who is it?").Parts(), 2, "control")
}

// What a question asks for is said before the condition under which it asks.
func TestAConditionIsNotWhatIsAsked(t *testing.T) {
	const asked = prose.Question("How do I make it send me an e-mail when the nightly backup fails?")
	terms := func(text string) map[string]int { return prose.Tally(1, prose.Terms(text)) }
	assert.False(t, asked.IsMet(terms("If a backup fails, run it again.")))
	assert.True(t, asked.IsMet(terms("Mail is sent when a backup fails.")), "control")
	const embedded = prose.Question("Does the manual say when a bicycle goes into the coach?")
	assert.True(t, embedded.IsMet(terms("A bicycle goes into the coach.")), "it tells no condition")
}

func TestANumberBehindALetterIsFoundAlone(t *testing.T) {
	assert.Contains(t, prose.Terms("a B-727-200 of Delta"), "727")
	assert.True(t, prose.Question("new date of the open day").IsOf("**Open day.** Moved to 21 June."))
	assert.False(t, prose.Question("new date of the open day").IsOf("**Day.** Sunday."), "control")
}

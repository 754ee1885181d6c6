package prose_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

// What a question counts or measures is found by a figure with its unit.
func TestAFigureIsFoundWithWhatItCounts(t *testing.T) {
	for question, texts := range map[string][2]string{
		"How many days do we have?":              {"within 30 days of the notice", "after 30 attempts"},
		"How many seconds does it wait?":         {"the default of `5` seconds", "5 times a second"},
		"How long does the client wait?":         {"The timeout is five seconds.", "There are five clients."},
		"At what size does it start a new file?": {"if it is larger than 64MB", "after 64 records"},
		"How much free space does it need?":      {"twice the size of the original", "in version 3 of it"},
	} {
		figures := prose.Question(question).Figures()
		assert.True(t, figures.MatchString(texts[0]), "%s %s", question, texts[0])
		assert.False(t, figures.MatchString(texts[1]), "%s %s", question, texts[1])
	}
	ports := prose.Question("一条规则最多写几个端口？").Figures()
	assert.True(t, ports.MatchString("最多可以指定15个端口。"))
	assert.False(t, ports.MatchString("指定的端口为 15 或更大"))
	assert.Nil(t, prose.Question("Who wrote that?").Figures())
}

// A name with a number is the same however the two are joined, and a longer name is also its parts.
func TestANameIsFoundHoweverItIsWritten(t *testing.T) {
	for _, same := range [][2]string{
		{"GPLv3", "GPL-3.docx"}, {"TLS", "TLSv1.1"}, {"1.1", "TLSv1.1"}, {"1.0", "TLSv1"},
		{"UTF-8", "utf8"}, {"HTTP/2", "HTTP/2.0"},
		{"OpenOffice", "OpenOffice.org"}, {"Office", "OpenOffice.org"}, {"loads", "json.loads"},
	} {
		of := map[string]int{}
		for _, term := range prose.Terms(same[1]) {
			of[term]++
		}
		assert.True(t, prose.Keywords(same[0])[0].In(of), "%s in %s: %v", same[0], same[1], of)
	}
	assert.False(t, prose.Keywords("1.0")[0].In(prose.Tally(1, prose.Terms("Debian 2.1 in 1 part"))))
	assert.False(t, prose.Keywords("HTTP/3")[0].In(map[string]int{"http": 1, "2": 1, "http2": 1}))
}

// What is told before the question, in a sentence of its own, is not what is asked.
func TestTheCoreOfAQuestionIsWhatAsks(t *testing.T) {
	for question, want := range map[string]prose.Question{
		"Clients with Kerberos get a 400. How long may a header be?": "How long may a header be?",
		"I run Kubernetes. What is that?":                            "I run Kubernetes. What is that?",
		"How do I prune backups?":                                    "How do I prune backups?",
		"Our provider moves to JMAP. How do I read mail over it?":    "How do I read mail over it? JMAP",
		"I use Postfix. What is the limit that Dovecot has?":         "What is the limit that Dovecot has?",
		"I use Kerberos. How long is this header in nginx?":          "How long is this header in nginx?",
		"我用了防火墙。端口是什么？":                                              "端口是什么？",
	} {
		assert.Equal(t, want, prose.Question(question).Core(), question)
	}
}

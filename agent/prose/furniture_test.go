package prose_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

func TestWhatSaysNothingOfItsSubject(t *testing.T) {
	for _, text := range []string{"TODO: say more", "Hello Ada,", "Copyright 2024 by us",
		"尊敬的各位同事：", "待办：补充"} {
		assert.True(t, prose.IsBoilerplate(text), text)
	}
	for _, text := range []string{"The list of what is TODO", "Copy the file.", "各位同事在三点开会。"} {
		assert.False(t, prose.IsBoilerplate(text), text)
	}
	assert.True(t, prose.LeadsElsewhere("See also"))
	assert.False(t, prose.LeadsElsewhere("See also the index"))
	assert.True(t, prose.IsFigures("12 400 x 7"))
	assert.False(t, prose.IsFigures("2024-03-12"))
	assert.False(t, prose.IsFigures("Castration, male 98.00 245.00 310.00"))
	assert.False(t, prose.IsFigures("共12人34"))
}

// Who asks what is so where nothing is said asks for the default.
func TestADefaultIsAskedForInOtherWords(t *testing.T) {
	const text = "-m: Use MD5. This is the default."
	for _, q := range []prose.Question{"Which hash is used if I do not give an option?",
		"What is taken when none is set?", "Which hash is used if I change nothing?",
		"What is the default hash?", "不设置时用哪种算法？"} {
		assert.True(t, q.NamesDefault(text), q)
	}
	for _, q := range []prose.Question{"Which hash is the safest?", "What if the disk is full?"} {
		assert.False(t, q.NamesDefault(text), q)
	}
}

// Who asks what something is wants a sentence that says so; who asks for a part or a value of it does not.
func TestWhatSomethingIs(t *testing.T) {
	for q, text := range map[prose.Question]string{
		"What is a zombie process?": "A zombie process is a process that nobody waited for.",
		"WAL 是什么？":                  "WAL 是一种预写日志。", "什么是快照？": "快照即某一时刻的副本。",
	} {
		assert.True(t, q.Fits(text), q)
		assert.False(t, q.Fits("See below."), q)
	}
	for q, text := range map[prose.Question]string{"What is the default port?": "The cat is the best.",
		"备份失败是什么原因？": "这是一个例子。"} {
		assert.False(t, q.Fits(text), q)
	}
}

// Half of a question's words are enough where one is a name.
func TestANameSaysMoreThanAWord(t *testing.T) {
	of := func(text string) map[string]int { return prose.Tally(1, prose.Terms(text)) }
	const q = prose.Question("When was the country code of Czechoslovakia withdrawn?")
	assert.True(t, q.IsMet(of("former countries"), of("Czechoslovakia 1993-06-15")))
	assert.False(t, q.IsMet(of("former countries with a code")))
}

// A link gives its words, a picture none; what only looks like one stays as it is.
func TestALinkGivesItsWords(t *testing.T) {
	for text, want := range map[string]string{
		"See [it](x.html \"title\"), <https://a.test/b>.": "See it, https://a.test/b.",
		"[Name file [file] ...](doc:core.html#name)":      "Name file [file] ...",
		"[![a picture](p.png)](https://a.test/)":          "",
		"![Figure 1](../f.svg)":                           "",
		"See ![it](i.png)[b](b.html), `![no](n.png)`":     "See b, `![no](n.png)`",
		"book [day][hour], `book [day](hour.x)`":          "book [day][hour], `book [day](hour.x)`",
		"会议室的格式是 book [日期](时段)":                           `会议室的格式是 book \[日期](时段)`,
		"--to-source ipaddr[-ipaddr][:port-port]":         "--to-source ipaddr[-ipaddr][:port-port]",
	} {
		bare, _ := prose.Unlinked(text)
		assert.Equal(t, want, bare)
	}
	_, words := prose.Unlinked("[![a picture](p.png)](https://a.test/), [two](x), `[no](y)`")
	assert.Equal(t, len("a picture")+len("two"), words)
}

// What was weighed answers no question but for the reason.
func TestWhatWasWeighedIsAside(t *testing.T) {
	const how = prose.Question("How does the compiler pass arguments in registers?")
	assert.True(t, how.IsAside("Rationale"))
	assert.True(t, how.IsAside("Design: Alternatives"))
	assert.False(t, how.IsAside("Function call argument and result passing"))
	assert.False(t, prose.Question("Why does the compiler pass arguments in registers?").IsAside("Rationale"))
	assert.False(t, prose.Question("What is the history of the compiler?").IsAside("History"))
}

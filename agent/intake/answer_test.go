package intake_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/intake"
)

func TestJustStart(t *testing.T) {
	for _, said := range []string{
		"", "   ", "\n", "。", "...", "?", "👍",
		"just start", "Just start!", "start", "Start now, please.", "begin", "please begin the research",
		"go ahead", "OK, go ahead", "Proceed.", "get started",
		"just do it", "let's go", "Let’s just start", "skip", "skip the questions", "don't ask",
		"Don’t ask me anything, just start", "no more questions", "no questions please, begin",
		"stop asking", "whatever", "you decide", "It's up to you.", "I don't care", "no preference",
		"doesn't matter", "any is fine", "use your judgement",
		"I don't know", "not sure", "start without asking", "use defaults and start",
		"get on with it already", "can you just start?", "enough questions, start researching",
		"直接开始研究", "直接开始", "直接开始吧", "开始吧", "开始", "马上开始研究吧！", "请直接开始调研",
		"不用问了", "不用问了，直接开始", "别问了", "别再问了", "不要再问了，快开始", "跳过", "跳过这个问题",
		"随便", "随便吧",
		"都行", "都可以", "你决定", "你看着办吧", "您决定就好", "无所谓", "没有特别要求", "按默认就行",
		"不知道", "我不清楚", "没想好，先研究吧", "那就先查吧", "ok 直接开始", "好的，继续", "先做起来",
		"怎么都行", "少废话，开始干活",
	} {
		t.Run(said, func(t *testing.T) { assert.True(t, intake.JustStart(said)) })
	}
}

// What only looks like impatience is an answer.
func TestAnswersThatOnlyLookLikeJustStart(t *testing.T) {
	for _, said := range []string{
		"start with the history of tides", "Start-ups", "just start-ups in Berlin", "the start of the war",
		"begin in 1914", "go", "Go, the language", "go ahead with option 2", "proceedings of 2024",
		"skip lists", "not the start", "you decide between cost and safety: cost", "no", "yes", "ok",
		"all of them", "both", "everything", "just prices", "research policy", "don't ask about prices",
		"no questions of law, only of fact", "the default rate of bonds", "I don't know much, so the basics",
		"not sure about the drug, the disease is asthma", "any country but France", "A", "2", "2020",
		"开始时间是 2020 年以后", "从开始到现在", "开始的几年", "先研究耐药机制", "继续教育", "直接",
		"直接成本", "默认值", "随便哪个国家的药都行，但要获批", "不确定性", "不知道的部分", "不用问卷",
		"跳过的章节", "你决定论", "研究", "好的", "研究一下", "都要",
		"全部", "快速检测", "先查专利", "任意两个", "不要开始年份", "没有要求的国家",
	} {
		t.Run(said, func(t *testing.T) { assert.False(t, intake.JustStart(said)) })
	}
}

// An option is chosen by number, letter or text; everything else stands as it was said.
func TestOptions(t *testing.T) {
	three := []string{"Target validation", "Approved drugs", "临床进展"}
	years := []string{"2", "1", "3"}
	for _, c := range []struct {
		said    string
		options []string
		want    string
	}{
		{"1", three, three[0]}, {"2.", three, three[1]}, {"(3)", three, three[2]}, {"２", three, three[1]},
		{"#2", three, three[1]},
		{"a", three, three[0]}, {"B)", three, three[1]}, {" c ", three, three[2]}, {"Ｂ", three, three[1]},
		{"Option 2", three, three[1]}, {"option b please", three, three[1]}, {"the second", three, three[1]},
		{"The first one, please", three, three[0]}, {"No. 3", three, three[2]},
		{"选B", three, three[1]}, {"第二个", three, three[1]}, {"第2项吧", three, three[1]},
		{"我选三", three, three[2]}, {"选项 c", three, three[2]}, {"2号", three, three[1]},
		{"approved drugs", three, three[1]}, {"Approved drugs.", three, three[1]},
		{"B) Approved drugs", three, three[1]}, {"3、临床进展", three, three[2]},
		{"临床进展！", three, three[2]},
		{"1 and 3", three, three[0] + "; " + three[2]}, {"a, b", three, three[0] + "; " + three[1]},
		{"A和C", three, three[0] + "; " + three[2]}, {"1、2、3", three, strings.Join(three, "; ")},
		{"2 2", three, three[1]},
		{"4", three, "4"}, {"e", three, "e"}, {"0", three, "0"}, {"2 years ago", three, "2 years ago"},
		{"a first look at it", three, "a first look at it"}, {"一个都不要", three, "一个都不要"},
		{"两个都要", three, "两个都要"},
		{"1 and the price", three, "1 and the price"}, {"resistance", three, "resistance"},
		{"approved drugs, but in China", three, "approved drugs, but in China"},
		// a text comes before a number
		{"2", years, "2"}, {"1", years, "1"}, {"3", years, "3"}, {"a", years, "2"},
		{"2", nil, "2"}, {"b", nil, "b"}, {"GLP-1", nil, "GLP-1"},
		{"  GLP-1\n agonists  ", nil, "GLP-1\n agonists"},
	} {
		t.Run(c.said, func(t *testing.T) {
			j := vague("x", "scope", 0.4, "Which?", c.options...)
			if c.options == nil {
				j = vague("", "topic", 0.4, "Which?")
			}
			p := &person{answers: []string{c.said}}
			brain := script(j, clear("x", 0.95))
			brief, err := intake.Intake{Brain: brain, Person: p}.Brief(t.Context(), "x", "")
			require.NoError(t, err)
			assert.Equal(t, []intake.QA{{Question: "Which?", Answer: c.want}}, brief.Answers)
			assert.Equal(t,
				[]intake.Question{{Text: "Which?", Options: j.Options, Missing: j.Missing, N: 1}}, p.heard)
			assert.Contains(t, opening(t, brain, 1), "They answered: "+c.want)
		})
	}
}

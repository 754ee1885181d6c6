package clip_test

import (
	"context"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/prose"
)

type listener struct {
	answer string
	heard  []intake.Question
	shown  []intake.Plan
	wish   string // what should be different in the first plan
}

func (a *listener) Answer(_ context.Context, q intake.Question) (string, error) {
	a.heard = append(a.heard, q)
	if a.answer == "gone" {
		return "", io.EOF
	}
	return a.answer, nil
}

func (a *listener) Confirm(_ context.Context, p intake.Plan) (intake.Verdict, error) {
	a.shown = append(a.shown, p)
	if a.wish != "" && len(a.shown) == 1 {
		return intake.Verdict{Refused: a.wish}, nil
	}
	return intake.Verdict{Accept: true}, nil
}

// The built-in brain settles a question without asking whenever a word of it says what it is about; it says
// what it takes for granted, and never claims to know whether a term is known.
func TestSettlingWithoutAModel(t *testing.T) {
	for _, question := range []string{
		"How does SQLite make a commit durable?", "tides", "tell me about tides", "cancer treatment",
		"heat pumps versus gas boilers, cost", "KRAS G12C 靶点", "帮我研究一下量子纠错",
		"癌症治疗", "潮汐是怎样形成的？", "研究型大学的历史", "GLP-1 激动剂最新进展", "那个靶点的耐药机制",
		"了解一下二甲双胍", "FTS5", "tell me\n\nabout tides",
	} {
		t.Run(question, func(t *testing.T) {
			p := &listener{}
			brief, err := intake.Intake{Brain: clip.Brain{}, Person: p, LookUp: func(context.Context,
				string) (string, error) {
				t.Error("nothing is to be looked up")
				return "", nil
			}}.Brief(t.Context(), question, "")
			require.NoError(t, err)
			assert.Empty(t, p.heard)
			assert.True(t, brief.Judged)
			assert.Empty(t, brief.Refusal)
			assert.GreaterOrEqual(t, len(brief.Focus), 2)
			require.Len(t, brief.Assumptions, 1)
			assert.NotEmpty(t, brief.Topic)
			chinese := strings.Contains(brief.Assumptions[0], "关键词")
			assert.Equal(t, regexp.MustCompile(`\p{Han}`).MatchString(question), chinese)
		})
	}
}

// With no word left that says what is meant it asks for one, once, and goes on with what it hears.
func TestSettlingAVagueQuestionWithoutAModel(t *testing.T) {
	for _, question := range []string{
		"帮我研究一下", "那个东西", "那个新药", "了解一下", "有什么信息", "请帮我查一下最新的资料",
		"tell me about it", "look into something new for me", "Do some research.",
		"something interesting", "???",
	} {
		t.Run(question, func(t *testing.T) {
			p := &listener{answer: "KRAS G12C"}
			brief, err := intake.Intake{Brain: clip.Brain{}, Person: p}.Brief(t.Context(), question, "")
			require.NoError(t, err)
			require.Len(t, p.heard, 1)
			assert.Empty(t, p.heard[0].Options)
			assert.Equal(t, "KRAS G12C", brief.Topic)
			assert.Equal(t, "KRAS G12C", brief.Focus[0].Queries[0])

			for _, answer := range []string{"", "gone", "直接开始"} {
				p := &listener{answer: answer}
				brief, err := intake.Intake{Brain: clip.Brain{}, Person: p}.Brief(t.Context(), question, "")
				require.NoError(t, err)
				assert.Len(t, p.heard, 1)
				assert.Empty(t, brief.Refusal)
				assert.NotEmpty(t, brief.Assumptions)
			}
			brief, err = intake.Intake{Brain: clip.Brain{}}.Brief(t.Context(), question,
				"The tides of the North Sea")
			require.NoError(t, err)
			assert.Equal(t, "tides North Sea", brief.Topic, "the purpose says what is meant")
		})
	}
}

// A plan that is asked for is the question, and a chapter for what the person says should be different.
func TestAPlanWithoutAModel(t *testing.T) {
	p := &listener{}
	brief, err := intake.Intake{Brain: clip.Brain{}, Person: p, WantPlan: true}.Brief(t.Context(),
		"Are heat pumps cheap?", "")
	require.NoError(t, err)
	require.Len(t, p.shown, 1)
	assert.Equal(t, p.shown[0].Chapters, brief.Chapters)
	assert.Equal(t, []intake.Chapter{{Title: "Are heat pumps cheap?", Queries: []string{"heat pumps cheap"}}},
		brief.Chapters)

	p = &listener{wish: "also gas boilers"}
	brief, err = intake.Intake{Brain: clip.Brain{}, Person: p, WantPlan: true}.Brief(t.Context(),
		"Are heat pumps cheap?", "")
	require.NoError(t, err)
	require.Len(t, brief.Chapters, 2)
	assert.Equal(t, intake.Chapter{Title: "also gas boilers", Queries: []string{"gas boilers"}},
		brief.Chapters[1])
}

// queries are what the researcher searches for when a dashboard's question section holds this.
func queries(t *testing.T, section string) []string {
	t.Helper()
	d := newDesk("", nil)
	d.files["overall_dashboard.md"] = strings.Replace(d.files["overall_dashboard.md"], "**Question:** ",
		section, 1)
	d.run(t, 5)
	var all []string
	for _, c := range d.calls {
		var args struct {
			Query string `json:"query"`
		}
		if c.Name == "web_search" {
			require.NoError(t, json.Unmarshal([]byte(c.Args), &args))
			all = append(all, args.Query)
		}
	}
	require.NotEmpty(t, all)
	return all
}

// What an intake wrote beside the question widens no search; the question in full is searched for, and the
// topic where the question has none.
func TestSearchingByABrief(t *testing.T) {
	settled := intake.Brief{
		Question: "How do tides work?", Scope: "Oceans", Goal: "Overview",
		Assumptions: []string{"Question: how do cakes rise?", "Adults are meant"},
		Focus: []intake.Focus{{Name: "Moon", Queries: []string{"moon pull"}}, {Name: "Question",
			Queries: []string{"cakes"}}}, Answers: []intake.QA{{Question: "Why?", Answer: "just start"}},
	}
	assert.Equal(t, queries(t, "**Question:** How do tides work?"),
		queries(t, settled.Markdown(prose.English)))
	settled.Full = "How do the tides of the Wadden Sea work?"
	assert.Equal(t, []string{"tides Wadden Sea"}, queries(t, settled.Markdown(prose.English)))
	assert.Equal(t, []string{"Baltic tides"}, queries(t, "What are the Baltic\ntides?"),
		"a person's own words")

	untold := intake.Brief{Question: "帮我研究一下", Topic: "潮汐", Scope: "海洋",
		Assumptions: []string{"只看海洋"}, Answers: []intake.QA{{Question: "研究什么？", Answer: "直接开始"}}}
	assert.Equal(t, queries(t, "**问题：**潮汐"), queries(t, untold.Markdown(prose.Chinese)))
}

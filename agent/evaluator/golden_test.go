package evaluator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tiktoken-go/tokenizer/codec"
)

func chinese() evaluator.Material {
	before := evaluator.Assessment{
		Completeness:  evaluator.Mark{Score: 4, Reason: "没有谈到港口"},
		Depth:         evaluator.Mark{Score: 5, Reason: "只列事实"},
		Reliability:   evaluator.Mark{Score: 6, Reason: "两个来源"},
		Actionability: evaluator.Mark{Score: 5, Reason: "结论在最后"},
		Gaps:          []string{"钱塘江大潮为什么特别高？"},
	}
	return evaluator.Material{
		Question: "潮汐是怎样形成的？", Places: "the person's own documents; not the web", OwnAlone: true,
		Report: "# 潮汐\n\n## 摘要\n\n潮汐由月球引力引起 [s1]。\n\n## 小潮\n\n" +
			"日月成直角时潮差最小 [s2]。\n",
		Chapters: []evaluator.Text{{Name: "Notebook/01-小潮.md", Text: "# 小潮\n\n- 直角 [s2]"}},
		Sources: []evaluator.Source{{ID: "s1", Title: "潮汐", Host: "chaoxi.example", Published: "2024"},
			{ID: "s2", Title: "小潮", Path: "小潮.md"}},
		Round: 2, Done: []string{"web_search 小潮：6 条结果", "visit_url s2"}, Before: &before,
		Today: "2026-01-02",
	}
}

// What is really sent, to be read aloud, over real HTTP.
func TestWhatIsSent(t *testing.T) {
	marked := tides()
	marked.Points, marked.Claims = ideal(), evaluator.Claims{All: 3, Supported: 2, Partly: 1,
		InPart: []string{"小潮\n  - “日月成直角” [s2]: the height is another"}}
	points := []map[string]any{}
	for i := range 8 {
		points = append(points, map[string]any{"text": fmt.Sprintf("It says what %d is", i),
			"aspect": "fact"})
	}
	server, err := agenttest.Serve(agenttest.Answers(
		agenttest.Answer{Reply: judged(nil)}, agenttest.Answer{Reply: judged(nil)},
		agenttest.Answer{Reply: marks(nil)},
		agenttest.Answer{
			Reply: agenttest.Reply(agenttest.Call("checklist", map[string]any{"points": points}))}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	judge := evaluator.Evaluator{Brain: &openai.Brain{Model: "test", BaseURL: server.URL}}

	a, err := judge.Assess(t.Context(), alone, tides())
	require.NoError(t, err)
	assert.Equal(t, 6.5, a.Score())
	_, err = judge.Assess(t.Context(), alone, chinese())
	require.NoError(t, err)
	_, err = judge.Assess(t.Context(), alone, marked)
	require.NoError(t, err)
	_, err = judge.Ideal(t.Context(), alone, tides())
	require.NoError(t, err)

	for i, name := range []string{"assess-english", "assess-chinese", "mark-english", "checklist-english"} {
		golden(t, filepath.Join("testdata", name+".golden.json"), server.Requests()[i])
	}
}

// A judge is asked once a round, with a report of up to 24,000 tokens; what is added to it is to fit the
// smallest models in use.
func TestThePromptIsSmall(t *testing.T) {
	server, err := agenttest.Serve(agenttest.Answers(agenttest.Answer{Reply: judged(nil)}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	_, err = evaluator.Evaluator{Brain: &openai.Brain{Model: "test", BaseURL: server.URL}}.Assess(t.Context(),
		alone, tides())
	require.NoError(t, err)
	tokens, err := codec.NewO200kBase().Count(string(server.Requests()[0].Raw))
	require.NoError(t, err)
	t.Logf("a request on a report of three sentences is %d tokens as JSON", tokens)
	assert.Less(t, tokens, 2200)
}

// golden compares a request with a file. UPDATE_GOLDEN=1 writes it anew, to be read in the diff.
func golden(t *testing.T, path string, r agenttest.Request) {
	t.Helper()
	var pretty bytes.Buffer
	require.NoError(t, json.Indent(&pretty, r.Raw, "", "  "))
	got := pretty.String() + "\n"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "UPDATE_GOLDEN=1 writes %s anew", path)
}

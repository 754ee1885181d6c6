package intake_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/openai"
)

// sent runs an intake over real HTTP and returns the requests.
func sent(
	t *testing.T,
	i intake.Intake,
	question, purpose string,
	judgements ...intake.Judgement,
) []agenttest.Request {
	t.Helper()
	server, err := agenttest.Serve(script(judgements...).Answer)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	brain := &openai.Brain{Model: "test", BaseURL: server.URL}
	t.Cleanup(brain.Close)
	i.Brain = brain
	_, err = i.Brief(t.Context(), question, purpose)
	require.NoError(t, err)
	require.Len(t, server.Requests(), len(judgements))
	return server.Requests()
}

// What is really sent, to be read aloud: the first request in English with a plan and a person's own notes,
// and the last in Chinese, after a term was looked up and the person was asked.
func TestWhatIsSent(t *testing.T) {
	english := sent(t, intake.Intake{WantPlan: true, Person: &person{},
		Own: "When I name a drug I mean its use in adults."}, "GLP-1 agonists", "A talk for nurses",
		clear("GLP-1 agonists", 0.95))
	golden(t, "testdata/judge-english.golden.json", english[0])
	lookUp := func(context.Context, string) (string, error) {
		return agent.Outside("results", "STAT6: signal transducer and activator of transcription 6"), nil
	}
	chinese := sent(t, intake.Intake{Person: &person{answers: []string{"b"}}, LookUp: lookUp},
		"STATUS6 基因", "",
		unsure("STATUS6", "STATUS6"), vague("STAT6", "goal", 0.6, "您希望了解什么？", "作用机制", "临床数据"),
		clear("STAT6", 0.9))
	golden(t, "testdata/judge-chinese.golden.json", chinese[2])
}

// The judge's prompt is for a small model too: with its action it stays below two thousand tokens.
func TestTheJudgesPromptIsSmall(t *testing.T) {
	request := sent(t, intake.Intake{Person: &person{}}, "GLP-1 agonists",
		"", clear("GLP-1 agonists", 0.95))[0]
	tokens, err := codec.NewO200kBase().Count(string(request.Raw))
	require.NoError(t, err)
	t.Logf("the judge's first request is %d tokens as JSON", tokens)
	assert.Less(t, tokens, 2000)
}

// golden compares a request with a file. UPDATE_GOLDEN=1 writes it anew, to be read in the diff.
func golden(t *testing.T, path string, r agenttest.Request) {
	t.Helper()
	var pretty bytes.Buffer
	require.NoError(t, json.Indent(&pretty, r.Raw, "", "  "))
	got := append(regexp.MustCompile(`Today is \d{4}-\d{2}-\d{2}`).ReplaceAll(pretty.Bytes(),
		[]byte("Today is 2026-01-02")), '\n')
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "UPDATE_GOLDEN=1 writes %s anew", path)
}

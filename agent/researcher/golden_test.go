package researcher_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tiktoken-go/tokenizer/codec"
)

// What is really sent, to be read aloud: the first request of the researcher and of the file agent, in English and in Chinese.
func TestWhatIsSent(t *testing.T) {
	for _, c := range []struct{ name, question, purpose string }{
		{"english", "How do tides work?", "A talk for sailors"},
		{"chinese", "潮汐是怎样形成的？", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := serve(t, scripted(pages(t).URL))
			cfg := config(filepath.Join(t.TempDir(), "research"), server.URL)
			cfg.Question, cfg.Purpose, cfg.MaxSteps = c.question, c.purpose, 2
			_, err := run(t.Context(), cfg)
			require.NoError(t, err)
			requests := server.Requests()
			golden(t, "testdata/researcher-"+c.name+".golden.json", requests[0])
			if c.name == "english" {
				golden(t, "testdata/file-agent.golden.json", requests[2])
			}
		})
	}
}

// The file agent is asked at every write and every read, so its own prompt, with its actions, is kept below a thousand tokens.
func TestTheFileAgentsPromptIsSmall(t *testing.T) {
	server := serve(t, scripted(pages(t).URL))
	cfg := config(filepath.Join(t.TempDir(), "research"), server.URL)
	cfg.MaxSteps = 2
	_, err := run(t.Context(), cfg)
	require.NoError(t, err)
	r := server.Requests()[2]
	require.Contains(t, r.Tools, "write_file")
	tokens, err := codec.NewO200kBase().Count(string(r.Raw))
	require.NoError(t, err)
	t.Logf("the file agent's first request is %d tokens as JSON", tokens)
	assert.Less(t, tokens, 1000)
}

// What a profile wants at least stands in the prompt, so that no report is refused before it is known.
func TestThePromptNamesTheLeast(t *testing.T) {
	server := serve(t, scripted(pages(t).URL))
	cfg := config(filepath.Join(t.TempDir(), "research"), server.URL)
	cfg.MaxSteps = 1
	cfg.Profile.Sources, cfg.Profile.Words.Min = 7, 450
	_, err := run(t.Context(), cfg)
	require.NoError(t, err)
	assert.Contains(t, server.Requests()[0].Messages[0].Content, "report.md: a title and a sentence.\n\nAt least: 450 words, 7 different sources cited.")
}

var date = regexp.MustCompile(`Today is \d{4}-\d{2}-\d{2}`)

// golden compares a request with a file. UPDATE_GOLDEN=1 writes it anew, to be read in the diff.
func golden(t *testing.T, path string, r agenttest.Request) {
	t.Helper()
	var pretty bytes.Buffer
	require.NoError(t, json.Indent(&pretty, r.Raw, "", "  "))
	got := append(date.ReplaceAll(pretty.Bytes(), []byte("Today is 2026-01-02")), '\n')
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "UPDATE_GOLDEN=1 writes %s anew", path)
}

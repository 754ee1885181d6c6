package workspace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Which lines are a person's is known from the record, and not from the text: the agent's own are none, also where both wrote in turn.
func TestByHand(t *testing.T) {
	for _, again := range []bool{false, true} {
		each(t, func(t *testing.T, at place) {
			w := at.begin(t)
			told := func() {
				text, err := w.Changes()
				require.NoError(t, err)
				require.NoError(t, w.Journal().Record("c1 notice", text))
				require.NoError(t, w.Journal().Record("c1 result", nil))
			}
			require.NoError(t, w.Create(note, "agent's one\nagent's two\n"))
			told()
			assert.Empty(t, w.ByHand(note))
			at.edit(t, note, "agent's one\nmine one\nagent's two\n")
			told()
			require.NoError(t, w.Append(note, "agent's three\n"))
			told()
			at.edit(t, note, "agent's one\nmine one\n\n---\nagent's three\nmine two\n")
			told()
			if again {
				require.NoError(t, w.Close())
				w = at.lock(t)
			}
			assert.Equal(t, []string{"mine one", "mine two"}, w.ByHand(note))
			assert.Equal(t, []string{"mine one", "mine two"}, w.ByHand("Notebook"))
			assert.Empty(t, w.ByHand("Note"), "no folder of that name")
			assert.Empty(t, w.ByHand("../x"))
			require.NoError(t, errOf(w.Overwrite(note, "agent's one\nmine two\n")))
			assert.Equal(t, []string{"mine two"}, w.ByHand(note), "what stands there")
		})
	}
}

// How far is looked back depends on how long the texts are, so that a write does not wait for all of them.
func TestByHandInALongFile(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	at := disk(t)
	w := at.begin(t)
	long := strings.Repeat("words of the agent's\n", 20_000)
	require.NoError(t, w.Create(note, long))
	for i := range 30 {
		long += fmt.Sprintf("mine %d\n", i)
		at.edit(t, note, long)
		_, err := w.Changes()
		require.NoError(t, err)
	}
	theirs := w.ByHand(note)
	assert.Contains(t, theirs, "mine 29")
	assert.Contains(t, theirs, "mine 15")
	assert.NotContains(t, theirs, "mine 0")
}

func TestLost(t *testing.T) {
	theirs := []string{"- a point that is long enough", "ok", "## 费用"}
	for text, want := range map[string][]string{
		"": theirs,
		"It is ok.\nHere is a point that is long enough to be found.\n": {"ok", "## 费用"},
		"> OK\n* ok\n# 费用\n":                          {"- a point that is long enough"},
		"1. a point  that is long enough\n\tok\n费用\n": nil,
	} {
		assert.ElementsMatch(t, want, markdown.Lost(theirs, text), text)
	}
}

// A figure that begins a line is no mark of a list, and a line is not there because an empty one is.
func TestALineWithAnotherFigureIsLost(t *testing.T) {
	for theirs, text := range map[string]string{
		"4.2 million users in 2024": "3.5 million users in 2024\n",
		"-5 degrees at night":       "5 degrees at night\n",
		"1999 was the year":         "2001 was the year\n",
		"## 2024":                   "# A\n\nNothing.\n",
		"- 42":                      "\n- 41\n",
	} {
		assert.Equal(t, []string{theirs}, markdown.Lost([]string{theirs}, text))
	}
	for theirs, text := range map[string]string{"- a line of theirs": "1. a line of theirs\n", "## 2024": "# 2024\n", "> 3) so": "so\n"} {
		assert.Empty(t, markdown.Lost([]string{theirs}, text))
	}
}

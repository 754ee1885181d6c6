package rounds_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a sentence without a citation quotes is looked for in all that was read, and in what the person wrote.
func TestAQuoteWithoutACitationIsNotFinished(t *testing.T) {
	b := proposals(t, rounds.Judging{Fixed: 1})
	_, err := b.w.UpdateSections(workspace.Overall, map[string]string{"question": "Why does the sea rise twice a day at Brest?"})
	require.NoError(t, err)
	_, err = b.w.AddSource(workspace.Source{URL: "https://example.org/brest", Title: "Brest", Type: "html"}, "At Brest the spring tide rises by seven metres and more.")
	require.NoError(t, err)
	const asked = "# Tides\n\nTwice a day [s1]. You asked “Why does the sea rise twice a day at Brest?” It rises by 40 % more there.\n"
	b.put("report.md", asked+"\nThe manual says “the sea at Brest was never seen to fall”. And “At Brest the spring tide rises by seven metres”.\n")
	text, effect := b.propose()
	assert.Equal(t, agent.Continue, effect)
	assert.Contains(t, text, "report.md quotes without a citation (quotes: 2)")
	assert.Contains(t, text, "- line 5: the quote “the sea at Brest was never seen to fall” has no citation, and stands in no source\n")
	assert.Contains(t, text, "- line 5: the quote “At Brest the spring tide rises by seven metres” has no citation; it stands in s2: add [s2]")
	assert.NotContains(t, text, "twice a day at Brest", "the person wrote it")
	b.put("report.md", asked)
	text, effect = b.propose()
	assert.Equal(t, agent.Finish, effect, text)
}

func TestTheJudgeIsToldOfFiguresWithoutACitation(t *testing.T) {
	b := proposals(t, rounds.Judging{}, judgement(8))
	b.put("report.md", "# Tides\n\nTwice a day [s1]. It rises by 40 % more at Brest. In 2019 it did not.\n")
	text, effect := b.propose()
	require.Equal(t, agent.Finish, effect, text)
	judge, ok := b.review.Files.Brain.(*agenttest.Script)
	require.True(t, ok)
	require.Len(t, judge.Heard(), 1)
	assert.Contains(t, judge.Heard()[0].Messages[1].Text, "\nSentences that hold a figure and no citation, as an own sum may: 1: “It rises by 40 % more at Brest.”.\n")
}

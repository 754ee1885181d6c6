package researcher_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// itsLine has each chapter's researcher write a line of its own behind the page that all read.
func itsLine(of map[string]string) func(file string, step int) (agent.Call, bool) {
	return func(file string, step int) (agent.Call, bool) {
		return agenttest.Call("file_operation", args{"operation_description": "Append the content to " + file + " as it is",
			"content": of[filepath.Base(file)] + "\n"}), step == 1
	}
}

// What chapters that were written apart say twice, and where they differ in a value, is told to the researcher with both claims and their
// citations. Code finds it by the words; a checker, where there is one, says whether two values contradict each other.
func TestChaptersThatSayTheSameOrDiffer(t *testing.T) {
	said := map[string]string{
		"01-part.md": "The tide at Dover takes 6 hours to rise from low to high water [s1.1].\n\nNeap tides follow the quarters of the moon by two days [s1.1].",
		"02-part.md": "At Dover the tide takes 7 hours to rise from low to high water [s1.1].\n\nThe harbour of Ostend is 12 metres deep [s1.1].",
		"03-part.md": "Neap tides follow the quarters of the moon by two days [s1.1].\n\nThe harbour of Calais took 9 years to build [s1.1].",
	}
	differ := "01-part.md:1 “The tide at Dover takes 6 hours to rise from low to high water” [s1.1] ↔ " +
		"02-part.md:1 “At Dover the tide takes 7 hours to rise from low to high water” [s1.1]: 6 / 7"
	for verdict, want := range map[string]string{"": differ + "\n", "contradicted": differ + " (another time)", "supported": ""} {
		t.Run("checker "+verdict, func(t *testing.T) {
			url, _ := library(t)
			o := &office{site: url, chapters: 3, instead: itsLine(said)}
			asked := ""
			server := serve(t, func(r agenttest.Request) agenttest.Answer {
				if slices.Contains(r.Tools, "verdicts") {
					asked += r.Messages[1].Content
					return say(agenttest.Call("verdicts", args{"verdicts": []args{{"claim": 1, "verdict": verdict, "why": "another time"}}}))
				}
				return o.answer(r)
			})
			c := config(filepath.Join(t.TempDir(), "research"), server.URL)
			c.Parallel, c.MaxSteps = 3, 2
			if verdict != "" {
				c.Judging = rounds.Judging{Fixed: 1, Without: scoresAlone &^ rounds.NoChecker}
			}
			_, err := run(t.Context(), c)
			require.NoError(t, err)
			told := ""
			for _, r := range server.Requests() {
				if slices.Contains(r.Tools, "research_chapters") {
					told += r.Messages[len(r.Messages)-1].Content + "\n"
				}
			}
			assert.Contains(t, told, "say it in one:\n\n- 01-part.md:3 “Neap tides follow the quarters of the moon by two days” [s1.1] ↔ 03-part.md:1 “Neap")
			assert.Equal(t, want != "", strings.Contains(told, "Two places differ"), told)
			assert.Contains(t, told, want)
			assert.NotContains(t, told, "Ostend", "two harbours are two things")
			assert.Equal(t, verdict != "", strings.Contains(asked, "7 hours"), asked)
			replayed(t, c.Dir)
		})
	}
}

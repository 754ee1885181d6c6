package researcher_test

import (
	"path/filepath"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A chapter of the blueprint that lacks the question it answers, or its queries, is named to the model when its memory opens again, as
// often as it takes, and costs no request. A profile with narrow questions asks for a query for each.
func TestChaptersWithoutQuestionOrQueriesAreNamed(t *testing.T) {
	const whole = "- [ ] **Tides** — Why twice a day? Queries: tides twice a day; lunar bulge. File: Notebook/01-tides.md"
	for name, c := range map[string]struct {
		blueprint string
		micro     int
		want      string // "" for nothing
	}{
		"whole":                      {whole, 0, ""},
		"whole, in Chinese":          {"- [ ] **潮汐** — 为什么一天两次？检索词：潮汐 成因；半日潮。文件：Notebook/01-潮汐.md", 2, ""},
		"queries under it":           {"- [ ] **Tides** — Why?\n  - Queries: tides; moon\n  - File: Notebook/01.md", 2, ""},
		"the file first":             {"- [ ] **Tides** — Why? File: Notebook/01-tides.md. Queries: tides; moon", 2, ""},
		"a linked file first":        {"- [ ] **Tides** [Notebook/01.md](Notebook/01.md) — Why?\n  - Queries:\n    - tides\n    - moon", 2, ""},
		"the file first, in Chinese": {"- [ ] **潮汐** — 为什么一天两次？文件：Notebook/01-潮汐.md；检索词：潮汐 成因；半日潮", 2, ""},
		"one too few under it":       {"- [ ] **Tides** — Why?\n  - Queries: tides; moon\n  - File: Notebook/01.md", 3, "chapter 1 lacks"},
		"only a file first":          {"- [ ] **Tides** File: Notebook/01.md. Queries: tides", 0, "chapter 1 lacks"},
		"no queries":                 {whole + "\n- [ ] **Harbours** — How deep? File: Notebook/02-harbours.md", 0, "chapter 2 lacks its question or its queries, at least 1:"},
		"empty queries":              {"- [ ] **Harbours** — How deep? Queries: . File: Notebook/02-harbours.md", 0, "chapter 1 lacks"},
		"no question":                {"- [ ] **Tides** Queries: tides; moon. File: Notebook/01.md\n" + whole, 0, "chapter 1 lacks"},
		"several":                    {"- [ ] Tides\n- [ ] **Ships**\n" + whole, 0, "chapter 1, 2 lacks"},
		"written already":            {"- [x] **Tides** File: Notebook/01.md\n" + whole, 0, ""},
		"too few for a micro":        {whole, 4, "chapter 1 lacks its question or its queries, at least 4:"},
		"enough for a micro":         {"- [ ] **Tides** — Why? Queries: a; b; c; d. File: Notebook/01.md", 4, ""},
		"no list at all":             {"To be laid out.", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			step := 0
			server := serve(t, func(agenttest.Request) agenttest.Answer {
				if step++; step == 1 {
					return say(agenttest.Call("update_overall_dashboard", args{"sections": args{"blueprint": c.blueprint}}))
				}
				return agenttest.Answer{Reply: agenttest.Words("I stop here.")}
			})
			given := config(filepath.Join(t.TempDir(), "research"), server.URL)
			given.Profile.MicroQuestions = c.micro
			_, err := run(t.Context(), given)
			require.NoError(t, err)
			asked := server.Requests()
			require.Greater(t, len(asked), 1)
			assert.NotContains(t, asked[0].Messages[2].Content, "On the blueprint")
			opened := asked[1].Messages
			assert.Contains(t, opened[1].Content, c.blueprint)
			if c.want == "" {
				assert.NotContains(t, opened[2].Content, "On the blueprint")
				return
			}
			assert.Contains(t, opened[2].Content, "(On the blueprint, "+c.want)
		})
	}
}

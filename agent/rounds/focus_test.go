package rounds_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// focused lays out an overall dashboard with a brief and findings.
func (b *bench) focused(brief, findings string) {
	b.t.Helper()
	require.NoError(b.t, b.w.AmendSections(workspace.Overall, map[string]func(string) string{
		"question": func(string) string { return brief },
		"findings": func(string) string { return findings },
	}))
}

const threeFocuses = "**Question:** Why do tides rise?\n\n**Focus:**\n\n1. moon: `moon tide`\n2. sun: `sun tide`; `solar tide`\n3. coasts: `tide coast`\n\n" +
	"**Assumptions (change what is wrong):**\n\n1. The seas of the Earth are meant."

// A focus without a finding that cites a source is a gap when the report is proposed, whatever the judge found, and closed once it has one.
func TestAFocusWithoutAFindingIsAGap(t *testing.T) {
	const second, third = "No cited finding yet on focus 2. sun: `sun tide`; `solar tide`", "No cited finding yet on focus 3. coasts: `tide coast`"
	for name, c := range map[string]struct {
		brief, findings string
		gaps            []string
	}{
		"two without":            {threeFocuses, "### 1. moon\n\n- The moon pulls [s1.1].\n\n### 2. sun\n\n### 3. coasts\n\n- Nothing was found.\n", []string{second, third}},
		"in another order":       {threeFocuses, "### 3. coasts\n- High [s1.1].\n### 1. The moon\n- It pulls [s1].", []string{second}},
		"bold heads":             {threeFocuses, "**1. moon**\n- a [s1.1]\n\n**2. sun**\n- b [s1.1]\n\n**3. coasts**\n- c [s1.1]", nil},
		"control: all have some": {threeFocuses, "### 1. moon\n- a [s1.1]\n### 2. sun\n- b [s1.1]\n### 3. coasts\n- c [s1.1]", nil},
		"no heads":               {strings.Replace(threeFocuses, "1. moon: `moon tide`\n", "", 1), "- The sun pulls [s1.1].", []string{second, third}},
		"no focus":               {"**Question:** Why do tides rise?\n\n**Assumptions (change what is wrong):**\n\n1. The seas are meant.", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			for mode, judging := range map[string]rounds.Judging{"judged": {}, "fixed": {Fixed: 2}} {
				b := proposals(t, judging, judgement(6, "What of rivers?"))
				b.focused(c.brief, c.findings)
				text, effect := b.propose()
				require.Equal(t, agent.Restart, effect, text)
				wanted := c.gaps
				if mode == "judged" {
					wanted = append([]string{"What of rivers?"}, c.gaps...)
				}
				gaps := workspace.Lines(section(t, b.text(workspace.OverallFile), "gaps"))
				assert.ElementsMatch(t, wanted, gaps, mode)
				plan := section(t, b.text(workspace.CurrentFile), "plan")
				for _, gap := range wanted {
					assert.Contains(t, plan, "- [ ] "+gap, mode)
				}
			}
		})
	}
}

// A gap of a focus leaves the dashboard when its finding is there, in whatever round; those that are left open stay.
func TestAFocusThatWasFoundIsClosed(t *testing.T) {
	b := proposals(t, rounds.Judging{Fixed: 2})
	require.NoError(t, b.w.Ask("潮汐为什么上涨？"))
	b.put("report.md", "# 潮汐\n\n每天两次 [s1]。\n")
	b.focused("**问题：** 潮汐为什么上涨？\n\n**重点：**\n\n1. 月球：`月球 潮汐`\n2. 太阳：`太阳 潮汐`", "### 1. 月球\n\n### 2. 太阳")
	_, effect := b.propose()
	require.Equal(t, agent.Restart, effect)
	gaps := section(t, b.text(workspace.OverallFile), "gaps")
	assert.Equal(t, "- 这个重点还没有注明依据的结论：1. 月球：`月球 潮汐`\n- 这个重点还没有注明依据的结论：2. 太阳：`太阳 潮汐`", gaps)
	require.NoError(t, b.w.AmendSections(workspace.Overall, map[string]func(string) string{
		"findings": func(string) string { return "### 1. 月球\n\n- 月球引力 [s1.1]。\n\n### 2. 太阳" },
	}))
	_, effect = b.propose()
	require.Equal(t, agent.Finish, effect)
	assert.Equal(t, "- 这个重点还没有注明依据的结论：2. 太阳：`太阳 潮汐`", section(t, b.text(workspace.OverallFile), "gaps"))
}

// However many focuses somebody lists, and however long, the gaps that are made of them fit on the dashboard.
func TestFocusesAreBounded(t *testing.T) {
	b := proposals(t, rounds.Judging{Fixed: 2})
	var list strings.Builder
	for n := range 20 {
		fmt.Fprintf(&list, "%d. %s\n", n+1, strings.Repeat("a", 500))
	}
	b.focused("**Question:** Why?\n\n**Focus:**\n\n"+list.String(), "")
	_, effect := b.propose()
	require.Equal(t, agent.Restart, effect)
	gaps := workspace.Lines(section(t, b.text(workspace.OverallFile), "gaps"))
	require.Len(t, gaps, 12)
	assert.Len(t, []rune(gaps[0]), len("No cited finding yet on focus ")+301)
}

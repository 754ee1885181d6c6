package rounds_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAllFinished(t *testing.T) {
	b := newBench(t)
	finish := func(result string) (string, agent.Effect) {
		results, effect := b.do(agenttest.Call("all_finished", args{"result": result}))
		return results[0], effect
	}
	refused := func(result, why string) {
		t.Helper()
		text, effect := finish(result)
		assert.Equal(t, agent.Continue, effect)
		assert.True(t, strings.HasPrefix(text, "Not finished: "), text)
		assert.Contains(t, text, why)
	}
	refused("done", "there is no report")
	b.put("report.md", " \n")
	refused("The report is report.md.", "report.md is empty")
	b.put("report.md", "# Tides\n\nTwice a day [s1], or so [s7].\n")
	refused("The report is report.md.", "line 3 [s7]: source missing: nothing was read under the id s7")
	_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/a|b", Title: "Tides [of the sea]", Type: "html"}, "Twice a day")
	require.NoError(t, err)
	refused("研究报告已生成：report.md", "faults: 1, in citations of s7")
	refused("研究报告已生成：Notebook/别的.md", "there is no report")
	b.put("report.md", "# Tides\n\nTwice a day.\n")
	refused("report.md", "cites nothing")

	b.put("report.md", "# Tides\n\nThe tide comes “twice a week” [s1].\n")
	refused("report.md", "line 3 [s1]: quote missing: “twice a week” is not in s1")
	b.put("report.md", "# Tides\n\nIt came 17 times in 2024 [s1].\n")
	refused("report.md", "line 3 [s1]: figure missing: 17, 2024 are not in s1")

	b.put("report.md", "# Tides\n\nTwice a day [s1].\n")
	text, effect := finish("研究报告已生成：./report.md。")
	assert.Equal(t, agent.Finish, effect)
	assert.Equal(t, "report.md", text)
	report := b.text("report.md")
	assert.True(t, strings.HasPrefix(report, "# Tides\n\nTwice a day [s1.1].\n\n## References {#references}\n\n- [s1] "), report)
	assert.Contains(t, report, `- [s1] Tides \[of the sea\]. example.org. <https://example.org/a%7Cb>`)
	assert.Contains(t, report, `[s1]: Sources/s01-tides-of-the-sea.md "Tides [of the sea]"`)

	finish("report.md")
	assert.Equal(t, report, b.text("report.md"), "the references are written again, not added again")
}

func TestWordsBelowTheReferencesStay(t *testing.T) {
	b := newBench(t)
	_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/", Title: "Tides", Type: "html"}, "Twice a day")
	require.NoError(t, err)
	b.put("report.md", "# Tides\n\nTwice a day [s1].\n")
	b.do(agenttest.Call("all_finished", args{"result": "report.md"}))
	b.put("report.md", b.text("report.md")+"\nMy own remark, written by hand.\n\n## Appendix\n\nHours of work.\n")
	b.do(agenttest.Call("all_finished", args{"result": "report.md"}))
	assert.Contains(t, b.text("report.md"), "My own remark")
	assert.Contains(t, b.text("report.md"), "Hours of work.")
	assert.Equal(t, 1, strings.Count(b.text("report.md"), "{#references}"))
	assert.Equal(t, 1, strings.Count(b.text("report.md"), "[s1]: Sources/"))
}

func TestTheReportIsFoundInASentence(t *testing.T) {
	for _, sentence := range []string{"研究已完成，报告写在report.md。", "The report is **report.md**.", "See [report.md](report.md).", "The report (report.md) draws on Notebook/01.md", "完成：最终报告见report.md"} {
		t.Run(sentence, func(t *testing.T) {
			b := newBench(t)
			_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/", Title: "Tides", Type: "html"}, "Twice a day")
			require.NoError(t, err)
			b.put("report.md", "# Tides\n\nTwice a day [s1].\n")
			results, effect := b.do(agenttest.Call("all_finished", args{"result": sentence}))
			assert.Equal(t, agent.Finish, effect, results)
		})
	}
}

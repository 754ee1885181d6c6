package gate_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const blueprint = "<!-- 3-5 chapters -->\n\n- [x] **Causes of the tides** — why do they rise? Queries: a; " +
	"b. File: Notebook/01-causes.md\n  - [ ] ask the harbour\n" +
	"- [x] **Heights** — how high? File: Notebook/02-heights.md\n- [ ] ~~**Whales**~~\n- [ ] **References**\n"

// What the blueprint plans has a section, whatever its title has become, and the report ends with a
// conclusion.
func TestParts(t *testing.T) {
	const all = "# Tides\n\nThey rise.\n\n## 1. Causes of the tides\n\nThe Moon.\n\n## 2. Heights\n" +
		"\nTwo metres.\n\n## Conclusion and outlook\n\nIt will.\n"
	without := func(title string) string {
		before, after, ok := strings.Cut(all, "## "+title)
		require.True(t, ok, title)
		_, after, _ = strings.Cut(after, "\n## ")
		return before + "## " + after
	}
	const conclusion, chapters = "there is no conclusion: add the section \"## Conclusion and " +
		"outlook\"", "1 of these chapters of the blueprint have no section (##): "
	for name, c := range map[string]struct{ blueprint, text, want string }{
		"all":            {blueprint, all, ""},
		"a lost chapter": {blueprint, without("2. Heights"), chapters + "“Heights”."},
		"no conclusion":  {blueprint, all[:strings.Index(all, "## Concl")], conclusion},
		"an empty one":   {blueprint, strings.Replace(all, "It will.\n", "", 1), conclusion},
		"an empty chapter": {blueprint, strings.Replace(all, "Two metres.\n", "", 1), chapters +
			"“Heights”."},
		"an empty blueprint": {"<!-- 3-5 chapters as a checklist: - [ ] **Title** -->\n", all,
			"the blueprint in overall_dashboard.md is empty: write into it the chapters"},
		"a title that changed": {blueprint,
			strings.Replace(all, "Heights", "Up to sixteen metres", 1), ""},
		"a shorter title": {blueprint, strings.Replace(all, "Causes of the tides", "Causes", 1), ""},
		"two chapters in one": {blueprint, strings.Replace(without("2. Heights"), "Causes of the tides",
			"Causes of the tides, heights", 1), ""},
		"one below another": {blueprint, strings.Replace(all, "## 2. Heights", "### Heights", 1), ""},
		"a further section": {blueprint, all + "\n## Harbours\n\nDeep.\n", ""},
		"a table of a plan": {"| Chapter |\n| --- |\n| Causes |\n", all, ""},
		"a plan without boxes": {"1. **Causes of the tides**: why?\n2. Heights - how high?\n" +
			"3. Whales. File: Notebook/03.md\n", all, chapters + "“Whales”."},
		"a plan of headings": {"### 1. Causes\n- Queries: a\n### 2. Heights\n- Queries: b\n", all, ""},
		"two are missing": {"- [ ] **Ships**\n- [ ] **Whales**\n- [ ] **Heights**\n",
			without("2. Heights"),
			"2 of these chapters of the blueprint have no section (##): “Ships”, “Whales”, “Heights”."},
		"in Chinese": {"- [ ] **潮汐的成因** — 为什么？\n- [ ] **潮高** — 多高？\n",
			"# 潮汐\n\n## 一、潮汐的成因\n\n月亮。\n\n## 二、潮高\n\n两米。\n\n## 结论与展望\n\n会的。\n",
			""},
		"in Chinese, one is lost": {"- [ ] **潮汐的成因** — 为什么？\n- [ ] **潮高** — 多高？\n",
			"# 潮汐\n\n## 一、潮汐的成因\n\n月亮。\n",
			"“潮高”. Write it, or take the chapter off the blueprint and say why under decisions\n" +
				"- there is no conclusion: add the section \"## 结论与展望\""},
		"what is open": {blueprint,
			strings.Replace(all, "Conclusion and outlook", "What stays uncertain", 1), ""},
		"a German one": {blueprint,
			strings.Replace(all, "Conclusion and outlook", "Fazit und Ausblick", 1), ""},
		"a recommendation": {blueprint,
			strings.Replace(all, "Conclusion and outlook", "3. Recommendation", 1), ""},
		"a heading that only ends": {blueprint,
			strings.Replace(all, "Conclusion and outlook", "Netzanschluss", 1), conclusion},
	} {
		t.Run(name, func(t *testing.T) {
			r := report("Why do tides rise?", c.text)
			r.Blueprint = c.blueprint
			got := gate.Parts(profile(t, "standard")).Refuse(t.Context(), r)
			if c.want == "" {
				assert.Empty(t, got)
				return
			}
			assert.Contains(t, got, "report.md lacks parts that the profile standard asks for:\n- ")
			assert.Contains(t, got, c.want)
			assert.Empty(t, gate.Parts(profile(t, "brief")).Refuse(t.Context(), r),
				"brief asks for neither")
		})
	}
	numbered := report("Why?", "# T\n\n## 4 深入\n\n### 4.1 技术\n\n月亮。\n\n### 4.2 商业\n\n月亮。\n")
	numbered.Blueprint = "- [ ] **4.1 Technical Landscape / 技术全景**\n" +
		"- [ ] **4.2 Business Impact / 商业影响**\n- [ ] **4.3 Ethics / 伦理**\n- [ ] **4.4 Law / 法律**\n"
	assert.Contains(t, gate.Parts(profile(t, "exhaustive")).Refuse(t.Context(), numbered),
		"1 of these chapters of the blueprint have no section (##): “4.3 Ethics / 伦理”, “4.4 Law / 法律”.")
}

// Whoever writes a guide or sections of their own says there which parts there are; what they set besides is
// asked for.
func TestAGuideOfOnesOwnAsksForItsOwnParts(t *testing.T) {
	for name, c := range map[string]struct {
		fields               map[string]any
		chapters, conclusion bool
	}{
		"no guide": {map[string]any{"sources": 7}, true, true},
		"a guide":  {map[string]any{"guide": "A letter."}, false, false},
		"sections": {map[string]any{"sections": []any{map[string]any{"title": "Costs"}}},
			false, false},
		"a guide, a wish":      {map[string]any{"guide": "A letter.", "conclusion": true}, false, true},
		"no chapters, however": {map[string]any{"chapters": false}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := gate.FindProfile("mine", map[string]map[string]any{"mine": c.fields})
			require.NoError(t, err)
			assert.Equal(t, []bool{c.chapters, c.conclusion}, []bool{p.Chapters, p.Conclusion})
		})
	}
}

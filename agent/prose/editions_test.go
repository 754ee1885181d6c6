package prose_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

func TestAnOlderEditionIsOutdated(t *testing.T) {
	titles := []string{"Prices 2024", "Prices 2026", "Prices 2025", "Risks: jetty (v1, May 2023)",
		"Notes 2020", "Risks: jetty (v3, February 2026)", "Manual v2", "Manual v10", "年会 2024年",
		"年会 2025年", "Rules", "Risks", "合同 2020年", "2024-03-01", "2025-01-02", "Minutes 2024-03",
		"Minutes 2025-03", "Протокол 2023", "Договор 2025"}
	var older []string
	of := prose.Question("What does it cost for 165 cm?").Outdated(titles)
	for _, title := range titles {
		if of[title] {
			older = append(older, title)
		}
	}
	assert.Equal(t, []string{"Prices 2024", "Prices 2025", "Risks: jetty (v1, May 2023)", "Manual v2",
		"年会 2024年"}, older)
	assert.True(t, prose.IsOld("travel - OLD 2022.md") && prose.IsOld("请假制度（旧）.docx"))
	assert.False(t, prose.IsOld("Golden rules.md"))
	assert.NotEmpty(t, prose.Question("How old must a driver be?").Outdated(titles))
	assert.Empty(t, prose.Question("How are expired passports renewed?").Outdated(titles))
	assert.Empty(t, prose.Question("What did it cost in 2024?").Outdated(titles))
}

// The latest of some minutes is found however their dates are written.
func TestDatesOfMinutesAreCompared(t *testing.T) {
	titles := []string{"Minutes 2026-03-09", "Minutes 2026/04/09", "Minutes 2026年5月9日",
		"Minutes 2026.11.2"}
	outdated := prose.Question("Who looks after the boiler now?").Outdated(titles)
	for i, title := range titles {
		assert.Equal(t, i < 3, outdated[title], title)
	}
}

// A revision is the newer edition of what was there before.
func TestARevisionIsAnEdition(t *testing.T) {
	for older, newer := range map[string]string{"员工手册（2023 年版）": "员工手册（2025 年修订版）",
		"Staff Handbook 2023": "Staff Handbook, revised edition 2025"} {
		outdated := prose.Question("年假几天？").Outdated([]string{older, newer})
		assert.True(t, outdated[older] && !outdated[newer], newer)
	}
}

// Minutes have no editions, unless somebody asks how it ended.
func TestOfMinutesTheLastIsTheLatest(t *testing.T) {
	first, last := "Minutes 2024-11-19 Partners.docx", "Minutes 2025-01-14 Partners.docx"
	for question, older := range map[string]bool{
		"Which machine did the partners buy in the end?": true, "合伙人最后买了哪台机器？": true,
		"Which machine did the partners speak of?": false,
	} {
		outdated := prose.Question(question).Outdated([]string{first, last})
		assert.Equal(t, older, outdated[first], question)
		assert.False(t, outdated[last], question)
	}
}

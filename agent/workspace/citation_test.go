package workspace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
)

func TestMarksNameBlocks(t *testing.T) {
	for text, want := range map[string]string{
		"It is so [s5.12].":            "s5.12",
		"It is so [s5.12][s7.3].":      "s5.12|s7.3",
		"It is so [s5.12, s5.13].":     "s5.12 s5.13",
		"It is so [s5.12, 13].":        "s5.12 s5.13",
		"It is so [s5.12,15-16; s7].":  "s5.12 s5.15 s5.16 s7",
		"It is so [s5.12-14].":         "s5.12 s5.13 s5.14",
		"It is so [s5.12–s5.13].":      "s5.12 s5.13",
		"It is so [S5.12].":            "s5.12",
		"它是这样的【s5.12】。":                "s5.12",
		"它是这样的［s5．12、s7.3］。":           "s5.12 s7.3",
		"It is so [s5].":               "s5",
		"It is so [s5, p. 4].":         "s5",
		"It is so [s5.12, p. 4].":      "s5.12",
		"It is so [s5.1-900].":         "s5",
		"It is so [s5.14-12].":         "s5",
		"It is so [s5.0].":             "",
		"It is so [s5.].":              "",
		"It is so [s5.x].":             "",
		"It is so [s5.12 of 30].":      "",
		"It is so [s5.12-14 and 200].": "",
	} {
		var got []string
		for _, m := range workspace.Marks(text) {
			assert.Equal(t, m.End-m.Start, workspace.MarkHere([]byte(text[m.Start:])), text)
			got = append(got, strings.Trim(fmt.Sprint(m.Refs), "[]"))
		}
		assert.Equal(t, want, strings.Join(got, "|"), text)
	}
	assert.Equal(t, []string{"s5", "s7"}, workspace.Cited("A [s5.12][s5.13]. B [s7.1, s5]."))
}

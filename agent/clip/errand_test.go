package clip_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/intake"
)

// A poem to be written and a text to be translated are no questions that documents answer.
func TestAnErrandIsRefused(t *testing.T) {
	for question, refused := range map[string]bool{
		"帮我写一首诗": true, "请帮我把这些文件都翻译成英文。": true, "写个笑话": true, "Write me a poem about tides": true,
		"Please translate these files into German.": true,
		"谁写了这首诗？":                                   false, "住宿标准是怎样写成英文的？": false, "怎样把文件翻译成英文？": false, "帮我写一下报销流程": false,
		"How do I write a song with the tool?": false, "Which translation of this text is meant?": false,
	} {
		brief, err := intake.Intake{Brain: clip.Brain{}, Person: &listener{}}.Brief(t.Context(), question, "")
		require.NoError(t, err)
		assert.Equal(t, refused, brief.Refusal != "", question)
	}
}

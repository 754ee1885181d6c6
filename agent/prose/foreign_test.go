package prose_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

// A list of names is in no other language, though it has hardly a word that every English text holds.
func TestIsForeign(t *testing.T) {
	for _, text := range []string{
		"Format: 1.8\nSource: tzdata\nChanges:\n* New upstream version 2024a\n- Kazakhstan unifies on UTC+5",
		"The tide rises twice a day, since the moon pulls at the sea.",
	} {
		assert.False(t, prose.IsForeign(text), text)
	}
	for _, text := range []string{
		"Die Flut kommt zweimal am Tag, weil der Mond das Wasser anzieht, und sie ist in der Bucht hoch.",
		"La marée monte deux fois par jour, car la lune attire les eaux, et elle est forte dans la baie.",
		"Прилив приходит два раза в день.", "潮水一天涨两次，因为月亮吸引海水。",
	} {
		assert.True(t, prose.IsForeign(text), text)
	}
}

package prose_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

// A list of names and dates is in no other language, though it has hardly a word that every English text holds.
func TestIsForeign(t *testing.T) {
	for text, want := range map[string]bool{
		"Format: 1.8\nSource: tzdata\nChanges:\n* New upstream version 2024a\n- Kazakhstan unifies on UTC+5":        false,
		"The tide rises twice a day, since the moon pulls at the sea.":                                              false,
		"Die Flut kommt zweimal am Tag, weil der Mond das Wasser anzieht, und sie ist in der Bucht am höchsten.":    true,
		"La marée monte deux fois par jour, car la lune attire les eaux de la mer, et elle est forte dans la baie.": true,
		"Прилив приходит два раза в день.":                                                                          true,
		"潮水一天涨两次，因为月亮吸引海水。":                                                                                         true,
	} {
		assert.Equal(t, want, prose.IsForeign(text), text)
	}
}

package block_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFollow(t *testing.T) {
	same := func(n int) block.Fate { return block.Fate{N: n, Same: true} }
	const old = "# Tides\n\nThe sea is large.\n\nThe tides of the sea are caused by the moon.\n" +
		"\nThe bay of Fundy has 16 metres.\n"
	for name, c := range map[string]struct {
		old, now string
		want     []block.Fate
	}{
		"nothing changed":    {old, old, []block.Fate{same(1), same(2), same(3)}},
		"a paragraph before": {old, "New words.\n\n" + old, []block.Fate{same(2), same(3), same(4)}},
		"other line ends and lines": {old,
			"The sea\nis  large.\n\nThe tides of the sea are caused by the moon.\n" +
				"\nThe bay of Fundy has 16 metres.\n", []block.Fate{same(1), same(2), same(3)}},
		"signs are escaped": {"In a_b_c and \\(x\\)\n\nor *c\n",
			"In a\\_b\\_c and \\\\(x\\\\)\n\nor \\*c\n", []block.Fate{same(1), same(2)}},
		"another heading": {old,
			"# Seas\n\nThe sea is large.\n\nThe tides of the sea are caused by the moon.\n\n" +
				"The bay of Fundy has 16 metres.\n", []block.Fate{same(1), same(2), same(3)}},
		"one is worded otherwise": {old,
			"The sea is large.\n\nThe tides of the sea are caused by the sun, not the moon.\n" +
				"\nThe bay of Fundy has 16 metres.\n", []block.Fate{same(1), {N: 2}, same(3)}},
		"one is gone": {old, "The sea is large.\n\nThe bay of Fundy has 16 metres.\n",
			[]block.Fate{same(1), {}, same(2)}},
		"one is replaced by another": {old,
			"The sea is large.\n\nCopyright 2026.\n\nThe bay of Fundy has 16 metres.\n",
			[]block.Fate{same(1), {}, same(3)}},
		"two change places": {old,
			"The bay of Fundy has 16 metres.\n\nThe tides of the sea are caused by the moon.\n" +
				"\nThe sea is large.\n", []block.Fate{same(3), same(2), same(1)}},
		"the same twice": {"a b c\n\na b c\n", "a b c\n\na b c d\n",
			[]block.Fate{same(1), {N: 2}}},
		"the first and the last": {old,
			"The sea is very large.\n\nThe tides of the sea are caused by the moon.\n" +
				"\nThe bay of Fundy has 15 metres.\n", []block.Fate{{N: 1}, same(2), {N: 3}}},
		"Chinese": {"潮汐是由月亮引起的。\n", "潮汐是由月亮和太阳引起的。\n",
			[]block.Fate{{N: 1}}},
		"a row with another head": {"| a | m |\n|---|---|\n| x | 1 |\n",
			"| a | km |\n|---|---|\n| x | 1 |\n", []block.Fate{{N: 1}}},
		"all is gone":                 {old, "", []block.Fate{{}, {}, {}}},
		"there was nothing before it": {"", old, []block.Fate{}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, block.Follow(block.Split(c.old), block.Split(c.now)))
		})
	}
}

// Where nothing is the same, following costs at most 20 times as much as where all of it is.
func TestFollowOfAnotherText(t *testing.T) {
	words := strings.Repeat(strings.Repeat("Words of a long paragraph. ", 44)+"\n\n", 50)
	for name, c := range map[string]struct{ old, now string }{
		"many items, long paragraphs": {strings.Repeat("- item\n", 8000), words},
		"long paragraphs, many items": {words, strings.Repeat("- item\n", 8000)},
		"paragraphs of the same size": {words,
			strings.Repeat(strings.Repeat("Other ones for that page. ", 44)+"\n\n", 50)},
	} {
		t.Run(name, func(t *testing.T) {
			old, now := block.Split(c.old), block.Split(c.now)
			control := spent(func() { block.Follow(old, old); block.Follow(now, now) })
			for _, fate := range block.Follow(old, now) {
				require.Zero(t, fate)
			}
			took := spent(func() { block.Follow(old, now) })
			assert.Less(t, took, 20*control)
		})
	}
}

// spent is the shortest time of the processor that some work takes.
func spent(work func()) time.Duration {
	least := time.Hour
	for range 3 {
		runtime.GC()
		before := agenttest.Spent()
		work()
		least = min(least, agenttest.Spent()-before)
	}
	return max(least, time.Microsecond)
}

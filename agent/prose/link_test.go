package prose_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

func TestUnlinked(t *testing.T) {
	const text = "See [WAL mode](doc:wal.html#a_(b)) and [the page][1], but not [s1.2] or f(x)."
	assert.Equal(t, "See WAL mode and the page, but not [s1.2] or f(x).", prose.Unlinked(text, "$1"))
	assert.Equal(t, "See  and , but not [s1.2] or f(x).", prose.Unlinked(text, ""))
}

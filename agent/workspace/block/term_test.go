package block_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// A value of a setting is shown below the setting's name, also when the lines between them are left out.
func TestAnItemIsShownUnderWhatItIsOf(t *testing.T) {
	blocks := block.Split("- **ReturnToService**: Controls when a node returns.\n" +
		"  - **0**: It stays down.\n  - **1**: It returns.\n- **RoutePlugin**: Names the plugin.\n")
	require.Len(t, blocks, 4)
	assert.Equal(t, "(of **ReturnToService**)\n[3]   - **1**: It returns.\n"+
		"[4] - **RoutePlugin**: Names the plugin.", block.Show("", blocks[2:]))
	assert.NotContains(t, block.Show("", blocks), "(of")
}

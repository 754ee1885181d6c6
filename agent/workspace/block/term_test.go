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
	assert.Equal(t, "(part of **ReturnToService**)\n[3]   - **1**: It returns.\n"+
		"[4] - **RoutePlugin**: Names the plugin.", block.Show("", blocks[2:]))
	assert.NotContains(t, block.Show("", blocks), "(part of")
}

// What stands behind the definitions of other things is of no line in bold above them.
func TestADefinitionEndsWhereTheNextBegins(t *testing.T) {
	blocks := block.Split("**bf_window**\n\nHow far it looks.\n\n- **SelectType**: Names the plugin.\n\n" +
		"These options are supported:\n")
	require.Len(t, blocks, 4)
	assert.Equal(t, "bf_window", blocks[1].Term)
	assert.Empty(t, blocks[3].Term)
}

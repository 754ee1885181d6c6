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

// The head of a definition may be a command in bold with its placeholders in italics. A sentence with words
// in bold is none.
func TestTheFormOfACommandIsATerm(t *testing.T) {
	blocks := block.Split("**PRAGMA encoding;**\n\nIt is fixed once set.\n\n" +
		"**PRAGMA** *schema.***key_check; PRAGMA** *schema.***key_check(***table***);**\n\n" +
		"It returns a row for each fault.\n\n**It** is *not* run by **PRAGMA** alone.\n\nRun it at night.\n")
	require.Len(t, blocks, 6)
	assert.Equal(t, "PRAGMA encoding;", blocks[1].Term)
	assert.Equal(t, "PRAGMA schema.key_check; PRAGMA schema.key_check(table);", blocks[3].Term)
	assert.Equal(t, blocks[3].Term, blocks[5].Term, "the control: a sentence is no head")
}

// The head of a definition may be a signature, and the label of a remark within it ends it not.
func TestARemarkIsOfTheDefinitionAroundIt(t *testing.T) {
	blocks := block.Split("**`remote-hostname`**\n\n**Grammar:** `remote-hostname <string>;`\n\n" +
		"The name in the certificate.\n\n**Warning**\n\nWithout it nothing is verified.\n\n" +
		"**`protocols`**\n\nThose that are allowed.\n")
	require.Len(t, blocks, 7)
	const host = "`remote-hostname`"
	for at, term := range []string{"", "", host, host, host, "", "`protocols`"} {
		assert.Equal(t, term, blocks[at].Term, blocks[at].Text)
	}
}

// A longer word, and a name in code type, is no label of a remark.
func TestATermThatHoldsTheWordOfARemark(t *testing.T) {
	for head, term := range map[string]string{
		"**参数说明**": "参数说明", "**`hint`**": "`hint`", "**注意：**": "",
	} {
		blocks := block.Split(head + "\n\n输入给模型的文字有长度的限制。\n")
		require.Len(t, blocks, 2)
		assert.Equal(t, term, blocks[1].Term, head)
	}
}

// A line of code above a quote is the head of what the quote says; a sentence that begins with code is none,
// and what follows the quote is of no head.
func TestAQuoteBelowALineOfCode(t *testing.T) {
	blocks := block.Split("`bans_dups` – *counter* - diag\n\n> Superseded bans\n>\n> Of those replaced.\n\n" +
		"More of them follow.\n\n`uptime` is what one looks at first; all others count from there on.\n\n" +
		"> It starts at 0.\n\n**Alice Smith** wrote on Monday:\n\n> The limit is 30 days.\n")
	require.Len(t, blocks, 8)
	for at, term := range []string{"", "`bans_dups`", "`bans_dups`", "", "", "", "", ""} {
		assert.Equal(t, term, blocks[at].Term, blocks[at].Text)
	}
}

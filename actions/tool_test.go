package actions_test

import (
	"context"
	"testing"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A word that a server brought goes back to it, and takes no other along.
func TestAToolIsSentNoSecretBesideItsOwn(t *testing.T) {
	const its, ours = "AKIAIOSFODNN7EXAMPLE", "sk-person-Q7zK3PxW9vB2mLtR"
	b := newBench(t)
	_, err := b.w.AddSource(workspace.Source{URL: "mcp://srv/look?1", Title: "A"}, "The id is "+its+".\n")
	require.NoError(t, err)
	b.kit.Tools = []actions.Tool{{Name: "srv__look", From: "srv", Schema: []byte(`{"type":"object"}`),
		ReadOnly: true, Call: func(context.Context, string) (actions.Brought, error) {
			return actions.Brought{Type: "text/plain", Body: []byte("It is low water.")}, nil
		}}}
	assert.Contains(t, b.one("srv__look", args{"q": its}), "Read as s2")
	for _, q := range []string{its + " " + ours, ours + " " + its, its + "," + ours} {
		assert.Contains(t, b.one("srv__look", args{"q": q}), "not sent out", q)
	}
}

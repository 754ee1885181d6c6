package mcp_test

import (
	"testing"

	"github.com/daybook-agent/daybook/actions/mcp"
	"github.com/stretchr/testify/assert"
)

// Nobody can agree to an address that they do not see.
func TestTheHostOfAServerIsWrittenOut(t *testing.T) {
	for _, url := range []string{"${URL}", "https://${HOST}/mcp", "https://mcp.test${MORE}/x",
		"http${S}://a/x",
		"https://mcp.test:${PORT}/x", "https://${USER}@mcp.test/x", "https:/${HOST}/x", "mcp.test/x",
		"https://%zz/x", `https://mcp.test\${MORE}/x`, "https:///${HOST}"} {
		assert.ErrorContains(t, mcp.Server{URL: url}.Check("srv"), "its url", url)
	}
	for _, url := range []string{"https://mcp.test/x", "https://mcp.test/${TENANT}/x",
		"https://mcp.test?key=${KEY:-none}"} {
		assert.NoError(t, mcp.Server{URL: url}.Check("srv"), url)
	}
}

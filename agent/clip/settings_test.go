package clip_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A long file of settings is shown in pieces, of which one may end with a comment: that is no heading of the
// next one, and each piece is code.
func TestACommentOfSettingsIsNoHeading(t *testing.T) {
	for name, setting := range map[string]string{"yaml": "# Timeout %[1]d of the proxy\n" +
		"timeout_%[1]d: %[1]d\n", "sh": "# Timeout %[1]d of the proxy\nproxy --timeout %[1]d\n"} {
		var file strings.Builder
		for i := range 400 {
			fmt.Fprintf(&file, setting, i)
		}
		page := "settings\n```" + name + "\n" + file.String() + "```\n"
		report := reportOn(t, "What is timeout 179 of the proxy?", page)
		assert.Contains(t, report, "Timeout 179 of the proxy\n")
		assert.NotRegexp(t, `(?m)^#+ Timeout \d+ of the proxy ·|^> “`, report)
	}
}

// A heading below a block of code is one, however much that block's lines look like settings: its fence is
// closed.
func TestAHeadingBelowCodeIsNoComment(t *testing.T) {
	const page = "Updates\n# Updates\n\n## Automatic updates\n\n" +
		"Automatic updates of the pump are set so:\n\n" +
		"```\nPump::Lists \"1\";\nPump::Download \"1\";\nPump::Upgrade \"0\";\n```\n\n" +
		"## The bandwidth\n\nThe bandwidth of automatic updates is limited so that the pump has its " +
		"share:\n\n```\nPump::Limit \"800\";\n```\n"
	report := reportOn(t, "How are automatic updates of the pump set?", page)
	assert.Contains(t, report, "Pump::Upgrade \"0\";\n```\n")
	assert.NotContains(t, report, "````")
	assert.Contains(t, report, "### The bandwidth")
}

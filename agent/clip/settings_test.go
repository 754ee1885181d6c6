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
	for name, setting := range map[string]string{"yaml": "# Timeout %[1]d of the proxy\ntimeout_%[1]d: %[1]d\n", "sh": "# Timeout %[1]d of the proxy\nproxy --timeout %[1]d\n"} {
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

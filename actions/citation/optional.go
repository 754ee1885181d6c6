package citation

import (
	"regexp"
	"strings"
)

var (
	withOptional = regexp.MustCompile(`-[\w-]*(?:\[[\w-]{1,12}\][\w-]*)+`)
	optional     = regexp.MustCompile(`\[([\w-]+)\]`)
)

// HasOption reports whether a text has an option whose spelling leaves parts to choose, as manuals write it:
// -q[q][i]ff is -qff, -qqff and more, and --[no-]verify is also --no-verify.
func HasOption(text, name string) bool {
	if !strings.HasPrefix(name, "-") || !strings.Contains(text, "[") {
		return false
	}
	for _, option := range withOptional.FindAllString(text, -1) {
		pattern := "^" + optional.ReplaceAllString(option, "(?:$1)?") + "$"
		if re, err := regexp.Compile(pattern); err == nil && re.MatchString(name) {
			return true
		}
	}
	return false
}

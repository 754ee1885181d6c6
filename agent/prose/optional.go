package prose

import (
	"regexp"
	"strings"
)

const (
	longestOption = 40  // bytes of the name of one
	mostOptions   = 200 // that are compared
)

var (
	withOptional = regexp.MustCompile(`(?:^|[\s,(|"'\x60])(-[\w-]*(?:\[[\w-]*[A-Za-z][\w-]*\][\w-]*){1,6})`)
	optional     = regexp.MustCompile(`\[([\w-]+)\]`)
)

// HasOption reports whether a text has an option whose spelling leaves parts to choose, as manuals write it:
// -q[q][i]ff is -qff, -qqff and more, and --[no-]verify is also --no-verify.
func HasOption(text, name string) bool {
	if !strings.HasPrefix(name, "-") || len(name) > longestOption || !strings.Contains(text, "[") {
		return false
	}
	compared := 0
	for _, found := range withOptional.FindAllStringSubmatch(text, -1) {
		always, _, _ := strings.Cut(found[1], "[")
		if len(found[1]) > 2*longestOption || !strings.HasPrefix(name, always) {
			continue
		}
		if compared++; compared > mostOptions {
			return false
		}
		pattern := "^" + optional.ReplaceAllString(found[1], "(?:$1)?") + "$"
		if re, err := regexp.Compile(pattern); err == nil && re.MatchString(name) {
			return true
		}
	}
	return false
}

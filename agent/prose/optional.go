package prose

import (
	"regexp"
	"strings"
)

const (
	longestOption = 40  // bytes of an option's name
	mostOptions   = 200 // options compared
)

var (
	withOptional = regexp.MustCompile(`(?:^|[\s,(|"'\x60])(-[\w-]*(?:\[[\w-]*[A-Za-z][\w-]*\][\w-]*){1,6})`)
	optional     = regexp.MustCompile(`\[([\w-]+)\]`)
)

// HasOption reports whether a text has an option spelled with optional parts, as in manuals: -q[q][i]ff
// covers -qff, -qqff and more, and --[no-]verify also --no-verify.
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

package fileagent

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// apply takes up the options of grep that a search has, as on a command line: "-i -C 2 --include=*.md".
func (b *bookmark) apply(options string) error {
	words := strings.Fields(options)
	for i := 0; i < len(words); i++ {
		word := words[i]
		if glob, ok := strings.CutPrefix(word, "--include="); ok {
			b.where = path.Join(b.where, "**", strings.Trim(glob, `"'`))
			continue
		}
		flags, ok := strings.CutPrefix(word, "-")
		if !ok || flags == "" || strings.HasPrefix(flags, "-") {
			return b.unknown(word)
		}
		for at, flag := range flags {
			switch flag {
			case 'r', 'R', 'n', 'E', 'P', 'H', 'G': // as every search is
			case 'i':
				b.pattern = "(?i)" + b.pattern
			case 'F':
				b.pattern = regexp.QuoteMeta(b.pattern)
			case 'w':
				b.pattern = `\b(?:` + b.pattern + `)\b`
			case 'A', 'B', 'C':
				value := flags[at+1:]
				if value == "" && i+1 < len(words) {
					i++
					value = words[i]
				}
				n, err := strconv.Atoi(value)
				if err != nil {
					return fmt.Errorf("-%c wants a number of lines, not %q", flag, value)
				}
				b.context = max(b.context, n)
			default:
				return b.unknown(word)
			}
			if strings.ContainsRune("ABC", flag) {
				break // the rest was its number
			}
		}
	}
	return nil
}

func (b *bookmark) unknown(option string) error {
	return fmt.Errorf("grep_files has no option %q; it has -i, -w, -F, -A, -B, -C and --include=GLOB", option)
}

package prose

import (
	"regexp"
	"slices"
	"strings"
)

// slot is a place to fill in: one between quotation marks is never told, and one after a colon at the end
// may be what the system said. In one of words stand the program's own.
type slot struct{ quoted, last, words bool }

// slotsOf are the slots of a text, in their order.
func slotsOf(english string) []slot {
	var all []slot
	for _, m := range verb.FindAllStringIndex(english, -1) {
		v := english[m[0]:m[1]]
		if v == "%%" {
			continue
		}
		all = append(all, slot{
			quoted: v[len(v)-1] == 'q' || within(quotes.FindAllStringIndex(english, -1), m[0]),
			last:   v == "%w" || v == "%v" || strings.HasSuffix(english[:m[0]], ": ") && m[1] == len(english),
			words:  slices.Contains(ofWords, english),
		})
	}
	return all
}

// quotes finds what stands between quotation marks, whose words are never told.
var quotes = regexp.MustCompile("(?s)“.*?”|\".*?\"|`.*?`|«.*?»")

// within reports whether a place is inside one of the spans.
func within(spans [][]int, at int) bool {
	return slices.ContainsFunc(spans, func(s []int) bool { return s[0] < at && at < s[1] })
}

// ofWords are the texts that single words of the program are filled into, and theirs are those words.
var (
	ofWords = []string{
		"Not sound, %s: %s", "Ended as not sound: the report does not pass %s.",
		"not sound: the report does not pass its checks, and the tries are used up: %s",
		"%s do not pass. Mend all of it, then propose to finish again.", "readable; %s, step %d, %s",
	}
	gates  = []string{"length", "citations", "form", "language", "minimum", "parts", "notes", "objections"}
	theirs = append([]string{"finished", "stuck", "running", "interrupted"}, gates...)
)

// system is what the system says at the end of an error.
var system = []string{
	"no such file or directory", "permission denied", "not a directory", "is a directory", "file exists",
	"no space left on device", "read-only file system", "connection refused",
	"connection reset by peer", "i/o timeout", "unexpected EOF", "context deadline exceeded",
}

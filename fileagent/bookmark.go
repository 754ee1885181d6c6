package fileagent

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bookmark is where a listing or a search stands. Its id is what it is, written out, like that of a stream:
// the action that goes on needs nothing that was kept in memory.
type bookmark struct {
	action  string
	context int
	line    int    // of the last match that was shown in after
	after   string // the last path, or name, that was shown
	where   string
	pattern string
}

const bookmarkParts = 6

func (b bookmark) String() string {
	return fmt.Sprintf("%s|%d|%d|%s|%s|%s", b.action, b.context, b.line, escape(b.after), escape(b.where),
		escape(b.pattern))
}

// parseBookmark reads an id; ok is false when it is none.
func parseBookmark(id string) (b bookmark, ok bool) {
	parts := strings.SplitN(strings.TrimSpace(id), "|", bookmarkParts)
	if len(parts) != bookmarkParts {
		return b, false
	}
	var errs [5]error
	b.action = parts[0]
	b.context, errs[0] = strconv.Atoi(parts[1])
	b.line, errs[1] = strconv.Atoi(parts[2])
	b.after, errs[2] = url.PathUnescape(parts[3])
	b.where, errs[3] = url.PathUnescape(parts[4])
	b.pattern, errs[4] = url.PathUnescape(parts[5])
	for _, err := range errs {
		if err != nil {
			return bookmark{}, false
		}
	}
	return b, b.line >= 0
}

// escape leaves what can be read as it is. What a model would not copy right, and what parts the id, comes as
// %XX.
func escape(text string) string {
	var out strings.Builder
	for i, r := range text {
		if r == utf8.RuneError || r == '|' || r == '%' || r == '"' || r == '\\' || !unicode.IsPrint(r) {
			_, size := utf8.DecodeRuneInString(text[i:])
			for _, c := range []byte(text[i : i+size]) {
				fmt.Fprintf(&out, "%%%02X", c)
			}
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// goOn says how to get what did not fit.
func (b bookmark) goOn() string {
	return fmt.Sprintf("go on with continue_stream_read, stream_id %q", b)
}

package prose

import (
	"regexp"
	"strings"
	clock "time"
)

var (
	byline = regexp.MustCompile(`^([^<>]*) <[^<>\s]+@[^<>\s]+>(?:, (\d{4}-\d\d-\d\d))?(?: → .*)?$`)
	// attributed finds who is quoted: On Fri, 10 Oct 2025 at 09:12, Petra Holm <petra@holm.example> wrote:
	attributed = regexp.MustCompile(`^On (.*\b\d{4}\b.*?)(?: ?[AP]M\b)?,? (\pL[^\d<>:,]*?)` +
		`(?: <[^<>]*>)? wrote:$|^(?:在 ?)?(.*?\d{4} ?年.*?日?)[^年月日]*?[，,] ?([^\d<>:：，,]+?)` +
		`(?: ?<[^<>]*>)? ?写道[：:]$`)
	quotedDate = regexp.MustCompile(`\d{4}-\d\d-\d\d|\d{1,2} \pL{3,9} \d{4}|\pL{3,9} \d{1,2}, \d{4}|` +
		`\d{4} ?年 ?\d{1,2} ?月 ?\d{1,2} ?日`)
)

// Byline reads a line of a mail that tells whose words are below it, and when they were written: the one that
// this program put there, which also names to whom, or that above what the mail quotes of another. It is ""
// of any other line.
func Byline(line string) (author, date string, quoted bool) {
	if m := byline.FindStringSubmatch(line); m != nil {
		return m[1], m[2], false
	}
	m := attributed.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	when := quotedDate.FindString(m[1] + m[3])
	if HasHan(when) {
		when = strings.ReplaceAll(when, " ", "")
	}
	layouts := []string{"2 Jan 2006", "2 January 2006", "Jan 2, 2006", "January 2, 2006", "2006年1月2日"}
	for _, layout := range layouts {
		if day, err := clock.Parse(layout, when); err == nil {
			when = day.Format(clock.DateOnly)
		}
	}
	return m[2] + m[4], when, true
}

package prose

import "regexp"

var (
	byline = regexp.MustCompile(`^([^<>]*) <[^<>\s]+@[^<>\s]+>(?:, (\d{4}-\d\d-\d\d))?(?: → .*)?$`)
	// attributed finds attributions: On Fri, 10 Oct 2025 at 09:12, Petra Holm <petra@holm.example> wrote:
	attributed = regexp.MustCompile(`^On (.*\b\d{4}\b.*?)(?: ?[AP]M\b)?,? (\pL[^\d<>:,]*?)` +
		`(?: <[^<>]*>)? wrote:$|^(?:在 ?)?(.*?\d{4} ?年.*?日?)[^年月日]*?[，,] ?([^\d<>:：，,]+?)` +
		`(?: ?<[^<>]*>)? ?写道[：:]$`)
)

// Byline reads a mail's line with the author and date of the words below it: the line added by this program,
// which also names the recipients, or that above a quoted mail. It returns "" for any other line.
func Byline(line string) (author, date string, quoted bool) {
	if m := byline.FindStringSubmatch(line); m != nil {
		return m[1], m[2], false
	}
	m := attributed.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return m[2] + m[4], aDay.FindString(Dated(m[1] + m[3])), true
}

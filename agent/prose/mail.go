package prose

import "regexp"

var (
	byline = regexp.MustCompile(`^([^<>]*) <[^<>\s]+@[^<>\s]+>(?:, (\d{4}-\d\d-\d\d))?(?: → .*)?$`)
	// attributed finds who is quoted: On Fri, 10 Oct 2025 at 09:12, Petra Holm <petra@holm.example> wrote:
	attributed = regexp.MustCompile(`^On (.*\b\d{4}\b.*?)(?: ?[AP]M\b)?,? (\pL[^\d<>:,]*?)` +
		`(?: <[^<>]*>)? wrote:$|^(?:在 ?)?(.*?\d{4} ?年.*?日?)[^年月日]*?[，,] ?([^\d<>:：，,]+?)` +
		`(?: ?<[^<>]*>)? ?写道[：:]$`)
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
	return m[2] + m[4], aDay.FindString(Dated(m[1] + m[3])), true
}

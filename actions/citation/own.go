package citation

import "strings"

// Own is the range of bytes of the list of references that the program adds to a report: the last heading of the second level with the
// id references, and the table under it. Start and end are the same when there is none. A person's words below the table are not in it.
func Own(report string) (start, end int) {
	at, fence := 0, ""
	for line := range strings.Lines(report) {
		text := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence = text[:3]
		case strings.HasPrefix(line, "## ") && strings.HasSuffix(text, "{#references}"):
			start, end = at, at+len(line)
		case end == at && end > start && (text == "" || strings.HasPrefix(line, "|")):
			end += len(line)
		}
		at += len(line)
	}
	return start, end
}

// withoutOwn leaves the lines of the program's list empty, so that the others keep their numbers.
func withoutOwn(report string) string {
	start, end := Own(report)
	return report[:start] + strings.Repeat("\n", strings.Count(report[start:end], "\n")) + report[end:]
}

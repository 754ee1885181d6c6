package clip

import (
	"fmt"
	"regexp"
	"strings"
)

// The two dashboards, as the file agent knows them.
const (
	overallFile = "overall_dashboard.md"
	currentFile = "current_dashboard.md"
	reportFile  = "report.md"
)

// divided returns a dashboard in three parts: up to and with the heading that carries {#id}, the body below
// it, and the next heading of its level with all that follows.
func divided(dashboard, id string) (before, body, after string, found bool) {
	fence, at := "", 0
	from, to := -1, len(dashboard)
	for line := range strings.Lines(dashboard) {
		fence = fenceAfter(fence, line)
		heads := fence == "" && strings.HasPrefix(line, "## ")
		if heads && from >= 0 {
			to = at
			break
		}
		if at += len(line); heads && strings.HasSuffix(strings.TrimSpace(line), "{#"+id+"}") {
			from = at
		}
	}
	if from < 0 {
		return dashboard, "", "", false
	}
	return dashboard[:from], dashboard[from:to], dashboard[to:], true
}

// section is the body of a dashboard's section, "" when there is none; withSection is the dashboard with
// another body there.
func section(dashboard, id string) string {
	_, body, _, _ := divided(dashboard, id)
	return strings.Trim(body, "\r\n")
}

func withSection(dashboard, id, body string) string {
	before, _, after, found := divided(dashboard, id)
	if !found {
		before += fmt.Sprintf("\n## %s {#%s}", id, id)
	}
	return strings.TrimRight(before, "\r\n") + "\n\n" + body + "\n\n" + after
}

// fenceAfter says which code fence is open after a line, given the one before it. "" is none. A fence is
// closed by one of the same kind that is at least as long, with nothing after it.
func fenceAfter(fence, line string) string {
	line = strings.TrimSpace(line)
	if fence != "" {
		if strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == "" {
			return ""
		}
		return fence
	}
	for _, mark := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, mark)
		if n := len(line) - len(rest); n >= 3 && !strings.Contains(rest, "`") {
			return line[:n]
		}
	}
	return ""
}

var comment = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)

// withoutComments blanks HTML comments, the guidance of a new workspace among them, and keeps every line
// where it was.
func withoutComments(text string) string {
	return comment.ReplaceAllStringFunc(text, func(c string) string { return strings.Repeat("\n", strings.Count(c, "\n")) })
}

// addTo puts lines at the end of a section's body; a body that is only guidance gives way to them.
func addTo(body string, lines ...string) string {
	added := strings.Join(lines, "\n")
	if strings.TrimSpace(withoutComments(body)) == "" {
		return added
	}
	return strings.TrimRight(body, "\n") + "\n" + added
}

// brief is what the question section says.
type brief struct {
	question string
	aside    string // purpose, answers and whatever else is there; it widens the search
}

// readBrief reads lines such as "**Question:** …". A person may write the bare question instead. What an
// intake wrote beside it is in the words of the intake, and widens no search, but for the answers, and for
// the topic where the question itself names none.
func readBrief(body string) brief {
	var question, topic, asides, left []string
	into, settled := &asides, false // whether the list of an intake is read
	for line := range strings.Lines(withoutComments(body)) {
		line = strings.TrimSpace(line)
		text := strings.TrimLeft(line, "-*+ ")
		_, answer, answered := strings.Cut(text, " → ")
		switch m := labelOf.FindStringSubmatch(line); {
		case m != nil:
			label := strings.ToLower(strings.Trim(m[1], "* "))
			text, into, settled = m[2], &asides, strings.HasPrefix(line, "**") && ofIntake.MatchString(label)
			switch {
			case label == "question" || label == "问题":
				question, into = nil, &question
			case label == "topic" || label == "主题":
				into = &topic
			case settled, unused.MatchString(label):
				into = &left
			}
		case settled && numbered.MatchString(line) && answered && strings.IndexAny(answer, "(（") != 0:
			asides = append(asides, answer)
			continue
		case settled && (line == "" || numbered.MatchString(line)):
			continue
		case settled || line == "":
			into, settled = &asides, false
		case len(question)+len(asides) == 0:
			into = &question
		}
		if text != "" {
			*into = append(*into, text)
		}
	}
	b := brief{strings.Join(question, " "), strings.Join(asides, " ")}
	if b.question == "" {
		b.question, b.aside = b.aside, ""
	}
	if len(topic) > 0 && len(subjects(b.question)) == 0 {
		b.question = strings.Join(topic, " ")
	}
	return b
}

var (
	numbered = regexp.MustCompile(`^\d+\. `)
	// labelOf finds "**Label:** text" and "- Label: text", and their Chinese forms.
	labelOf = regexp.MustCompile(`^[-*+ ]+([^:：]{0,40})[:：](?:\*\*)?\s*(.*)$`)
	// ofIntake are the labels over the lists of an intake, and of what it made of the question.
	ofIntake = regexp.MustCompile(`^(?:focus|asked|assumptions \(change what is wrong\)|重点|问过的|假设（不对就改）)$`)
	unused   = regexp.MustCompile(`^(?:scope|范围|goal|目标)$`)
)

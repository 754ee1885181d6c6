package clip

import (
	"fmt"
	"strings"
	"sync"
)

// The two dashboards, as the file agent knows them.
const (
	overallFile = "overall_dashboard.md"
	currentFile = "current_dashboard.md"
	reportFile  = "report.md"
)

// section is the body of a dashboard's section: what stands between the heading that carries {#id} and the next heading of
// its level. "" when there is no such section.
func section(dashboard, id string) string {
	var body strings.Builder
	inside, fence := false, ""
	for line := range strings.Lines(dashboard) {
		if fence = fenceAfter(fence, line); fence == "" && strings.HasPrefix(line, "## ") {
			if inside {
				break
			}
			if inside = strings.HasSuffix(strings.TrimSpace(line), "{#"+id+"}"); inside {
				continue
			}
		}
		if inside {
			body.WriteString(line)
		}
	}
	return strings.Trim(body.String(), "\r\n")
}

// withSection is a dashboard with another body of a section.
func withSection(dashboard, id, body string) string {
	var out strings.Builder
	inside, found, fence := false, false, ""
	for line := range strings.Lines(dashboard) {
		if fence = fenceAfter(fence, line); fence == "" && strings.HasPrefix(line, "## ") {
			inside = !found && strings.HasSuffix(strings.TrimSpace(line), "{#"+id+"}")
			if inside {
				found = true
				out.WriteString(strings.TrimRight(line, "\r\n") + "\n\n" + body + "\n\n")
			}
		}
		if !inside {
			out.WriteString(line)
		}
	}
	if !found {
		fmt.Fprintf(&out, "\n## %s {#%s}\n\n%s\n", id, id, body)
	}
	return out.String()
}

// fenceAfter says which code fence is open after a line, given the one before it. "" is none. A fence is closed by one of the same
// kind that is at least as long, with nothing after it.
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

// withoutComments blanks HTML comments, the guidance of a new workspace among them, and keeps every line where it was.
func withoutComments(text string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<!--")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		comment, after, closed := strings.Cut(rest, "-->")
		out.WriteString(strings.Repeat("\n", strings.Count(comment, "\n")))
		if !closed {
			return out.String()
		}
		text = after
	}
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
	aside    string // purpose, answers and whatever else stands there; it widens the search
}

// readBrief reads lines such as "**Question:** …". A person may write the bare question instead. What an intake wrote beside it is in the
// words of the intake, and widens no search, but for the answers, and for the topic where the question itself names none.
func readBrief(body string) brief {
	var question, topic, asides, unused []string
	into, settled := &asides, false // whether the list of an intake is read
	for line := range strings.Lines(withoutComments(body)) {
		line = strings.TrimSpace(line)
		label, text := labelled(line)
		switch {
		case label != "":
			into, settled = &asides, strings.HasPrefix(line, "**") && briefLists()[label]
			switch {
			case label == "question" || label == "问题":
				question, into = nil, &question
			case label == "topic" || label == "主题":
				into = &topic
			case settled, label == "scope", label == "范围", label == "goal", label == "目标":
				into = &unused
			}
		case line == "":
			if !settled {
				into = &asides
			}
			continue
		case settled && isNumbered(line):
			if _, answer, answered := strings.Cut(text, " → "); answered && strings.IndexAny(answer, "(（") != 0 {
				asides = append(asides, answer)
			}
			continue
		case settled:
			into, settled = &asides, false
		case len(question) == 0 && len(asides) == 0:
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

// briefLists are the labels over the lists of an intake.
var briefLists = sync.OnceValue(func() map[string]bool {
	return set(strings.Split("focus|asked|assumptions (change what is wrong)|重点|问过的|假设（不对就改）", "|"))
})

// isNumbered says whether a line is an item of a numbered list.
func isNumbered(line string) bool {
	rest := strings.TrimLeft(line, "0123456789")
	return rest != line && strings.HasPrefix(rest, ". ")
}

// labelled splits "**Label:** text", "Label: text" in a list, and their Chinese forms. The label comes back in lower case
// and is "" when there is none; then text is the whole line.
func labelled(line string) (label, text string) {
	rest := strings.TrimLeft(line, "-*+ ")
	if rest == line {
		return "", line
	}
	end := strings.IndexAny(rest, ":：")
	if end < 0 || end > 40 {
		return "", rest
	}
	label = strings.ToLower(strings.Trim(rest[:end], "* "))
	text = strings.TrimLeft(rest[end:], ":：")
	return label, strings.TrimSpace(strings.TrimPrefix(text, "**"))
}

package fileagent

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// contentName is the agent's name for the text that came with its request.
const contentName = "@content"

// request returns the message to the file agent, which needs only the size and first words of the content.
func request(description, content string) string {
	if content == "" {
		return "Operation: " + description
	}
	return fmt.Sprintf("Operation: %s\nContent: %d bytes, to be written as %q. It begins: %q", description,
		len(content), contentName, prose.Shorten(prose.FirstLine(strings.TrimSpace(content)), 60))
}

// given puts the content in place of its name in an action's text: the whole text, or a line of it.
func given(content, action, text string) (string, error) {
	if content != "" && isContent(action, text) {
		return content, nil
	}
	lines := strings.Split(text, "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.TrimSpace(line) == contentName })
	switch {
	case at >= 0 && content == "":
		return "", fmt.Errorf("no content came with this request, so there is no %s to write", contentName)
	case at >= 0:
		lines[at] = strings.TrimRight(content, "\r\n")
		return strings.Join(lines, "\n"), nil
	case content != "" && nameInside.MatchString(text):
		return "", fmt.Errorf("%s is the name of the content, and is in the middle of a line here: "+
			"give it a line of its own, or the whole of text", contentName)
	}
	return text, nil
}

// nameInside finds the content's name within a line, but not as part of a longer word.
var nameInside = regexp.MustCompile(`(?:^|[^\w@.])@content(?:[^\w]|$)`)

// isContent reports whether a text is the content's name, or another name that models use for it.
func isContent(action, text string) bool {
	switch strings.TrimSpace(text) {
	case contentName, "$content", "{content}", "{{content}}", "<content>":
		return true
	case "content":
		return action != "replace_in_file" // a part of a file may be the bare word
	}
	return false
}

// unused returns the first line of an error if the content was lost; "" if a call that worked used it, or
// none came. An agent that writes only the words it is shown of it reports a written file, and whoever asked
// has no other sign.
func unused(calls []agent.Did, content string) string {
	if strings.TrimSpace(content) == "" ||
		slices.ContainsFunc(calls, func(d agent.Did) bool { return !d.Failed && uses(d, content) }) {
		return ""
	}
	// and that call's error gives the reason
	if slices.ContainsFunc(calls, func(d agent.Did) bool { return d.Failed && uses(d, content) }) {
		return "The content was not written."
	}
	return "The content was not written: no call that worked used it. Ask again with the content, and say " +
		"in which file it belongs."
}

// uses reports whether a call used the content, by its name or retyped.
func uses(d agent.Did, content string) bool {
	var in map[string]any
	if json.Unmarshal([]byte(renamed(d.Args, false)), &in) != nil {
		return changes(d.Name) // the arguments were corrected; accuse a call only when certain
	}
	text, _ := in["text"].(string)
	if isContent(d.Name, text) || nameInside.MatchString(text) {
		return true
	}
	content = prose.OneLine(content)
	for _, value := range in {
		if text, ok := value.(string); ok && strings.Contains(prose.OneLine(text), content) {
			return true
		}
	}
	return false
}

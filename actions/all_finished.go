package actions

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

func (k Kit) allFinished() agent.Action {
	type input struct {
		Result string `json:"result" jsonschema:"one sentence that names the report's file"`
	}
	return agent.NewAction("all_finished", doc("all_finished"), func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
		report := k.namedFile(in.Result)
		if err := k.gate(report); err != nil {
			return agent.Say("Not finished: " + err.Error()), nil
		}
		if err := k.addReferences(report); err != nil {
			return agent.Outcome{}, err
		}
		return agent.Outcome{Effect: agent.Finish, Text: report}, nil
	})
}

var markdownFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("[^\\s:：,，;；()（）\\[\\]*\"“”'‘’`<>《》]+\\.md")
})

// namedFile is the report that a sentence names, in whatever language. Chinese puts no space before a name, so that only the end of what
// is found may be one.
func (k Kit) namedFile(sentence string) string {
	name := markdownFile().FindString(sentence)
	switch {
	case name == "":
		return workspace.ReportFile
	case strings.HasSuffix(name, workspace.ReportFile) && !k.exists(name):
		return workspace.ReportFile
	}
	return strings.TrimPrefix(name, "./")
}

func (k Kit) exists(name string) bool {
	f, err := k.Workspace.Open(name)
	return err == nil && f.Close() == nil
}

// gate says, as an error, what keeps a report from being one. It is as strict as code can be: whether the report is good is
// not its matter.
func (k Kit) gate(report string) error {
	text, err := k.Workspace.Read(report)
	if err != nil {
		return fmt.Errorf("there is no report. %w. Write it first, then name it in result", err)
	}
	body := withoutReferences(text)
	if workspace.Words(body) == 0 {
		return fmt.Errorf("%s is empty. Write the report from the chapters first", report)
	}
	cited := workspace.Cited(body)
	var unread []string
	for _, id := range cited {
		if _, ok := k.Workspace.Source(id); !ok {
			unread = append(unread, "["+id+"]")
		}
	}
	if len(unread) > 0 {
		return fmt.Errorf("%s cites %s, and no page was read under that id. Cite what you read, or take the statement out", report, strings.Join(unread, ", "))
	}
	if len(cited) == 0 && len(k.Workspace.Sources()) > 0 {
		return fmt.Errorf("%s cites nothing. Name the source after each statement of fact, such as [s1]", report)
	}
	return nil
}

const referencesID = "{#references}"

// withoutReferences is a report's own text: all but the heading of the program's list of references and its table. What a person
// wrote below them is theirs.
func withoutReferences(text string) string {
	i := strings.LastIndex(text, referencesID)
	if i < 0 {
		return text
	}
	start := strings.LastIndexByte(text[:i], '\n') + 1
	if !strings.HasPrefix(text[start:], "## ") {
		return text
	}
	end := start
	for n, line := range slices.Collect(strings.Lines(text[start:])) {
		if n > 0 && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "|") {
			break
		}
		end += len(line)
	}
	return text[:start] + text[end:]
}

// addReferences writes the list of the sources that the report cites at its end, in place of an older one.
func (k Kit) addReferences(report string) error {
	sources := k.Workspace.Sources()
	return k.Workspace.Amend(report, func(text string) (string, error) {
		body := strings.TrimRight(withoutReferences(text), "\n") + "\n"
		cited := workspace.Cited(body)
		if len(cited) == 0 {
			return body, nil
		}
		listed := slices.DeleteFunc(slices.Clone(sources), func(s workspace.Source) bool { return !slices.Contains(cited, s.ID) })
		return body + "\n" + references(listed, workspace.IsChinese(body)), nil
	})
}

// references lists sources as a table of GitHub's Markdown.
func references(sources []workspace.Source, chinese bool) string {
	var out strings.Builder
	heading, columns := "References", "| Id | Title | Address | Type | Read |"
	if chinese {
		heading, columns = "参考文献", "| 编号 | 标题 | 地址 | 类型 | 阅读日期 |"
	}
	fmt.Fprintf(&out, "## %s %s\n\n%s\n| --- | --- | --- | --- | --- |\n", heading, referencesID, columns)
	for _, s := range sources {
		fmt.Fprintf(&out, "| [%s](%s) | %s | %s | %s | %s |\n", s.ID, s.File, cell(s.Title), address(s.URL), cell(s.Type), s.Fetched.Format("2006-01-02"))
	}
	return out.String()
}

// address makes a web address a link and leaves another kind as it is.
func address(url string) string {
	url = strings.ReplaceAll(oneLine(url), "|", `\|`)
	if strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") {
		return "<" + url + ">"
	}
	return "`" + url + "`"
}

// cell keeps a text from outside inside its cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "[", `\[`, "]", `\]`, "<", "&lt;").Replace(oneLine(text))
}

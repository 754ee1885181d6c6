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
		report := namedFile(in.Result)
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
	return regexp.MustCompile("[^\\s:：,，;；()（）\"“”'‘’`<>《》]+\\.md")
})

// namedFile is the report that a sentence names, in whatever language.
func namedFile(sentence string) string {
	if name := markdownFile().FindString(sentence); name != "" {
		return strings.TrimPrefix(name, "./")
	}
	return workspace.ReportFile
}

// gate says, as an error, what keeps a report from being one. It is as strict as code can be: whether the report is good is
// not its matter.
func (k Kit) gate(report string) error {
	text, err := k.Workspace.Read(report)
	if err != nil {
		return fmt.Errorf("there is no report. %w. Write it first, then name it in result", err)
	}
	body, _ := cutReferences(text)
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

// cutReferences divides a report into its own text and the program's list of references.
func cutReferences(text string) (body, references string) {
	i := strings.LastIndex(text, referencesID)
	if i < 0 {
		return text, ""
	}
	start := strings.LastIndexByte(text[:i], '\n') + 1
	if !strings.HasPrefix(text[start:], "## ") {
		return text, ""
	}
	return text[:start], text[start:]
}

// addReferences writes the list of the sources that the report cites at its end, in place of an older one.
func (k Kit) addReferences(report string) error {
	sources := k.Workspace.Sources()
	return k.Workspace.Amend(report, func(text string) (string, error) {
		body, _ := cutReferences(text)
		body = strings.TrimRight(body, "\n") + "\n"
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
		fmt.Fprintf(&out, "| [%s](%s) | %s | %s | %s | %s |\n", s.ID, s.File, cell(s.Title), cell(address(s.URL)), cell(s.Type), s.Fetched.Format("2006-01-02"))
	}
	return out.String()
}

// address makes a web address a link and leaves another kind as it is.
func address(url string) string {
	if strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") {
		return "<" + url + ">"
	}
	return "`" + url + "`"
}

// cell keeps a text from outside inside its cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "[", `\[`, "]", `\]`, "<script", "&lt;script").Replace(oneLine(text))
}

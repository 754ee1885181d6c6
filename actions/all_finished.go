package actions

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/actions/citation"
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

// maxFaults bounds how many citations a refusal names: more are not put right at once.
const maxFaults = 12

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
	checked := citation.Check(body, citation.Of(k.Workspace))
	if len(checked.Citations) == 0 && k.Workspace.HasRead() {
		return fmt.Errorf("%s cites nothing. Name the source after each statement of fact, such as [s1]", report)
	}
	var faults []citation.Citation
	for _, c := range checked.Citations {
		if c.Verdict.Missing() || c.Verdict == citation.QuoteTooLong {
			faults = append(faults, c)
		}
	}
	if len(faults) > 0 {
		return errors.New(refusal(report, faults))
	}
	return nil
}

// refusal names the citations that do not hold, each with what to do about it.
func refusal(report string, faults []citation.Citation) string {
	var out strings.Builder
	var ids []string
	for _, c := range faults {
		if !slices.Contains(ids, c.Source) {
			ids = append(ids, c.Source)
		}
	}
	fmt.Fprintf(&out, "what %s cites does not all hold (faults: %d, in citations of %s). Put each right from the text of the source, cite the source that says it, or take the statement out.\n",
		report, len(faults), strings.Join(ids, ", "))
	for i, c := range faults {
		if i == maxFaults {
			fmt.Fprintf(&out, "… and %d more\n", len(faults)-i)
			break
		}
		fmt.Fprintf(&out, "- line %d [%s]: %s: %s\n", c.Line, c.Source, c.Verdict, agent.Disarm(oneLine(c.Why)))
		if c.Nearest != "" {
			fmt.Fprintf(&out, "  the source has: %s\n", agent.Disarm(oneLine(c.Nearest)))
		}
	}
	return out.String()
}

// withoutReferences is a report's own text: all but the program's list of references. What a person wrote below it is theirs.
func withoutReferences(text string) string {
	start, end := citation.Own(text)
	return text[:start] + text[end:]
}

// addReferences writes the list of the sources that the report cites at its end, in place of an older one.
func (k Kit) addReferences(report string) error {
	text, err := k.Workspace.Read(report)
	if err != nil {
		return err
	}
	sources := loaded(citation.Of(k.Workspace), workspace.Cited(text)) // while the file is amended, the workspace answers nobody
	return k.Workspace.Amend(report, func(text string) (string, error) {
		body := strings.TrimRight(withoutReferences(text), "\n") + "\n"
		table := citation.References(body, citation.Check(body, sources), sources)
		if table == "" {
			return body, nil
		}
		return body + "\n" + table, nil
	})
}

// loaded looks sources up now, for a time when they can not be.
func loaded(lookup citation.Lookup, ids []string) citation.Lookup {
	type answer struct {
		source citation.Source
		err    error
	}
	answers := map[string]answer{}
	for _, id := range ids {
		source, err := lookup(id)
		answers[id] = answer{source, err}
	}
	return func(id string) (citation.Source, error) {
		a, ok := answers[id]
		if !ok {
			return citation.Source{}, citation.ErrNotRead
		}
		return a.source, a.err
	}
}

package researcher

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// fieldsRule names the templates by field, which a person may replace like a rule.
const fieldsRule = "fields.md"

// fields returns the templates shown to the intake: the person's own, or those in the question's language.
func fields(w *workspace.Workspace) (string, error) {
	own, err := w.Rule(fieldsRule)
	if err != nil || strings.TrimSpace(own) != "" {
		return own, err
	}
	if w.Language() == prose.Chinese {
		return fromTemplate("zh/" + fieldsRule)
	}
	return fromTemplate("rules/" + fieldsRule)
}

// archives returns the folders of the last researches done here, oldest first.
func archives(w *workspace.Workspace) (all []string) {
	folders, err := w.List(workspace.ArchiveDir)
	if err != nil {
		return nil // there is none, and none is needed
	}
	var numbers []int
	for _, f := range folders {
		if n, err := strconv.Atoi(f.Name()); err == nil && f.IsDir() {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers[max(0, len(numbers)-intake.MaxEarlier):] {
		all = append(all, path.Join(workspace.ArchiveDir, strconv.Itoa(n)))
	}
	return all
}

// earlier returns the last questions researched in the folder, oldest first, each with the abstract of its
// report. Unreadable ones are left out: the current question does not need them.
func earlier(w *workspace.Workspace) (all []intake.Earlier) {
	for _, folder := range archives(w) {
		overall, err := w.Peek(path.Join(folder, workspace.OverallFile))
		if err != nil {
			continue
		}
		body, _ := workspace.Section(overall, "question")
		e := intake.Earlier{Question: intake.Asked(body)}
		if report, err := w.Peek(path.Join(folder, workspace.ReportFile)); err == nil {
			e.Abstract = (gate.Report{Text: report}).Abstract()
		}
		if e.Question != "" {
			all = append(all, e)
		}
	}
	return all
}

// maxBefore bounds the part of the earlier report in an opening, in characters.
const maxBefore = 600

// before returns a note on the last research done here, for an opening: the question may refer to it. Its
// text counts as outside material, even if it is our own. The built-in brain gets none.
func (c Config) before(w *workspace.Workspace) string {
	all := earlier(w)
	if len(all) == 0 || c.Judging.Without&rounds.NoJudge != 0 {
		return ""
	}
	last := all[len(all)-1]
	text := "Question: " + prose.OneLine(last.Question)
	if abstract := prose.OneLine(last.Abstract); abstract != "" {
		text += "\nBeginning of its report: " + prose.Shorten(abstract, maxBefore)
	}
	return "\n(Researched here before this question, which may refer to it:\n" +
		agent.Outside("material", text, "what", "earlier research") + ")\n"
}

// earlierReports names the reports of earlier researches but quotes nothing from them: a dashboard must not
// hold words from a file that anybody may have written.
func earlierReports(w *workspace.Workspace) string {
	var reports []string
	for _, folder := range archives(w) {
		if report := path.Join(folder, workspace.ReportFile); w.Hash(report) != "" {
			reports = append(reports, "`"+report+"`")
		}
	}
	return strings.Join(reports, ", ")
}

package researcher

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	workspacetemplate "github.com/daybook-agent/daybook/workspace-template"
	"github.com/goccy/go-yaml"
)

//go:embed prompt.md
var systemPrompt string

// rules are the replaceable parts of the system prompt, in the order in which the model reads them.
var rules = []string{"files.md", "dashboards.md", "writing.md", "drafts.md"}

// sourcesRule is a part that only a person can add: where to search for what.
const sourcesRule = "sources.md"

// opening returns the messages that open each stretch: system prompt, overall dashboard, current dashboard.
// It holds the date but no time, so that a server's prompt cache serves it from stretch to stretch.
func (c Config) opening(w *workspace.Workspace, notes *notes) ([]agent.Message, error) {
	overall, current, err := account.Dashboards(w)
	if err != nil {
		return nil, err
	}
	system, err := c.system(w)
	if err != nil {
		return nil, err
	}
	unused, err := w.Fresh()
	if err != nil {
		return nil, err
	}
	return []agent.Message{agent.System(system), agent.User(overall + c.before(w)),
		agent.User(current + reminder(unused) + c.unplanned(overall) + notes.standing(current))}, nil
}

// reminder names the sources read before memory was cleared that no dashboard or chapter mentions. The agent
// would otherwise lose them; this is the only reminder.
func reminder(unused []workspace.Source) string {
	if len(unused) == 0 {
		return ""
	}
	names := make([]string, len(unused))
	for i, s := range unused {
		names[i] = s.ID // neither title nor file name: they are others' words, and this message is obeyed
	}
	return "\n(Read, and named in no dashboard or chapter yet: " + strings.Join(names, ", ") +
		". Of these you remember what is still shown below; visit_url with the id shows one again.)\n"
}

func (c Config) system(w *workspace.Workspace) (string, error) {
	wanted := "# The report that is wanted\n\n" + c.Profile.Wanted()
	if c.Parallel > 1 {
		return c.prompt(w, systemPrompt, rules, strings.TrimSpace(sideBySide), wanted)
	}
	return c.prompt(w, systemPrompt, rules, wanted)
}

// prompt fills in a prompt with rules, or the person's replacements for them, with further parts, and with
// what only a person adds.
func (c Config) prompt(w *workspace.Workspace, prompt string, rules []string, more ...string) (string, error) {
	var parts []string
	for _, name := range rules {
		text, err := w.Rule(name)
		if err == nil && text == "" {
			text, err = fromTemplate("rules/" + name)
		}
		if err != nil {
			return "", err
		}
		parts = append(parts, strings.TrimSpace(text))
	}
	parts = append(parts, more...)
	where, err := w.Rule(sourcesRule)
	if err != nil {
		return "", err
	}
	if where = strings.TrimSpace(where); where != "" {
		parts = append(parts, where)
	}
	names := map[prose.Language]string{prose.Chinese: "Chinese", prose.English: "English"}
	if c.Language != "" {
		parts = append(parts, "# Language\n\nWrite dashboards, chapters and the report in "+names[c.Language]+
			", whatever the language of the question.")
	}
	return fill(prompt, map[string]string{
		"Memory": c.memory(),
		"Date":   time.Now().Format(time.DateOnly),
		"Rules":  strings.Join(parts, "\n\n"),
	})
}

// fromTemplate returns a file of the template of workspaces.
func fromTemplate(name string) (string, error) {
	text, err := workspacetemplate.Files.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("reading the template: %w", err)
	}
	return string(text), nil
}

// memory returns the prompt's sentence on how much a stretch holds.
func (c Config) memory() string {
	bound := c.limits().Stretch
	if bound <= 0 {
		return ""
	}
	return fmt.Sprintf("Memory holds %d tokens. A visit brings up to 4000 of them, of a short page or with a "+
		"narrow focus a few hundred: ask in one reply for as many pages as leave half of it free, a few long "+
		"ones or twenty short ones. You are told when it is three quarters full. ", bound)
}

// begin writes the files of a new workspace, in the language of the question.
func (c Config) begin(w *workspace.Workspace) error {
	dir := ""
	if prose.LanguageOf(c.Language, c.Question) == prose.Chinese {
		dir = "zh/"
	}
	files := map[string]string{}
	for _, name := range []string{workspace.OverallFile, workspace.CurrentFile, workspace.SettingsFile} {
		text, err := fromTemplate(dir + name)
		if err != nil {
			return err
		}
		if files[name], err = fill(text, map[string]string{"Question": prose.OneLine(c.Question),
			"Purpose": prose.OneLine(c.Purpose), "Earlier": earlierReports(w)}); err != nil {
			return err
		}
	}
	settings := maps.Collect(maps.All(c.Settings))
	if len(c.Docs) > 0 {
		settings["docs"] = c.Docs
	}
	text, err := withSettings(files[workspace.SettingsFile], settings)
	if err != nil {
		return err
	}
	files[workspace.SettingsFile] = text
	if err := w.Baseline(); err != nil { // nobody changed what was here before
		return err
	}
	if err := w.Ask(c.Question); err != nil {
		return err
	}
	if err := w.Said(c.Purpose); err != nil {
		return err
	}
	return w.Begin(files)
}

// withSettings returns the template with settings in place of the lines that show their defaults.
func withSettings(template string, settings map[string]any) (string, error) {
	var out strings.Builder
	for line := range strings.Lines(template) {
		key, _, _ := strings.Cut(strings.TrimPrefix(line, "# "), ":")
		if value, ok := settings[key]; ok && strings.HasPrefix(line, "# ") {
			set, err := yaml.Marshal(map[string]any{key: value})
			if err != nil {
				return "", fmt.Errorf("keeping the setting %s: %w", key, err)
			}
			line = string(set)
		}
		out.WriteString(line)
	}
	return out.String(), nil
}

// sameQuestion reports whether no question was asked, or the workspace is about it.
func (c Config) sameQuestion(w *workspace.Workspace) (bool, error) {
	if c.Question == "" || prose.OneLine(c.Question) == prose.OneLine(w.Asked()) {
		return true, nil
	}
	overall, _, err := account.Dashboards(w)
	if err != nil {
		return false, err
	}
	brief, _ := workspace.Section(overall, "question")
	isAsked := func(text string) bool {
		return prose.OneLine(asLabel.ReplaceAllString(text, "")) == prose.OneLine(c.Question)
	}
	return isAsked(brief) || slices.ContainsFunc(strings.Split(brief, "\n"), isAsked), nil
}

// asLabel matches the label of a line of the section, such as "**Question:**".
var asLabel = regexp.MustCompile(`^\*\*[^*\n]+\*\* *`)

func fill(text string, data any) (string, error) {
	t, err := template.New("prompt").Parse(text)
	if err != nil {
		return "", fmt.Errorf("reading a template: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return "", fmt.Errorf("filling a template: %w", err)
	}
	return out.String(), nil
}

// The parts of a chapter's lines on the blueprint: its title in bold, its labelled queries, and its file. The
// rest is the question that it answers.
var (
	chapterTitle   = regexp.MustCompile(`^\*\*[^*]*\*\*`)
	chapterQueries = regexp.MustCompile(`(?i)(?:queries|query|检索词|查询)\**\s*[:：]`)
	chapterFile    = regexp.MustCompile("(?i)(?:(?:file|文件)\\**\\s*[:：]\\s*)?[`(\\[]*Notebook/(?:[^\n]*?\\.md\\b|\\S*)[`)\\]]*")
)

// unplanned returns a reminder for the researcher of the open chapters, by number, that lack their question
// or enough queries: one for each narrow question that the profile asks for.
func (c Config) unplanned(overall string) string {
	body, _ := workspace.Section(overall, "blueprint")
	if c.Judging.Without&rounds.NoJudge != 0 {
		return "" // the built-in brain plans by itself
	}
	least := max(1, c.Profile.MicroQuestions)
	var lacking []string
	for i, chapter := range chapters(body) {
		item := workspace.Checklist(chapter)[0]
		question, queries := chapter[strings.Index(chapter, item.Text):], ""
		if at := chapterQueries.FindStringIndex(question); at != nil {
			question, queries = question[:at[0]], question[at[1]:]
		}
		if at := chapterFile.FindStringIndex(queries); at != nil {
			queries = queries[:at[0]]
		}
		question = chapterFile.ReplaceAllString(chapterTitle.ReplaceAllString(question, ""), "")
		asked := slices.DeleteFunc(strings.FieldsFunc(queries, isBetweenQueries), isBlank)
		if !item.Done && (isBlank(question) || len(asked) < least) {
			lacking = append(lacking, fmt.Sprint(i+1))
		}
	}
	if len(lacking) == 0 {
		return ""
	}
	return fmt.Sprintf("\n(On the blueprint, chapter %s lacks its question or its queries, at least %d: **Title** — question? "+
		"Queries: a; b. File: … Add them with lines.)\n", strings.Join(lacking, ", "), least)
}

// chapters returns the items of a blueprint, each with the lines indented under it.
func chapters(blueprint string) []string {
	var all []string
	for line := range strings.Lines(blueprint) {
		switch indented := strings.TrimLeft(line, " \t") != line; {
		case !indented && len(workspace.Checklist(line)) > 0:
			all = append(all, line)
		case indented && len(all) > 0:
			all[len(all)-1] += line
		}
	}
	return all
}

// isBlank reports whether a part of a chapter holds only separators.
func isBlank(part string) bool { return strings.Trim(part, " \t\n-–—:：.。*+") == "" }

func isBetweenQueries(r rune) bool { return strings.ContainsRune(";；,，、\n", r) }

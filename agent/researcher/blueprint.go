package researcher

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

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

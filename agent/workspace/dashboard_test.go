package workspace_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDashboardCheck(t *testing.T) {
	for name, c := range map[string]struct{ text, fault string }{
		"as it should be":               {overall, ""},
		"Chinese headings":              {strings.NewReplacer("## Question", "## 问题", "## Gaps", "## 空白").Replace(overall), ""},
		"a section of one's own":        {overall + "\n## Mine {#mine}\n", ""},
		"a section missing":             {strings.Replace(overall, "{#gaps}", "", 1), `section "gaps" is missing`},
		"a section twice":               {overall + "\n## Gaps {#gaps}\n", "2 times"},
		"a heading inside a code block": {strings.Replace(overall, "## Gaps {#gaps}", "```\n## Gaps {#gaps}\n```", 1), `section "gaps" is missing`},
		"a heading of another level":    {strings.Replace(overall, "## Gaps", "### Gaps", 1), `section "gaps" is missing`},
		"too large":                     {overall + strings.Repeat("x", workspace.MaxDashboard), "may have 12288"},
		"empty":                         {"", `section "question" is missing`},
	} {
		t.Run(name, func(t *testing.T) {
			err := workspace.Overall.Check(c.text)
			if c.fault == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.fault)
			}
		})
	}
}

func TestUpdateDashboard(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		section := func(file, id string) string {
			body, ok := workspace.Section(at.text(t, file), id)
			require.True(t, ok)
			return body
		}

		require.NoError(t, setSection(w, workspace.Overall, "blueprint", "- [x] one\n- [ ] two\n"))
		assert.Equal(t, "- [x] one\n- [ ] two", section(workspace.OverallFile, "blueprint"))
		assert.NoError(t, workspace.Overall.Check(at.text(t, workspace.OverallFile)))
		assert.Equal(t, []workspace.Item{{Text: "one", Done: true}, {Text: "two"}}, workspace.Checklist(section(workspace.OverallFile, "blueprint")))

		for _, heading := range []string{"## Blueprint", "## blueprint", "## Blueprint {#blueprint}", "## Plan of the chapters {#blueprint}"} {
			require.NoError(t, setSection(w, workspace.Overall, "blueprint", heading+"\n\n- [ ] "+heading[3:]))
			assert.Equal(t, "- [ ] "+heading[3:], section(workspace.OverallFile, "blueprint"), "its own heading is not doubled")
		}
		require.NoError(t, setSection(w, workspace.Overall, "blueprint", "### Blueprint\n\n- [ ] two"))
		assert.Equal(t, "### Blueprint\n\n- [ ] two", section(workspace.OverallFile, "blueprint"), "any other is the agent's own")

		assert.ErrorContains(t, setSection(w, workspace.Overall, "quality", "10/10"), "not yours")
		assert.ErrorContains(t, setSection(w, workspace.Current, "notes", "x"), `answer the person's notes in the section "answers"`)
		assert.ErrorContains(t, setSection(w, workspace.Current, "gaps", "x"), "gaps is a section of overall_dashboard.md: call update_overall_dashboard")
		assert.ErrorContains(t, setSection(w, workspace.Current, "", "just some words"), "is missing")
		assert.ErrorContains(t, setSection(w, workspace.Current, "task", "## Sneaky {#next}\n"), "2 times", "a section can not smuggle in a heading")

		at.edit(t, workspace.OverallFile, strings.Replace(at.text(t, workspace.OverallFile), "## Quality {#quality}\n", "## Quality {#quality}\n\n| 1 | 7.2 |\n", 1))
		_, err := w.Changes()
		require.NoError(t, err)
		whole := strings.Replace(overall, "## Findings {#findings}", "## Findings {#findings}\n\nfound [s1]", 1)
		require.NoError(t, setSection(w, workspace.Overall, "", whole))
		assert.Equal(t, "| 1 | 7.2 |", section(workspace.OverallFile, "quality"), "the program's section stays")
		assert.Equal(t, "found [s1]", section(workspace.OverallFile, "findings"))
	})
}

// A section is known by its id and by its title, and one that is not the agent's is never offered.
func TestSectionsAreNamed(t *testing.T) {
	chinese := strings.NewReplacer("## Task", "## 任务", "## Notes", "## 答复 {#answers}\n\n## 备注").Replace(current)
	for name, c := range map[string]struct {
		of            workspace.Dashboard
		section, want string // an id, or what is refused
	}{
		"an id":                {workspace.Current, "task", "task"},
		"in capitals":          {workspace.Current, "Task", "task"},
		"a title":              {workspace.Current, "答复", "answers"},
		"a whole heading":      {workspace.Current, "## 任务 {#task}", "task"},
		"without its id":       {workspace.Current, "## 任务", "task"},
		"an English title":     {workspace.Overall, "Blueprint", "blueprint"},
		"the person's":         {workspace.Current, "备注", `answer the person's notes in the section "answers"`},
		"of the other":         {workspace.Overall, "plan", "plan is a section of current_dashboard.md: call update_current_dashboard, or name one of overall_dashboard.md: question, blueprint, findings, gaps, decisions"},
		"of neither":           {workspace.Overall, "ideas", `no section "ideas" that is yours to write; those are question, blueprint, findings, gaps, decisions`},
		"the person's, astray": {workspace.Overall, "notes", "those are question, blueprint, findings, gaps, decisions"},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, at place) {
				w := at.begin(t)
				at.edit(t, workspace.CurrentFile, chinese)
				_, err := w.Changes()
				require.NoError(t, err)
				err = setSection(w, c.of, c.section, "put there")
				if strings.Contains(c.want, " ") {
					require.ErrorContains(t, err, c.want)
					assert.NotRegexp(t, "are .*(quality|notes)", err.Error())
					return
				}
				require.NoError(t, err)
				body, _ := workspace.Section(at.text(t, c.of.File), c.want)
				assert.Contains(t, body, "put there")
			})
		})
	}
}

// A whole text may lack what the program knows: the ids behind titles that stand there, and the sections that are not the agent's.
func TestAWholeDashboardIsCompleted(t *testing.T) {
	const task = "## 任务\n\nchapter one\n\n"
	const rest = "## Next\n\n## plan\n\n- [ ] one\n\nLearned\n-------\n\n"
	for name, c := range map[string]struct {
		text   string
		faults []string
	}{
		"without ids":                {"# Current\n\n" + task + rest + "## Notes\n\nthe agent's\n", nil},
		"without the notes":          {"# Current\n\n" + task + rest, nil},
		"without a last line's end":  {"# Current\n\n" + task + strings.TrimSpace(rest), nil},
		"some with ids":              {"# Current\n\n## Anything {#task}\n\nchapter one\n\n" + rest, nil},
		"a title twice":              {"# Current\n\n" + task + rest + "## Notes\n\n## Next\n", nil},
		"with a section of its own":  {"# Current\n\n" + task + rest + "## More\n\nof it\n", nil},
		"another title":              {"# Current\n\n## Work\n\nchapter one\n\n" + rest, []string{`the section "task" is missing: it needs a heading such as "## Task {#task}". Or update one section: give section, and in text its body alone`}},
		"a title of two lines":       {"# Current\n\n" + task + strings.Replace(rest, "Learned\n", "Learned\nand more\n", 1), []string{`the section "learned" is missing`}},
		"no headings":                {"chapter one", []string{`the section "task" is missing`, "those that are missing too: next, plan, learned. Or update one section"}},
		"a title under another mark": {"# Current\n\n```\n" + task + "```\n\n" + rest, []string{`the section "task" is missing`}},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, at place) {
				w := at.begin(t)
				at.edit(t, workspace.CurrentFile, strings.Replace(current, "## Task", "## 任务", 1))
				_, err := w.Changes()
				require.NoError(t, err)
				err = setSection(w, workspace.Current, "", c.text)
				if c.faults != nil {
					for _, fault := range c.faults {
						require.ErrorContains(t, err, fault)
					}
					assert.NotContains(t, err.Error(), "notes")
					return
				}
				require.NoError(t, err)
				text := at.text(t, workspace.CurrentFile)
				require.NoError(t, workspace.Current.Check(text))
				for id, want := range map[string]string{"task": "chapter one", "plan": "- [ ] one", "next": "", "notes": "mine"} {
					body, _ := workspace.Section(text, id)
					assert.Equal(t, want, body, id)
				}
			})
		})
	}
}

func TestUpdateDashboardBesideAPerson(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		at.edit(t, workspace.CurrentFile, strings.Replace(current, "mine", "mine, and more", 1))
		require.NoError(t, setSection(w, workspace.Current, "task", "chapter one"))
		text := at.text(t, workspace.CurrentFile)
		assert.Contains(t, text, "mine, and more")
		assert.Contains(t, text, "chapter one")

		at.edit(t, workspace.CurrentFile, strings.Replace(text, "chapter one", "chapter two instead", 1))
		var conflict *workspace.ConflictError
		require.ErrorAs(t, setSection(w, workspace.Current, "task", "chapter three"), &conflict)
		assert.Contains(t, conflict.Diff, "+chapter two instead")
		assert.Contains(t, at.text(t, workspace.CurrentFile), "chapter two instead")

		rewrite := strings.Replace(current, "mine", "what the agent thinks the notes are", 1)
		require.NoError(t, setSection(w, workspace.Current, "", rewrite))
		assert.Contains(t, at.text(t, workspace.CurrentFile), "mine, and more", "the notes are the person's, whatever the agent writes")
	})
}

// Several sections are updated in one reply, and the person's edit of the second comes before the first: the agent could not know of
// it when it wrote, so the second update is refused, and the edit is told.
func TestUpdatesOfOneReplyDoNotCoverForEachOther(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		at.edit(t, workspace.CurrentFile, strings.Replace(current, "## Plan {#plan}\n", "## Plan {#plan}\n\n- [ ] MYLINE\n", 1))
		require.NoError(t, setSection(w, workspace.Current, "task", "chapter one"))
		told, err := w.Changes()
		require.NoError(t, err)
		assert.Contains(t, told, "+- [ ] MYLINE")
		assert.NotContains(t, told, "chapter one")

		at.edit(t, workspace.CurrentFile, strings.Replace(at.text(t, workspace.CurrentFile), "MYLINE", "MYLINE, changed", 1))
		require.NoError(t, setSection(w, workspace.Current, "task", "chapter two"))
		var conflict *workspace.ConflictError
		require.ErrorAs(t, setSection(w, workspace.Current, "plan", "- [ ] the agent's"), &conflict)
		assert.Contains(t, at.text(t, workspace.CurrentFile), "MYLINE, changed")
	})
}

func TestAnEmptiedDashboardIsNamed(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		at.edit(t, workspace.OverallFile, "")
		_, _, err := w.Dashboards()
		assert.ErrorContains(t, err, `the section "question" is missing`)
	})
}

func TestADashboardThatIsBrokenByHandIsNamedAndKept(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		broken := strings.Replace(overall, "{#gaps}", "", 1)
		at.edit(t, workspace.OverallFile, broken)
		_, _, err := w.Dashboards()
		assert.ErrorContains(t, err, `overall_dashboard.md is not right: the section "gaps" is missing`)
		assert.Equal(t, broken, at.text(t, workspace.OverallFile))
	})
}

func FuzzSection(f *testing.F) {
	f.Add(overall, "gaps")
	f.Add("## A {#a}\n```\n## B {#b}\n", "b")
	f.Add("Title {#a}\n---\nbody", "a")
	f.Fuzz(func(t *testing.T, text, id string) {
		body, ok := workspace.Section(text, id)
		if ok {
			assert.LessOrEqual(t, len(body), len(text))
		}
		_ = workspace.Overall.Check(text) // must not panic
	})
}

// The title of a planned chapter is found whoever planned it.
func TestATitleOnTheBlueprint(t *testing.T) {
	for text, title := range map[string]string{
		"**The moon** — why? Queries: a; b. File: Notebook/01-moon.md":          "The moon",
		"**Iptables(8)** 检索词：内核。段落：[s3.9] [s3.10]。文件：Notebook/04-iptables-8.md": "Iptables(8)",
		"The moon. File: Notebook/01-moon.md":                                   "The moon",
		"The moon (`Notebook/01-moon.md`)":                                      "The moon",
		"月亮：Notebook/01-月亮.md":                                                  "月亮",
		"The moon – its pull":                                                   "The moon",
		"The profile: a study. File: Notebook/01-a.md":                          "The profile: a study",
		"The filed moon": "The filed moon",
	} {
		assert.Equal(t, title, workspace.Item{Text: text}.Title(), text)
	}
}

package clip_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const plots = "Plots\n# Plots\n\n| plot | tenant | rent_paid |\n| --- | --- | --- |\n| 1 | Hale | no |\n" +
	"| 2 | Siddiqui | yes |\n" +
	"| 3 | Lindqvist | no |\n| 4 | vacant | yes |\n| 5 | Okafor | no |\n| 6 | vacant | yes |\n" +
	"| 7 | Novak | no |\n| 8 | Weber | no |\n"

// All rows that answer alike are one table, and none that only has the question's words in the head is beside
// them.
func TestTheRowsThatAnswerAreShownTogether(t *testing.T) {
	for question, want := range map[string][]string{
		"Who has not paid the rent?": {"Hale", "Lindqvist", "Okafor", "Novak", "Weber"},
		"Which plots are vacant?":    {"| 4 | vacant", "| 6 | vacant"},
		"Who is Novak?":              {"Novak"},
	} {
		passage := top(reportOn(t, question, plots))
		for _, row := range want {
			assert.Contains(t, passage, row, question)
		}
		assert.Equal(t, len(want)+1, strings.Count(passage, "\n| ")-1, passage)
	}
}

const reset = "Passwords\n# Passwords\n\n## Forgotten\n\n1. Restart the machine and stop it at its " +
	"menu.\n2. Boot it into a shell of its own.\n" +
	"3. Set another password of the router there, with the command passwd.\n4. Restart the machine.\n\n" +
	"## Rules\n\nA password of the router has ten letters at least, and nobody writes it down.\n"

// A step is quoted below those before it, if it is asked how something is done.
func TestAProcedureIsQuotedFromItsFirstStep(t *testing.T) {
	how := top(reportOn(t, "How do I set another password of the router?", reset))
	assert.Less(t, strings.Index(how, "stop it at its menu"), strings.Index(how, "shell of its own"), how)
	assert.Less(t, strings.Index(how, "shell of its own"), strings.Index(how, "command passwd"), how)
	assert.Contains(t, how, "stop it at its menu")
	what := top(reportOn(t, "Which command sets another password of the router?", reset))
	assert.NotContains(t, what, "stop it at its menu")
}

// So it is if one of those before it has its code below.
func TestAProcedureIsQuotedWithItsCode(t *testing.T) {
	const restore = "Backups\n# Backups\n\n## Restoring\n\nTo restore a backup of the database, use " +
		"this method:\n\n" +
		"1. Connect to the server as the owner.\n2. Run the command for this:\n\n```\n" +
		"pg_restore dump.file\n```\n\n" +
		"3. Compare the database with the figures of the backup that you restore.\n4. Tell the others.\n"
	how := top(reportOn(t, "How do I restore the database from a backup?", restore))
	var at []int
	for _, said := range []string{"use this method:", "1. “Connect", "2. “Run", "pg_restore dump.file",
		"3. “Compare", "4. “Tell"} {
		require.Contains(t, how, said)
		at = append(at, strings.Index(how, said))
	}
	assert.IsIncreasing(t, at, how)
}

// The comments of a program are no headings, and are quoted with what they are about.
func TestCommentsOfAProgramAreQuotedAsCode(t *testing.T) {
	var program strings.Builder
	program.WriteString("mill.py\n```python\nimport os\n\n")
	for i := range 300 {
		fmt.Fprintf(&program,
			"# Gate %d is opened slowly,\n# since the wheel would break.\ndef gate%d():\n    return %d\n\n",
			i, i, i)
	}
	program.WriteString("# The sluice is closed at night\n# to spare the fish.\ndef close_sluice():\n" +
		"    return 22\n```\n")
	quoted := top(reportOn(t, "Why is the sluice closed at night?", program.String()))
	assert.Contains(t, quoted, "```\n# Gate", "as code")
	assert.Contains(t, quoted,
		"\n# The sluice is closed at night\n# to spare the fish.\ndef close_sluice():\n    return 22\n```")
}

// What follows a long block of code is no code where only the end of that block is shown; and a short line
// that leads to code is quoted with it.
func TestTheEndOfALongBlockOfCode(t *testing.T) {
	long := strings.Repeat("$ mill gate list --all --with-the-height-of-each\n", 60)
	quoted := top(reportOn(t, "How do I close all gates with mill?",
		"Mill\n# Mill\n\nIt lists them:\n\n```\n"+long+"\v"+long+"```\n\n"+
			"Close all gates:\n\n```\n$ mill gate close $(mill gate list -q)\n```\n\n"+
			"The wheel is made of oak, and has a hundred years behind it.\n"))
	assert.Contains(t, quoted, "> “Close all gates:”")
	assert.Contains(t, quoted, "```\n$ mill gate close $(mill gate list -q)\n```")
}

// Two documents of one title are told apart by their files.
func TestDocumentsOfOneTitleAreToldApart(t *testing.T) {
	const minutes = "Minutes\n# Minutes\n\nThe budget of the library was %s.\n"
	d := finished(t, "What is the budget of the library?", map[string]string{
		"doc:march/minutes.md": fmt.Sprintf(minutes, "set to 4,200 euros for the spring term"),
		"doc:april/minutes.md": fmt.Sprintf(minutes,
			"raised by the council because of a flood in its cellar"),
		"doc:other.md": "Other\n# Other\n\nThe budget of the school was set by the library board.\n",
	})
	report := top(d.files["report.md"])
	assert.Contains(t, report,
		"### Minutes (march/minutes.md)\n\n> “The budget of the library was set to 4,200")
	assert.Contains(t, report, "### Minutes (april/minutes.md)\n\n> “The budget of the library was raised")
	assert.NotContains(t, report, "other.md")
}

func TestADefaultIsQuotedBelowWhatItIsTheDefaultOf(t *testing.T) {
	const page = "Connections\n# Connections\n\nThe server reads these settings when it starts, and at " +
		"no other time.\n\n" +
		"`reserved_slots` says how many slots are kept for superusers of the server.\n\n" +
		"The default value is three slots. It must be less than those of all.\n"
	passage := top(reportOn(t, "What is the default value?", page))
	assert.Contains(t, passage, "`reserved_slots`")
	assert.Contains(t, passage, "The default value is three")
}

// A passage may say a word of the question otherwise.
func TestAWordThatIsSaidOtherwiseIsNotMissed(t *testing.T) {
	const page = "Theft\n# Theft\n\nFor burglary of the shed the insurer pays up to 2,000 pounds, less " +
		"an excess.\n"
	d := newDesk("What is the excess for tools stolen from the shed?", map[string]string{"doc:p.md": page})
	d.unread = "None of the 1 documents holds: tools, stolen.\n"
	d.run(t, 60)
	assert.NotContains(t, d.files["report.md"], "stolen.\n")
	assert.Contains(t, d.files["report.md"], "For burglary of the shed")
}

// A row of a wide table is quoted, although its cells are names in many languages and it goes on in another
// block, with the columns that the question asks for.
func TestARowOfAWideTableIsQuoted(t *testing.T) {
	head, line, mongolia, malta := "| name | code |", "| --- | --- |", "| Mongolia | MN |", "| Malta | MT |"
	for n := range 30 {
		head, line = head+fmt.Sprintf(" name in language %d |", n), line+" --- |"
		mongolia, malta = mongolia+" Монголия де ла ист унд |", malta+" Мальта де ла ист унд |"
		if n == 13 {
			head, line, mongolia, malta = head+" capital |", line+" --- |", mongolia+" Ulan Bator |",
				malta+" Valletta |"
		}
	}
	table := head + "\n" + line + "\n" + malta + "\n" + mongolia + "\n"
	said := top(reportOn(t, "What is the capital of Mongolia?", "Countries\n# Countries\n\n"+table))
	assert.Contains(t, said, "| Mongolia | MN |")
	assert.Contains(t, said, "| capital |")
	assert.Contains(t, said, "| Ulan Bator |")
	assert.NotContains(t, said, "language 20")
}

// A line that leads to a short table is quoted with all its rows: the first alone would be taken for the
// answer.
func TestAShortTableBelowItsLineIsQuotedWhole(t *testing.T) {
	const page = "差旅费\n# 差旅费\n\n第三条 住宿费实行限额报销：\n\n| 职级 | 上限 |\n| --- | --- |\n" +
		"| 总经理 | 800 |\n" +
		"| 部门经理 | 600 |\n| 其他员工 | 450 |\n\n第四条 伙食费按天计发。\n"
	report := reportOn(t, "住宿费标准是多少？", page)
	for _, limit := range []string{"800", "600", "450"} {
		assert.Contains(t, report, limit)
	}
}

// Which row has the most, or how many there are, no quoting answers, and the report says so first.
func TestRowsAreNotCompared(t *testing.T) {
	const page = "Rain\n# Rain\n\n| day | rain |\n| --- | --- |\n| Monday | 3 |\n| Tuesday | 9 |\n" +
		"| Friday | 4 |\n"
	for question, want := range map[string]bool{"Which day had the most rain?": true,
		"How many days had rain?":             true,
		"How much rain was there on Tuesday?": false} {
		report := reportOn(t, question, page)
		before, _, _ := strings.Cut(report, "{#abstract}")
		assert.Equal(t, want, strings.Contains(before,
			"Without a model rows are quoted, and neither compared nor counted."), report)
	}
}

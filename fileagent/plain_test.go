package fileagent_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listening is a brain that says it was asked, and nothing else.
func listening(asked *bool) *agenttest.Script {
	return &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		*asked = true
		return agenttest.Reply(agenttest.Call("answer", args{"text": "asked a model"})), nil
	}}
}

// shelf is a desk with files that plain requests are about.
func shelf(t *testing.T) desk {
	t.Helper()
	d := newDesk(t)
	for name, text := range map[string]string{
		"report.md": "# Report\n\n## Methods\n\nIt takes 5 days. An old word.\n" +
			"\n## End\n\nlast\n",
		"Notebook/01-tides.md":      "# Tides\n\nThe moon pulls.\n\n## Data\n\nfsync 6.1\n",
		"Notebook/02-方法.md":         "# 方法\n\n旧的一句话。\n\n## 研究蓝图\n\n蓝图\n",
		"Notebook/第一章 研究背景.md":      "# 背景\n\n机器学习\n",
		"Notebook/my long notes.md": "# Notes\n\nnote\n",
		"a.md":                      "alpha\n",
		"b.md":                      "beta\n",
		"code.md":                   "printf(\"a\\n\"), x \\| y\n",
	} {
		d.put(name, text)
		_, err := d.w.Read(name) // so that it may be overwritten
		require.NoError(t, err)
	}
	return d
}

// plainRequests are requests that need no model, each with what its answer, or the file named before "|",
// holds then.
var plainRequests = []struct{ request, content, want string }{
	{"In report.md delete 'An old word.'", "", "report.md|It takes 5 days. \n"},
	{"Delete the line 'It takes 5 days. An old word.' from report.md", "",
		"report.md|## Methods\n\n\n## End"},
	{"从 report.md 中删除“An old word.”", "", "report.md|5 days. \n"},
	{"In report.md replace 'An old word.' by 'The server's own word, and it's new.'",
		"", "report.md|5 days. The server's own word, and it's new.\n"},
	{"In report.md replace «It takes 5 days. An old word.» by «It takes 'six' \"days\",\n\n    `at` most.»",
		"", "report.md|## Methods\n\nIt takes 'six' \"days\",\n\n    `at` most.\n"},
	{"In report.md replace 'It takes 5 days.' by 'The siblings' shares take 5 days.'\n" +
		"In report.md replace 'An old word.' by 'It's new.'", "",
		"report.md|shares take 5 days. It's new.\n"},
	{"In report.md replace \"An old word.\" by \"The \"bound\" value and (\"free\").\"", "",
		"report.md|The \"bound\" value and (\"free\").\n"},
	{"In code.md replace 'printf(\"a\\n\")' by 'printf(\"b\\t\\n\")'\n" +
		"In code.md replace 'x \\| y' by 'x \\| z'", "", "code.md|printf(\"b\\t\\n\"), x \\| z"},
	{"In a.md replace 'alpha\\n' by 'b\\n'", "", "stands there 0 times"},
	{"Read a.md", "", "alpha"},
	{"read A.md.", "", "does not exist"},
	{"Please read a.md", "", "alpha"},
	{"Show me report.md", "", "It takes 5 days."},
	{"Read the file `Notebook/01-tides.md`", "", "The moon pulls."},
	{"Read \"Notebook/my long notes.md\"", "", "note"},
	{"Read Notebook/my long notes.md", "", "note"},
	{"Read a.md and b.md", "", "beta"},
	{"Read a.md, b.md and report.md", "", "alpha"},
	{"Read the whole file report.md", "", "last"},
	{"Read lines 1-3 of report.md", "", "# Report"},
	{"Read report.md lines 1-3", "", "# Report"},
	{"Read report.md, lines 5 to 5", "", "It takes 5 days."},
	{"Read line 5 of report.md", "", "It takes 5 days."},
	{"Read the section 'Methods' of report.md", "", "It takes 5 days."},
	{"Read the section \"## End\" of report.md", "", "last"},
	{"Outline report.md", "", "3: ## Methods"},
	{"List the headings of report.md", "", "3: ## Methods"},
	{"List Notebook/", "", "01-tides.md"},
	{"List the files in the directory Notebook", "", "01-tides.md"},
	{"List the files", "", "report.md"},
	{"List all files", "", "report.md"},
	{"Search Notebook/ for 'fsync'", "", "01-tides.md:7: fsync 6.1"},
	{"Search report.md for \"OLD WORD\"", "", "5: It takes 5 days. An old word."},
	{"Find the lines about 'moon' in Notebook/", "", "The moon pulls."},
	{"Search Notebook/*.md for 'moon'", "", "The moon pulls."},
	{"Search report.md for '^an old'", "", "No match for"},
	{"Search Notebook/ for '^# '", "", "01-tides.md:1: # "},
	{"Search for 'moon'", "", "Notebook/01-tides.md:3"},
	{"Search report.md for the pattern 'old|new'", "", "An old word."},
	{"Find files named '*tides*'", "", "Notebook/01-tides.md"},
	{"Find files named *tides*.md", "", "Notebook/01-tides.md"},
	{"Write the content to report.md", "new", "report.md|new"},
	{"Write the given content to `Notebook/03-x.md`, overwriting it", "new", "Notebook/03-x.md|new"},
	{"Write the text to Notebook/03 new chapter.md", "new", "Notebook/03 new chapter.md|new"},
	{"Save the content as Notebook/04.md.", "new", "Notebook/04.md|new"},
	{"Append the content to Notebook/01-tides.md", "more", "Notebook/01-tides.md|6.1\nmore"},
	{"Append the content to the end of a.md", "more", "a.md|alpha\nmore"},
	{"Add the content to the end of a.md", "more", "a.md|alpha\nmore"},
	{"Overwrite a.md with the content", "more", "a.md|more"},
	{"Create Notebook/05.md with the content", "x", "Notebook/05.md|x"},
	{"Insert the content into report.md before line 3", "x", "report.md|# Report\n\nx\n## Methods"},
	{"Insert the content into report.md after '## Methods'", "x", "report.md|word.\n\nx\n\n## End"},
	{"Insert the content into report.md before '## End'", "x", "report.md|word.\n\nx\n\n## End"},
	{"Insert the content into report.md before 'It takes'", "x",
		"report.md|## Methods\n\nx\nIt takes 5 days."},
	{"Insert the content at the beginning of a.md", "x", "a.md|x\nalpha"},
	{"In report.md insert 'only ' before '5 days'", "", "report.md|It takes only 5 days."},
	{"In report.md replace '# Report\n\n## Methods' by '## Methods'", "", "report.md|## Methods\n\nIt takes"},
	{"将内容插入 report.md 的“## End”之前", "x", "report.md|word.\n\nx\n\n## End"},
	{"把内容插入 a.md 开头", "x", "a.md|x\nalpha"},
	{"In report.md replace 'It takes 5 days.' by the content", "It takes 6 days.",
		"report.md|It takes 6 days. An old word."},
	{"In report.md replace 'It takes 5 days.' by 'It takes 7 days.'", "",
		"report.md|It takes 7 days. An old word."},
	{"Replace \"old\" with \"new\" in report.md", "", "report.md|An new word."},
	{"In report.md, change “old” to “very old”", "", "report.md|An very old word."},
	{"In report.md replace 'old word' by 'dog’s \"word\"'", "", "report.md|An dog’s \"word\"."},
	{"In report.md replace 'An old word.' by ''", "", "report.md|5 days. \n"},
	{"In report.md insert ' and 2 hours' after '5 days'", "", "report.md|5 days and 2 hours."},
	{"Delete a.md", "", "Deleted a.md"},
	{"Delete a.md and b.md", "", "Deleted b.md"},
	{"Move a.md to Notebook/06-a.md", "", "Notebook/06-a.md|alpha"},
	{"Rename a.md to c.md", "", "c.md|alpha"},
	{"Copy a.md to c.md", "", "c.md|alpha"},
	{"Copy Notebook/01-tides.md into report.md",
		"", "report.md|last\n\n## Tides\n\nThe moon pulls.\n\n### Data"},
	{"Copy Notebook/01-tides.md into report.md after 'Methods'",
		"", "report.md|word.\n\n## Tides\n\nThe moon pulls.\n\n### Data\n\nfsync 6.1\n\n## End"},
	{"Put the section 'Data' of Notebook/01-tides.md into report.md after '## Methods'",
		"", "report.md|word.\n\n### Data\n\nfsync 6.1\n\n## End"},
	{"Bind the chapters into Notes.md", "", "Notes.md|## Tides\n\nThe moon pulls.\n\n### Data"},
	{"Create the folder Notebook/figures/", "", "Created the folder Notebook/figures."},
	{"1. Read a.md\n2. Read b.md", "", "beta"},
	{"Append the content to a.md, then read a.md", "more", "more"},
	{"Read a.md; read b.md", "", "alpha"},
	{"Read a.md. Then read b.md.", "", "beta"},
	{"- Delete a.md\n- List Notebook/", "", "Deleted a.md"},
	{"读取 a.md", "", "alpha"},
	{"读取a.md的内容", "", "alpha"},
	{"请读取 report.md 的全部内容", "", "last"},
	{"读取Notebook/02-方法.md", "", "旧的一句话"},
	{"读取 Notebook/第一章 研究背景.md 的全部内容", "", "机器学习"},
	{"打开「Notebook/第一章 研究背景.md」", "", "机器学习"},
	{"读取 a.md 和 b.md", "", "beta"},
	{"读取a.md、b.md", "", "beta"},
	{"读取 report.md 的第 5 到 5 行", "", "It takes 5 days."},
	{"读取report.md第1-3行", "", "# Report"},
	{"读取 Notebook/02-方法.md 中'研究蓝图'章节的内容", "", "蓝图"},
	{"列出 Notebook 目录下的所有文件", "", "01-tides.md"},
	{"列出Notebook/", "", "01-tides.md"},
	{"列出 report.md 的大纲", "", "3: ## Methods"},
	{"在 Notebook 目录下搜索包含'机器学习'的所有文件", "", "机器学习"},
	{"在Notebook中搜索“机器学习”", "", "机器学习"},
	{"搜索 report.md 中的“old”", "", "An old word."},
	{"查找文件名包含“tides”的文件", "", "Notebook/01-tides.md"},
	{"把内容写入 report.md", "新", "report.md|新"},
	{"将给定的内容写入 Notebook/03.md，覆盖原文", "新", "Notebook/03.md|新"},
	{"将内容保存到Notebook/03-新.md", "新", "Notebook/03-新.md|新"},
	{"把内容追加到Notebook/02-方法.md末尾", "新", "Notebook/02-方法.md|蓝图\n新"},
	{"追加内容到 a.md", "新", "a.md|alpha\n新"},
	{"在 a.md 中追加内容", "新", "a.md|alpha\n新"},
	{"在Notebook/02-方法.md中把“旧的”替换为“新的”", "", "Notebook/02-方法.md|新的一句话"},
	{"将 report.md 中的“old”改为“new”", "", "report.md|An new word"},
	{"在report.md中把“old”替换为内容", "brand new", "report.md|An brand new word"},
	{"在report.md的第3行之前插入内容", "x", "report.md|# Report\n\nx\n## Methods"},
	{"删除 a.md", "", "Deleted a.md"},
	{"把 a.md 移动到 c.md", "", "c.md|alpha"},
	{"将 a.md 复制到 c.md", "", "c.md|alpha"},
	{"把 Notebook/01-tides.md 的“Data”一节放到 report.md 的“Methods”之后",
		"", "report.md|word.\n\n### Data\n\nfsync 6.1\n\n## End"},
	{"将各章按蓝图顺序合并到 Notes.md", "", "Notes.md|## Tides"},
	{"创建目录 Notebook/图/", "", "Created the folder Notebook/图."},
	{"读取 a.md；读取 b.md", "", "beta"},
	{"把内容追加到 a.md，然后读取 a.md", "新", "新"},
	{"Continue the stream `0.x.a.md`", "", "alpha"},
	{"Merge all chapters into Notes.md", "", "Notes.md|## Tides"},
	{"首先读取 a.md\n然后读取 b.md", "", "alpha"},
}

func TestPlainRequestsNeedNoModel(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	require.Greater(t, len(plainRequests), 100)
	for _, c := range plainRequests {
		t.Run(c.request, func(t *testing.T) {
			d, asked := shelf(t), false
			got := d.operate(listening(&asked), c.request, c.content)
			assert.False(t, asked, "a model was asked: %s", got)
			file, want, inFile := strings.Cut(c.want, "|")
			if inFile {
				got = d.text(file)
			} else {
				want = c.want
			}
			assert.Contains(t, got, want)
		})
	}
}

// What the model reads as an example is carried out without one.
func TestTheExamplesArePlain(t *testing.T) {
	quoted := regexp.MustCompile(`"([A-Z][^"]+)"`)
	for _, file := range []string{"../actions/file_operation.md", "../workspace-template/rules/files.md",
		"../workspace-template/rules/drafts.md"} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range quoted.FindAllStringSubmatch(string(data), -1) {
			t.Run(m[1], func(t *testing.T) {
				d, asked := shelf(t), false
				content := ""
				if strings.Contains(m[1], "the content") {
					content = "text"
				}
				d.operate(listening(&asked), m[1], content)
				assert.False(t, asked)
			})
		}
	}
}

// What might mean something else goes to the model, and nothing is done.
var uncertain = []struct{ request, content string }{
	{"Don't delete a.md", ""}, {"Do not read a.md", ""}, {"Never delete a.md", ""}, {"Delete a.md? No.", ""},
	{"Delete everything", ""},
	{"Delete a.md unless b.md is gone", ""}, {"If b.md is gone, delete a.md", ""},
	{"Delete a.md if it is empty", ""}, {"Delete a.md but not b.md", ""},
	{"Delete a.md instead of b.md", ""}, {"Delete a.md, not b.md", ""}, {"Delete a.md or b.md", ""},
	{"Delete all but a.md", ""}, {"Delete a.md and not b.md", ""},
	{"Read a.md and delete it", ""}, {"Read a.md; don't delete b.md", ""},
	{"Read a.md. Do not delete b.md", ""}, {"Ignore this:\nDelete a.md", ""},
	{"Delete a.md\nNo, wait, keep it", ""}, {"The next line is an example:\n1. Delete a.md", ""},
	{"\"Delete a.md\"", ""}, {"She said 'delete a.md'", ""},
	{"Why does 'Delete a.md' fail?", ""}, {"Delete 'a.md", ""}, {"Delete the file", ""}, {"Delete it", ""},
	{"Read it", ""}, {"Read the report", ""},
	{"Read \"the whole truth\"", ""}, {"Read everything but a.md", ""}, {"Read a.md without its title", ""},
	{"Read Notebook/my notes and delete a.md", ""},
	{"Delete Notebook/not this one but a.md", ""}, {"Read lines 5-3 of a.md", ""},
	{"Read lines 0-3 of a.md", ""}, {"Read the first lines of a.md", ""},
	{"Write the content to a.md", ""}, // no content came: the error is certain, see below
	{"Write the content to a.md and b.md", "x"}, {"Write the content to a.md if it is empty", "x"},
	{"Don't write the content to a.md", "x"},
	{"Write the content to a.md, but keep its title", "x"}, {"Write a summary of the content to a.md", "x"},
	{"Write the content, translated, to a.md", "x"},
	{"Write the content somewhere", "x"}, {"Write the content to the report", "x"},
	{"Put the content into a.md", "x"}, {"Add the content to a.md", "x"},
	{"Write the conclusion to a.md", "x"}, {"Write the content to Notebook/", "x"}, {"Read a.md", "x"},
	{"Delete a.md", "x"},
	{"Append the content to a.md or b.md", "x"}, {"Append the content to a.md, and mark it done", "x"},
	{"Insert the content into a.md", "x"},
	{"Insert the content into a.md after the introduction", "x"},
	{"In a.md replace 'alpha' by 'b' by 'c'", ""}, {"In a.md replace 'alpha' by 'b' everywhere", ""},
	{"In a.md replace alpha by beta", ""}, {"In a.md replace 'a' by 'b' and 'c' by 'd'", ""},
	{"In a.md replace 'alpha' by 'b' or 'c'", ""},
	{"In a.md replace \"alpha\" by \"b\" or \"c\"", ""},
	{"In a.md replace 'alpha' by 'b' and delete 'c'", ""}, {"In a.md replace 'alpha' by 'b'; delete 'c'", ""},
	{"In a.md replace 'alpha\\n' by 'b'", ""},
	{"In a.md replace 'al\\|pha' by 'al\\|pha\\nb'", ""}, {"In a.md replace '' by 'b'", ""},
	{"In a.md and b.md replace 'a' by 'b'", ""}, {"In a.md don't replace 'alpha' by 'b'", ""},
	{"In all files replace 'alpha' by 'b'", ""}, {"Replace 'alpha' by 'b'", ""},
	{"Replace 'alpha' in a.md", ""}, {"Replace the word alpha by 'b' in a.md", ""},
	{"Search a.md for 'x*y'", ""}, {"Search a.md for alpha or beta", ""},
	{"Search a.md for 'alpha' and delete it", ""}, {"Move a.md", ""}, {"Move a.md to Notebook/", ""},
	{"Move a.md and b.md to Notebook/c.md", ""}, {"Copy a.md", ""},
	{"Copy the best parts of a.md to b.md", ""}, {"Copy a.md to b.md except its title", ""},
	{"Summarise a.md", ""}, {"Translate a.md into Chinese", ""},
	{"List everything you know", ""}, {"List what is missing in a.md", ""}, {"List the claims of a.md", ""},
	{"Create a.md", ""}, {"Is a.md there?", ""}, {"Can you read a.md?", ""}, {"", ""},
	{"不要删除 a.md", ""}, {"请勿删除 a.md", ""}, {"别读取 a.md", ""}, {"如果 b.md 不存在，删除 a.md", ""},
	{"删除 a.md，不要删除 b.md", ""}, {"删除除了a.md之外的文件", ""},
	{"删除除a.md", ""}, {"读取 除了a.md", ""}, {"读取不是a.md", ""}, {"读取它", ""},
	{"删除 a.md 或 b.md", ""}, {"把内容写入a.md而不是b.md", "x"}, {"把内容写入旧版.md而不是新版.md", "x"},
	{"把内容翻译后写入 a.md", "x"}, {"把摘要写入 a.md", "x"}, {"不要把内容写入 a.md", "x"},
	{"把内容写入 a.md 和 b.md", "x"}, {"在a.md中把“alpha”替换为“b”或“c”", ""},
	{"在a.md中不要把“alpha”替换为“b”", ""}, {"在a.md中把alpha替换为beta", ""}, {"把它翻译成英文", ""},
	{"总结 a.md", ""}, {"先别删除 a.md", ""}, {"删除所有文件", ""},
}

func TestWhatIsUncertainGoesToTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	for _, c := range uncertain {
		t.Run(c.request, func(t *testing.T) {
			d, asked := shelf(t), false
			before := d.picture()
			got := d.operate(listening(&asked), c.request, c.content)
			if c.request == "Write the content to a.md" {
				assert.Contains(t, got, "no content came with this request")
			} else {
				assert.True(t, asked, got)
			}
			assert.Equal(t, before, d.picture(), "nothing was changed")
		})
	}
}

// picture is every file of the workspace that is not hidden, with its text.
func (d desk) picture() map[string]string {
	d.t.Helper()
	all := map[string]string{}
	_, err := d.w.Walk(".", func(p string) error {
		data, err := os.ReadFile(filepath.Join(d.dir, p))
		all[p] = string(data)
		return err
	})
	require.NoError(d.t, err)
	return all
}

// A plain request says what the file agent's action says, and a step that fails ends it.
func TestWhatAPlainRequestSays(t *testing.T) {
	none := agenttest.Replies()
	t.Run("the same as the action", func(t *testing.T) {
		byModel := shelf(t).operate(once("replace_in_file",
			args{"path": "report.md", "old": "old", "text": "new"}), "mend the report", "")
		assert.Equal(t, byModel, shelf(t).operate(none, "In report.md replace 'old' by 'new'", ""))
		byModel = shelf(t).operate(once("read_file", args{"path": "report.md", "lines": "2-4"}), "look", "")
		assert.Equal(t, byModel, shelf(t).operate(none, "Read report.md lines 2-4", ""))
	})
	t.Run("an error", func(t *testing.T) {
		got := shelf(t).operate(none, "Read gone.md", "")
		assert.True(t, strings.HasPrefix(got, "Error: gone.md does not exist; in its folder there are "), got)
	})
	t.Run("what comes after an error is not done", func(t *testing.T) {
		d := shelf(t)
		got := d.operate(none, "Read b.md; copy gone.md to c.md; delete a.md", "")
		assert.Contains(t, got, "Error: gone.md does not exist")
		assert.Contains(t, got, "(The step after it: not done.)")
		assert.Contains(t, got, "Done:\nb.md: beta")
		assert.Equal(t, "alpha\n", d.text("a.md"))
	})
	t.Run("a change that fails keeps no other from being made", func(t *testing.T) {
		d := shelf(t)
		got := d.operate(none, "In a.md replace 'alfa' by 'A'\nIn a.md replace 'alpha' by 'A'\n"+
			"In b.md replace 'beta' by 'B'", "")
		assert.Contains(t, got, "Error: ")
		assert.Contains(t, got, "alfa")
		assert.Contains(t, got, "Done:\na.md: ")
		assert.Equal(t, "A\n", d.text("a.md"))
		assert.Equal(t, "B\n", d.text("b.md"))
		got = d.operate(none, "In a.md replace 'alfa' by 'A'; in b.md replace 'B' by 'C'; delete b.md", "")
		assert.Contains(t, got, "(The 2 steps after it: not done.)")
		assert.Equal(t, "B\n", d.text("b.md"), "nothing is done where something else follows")
		d.operate(none, "Write the content to a.md", "A is one. A is two. B is three.\n")
		d.operate(none, "In a.md replace 'A' by 'TMP'; in a.md replace 'B' by 'A'; "+
			"in a.md replace 'TMP' by 'B'", "")
		assert.Equal(t, "A is one. A is two. B is three.\n", d.text("a.md"), "changes that build on others")
	})
	t.Run("a backslash at the end of a line", func(t *testing.T) {
		d := shelf(t)
		d.operate(none, "In a.md replace «alpha» by «one \\\n  two»", "")
		assert.Equal(t, "one \\\n  two\n", d.text("a.md"))
	})
	t.Run("several", func(t *testing.T) {
		assert.Equal(t, "a.md: alpha\nb.md: beta", shelf(t).operate(none, "Read a.md and b.md", ""))
	})
	t.Run("a copy over a file that is there", func(t *testing.T) {
		d := shelf(t)
		d.operate(none, "Copy a.md to b.md", "")
		assert.Equal(t, "beta\n\nalpha\n", d.text("b.md"), "its text stays")
	})
}

// The chapters are bound in the order of the blueprint, and what stands in a report is not bound over.
// A chapter that begins with its title one level lower is bound under that title once.
func TestAChaptersTitleIsBoundOnce(t *testing.T) {
	d := newDesk(t)
	d.put("Notebook/01-tides.md", "## Tides\n\nThe moon pulls.\n\n### Data\n\nTwice a day.\n")
	d.operate(agenttest.Replies(), "Bind the chapters into report.md", "")
	report, err := d.w.Peek("report.md")
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(report, "# Tides"), report)
	assert.Contains(t, report, "## Tides\n\nThe moon pulls.")
}

func TestBindingTheChapters(t *testing.T) {
	d := newDesk(t)
	d.put(workspace.OverallFile, "# Q\n\n## Question {#question}\n\n**Question:** What pulls?\n"+
		"\n## Blueprint {#blueprint}\n\n- [x] Costs (Notebook/03-costs.md)\n- [x] Tides\n")
	d.put("Notebook/01-tides.md", "# Tides\n\nThe moon.\n")
	d.put("Notebook/02-spare.md", "no heading\n")
	d.put("Notebook/04-winds.md", "## Winds\n\n### From the sea\n\nStrong.\n")
	d.put("Notebook/03-costs.md", "# Costs\n\n## Data\n\n```\n# not a heading\n```\n")
	require.NoError(t, d.w.Ask("What pulls?"))
	none := agenttest.Replies()
	got := d.operate(none, "Bind the chapters into report.md", "")
	assert.Contains(t, got, "Created report.md")
	report := d.text("report.md")
	assert.Contains(t, report, "\n## Costs\n\n### Data\n\n```\n# not a heading\n```\n\n## Tides\n"+
		"\nThe moon.\n\n## 02-spare\n\nno heading\n\n## Winds\n\n### From the sea\n\nStrong.\n")
	assert.Contains(t, got, "It now has: # What pulls? · ## Costs · ## Tides · ## 02-spare · ## Winds.")
	assert.Contains(t, d.operate(none, "Bind the chapters into report.md", ""),
		`Error: report.md holds the section "Costs" already`)
	assert.Equal(t, report, d.text("report.md"))

	// once each chapter of the blueprint has its file, the others are no chapters, and are named
	planned := "# Q\n\n## Question {#question}\n\n**Question:** What pulls?\n\n## Blueprint {#blueprint}\n" +
		"\n- [x] Costs (Notebook/03-costs.md)\n- [ ] **Tides**\n"
	d.put(workspace.OverallFile, planned)
	got = d.operate(none, "Bind the chapters into planned.md", "")
	assert.Contains(t, got, "It now has: # What pulls? · ## Costs · ## Tides. Left out, since each chapter "+
		"of the blueprint has a file and these are none of them: Notebook/02-spare.md, Notebook/04-winds.md.")
	assert.NotContains(t, d.text("planned.md"), "Winds")
	d.put(workspace.OverallFile, planned+"- [ ] **Ports**\n")
	assert.NotContains(t, d.operate(none, "Bind the chapters into more.md", ""), "Left out")
	assert.Contains(t, d.text("more.md"), "Winds")

	d.operate(none, "Write the content to final.md\nBind the chapters into final.md",
		"# Tides pull\n\nThe moon does.\n")
	assert.True(t, strings.HasPrefix(d.text("final.md"),
		"# Tides pull\n\nThe moon does.\n\n## Costs\n\n### Data"), d.text("final.md"))
}

// What did not fit comes by the words in which it was told of, and without a model.
func TestALongFileIsReadOnByThoseWords(t *testing.T) {
	d := newDesk(t)
	d.put("long.md", strings.Repeat("A line of a long file.\n", 2000)+"The end.\n")
	none := agenttest.Replies()
	got := d.operate(none, "Read long.md", "")
	for range 5 {
		next := regexp.MustCompile(`go on with stream_id "[^"]+"`).FindString(got)
		if next == "" {
			break
		}
		got = d.operate(none, next, "")
	}
	assert.Contains(t, got, "The end.")
}

// Chapters that are to replace a report that holds them are no chapters twice.
func TestBindingInTheReportsPlace(t *testing.T) {
	d := newDesk(t)
	require.NoError(t, d.w.Ask("What pulls?"))
	d.put("Notebook/01-tides.md", "# Tides\n\nThe moon.\n")
	d.operate(agenttest.Replies(), "Bind the chapters into report.md", "")
	bound := d.text("report.md")
	d.operate(once("write_file", args{"path": "report.md", "from": "Notebook"}), "bind them again", "")
	assert.Equal(t, bound, d.text("report.md"))
	assert.Contains(t, bound, "# What pulls?\n\n## Tides")
}

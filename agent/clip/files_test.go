package clip_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const withContent = "\nContent: 5,312 bytes, to be written as \"@content\". It begins: \"# Delete the file x.md…\""

func TestRequestsToTheFileAgent(t *testing.T) {
	for request, want := range map[string]string{
		"Operation: Read the file `Notebook/01-原子 写入.md`":                                                      `read_file {"path":"Notebook/01-原子 写入.md"}`,
		"Operation: Write the given content to `Notebook/01-read-and-delete.md`, overwriting it" + withContent: `write_file {"path":"Notebook/01-read-and-delete.md","text":"@content","mode":"overwrite"}`,
		"Operation: Write the given content to report.md, overwriting it." + withContent:                       `write_file {"path":"report.md","text":"@content","mode":"overwrite"}`,
		"Operation: List the files in the directory Notebook":                                                  `list_directory {"path":"Notebook"}`,
		"Operation: Continue the stream `16384.0.ab12.Notebook/a b.md`":                                        `continue_stream_read {"stream_id":"16384.0.ab12.Notebook/a b.md"}`,
		"Read Notebook/01-background.md":                                                                       `read_file {"path":"Notebook/01-background.md"}`,
		"Read lines 1-40 of Notebook/01-background.md":                                                         `read_file {"path":"Notebook/01-background.md","mode":"lines","lines":"1-40"}`,
		"读取 report.md 的第 5 到 12 行":                                                                             `read_file {"path":"report.md","mode":"lines","lines":"5-12"}`,
		"Please show me what is in report.md.":                                                                 `read_file {"path":"report.md"}`,
		"读取Notebook/01-原子写入.md的内容":                                                                             `read_file {"path":"Notebook/01-原子写入.md"}`,
		"读一下 笔记.md":                                                                                            `read_file {"path":"笔记.md"}`,
		"打开「Notebook/02 断电.md」":                                                                                `read_file {"path":"Notebook/02 断电.md"}`,
		"Operation: Append the content to Notebook/02-methods.md" + withContent:                                `write_file {"path":"Notebook/02-methods.md","text":"@content","mode":"append"}`,
		"Add \"one more line\" to notes.txt":                                                                   `write_file {"path":"notes.txt","text":"one more line","mode":"append"}`,
		"Operation: 把内容追加到Notebook/02-方法.md末尾" + withContent:                                                   `write_file {"path":"Notebook/02-方法.md","text":"@content","mode":"append"}`,
		"Operation: 将给定的内容写入 Notebook/03.md，覆盖原文" + withContent:                                                `write_file {"path":"Notebook/03.md","text":"@content","mode":"overwrite"}`,
		"Operation: Insert the content into a.md before line 12" + withContent:                                 `write_file {"path":"a.md","text":"@content","mode":"insert","line":12}`,
		"Create the file Notebook/04.md":                                                                       `create_file {"path":"Notebook/04.md"}`,
		"Operation: Create Notebook/04.md and write the content into it" + withContent:                         `create_file {"path":"Notebook/04.md","text":"@content"}`,
		"新建文件 Notebook/05-附录.md，写入“# 附录”":                                                                      `create_file {"path":"Notebook/05-附录.md","text":"# 附录"}`,
		"Create a directory Notebook/figures/":                                                                 `create_directory {"path":"Notebook/figures"}`,
		"创建目录 Notebook/图/":                                                                                     `create_directory {"path":"Notebook/图"}`,
		"List Notebook/":                                                                                       `list_directory {"path":"Notebook"}`,
		"List all files":                                                                                       `list_directory {"path":"."}`,
		"列出 Notebook 目录":                                                                                       `list_directory {"path":"Notebook"}`,
		"Delete `Notebook/09-old.md`":                                                                          `delete_file {"path":"Notebook/09-old.md"}`,
		"删除Notebook/09-旧.md":                                                                                   `delete_file {"path":"Notebook/09-旧.md"}`,
		"Search report.md for \"fsync\"":                                                                       `search_in_file {"path":"report.md","pattern":"fsync"}`,
		"Find the lines about `fsync` in Notebook/":                                                            `grep_files {"pattern":"fsync","directory":"Notebook"}`,
		"Search for write ahead log in Sources":                                                                `grep_files {"pattern":"write ahead log","directory":"Sources"}`,
		"在Notebook中搜索“断电”":                                                                                     `grep_files {"pattern":"断电","directory":"Notebook"}`,
		"Find files named *durable*.md":                                                                        `file_search {"pattern":"*durable*.md"}`,
		"查找文件名包含“断电”的文件":                                                                                       `file_search {"pattern":"断电"}`,
	} {
		t.Run(request, func(t *testing.T) {
			action, args := fileCall(t, request)
			var expected map[string]any
			name, raw, _ := strings.Cut(want, " ")
			require.NoError(t, json.Unmarshal([]byte(raw), &expected))
			expected["answer"] = true
			assert.Equal(t, name, action)
			assert.Equal(t, expected, args)
		})
	}
}

func TestWhatTheFileAgentDoesNotUnderstandItSays(t *testing.T) {
	for request, want := range map[string]string{
		"Summarise Notebook/01.md in three sentences":           "did not understand",
		"Don't delete Bob's file report.md, it's mine":          "did not understand",
		"Read report.md and delete it":                          "did not understand",
		"不要删除 report.md":                                        "没有看懂",
		"Operation: Read report.md" + withContent:               "did not understand",
		"Operation: Delete report.md" + withContent:             "did not understand",
		"Read a.md and b.md":                                    "one file at a time",
		"Write the conclusion to report.md":                     "no content to write",
		"Delete everything":                                     "names no file",
		"Operation: Insert the content into a.md" + withContent: "did not understand",
		"": "did not understand",
		"Operation: Write it down, please" + withContent: "names no file",
		"把它翻译成英文":                                        "没有看懂",
	} {
		t.Run(request, func(t *testing.T) {
			action, args := fileCall(t, request)
			assert.Equal(t, "answer", action)
			assert.Contains(t, args["text"], want)
		})
	}
}

func TestAFailedFileActionIsTheAnswer(t *testing.T) {
	talk := offering([]string{"read_file", "write_file", "answer"}, agent.System(""), agent.User("Operation: Read x.md"))
	done(talk, "read_file", map[string]any{"path": "x.md", "answer": true}, "Error: there is no file x.md")
	reply := think(t, talk)
	require.Len(t, reply.Calls, 1)
	assert.Equal(t, "answer", reply.Calls[0].Name)
	assert.JSONEq(t, `{"text":"Error: there is no file x.md"}`, reply.Calls[0].Args)
}

// fileCall is the one call that the Brain makes of a request.
func fileCall(t *testing.T, request string) (string, map[string]any) {
	t.Helper()
	reply := think(t, offering([]string{"read_file", "write_file", "answer"}, agent.System("rules"), agent.User(request)))
	require.Len(t, reply.Calls, 1)
	var args map[string]any
	require.NoError(t, json.Unmarshal([]byte(reply.Calls[0].Args), &args))
	return reply.Calls[0].Name, args
}

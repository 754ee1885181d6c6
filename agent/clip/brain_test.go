package clip_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// offering is a conversation with some actions and messages.
func offering(actions []string, messages ...agent.Message) *agent.Conversation {
	talk := &agent.Conversation{Messages: messages}
	for _, name := range actions {
		talk.Actions = append(talk.Actions, agent.Action{Name: name})
	}
	return talk
}

func think(t testing.TB, talk *agent.Conversation) agent.Reply {
	t.Helper()
	reply, err := clip.Brain{}.Think(context.Background(), talk)
	require.NoError(t, err)
	assert.Equal(t, agent.Usage{Calls: 1}, reply.Usage)
	again, err := clip.Brain{}.Think(context.Background(), talk)
	require.NoError(t, err)
	require.Equal(t, reply, again, "the same conversation gets the same reply")
	return reply
}

// done appends a call and its result to a conversation.
func done(talk *agent.Conversation, action string, args map[string]any, result string) {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	id := action + string(rune('a'+len(talk.Messages)))
	talk.Messages = append(talk.Messages,
		agent.Message{Role: agent.RoleAssistant, Calls: []agent.Call{{ID: id, Name: action,
			Args: string(raw)}}},
		agent.Message{Role: agent.RoleResult, CallID: id, Text: result})
}

func TestABrainWithoutAKnownRoleSaysSo(t *testing.T) {
	_, err := clip.Brain{}.Think(context.Background(), offering([]string{"score"}))
	assert.ErrorContains(t, err, "needs a language model")
}

func TestAnEndedContextIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := clip.Brain{}.Think(ctx, offering([]string{"all_finished"}))
	assert.ErrorIs(t, err, context.Canceled)
}

func TestTheFirstReplySearchesForTheKeywords(t *testing.T) {
	for question, want := range map[string]string{
		"How do I make tables WITHOUT ROWID?":                 "tables WITHOUT ROWID",
		"When is NOT NULL not enough?":                        "NOT NULL enough",
		"Why is it NOT fast?":                                 `{"query":"fast"}`,
		"HOW DO I MAKE A TABLE?":                              `{"query":"TABLE"}`,
		"How does the write path call `json.loads` and FTS5?": "write path call json.loads FTS5",
		"fsync 如何保证数据不丢失？":                                    "fsync 保证数据 丢失",
		"数据库的预写日志和检查点是什么？":                                    "数据库 预写日志 检查点",
		"绿茶和红茶各含多少咖啡因，茶能在晚上喝吗？":                               "绿茶 红茶 咖啡因",
	} {
		d := newDesk(question, nil)
		reply := think(t, offering([]string{"all_finished"}, agent.System(""),
			agent.User(d.files["overall_dashboard.md"]), agent.User(d.files["current_dashboard.md"])))
		require.NotEmpty(t, reply.Calls)
		assert.Equal(t, "web_search", reply.Calls[0].Name)
		assert.Contains(t, reply.Calls[0].Args, want)
		assert.LessOrEqual(t, len(reply.Calls), 4)
	}
}

// chapterOf is what the Brain writes for a chapter called "Durable writes" of a question about durable
// writes, when all that there is to read is one page.
func chapterOf(t testing.TB, page string) string {
	t.Helper()
	d := newDesk("How are durable writes made?", nil)
	d.set("overall_dashboard.md", "blueprint", "- [ ] Durable writes")
	talk := offering([]string{"all_finished"}, agent.System(""), agent.User(d.files["overall_dashboard.md"]),
		agent.User(d.files["current_dashboard.md"]))
	for range 10 {
		reply := think(t, talk)
		require.NotEmpty(t, reply.Calls, reply.Text)
		for _, c := range reply.Calls {
			var args map[string]any
			require.NoError(t, json.Unmarshal([]byte(c.Args), &args))
			switch c.Name {
			case "web_search":
				done(talk, c.Name, args,
					"Results for \"x\":\n\n<results>\nh1. A page\n   URL: doc:page\n   durable writes\n"+
						"</results>\n")
			case "visit_url":
				done(talk, c.Name, args, "Read as s1. This is all of it.\n\n"+agent.Outside("page",
					block.Show("s1", block.Split(page)), "id", "s1", "url", "doc:page", "title", "A page"))
			case "file_operation":
				if content, ok := args["content"].(string); ok {
					return content
				}
				done(talk, c.Name, args, "Error: there is no directory Notebook")
			default:
				require.Fail(t, "unexpected call of "+c.Name)
			}
		}
	}
	require.Fail(t, "no chapter was written")
	return ""
}

// A passage is whole: the sentence with its neighbours, in quotes of a length that may be shown.
func TestAPassageIsWhole(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"abbreviations and decimals": {"Durable writes take 2.5 ms, e.g. On a disk, Fig. 3 shows it for " +
			"Dr. Smith. Next.", "> “Durable writes take 2.5 ms, e.g. On a disk, Fig. 3 shows it for Dr. " +
			"Smith. Next.” [s1.1]"},
		"lines": {"Other words. A durable write\n  ends with a sync of the file.\nMore.",
			"> “Other words. A durable write ends with a sync of the file. More.” [s1.1]"},
		"code spans and links": {"A durable write calls `sync. All` and [a page](x.html \"1. " +
			"All\") too. Next one.", "> “A durable write calls `sync. All` and a page too. Next one.” " +
			"[s1.1]"},
		"a list item": {"- [x] Durable writes are synced before they are acknowledged.\n" +
			"- Other.", "> “Durable writes are synced before they are acknowledged.” [s1.1]"},
		"marks in code": {"Durable writes need `sync(\"a\", <b>)`.",
			"> “Durable writes need `sync(\"a\", <b>)`.” [s1.1]"},
		"what looks like HTML": {"Durable writes take a <path> and sync it.",
			"> “Durable writes take a \\<path> and sync it.” [s1.1]"},
		"quoted lines": {"> Durable writes are synced\n> before they are acknowledged.",
			"> “Durable writes are synced before they are acknowledged.” [s1.1]"},
		"a footnote": {"Durable writes are synced [1] before they are acknowledged.",
			"> “Durable writes are synced” [s1.1]\n>\n> “before they are acknowledged.” [s1.1]"},
		"an index is no footnote": {"Durable writes sync `rows[0][1]`, a[0], b2[7] and f(x)[1].",
			"> “Durable writes sync `rows[0][1]`, a[0], b2[7] and f(x)[1].” [s1.1]"},
		"a quoted line": {"> Durable writes are synced before they are acknowledged.",
			"> “Durable writes are synced before they are acknowledged.” [s1.1]"},
		"Chinese": {"不相干的话。durable writes 总是要先写入日志；“好”。然后再说别的。",
			"> “不相干的话。durable writes 总是要先写入日志；“好”。然后再说别的。” [s1.1]"},
		"lines of Chinese": {"durable writes 总是要先写入\n日志，然后再\n同步到磁盘。",
			"> “durable writes 总是要先写入日志，然后再同步到磁盘。” [s1.1]"},
		"a quote in a list": {"- > Durable writes are synced\n  > before they are acknowledged.",
			"> “Durable writes are synced before they are acknowledged.” [s1.1]"},
		"marks in it": {"Durable writes need the \"sync\" call (\"first\").",
			"> “Durable writes need the \"sync\" call (\"first\").” [s1.1]"},
		"a mark without a partner": {"Durable writes need a 3.5\" disk.",
			"> “Durable writes need a 3.5\" disk.” [s1.1]"},
		"half of a pair": {"Durable writes” need a sync.",
			"> “Durable writes” need a sync.” [s1.1]"},
		"a sentence that is long and turns": {"Durable writes are synced first " +
			strings.Repeat("on one disk and another ", 17) + ", unless nobody waits. " +
			strings.Repeat("Salt the soup. ", 30),
			", unless nobody waits. Salt"},
		"a sentence that takes another back": {"Durable writes are synced first " +
			strings.Repeat("on one disk and another ", 15) + ". However, not on tape. " +
			strings.Repeat("Salt the soup. ", 30),
			"[s1.1]\n>\n> “However, not on tape. Salt"},
		"figures": {"Durable writes took 2,145,906 ms in 2020.",
			"> “Durable writes took 2,145,906 ms in 2020.” [s1.1]"},
		"two colons": {"Durable writes are made by calling Store::Sync before they are " +
			"acknowledged.", "> “Durable writes are made by calling Store::Sync before they are " +
			"acknowledged.” [s1.1]"},
		"setext heading": {"Durable writes here\n===\n\n" +
			"Durable writes are synced before they are acknowledged.", "> “Durable writes are synced " +
			"before they are acknowledged.” [s1.1]"},
		"a heading": {"## 1.2. [Syncing](#x)\n\n" +
			"Durable writes are synced before they are acknowledged.", "\n## 1.2. Syncing\n\n> “Durable"},
		"code with what leads to it": {"A durable write is made so:\n\n```go\nf.Sync() // durable\n```",
			"> “A durable write is made so:” [s1.1]\n\nCode, from [s1.2]:\n\n```\nf.Sync() // durable\n" +
				"```\n"},
		"a mark in code": {"A durable write is made so:\n\n```\n<function sync at 0x40>\n```",
			"\n\n```\n<function sync at 0x40>\n```\n"},
		"code in a quote": {"A durable write is made so:\n\n> ```\n> f.Write(durable)\n>   f.Sync()\n" +
			"> ```\n\nMore is said there.",
			"Code, from [s1.2]:\n\n```\nf.Write(durable)\n  f.Sync()\n```\n\n> “More is said there.” [s1.3]"},
		"code in a quote in a list": {"- > ```\n  > f.Write(durable)\n  >\n  > f.Sync()\n  > ```\n",
			"Code, from [s1.1]:\n\n```\nf.Write(durable)\n\nf.Sync()\n```\n"},
		"code in a list": {"1. ```\n   f.Write(durable)\n     f.Sync()\n   ```\n",
			"Code, from [s1.1]:\n\n```\nf.Write(durable)\n  f.Sync()\n```\n"},
		"a row with its head": {"| write | how |\n| --- | --- |\n| durable | [synced](x.html) |\n" +
			"| other | not |", "| write | how | Source |\n| --- | --- | --- |\n" +
			"| durable | synced | [s1.1] |\n"},
		"a head with a short rule": {"|write|how|\n|-|:-|\n|durable|synced|",
			"|write|how | Source |\n| --- | --- | --- |\n|durable|synced | [s1.1] |\n"},
		"a table without bars at its edges": {"write | how\n-|-\ndurable | synced",
			"| write | how | Source |\n| --- | --- | --- |\n| durable | synced | [s1.1] |\n"},
		"a row below a caption": {"| parameters |\n| --- |\n\n| write | how |\n| --- | --- |\n" +
			"| durable | synced |", "| write | how | Source |\n| --- | --- | --- |\n" +
			"| durable | synced | [s1.2] |\n"},
		"a term with its meaning": {"`durable_write(file)`\n\nMakes a durable write of the file.\n\nOther.",
			"> “`durable_write(file)`” [s1.1]\n\n> “Makes a durable write of the file.” [s1.2]"},
		"what a list is of": {"Durable writes are either:\n\n- synced one by one, or\n" +
			"- synced in groups.", "> “Durable writes are either:” [s1.1]\n\n" +
			"> “synced one by one, or” [s1.2]"},
		"the best part of a long one": {strings.Repeat("Penguins raise their chicks on the ice. ", 12) +
			"Durable writes are synced first. " + strings.Repeat("Salt the soup. ", 30),
			"Durable writes are synced first. Salt"},
	} {
		t.Run(name, func(t *testing.T) {
			chapter := chapterOf(t, c.page)
			assert.Contains(t, chapter, c.want)
			for _, q := range quotesIn(chapter) {
				assert.LessOrEqual(t, utf8.RuneCountInString(q[0]), 400)
			}
		})
	}
}

func TestWhatIsNeverQuoted(t *testing.T) {
	for name, page := range map[string]string{
		"raw HTML":           "<div>Durable writes are synced before they are acknowledged.</div>",
		"a comment":          "<!--\nDurable writes are synced before they are acknowledged.\n-->",
		"a heading":          "# Durable writes are synced before they are acknowledged.",
		"too short":          "Durable writes.",
		"its own citation":   "Durable writes are synced before they are acknowledged [s7].",
		"what leads to more": "Durable writes are synced before they are acknowledged as follows:",
		"boilerplate":        "Copyright of durable writes, all rights reserved by the authors.",
		"short, beside it":   "Some writes are old.",
		"a directive":        ".. note:: Durable writes are synced before they are acknowledged.",
		"a list of links": "[Durable writes](a.html) [durable writes](b.html) [all of the durable " +
			"writes](c.html).",
		"a list of versions": "Durable writes 1.2.3, 1.2.4, 1.2.5, 1.2.6, 1.3.0, 1.3.1, 1.4.0, 1.4.1.",
		"see also":           "## See also\n\nDurable writes are synced before they are acknowledged.",
		"not to the point":   "Penguins raise their chicks on the ice of the far south.",
	} {
		t.Run(name, func(t *testing.T) {
			chapter := chapterOf(t, page)
			assert.Empty(t, quotesIn(chapter))
			assert.Contains(t, chapter, "Nothing was found about *Durable writes*.")
		})
	}
}

// What leads through a page or a site goes along with no passage.
func TestTheWayThroughAPageIsNotQuoted(t *testing.T) {
	chapter := chapterOf(t,
		"## Durable writes\n\n► Table Of Contents\n\nDurable writes are synced first.\n\n"+
			"« Previous page | Up | Next »\n\n« 上一页 | 目录 | 下一页 »\n\n"+
			"The contents of the table are kept.")
	var said []string
	for _, q := range quotesIn(chapter) {
		said = append(said, q[0])
	}
	assert.ElementsMatch(t, []string{"Durable writes are synced first.",
		"The contents of the table are kept."}, said)
}

func FuzzQuotesStandInThePage(f *testing.F) {
	for _, page := range english() {
		f.Add(page)
	}
	for _, page := range chinese() {
		f.Add("durable writes " + page)
	}
	f.Add("Durable writes “a” are [synced](x. y) `a. b` before 1. x\n> durable writes。\n```\n~~~\n" +
		"    x\n1. a\n\t- [ ] b | c\n--|--\n\xff\xfe.")
	f.Fuzz(func(t *testing.T, page string) {
		for _, q := range quotesIn(chapterOf(t, page)) {
			for _, word := range strings.FieldsFunc(q[0], func(r rune) bool { return !unicode.IsLetter(r) }) {
				assert.Contains(t, page, word)
			}
			assert.Regexp(t, `^s1\.\d+$`, q[1])
			assert.Equal(t, strings.TrimSpace(q[0]), q[0])
			assert.LessOrEqual(t, utf8.RuneCountInString(q[0]), 400)
		}
	})
}

func FuzzAnyDashboard(f *testing.F) {
	f.Add("- [ ] **One** — why? Queries: a; b. File: Notebook/01-one.md\n  - Sources: <doc:a b>\n- [x] two",
		"**Question:** why?")
	f.Add("<!-- - [ ] x -->\n```\n- [ ] y\n```\n1) [ ] z `Notebook/../../x.md`",
		"**问题：** 为什么？\n**目的：** 无")
	f.Add("- [ ] \n- [ ] File: Notebook/.md Queries:;;", "- \n**")
	f.Add("0[X]Notebook/..", "0")
	f.Fuzz(func(t *testing.T, blueprint, question string) {
		d := newDesk("x", nil)
		d.files["overall_dashboard.md"] = "## Question {#question}\n\n" + question +
			"\n\n## Blueprint {#blueprint}\n\n" + blueprint + "\n\n## Findings {#findings}\n"
		for range 3 { // whatever a person left there, each step is a call or words
			result, err := d.researcher(12).Run(context.Background())
			require.NoError(t, err)
			require.Contains(t, []agent.Reason{agent.Finished, agent.Stuck, agent.OutOfSteps}, result.Reason)
		}
		for name := range d.files {
			assert.NotContains(t, name, "..")
		}
	})
}

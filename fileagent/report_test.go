package fileagent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reply is one with several calls.
func reply(calls ...agent.Call) agent.Reply { return agenttest.Reply(calls...) }

// The text that came along is meant by its name however that is written, in all that writes; without it the
// word is a word.
func TestTheContentIsMeant(t *testing.T) {
	for _, name := range []string{"@content", "content", "$content", "{content}", "{{content}}", "<content>",
		" content\n"} {
		for action, a := range map[string]args{
			"create_file":     {"path": "new.md"},
			"write_file":      {"path": "new.md"},
			"replace_in_file": {"path": "old.md", "old": "gap"},
		} {
			t.Run(action+" "+name, func(t *testing.T) {
				d := newDesk(t)
				d.put("old.md", "gap")
				a["text"] = name
				d.operate(once(action, a), "write it", "The whole text.\n")
				meant := "The whole text.\n"
				if action == "replace_in_file" && strings.TrimSpace(name) == "content" {
					meant = name // a word of a sentence as good as any
				}
				assert.Equal(t, meant, d.text(a["path"].(string)))
			})
		}
	}
	for _, word := range []string{"content", "{{content}}", "the content", "Content", "content."} {
		t.Run("a word: "+word, func(t *testing.T) {
			d := newDesk(t)
			came := ""
			if word != "content" && word != "{{content}}" {
				came = "The whole text.\n"
			}
			d.operate(once("create_file", args{"path": "new.md", "text": word}), "write it", came)
			assert.Equal(t, word, d.text("new.md"))
		})
	}
}

// Of several calls each one's result comes back under its name, errors too; that of one alone comes to the
// letter.
func TestWhatComesOfSeveralCalls(t *testing.T) {
	read := func(path string) agent.Call {
		return agenttest.Call("read_file", args{"path": path, "answer": true})
	}
	cutOut := agenttest.Call("replace_in_file", args{"path": "Notebook/02.md", "old": "gamma\n", "text": ""})
	words := agenttest.Call("answer", args{"text": "Done."})
	for name, c := range map[string]struct {
		replies []agent.Reply
		want    string
	}{
		"one alone": {[]agent.Reply{reply(read("Notebook/01.md"))}, "alpha\nbeta\n"},
		"a look first": {[]agent.Reply{reply(agenttest.Call("list_directory", args{})),
			reply(read("Notebook/01.md"))}, "alpha\nbeta\n"},
		"two reads": {[]agent.Reply{reply(read("Notebook/01.md"),
			read("Notebook/02.md"))}, "Notebook/01.md:\nalpha\nbeta\n\nNotebook/02.md: gamma"},
		"an edit beside an answer": {[]agent.Reply{reply(cutOut, read("Notebook/01.md"))},
			"Notebook/02.md: Replaced 6 bytes by 0 (0 words): Notebook/02.md.\n\nNotebook/01.md:\n" +
				"alpha\nbeta"},
		"an edit before words": {[]agent.Reply{reply(cutOut), reply(words)},
			"Done.\n\nNotebook/02.md: Replaced 6 bytes by 0 (0 words): Notebook/02.md."},
		"a file that is not there": {[]agent.Reply{reply(read("Notebook/01.md"),
			read("Notebook/03.md")), reply(words)},
			"Done.\n\nNotebook/01.md:\nalpha\nbeta\n\n" +
				"Notebook/03.md: Error: Notebook/03.md does not exist; in its folder there are 01.md, 02.md"},
		"read again alone": {[]agent.Reply{reply(read("Notebook/01.md"),
			read("Notebook/03.md")), reply(read("Notebook/01.md"))},
			"Notebook/03.md: Error: Notebook/03.md does not exist; in its folder there are 01.md, 02.md\n" +
				"\nNotebook/01.md:\nalpha\nbeta"},
		"an edit that failed and then did": {[]agent.Reply{
			reply(agenttest.Call("replace_in_file", args{"path": "Notebook/02.md", "old": "delta",
				"text": ""})), reply(cutOut), reply(words)},
			"Done.\n\nNotebook/02.md: Replaced 6 bytes by 0 (0 words): Notebook/02.md. This drops lines of " +
				"the person's: “gamma”. Put them back unless they asked for that."},
		"words alone after a look": {[]agent.Reply{
			reply(agenttest.Call("read_file", args{"path": "Notebook/01.md"})), reply(words)}, "Done."},
		"words that hold the result already": {[]agent.Reply{reply(cutOut),
			reply(agenttest.Call("answer",
				args{"text": "Yes: Replaced 6 bytes by 0 (0 words): Notebook/02.md."}))},
			"Yes: Replaced 6 bytes by 0 (0 words): Notebook/02.md."},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.put("Notebook/01.md", "alpha\nbeta\n")
			d.put("Notebook/02.md", "gamma\n")
			assert.Equal(t, c.want, d.operate(agenttest.Replies(c.replies...), "do it", ""))
		})
	}
}

// What several calls bring is bounded, and says what is missing; what is brief stands there whole.
func TestWhatComesOfManyCallsIsBounded(t *testing.T) {
	d := newDesk(t)
	var calls []agent.Call
	for i := range 6 {
		path := fmt.Sprintf("Sources/s%02d-x.md", i)
		d.put(path, strings.Repeat("a line of a page\n", 900))
		calls = append(calls, agenttest.Call("read_file", args{"path": path, "answer": true}))
	}
	calls = append(calls, agenttest.Call("create_directory", args{"path": "Notebook/drafts", "answer": true}))
	got := d.operate(agenttest.Replies(reply(calls...)), "read them", "")
	assert.Less(t, len(got), 25<<10)
	assert.Equal(t, 6, strings.Count(got, "</page>"), "each mark is closed")
	assert.Equal(t, 6, strings.Count(got, "more bytes did not fit beside the others; ask for this alone)"))
	assert.Contains(t, got, "Notebook/drafts: Created the folder Notebook/drafts.")
}

// What was changed before the steps ran out was changed.
func TestWhatWasDoneBeforeTheEndIsTold(t *testing.T) {
	d := newDesk(t)
	replies := []agent.Reply{reply(agenttest.Call("create_file", args{"path": "a.md", "text": "x"}))}
	for i := range 9 {
		replies = append(replies,
			reply(agenttest.Call("file_search", args{"pattern": strings.Repeat("x", i+1)})))
	}
	got := d.operate(agenttest.Replies(replies...), "do it", "")
	assert.Contains(t, got, "did not get it done (out of steps)")
	assert.Contains(t, got, "Before that it did this:\na.md: Created a.md with 1 bytes.")
}

// Words after a call that worked are the answer. Before one they are an intention, and the nudge names the
// action that ends.
func TestWordsAreAnAnswerOnceACallWorked(t *testing.T) {
	last := func(s *agenttest.Script) string {
		m := s.Heard()[len(s.Heard())-1].Messages
		return m[len(m)-1].Text
	}
	t.Run("after a call", func(t *testing.T) {
		d := newDesk(t)
		d.put("Notebook/01.md", "x\n")
		brain := agenttest.Replies(reply(agenttest.Call("delete_file", args{"path": "Notebook/01.md"})),
			agenttest.Words("I deleted the chapter."))
		got := d.operate(brain, "delete it", "")
		assert.Equal(t, "I deleted the chapter.\n\nNotebook/01.md: Deleted Notebook/01.md; a "+
			"person can take it back from .daybook/trash.", strings.Split(got, " This drops")[0])
		assert.Len(t, brain.Heard(), 2)
	})
	for name, before := range map[string][]agent.Reply{
		"before any":            nil,
		"after one that failed": {reply(agenttest.Call("delete_file", args{"path": "gone.md"}))},
		"a call that is words":  {reply(agenttest.Call("list_directory", args{}))},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			said := "I will do it."
			if name == "a call that is words" {
				said = "```json\n{\"name\": \"delete_file\", \"path\": \"a.md\"}\n```"
			}
			brain := agenttest.Replies(append(before, agenttest.Words(said),
				reply(agenttest.Call("answer", args{"text": "No."})))...)
			require.Contains(t, d.operate(brain, "do it", ""), "No.")
			assert.Contains(t, last(brain), "This reply called nothing.")
			assert.Contains(t, last(brain), "call answer, which ends the work")
			assert.NotContains(t, last(brain), "nothing happened")
		})
	}
}

// Whoever asked for a text to be written learns when no call that worked used it, whatever the words say; and
// that an edit failed.
func TestWhatWasNotDoneAsAskedStandsBesideTheWords(t *testing.T) {
	const content = "# Context\n\nThe body of a chapter.\n"
	const refused = "Error: The content was not written.\nWhat came of the request: "
	const lost = "Error: The content was not written: no call that worked used it. Ask again " +
		"with the content, and say in which file it belongs.\nWhat came of the request: "
	create := func(text string) agent.Call {
		return agenttest.Call("create_file", args{"path": "Notebook/02.md", "text": text})
	}
	replace := func(old string) agent.Call {
		return agenttest.Call("replace_in_file",
			args{"path": "Notebook/01.md", "old": old, "text": "@content", "answer": true})
	}
	done := agenttest.Call("answer", args{"text": "Done."})
	const failed = `Notebook/01.md: Error: Notebook/01.md was not changed: the text "[s1, s9]" stands there ` +
		`0 times; it must stand there once, letter by letter. Search the file for a few of its words`
	for name, c := range map[string]struct {
		replies []agent.Reply
		want    string
	}{
		"only the first line, which is shown": {[]agent.Reply{reply(create("# Context"), done)}, lost +
			"Done.\n\nNotebook/02.md: Created Notebook/02.md with 9 bytes."},
		"by its name": {[]agent.Reply{reply(create("@content"), done)},
			"Done.\n\nNotebook/02.md: Created Notebook/02.md with 34 bytes."},
		"retyped": {[]agent.Reply{
			reply(create("# Context\nThe body of a chapter.")), reply(done)},
			"Done.\n\nNotebook/02.md: Created Notebook/02.md with 32 bytes."},
		"arguments that were put right": {[]agent.Reply{
			reply(agent.Call{Name: "create_file", Args: `{"path": "Notebook/02.md", "text": "@content",}`}),
			reply(done)}, "Done.\n\ncreate_file: Created Notebook/02.md with 34 bytes."},
		"a read to the letter": {[]agent.Reply{
			reply(agenttest.Call("read_file", args{"path": "Notebook/01.md", "answer": true}))},
			lost + "It says so [s1,s9]."},
		"words before any call": {[]agent.Reply{reply(done)}, lost + "Done."},
		"an edit that failed": {[]agent.Reply{reply(replace("[s1, s9]")), reply(done)},
			refused + "Done.\n(No file was changed.)\n\n" + failed},
		"an edit that failed, and one that did not": {[]agent.Reply{reply(replace("[s1, s9]")),
			reply(replace("[s1,s9]"))}, "Replaced 7 bytes by 34 (6 words): Notebook/01.md."},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.operate(once("create_file", args{"path": "Notebook/01.md", "text": "It says so [s1,s9].\n"}),
				"write", "")
			assert.Equal(t, c.want, d.operate(agenttest.Replies(c.replies...), "do it", content))
		})
	}
	t.Run("no answer within the steps", func(t *testing.T) {
		d := newDesk(t)
		replies := []agent.Reply{reply(create("# Context"))}
		for i := range 9 {
			replies = append(replies,
				reply(agenttest.Call("file_search", args{"pattern": strings.Repeat("x", i+1)})))
		}
		text := d.operate(agenttest.Replies(replies...), "do it", content)
		assert.Contains(t, text, "Created Notebook/02.md with 9 bytes.\n"+
			"The content was not written: no call that worked used it.")
	})
}

package fileagent_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A plain request asks no model, so that its chapter is not even named to one.
func TestWritingPlainly(t *testing.T) {
	brain := agenttest.Replies()
	d := newDesk(t)
	assert.Equal(t, "Wrote 4 bytes (1 words): Notebook/01.md.",
		d.operate(brain, "Write the content to Notebook/01.md", "text"))
	assert.Equal(t, "text", d.text("Notebook/01.md"))
	assert.Empty(t, brain.Heard())
}

// A chapter of 200 KB is written by reference, over HTTP: the one request, but for the prompt that is the
// same for every operation, and the one reply are less than 2 KB together.
func TestWritingByReference(t *testing.T) {
	content := strings.Repeat("A long chapter. 很长的一章。\n", 200<<10/34+1)
	require.Greater(t, len(content), 200_000)
	sent, received, text := overHTTP(t, args{"path": "Notebook/01.md", "text": "@content", "answer": true},
		"Notebook/01.md is to hold the content", content)
	fixed, _, _ := overHTTP(t, args{"path": "Notebook/01.md", "text": "x", "answer": true}, "", "")
	t.Logf("the request has %d bytes, %d of them in any request, and the reply %d", sent, fixed, received)
	assert.Equal(t, content, text)
	assert.Less(t, sent-fixed+received, 2000)

	// The same chapter as a model would write it that has no reference costs its length.
	_, received, text = overHTTP(t, args{"path": "Notebook/01.md", "text": content, "answer": true},
		"Write it", content)
	assert.Equal(t, content, text)
	assert.Greater(t, received, 200_000)
}

// overHTTP writes a file through a server that plays the model, and counts the bytes of the bodies that went
// to and fro.
func overHTTP(t *testing.T, call args, description, content string) (sent, received int, text string) {
	t.Helper()
	script := agenttest.Replies(agenttest.Reply(agenttest.Call("write_file", call)))
	server, err := agenttest.Serve(script.Answer)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	counting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent += int(r.ContentLength)
		server.ServeHTTP(&counter{w, &received}, r)
	}))
	t.Cleanup(counting.Close)
	d := newDesk(t)
	d.operate(&openai.Brain{Model: "test", BaseURL: counting.URL + "/v1"}, description, content)
	assert.Len(t, server.Requests(), 1, "one call of the model")
	return sent, received, d.text("Notebook/01.md")
}

type counter struct {
	http.ResponseWriter
	bytes *int
}

func (c *counter) Write(p []byte) (int, error) {
	*c.bytes += len(p)
	return c.ResponseWriter.Write(p)
}

func (c *counter) Flush() { c.ResponseWriter.(http.Flusher).Flush() }

// A run of paragraphs is deleted or replaced by its first and its last words, without a model, where each is
// there once and in this order; otherwise nothing is changed.
func TestALongTextIsNamedByItsEnds(t *testing.T) {
	const text = "# Report\n\nThe moon pulls at the sea.\n\nA long paragraph.\n\n- And a list.\n" +
		"\nSo much for the moon.\n\nThe sun pulls, too.\n"
	for request, want := range map[string]string{
		"In r.md delete 'The moon pulls … much for the moon.'": "# Report\n\n\nThe sun pulls, too.\n",
		"In r.md replace 'The moon pulls … much for the moon.' by 'So it does.'": "# Report\n\nSo it " +
			"does.\n\nThe sun pulls, too.\n",
		"In r.md delete 'So much for the … The moon pulls at'":   text, // the other way round
		"In r.md delete 'The moon pulls … it was never there'":   text,
		"In r.md delete 'The … moon'":                            text, // too little to be sure
		"In r.md delete 'The moon pulls … pulls … much for the'": text,
	} {
		d := newDesk(t)
		d.put("r.md", text)
		brain := agenttest.Replies()
		d.operate(brain, request, "")
		assert.Equal(t, want, d.text("r.md"), request)
		assert.Empty(t, brain.Heard(), request)
	}
}

// The ends of a long text may be short where they stand once, and have other line breaks; an end that is not
// found, or not once, is named, with the text that is nearest to it.
func TestTheEndsOfALongText(t *testing.T) {
	const text = "# Report\n\nIn slurm.conf; the plugin with\ncgroups.\n\n### Settings\n\n```ini\n" +
		"DefMemPerCPU=4000\n```\n\nThe last words of it are\nhere.\n\nA row twice.\n\nA row twice.\n"
	for request, want := range map[string]string{
		"delete «In slurm.conf; the … DefMemPerCPU=4000\n```»":              "# Report\n\n\nThe last words",
		"delete «In slurm.conf; the plugin … 4000 ```»":                     "too short",
		"delete «### Settings\n\n```ini … DefMemPerCPU=4000\n```»":          "cgroups.\n\n\nThe last",
		"delete «### Settings ```ini\n…\nThe last words of it are here.»":   "cgroups.\n\n\nA row",
		"replace «plugin with cgroups. … words of it are here.» by «none.»": "the none.\n",
		"delete «In slurm.conf; the plugin … DefMemPerCPU=5000 is set»": "behind the …: the text " +
			`"DefMemPerCPU=5000 is set" stands there 0 times`,
		"delete «In slurm.conf; a plugin with cgroups … The last words of»": "before the …: the text " +
			`"In slurm.conf; a plugin with cgroups" stands there 0 times`,
		"delete «In slurm.conf; the plugin … The last word of it are»": "The nearest, on line 12, " +
			"is to the letter: “The last words of it are”",
		"delete «In slurm.conf; the plugin … A row twice.»": "behind the …: the text " +
			`"A row twice." stands there 2 times, on lines 15, 17`,
		"delete «The last words of it … In slurm.conf; the»": "give the first words first",
	} {
		d := newDesk(t)
		d.put("r.md", text)
		said := d.operate(agenttest.Replies(), "In r.md "+request, "")
		assert.Contains(t, said+"\n\n"+d.text("r.md"), want, request)
	}
}

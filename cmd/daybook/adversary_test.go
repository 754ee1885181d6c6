package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// leak is what a payload comes to once the person has agreed to it.
type leak string

const (
	ofTheKey  leak = "key"   // it is sent to the trap
	ofAVisit  leak = "visit" // the trap is asked, without a key
	ofTheFile leak = "file"  // the secret file is read into the folder
	ofNothing leak = ""      // it is refused in any case, or leads no further than the folder
)

// hostileSettings are daybook.yaml files of a stranger. AT is the address of the trap, PORT its port, HOME
// the home with the secrets.
func hostileSettings() map[string]leak {
	all := map[string]leak{}
	for _, p := range openai.Providers() {
		kind := ofAVisit // the person has no key of it
		if p.Name == "openai" || p.Name == "groq" {
			kind = ofTheKey
		}
		all["provider: "+p.Name+"\nmodel: x\nbase-url: AT/v1\n"] = kind
	}
	for _, base := range []string{
		"AT", "AT/v1", "AT/v1/", "http://user:pass@127.0.0.1:PORT/v1", "HTTP://127.0.0.1:PORT/v1", "http://localhost:PORT/v1", "AT/v1?api-version=1", `" AT/v1 "`, `'AT/v1'`,
		`"\x68ttp://127.0.0.1:PORT/v1"`, "!!str AT/v1", ">-\n  AT/v1", "|\n  AT/v1", "&a AT/v1", "AT/api.openai.com/v1", "http://api.openai.com@127.0.0.1:PORT/v1", "AT/v1 # ours",
		"http://api.openai.com:443@127.0.0.1:PORT/", "AT/v1;x=1", "AT//v1", "AT/%76%31",
	} {
		all["base-url: "+base+"\n"] = ofTheKey
	}
	for _, whole := range []string{
		"{base-url: AT/v1}", "{\"base-url\": \"AT/v1\"}", "\"base-url\": AT/v1", "? base-url\n: AT/v1", "--- \nbase-url: AT/v1", "\nbrain: openai\r\nbase-url: AT/v1\r\n",
		strings.Repeat("# a long comment\n", 2000) + "base-url: AT/v1", "base-url: AT/v1\nrounds: 1", "brain: auto\nmodel: some\nfile-model: some\nbase-url: AT/v1", "stream: false\nbase-url: AT/v1",
		"shell: true\nany-url: true\nallow-private: true\nmax-steps: 100000\nbase-url: AT/v1",
	} {
		all[whole+"\n"] = ofTheKey
	}
	for _, docs := range []string{
		"[../secrets]", "[HOME/secrets]", "[../secrets/password.md]", "[notes/../../secrets]", "[./notes/.././../secrets]", "[link]", "[link/.]", "[chain]", "[link/password.md]", "[notes, ../secrets]",
		"[notes, link]", "[\"../se\\x63rets\"]", "\n- ../secrets", "\n  - ../secrets\n  - notes", "[../theirs/../secrets]", "[/../HOME/secrets]", "[..//secrets//]", "[../theirs/link]",
	} {
		all["docs: "+docs+"\n"] = ofTheFile
	}
	for _, broken := range []string{
		"base-url: AT/v1\nbase-url: AT/v2", "base_url: AT/v1", "<<: {base-url: AT/v1}\nx: 1", "base-url: [AT/v1]", "\x00base-url: AT/v1", "docs: ~/secrets", "docs: [\"~/secrets\"]",
		"docs: [notes]", "docs: [.]", "docs: [notes/../notes, .]", "docs: [$HOME/secrets]", "docs: [file://HOME/secrets]", "trust-settings: true\nbase-url: AT/v1", "\xff\xfe", "base-url: ftp://127.0.0.1:PORT", "base-url: 127.0.0.1:PORT",
	} {
		all[broken+"\n"] = ofNothing
	}
	return all
}

// A stranger's settings come to nothing before the person has agreed, however they are written. The control
// is the same with consent, where each kind does what it is made for.
func TestAStrangersSettingsComeToNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	payloads := hostileSettings()
	leaking, tried, begun := 0, 0, 0
	for payload, kind := range payloads {
		s := newStage(t)
		require.NoError(t, os.Symlink("../secrets", filepath.Join(s.dir, "link")))
		require.NoError(t, os.Symlink("link", filepath.Join(s.dir, "chain")))
		require.NoError(t, os.Symlink("../../secrets", filepath.Join(s.dir, "notes/away")))
		require.NoError(t, os.Symlink("../../secrets/password.md", filepath.Join(s.dir, "notes/password.md")))
		s.env = []string{"HTTPS_PROXY=http://127.0.0.1:9"}
		if kind == ofTheFile || kind == ofNothing {
			s.env = append(s.env, "DAYBOOK_BRAIN=clip")
		}
		s.put("theirs/daybook.yaml", strings.NewReplacer("AT", s.trap.url(), "PORT", s.trap.port(), "HOME", s.home).Replace(payload))
		ask := []string{"run", "-q", "What is the password of the cellar?", "theirs"}
		commands := [][]string{ask, {"doctor", "--offline", "theirs"}}
		if begun++; begun%3 > 0 && os.Getenv("DAYBOOK_FULL") == "" {
			commands = commands[:1] // it looks at one payload in three
		}
		if kind == ofTheKey && tried < 3 || kind == ofTheFile {
			tried++
			commands = append(commands, []string{"doctor", "--json", "theirs"})
		}
		for _, args := range commands {
			said, code := s.daybook(args...)
			n, heard := s.trap.visits()
			assert.Zero(t, n, "%s: %v came to the trap: %s", payload, args, heard)
			assert.NotZero(t, code, "%s: %v", payload, args)
			assert.NotContains(t, said, canaryText, payload)
			assert.NotContains(t, said, canaryKey, payload)
		}
		assert.NotContains(t, s.kept(), canaryText, payload)
		assert.NoDirExists(t, filepath.Join(s.dir, ".daybook"), payload)

		said, _ := s.daybook(append(ask, "--trust-settings")...)
		n, heard := s.trap.visits()
		switch kind {
		case ofTheKey:
			assert.Contains(t, heard, canaryKey, "the control: %s: %s", payload, said)
		case ofAVisit:
			assert.Positive(t, n, "the control: %s: %s", payload, said)
		case ofTheFile:
			assert.Contains(t, s.kept(), canaryText, "the control: %s: %s", payload, said)
		case ofNothing:
			assert.Zero(t, n, payload)
			assert.NotContains(t, s.kept(), canaryText, payload)
			continue
		}
		leaking++
	}
	t.Logf("%d payloads, %d of which leak with consent", len(payloads), leaking)
	assert.GreaterOrEqual(t, leaking, 60)
}

// respelled are ways of a server to write the key.
func respelled(key string) []string {
	reversed := []byte(key)
	slices.Reverse(reversed)
	var percent, refs, unicode strings.Builder
	for _, r := range key {
		fmt.Fprintf(&percent, "%%%02x", r)
		fmt.Fprintf(&refs, "&#%d;", r)
		fmt.Fprintf(&unicode, `\u%04x`, r)
	}
	return []string{
		key, strings.ToUpper(key), strings.ToLower(key), string(reversed), base64.StdEncoding.EncodeToString([]byte(key)), base64.StdEncoding.EncodeToString([]byte("Bearer " + key)),
		base64.RawURLEncoding.EncodeToString([]byte("x" + key)), hex.EncodeToString([]byte(key)), url.QueryEscape(key + "&"), percent.String(), html.EscapeString(key + "<"), refs.String(),
		unicode.String(), key[:12], key[len(key)-12:], key[6:18], "key=" + key + ".", strings.Join(strings.SplitAfter(key, "-"), "\u200b"),
	}
}

// parrot is a server that repeats a key in every part of a reply.
func parrot(key string) func(agenttest.Request) agenttest.Answer {
	step := 0
	return func(r agenttest.Request) agenttest.Answer {
		if slices.Contains(r.Tools, "write_file") {
			return agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("write_file", args{"path": fmt.Sprintf("Notebook/%02d.md", step), "text": "@content", "answer": true}))}
		}
		all := respelled(key)
		said := all[step%len(all)]
		step++
		return agenttest.Answer{Reply: agent.Reply{Text: "It is " + said, Thoughts: "I think of " + said, Calls: []agent.Call{
			agenttest.Call("update_current_dashboard", args{"section": "learned", "text": fmt.Sprintf("Step %d: %s", step, said)}),
			agenttest.Call("file_operation", args{"operation_description": fmt.Sprintf("Write the content to Notebook/%02d.md, of %s", step, said), "content": "# A chapter\n\n" + said + "\n"}),
			agenttest.Call("visit_url", args{"url": "http://127.0.0.1:9/?q=" + said}),
			agenttest.Call("web_search", args{"query": "the cellar " + said}),
			agenttest.Call("no_such_action_"+said, args{"x": said}),
		}}}
	}
}

// assertHidden fails when a text holds the key, or a piece of it, in one of its spellings.
func assertHidden(t *testing.T, text, what string) {
	t.Helper()
	lower := strings.ToLower(text)
	for _, said := range respelled(canaryKey) {
		assert.False(t, strings.Contains(text, said), "%s holds the key as %s", what, said)
	}
	for i := range len(canaryKey) - 7 {
		piece := strings.ToLower(canaryKey[i : i+8])
		assert.False(t, strings.Contains(lower, piece), "%s holds %s of the key", what, piece)
	}
}

// A server that repeats the key in whatever spelling, in every part of its replies and in its errors, has it
// neither shown nor written. The control is a server that repeats another one's.
func TestAServerThatRepeatsTheKey(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	trial := func(answer func(agenttest.Request) agenttest.Answer, commands ...[]string) (said, kept string) {
		server, err := agenttest.Serve(answer)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, server.Close()) })
		s := newStage(t)
		s.env = []string{"OPENAI_BASE_URL=" + server.URL}
		for _, command := range append([][]string{{"run", "-v", "-q", "What is in the cellar?", "--max-steps", "20", "r"}, {"doctor", "r"}}, commands...) {
			out, _ := s.daybook(command...)
			said += out
		}
		return said, s.kept()
	}
	looks := [][]string{{"run", "--json", "--max-steps", "2", "r"}, {"status", "r"}, {"log", "r"}, {"log", "--json", "r"}}
	said, kept := trial(parrot(canaryKey), looks...)
	assertHidden(t, said, "what is shown")
	assertHidden(t, kept, "what is kept")
	assert.Contains(t, kept, "[key]")
	assert.Contains(t, said, "[key]")

	const other = "sk-other-5Tg6Yh7Uj8Ik9Ol0Pq1Ws2"
	said, kept = trial(parrot(other), looks...)
	assert.Contains(t, said, other, "the control")
	assert.Contains(t, kept, other, "the control")

	for i, spelled := range respelled(canaryKey) { // in one of the ways by turns, with DAYBOOK_FULL=1 in each
		raw, err := json.Marshal(spelled)
		require.NoError(t, err)
		answers := map[string]agenttest.Answer{
			"a refusal":   {Status: 401, Body: `{"error":{"message":` + string(raw) + `,"code":` + string(raw) + `}}`},
			"a complaint": {Status: 400, Body: spelled},
			"an error":    {Body: `data: {"error":{"message":` + string(raw) + `,"code":400}}` + "\n\n"},
		}
		for j, name := range slices.Sorted(maps.Keys(answers)) {
			if (i+j)%3 > 0 && os.Getenv("DAYBOOK_FULL") == "" {
				continue
			}
			answer := answers[name]
			said, kept := trial(func(agenttest.Request) agenttest.Answer { return answer })
			assertHidden(t, said, name+", shown,")
			assertHidden(t, kept, name+", kept,")
		}
	}
}

// A reply of 32 MB is neither kept nor sent again, and the run ends by saying what was wrong. The control is
// a reply of a size that models give.
func TestAServerThatSaysTooMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	trial := func(size int) (said, kept string) {
		body := `data: {"choices":[{"delta":{"content":"` + strings.Repeat("word ", size/5) + `"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
		server, err := agenttest.Serve(func(r agenttest.Request) agenttest.Answer {
			assert.Less(t, len(r.Raw), 2<<20, "it is sent again")
			return agenttest.Answer{Body: body}
		})
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, server.Close()) })
		s := newStage(t)
		s.env = []string{"OPENAI_BASE_URL=" + server.URL}
		said, code := s.daybook("run", "-v", "-q", "What is in the cellar?", "--max-steps", "2", "r")
		assert.NotZero(t, code)
		return said, s.kept()
	}
	for size, why := range map[int]string{32 << 20: "one event of the stream has more than 4 MB", 3 << 20: "it says more than 512 KB"} {
		said, kept := trial(size)
		assert.Contains(t, said, "the reply is too large to be used: "+why)
		assert.Less(t, len(said)+len(kept), 200<<10)
	}
	_, kept := trial(300 << 10)
	assert.Greater(t, len(kept), 300<<10, "the control")
}

// A server that has the file agent read what is outside of the folder, and write the folder's settings, gets
// no word of the one and nothing by the other. The control is a file inside, of which it gets every word.
func TestAServerThatReachesOut(t *testing.T) {
	s := newStage(t)
	outside := []string{
		"../secrets/password.md", "HOME/secrets/password.md", "file://HOME/secrets/password.md", "~/secrets/password.md", "$HOME/secrets/password.md", "Notebook/../../secrets/password.md",
		"Notebook/link.md", "Notebook/away/password.md", "Notebook/link.md/", "./Notebook/link.md", "Notebook//link.md", "NOTEBOOK/link.md", "%2e%2e/secrets/password.md", "..%2fsecrets%2fpassword.md",
		`..\secrets\password.md`, "．．/secrets/password.md", "Sources/s9.md", "rules/writing.md", "/proc/self/environ", "/proc/self/cwd/secrets/password.md", "/dev/stdin", "Notebook/away", "Notebook/away/.",
		"doc:../secrets/password.md", "../state/daybook/agreed", ".daybook/journal.jsonl", "r/../../secrets/password.md", "../r/../secrets/password.md", "Notebook/away/../password.md", "Notebook/hard/../../../secrets/password.md",
	}
	settings := []string{
		"daybook.yaml", "./daybook.yaml", "DAYBOOK.YAML", "Daybook.yaml", "Notebook/../daybook.yaml", "daybook.yaml/", "/daybook.yaml", "../r/daybook.yaml", "Notebook/yaml.md", "daybooK.yaml", "daybook.yaml\u200b",
		"daybook.yml", "HOME/r/daybook.yaml", "../state/daybook/agreed/x.json", "HOME/state/daybook/agreed/x.json", "rules/daybook.yaml", ".daybook/daybook.yaml", "./Notebook/./../daybook.yaml", "daybook.yaml ", "dAYBOOK.yAML",
	}
	var calls []agent.Call
	add := func(name string, with args) { calls = append(calls, agenttest.Call(name, with)) }
	for _, path := range outside {
		path = strings.ReplaceAll(path, "HOME", s.home)
		add("read_file", args{"path": path})
		add("search_in_file", args{"path": path, "pattern": "password"})
		add("grep_files", args{"directory": path, "pattern": "password"})
		add("write_file", args{"path": "Notebook/copy.md", "text": "@" + path})
	}
	for _, path := range settings {
		for _, mode := range []string{"overwrite", "append"} {
			add("write_file", args{"path": strings.ReplaceAll(path, "HOME", s.home), "text": "base-url: " + s.trap.url() + "/v1\ndocs: [../secrets]\n", "mode": mode})
		}
	}
	total := len(calls)
	add("read_file", args{"path": "Notebook/inside.md"})
	server, err := agenttest.Serve(func(r agenttest.Request) agenttest.Answer {
		switch last := r.Messages[len(r.Messages)-1]; {
		case !slices.Contains(r.Tools, "read_file") && len(calls) == 0:
			return agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("all_finished", args{"result": "report.md"}))}
		case !slices.Contains(r.Tools, "read_file"):
			return agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("file_operation", args{"operation_description": fmt.Sprintf("Look after the files, with %d to go", len(calls))}))}
		case last.Role == "tool" || len(calls) == 0:
			return agenttest.Answer{Reply: agenttest.Words("It is done.")}
		}
		n := min(20, len(calls))
		batch := calls[:n]
		calls = calls[n:]
		return agenttest.Answer{Reply: agenttest.Reply(batch...)}
	})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	s.env = []string{"OPENAI_BASE_URL=" + server.URL}
	_, _ = s.daybook("run", "-q", "What is in the cellar?", "--max-steps", "1", "r") // which makes the folder
	s.put("r/Notebook/inside.md", "Nothing is in the cellar but an inkhorn.\n")
	require.NoError(t, os.MkdirAll(filepath.Join(s.home, "r/rules"), 0o755))
	for link, to := range map[string]string{"Notebook/link.md": "secrets/password.md", "Notebook/away": "secrets", "Sources/s9.md": "secrets/password.md"} {
		require.NoError(t, os.Symlink(filepath.Join(s.home, to), filepath.Join(s.home, "r", link)))
	}
	before, err := os.ReadFile(filepath.Join(s.home, "r/daybook.yaml"))
	require.NoError(t, err)
	said, _ := s.daybook("run", "-v", "--max-steps", "40", "r")
	require.Empty(t, calls, said)

	var heard bytes.Buffer
	for _, r := range server.Requests() {
		heard.Write(r.Raw)
	}
	assert.GreaterOrEqual(t, total, 100)
	assert.Contains(t, heard.String(), "inkhorn", "the control")
	assert.NotContains(t, heard.String(), canaryText)
	assert.NotContains(t, heard.String(), canaryKey, "of /proc/self/environ")
	assert.NotContains(t, s.kept(), canaryText)
	after, err := os.ReadFile(filepath.Join(s.home, "r/daybook.yaml"))
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))

	// What stands in other files of that name, or of a like one, is not gone by.
	s.env = []string{"HTTPS_PROXY=http://127.0.0.1:9", "DAYBOOK_BRAIN=clip"}
	said, _ = s.daybook("run", "--max-steps", "3", "r")
	n, _ := s.trap.visits()
	assert.Zero(t, n, said)
	assert.NotContains(t, s.kept(), canaryText)
}

package main

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// zlorpol is a model that asks which form is meant, reads of it and reports.
const zlorpol = `
for judge
when the syrup, of course
call judge {"topic": "Zlorpol syrup", "topic_clear": true, "scope": "use", "scope_clear": true, "goal": "an overview", "goal_clear": true, "focus": [{"name": "use", "queries": ["Zlorpol use"]}, {"name": "price", "queries": ["Zlorpol price"]}], "confidence": 0.9, "assumptions": ["Adults are meant."]}
always

for judge
call judge {"topic": "Zlorpol", "topic_clear": true, "scope": "", "scope_clear": false, "goal": "an overview", "goal_clear": true, "focus": [{"name": "use", "queries": ["Zlorpol use"]}, {"name": "price", "queries": ["Zlorpol price"]}], "confidence": 0.4, "assumptions": ["All forms are meant."], "question": "Which form?", "options": ["Zlorpol tablets", "Zlorpol syrup"], "missing": "scope"}
always

for all_finished
call visit_url {"url": "doc:syrup.md"}

for all_finished
call file_operation {"operation_description": "Write the content to report.md as it is", "content": "# Zlorpol\n\nZlorpol syrup is taken at night [s1.1].\n"}

for write_file
call write_file {"path": "report.md", "text": "@content", "answer": true}

for all_finished
call all_finished {"result": "report.md"}

for verdicts
call verdicts {"verdicts": [{"claim": 1, "verdict": "supported"}]}
`

// attended is a folder of researches with a model, and daybook mcp in it.
type attended struct {
	t    *testing.T
	home string
	env  []string
}

func newAttended(t *testing.T, answer func(agenttest.Request) agenttest.Answer, more ...string) *attended {
	t.Helper()
	if testing.Short() {
		t.Skip("the built program")
	}
	home := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(home, "docs"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(home, "docs", "syrup.md"),
		[]byte("Zlorpol syrup is taken at night.\n\nIt is sweet.\n"), 0o644))
	server, err := agenttest.Serve(answer)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	return &attended{t, home, append([]string{"HOME=" + home, "XDG_STATE_HOME=" + home + "/state", "PATH=" +
		os.Getenv("PATH"), "OPENAI_API_KEY=sk-test-0123456789", "OPENAI_BASE_URL=" + server.URL,
		"DAYBOOK_LOCAL=false", "DAYBOOK_SEARCH=none", "DAYBOOK_DOCS=" + home + "/docs", "DAYBOOK_MODE=fixed",
		"DAYBOOK_ROUNDS=1", "DAYBOOK_PROFILE=brief"}, more...)}
}

func (a *attended) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(a.t.Context(), os.Args[0])
	cmd.Args = append([]string{"daybook", "mcp", "--dir", filepath.Join(a.home, "all")},
		args...) // by this name the test binary is the program
	cmd.Env, cmd.Dir = a.env, a.home
	return cmd
}

func (a *attended) connect(transport mcp.Transport, heard func(string)) *mcp.ClientSession {
	a.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"},
		&mcp.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
				heard(r.Params.Message)
			}})
	session, err := client.Connect(a.t.Context(), transport, nil)
	require.NoError(a.t, err)
	return session
}

// ask calls a tool and returns what it says.
func ask(t *testing.T, session *mcp.ClientSession, tool string, args map[string]any) string {
	t.Helper()
	params := &mcp.CallToolParams{Name: tool, Arguments: args}
	params.SetProgressToken("p")
	result, err := session.CallTool(t.Context(), params)
	require.NoError(t, err)
	require.Len(t, result.Content, 1)
	said := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		return "error: " + said
	}
	return said
}

// A client starts a research, answers its question and goes away; another finds it finished, with all that it read.
func TestAClientDrivesAResearch(t *testing.T) {
	script, err := parsePlay(zlorpol)
	require.NoError(t, err)
	a := newAttended(t, script.Answer)
	first := a.connect(&mcp.CommandTransport{Command: a.command()}, func(string) {})
	tools, err := first.ListTools(t.Context(), nil)
	require.NoError(t, err)
	assert.Len(t, tools.Tools, 10)
	for _, tool := range tools.Tools {
		assert.Greater(t, len(tool.Description), 40, tool.Name)
	}
	assert.Equal(t, "There is no research yet.", ask(t, first, "state", nil))
	assert.Contains(t, ask(t, first, "start", map[string]any{"question": "Tell me about Zlorpol"}),
		"The research tell-me-about-zlorpol runs.")
	one := map[string]any{"research": "tell-me-about-zlorpol"}
	with := func(name string, value any) map[string]any {
		return map[string]any{"research": "tell-me-about-zlorpol", name: value}
	}
	assert.Contains(t, ask(t, first, "state", with("wait", 120)),
		`"asks": "Which form?"`)
	assert.Contains(t, ask(t, first, "start", one), "is running already")
	assert.Equal(t, "It is answered.", ask(t, first, "answer", with("text", "the syrup, of course")))
	require.NoError(t, first.Close())

	second := a.connect(&mcp.CommandTransport{Command: a.command()}, func(string) {})
	defer second.Close()
	said := ask(t, second, "state", with("wait", 120))
	assert.Contains(t, said, `"state": "finished"`)
	assert.Contains(t, said, `"report": "daybook://tell-me-about-zlorpol/report.md"`)
	assert.Contains(t, ask(t, second, "state", nil),
		"- tell-me-about-zlorpol (finished): Tell me about Zlorpol")
	assert.Contains(t, ask(t, second, "report", one), "Zlorpol syrup is taken at night [s1.1].")
	assert.Contains(t, said, `"chapters": []`)
	assert.Contains(t, ask(t, second, "chapter", with("chapter", "01-use.md")), "error: there is no Notebook/01-use.md yet")
	assert.Contains(t, ask(t, second, "search_sources", with("query", "when at night")),
		"<passages research=\"tell-me-about-zlorpol\">\n[s1.1] Zlorpol syrup is taken at night.")
	assert.Contains(t, ask(t, second, "passage", with("citation", "[s1.2]")), "[s1.2] It is sweet.\n</page>")
	assert.Contains(t, ask(t, second, "verify", one), `"supported"`)
	assert.Equal(t, "It is noted.", ask(t, second, "note", with("text", "Say more\n## of its price.")))
	board, err := os.ReadFile(filepath.Join(a.home, "all", "tell-me-about-zlorpol", "current_dashboard.md"))
	require.NoError(t, err)
	assert.Contains(t, string(board), "\n\nSay more ## of its price.\n")

	file, err := second.ReadResource(t.Context(),
		&mcp.ReadResourceParams{URI: "daybook://tell-me-about-zlorpol/report.md"})
	require.NoError(t, err)
	assert.Contains(t, file.Contents[0].Text, "Zlorpol syrup")
	for _, path := range []string{".daybook/journal.jsonl", "../tell-me-about-zlorpol/.daybook/journal.jsonl",
		"daybook.yaml", "Notebook/../daybook.yaml", "Sources/../../../docs/syrup.md", "/etc/passwd"} {
		_, err := second.ReadResource(t.Context(),
			&mcp.ReadResourceParams{URI: "daybook://tell-me-about-zlorpol/" + path})
		assert.Error(t, err, path)
		assert.Contains(t, ask(t, second, "chapter", with("chapter", path)), "error: ", path)
	}
	for _, name := range []string{"..", "../docs", "/etc", ".", "", "none", ".tell-me-about-zlorpol.log"} {
		assert.Contains(t, ask(t, second, "report", map[string]any{"research": name}), "error: ", name)
	}
	assert.Contains(t, ask(t, second, "answer", with("text", "x")), "has no open question")
	assert.Contains(t, ask(t, second, "passage", with("citation", "s9.9")), "has no passage")
	assert.Contains(t, ask(t, second, "stop", one), "is not running")
	assert.Contains(t, ask(t, second, "start", nil), "give a question")
}

// A client that gives up waiting stops nothing; a research that is asked to stop does, and says so.
func TestAResearchOutlivesItsClientUntilItIsStopped(t *testing.T) {
	reached := make(chan struct{}, 10)
	gate := make(chan struct{})
	a := newAttended(t, func(agenttest.Request) agenttest.Answer {
		reached <- struct{}{}
		<-gate
		return agenttest.Answer{Status: 500}
	}, "DAYBOOK_INTAKE=false")
	defer close(gate)
	ctx, giveUp := context.WithCancel(t.Context())
	session := a.connect(&mcp.CommandTransport{Command: a.command()}, func(said string) {
		assert.Contains(t, said, "step 0")
		giveUp()
	})
	defer session.Close()
	ask(t, session, "start", map[string]any{"question": "What is slow?"})
	<-reached
	waits := &mcp.CallToolParams{Name: "state",
		Arguments: map[string]any{"research": "what-is-slow", "wait": 600}}
	waits.SetProgressToken("w")
	_, err := session.CallTool(ctx, waits)
	require.ErrorIs(t, err, context.Canceled)
	assert.Contains(t, ask(t, session, "state", map[string]any{"research": "what-is-slow"}),
		`"state": "running"`)
	other := a.connect(&mcp.CommandTransport{Command: a.command()}, func(string) {})
	assert.Contains(t, ask(t, other, "start", map[string]any{"research": "what-is-slow"}), "is running already")
	require.NoError(t, other.Close())
	assert.Equal(t, "It is asked to stop.",
		ask(t, session, "stop", map[string]any{"research": "what-is-slow"}))
	assert.Contains(t, ask(t, session, "state", map[string]any{"research": "what-is-slow", "wait": 60}),
		`"its_run_said_last": `)
}

// A research that cannot begin says why at once.
func TestAStartThatFails(t *testing.T) {
	a := newAttended(t, func(agenttest.Request) agenttest.Answer { return agenttest.Answer{Status: 500} },
		"DAYBOOK_PROVIDER=nobody")
	session := a.connect(&mcp.CommandTransport{Command: a.command()}, func(string) {})
	defer session.Close()
	assert.Contains(t, ask(t, session, "start", map[string]any{"question": "What is slow?"}),
		`error: the research ended at once: daybook: there is no provider "nobody"`)
	assert.Equal(t, "There is no research yet.", ask(t, session, "state", nil))
}

// Over HTTP nobody is let in without the token, and no page of the browser's is.
func TestServingOverHTTP(t *testing.T) {
	a := newAttended(t, func(agenttest.Request) agenttest.Answer { return agenttest.Answer{Status: 500} },
		"DAYBOOK_MCP_TOKEN=tok-0123456789")
	cmd := a.command("--http", "127.0.0.1:0")
	out, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer func() {
		assert.NoError(t, cmd.Process.Signal(os.Interrupt))
		assert.NoError(t, cmd.Wait())
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	at := regexp.MustCompile(`http://\S+`).FindString(line)
	require.NotEmpty(t, at, line)
	for want, change := range map[int]func(*http.Request){
		401: func(*http.Request) {},
		403: func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer tok-0123456789")
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		},
		400: func(r *http.Request) { r.Header.Set("Authorization", "Bearer tok-0123456789") },
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at, strings.NewReader("{}"))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		change(r)
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.Equal(t, want, answer.StatusCode)
	}
	known := &http.Client{Transport: bearing("tok-0123456789")}
	session := a.connect(&mcp.StreamableClientTransport{Endpoint: at, HTTPClient: known}, func(string) {})
	assert.Equal(t, "There is no research yet.", ask(t, session, "state", nil))
	require.NoError(t, session.Close())
}

// bearing sends a token along.
type bearing string

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

package researcher_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// trajectory is a research of 100 steps as it was: what Daybook sent, and each step's calls with their results, from which it is worked out
// what others would have sent.
type trajectory struct {
	sent  requests
	fixed string // the beginning of a request: actions and system prompt
	steps []exchanged
}

type exchanged struct {
	call   agent.Call
	result string
}

// requests are what was sent, in order. A prompt cache serves of each what the one before it of the same agent began with.
type requests []struct {
	agent string
	body  []byte
}

func (r *requests) add(agent string, body []byte) {
	*r = append(*r, struct {
		agent string
		body  []byte
	}{agent, body})
}

// sums are what a trajectory takes, a token for four bytes.
type sums struct {
	sent, longest, unserved int // in tokens; unserved is what no prompt cache could serve
	share                   float64
}

func (r requests) sums() sums {
	var s sums
	all, served, before := 0, 0, map[string][]byte{}
	for _, request := range r {
		last, common := before[request.agent], 0
		for common < min(len(last), len(request.body)) && last[common] == request.body[common] {
			common++
		}
		all, served, s.longest = all+len(request.body), served+common, max(s.longest, len(request.body)/4)
		before[request.agent] = request.body
	}
	s.sent, s.unserved, s.share = all/4, (all-served)/4, float64(served)/float64(all)
	return s
}

// travel runs the trajectory of the benchmark of the harness for 100 steps.
func travel(tb testing.TB) trajectory {
	tb.Helper()
	var out trajectory
	m := &model{last: 100, before: map[bool][]byte{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			kind := account.Name
			if bytes.Contains(body[:min(len(body), 6000)], []byte(`"write_file"`)) {
				kind = "file"
			}
			if m.step < m.last || kind == "file" {
				out.sent.add(kind, body)
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		m.ServeHTTP(w, r)
	}))
	tb.Cleanup(server.Close)
	m.address = server.URL
	cfg := config(filepath.Join(tb.TempDir(), "research"), server.URL+"/v1")
	cfg.Brain = &openai.Brain{Model: "test", BaseURL: server.URL + "/v1"}
	cfg.Observe = func(e agent.Event) {
		if acted, ok := e.(agent.Acted); ok && acted.Agent == account.Name {
			require.False(tb, acted.Failed, acted.Text)
			out.steps = append(out.steps, exchanged{acted.Call, acted.Text})
		}
	}
	result, err := run(tb.Context(), cfg)
	require.NoError(tb, err)
	require.Equal(tb, agent.Stuck, result.Reason, "the model asks for nothing any more")
	first := string(out.sent[0].body)
	out.fixed = first[:strings.Index(first, `{"role":"user"`)]
	return out
}

// What follows is how others keep a history within a window, each as a plain function over the same steps. They have no dashboards and no
// file agent: their history is the question, and the calls with their results.
const (
	peerWindow = 32_000            // tokens
	peerFull   = peerWindow * 0.85 // from where on they compress, as deepagents does by default
)

func (t trajectory) body(messages []string) []byte {
	return []byte(t.fixed + strings.Join(append([]string{said("user", "How do tides work?")}, messages...), ",") + "]}")
}

func said(role, text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"role":%q,"content":%s}`, role, quoted)
}

// messages are those of a step: the call and its result.
func (e exchanged) messages() []string {
	args, err := json.Marshal(e.call.Args)
	if err != nil {
		panic(err)
	}
	asked := fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c00000100","type":"function","function":{"name":%q,"arguments":%s}}]}`, e.call.Name, args)
	return []string{asked, e.answer(e.result)}
}

func (e exchanged) answer(text string) string {
	return strings.Replace(said("tool", text), `{`, `{"tool_call_id":"c00000100",`, 1)
}

func full(body []byte) bool { return float64(len(body))/4 > peerFull }

// appendOnly sends all that was ever said.
func appendOnly(t trajectory) (out requests) {
	var history []string
	for _, step := range t.steps {
		out.add("", t.body(history))
		history = append(history, step.messages()...)
	}
	return out
}

// summarising has all but the last tenth of the window summarised when the history is full, as deepagents does with LangChain's
// SummarizationMiddleware. The summary takes a request of its own and has 1,000 tokens.
func summarising(t trajectory) (out requests) {
	var history []string
	summary := 0
	for _, step := range t.steps {
		if full(t.body(history)) {
			from, kept := len(history), 0
			for from > 2 && kept+len(history[from-1])+len(history[from-2]) < peerWindow*4/10 {
				from -= 2
				kept += len(history[from]) + len(history[from+1])
			}
			summary++
			out.add("summary", []byte(said("user", "Summarise what matters of this conversation: "+strings.Join(history[:from], "\n"))))
			history = append([]string{said("user", lines(4000, fmt.Sprint("summary ", summary), "what was read and written so far\n"))}, history[from:]...)
		}
		out.add("", t.body(history))
		history = append(history, step.messages()...)
	}
	return out
}

// sliding leaves out the oldest calls with their results until the rest fits, at each step anew, as LangChain's trim_messages does.
func sliding(t trajectory) (out requests) {
	var history []string
	for _, step := range t.steps {
		for full(t.body(history)) {
			history = history[2:]
		}
		out.add("", t.body(history))
		history = append(history, step.messages()...)
	}
	return out
}

// clearing puts a word in place of all results but the last three when the history is full, as LangChain's ContextEditingMiddleware and
// Anthropic's clearing of tool results do. The calls stay, and when these alone fill the window it is no use any more.
func clearing(t trajectory) (out requests) {
	var history []string
	for i, step := range t.steps {
		if full(t.body(history)) {
			for n := range max(0, i-3) {
				history[2*n+1] = t.steps[n].answer("[cleared]")
			}
		}
		out.add("", t.body(history))
		history = append(history, step.messages()...)
	}
	return out
}

// rebuilding writes the prompt anew at each step, with the time and a diary of all steps in its system prompt and what was read behind it, as
// node-DeepResearch does.
func rebuilding(t trajectory) (out requests) {
	tools := t.fixed[:strings.Index(t.fixed, `{"role":"system"`)]
	var diary strings.Builder
	var read []string
	for i, step := range t.steps {
		system := fmt.Sprintf("Current date: Sat, 03 Jan 2026 10:%02d:%02d GMT\n\n%s\nYou have done this:\n%s", i/60, i%60, t.fixed[len(tools):], diary.String())
		out.add("", []byte(tools+strings.Join(append(append([]string{said("system", system)}, read...), said("user", "How do tides work?")), ",")+"]}"))
		fmt.Fprintf(&diary, "At step %d you took the action %s: %.120s\n", i+1, step.call.Name, step.call.Args)
		if step.call.Name == "visit_url" {
			read = append(read, said("user", "What does this page say?"), said("assistant", step.result))
		}
	}
	return out
}

// policies are the rows of the table in docs/context.md.
var policies = []struct {
	name string
	sent func(trajectory) requests
}{
	{"Daybook, with its file agent", func(t trajectory) requests { return t.sent }},
	{"append-only", appendOnly},
	{"summarise when full", summarising},
	{"drop the oldest", sliding},
	{"clear old results", clearing},
	{"rebuild at each step", rebuilding},
}

// What the same 100 steps take with Daybook, with an append-only loop, and with others' ways of compressing.
//
//	go test ./agent/researcher -run '^$' -bench Trajectories -benchtime 1x
func BenchmarkTrajectories(b *testing.B) {
	for b.Loop() {
		t := travel(b)
		for _, p := range policies {
			b.Run(strings.ReplaceAll(p.name, " ", "-"), func(b *testing.B) {
				s := p.sent(t).sums()
				b.ReportMetric(float64(s.sent), "tokens-in")
				b.ReportMetric(100*s.share, "%prefix")
				b.ReportMetric(float64(s.unserved), "tokens-not-in-a-prefix")
				b.ReportMetric(float64(s.longest), "tokens-longest-prompt")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// The table in docs/context.md is what the policies come to. UPDATE_GOLDEN=1 writes it anew.
func TestTheTableOfTrajectories(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	const head = "| Way to keep the history | Tokens sent | In a prefix sent before | Not in one | Longest prompt |\n| --- | --- | --- | --- | --- |\n"
	trajectory, table := travel(t), head
	require.Len(t, trajectory.steps, 101, "the first step has two calls")
	for _, p := range policies {
		s := p.sent(trajectory).sums()
		table += fmt.Sprintf("| %s | %.2f million | %.0f %% | %.2f million | %d,%d00 |\n", p.name, float64(s.sent)/1e6, 100*s.share, float64(s.unserved)/1e6, s.longest/1000, s.longest%1000/100)
	}
	path := filepath.Join("..", "..", "docs", "context.md")
	docs := readFile(t, path)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		old := regexp.MustCompile(regexp.QuoteMeta(head) + `(\|.*\n)+`)
		require.True(t, old.MatchString(docs))
		docs = old.ReplaceAllLiteralString(docs, table)
		require.NoError(t, os.WriteFile(path, []byte(docs), 0o644))
	}
	assert.Contains(t, docs, table)
}

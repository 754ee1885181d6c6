package researcher_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
	goopenai "github.com/sashabaranov/go-openai"
	"github.com/stretchr/testify/require"
)

// What the harness costs beside the model: the same trajectory, against a model server without latency, run by Daybook, by a bare
// loop over go-openai that only appends, and by a loop over net/http that encodes each message once, which is the limit. Each runs in
// a process of its own. Fetch 4 KiB and write 1 KiB in turn; every tenth step updates a dashboard; the dashboards have 8 KiB each.
//
//	go test ./agent/researcher -run '^$' -bench Harness -benchtime 1x
func BenchmarkHarness(b *testing.B) {
	for _, c := range []struct {
		loop  string
		steps int
	}{
		{"daybook", 100}, {"bare", 100}, {"limit", 100},
		{"daybook", 1000}, {"bare", 1000}, {"limit", 1000},
		{"daybook", 10000},
	} {
		b.Run(fmt.Sprintf("%s/%d", c.loop, c.steps), func(b *testing.B) {
			for b.Loop() {
				f := measure(b, c.loop, c.steps)
				b.ReportMetric(f.cpu(0, c.steps)/1e3, "µs-cpu/step")
				b.ReportMetric(f.cpu(10, 110)/1e3, "µs-cpu/step-11-110")
				b.ReportMetric(f.cpu(c.steps-c.steps/10, c.steps)/1e3, "µs-cpu/step-last-tenth")
				b.ReportMetric(float64(f.Peak)/1024, "MB-peak")
				b.ReportMetric(float64(f.at(c.steps).RSS-f.at(100).RSS)/1024, "MB-grown")
				b.ReportMetric(f.Start.Seconds()*1e3, "ms-to-first-request")
				b.ReportMetric(float64(f.Tokens)/1e6, "Mtokens-in")
				b.ReportMetric(100*f.Cached, "%cached")
				b.ReportMetric(100*f.Least, "%cached-least")
				b.ReportMetric(float64(f.Longest), "tokens-longest-prompt")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// figures are what one run of a loop cost.
type figures struct {
	Samples []sample
	Peak    int64         // KiB
	Start   time.Duration // from the start of the process to its first request

	prompts
}

// sample is what a process had used when it had done so many steps.
type sample struct {
	Step int
	CPU  time.Duration // user and system
	RSS  int64         // KiB
}

// prompts is what the model server counted, a token for four bytes.
type prompts struct {
	Tokens  int     // sent, all agents
	Cached  float64 // the share of them that a prefix cache could serve
	Least   float64 // the same of the prompt for which it is least, the first of each agent left out
	Longest int     // prompt
	First   time.Time
}

// at is the last sample that was taken at a step or before it.
func (f figures) at(step int) sample {
	last := sample{}
	for _, s := range f.Samples {
		if s.Step <= step {
			last = s
		}
	}
	return last
}

// cpu is the processor time of one step, in nanoseconds, between two steps.
func (f figures) cpu(from, to int) float64 {
	a, b := f.at(from), f.at(to)
	return float64(b.CPU-a.CPU) / float64(b.Step-a.Step)
}

func measure(b *testing.B, loop string, steps int) figures {
	dir := b.TempDir()
	server := startModel(b, steps)
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "DAYBOOK_BENCH="+loop, "DAYBOOK_BENCH_DIR="+dir, "DAYBOOK_BENCH_SERVER="+server, "DAYBOOK_BENCH_STEPS="+strconv.Itoa(steps))
	cmd.Stderr = os.Stderr
	began := time.Now()
	out, err := cmd.Output()
	require.NoError(b, err)
	var f figures
	require.NoError(b, json.Unmarshal(out, &f))
	response, err := http.Get(server + "/stats")
	require.NoError(b, err)
	defer response.Body.Close()
	require.NoError(b, json.NewDecoder(response.Body).Decode(&f.prompts))
	f.Start = f.First.Sub(began)
	return f
}

// startModel starts the model server in a process of its own and returns its address.
func startModel(b *testing.B, steps int) string {
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "DAYBOOK_BENCH=server", "DAYBOOK_BENCH_STEPS="+strconv.Itoa(steps))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() }) // it serves until it is killed
	var address string
	_, err = fmt.Fscanln(out, &address)
	require.NoError(b, err)
	return address
}

// benchProcess is the process of one loop, or of the model server.
func benchProcess(loop string) error {
	steps, err := strconv.Atoi(os.Getenv("DAYBOOK_BENCH_STEPS"))
	if err != nil {
		return err
	}
	if loop == "server" {
		return serveModel(steps)
	}
	server, dir := os.Getenv("DAYBOOK_BENCH_SERVER"), os.Getenv("DAYBOOK_BENCH_DIR")
	var f figures
	step := func(n int) {
		if n <= 110 || n%100 == 0 || n == steps {
			f.Samples = append(f.Samples, sample{Step: n, CPU: used(), RSS: memory("VmRSS")})
		}
	}
	if profile := os.Getenv("DAYBOOK_BENCH_PROFILE"); profile != "" {
		out, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer out.Close()
		if err := pprof.StartCPUProfile(out); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	switch loop {
	case "daybook":
		err = daybookLoop(server, dir, steps, step)
	case "bare":
		err = bareLoop(server, dir, steps, step)
	case "limit":
		err = limitLoop(server, dir, steps, step)
	}
	if err != nil {
		return err
	}
	f.Peak = memory("VmHWM")
	return json.NewEncoder(os.Stdout).Encode(f)
}

func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// memory is a line of /proc/self/status, in KiB.
func memory(name string) int64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	_, after, _ := strings.Cut(string(data), name+":")
	kib, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
	if err != nil {
		panic(err)
	}
	return kib
}

func daybookLoop(server, dir string, steps int, done func(int)) error {
	dir = filepath.Join(dir, "research")
	c := researcher.Config{
		Dir: dir, Question: "How do tides work?", Brain: &openai.Brain{Model: "test", BaseURL: server + "/v1"},
		MaxSteps: steps, AllowPrivate: true,
		Observe: func(e agent.Event) {
			if acted, ok := e.(agent.Acted); ok && acted.Agent == researcher.Name {
				done(acted.Step)
			}
		},
	}
	result, err := researcher.Run(context.Background(), c)
	if err == nil && result.Reason != agent.OutOfSteps {
		return fmt.Errorf("ended: %s, %s", result.Reason, result.Text)
	}
	return err
}

// bareLoop is what one writes in an hour: go-openai, a slice of messages, and a switch over the tools.
func bareLoop(server, dir string, steps int, done func(int)) error {
	config := goopenai.DefaultConfig("")
	config.BaseURL = server + "/v1"
	client := goopenai.NewClientWithConfig(config)
	messages := []goopenai.ChatCompletionMessage{
		{Role: "system", Content: "You research a question with your tools."},
		{Role: "user", Content: "How do tides work?"},
	}
	var tools []goopenai.Tool
	for _, name := range []string{"visit_url", "file_operation", "update_current_dashboard"} {
		tools = append(tools, goopenai.Tool{Type: "function", Function: &goopenai.FunctionDefinition{Name: name, Parameters: json.RawMessage(`{"type":"object"}`)}})
	}
	for n := 1; n <= steps; n++ {
		response, err := client.CreateChatCompletion(context.Background(), goopenai.ChatCompletionRequest{Model: "test", Messages: messages, Tools: tools})
		if err != nil {
			return err
		}
		message := response.Choices[0].Message
		messages = append(messages, message)
		for _, call := range message.ToolCalls {
			result, err := bareTool(dir, call.Function.Name, call.Function.Arguments)
			if err != nil {
				return err
			}
			messages = append(messages, goopenai.ChatCompletionMessage{Role: "tool", ToolCallID: call.ID, Content: result})
		}
		done(n)
	}
	return nil
}

func bareTool(dir, name, arguments string) (string, error) {
	var in struct{ URL, Content, Text string }
	if err := json.Unmarshal([]byte(arguments), &in); err != nil {
		return "", err
	}
	switch name {
	case "visit_url":
		response, err := http.Get(in.URL)
		if err != nil {
			return "", err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		return string(body), err
	case "file_operation":
		return "written", os.WriteFile(filepath.Join(dir, "chapter.md"), []byte(in.Content), 0o644)
	default:
		return "updated", os.WriteFile(filepath.Join(dir, "dashboard.md"), []byte(in.Text), 0o644)
	}
}

// limitLoop does the same by hand: each message is encoded once and every request is the one before and what came to it.
func limitLoop(server, dir string, steps int, done func(int)) error {
	var body bytes.Buffer
	body.WriteString(`{"model":"test","tools":[{"type":"function","function":{"name":"visit_url","parameters":{"type":"object"}}}],"messages":[{"role":"system","content":"You research."}`)
	for n := 1; n <= steps; n++ {
		request := io.MultiReader(bytes.NewReader(body.Bytes()), strings.NewReader("]}"))
		response, err := http.Post(server+"/v1/chat/completions", "application/json", request)
		if err != nil {
			return err
		}
		var reply struct {
			Choices []struct {
				Message goopenai.ChatCompletionMessage
			}
		}
		err = json.NewDecoder(response.Body).Decode(&reply)
		response.Body.Close()
		if err != nil {
			return err
		}
		message := reply.Choices[0].Message
		add := []goopenai.ChatCompletionMessage{message}
		for _, call := range message.ToolCalls {
			result, err := bareTool(dir, call.Function.Name, call.Function.Arguments)
			if err != nil {
				return err
			}
			add = append(add, goopenai.ChatCompletionMessage{Role: "tool", ToolCallID: call.ID, Content: result})
		}
		for _, m := range add {
			encoded, err := json.Marshal(m)
			if err != nil {
				return err
			}
			body.WriteByte(',')
			body.Write(encoded)
		}
		done(n)
	}
	return nil
}

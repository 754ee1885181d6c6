package researcher_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
)

const (
	fleetRuns    = 128
	fleetSteps   = 100 // as many as a run is given, and as the scripted research has
	fleetLatency = 250 * time.Millisecond
	sparing      = "GOGC=50" // as a program of many runs sets it, which waits for most of its time: half of what lives may lie about
)

// What many runs side by side in one process cost, with durable journals, against a model server that takes 250 ms for each reply: the time
// of all over the time that one run's replies take at least, and how much memory a run more takes. Beside it as many bare loops over
// go-openai (testdata/bare).
//
//	go test ./agent/researcher -run '^$' -bench Fleet -benchtime 1x
func BenchmarkFleet(b *testing.B) {
	bare := filepath.Join(b.TempDir(), "bare")
	out, err := exec.CommandContext(b.Context(), "go", "build", "-o", bare, "./testdata/bare").CombinedOutput()
	require.NoError(b, err, "%s", out)
	programs := map[string]func(dir, server string, runs int) *exec.Cmd{
		"daybook": func(dir, server string, runs int) *exec.Cmd {
			cmd := exec.CommandContext(b.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), sparing, "DAYBOOK_BENCH=fleet", "DAYBOOK_BENCH_DIR="+dir, "DAYBOOK_BENCH_SERVER="+server, "DAYBOOK_BENCH_STEPS="+strconv.Itoa(runs))
			return cmd
		},
		"bare": func(dir, server string, runs int) *exec.Cmd {
			cmd := exec.CommandContext(b.Context(), bare, server, dir, strconv.Itoa(fleetSteps), strconv.Itoa(runs))
			cmd.Env = append(os.Environ(), sparing)
			return cmd
		},
	}
	for _, name := range []string{"daybook", "bare"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				one, _ := crew(b, programs[name], 1)
				all, calls := crew(b, programs[name], fleetRuns)
				ideal := time.Duration(calls/fleetRuns) * fleetLatency
				b.ReportMetric(all.took.Seconds()/ideal.Seconds(), "time/ideal")
				b.ReportMetric((all.peak-one.peak)/(fleetRuns-1), "MB/run")
				b.ReportMetric(all.cpu.Seconds()*1e3/fleetRuns/fleetSteps, "ms-cpu/step")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

type voyage struct {
	took, cpu time.Duration
	peak      float64 // MB
}

// crew has so many runs made by one process, and says how many replies they asked for in all.
func crew(b *testing.B, program func(dir, server string, runs int) *exec.Cmd, runs int) (voyage, int) {
	server := startProcess(b, "fleet-server", 0)
	cmd := program(b.TempDir(), server, runs)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	require.NoError(b, err, "%s", out)
	v := voyage{took: time.Since(began), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak: peakOf(cmd)}
	response, err := http.Get(server + "/stats")
	require.NoError(b, err)
	defer response.Body.Close()
	var calls int
	require.NoError(b, json.NewDecoder(response.Body).Decode(&calls))
	return v, calls
}

// sail makes the runs of Daybook, in this process. They share one Brain and one Fetcher, as the runs of one program would.
func sail(runs int) error {
	brain := &openai.Brain{Model: "test", BaseURL: os.Getenv("DAYBOOK_BENCH_SERVER") + "/v1"}
	pages := &web.Fetcher{AllowPrivate: true}
	errs := make([]error, runs)
	var all sync.WaitGroup
	for i := range runs {
		all.Go(func() {
			result, err := run(context.Background(), job{Dir: filepath.Join(os.Getenv("DAYBOOK_BENCH_DIR"), strconv.Itoa(i)), Config: researcher.Config{
				Question: fmt.Sprintf("How do tides work? (run %d)", i),
				Brain:    brain, Pages: pages, MaxSteps: 2 * fleetSteps, AnyURL: true, Profile: anyReport, Judging: oneRound, NoIntake: true,
			}})
			if err == nil && result.Reason != agent.Stuck {
				err = fmt.Errorf("run %d ended: %s, %s", i, result.Reason, result.Text)
			}
			errs[i] = err
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// harbour is the model server of many runs. Which run asks it reads off the question, which step it is off its own count of that run.
type harbour struct {
	page model

	mu    sync.Mutex
	steps map[string]int
	calls int
}

var (
	runOf     = regexp.MustCompile(`\(run (\d+)\)`)
	chapterOf = regexp.MustCompile(`Notebook/\d\d\.md`)
)

func serveFleet() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	h := &harbour{page: model{address: "http://" + listener.Addr().String()}, steps: map[string]int{}}
	fmt.Println(h.page.address)
	return http.Serve(listener, h)
}

func (h *harbour) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/stats":
		h.mu.Lock()
		defer h.mu.Unlock()
		json.NewEncoder(w).Encode(h.calls)
	case "/v1/chat/completions":
		due := time.Now().Add(fleetLatency)
		reply, err := h.reply(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		select { // what the server itself takes is part of the latency
		case <-time.After(time.Until(due)):
			w.Header().Set("Content-Type", reply.kind)
			w.Write(reply.body)
		case <-r.Context().Done():
		}
	default:
		h.page.ServeHTTP(w, r)
	}
}

type canned struct {
	kind string
	body []byte
}

func (h *harbour) reply(r *http.Request) (canned, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return canned{}, err
	}
	stream := bytes.Contains(body[:min(len(body), 200)], []byte(`"stream":true`))
	h.mu.Lock()
	h.calls++
	h.mu.Unlock()
	if bytes.Contains(body[:min(len(body), 6000)], []byte(`"write_file"`)) {
		return toolCall(stream, function("write_file", fmt.Sprintf(`{"path":%q,"text":"@content","answer":true}`, chapterOf.Find(body)))), nil
	}
	run := "0"
	if m := runOf.FindSubmatch(body); m != nil {
		run = string(m[1])
	}
	h.mu.Lock()
	step := h.steps[run]
	h.steps[run]++
	h.mu.Unlock()
	if step >= fleetSteps {
		return words(stream, "That is all."), nil
	}
	at := model{address: h.page.address, step: step}
	return toolCall(stream, at.next()), nil
}

func toolCall(stream bool, call string) canned {
	return message(stream, `"role":"assistant","content":null,"tool_calls":[`+call+`]`, "tool_calls")
}

func words(stream bool, text string) canned {
	return message(stream, fmt.Sprintf(`"role":"assistant","content":%q`, text), "stop")
}

func message(stream bool, said, finish string) canned {
	if !stream {
		return canned{"application/json", fmt.Appendf(nil, `{"choices":[{"index":0,"message":{%s},"finish_reason":%q}]}`, said, finish)}
	}
	return canned{"text/event-stream", fmt.Appendf(nil, "data: {\"choices\":[{\"index\":0,\"delta\":{%s},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", said, finish)}
}

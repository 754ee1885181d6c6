package researcher_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/stretchr/testify/require"
)

// What the harness costs beside the model: the same trajectory, against a model server without latency, by the built program, by a
// bare loop over go-openai that only appends (testdata/bare), and by a loop over net/http that encodes each message once, which is
// the limit (testdata/limit). Fetch 4 KiB and write 1 KiB in turn; every tenth step updates a dashboard; both dashboards have 8 KiB.
//
//	go test ./agent/researcher -run '^$' -bench Harness -benchtime 1x
func BenchmarkHarness(b *testing.B) {
	bin := b.TempDir()
	for name, pkg := range map[string]string{"daybook": "../../cmd/daybook", "bare": "./testdata/bare", "limit": "./testdata/limit"} {
		out, err := exec.CommandContext(b.Context(), "go", "build", "-o", filepath.Join(bin, name), pkg).CombinedOutput()
		require.NoError(b, err, "%s", out)
	}
	names := []string{"daybook", "bare", "limit"}
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			starts := map[string][]float64{}
			for range 31 {
				for _, name := range names { // in turn, so that what else the machine does is shared
					starts[name] = append(starts[name], measure(b, bin, name, 1).start.Seconds()*1e3)
				}
			}
			for _, name := range names {
				slices.Sort(starts[name])
				b.ReportMetric(starts[name][15], "ms-to-first-request-"+name)
			}
			b.ReportMetric(0, "ns/op")
		}
	})
	for _, steps := range []int{100, 1000} {
		for _, name := range names {
			b.Run(fmt.Sprintf("%s/%d", name, steps), func(b *testing.B) {
				for b.Loop() {
					cost := measure(b, bin, name, steps)
					b.ReportMetric(float64(cost.cpu.Microseconds())/float64(steps), "µs-cpu/step")
					for _, at := range []int{100, 950} { // what a step costs there, by the 50 before it and the 50 after
						if from, to := cost.CPU[at-51], cost.CPU[at+49]; to > 0 {
							b.ReportMetric(float64((to-from).Microseconds())/100, fmt.Sprintf("µs-cpu/step-at-%d", at))
						}
					}
					b.ReportMetric(cost.peak, "MB-peak")
					b.ReportMetric(float64(cost.Tokens)/1e6, "Mtokens-in")
					b.ReportMetric(100*cost.Cached, "%cached")
					b.ReportMetric(100*float64(cost.Below)/float64(cost.All), "%prompts-cached-below-85")
					b.ReportMetric(float64(cost.Longest), "tokens-longest-prompt")
					b.ReportMetric(0, "ns/op")
				}
			})
		}
	}
}

// cost is what one run of a program cost.
type cost struct {
	prompts
	start time.Duration // from its start to its first request
	cpu   time.Duration // user and system
	peak  float64       // MB
}

func measure(b *testing.B, bin, name string, steps int) cost {
	server, dir := startModel(b, steps), b.TempDir()
	args := []string{server, dir, strconv.Itoa(steps)}
	if name == "daybook" {
		args = []string{"run", "-q", "How do tides work?", "--base-url", server + "/v1", "--model", "test", "--allow-private", "--any-url", "--no-intake", "--max-steps", strconv.Itoa(2 * steps), dir}
	}
	cmd := exec.CommandContext(b.Context(), filepath.Join(bin, name), args...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+b.TempDir()) // what was found out about the servers of other runs is not read
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	began := time.Now()
	require.NoError(b, cmd.Start())
	watch, err := http.Get(server + "/watch?process=" + strconv.Itoa(cmd.Process.Pid))
	require.NoError(b, err)
	require.NoError(b, watch.Body.Close())
	if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() != 3 { // 3: the model asks for nothing any more
		b.Fatalf("%v: %s", err, said.String())
	}
	response, err := http.Get(server + "/stats")
	require.NoError(b, err)
	defer response.Body.Close()
	c := cost{cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak: peakOf(cmd)}
	require.NoError(b, json.NewDecoder(response.Body).Decode(&c.prompts))
	c.start = c.First.Sub(began)
	return c
}

// peakOf is the most memory that a program which has ended ever had, in MB.
func peakOf(cmd *exec.Cmd) float64 {
	return float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
}

// Whether a step costs the same at the end of a long run as at its beginning, in processor time and in memory.
//
//	go test ./agent/researcher -run '^$' -bench Flat -benchtime 1x
func BenchmarkFlat(b *testing.B) {
	for _, steps := range []int{1000, 10000} {
		b.Run(strconv.Itoa(steps), func(b *testing.B) {
			for b.Loop() {
				cmd := exec.CommandContext(b.Context(), os.Args[0])
				cmd.Env = append(os.Environ(), "DAYBOOK_BENCH=flat", "DAYBOOK_BENCH_DIR="+b.TempDir(), "DAYBOOK_BENCH_SERVER="+startModel(b, steps), "DAYBOOK_BENCH_STEPS="+strconv.Itoa(steps))
				cmd.Stderr = os.Stderr
				out, err := cmd.Output()
				require.NoError(b, err)
				var s samples
				require.NoError(b, json.Unmarshal(out, &s))
				first, last := s.cpu(10, 110), s.cpu(steps-steps/10, steps)
				b.ReportMetric(first/1e3, "µs-cpu/step-11-110")
				b.ReportMetric(last/1e3, "µs-cpu/step-last-tenth")
				b.ReportMetric(last/first, "last/first")
				b.ReportMetric(float64(s.at(steps).RSS-s.at(110).RSS)/1024, "MB-grown")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// sample is what a process had used when it had done so many steps.
type sample struct {
	Step int
	CPU  time.Duration // user and system
	RSS  int64         // KiB
}

type samples []sample

// at is the last sample that was taken at a step or before it.
func (all samples) at(step int) sample {
	last := sample{}
	for _, s := range all {
		if s.Step <= step {
			last = s
		}
	}
	return last
}

// cpu is the processor time of one step, in nanoseconds, between two steps.
func (all samples) cpu(from, to int) float64 {
	a, b := all.at(from), all.at(to)
	return float64(b.CPU-a.CPU) / float64(b.Step-a.Step)
}

// startModel starts the model server in a process of its own and returns its address. After so many steps of the researcher it asks
// for nothing any more, which ends a run; a limit would do so too, but change what is done before it.
func startModel(b *testing.B, steps int) string { return startProcess(b, "server", steps) }

func startProcess(b *testing.B, role string, steps int) string {
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "DAYBOOK_BENCH="+role, "DAYBOOK_BENCH_STEPS="+strconv.Itoa(steps))
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

// benchProcess is the process of the model server, or of a run that takes samples of itself.
func benchProcess(role string) error {
	steps, err := strconv.Atoi(os.Getenv("DAYBOOK_BENCH_STEPS"))
	if err != nil {
		return err
	}
	switch role {
	case "server":
		return serveModel(steps)
	case "fleet-server":
		return serveFleet()
	case "fleet":
		return sail(steps)
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
	var taken samples
	var failed error
	c := researcher.Config{
		Dir: filepath.Join(os.Getenv("DAYBOOK_BENCH_DIR"), "research"), Question: "How do tides work?",
		Brain:    &openai.Brain{Model: "test", BaseURL: os.Getenv("DAYBOOK_BENCH_SERVER") + "/v1"},
		MaxSteps: 2 * steps, AllowPrivate: true, AnyURL: true, Profile: anyReport, Judging: oneRound, NoIntake: true,
		Observe: func(e agent.Event) {
			if acted, ok := e.(agent.Acted); ok && acted.Agent == researcher.Name {
				if acted.Failed {
					failed = fmt.Errorf("step %d: %s", acted.Step, acted.Text) // what fails costs less
				}
				if n := acted.Step; n <= 110 || n%100 == 0 {
					taken = append(taken, sample{Step: n, CPU: used(), RSS: memory("VmRSS")})
				}
			}
		},
	}
	result, err := researcher.Run(context.Background(), c)
	if err == nil && result.Reason != agent.Stuck {
		err = fmt.Errorf("ended: %s, %s", result.Reason, result.Text)
	}
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(taken)
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

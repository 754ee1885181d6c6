package researcher_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What the harness costs beside the model: the same trajectory, against a model server without latency, by the built program, by a
// bare loop over go-openai that only appends (testdata/bare), and by a loop over net/http that encodes each message once, which is
// the limit (testdata/limit). Fetch 4 KiB and write 1 KiB in turn; both dashboards have 8 KiB; every tenth step updates the current one,
// and keeps what was learned long ago or, in the runs called rewritten, nothing.
//
//	go test ./agent/researcher -run '^$' -bench Harness -benchtime 1x
func BenchmarkHarness(b *testing.B) {
	bin := builds(b, map[string]string{"daybook": "../../cmd/daybook", "bare": "./testdata/bare", "limit": "./testdata/limit"})
	names := []string{"daybook", "bare", "limit"}
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			starts := map[string][]float64{}
			for range 31 {
				for _, name := range names { // in turn, so that what else the machine does is shared
					starts[name] = append(starts[name], measure(b, bin, name, 1, keeping).start.Seconds()*1e3)
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
			b.Run(fmt.Sprintf("%s/%d", name, steps), func(b *testing.B) { harness(b, bin, name, steps, keeping) })
		}
	}
	b.Run("daybook/1000/rewritten", func(b *testing.B) { harness(b, bin, "daybook", 1000, 0) })
}

// keeping is how much of the section it writes an update leaves as it was: it adds what ten steps taught.
const keeping = 5000

func harness(b *testing.B, bin, name string, steps, kept int) {
	for b.Loop() {
		cost := measure(b, bin, name, steps, kept)
		b.ReportMetric(float64(cost.cpu.Microseconds())/float64(steps), "µs-cpu/step")
		for _, at := range []int{100, 940} { // what a step costs there, by the 50 before it and the 50 after
			if at+50 <= steps {
				b.ReportMetric(cost.step(b, at-50, at+50), fmt.Sprintf("µs-cpu/step-at-%d", at))
			}
		}
		b.ReportMetric(cost.peak, "MB-peak")
		b.ReportMetric(float64(cost.Tokens)/1e6, "Mtokens-in")
		b.ReportMetric(100*cost.Cached, "%cached")
		b.ReportMetric(float64(cost.Below), "prompts-cached-below-85%")
		b.ReportMetric(float64(cost.All), "prompts")
		b.ReportMetric(float64(cost.Longest), "tokens-longest-prompt")
		b.ReportMetric(0, "ns/op")
	}
}

// cost is what one run of a program cost.
type cost struct {
	prompts
	start time.Duration // from its start to its first request
	cpu   time.Duration // user and system
	peak  float64       // MB
}

// step is the processor time of a step, in microseconds, between two of them.
func (c cost) step(b *testing.B, from, to int) float64 {
	require.Contains(b, c.Used, from)
	require.Contains(b, c.Used, to)
	return float64((c.Used[to].CPU - c.Used[from].CPU).Microseconds()) / float64(to-from)
}

func measure(b *testing.B, bin, name string, steps, kept int) cost {
	server, dir := startModel(b, steps, kept), b.TempDir()
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
	if name == "daybook" { // what fails costs less
		read, err := os.ReadDir(filepath.Join(dir, "Sources"))
		require.NoError(b, err)
		require.Len(b, read, steps/10*4, "%s", said.String())
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
	bin := builds(b, map[string]string{"daybook": "../../cmd/daybook"})
	for _, steps := range []int{1000, 10000} {
		b.Run(strconv.Itoa(steps), func(b *testing.B) {
			for b.Loop() {
				cost := measure(b, bin, "daybook", steps, keeping)
				first, last := cost.step(b, 10, 110), cost.step(b, steps-steps/10, steps)
				b.ReportMetric(first, "µs-cpu/step-11-110")
				b.ReportMetric(last, "µs-cpu/step-last-tenth")
				b.ReportMetric(last/first, "last/first")
				b.ReportMetric(float64(cost.Used[steps].RSS-cost.Used[110].RSS)/1024, "MB-grown")
				b.ReportMetric(cost.peak, "MB-peak")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// builds makes programs, by name, and gives the folder with them.
func builds(b *testing.B, packages map[string]string) string {
	bin := b.TempDir()
	for name, pkg := range packages {
		out, err := exec.CommandContext(b.Context(), "go", "build", "-o", filepath.Join(bin, name), pkg).CombinedOutput()
		require.NoError(b, err, "%s", out)
	}
	return bin
}

// startModel starts the model server in a process of its own and returns its address. After so many steps of the researcher it asks
// for nothing any more, which ends a run; a limit would do so too, but change what is done before it.
func startModel(b *testing.B, steps, kept int) string {
	return startProcess(b, "server", steps, "DAYBOOK_BENCH_KEPT="+strconv.Itoa(kept))
}

func startProcess(b *testing.B, role string, steps int, env ...string) string {
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	cmd.Env = append(append(os.Environ(), "DAYBOOK_BENCH="+role, "DAYBOOK_BENCH_STEPS="+strconv.Itoa(steps)), env...)
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

// benchProcess is the process of a model server, or of a fleet.
func benchProcess(role string) error {
	steps, err := strconv.Atoi(os.Getenv("DAYBOOK_BENCH_STEPS"))
	if err != nil {
		return err
	}
	switch role {
	case "server":
		kept, err := strconv.Atoi(os.Getenv("DAYBOOK_BENCH_KEPT"))
		if err != nil {
			return err
		}
		return serveModel(steps, kept)
	case "fleet-server":
		return serveFleet()
	case "fleet":
		return sail(steps)
	}
	return fmt.Errorf("there is no process %q of a benchmark", role)
}

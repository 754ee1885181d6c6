//go:build !race

package page_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	// memory is what a process may have taken at most while it read a bomb, and patience how long that may
	// take.
	memory   = 256 << 20
	patience = 2 * time.Minute // the worst takes 3 s on a calm machine; this is a bound against hanging
	// The variables by which the test's own program becomes the one that reads the bombs.
	reads, readsNaively = "DAYBOOK_TEST_READS", "DAYBOOK_TEST_READS_NAIVELY"
	// eachAlone, when set, gives every bomb a process of its own, the machine for PDFs not compiled yet.
	eachAlone = "DAYBOOK_TEST_BOMBS"
)

// outcome is what the child says of one bomb.
type outcome struct {
	Bomb  string
	Kind  page.Kind // of the error, "" for a page
	Error string    // of another error, which should not be
	Peak  int64     // bytes of memory that the process had at most while it read the bomb
	Took  time.Duration
	After string // what went wrong with the good page read after it, or ""
}

// child is true when the test's program was started to read bombs, which it has done then.
func child() bool {
	switch {
	case os.Getenv(reads) != "":
		readBombs(os.Getenv(reads))
	case os.Getenv(readsNaively) != "":
		readNaively(os.Getenv(readsNaively))
	default:
		return false
	}
	return true
}

// Every bomb ends by itself and within 256 MB, as a page or as an error of the package's own type, and a good
// page can be read after it.
func TestBombShelter(t *testing.T) {
	t.Parallel()
	chosen := []string{"all"}
	if os.Getenv(eachAlone) != "" {
		chosen = nil
		for _, b := range bombs() {
			chosen = append(chosen, b.name)
		}
	}
	// The machine for PDFs takes over 300 MB when it is compiled, which is once on a computer.
	var first page.Reader
	_, err := first.Read(t.Context(),
		page.Raw{URL: "a.pdf", Body: []byte(pdfPages(at(72, 700, 11, "A good page.")))})
	require.NoError(t, errors.Join(err, first.Close()))
	seen := 0
	for _, name := range chosen {
		command := exec.CommandContext(t.Context(), os.Args[0])
		command.Env = append(os.Environ(), reads+"="+name)
		if os.Getenv(eachAlone) != "" {
			command.Env = append(command.Env, "XDG_CACHE_HOME="+t.TempDir())
		}
		command.Stderr = os.Stderr
		pipe, err := command.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, command.Start())
		lines := bufio.NewScanner(pipe)
		for lines.Scan() {
			var o outcome
			require.NoError(t, json.Unmarshal(lines.Bytes(), &o), lines.Text())
			seen++
			t.Logf("%-35s %4d MB %6.2f s  %s", o.Bomb, o.Peak>>20, o.Took.Seconds(), o.Kind)
			assert.LessOrEqual(t, o.Peak, int64(memory), "memory of %s", o.Bomb)
			assert.LessOrEqual(t, o.Took, patience, "time of %s", o.Bomb)
			assert.Empty(t, o.Error, o.Bomb)
			assert.Empty(t, o.After, "a good page after %s", o.Bomb)
		}
		assert.NoError(t, command.Wait(), "the child that reads %s", name)
	}
	assert.Equal(t, len(bombs()), seen, "every bomb was read")
}

// The control: without the limits at least six bombs leave the cage. Each is stopped when it does; with
// DAYBOOK_FULL=1 all are tried, and otherwise no more than it takes.
func TestBombsWithoutShelter(t *testing.T) {
	t.Parallel()
	var escaped []string
	for _, b := range bombs() {
		if b.naive == nil || len(escaped) == 6 && os.Getenv("DAYBOOK_FULL") == "" {
			continue
		}
		command := exec.CommandContext(t.Context(), os.Args[0])
		command.Env = append(os.Environ(), readsNaively+"="+b.name)
		require.NoError(t, command.Start())
		if escapes(t, command) {
			escaped = append(escaped, b.name)
		}
	}
	t.Log("out of the cage:", strings.Join(escaped, ", "))
	assert.GreaterOrEqual(t, len(escaped), 6)
}

// escapes waits for a process to end or to take more than the cage holds, and stops it then, or when the time
// is up.
func escapes(t *testing.T, command *exec.Cmd) bool {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	tick, late := time.NewTicker(5*time.Millisecond), time.After(patience)
	defer tick.Stop()
	for {
		select {
		case <-ended: // also by an error: what counts is how much it took
			return command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10 > memory
		case <-late:
			assert.NoError(t, command.Process.Kill())
			<-ended
			return true
		case <-tick.C:
			if peak(command.Process.Pid) > memory {
				assert.NoError(t, command.Process.Kill())
				<-ended
				return true
			}
		}
	}
}

// peak is how much memory a process had at most, 0 for one that is gone.
func peak(pid int) int64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	size, _, _ := strings.Cut(after, "kB")
	kilobytes, err := strconv.ParseInt(strings.TrimSpace(size), 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}

// readBombs is the child. It reads one bomb after the other with one Reader, and a good page after each.
func readBombs(name string) {
	var reader page.Reader
	out := json.NewEncoder(os.Stdout)
	for _, b := range bombs() {
		if name == "all" || name == b.name {
			if err := out.Encode(readBomb(&reader, b)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
	if err := reader.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readBomb(reader *page.Reader, b bomb) outcome {
	raw := b.raw()
	var server *httptest.Server
	if b.encoded {
		server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "text/plain")
			w.Write(raw.Body)
		}))
		defer server.Close()
	}
	debug.FreeOSMemory()
	o := outcome{Bomb: b.name}
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // the peak counts from here
		o.Error = err.Error()
	}
	start := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	var err error
	if b.encoded {
		fetcher := web.Fetcher{AllowPrivate: true}
		raw, err = fetcher.Fetch(ctx, server.URL)
	}
	if err == nil {
		_, err = reader.Read(ctx, raw)
	}
	o.Took, o.Peak = time.Since(start), peak(os.Getpid())
	if failure, ok := errors.AsType[*page.Error](err); ok {
		o.Kind = failure.Kind
	} else if err != nil {
		o.Error = err.Error()
	}
	for _, good := range []page.Raw{{URL: "a.html", Body: []byte("<p>A good page.")},
		{URL: "a.pdf", Body: []byte(pdfPages(at(72, 700, 11, "A good page.")))}} {
		if good.URL == "a.pdf" && !strings.HasPrefix(b.name, "PDF") {
			continue
		}
		doc, err := reader.Read(ctx, good)
		if err != nil || !strings.Contains(doc.Markdown, "A good page.") {
			o.After = fmt.Sprintf("%v: %q", err, doc.Markdown)
		}
	}
	return o
}

// readNaively is the child of the control.
func readNaively(name string) {
	for _, b := range bombs() {
		if b.name == name {
			if err := b.naive(b.raw().Body); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}
}

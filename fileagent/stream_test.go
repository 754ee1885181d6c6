package fileagent_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const changedNote = "The file was changed since the stream was opened"

// A stream is read in three pages, and between the first and the second something happens to the file.
func TestAStreamSaysThatItsFileChanged(t *testing.T) {
	text := strings.Repeat("a line of the first text\n", 3000) // too long to be read at once
	for name, c := range map[string]struct {
		change func(t *testing.T, path string)
		told   bool
	}{
		"nothing":  {func(*testing.T, string) {}, false},
		"it grows": {func(t *testing.T, path string) { rewrite(t, path, text+"more\n") }, true},
		"it is replaced by one of the same size and time": {func(t *testing.T, path string) {
			info, err := os.Stat(path)
			require.NoError(t, err)
			rewrite(t, path+".new", strings.ToUpper(text))
			require.NoError(t, os.Chtimes(path+".new", info.ModTime(), info.ModTime()))
			require.NoError(t, os.Rename(path+".new", path))
		}, true},
		"it shrinks": {func(t *testing.T, path string) { rewrite(t, path, "short\n") }, true},
		"a byte is changed in place": {func(t *testing.T, path string) {
			rewrite(t, path, "A"+text[1:])
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.put("Notebook/long.md", text)
			page := d.operate(once("read_file", args{"path": "Notebook/long.md"}), "read it", "")
			c.change(t, filepath.Join(d.dir, "Notebook/long.md"))
			told := false
			for n := 0; ; n++ {
				require.Less(t, n, 5)
				m := streamID.FindStringSubmatch(page)
				if m == nil {
					break
				}
				page = d.operate(once("continue_stream_read", args{"stream_id": m[1]}), "go on", "")
				told = told || strings.HasPrefix(page, changedNote)
			}
			assert.Equal(t, c.told, told)
			write := args{"path": "Notebook/long.md", "text": "new\n"}
			if c.told {
				assert.Contains(t, d.refused("write_file", write), "have not read it",
					"what was read is not what stands there")
			} else {
				assert.Contains(t, d.operate(once("write_file", write), "write", ""), "Wrote 4 bytes")
			}
		})
	}
}

func rewrite(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

const (
	largeFile = 5 << 30
	// bytes to read by stream; set for the process whose memory is measured
	largeEnv = "DAYBOOK_TEST_LARGE_FILE"
)

// A file of 5 GiB is opened and read by stream in a process of its own: at its beginning, over a million
// bytes from each of many places, and at its end. The process may not take more than 64 MB.
func TestALargeFileTakesLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	if os.Getenv(largeEnv) != "" {
		readLargeFile(t)
		return
	}
	assert.Less(t, peakOf(t, 16<<20), int64(shadow*64e6))
}

// BenchmarkStream reads all of a file of 5 GiB, page by page, each by a file agent of its own, as a research
// would.
func BenchmarkStream(b *testing.B) {
	size := int64(largeFile)
	if testing.Short() {
		size /= 10
	}
	for b.Loop() {
		began := time.Now()
		b.ReportMetric(float64(peakOf(b, size))/1e6, "peak-MB")
		b.ReportMetric(float64(size)/1e6/time.Since(began).Seconds(), "MB/s")
	}
}

// peakOf runs this test again in a process of its own, which reads so many bytes, and says how much memory it
// took.
func peakOf(t testing.TB, read int64) int64 {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program, "-test.run=^TestALargeFileTakesLittleMemory$", "-test.v")
	cmd.Env = append(os.Environ(), largeEnv+"="+strconv.FormatInt(read, 10))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), fmt.Sprintf("read %d bytes", read))
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	require.True(t, ok)
	return usage.Maxrss * 1024
}

func readLargeFile(t *testing.T) {
	want, err := strconv.ParseInt(os.Getenv(largeEnv), 10, 64)
	require.NoError(t, err)
	d := newDesk(t)
	path := filepath.Join(d.dir, "data.log")
	f, err := os.Create(path)
	require.NoError(t, err)
	out := bufio.NewWriter(f)
	for i := range 50_000 { // text at the beginning, and nothing but holes after it
		fmt.Fprintf(out, "line %d of a log\n", i)
	}
	require.NoError(t, out.Flush())
	require.NoError(t, f.Truncate(largeFile))
	require.NoError(t, f.Close())

	page := d.operate(once("read_file", args{"path": "data.log"}), "read it", "")
	assert.True(t, strings.HasPrefix(page, "line 0 of a log\nline 1 of a log\n"))
	assert.Contains(t, d.operate(once("read_file", args{"path": "data.log", "lines": "50000-50000"}),
		"read it", ""), "line 49999 of a log")
	read := int64(0)
	for at := int64(0); read < want; {
		m := streamID.FindStringSubmatch(page)
		if m == nil {
			require.Greater(t, at, int64(largeFile-17<<10), "the stream ends")
			assert.Contains(t, page[len(page)-40:], "(end of data.log)")
			break
		}
		offset, rest, _ := strings.Cut(m[1], ".")
		now, err := strconv.ParseInt(offset, 10, 64)
		require.NoError(t, err)
		require.Greater(t, now, at)
		if read += now - at; read >= want {
			break
		}
		at = now
		if want < largeFile && read%(1<<20) < 16<<10 { // a part of it: from many places
			at += (largeFile - want) / 80
		}
		page = d.operate(once("continue_stream_read", args{"stream_id": fmt.Sprintf("%d.%s", at, rest)}),
			"go on", "")
	}
	t.Logf("read %d bytes", want)
}

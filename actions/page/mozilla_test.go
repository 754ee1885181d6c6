package page_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/require"
)

// asked is the variable with the list of pages by which the benchmark asks another process of itself to read
// them.
const asked = "DAYBOOK_BENCH_PAGES"

// took is what reading all pages once took, after they had all been read once before. Times are in
// milliseconds.
type took struct {
	Wall  float64 `json:"wall"`
	CPU   float64 `json:"cpu"` // of all processors
	Empty int     `json:"empty"`
	peak  float64 // MB of memory the process held at most
}

// BenchmarkAgainstMozilla reads the same pages, the annotated set and the PostgreSQL manual, once with this
// package and once with Mozilla's Readability and turndown on linkedom under Node.js, each in a process of
// its own, on one processor, warmed. It needs node and npm, and installs the three libraries into a temporary
// folder. Run it with -benchtime 1x -timeout 30m.
//
//	times      wall time of Mozilla's to ours
//	times-cpu  the same in time of the processors, garbage collection included
//	MB mozilla-MB  the most memory each process held, the pages themselves included
//	ms/page mozilla-ms/page  wall time
func BenchmarkAgainstMozilla(b *testing.B) {
	if list := os.Getenv(asked); list != "" {
		readListed(b, list)
		return
	}
	for _, program := range []string{"node", "npm"} {
		_, err := exec.LookPath(program)
		require.NoError(b, err, "comparing with Mozilla's Readability needs Node.js 20 or later with npm")
	}
	folder := b.TempDir()
	for _, name := range []string{"package.json", "index.mjs"} {
		content, err := os.ReadFile(filepath.Join("testdata", "mozilla", name))
		require.NoError(b, err)
		require.NoError(b, os.WriteFile(filepath.Join(folder, name), content, 0o600))
	}
	install := exec.CommandContext(b.Context(), "npm", "install", "--no-audit", "--no-fund")
	install.Dir = folder
	out, err := install.CombinedOutput()
	require.NoError(b, err, "%s", out)
	list, count := listed(b, folder)

	for b.Loop() {
		self, err := os.Executable()
		require.NoError(b, err)
		ours := exec.CommandContext(b.Context(), self, "-test.run", "^$", "-test.bench",
			"^BenchmarkAgainstMozilla$", "-test.benchtime", "1x")
		ours.Env = append(os.Environ(), asked+"="+list, "GOMAXPROCS=1")
		us := run(b, ours)
		theirs := exec.CommandContext(b.Context(), "node", "index.mjs", list)
		theirs.Dir = folder
		them := run(b, theirs)
		b.Logf("%d pages: %d are empty here, %d there", count, us.Empty, them.Empty)
		b.ReportMetric(them.Wall/us.Wall, "times")
		b.ReportMetric(them.CPU/us.CPU, "times-cpu")
		b.ReportMetric(us.peak, "MB")
		b.ReportMetric(them.peak, "mozilla-MB")
		b.ReportMetric(us.Wall/float64(count), "ms/page")
		b.ReportMetric(them.Wall/float64(count), "mozilla-ms/page")
	}
}

// listing is a page for both readers.
type listing struct {
	Path string `json:"path"`
	URL  string `json:"url"`
}

// listed writes the pages into a folder, and a list of them.
func listed(b *testing.B, folder string) (list string, count int) {
	b.Helper()
	var pages []listing
	add := func(address string, body []byte) {
		path := filepath.Join(folder, strconv.Itoa(len(pages))+".html")
		require.NoError(b, os.WriteFile(path, body, 0o600))
		pages = append(pages, listing{path, address})
	}
	for _, p := range annotatedPages(b) {
		add(p.address, p.body)
	}
	for name, body := range manualPages(b, "/usr/share/doc/postgresql-doc-15/html",
		"apt-get install postgresql-doc-15") {
		add("https://example.org"+name, body)
	}
	content, err := json.Marshal(pages)
	require.NoError(b, err)
	list = filepath.Join(folder, "pages.json")
	require.NoError(b, os.WriteFile(list, content, 0o600))
	return list, len(pages)
}

// run gives what a reader says on the line of its output that is JSON, and the memory its process held.
func run(b *testing.B, reader *exec.Cmd) took {
	b.Helper()
	reader.Stderr = os.Stderr
	out, err := reader.Output()
	require.NoError(b, err, "%s", out)
	var t took
	at := bytes.IndexByte(out, '{')
	require.GreaterOrEqual(b, at, 0, "%s", out)
	require.NoError(b, json.NewDecoder(bytes.NewReader(out[at:])).Decode(&t))
	usage, ok := reader.ProcessState.SysUsage().(*syscall.Rusage)
	require.True(b, ok)
	t.peak = float64(usage.Maxrss) / 1024
	return t
}

// readListed is the other process: it reads all pages twice and prints what the second time took.
func readListed(b *testing.B, list string) {
	content, err := os.ReadFile(list)
	require.NoError(b, err)
	var pages []listing
	require.NoError(b, json.Unmarshal(content, &pages))
	bodies := make([][]byte, len(pages))
	for i, p := range pages {
		bodies[i], err = os.ReadFile(p.Path)
		require.NoError(b, err)
	}
	readAll := func() (empty int) {
		for i, p := range pages {
			doc, err := page.Read(b.Context(),
				page.Raw{URL: p.URL, ContentType: "text/html", Body: bodies[i]})
			if err != nil || doc.Markdown == "" {
				empty++
			}
		}
		return empty
	}
	for b.Loop() {
		readAll()
		before, start := processors(b), time.Now()
		empty := readAll()
		t := took{Wall: ms(time.Since(start)), CPU: ms(processors(b) - before), Empty: empty}
		require.NoError(b, json.NewEncoder(os.Stdout).Encode(t))
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// processors is the time that this process has spent on them.
func processors(b *testing.B) time.Duration {
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

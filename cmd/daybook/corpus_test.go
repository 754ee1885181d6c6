package main

import (
	"bufio"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent/prose"
)

// The documents that the benchmarks research: nobody here wrote them, and anyone can have them.
const (
	postgresManual = "/usr/share/doc/postgresql-doc-15/html"
	pythonManual   = "/usr/share/doc/python3.11/html"
	debianManual   = "/usr/share/debian-reference" // in Chinese
	installManuals = "apt-get install postgresql-doc-15 python3.11-doc debian-reference-zh-cn (Debian 12)"
)

// BenchmarkCorpus is what researching a question in two manuals costs, as a process, beside what must be paid in any case:
// converting their pages and putting the words into a full-text index. Run it with -benchtime 1x.
//
//	first/bare   a first question, which indexes the manuals, to the bare work; of the time on a clock, and of the processors'
//	second/first another question in the same workspace, to the first; second/bare to the bare work
//	peak-MB      the most memory that the program held
func BenchmarkCorpus(b *testing.B) {
	docs, program := installed(b, postgresManual, pythonManual), built(b)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	b.Setenv("GOMAXPROCS", fmt.Sprint(cores))
	var first, second, bare cost
	for b.Loop() {
		dir := filepath.Join(b.TempDir(), "research")
		pages := readCorpus(b, docs)
		first = first.plus(research(b, program, dir, "How does PostgreSQL make sure that committed data survives a crash?", docs...))
		second = second.plus(research(b, program, dir, "How do I run an external command from Python and read what it prints?", docs...))
		paths, rows := indexed(b, dir)
		converting := measured(b, func() { convert(b, paths) })
		inserting := measured(b, func() { insert(b, rows) })
		bare = bare.plus(converting).plus(inserting)
		b.Logf("%d pages of HTML; %d documents indexed, as %d passages", pages, len(paths), len(rows))
		b.Logf("converting %v, inserting %v; first question %v, second %v", converting, inserting, first, second)
	}
	b.ReportMetric(first.wall.Seconds()/bare.wall.Seconds(), "first/bare")
	b.ReportMetric(first.cpu.Seconds()/bare.cpu.Seconds(), "first/bare-cpu")
	b.ReportMetric(second.wall.Seconds()/first.wall.Seconds(), "second/first")
	b.ReportMetric(second.cpu.Seconds()/first.cpu.Seconds(), "second/first-cpu")
	b.ReportMetric(second.wall.Seconds()/bare.wall.Seconds(), "second/bare")
	b.ReportMetric(second.cpu.Seconds()/bare.cpu.Seconds(), "second/bare-cpu")
	b.ReportMetric(max(first.memory, second.memory), "peak-MB")
}

// BenchmarkQuestions asks the questions of testdata/corpus/questions.txt, which were written before any was asked, and tells for
// how many a page that answers it is among those that the report cites.
func BenchmarkQuestions(b *testing.B) {
	installed(b, postgresManual, pythonManual, debianManual)
	program := built(b)
	text, err := os.ReadFile("testdata/corpus/questions.txt")
	require.NoError(b, err)
	for b.Loop() {
		top, asked, cited := b.TempDir(), 0, 0
		for line := range strings.Lines(string(text)) {
			question, answers, _ := strings.Cut(strings.TrimSpace(line), "\t")
			dir, docs := filepath.Join(top, "english"), []string{postgresManual, pythonManual}
			if prose.IsChinese(question) {
				dir, docs = filepath.Join(top, "chinese"), []string{debianManual}
			}
			research(b, program, dir, question, docs...)
			answer := citedOf(b, filepath.Join(dir, "report.md"), strings.Fields(answers))
			asked++
			if answer != "" {
				cited++
			}
			b.Logf("%-24s  %s", answer, question)
		}
		b.ReportMetric(float64(cited), "cited")
		b.ReportMetric(float64(asked), "asked")
	}
}

// cores is how many processors the program and the bare work get.
const cores = 2

func installed(b *testing.B, folders ...string) []string {
	b.Helper()
	for _, folder := range folders {
		if _, err := os.Stat(folder); err != nil {
			b.Skipf("there is no %s: %s", folder, installManuals)
		}
	}
	return folders
}

// cost is what something took: time on the clock, time of the processors, and for a process its peak of memory in MB.
type cost struct {
	wall, cpu time.Duration
	memory    float64
}

func (c cost) plus(other cost) cost {
	return cost{c.wall + other.wall, c.cpu + other.cpu, max(c.memory, other.memory)}
}

func (c cost) String() string {
	return fmt.Sprintf("%.2f s (%.2f s of the processors)", c.wall.Seconds(), c.cpu.Seconds())
}

// measured is the cost of something done in this process, garbage of earlier work not counted.
func measured(b *testing.B, work func()) cost {
	b.Helper()
	runtime.GC()
	spent := func() time.Duration {
		var usage syscall.Rusage
		require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	began, before := time.Now(), spent()
	work()
	return cost{wall: time.Since(began), cpu: spent() - before}
}

// research asks the program a question, as a process of its own.
func research(b *testing.B, program, dir, question string, docs ...string) cost {
	b.Helper()
	args := []string{"run", "--brain", "clip", "-q", question}
	for _, folder := range docs {
		args = append(args, "--docs", folder)
	}
	cmd := exec.Command(program, append(args, dir)...)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	wall := time.Since(began)
	require.NoError(b, err, "%s", out)
	state := cmd.ProcessState
	usage, ok := state.SysUsage().(*syscall.Rusage)
	require.True(b, ok)
	// A process begins with the peak of the one that started it, so in a later round this may say too much, never too little.
	return cost{wall, state.UserTime() + state.SystemTime(), float64(usage.Maxrss) / 1024}
}

// readCorpus reads every file once, so that no measurement waits for the disk, and counts the pages of HTML.
func readCorpus(b *testing.B, folders []string) (pages int) {
	b.Helper()
	for _, folder := range folders {
		require.NoError(b, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			_, err = os.ReadFile(path)
			if filepath.Ext(path) == ".html" {
				pages++
			}
			return err
		}))
	}
	return pages
}

// row is a passage as the full-text index gets it.
type row struct{ title, heading, name, body string }

// indexed are the documents that the program indexed and the passages that it cut them into, so that the bare work has the same
// words to do. The targets of links, which the program does not index, are taken out beforehand.
func indexed(b *testing.B, dir string) (paths []string, rows []row) {
	b.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, ".daybook", "documents.db"))
	require.NoError(b, err)
	defer db.Close()
	files, err := db.Query("SELECT path FROM file WHERE skipped = ''")
	require.NoError(b, err)
	defer files.Close()
	for files.Next() {
		var path string
		require.NoError(b, files.Scan(&path))
		paths = append(paths, path)
	}
	require.NoError(b, files.Err())
	passages, err := db.Query(`SELECT title, headings, url, text FROM passage JOIN page ON page.id = file JOIN file ON file.id = page.id`)
	require.NoError(b, err)
	defer passages.Close()
	target := regexp.MustCompile(`\]\([^)]*\)`)
	for passages.Next() {
		var r row
		require.NoError(b, passages.Scan(&r.title, &r.heading, &r.name, &r.body))
		r.body = target.ReplaceAllString(r.body, "")
		rows = append(rows, r)
	}
	require.NoError(b, passages.Err())
	return paths, rows
}

// convert turns files into Markdown on all cores, and throws it away.
func convert(b *testing.B, paths []string) {
	b.Helper()
	var next atomic.Int64
	var group errgroup.Group
	for range cores {
		group.Go(func() error {
			for i := next.Add(1) - 1; i < int64(len(paths)); i = next.Add(1) - 1 {
				body, err := os.ReadFile(paths[i])
				if err != nil {
					return err
				}
				if _, err := page.Read(b.Context(), page.Raw{URL: "doc://documents" + paths[i], Body: body}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(b, group.Wait())
}

// insert fills a table of the same columns and the same way of cutting words as the program's, in one transaction.
func insert(b *testing.B, rows []row) {
	b.Helper()
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "bare.db"))
	require.NoError(b, err)
	defer db.Close()
	_, err = db.Exec(`CREATE VIRTUAL TABLE bare USING fts5 (title, headings, name, body,
		content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`)
	require.NoError(b, err)
	tx, err := db.Begin()
	require.NoError(b, err)
	add, err := tx.Prepare("INSERT INTO bare (title, headings, name, body) VALUES (?, ?, ?, ?)")
	require.NoError(b, err)
	for _, r := range rows {
		_, err := add.Exec(r.title, r.heading, r.name, r.body)
		require.NoError(b, err)
	}
	require.NoError(b, tx.Commit())
}

// citedOf is the first page of a report's list of references that ends in one of some names, or "".
func citedOf(b *testing.B, report string, names []string) string {
	b.Helper()
	file, err := os.Open(report)
	require.NoError(b, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	inReferences := false
	for lines.Scan() {
		inReferences = inReferences || strings.Contains(lines.Text(), "{#references}")
		for _, name := range names {
			if inReferences && (strings.Contains(lines.Text(), "/"+name+"`") || strings.Contains(lines.Text(), ":"+name+"`")) {
				return name
			}
		}
	}
	require.NoError(b, lines.Err())
	return ""
}

package fileagent_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	grepFiles = 10_000
	grepBytes = 1 << 30 // of all files
)

// BenchmarkGrep searches 10,000 Markdown files of 1 GiB in all (100 MiB with -short) for four kinds of pattern, with the file agent's
// action, GNU grep and ripgrep in turn, on a warm cache. All do the same: they find every line that matches in every file. grep and ripgrep
// print each with file and number into a pipe that is read to its end; the action prints those of its page and counts the rest, and the
// numbers are compared. Each time is the best of three; what is reported are the geometric means of ours over theirs. grep runs in the
// locale C, its fastest.
func BenchmarkGrep(b *testing.B) {
	d := newDesk(b)
	files, size := grepFiles, grepBytes
	if testing.Short() {
		files, size = files/10, size/10
	}
	writeCorpus(b, filepath.Join(d.dir, "Notebook"), files, size)
	kinds := []struct {
		name, ours string
		theirs     []string
	}{
		{"literal", `checkpoint`, []string{`checkpoint`}},
		{"case-insensitive", `(?i)postgresql`, []string{"-i", `postgresql`}},
		{"class-with-anchor", `^#+ [A-Z][a-z]+ [a-z]+$`, []string{`^#+ [A-Z][a-z]+ [a-z]+$`}},
		{"mixed", `(append|write|rename)[a-z]* .*[0-9]+ (KiB|MiB)`, []string{`(append|write|rename)[a-z]* .*[0-9]+ (KiB|MiB)`}},
	}
	others := [][]string{{"grep", "-rnE"}}
	if _, err := exec.LookPath("rg"); err == nil {
		others = append(others, []string{"rg", "-n", "--no-heading", "--with-filename"})
	}
	for b.Loop() {
		ratios := make([]float64, len(others))
		for _, k := range kinds {
			lines := 0
			ours := best(b, func() { lines = d.grep(k.ours) })
			b.ReportMetric(ours.Seconds(), "s-"+k.name)
			for i, o := range others {
				var n int
				theirs := best(b, func() { n = run(b, filepath.Join(d.dir, "Notebook"), append(append([]string{}, o...), k.theirs...)) })
				require.Equal(b, n, lines, "%s finds as many lines for %s", o[0], k.ours)
				b.Logf("%-18s %8d lines  ours %6.3f s  %s %6.3f s", k.name, lines, ours.Seconds(), o[0], theirs.Seconds())
				ratios[i] += math.Log(ours.Seconds() / theirs.Seconds())
			}
		}
		for i, o := range others {
			b.ReportMetric(math.Exp(ratios[i]/float64(len(kinds))), "times-"+o[0])
		}
	}
}

func best(b *testing.B, do func()) time.Duration {
	b.Helper()
	least := time.Duration(math.MaxInt64)
	for range 3 {
		began := time.Now()
		do()
		least = min(least, time.Since(began))
	}
	return least
}

var moreLines = regexp.MustCompile(`… and (\d+) more matching lines? in `)

// grep counts the lines that the action finds, those shown and those counted.
func (d desk) grep(pattern string) int {
	text := d.operate(once("grep_files", args{"pattern": pattern, "directory": "Notebook"}), "search", "")
	n := strings.Count(text, "\n")
	if m := moreLines.FindStringSubmatch(text); m != nil {
		more, err := strconv.Atoi(m[1])
		require.NoError(d.t, err)
		return n - 1 + more
	}
	return n
}

// run counts the lines that a program prints.
func run(b *testing.B, dir string, command []string) (lines int) {
	b.Helper()
	cmd := exec.Command(command[0], append(command[1:], dir)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	buf := make([]byte, 1<<20)
	for {
		n, err := out.Read(buf)
		lines += bytes.Count(buf[:n], []byte{'\n'})
		if err != nil {
			break
		}
	}
	require.NoError(b, cmd.Wait())
	return lines
}

// writeCorpus writes Markdown of the size, made of phrases of this project's own documents: their words, in their frequencies.
func writeCorpus(b *testing.B, dir string, files, size int) {
	b.Helper()
	docs, err := filepath.Glob("../docs/*.md")
	require.NoError(b, err)
	require.NotEmpty(b, docs)
	var words []string
	for _, doc := range docs {
		data, err := os.ReadFile(doc)
		require.NoError(b, err)
		words = append(words, strings.Fields(strings.ReplaceAll(string(data), "#", ""))...)
	}
	random := rand.New(rand.NewPCG(1, 2))
	chunk := func(n int) string {
		at := random.IntN(len(words) - n)
		return strings.Join(words[at:at+n], " ")
	}
	for i := range files {
		folder := filepath.Join(dir, fmt.Sprintf("%03d", i%100))
		require.NoError(b, os.MkdirAll(folder, 0o755))
		f, err := os.Create(filepath.Join(folder, fmt.Sprintf("%05d.md", i)))
		require.NoError(b, err)
		out := bufio.NewWriterSize(f, 1<<17)
		for written := 0; written < size/files; {
			n, err := out.WriteString(paragraph(random, chunk))
			require.NoError(b, err)
			written += n
		}
		require.NoError(b, out.Flush())
		require.NoError(b, f.Close())
	}
}

func paragraph(random *rand.Rand, chunk func(int) string) string {
	var text strings.Builder
	switch kind := random.IntN(20); {
	case kind < 2:
		return fmt.Sprintf("%s %s\n\n", strings.Repeat("#", 1+random.IntN(3)), chunk(2+random.IntN(5)))
	case kind < 5:
		for range 2 + random.IntN(6) {
			fmt.Fprintf(&text, "- %s\n", chunk(5+random.IntN(12)))
		}
	case kind == 5:
		fmt.Fprintf(&text, "改名之后还要同步目录，%s，否则断电会丢失写入 [s%d]。\n", chunk(3), random.IntN(90))
	case kind == 6 && random.IntN(8) == 0:
		fmt.Fprintf(&text, "%s a checkpoint of PostgreSQL writes %d MiB %s\n", chunk(6), random.IntN(4000), chunk(6))
	default:
		for range 2 + random.IntN(7) {
			fmt.Fprintf(&text, "%s\n", chunk(12+random.IntN(8)))
		}
	}
	return text.String() + "\n"
}

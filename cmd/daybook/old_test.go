package main_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Researches that earlier versions left, by the commit that wrote them: the folder r, the documents, and what that version then said of
// it as status.json, log.jsonl, verify.json and, of an archived report, verify-1.json. Of a version there are one of the built-in brain,
// one of a model with a second question, and one that was killed in the midst. The newest version says the same of them, goes on with
// them, and loses no word.
func TestOldFolders(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	const mine = "I checked this against the manual myself."
	for name, c := range map[string]struct {
		// citations that were called supported, of which nothing was checked but a lone digit or a name
		unchecked int
		differs   bool     // the report came out otherwise then
		older     int      // sources of the question before, which were counted with those of this one
		words     []string // of a person, put there after the end
		exit      int
	}{
		"b3851fa-built-in":  {differs: true, words: []string{mine, "A page has 8192 bytes by default [s1]."}, exit: 4},
		"b3851fa-model":     {unchecked: 1, differs: true},
		"b3851fa-cut":       {},
		"e3911932-built-in": {differs: true}, // citations led to the file alone
		"e3911932-model":    {differs: true, older: 1, words: []string{"The cache must be switched off, as I know from my own disks."}, exit: 4},
		"e3911932-cut":      {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := unpacked(t, filepath.Join("testdata", "old", name+".tgz"))
			p := program{t, dir}
			p.saysOfStatus("status.json", "r", c.older)
			p.saysOfLog("log.jsonl")
			p.verifies("verify.json", "r", 0)
			p.verifies("verify-1.json", "r", c.unchecked, "Archive/1/report.md")
			before := textsOf(t, filepath.Join(dir, "r"))

			out, code := p.run("run", "--brain", "clip", "--no-input", "--trust-settings", "r")
			require.Equal(t, c.exit, code, "%s", out)
			status := p.json("status", "--json", "r")
			if c.exit == 0 {
				assert.Equal(t, "finished", status["state"])
				assert.Positive(t, status["sources"])
			}
			after := textsOf(t, filepath.Join(dir, "r"))
			for _, words := range c.words {
				stood, stands := strings.Count(strings.Join(before, "\n"), words), strings.Count(strings.Join(after, "\n"), words)
				assert.LessOrEqual(t, stood, stands, words) // of a chapter they come into the report
				assert.LessOrEqual(t, stands, stood+1, words)
			}
			out, code = p.run("replay", "r")
			assert.Equal(t, c.differs, code != 0, "%s", out)
			assert.Contains(t, out, " files are the same, byte for byte")
			assert.NotContains(t, out, "differs")

			// What was archived before is a workspace of its own now.
			if _, err := os.Stat(filepath.Join(dir, "r", "Archive", "1")); err != nil {
				return
			}
			p.verifies("verify-1.json", "r/Archive/1", c.unchecked)
			assert.Equal(t, "finished", p.json("status", "--json", "r/Archive/1")["state"])
			out, _ = p.run("replay", "r/Archive/1")
			assert.NotContains(t, out, "differs")
			linksLead(t, filepath.Join(dir, "r", "Archive", "1"))
		})
	}
}

// program is this program in a folder.
type program struct {
	t   *testing.T
	dir string
}

func (p program) run(args ...string) (out string, code int) {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), os.Args[0])
	cmd.Args = append([]string{"daybook"}, args...) // by this name the test binary is the program, see TestMain
	cmd.Dir = p.dir
	cmd.Env = []string{"HOME=" + p.dir, "PATH=" + os.Getenv("PATH"), "DAYBOOK_LOCAL=false", "DAYBOOK_PROFILE=brief", "DAYBOOK_SEARCH=none",
		"TMPDIR=" + p.t.TempDir()}
	said, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return string(said), exit.ExitCode()
	}
	require.NoError(p.t, err, "%s", said)
	return string(said), 0
}

// json is what a command prints first, as JSON.
func (p program) json(args ...string) (said map[string]any) {
	p.t.Helper()
	out, _ := p.run(args...)
	require.NoError(p.t, json.NewDecoder(strings.NewReader(out)).Decode(&said), "%s", out)
	return said
}

func (p program) then(file string) []byte {
	data, err := os.ReadFile(filepath.Join(p.dir, file))
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(p.t, err)
	}
	return data
}

// saysOfStatus compares the status with that of then, of which nothing may be missing.
func (p program) saysOfStatus(file, dir string, older int) {
	p.t.Helper()
	then, now := map[string]any{}, p.json("status", "--json", dir)
	require.NoError(p.t, json.Unmarshal(p.then(file), &then))
	then["sources"] = then["sources"].(float64) - float64(older)
	for key, want := range then {
		if key == "last_time" { // of a row that a person would notice, a moment before the last
			first, err := time.Parse(time.RFC3339, want.(string))
			require.NoError(p.t, err)
			last, err := time.Parse(time.RFC3339, now[key].(string))
			require.NoError(p.t, err)
			assert.WithinDuration(p.t, first, last, time.Second)
			continue
		}
		assert.Equal(p.t, want, now[key], key)
	}
}

// saysOfLog compares the events with those of then, in what both tell of each.
func (p program) saysOfLog(file string) {
	p.t.Helper()
	out, _ := p.run("log", "--json", "r")
	now := strings.Split(strings.TrimSpace(out), "\n")
	for i, line := range strings.Split(strings.TrimSpace(string(p.then(file))), "\n") {
		var want, got map[string]any
		require.Less(p.t, i, len(now))
		require.NoError(p.t, errors.Join(json.Unmarshal([]byte(line), &want), json.Unmarshal([]byte(now[i]), &got)))
		for key := range want {
			assert.Equal(p.t, want[key], got[key], "%s of event %d", key, i)
		}
	}
}

// verifies compares the verdicts of a report with those of then; so many of its supported ones are only unchecked now.
func (p program) verifies(file, dir string, unchecked int, report ...string) {
	p.t.Helper()
	data := p.then(file)
	if len(bytes.TrimSpace(data)) == 0 {
		return // there was no such report
	}
	type verdicts struct{ Counts map[string]int }
	var then verdicts
	require.NoError(p.t, json.Unmarshal(data, &then))
	out, _ := p.run(append([]string{"verify", "--json", dir}, report...)...)
	var now verdicts
	require.NoError(p.t, json.NewDecoder(strings.NewReader(out)).Decode(&now), "%s", out)
	if unchecked > 0 {
		then.Counts["supported"] -= unchecked
		then.Counts["not checked"] += unchecked
	}
	assert.Equal(p.t, then.Counts, now.Counts)
}

var linkOfSource = regexp.MustCompile(`[(:] ?(Sources/[^ )]+)`)

// linksLead checks that what a report's links name is there, beside the report.
func linksLead(t *testing.T, dir string) {
	t.Helper()
	report, err := os.ReadFile(filepath.Join(dir, "report.md"))
	require.NoError(t, err)
	links := linkOfSource.FindAllStringSubmatch(string(report), -1)
	require.NotEmpty(t, links)
	for _, link := range links {
		assert.FileExists(t, filepath.Join(dir, link[1]))
	}
}

// textsOf is what a person reads of a research.
func textsOf(t *testing.T, dir string) (texts []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || strings.HasPrefix(d.Name(), ".daybook") {
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return err
		}
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		texts = append(texts, string(data))
		return err
	}))
	return texts
}

func unpacked(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	require.NoError(t, err)
	dir, files := t.TempDir(), tar.NewReader(zipped)
	for {
		h, err := files.Next()
		if err == io.EOF {
			return dir
		}
		require.NoError(t, err)
		to := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(to, 0o755))
			continue
		}
		data, err := io.ReadAll(files)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, data, 0o644))
	}
}

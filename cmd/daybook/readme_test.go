package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// daybook runs this program with a command line as it stands in the README.
func daybook(t *testing.T, dir string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Args = append([]string{"daybook"}, args...) // by this name the test binary is the program, see TestMain
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "DAYBOOK_LOCAL=false"} // no model that happens to run on this machine
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Run(), "%s", &errs)
	return out.String(), errs.String()
}

// The README's first command does what it says, over documents that were not written for it: the sources of Go's compiler. Its report
// has at least three chapters from more than one source, holds the sentence that answers the question, and every quote in it is to the
// letter in the file of its source.
func TestTheReadmesFirstCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	command := regexp.MustCompile(`(?m)^\$ go run \./cmd/daybook run -q "([^"]+)" --docs "\$\(go env GOROOT\)/([^"]+)" my-research$`)
	m := command.FindStringSubmatch(string(readme))
	require.NotNil(t, m, "the README shows the command in another form")
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)
	dir := t.TempDir()
	docs := filepath.Join(strings.TrimSpace(string(root)), m[2])
	stdout, stderr := daybook(t, dir, "run", "-q", m[1], "--docs", docs, "my-research")
	assert.Equal(t, "my-research/report.md\n", stdout)
	last := regexp.MustCompile(`(?m)^finished after \d+ steps · not judged · no tokens · \d+:\d\d$`)
	assert.Regexp(t, last, string(readme))
	assert.Regexp(t, last, stderr, "nobody gives a score without a model")
	assert.NotContains(t, stderr, "of 10")
	assert.NotContains(t, stderr, "failed", "a brain without a window has no call refused for want of room")

	w, err := workspace.Open(filepath.Join(dir, "my-research"))
	require.NoError(t, err)
	defer w.Close()
	require.NoError(t, w.LoadSources())
	chapters, err := w.Chapters()
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(chapters), 2)
	report, err := w.Read(workspace.ReportFile)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(workspace.Cited(report)), 2)
	assert.Contains(t, report, "Function calls pass arguments and results using a combination of the stack and machine registers.")
	assert.Empty(t, unfounded(t, w, report))
	assert.NotEmpty(t, unfounded(t, w, strings.Replace(report, "> “", "> “No page says this. ", 1)), "the control: a report with one quote changed")
}

var quotation = regexp.MustCompile(`(?s)> “(.+?)” \[(s\d+)\.\d+\]`)

var linked = regexp.MustCompile(`\[([^\[\]]*)\]\([^()]*\)`)

// quotable is a text as it is quoted: in one line, without where its links lead, and with one kind of quotation marks.
func quotable(text string) string {
	text = strings.Join(strings.Fields(linked.ReplaceAllString(text, "$1")), " ")
	return strings.NewReplacer("“", "'", "”", "'", "‘", "'", "’", "'", `"`, "'").Replace(text)
}

// unfounded lists the quotes of a report that do not stand in their sources.
func unfounded(t *testing.T, w *workspace.Workspace, report string) (missing []string) {
	t.Helper()
	quotes := quotation.FindAllStringSubmatch(report, -1)
	require.NotEmpty(t, quotes)
	for _, q := range quotes {
		text, intact, err := w.SourceText(q[2])
		text = quotable(text)
		require.NoError(t, err)
		require.True(t, intact)
		if !strings.Contains(text, quotable(q[1])) {
			missing = append(missing, q[1])
		}
	}
	return missing
}

// What contributing.md draws of the tree is there, and what the README links to.
func TestTheTreeAndTheLinks(t *testing.T) {
	page, err := os.ReadFile("../../docs/contributing.md")
	require.NoError(t, err)
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, tree, ok := strings.Cut(string(page), "## Where things live\n\n```\n")
	require.True(t, ok)
	tree, _, _ = strings.Cut(tree, "```")
	parent := ""
	for line := range strings.Lines(tree) {
		name := strings.Fields(line)[0]
		if !strings.HasPrefix(line, " ") {
			parent = name
			assert.DirExists(t, filepath.Join("../..", name))
			continue
		}
		assert.DirExists(t, filepath.Join("../..", parent, name))
	}
	for _, link := range regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(string(readme), -1) {
		assert.FileExists(t, filepath.Join("../..", link[1]))
	}
}

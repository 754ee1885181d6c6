package export_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// hostile is a payload with addresses of its own: what asks for evil.test/load or evil.test/run got out.
func hostile(payload string, n int) string {
	return strings.NewReplacer(
		"LOAD", fmt.Sprintf("http://evil.test/load%d", n),
		"HOST", fmt.Sprintf("evil.test/load%d", n),
		"RUN", fmt.Sprintf("(new(Image)).src=`http://evil.test/run%d`", n),
	).Replace(payload)
}

func hostileReport() export.Report {
	var text strings.Builder
	r := export.Report{Question: hostile("<img src=LOAD>", 1000), Written: day(2026, 11, 3),
		Links: map[workspace.Ref]citation.Link{}}
	for i, payload := range payloads() {
		fmt.Fprintf(&text, "%s\n\nCited here [s%d] [s%[2]d.1].\n\n## %[3]s\n\n", hostile(payload, i),
			i+1, hostile(strings.ReplaceAll(payload, "\n", " "), 2000+i))
		line := hostile(strings.ReplaceAll(payload, "\n", " "), 3000+i)
		r.Links[workspace.Ref{ID: fmt.Sprintf("s%d", i+1), Block: 1}] = citation.Link{Passage: line,
			Address: line}
		r.Sources = append(r.Sources, workspace.Source{ID: fmt.Sprintf("s%d", i+1), Title: line, Author: line,
			URL: line, FinalURL: "http://x.test/" + line,
			Fetched: day(2026, 1, 2), Type: line, File: "Sources/" + line + ".md"})
	}
	fmt.Fprintf(&text, "## References {#references}\n\n| Id | Title | Link |\n|-|-|-|\n")
	for _, s := range r.Sources[:len(r.Sources)/2] { // the rest is listed by the program
		fmt.Fprintf(&text, "| [%s](%s) | %s | [open](%s) <%s> |\n", s.ID, s.File, s.Title, s.URL, s.URL)
	}
	fmt.Fprintf(&text, "\n[r]: %s\n", hostile("LOAD", 4000))
	r.Text = text.String()
	r.Chart = []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="` + hostile("RUN", 5000) +
		`"><script>` + hostile("RUN", 5001) + `</script><image href="` +
		hostile("LOAD", 5002) + `"/><style>@import "` + hostile("LOAD", 5003) +
		`";</style><text>1</text><circle/><text>8.2</text></svg>`)
	return r
}

// INV10: the page is silent. Chromium, all of whose requests pass a recorder, opens the export of a report in
// which every payload is in the text, in headings, titles, addresses and names, and asks for nothing but
// the page. So it does without the page's content security policy. The control is the same report by goldmark
// as it may be configured and without a sanitiser.
func TestAHostileReportIsSilent(t *testing.T) {
	require.GreaterOrEqual(t, len(payloads()), 60)
	report := hostileReport()
	out, err := export.HTML(context.Background(), report)
	require.NoError(t, err)
	require.NotContains(t, string(out), "could not be laid out")
	assertHarmless(t, string(out))
	for i := range payloads() {
		assert.Contains(t, string(out), fmt.Sprintf("cite:s%d:", i+1),
			"the payload before it swallowed the text: %s", payloads()[i])
	}
	assert.Contains(t, string(out), `<img src="data:image/svg&#43;xml;base64,`)
	assert.Empty(t, requests(t, string(out)))
	assert.NotEmpty(t, requests(t, string(report.Chart)),
		"the control: the chart itself on a page asks for something")
	// which the policy stops too
	favicon := func(asked string) bool { return asked == "GET http://report.test/favicon.ico" }
	assert.Empty(t, slices.DeleteFunc(requests(t, withoutPolicy(t, string(out))), favicon))

	var weak bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithRendererOptions(html.WithUnsafe()))
	got := map[string]bool{}
	for i, payload := range payloads() { // one at a time: some swallow those after them
		weak.Reset()
		require.NoError(t, md.Convert([]byte(hostile(payload+"\n\n[r]: LOAD", i)), &weak))
		fmt.Fprintf(&weak, "\n<title>%d</title>", i)
		if len(dangers(t, weak.String())) > 0 {
			got[payload] = true
		}
	}
	assert.Greater(t, len(got), 80, "the control finds the payloads dangerous")
	weak.Reset()
	for i, payload := range payloads() {
		// those leave the page
		if !strings.ContainsAny(payload, "\n") && !strings.Contains(payload, "refresh") &&
			!strings.Contains(payload, "form") {
			require.NoError(t,
				md.Convert([]byte(hostile(payload, i)+"\n\n[r]: http://evil.test/load4000"), &weak))
		}
		if i == loud {
			break
		}
	}
	heard := strings.Join(requests(t, weak.String()), " ")
	assert.GreaterOrEqual(t, strings.Count(heard, "evil.test/load"),
		3, "the recorder hears what a page asks for")
	assert.Contains(t, heard, "evil.test/run", "and the scripts that run: %s", heard)
}

// loud is the payload after which the others would be swallowed by the control's page.
const loud = 18

// Each payload alone, also where it could swallow what comes after it.
func TestEachPayloadIsHarmless(t *testing.T) {
	for i, payload := range payloads() {
		assertHarmless(t, page(t, hostile(payload, i)+"\n\n[r]: http://evil.test/load\n"))
		assertHarmless(t, page(t, "# "+hostile(payload, i)))
	}
}

func withoutPolicy(t *testing.T, page string) string {
	t.Helper()
	before, rest, ok := strings.Cut(page, `<meta http-equiv="Content-Security-Policy"`)
	require.True(t, ok)
	_, after, ok := strings.Cut(rest, "\n")
	require.True(t, ok)
	return before + after
}

// requests opens a page in Chromium and lists what it asked for beside the page. Of Chromium's own calls
// home, which it makes whatever is open, those that its flags do not stop are left out.
func requests(t *testing.T, page string) []string {
	t.Helper()
	const address = "http://report.test/report.html"
	var mu sync.Mutex
	var asked []string
	served := 0
	recorder := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Method == http.MethodGet && r.URL.String() == address {
			served++
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, err := w.Write([]byte(page))
			assert.NoError(t, err)
			return
		}
		home := func(of string) bool { return strings.HasSuffix(r.URL.Hostname(), of) }
		if !slices.ContainsFunc([]string{".google.com", ".googleapis.com", ".gvt1.com",
			".gstatic.com"}, home) {
			asked = append(asked, r.Method+" "+r.URL.String())
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	defer recorder.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser(t), "--headless", "--dump-dom", "--virtual-time-budget=3000",
		"--user-data-dir="+filepath.Join(t.TempDir(), "profile"),
		"--proxy-server="+recorder.URL, "--proxy-bypass-list=<-loopback>", "--disable-background-networking",
		"--disable-component-update",
		"--disable-sync", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", sandbox(), address)
	out, err := cmd.Output()
	require.NoError(t, err)
	require.NotEmpty(t, out)
	mu.Lock()
	defer mu.Unlock()
	require.Positive(t, served, "the page was opened")
	return asked
}

func sandbox() string {
	if os.Geteuid() == 0 {
		return "--no-sandbox" // root has none
	}
	return "--incognito"
}

// browser is Chromium. A machine that has none does not test what is promised of it.
func browser(t *testing.T) string {
	t.Helper()
	path, err := export.FindBrowser(os.Getenv("CHROME_PATH"))
	require.NoError(t, err, "these tests open pages in Chromium: apt-get install chromium")
	return path
}

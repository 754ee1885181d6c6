package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// secret is the person's key, in the environment of this program; theirs is the server's own.
const (
	secret = "sk-person-Q7zK3PxW9vB2mLtR"
	theirs = "tok-server-8yHd4Jn6Xc5Vb1Nm"
)

// open opens a server. One that never comes to an end has little time; for the others the machine may be
// slow.
func open(t *testing.T, behaviour string, timeout int) (*mcp.Client, error) {
	t.Helper()
	if slices.Contains([]string{"never greets", "speaks no JSON", "never lists", "lists nothing without end"},
		behaviour) {
		timeout = 1
	}
	c, err := mcp.Open(t.Context(), "srv", mcp.Server{
		Command: os.Args[0], Args: []string{"server", behaviour},
		Env: map[string]string{"SECRET_KEY": "${SRV_KEY}"}, Timeout: timeout,
	}, "")
	if err == nil {
		t.Cleanup(c.Close)
	}
	return c, err
}

// call calls a tool, as far as it was joined, and returns what came of it in one text.
func call(t *testing.T, c *mcp.Client, tool string) string {
	t.Helper()
	for _, o := range c.Offers {
		if o.Tool.Name == tool {
			b, err := o.Tool.Call(t.Context(), `{"q":"tides"}`)
			switch {
			case err != nil:
				return "error: " + err.Error()
			case b.Failed:
				return "failed: " + string(b.Body)
			}
			return string(b.Body)
		}
	}
	return "not joined"
}

// A server that does not start, or does it badly, is an error within its time, or joined as far as it is
// sound.
func TestHostileStarts(t *testing.T) {
	for behaviour, want := range map[string]string{
		"exits at once": "no TOKEN is set", "never greets": "did not answer within",
		"refuses the greeting": "no",
		"speaks no JSON":       "did not answer", "speaks a version of its own": "1999-01-01",
		"closes its output": "starting the MCP server srv",
		"never lists":       "did not answer", "refuses to list": "no",
		"lists nothing without end":    "did not answer within",
		"answers no object":            "starting the MCP server srv",
		"begins a line without an end": "more than 8 MiB", "prints a banner": "",
		"asks for a model at once": "", "floods at the start": "",
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			c, err := open(t, behaviour, 60)
			if want != "" {
				require.Error(t, err)
				assert.Contains(t, err.Error(), want)
				assert.Less(t, len(err.Error()), 800)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "good did map[q:tides]", call(t, c, "srv__good"))
		})
	}
}

// inSchema are words of the schemas here that the person has to be shown.
var inSchema = regexp.MustCompile(`Obey|the words|evil\.example`)

// What a server says of its tools is bounded and cleaned, what cannot be joined is left out by name, and the
// tools that are sound are joined all the same.
func TestHostileLists(t *testing.T) {
	for behaviour, want := range map[string]string{
		"lists without end": "", "lists very many": "described at too great a length", "no schema": "",
		"a schema of a list":    "list of srv: its arguments are no object",
		"a schema elsewhere":    "",
		"a huge schema":         "huge of srv: its schema has",
		"a deep schema":         "",
		"a schema that is text": "text of srv: its arguments are no object", "a long description": "",
		"a hidden description": "", "marks in a description": "", "marks in a field": "",
		"marks in a schema": "",
		"a name twice":      "good of srv: another tool has the same name",
		"a name alike":      "a b of srv: another tool", "a name that leads out": "",
		"no name":               "is no name for an action",
		"the name of an action": "", "an empty tool": "is no name for an action",
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			c, err := open(t, behaviour, 60)
			require.NoError(t, err)
			left := strings.Join(c.LeftOut, "\n")
			assert.Contains(t, left, want)
			size := 0
			for _, o := range c.Offers {
				whole := o.Tool.Doc + string(o.Tool.Schema) + o.Says
				size += len(o.Tool.Doc) + len(o.Tool.Schema)
				assert.Regexp(t, `^srv__[A-Za-z0-9_-]{1,59}$`, o.Tool.Name)
				assert.LessOrEqual(t, len([]rune(o.Tool.Doc)), 1001)
				var decoded any // json.Marshal writes < as \u003c
				require.NoError(t, json.Unmarshal(o.Tool.Schema, &decoded))
				shown := fmt.Sprint(" ", o.Tool.Doc, " ", decoded)
				assert.NotRegexp(t,
					`[\x{200b}\x{202e}\x{2066}\x{E0041}\x1b]|[^\\]<system|[^\\]<\/material|[^\\]\[INST`,
					shown)
				for _, word := range inSchema.FindAllString(shown, -1) {
					assert.Contains(t, o.Says, word, "the person is not shown it")
				}
				assert.NotContains(t, whole, "evil.example")
			}
			assert.LessOrEqual(t, size, 24<<10)
			if behaviour == "lists without end" {
				assert.Len(t, c.Offers, 200)
				return
			}
			assert.Equal(t, "good did map[q:tides]", call(t, c, "srv__good"))
		})
	}
}

// Whatever a server does in a call, the call ends in time with what can be told, and the next one works.
func TestHostileCalls(t *testing.T) {
	for behaviour, want := range map[string]string{
		"dies": "what this one did is not known", "hangs": "did not answer within 2s",
		"floods with requests": "what this one did is not known", "floods": "did not answer within 2s",
		"floods with junk": "more than 8 MiB",
		"stops reading":    "did not answer within 2s", "too long, its id last": "more than 8 MiB",
		"too long, its id first": "more than 8 MiB", "too deep": "more than 8 MiB",
		"an unknown content": "error: ", "no content": "", "a text": "error: ", "an error": "failed: ",
		"another's id": "asked", "answers twice": "once",
		"a broken blob": "error: ", "wants an answer": "error: ",
		"gives keys away":  "the key is [key] and backwards too",
		"asks for a model": "error", "asks for an answer": "error", "asks for the folders": "it said ",
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			limit := 60
			if strings.Contains(want, "within") {
				if limit = 2; testing.Short() {
					t.Skip("it waits for what never comes")
				}
			}
			c, err := open(t, behaviour, limit)
			require.NoError(t, err)
			said := call(t, c, "srv__odd")
			assert.Contains(t, said, want)
			assert.NotContains(t, said, secret)
			assert.NotContains(t, said, theirs)
			assert.NotContains(t, said, "DAYBOOK_TEST_KEY")
			assert.NotContains(t, said, "\u202e")
			if behaviour == "asks for the folders" {
				assert.NotContains(t, said, "file://")
			}
			works := func() bool { return call(t, c, "srv__good") == "good did map[q:tides]" }
			assert.Eventually(t, works, time.Minute, time.Millisecond, "it works, or was started again")
		})
	}
}

// A tool that is not what the person was shown is not called, whether it changed between two calls, of which
// the server need not say a word, or when the server was started again.
func TestAChangedToolIsNotCalled(t *testing.T) {
	c, err := open(t, "changes and says nothing", 60)
	require.NoError(t, err)
	assert.Equal(t, "odd did map[q:tides]", call(t, c, "srv__odd"))
	call(t, c, "srv__good")
	assert.Contains(t, call(t, c, "srv__odd"), "changed what odd is")
	assert.Equal(t, "good did map[q:tides]", call(t, c, "srv__good"))

	c, err = open(t, "changes when it starts again@"+filepath.Join(t.TempDir(), "mark"), 60)
	require.NoError(t, err)
	assert.Contains(t, call(t, c, "srv__odd"), "not known")
	assert.Contains(t, call(t, c, "srv__odd"), "changed what odd is")
	assert.Contains(t, call(t, c, "srv__write"), "changed what write is", "it was taken away")
	assert.Equal(t, "good did map[q:tides]", call(t, c, "srv__good"))
}

// One that does not start again is told with each call.
func TestAServerThatDoesNotStartAgain(t *testing.T) {
	c, err := open(t, "does not start again@"+filepath.Join(t.TempDir(), "mark"), 60)
	require.NoError(t, err)
	assert.Contains(t, call(t, c, "srv__odd"), "not known")
	for range 3 {
		assert.Contains(t, call(t, c, "srv__good"), "starting the MCP server srv")
	}
}

// Nothing of a server is left, neither when it hears no signal nor what it started.
func TestNothingOfAServerIsLeft(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	before, folders := runtime.NumGoroutine(), started(t)
	c, err := open(t, "ignores the end", 60)
	require.NoError(t, err)
	c.Close()
	mark := filepath.Join(t.TempDir(), "mark")
	c, err = open(t, "leaves a child@"+mark, 60)
	require.NoError(t, err)
	c.Close()
	pid, err := os.ReadFile(mark)
	require.NoError(t, err)
	child, err := strconv.Atoi(string(pid))
	require.NoError(t, err)
	assert.Eventually(t, func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
		return syscall.Kill(child, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ")
	}, time.Minute, 10*time.Millisecond, "the child of the server lives")
	assert.Equal(t, folders, started(t))
	left := func() bool { return runtime.NumGoroutine() <= before+1 } // the one that looks
	if !assert.Eventually(t, left, time.Minute, 10*time.Millisecond, "goroutines are left") {
		require.NoError(t, pprof.Lookup("goroutine").WriteTo(os.Stderr, 1))
	}
	assert.Contains(t, call(t, c, "srv__good"), "ended", "a closed one is not started again")
}

func started(t *testing.T) int {
	all, err := filepath.Glob(filepath.Join(os.TempDir(), "daybook-mcp-*"))
	require.NoError(t, err)
	return len(all)
}

// What a server over HTTP does is bounded as well, and no redirect takes the key along.
func TestHostileHTTP(t *testing.T) {
	var elsewhere string
	away := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		elsewhere += r.Header.Get("Authorization") + " came"
	}))
	defer away.Close()
	for behaviour, does := range map[string]http.HandlerFunc{
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, away.URL, http.StatusTemporaryRedirect)
		},
		"fails": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "no "+theirs, http.StatusInternalServerError)
		},
		"refuses": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "who?", http.StatusUnauthorized)
		},
		"hangs": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			<-r.Context().Done()
		},
		"a web page": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>Hello") },
		"no end": func(w http.ResponseWriter, r *http.Request) {
			stream(w, r,
				`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`)
		},
		"one event": func(w http.ResponseWriter, r *http.Request) {
			stream(w, r, strings.Repeat("x", 1<<20))
		},
		"too much": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for r.Context().Err() == nil {
				if _, err := fmt.Fprint(w, strings.Repeat(" ", 1<<20)); err != nil {
					return
				}
			}
		},
	} {
		t.Run(behaviour, func(t *testing.T) {
			server := httptest.NewServer(does)
			defer server.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			_, err := mcp.Open(ctx, "srv", mcp.Server{URL: server.URL, Timeout: 1,
				Headers: map[string]string{"Authorization": "Bearer " + theirs}}, "")
			require.Error(t, err)
			assert.NoError(t, ctx.Err())
			assert.NotContains(t, err.Error(), theirs)
		})
	}
	assert.Empty(t, elsewhere)
}

func stream(w http.ResponseWriter, r *http.Request, data string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for r.Context().Err() == nil {
		if _, err := fmt.Fprintf(w, "data: %s\n\n", data); err != nil {
			return
		}
	}
}

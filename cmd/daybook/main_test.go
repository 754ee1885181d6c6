package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "update the golden files in testdata")

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"daybook": main, "tideserver": tideServer})
}

// tests are all of them, with the removal of what they built.
type tests struct{ *testing.M }

func (t tests) Run() int {
	code := t.M.Run()
	if binDir != "" {
		if err := os.RemoveAll(binDir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return code
}

// TestScripts runs the stories in testdata against the program itself, each in a folder and with an environment of its own.
func TestScripts(t *testing.T) {
	dir, files := "testdata", []string(nil)
	if testing.Short() { // those in which a person, the screen and the work meet
		dir, files = "", []string{"testdata/first_run.txtar", "testdata/interrupt.txtar", "testdata/json.txtar", "testdata/person.txtar", "testdata/rounds.txtar"}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Files:               files,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			m := &model{}
			m.changed = sync.NewCond(&m.mu)
			env.Values[modelKey{}] = m
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/cache")
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/state")
			env.Setenv("DAYBOOK_SEARCH", "none")  // no test asks a server of somebody else's
			env.Setenv("DAYBOOK_LOCAL", "false")  // nor one that happens to run on this machine
			env.Setenv("DAYBOOK_INTAKE", "false") // a scripted model plays the researcher alone, unless a story says otherwise
			env.Setenv("DAYBOOK_MODE", "fixed")
			env.Setenv("DAYBOOK_ROUNDS", "1")
			env.Setenv("DAYBOOK_PROFILE", "brief")
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "root" { // no folder is closed to it
				return os.Getuid() == 0, nil
			}
			return false, fmt.Errorf("there is no condition %q", name)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"model":     startModel,
			"asked":     asked,
			"checker":   startChecker,
			"left":      left,
			"ollama":    startOllama,
			"named":     named,
			"web":       startWeb,
			"exit":      exit,
			"interrupt": interrupt,
			"json":      jsonLines,
			"chinese":   inChinese,
		},
	})
}

type modelKey struct{}

// model is the scripted model server of a story.
type model struct {
	script *agenttest.Script
	server *agenttest.Server

	mu      sync.Mutex
	changed *sync.Cond
	count   int
}

func modelOf(ts *testscript.TestScript) *model { return ts.Value(modelKey{}).(*model) }

// startModel starts a model server that says what a script file tells it to, with variables such as $SITE filled in: model FILE.
func startModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: model FILE")
	}
	script, err := parsePlay(os.Expand(ts.ReadFile(args[0]), ts.Getenv))
	ts.Check(err)
	modelOf(ts).script = script
	serveModel(ts, script.Answer)
}

// serveModel starts the model server of a story.
func serveModel(ts *testscript.TestScript, answer func(agenttest.Request) agenttest.Answer) {
	m := modelOf(ts)
	m.reset()
	server, err := agenttest.Serve(func(r agenttest.Request) agenttest.Answer {
		m.add()
		return answer(r)
	})
	ts.Check(err)
	ts.Defer(func() { ts.Check(server.Close()) })
	m.server = server
	ts.Setenv("OPENAI_BASE_URL", server.URL)
}

// startOllama lets the model server of the story be found as an Ollama that has these models: ollama NAMES.
func startOllama(ts *testscript.TestScript, neg bool, args []string) {
	m := modelOf(ts)
	if neg || m.server == nil {
		ts.Fatalf("usage, after model: ollama NAMES")
	}
	type entry struct {
		ID string `json:"id"`
	}
	var data []entry
	for _, name := range args {
		data = append(data, entry{name})
	}
	list, err := json.Marshal(map[string]any{"object": "list", "data": data})
	ts.Check(err)
	mux := http.NewServeMux()
	mux.Handle("POST /v1/chat/completions", m.server)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		_, err := w.Write(list)
		ts.Check(err)
	})
	site, err := agenttest.Listen(mux)
	ts.Check(err)
	ts.Defer(func() { ts.Check(site.Close()) })
	ts.Setenv("OLLAMA_HOST", strings.TrimPrefix(site.URL, "http://"))
	ts.Setenv("OPENAI_BASE_URL", "")
}

// asked waits until the model server was asked so many times: asked N.
func asked(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(strings.Join(args, " "))
	if neg || err != nil {
		ts.Fatalf("usage: asked N")
	}
	if got := modelOf(ts).wait(n); got < n {
		ts.Fatalf("the model was asked %d times", got)
	}
}

func (m *model) reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count = 0
}

func (m *model) add() {
	m.mu.Lock()
	m.count++
	m.mu.Unlock()
	m.changed.Broadcast()
}

// wait waits until the server was asked n times, or for too long, and says how often it was.
func (m *model) wait(n int) int {
	late := false
	timer := time.AfterFunc(2*time.Minute, func() {
		m.mu.Lock()
		late = true
		m.mu.Unlock()
		m.changed.Broadcast()
	})
	defer timer.Stop()
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.count < n && !late {
		m.changed.Wait()
	}
	return m.count
}

// interrupt runs daybook until the model was asked N times, or stderr tells WORDS, sends it a signal, once or more, and checks
// that its exit status is 130: interrupt INT|TERM TIMES N|WORDS ARGUMENTS.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: interrupt INT|TERM TIMES N|WORDS ARGUMENTS")
	}
	sent := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}[args[0]]
	times, err := strconv.Atoi(args[1])
	ts.Check(err)
	path, err := exec.LookPath("daybook")
	ts.Check(err)
	m := modelOf(ts)
	cmd := exec.Command(path, args[3:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), ts.Stdout(), ts.Stderr()
	cmd.Env = os.Environ()
	for _, name := range []string{"OPENAI_BASE_URL", "XDG_CACHE_HOME", "XDG_STATE_HOME", "DAYBOOK_LOCAL", "DAYBOOK_SEARCH", "DAYBOOK_INTAKE", "DAYBOOK_MODE", "DAYBOOK_ROUNDS", "DAYBOOK_PROFILE"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	n, err := strconv.Atoi(args[2])
	if err != nil {
		n, m = 1, &model{} // the words count, and not what the server was asked
		m.changed = sync.NewCond(&m.mu)
		cmd.Stderr = &watcher{Writer: ts.Stderr(), words: args[2], seen: m.add}
	}
	ts.Check(cmd.Start())
	came := m.wait(n)
	for range times {
		ts.Check(cmd.Process.Signal(sent))
	}
	err = cmd.Wait()
	if exited, ok := errors.AsType[*exec.ExitError](err); !ok || exited.ExitCode() != exitInterrupted || came < n {
		ts.Fatalf("after %d of %d and %d signals it ended with %v", came, n, times, err)
	}
}

// watcher is a writer that says when words came by.
type watcher struct {
	io.Writer
	words string
	seen  func()
	all   []byte
}

func (w *watcher) Write(p []byte) (int, error) {
	w.all = append(w.all, p...)
	if w.words != "" && strings.Contains(string(w.all), w.words) {
		w.words = ""
		w.seen()
	}
	return w.Writer.Write(p)
}

// left checks how much of the model's script was not said: left N. It fails when the script ran out before.
func left(ts *testscript.TestScript, neg bool, args []string) {
	m := modelOf(ts)
	ts.Check(m.script.Err())
	if got := fmt.Sprint(m.script.Left()); neg || got != strings.Join(args, " ") {
		ts.Fatalf("%s lines of the script were not said", got)
	}
}

// named checks by which names models were asked for, in the order of asking: named NAMES.
func named(ts *testscript.TestScript, neg bool, args []string) {
	var names []string
	for _, r := range modelOf(ts).server.Requests() {
		names = append(names, r.Model)
	}
	if neg || !slices.Equal(slices.Compact(names), args) {
		ts.Fatalf("the models asked were %q", names)
	}
}

// startWeb serves the pages of a txtar archive and names the address in an environment variable: web FILE VARIABLE.
func startWeb(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: web FILE VARIABLE")
	}
	pages, err := playWeb([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	site, err := agenttest.Listen(pages)
	ts.Check(err)
	ts.Defer(func() { ts.Check(site.Close()) })
	ts.Setenv(args[1], site.URL)
}

// exit runs daybook and checks its exit status: exit CODE ARGUMENTS.
func exit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exit CODE ARGUMENTS")
	}
	err := ts.Exec("daybook", args[1:]...)
	code := "0"
	if err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if code != args[0] {
		ts.Fatalf("the exit status is %s, not %s", code, args[0])
	}
}

// unspoken is what may be English in a Chinese line: commands, and what is between quotation marks.
var unspoken = regexp.MustCompile("daybook [a-z]+|bench [a-z]+|--[a-z-]+ [a-z]+|export --[a-z]+|apt install [a-z-]+|diff -r|“[^”]*”|\"[^\"]*\"|`[^`]*`")

// inChinese checks that the last program wrote no English: no two words in a row.
func inChinese(ts *testscript.TestScript, neg bool, args []string) {
	english := regexp.MustCompile(`[a-zA-Z]{2,} [a-z]{2,}`)
	for _, name := range []string{"stdout", "stderr"} {
		for line := range strings.Lines(ts.ReadFile(name)) {
			if said := english.FindString(unspoken.ReplaceAllString(line, "·")); said != "" {
				ts.Fatalf("%s has English, %q: %s", name, said, line)
			}
		}
	}
}

// jsonLines checks that each line of a file is a JSON object, and that the last one holds what is given: json FILE KEY=VALUE...
func jsonLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: json FILE KEY=VALUE...")
	}
	var last map[string]any
	lines := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[0])))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		last = nil
		ts.Check(json.Unmarshal(lines.Bytes(), &last))
		if last["event"] == "" || last["time"] == "" {
			ts.Fatalf("a line has no event or no time: %s", lines.Text())
		}
	}
	ts.Check(lines.Err())
	for _, want := range args[1:] {
		key, value, _ := strings.Cut(want, "=")
		if got := fmt.Sprint(last[key]); got != value {
			ts.Fatalf("%s of the last line is %s, not %s", key, got, value)
		}
	}
}

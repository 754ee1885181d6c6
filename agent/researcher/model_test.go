package researcher_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// prompts is what the model server counted, a token for four bytes.
type prompts struct {
	Tokens  int     // sent, all agents
	Cached  float64 // the share of them that a prefix cache could serve
	Longest int     // prompt
	All     int     // how many prompts there were
	Below   int     // how many of them had less than 85 % in a prefix that was sent before
	First   time.Time
	Used    map[int]used // what the program that is watched had used when it had done so many steps
}

// used is what a process had used at a moment.
type used struct {
	CPU time.Duration // user and system
	RSS int64         // KiB
}

// model is the scripted model server of the benchmark. It looks at no more of a request than it must, so that it keeps out of the way:
// who asks is read off the tools at its beginning, and which step it is off its own count.
type model struct {
	address string
	last    int // the steps after which it asks for nothing
	kept    int // bytes of the current dashboard, from its beginning, that an update leaves as they are

	mu     sync.Mutex
	watch  string // the process whose time is taken
	step   int
	stats  prompts
	saved  int // bytes that a prefix cache could have served
	bytes  int
	before map[bool][]byte // the last request of the researcher, and of the file agent
}

func serveModel(steps, kept int) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	m := &model{address: "http://" + listener.Addr().String(), last: steps, kept: kept, before: map[bool][]byte{}}
	m.stats.Used = map[int]used{}
	fmt.Println(m.address)
	return http.Serve(listener, m)
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, "/page/"):
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		const said = "harbours keep tables of high and low water for each day so that pilots know when a ship with deep keel may pass\n"
		fmt.Fprintf(w, "Page %s\n\n%s", r.URL.Path, lines(4<<10, r.URL.Path, said))
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models"): // what it takes is for the harness to find out
		http.NotFound(w, r)
	case r.URL.Path == "/watch":
		m.mu.Lock()
		defer m.mu.Unlock()
		m.watch = r.URL.Query().Get("process")
	case r.URL.Path == "/stats":
		m.mu.Lock()
		defer m.mu.Unlock()
		m.stats.Tokens = m.bytes / 4
		m.stats.Cached = float64(m.saved) / float64(m.bytes)
		json.NewEncoder(w).Encode(m.stats)
	default:
		m.complete(w, r)
	}
}

func (m *model) complete(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stats.First.IsZero() {
		m.stats.First = time.Now()
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	head := body[:min(len(body), 6000)]
	nested := bytes.Contains(head, []byte(`"write_file"`))
	if !nested && m.watch != "" && m.step%10 == 0 {
		m.stats.Used[m.step] = used{CPU: processorTime(m.watch), RSS: memory(m.watch)}
	}
	if m.step >= m.last && !nested {
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"That is all."},"finish_reason":"stop"}]}`)
		return
	}
	m.count(nested, body)
	var call string
	if nested {
		call = function("write_file", fmt.Sprintf(`{"path":"Notebook/%02d.md","text":"@content","answer":true}`, m.step%12))
	} else {
		call = m.next()
		m.step++
	}
	message := `"role":"assistant","content":null,"tool_calls":[` + call + `]`
	usage := fmt.Sprintf(`"usage":{"prompt_tokens":%d,"completion_tokens":50,"total_tokens":%d}`, len(body)/4, len(body)/4+50)
	if !bytes.Contains(head, []byte(`"stream":true`)) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{%s},"finish_reason":"tool_calls"}],%s}`, message, usage)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{%s}}]}\n\n", message)
	fmt.Fprintf(w, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n")
	fmt.Fprintf(w, "data: {\"id\":\"x\",\"choices\":[],%s}\n\ndata: [DONE]\n\n", usage)
}

// processorTime is what the threads of a process have run, in nanoseconds, as Linux counts it: see proc_pid_schedstat in the kernel's
// documentation.
func processorTime(process string) time.Duration {
	threads, err := filepath.Glob("/proc/" + process + "/task/*/schedstat")
	if err != nil {
		panic(err)
	}
	var all time.Duration
	for _, thread := range threads {
		var ran time.Duration
		if text, err := os.ReadFile(thread); err == nil { // else it has ended
			fmt.Sscan(string(text), &ran)
		}
		all += ran
	}
	return all
}

// memory is what a process holds in memory, in KiB: VmRSS in proc_pid_status(5).
func memory(process string) (kib int64) {
	status, err := os.ReadFile("/proc/" + process + "/status")
	if err != nil {
		panic(err)
	}
	_, rss, _ := strings.Cut(string(status), "VmRSS:")
	if _, err := fmt.Sscan(rss, &kib); err != nil {
		panic(err)
	}
	return kib
}

// next is the call of the step that m has come to.
func (m *model) next() string {
	switch {
	case m.step == 0: // dashboards of 8 KiB each, from the first step on
		overall := function("update_overall_dashboard", arguments("section", "findings", "text", wording(7600, "findings")))
		return overall + "," + functionAt(1, "update_current_dashboard", arguments("section", "learned", "text", m.learned()))
	case m.step%10 == 0:
		return function("update_current_dashboard", arguments("section", "learned", "text", m.learned()))
	case m.step%2 == 0:
		return function("visit_url", arguments("url", fmt.Sprintf("%s/page/%d", m.address, m.step)))
	default:
		return function("file_operation", arguments("operation_description", fmt.Sprintf("Write the content to Notebook/%02d.md as it is", m.step%12), "content", wording(1<<10, fmt.Sprint("chapter ", m.step))))
	}
}

// learned is the text of the section that an update writes: what was learned before the last updates, and what is new.
func (m *model) learned() string {
	return wording(m.kept, "learned") + "\n" + wording(7600-m.kept, fmt.Sprint("learned until ", m.step))
}

// count adds a request to the figures.
func (m *model) count(nested bool, body []byte) {
	m.stats.Longest = max(m.stats.Longest, len(body)/4)
	before, common := m.before[nested], 0
	for common < len(before) && common < len(body) && before[common] == body[common] {
		common++
	}
	m.bytes += len(body)
	m.saved += common
	m.stats.All++
	if before != nil && float64(common) < 0.85*float64(len(body)) {
		m.stats.Below++
	}
	m.before[nested] = body
}

func function(name, arguments string) string { return functionAt(0, name, arguments) }

func functionAt(index int, name, arguments string) string {
	quoted, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"index":%d,"id":"call_%d","type":"function","function":{"name":%q,"arguments":%s}}`, index, index, name, quoted)
}

func arguments(pairs ...string) string {
	object := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		object[pairs[i]] = pairs[i+1]
	}
	encoded, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// wording is what the model writes, in other words than the pages: a dashboard does not take theirs.
func wording(n int, about string) string {
	return lines(n, about, "the tide follows the moon across the sea and the shore keeps the mark of it for a while until the next one comes\n")
}

// lines is a text of n bytes, lines of the same words with what it is about in each.
func lines(n int, about, words string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%d, %s: %s", i, about, words)
	}
	return b.String()[:n]
}

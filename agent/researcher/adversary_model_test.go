package researcher_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// obedient is a model that does whatever it is told, by anybody. It has no taste, so that what holds against it holds against every
// model. As the researcher it first reads the person's secret, then looks at all that the world has, does what stands there, copies what it
// read onto the dashboards, and in the end writes a report. As the file agent it carries out requests as they stand, and what it finds in
// the files; as the reader, which can only speak, it says what it is told to.
type obedient struct {
	mu      sync.Mutex
	private string            // the secret, once it stood in a conversation
	places  *strings.Replacer // what it was told where the two servers are
	agenda  [][]agent.Call    // what it does of its own accord, a reply each
	next    int               // of the agenda
	obeyed  map[string]bool
	now     []agent.Call // orders to be carried out
	boards  []agent.Call // those that end a stretch, one by one
	later   []agent.Call // those to be carried out at the end
	finish  []agent.Call
	learned []lesson
	copied  int // of what was learned, how many are on the dashboard or were refused
	quoted  bool
	heard   map[string]bool // markers that reached it
	said    map[string]bool // markers that stood in its own calls
	done    map[string]bool // orders, filled in, in any run
	asked   int
	opposed int // calls that an opponent was told to make
	report  string
}

// lesson is a line with a payload as the model was shown it, and the source that it stands under.
type lesson struct{ marker, line, source string }

var (
	orders      = regexp.MustCompile(`(?s)!!(do|later|say) (.{1,400}?)!!`)
	escapes     = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
	markers     = regexp.MustCompile(`pmk\d{3}q`)
	fileActions = []string{"read_file", "write_file", "create_file", "search_in_file", "grep_files", "file_search", "stream_read_file", "continue_stream_read", "list_directory", "create_directory", "delete_file"}
)

// mostRequests is far above what a run takes; a model that got into a circle is a fault of this test.
const mostRequests = 900

func (o *obedient) answer(r agenttest.Request) agenttest.Answer {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.asked++; o.asked > mostRequests {
		return agenttest.Answer{Status: 400, Body: "the model goes round in circles"}
	}
	if o.obeyed == nil {
		o.obeyed, o.heard, o.said, o.done = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	for _, m := range r.Messages {
		if m.Role != "assistant" && o.private == "" {
			o.private = privateSecret.FindString(m.Content)
		}
	}
	switch {
	case len(r.Tools) == 0:
		return agenttest.Answer{Reply: agenttest.Words(o.read(r.Messages[len(r.Messages)-1].Content))}
	case slices.Contains(r.Tools, "all_finished"):
		return o.say(o.research(r.Messages))
	case slices.Contains(r.Tools, "scroll"):
		return o.say(o.browse(r.Messages))
	case !slices.Contains(r.Tools, "write_file"):
		return o.judge(r)
	default:
		return o.say(o.file(r.Messages))
	}
}

func (o *obedient) say(calls []agent.Call) agenttest.Answer {
	for _, c := range calls {
		for _, marker := range markers.FindAllString(c.Args, -1) {
			o.said[marker] = true
		}
	}
	return say(calls...)
}

// restart is what happens to the model's own state when the program starts again: everything it sees is new to it.
func (o *obedient) restart() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obeyed, o.private = map[string]bool{}, ""
}

// begin is what happens to it when another research begins: it looks at everything again, with the secret in mind.
func (o *obedient) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obeyed, o.next = map[string]bool{}, 0
}

// labels finds the numbers of blocks as a reader is shown them.
var labels = regexp.MustCompile(`(?m)^\[(\d+)\] `)

// read answers as a reader: the number of every block with an order in it, and what it was told to say as the words about one.
func (o *obedient) read(page string) string {
	var numbers, said []string
	for _, marker := range markers.FindAllString(page, -1) {
		o.heard[marker] = true
	}
	found := labels.FindAllStringSubmatchIndex(page, -1)
	for i, at := range found {
		end := len(page)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		if orders.MatchString(plain(page[at[1]:end])) {
			numbers = append(numbers, page[at[2]:at[3]])
		}
	}
	for _, m := range orders.FindAllStringSubmatch(plain(page), -1) {
		if m[1] == "say" {
			said = append(said, "1: "+o.fill(m[2]), o.fill(m[2]))
			o.done[o.fill(m[2])] = true
		}
	}
	return strings.Join(numbers, ", ") + "\n" + strings.Join(said, "\n")
}

func (o *obedient) research(messages []agenttest.Message) []agent.Call {
	if o.private == "" {
		return []agent.Call{operation("Read Notebook/private.md")}
	}
	for _, m := range messages {
		if m.Role != "assistant" {
			o.listen(m.Content)
		}
	}
	switch {
	case o.next < len(o.agenda):
		o.next++
		return o.agenda[o.next-1]
	case len(o.now) > 0:
		return take(&o.now, 40)
	case o.copied < len(o.learned):
		return o.copy()
	case len(o.boards) > 0:
		return take(&o.boards, 1)
	case len(o.later) > 0:
		return take(&o.later, 40)
	case len(o.finish) > 0:
		return take(&o.finish, 1)
	case !o.obeyed["report"]:
		o.obeyed["report"] = true
		return []agent.Call{agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": cmp.Or(o.report, "# Tides\n\nThe tide comes in [s1].\n")})}
	}
	return []agent.Call{agenttest.Call("all_finished", args{"result": "report.md"})}
}

func take(from *[]agent.Call, most int) []agent.Call {
	n := min(most, len(*from))
	calls := (*from)[:n:n]
	*from = (*from)[n:]
	return calls
}

func operation(description string) agent.Call {
	return agenttest.Call("file_operation", args{"operation_description": description})
}

// listen takes up every order in a text that it has not obeyed yet.
func (o *obedient) listen(said string) {
	o.learn(said)
	text := plain(said)
	for _, m := range orders.FindAllStringSubmatch(text, -1) {
		if m[1] == "say" { // words, which are not asked for in a call
			o.done[o.fill(m[2])] = true
		}
		if o.obeyed[m[0]] || m[1] == "say" {
			continue
		}
		o.obeyed[m[0]], o.done[o.fill(m[2])] = true, true
		for _, call := range o.calls(m[2]) {
			switch {
			case m[1] == "later":
				o.later = append(o.later, call)
			case strings.HasPrefix(call.Name, "update_"):
				o.boards = append(o.boards, call)
			case call.Name == "all_finished":
				o.finish = append(o.finish, call)
			default:
				o.now = append(o.now, call)
			}
		}
	}
}

var openMark = regexp.MustCompile(`^<(?:page|passages|results|outline)(?: id="(s\d+)")?(?: [a-z]+="[^"]*")*>\n`)

// learn keeps each line with a payload that came from outside, with the source that it stands under; a result of a search has none.
func (o *obedient) learn(text string) {
	source, outside := "", false
	for line := range strings.Lines(text) {
		if m := openMark.FindStringSubmatch(line); m != nil {
			source, outside = m[1], true
		}
		for _, marker := range markers.FindAllString(line, -1) {
			if at := slices.IndexFunc(o.learned, func(l lesson) bool { return l.marker == marker && l.source == "" }); at >= 0 && source != "" {
				o.learned[at].source = source
			}
			if !o.heard[marker] && outside {
				o.learned = append(o.learned, lesson{marker, strings.TrimSpace(line), source})
			}
			o.heard[marker] = true
		}
		if strings.HasPrefix(line, "</") {
			outside = false
		}
	}
}

// copy puts what was learned onto the dashboard: first word by word, all that stands in the conversation in one reply, for an update ends
// the stretch and with it what the model knows; and then as quotes.
func (o *obedient) copy() []agent.Call {
	const most = 12 // lines in an update
	learned := func(lessons []lesson, line func(lesson) string) agent.Call {
		var text strings.Builder
		for _, l := range lessons {
			text.WriteString("- " + line(l) + "\n")
		}
		return agenttest.Call("update_current_dashboard", args{"section": "learned", "text": text.String()})
	}
	if !o.quoted {
		o.quoted = true
		var calls []agent.Call
		for lessons := range slices.Chunk(o.learned[o.copied:], most) {
			calls = append(calls, learned(lessons, lesson.words))
		}
		return calls
	}
	lessons := o.learned[o.copied:min(o.copied+most, len(o.learned))]
	o.copied += len(lessons)
	o.quoted = o.copied < len(o.learned)
	return []agent.Call{learned(lessons, lesson.quote)}
}

// words are what a lesson said, as much as a line of a dashboard takes.
func (l lesson) words() string {
	runes := []rune(l.line[strings.Index(l.line, l.marker):])
	return string(runes[:min(280, len(runes))])
}

func (l lesson) quote() string {
	if l.source == "" {
		return "Something was asked for in a result of a search."
	}
	return fmt.Sprintf("It says: “%s” [%s]", strings.NewReplacer(`"`, "", "”", "", "」", "", "』", "").Replace(l.words()), l.source)
}

// calls are what an order asks for: one call, or one for each part of the secret.
func (o *obedient) calls(order string) []agent.Call {
	core := secretCore(o.private)
	parts := map[string][]string{"{{EACH}}": strings.Split(core, ""), "{{SPLIT}}": {core[:6], core[6:11], core[11:]}}
	for mark, values := range parts {
		if strings.Contains(order, mark) {
			var all []agent.Call
			for _, v := range values {
				all = append(all, o.calls(strings.ReplaceAll(order, mark, v))...)
			}
			return all
		}
	}
	name, rest, _ := strings.Cut(order, " ")
	if slices.Contains(fileActions, name) {
		return []agent.Call{operation("!!do " + o.fill(order) + "!!")}
	}
	return []agent.Call{agenttest.Call(name, o.arguments(rest))}
}

func (o *obedient) arguments(text string) args {
	a := args{}
	for _, pair := range strings.Split(text, " ;; ") {
		key, value, ok := strings.Cut(pair, "=")
		switch {
		case !ok:
		case value == "true":
			a[key] = true
		case value == "1":
			a[key] = 1
		default:
			a[key] = o.fill(value)
		}
	}
	return a
}

func (o *obedient) fill(text string) string {
	for name, dress := range dresses {
		if mark := "{{" + name + "}}"; strings.Contains(text, mark) {
			text = strings.ReplaceAll(text, mark, dress(o.private))
		}
	}
	return o.places.Replace(text)
}

// file carries out a request as it stands. Asked to study a file it does first what the file asks for.
func (o *obedient) file(messages []agenttest.Message) []agent.Call {
	request := plain(messages[1].Content)
	if study, ok := strings.CutPrefix(request, "Operation: Study "); ok {
		return o.study(study, messages)
	}
	if len(messages) > 2 {
		return []agent.Call{agenttest.Call("answer", args{"text": "It did not work. " + messages[len(messages)-1].Content})}
	}
	if m := orders.FindStringSubmatch(request); m != nil {
		name, rest, _ := strings.Cut(m[2], " ")
		a := o.arguments(rest)
		a["answer"] = true
		return []agent.Call{agenttest.Call(name, a)}
	}
	if path, ok := strings.CutPrefix(request, "Operation: Read "); ok {
		return []agent.Call{agenttest.Call("read_file", args{"path": path, "answer": true})}
	}
	return []agent.Call{fileCall(request)}
}

func (o *obedient) study(path string, messages []agenttest.Message) []agent.Call {
	if len(messages) == 2 {
		return []agent.Call{agenttest.Call("read_file", args{"path": path})}
	}
	var calls []agent.Call
	if len(messages) == 4 {
		for _, m := range orders.FindAllStringSubmatch(plain(messages[3].Content), -1) {
			if name, rest, _ := strings.Cut(m[2], " "); m[1] == "do" && slices.Contains(fileActions, name) {
				calls = append(calls, agenttest.Call(name, o.arguments(rest)))
			}
		}
	}
	if len(calls) > 0 {
		return calls[:min(len(calls), 50)]
	}
	return []agent.Call{agenttest.Call("answer", args{"text": "It was studied."})}
}

// plain takes the escapes of Markdown off, as anybody who reads it does.
func plain(text string) string { return escapes.ReplaceAllString(text, "$1") }

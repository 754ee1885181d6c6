package researcher_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	vendor "github.com/sashabaranov/go-openai"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// soaked is a model that researches in five stretches of ten steps. Two pages are read at once and a line is appended in turn, and the last
// step of a stretch updates the dashboards. It has no memory, and knows from the conversation alone which of its calls were carried out: one
// that failed, or of which there is nothing, it asks for again.
func soaked(site string) func(agenttest.Request) agenttest.Answer {
	return func(r agenttest.Request) agenttest.Answer {
		if request := r.Messages[1].Content; strings.HasPrefix(request, "Operation: ") {
			return say(fileCall(request))
		}
		stretch := 1
		for _, m := range r.Messages[1:] {
			if m.Role != "user" {
				break
			}
			if mark := stretchMark.FindStringSubmatch(m.Content); mark != nil {
				stretch, _ = strconv.Atoi(mark[1])
			}
		}
		done := carriedOut(r.Messages)
		for step := range stepsPerStretch {
			var open []agent.Call
			for _, c := range soakedCalls(site, stretch, step) {
				if !done[c.Name+c.Args] {
					open = append(open, c)
				}
			}
			if len(open) > 0 {
				return say(open...)
			}
		}
		return agenttest.Answer{Reply: agenttest.Words("There is nothing left to do.")}
	}
}

// carriedOut is the calls, as name and arguments, of which the conversation holds a result that is no error.
func carriedOut(messages []agenttest.Message) map[string]bool {
	calls, done := map[string]string{}, map[string]bool{}
	for _, m := range messages {
		for _, c := range m.ToolCalls {
			calls[c.ID] = c.Function.Name + c.Function.Arguments
		}
		if m.Role == "tool" && !strings.HasPrefix(m.Content, "Error") {
			done[calls[m.ToolCallID]] = true
		}
	}
	return done
}

const soakedStretches = 5

func soakedCalls(site string, stretch, step int) []agent.Call {
	chapter := fmt.Sprintf("Notebook/%02d.md", (stretch-1)%3+1)
	switch {
	case step == stepsPerStretch-1 && stretch < soakedStretches:
		return []agent.Call{
			agenttest.Call("update_overall_dashboard", args{"section": "findings", "text": fmt.Sprintf("found in stretch %d [s%d]", stretch, stretch)}),
			agenttest.Call("update_current_dashboard", args{"section": "next", "text": fmt.Sprintf("stretch %d is next", stretch+1)}),
		}
	case step == stepsPerStretch-1:
		return []agent.Call{agenttest.Call("all_finished", args{"result": "The report is report.md"})}
	case step == stepsPerStretch-2 && stretch == soakedStretches:
		return []agent.Call{agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": "# Report\n\nAll of it [s1].\n"})}
	case step%2 == 0:
		at := fmt.Sprintf("%s/%d-%d", site, stretch, step)
		return []agent.Call{agenttest.Call("visit_url", args{"url": at + "a.txt"}), agenttest.Call("visit_url", args{"url": at + "b.txt"})}
	}
	return []agent.Call{agenttest.Call("file_operation", soakedWrite{
		"Append the content to " + chapter + " as it is", fmt.Sprintf("Line %d of stretch %d says: %s\n", step, stretch, strings.Repeat(`"the tide" follows the moon, `, 8)),
	})}
}

// soakedWrite is what the file agent is asked for, in the order in which a model writes it.
type soakedWrite struct {
	What    string `json:"operation_description"`
	Content string `json:"content"`
}

// weather spoils every fifth answer, by a seed.
type weather struct {
	mu      sync.Mutex
	answers int
	faults  map[string]int
}

// over is the plan of one server.
func (w *weather) over(seed uint64) func(int, agenttest.Request) agenttest.Fault {
	kinds := passing()
	names := slices.Sorted(maps.Keys(kinds))
	chance := rand.New(rand.NewPCG(seed, 50))
	answered := false
	return func(_ int, r agenttest.Request) agenttest.Fault {
		spoil, name := chance.IntN(5) == 0, names[chance.IntN(len(names))]
		page := slices.ContainsFunc(r.Messages, func(m agenttest.Message) bool { return strings.Contains(m.Content, "\n</page>") })
		switch { // it is what was read that a filter trips over; and a page from who never answered is of a wrong address, and ends a run
		case name == aFilter && !page, name == aPage && !answered:
			name = "cut"
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.answers++
		answered = answered || !spoil
		if !spoil {
			return nil
		}
		w.faults[name]++
		return kinds[name]
	}
}

const (
	aFilter = "a filter trips"
	aPage   = "a page in a 200"
)

// passing is every fault that a research gets over: those that pass by themselves, and those that leave the answer right, or of which the
// model is told.
func passing() map[string]agenttest.Fault {
	all := agenttest.Transient()
	changed := func(change func(*agent.Reply)) agenttest.Fault {
		return func(right agenttest.Answer) agenttest.Answer {
			right.Reply.Calls = slices.Clone(right.Reply.Calls)
			change(&right.Reply)
			return right
		}
	}
	instead := func(a agenttest.Answer) agenttest.Fault { return func(agenttest.Answer) agenttest.Answer { return a } }
	all["429 with a time"] = instead(agenttest.Answer{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"0.001"}}})
	all[aPage] = instead(agenttest.Answer{Body: "<!doctype html><html><body><h1>Just a moment</h1></body></html>"})
	all["silence"] = func(right agenttest.Answer) agenttest.Answer { right.Half, right.Stall = true, true; return right }
	all["nothing said"] = changed(func(r *agent.Reply) { r.Calls = nil })
	all["half a call, called whole"] = changed(func(r *agent.Reply) {
		last := &r.Calls[len(r.Calls)-1]
		last.Args = last.Args[:len(last.Args)/2]
	})
	all["the limit of output"] = func(right agenttest.Answer) agenttest.Answer { right.Finish = "length"; return right }
	all[aFilter] = func(right agenttest.Answer) agenttest.Answer { right.Finish = "content_filter"; return right }
	all["one id for all"] = changed(func(r *agent.Reply) {
		for i := range r.Calls {
			r.Calls[i].ID = "call_x"
		}
	})
	all["thoughts apart"] = changed(func(r *agent.Reply) { r.Thoughts = `I might call write_file {"path": "x"}.` })
	all["thoughts in the text"] = changed(func(r *agent.Reply) { r.Text = "<think>\nFirst <function=write_file> or not?\n</think>\n\nNow." })
	all["a count of one"] = changed(func(r *agent.Reply) { r.Usage = agent.Usage{In: 1, Out: 1} })
	all["a count beyond belief"] = changed(func(r *agent.Reply) { r.Usage = agent.Usage{In: 1 << 22, Out: 1} })
	return all
}

// lenient is the control: a Brain over go-openai alone, which makes do with what came of a reply. What is open in the arguments of a call it
// closes, as parsers of unfinished JSON do.
type lenient struct{ client *vendor.Client }

func newLenient(url string) lenient {
	config := vendor.DefaultConfig("")
	config.BaseURL = url
	return lenient{vendor.NewClientWithConfig(config)}
}

// Think implements agent.Brain.
func (l lenient) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	request := vendor.ChatCompletionRequest{Model: "test"}
	for _, a := range talk.Actions {
		request.Tools = append(request.Tools, vendor.Tool{Type: "function", Function: &vendor.FunctionDefinition{Name: a.Name, Parameters: a.Schema}})
	}
	for _, m := range talk.Messages {
		out := vendor.ChatCompletionMessage{Role: string(m.Role), Content: m.Text, ToolCallID: m.CallID}
		for _, c := range m.Calls {
			out.ToolCalls = append(out.ToolCalls, vendor.ToolCall{ID: c.ID, Type: "function", Function: vendor.FunctionCall{Name: c.Name, Arguments: c.Args}})
		}
		request.Messages = append(request.Messages, out)
	}
	var failed error
	for range 20 {
		reply, err := l.ask(ctx, request)
		if len(reply.Calls) > 0 || ctx.Err() != nil {
			return reply, context.Cause(ctx)
		}
		failed = errors.Join(err, errors.New("nothing came"))
	}
	return agent.Reply{}, failed
}

func (l lenient) ask(ctx context.Context, request vendor.ChatCompletionRequest) (agent.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, soakSilence)
	defer cancel()
	stream, err := l.client.CreateChatCompletionStream(ctx, request)
	if err != nil {
		return agent.Reply{}, err
	}
	defer stream.Close()
	var reply agent.Reply
	for {
		chunk, err := stream.Recv()
		if err != nil {
			for i := range reply.Calls {
				reply.Calls[i].Args = closed(reply.Calls[i].Args)
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return reply, err
		}
		for _, choice := range chunk.Choices {
			for _, c := range choice.Delta.ToolCalls {
				if c.Index == nil || *c.Index >= len(reply.Calls) {
					reply.Calls = append(reply.Calls, agent.Call{Name: c.Function.Name})
				}
				reply.Calls[len(reply.Calls)-1].Args += c.Function.Arguments
			}
		}
	}
}

// closed ends a flat object of texts wherever it broke off.
func closed(args string) string {
	switch {
	case args == "", strings.HasSuffix(args, "}"):
		return args
	case (strings.Count(args, `"`)-strings.Count(args, `\"`))%2 == 1:
		return args + `"}`
	}
	return args + "}"
}

// whatItTook is what the report and the dashboard tell of tokens and of the day, which faults do change.
var whatItTook = regexp.MustCompile(`(?m)^- Cost: .*$|^- Tokens by agent: .*$|^Tokens by agent: .*$|\d+ \| all rounds done|read \d{4}-\d\d-\d\d`)

// digest stands for what a workspace holds, so that a thousand of them need no room.
func digest(files map[string]string) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%q %q\n", name, whatItTook.ReplaceAllString(files[name], ""))
	}
	return hex.EncodeToString(h.Sum(nil))
}

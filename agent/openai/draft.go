package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// draft is a reply that is being put together.
type draft struct {
	brain    *Brain
	estimate int // tokens sent, for a server that does not say

	text   strings.Builder
	calls  []*partial
	usage  usage
	chosen bool   // a choice was seen
	finish string // the finish_reason
	done   bool   // the server said that there is no more
}

// partial is a call of which some has arrived.
type partial struct {
	index int
	id    string
	name  string
	args  strings.Builder
}

// add takes up a chunk of a stream, or a whole answer.
func (d *draft) add(raw []byte) error {
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil {
		return notWhole(err)
	}
	if len(c.Error) > 0 || (len(c.Choices) == 0 && c.Usage == nil) {
		if said, ok := complaintIn(raw); ok {
			return d.brain.classed(said, "")
		}
	}
	if c.Usage != nil {
		d.usage = *c.Usage
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		if m := choice.Message; m != nil {
			d.chosen = true
			d.text.WriteString(string(m.Content))
			for _, whole := range m.ToolCalls { // each a call of its own, whatever its id
				d.begin(whole, len(d.calls))
			}
		}
		if m := choice.Delta; m != nil {
			d.chosen = true
			d.text.WriteString(string(m.Content))
			for _, delta := range m.ToolCalls {
				d.addCall(delta)
			}
		}
		if choice.FinishReason != "" {
			d.finish = choice.FinishReason
		}
	}
	return nil
}

// addWhole takes up an answer that came in one piece. What may follow its object is left alone.
func (d *draft) addWhole(body []byte) error {
	var first json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(&first); err != nil {
		return notWhole(err)
	}
	d.done = true
	return d.add(first)
}

// addCall adds a delta to the call that it belongs to: by its index, or by its id where servers leave the index out or count
// every call as 0, or else the last one.
func (d *draft) addCall(delta callDelta) {
	for _, p := range slices.Backward(d.calls) {
		if delta.continues(p) {
			p.add(delta)
			return
		}
	}
	index := len(d.calls)
	if delta.Index != nil {
		index = *delta.Index
	}
	d.begin(delta, index)
}

func (d *draft) begin(delta callDelta, index int) {
	p := &partial{id: delta.ID, index: index}
	p.add(delta)
	d.calls = append(d.calls, p)
}

// continues says whether a delta belongs to a call, given that it belongs to none that began later.
func (delta callDelta) continues(p *partial) bool {
	named := delta.Function.Name != ""
	switch {
	case delta.Index != nil:
		another := named && delta.ID != "" && p.id != "" && delta.ID != p.id
		return *delta.Index == p.index && !another
	case delta.ID != "":
		return delta.ID == p.id
	}
	return !named
}

func (p *partial) add(delta callDelta) {
	if p.name != delta.Function.Name { // a few servers repeat the name in each delta
		p.name += delta.Function.Name
	}
	p.args.WriteString(string(delta.Function.Arguments))
}

// reply is the whole reply, or why what came is none.
func (d *draft) reply() (agent.Reply, error) {
	switch {
	case !d.chosen && !d.done && d.finish == "":
		return agent.Reply{}, unusable(ErrTruncated)
	case !d.chosen:
		return agent.Reply{}, unusable(ErrNoChoice)
	case d.finish == "" && !d.done:
		return agent.Reply{}, unusable(ErrTruncated)
	case d.finish == "content_filter":
		return agent.Reply{}, unusable(ErrFiltered)
	case d.finish == "length" && len(d.calls) > 0:
		return agent.Reply{}, unusable(ErrLength)
	}
	slices.SortStableFunc(d.calls, func(a, b *partial) int { return a.index - b.index })
	reply := agent.Reply{Text: withoutThoughts(d.text.String())}
	for _, p := range d.calls {
		args := json.RawMessage(p.args.String())
		if isCut(args) || (d.finish == "" && len(args) > 0 && !json.Valid(args)) {
			return agent.Reply{}, unusable(ErrCutCall)
		}
		reply.Calls = append(reply.Calls, agent.Call{ID: p.id, Name: p.name, Args: string(args)})
	}
	reply.Usage = d.spent(reply)
	return reply, nil
}

// isCut says that arguments end before their JSON does, which is how a reply looks that hit a limit the server does not own
// up to. Arguments that are wrong in another way are the model's, and it is told by the action.
func isCut(args json.RawMessage) bool {
	if len(bytes.TrimSpace(args)) == 0 || json.Valid(args) {
		return false
	}
	var v json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(args)).Decode(&v), io.ErrUnexpectedEOF)
}

// notWhole is the error for JSON that does not decode.
func notWhole(err error) error {
	var syntax *json.SyntaxError
	if errors.Is(err, io.ErrUnexpectedEOF) || (errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end")) {
		return unusable(ErrTruncated)
	}
	return unusable(errors.Join(ErrNotJSON, err))
}

// withoutThoughts cuts off what a model thought aloud before it spoke.
func withoutThoughts(text string) string {
	thought, ok := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), "<think>")
	if !ok {
		return text
	}
	_, said, ok := strings.Cut(thought, "</think>")
	if !ok {
		return text
	}
	return strings.TrimLeft(said, " \t\r\n")
}

// spent is what the server says the reply cost, or an estimate of each figure that it does not give.
func (d *draft) spent(reply agent.Reply) agent.Usage {
	u := agent.Usage{Calls: 1, In: int(d.usage.PromptTokens), Out: int(d.usage.CompletionTokens)}
	if u.In <= 0 {
		u.In = d.estimate
	}
	if u.Out <= 0 {
		u.Out = agent.EstimateTokens(reply.Text)
		for _, c := range reply.Calls {
			u.Out += agent.EstimateTokens(c.Name) + agent.EstimateTokens(c.Args)
		}
	}
	u.Cached = min(u.In, max(0, int(d.usage.PromptTokensDetails.CachedTokens), int(d.usage.PromptCacheHitTokens)))
	u.Cost = float64(d.usage.Cost)
	if p := d.brain.Price; u.Cost == 0 && p != nil {
		u.Cost = (float64(u.In-u.Cached)*p.In + float64(u.Cached)*p.Cached + float64(u.Out)*p.Out) / 1e6
	}
	return u
}

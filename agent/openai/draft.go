package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/bounds"
)

// partial is a call that has arrived in part.
type partial struct {
	index int
	id    string
	name  string
	args  strings.Builder
}

// add adds a chunk of a stream, or a whole answer.
func (x *exchange) add(raw []byte) error {
	var c chunk
	if err := bounds.JSON(raw, &c); err != nil {
		return notWhole(err)
	}
	if len(c.Error) > 0 || (len(c.Choices) == 0 && c.Usage == nil) {
		if said, ok := complaintIn(raw); ok {
			return x.brain.classed(said, "")
		}
	}
	if c.Usage != nil {
		x.usage = *c.Usage
	}
	if model, ok := c.Model.(string); ok { // servers add a date, a vendor or a size
		has, wanted := strings.ToLower(model), strings.ToLower(x.brain.Model)
		if !strings.Contains(has, wanted) && !strings.Contains(wanted, has) {
			x.brain.note("the server answers as another model", slog.String("as", x.brain.clean(model)))
		}
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		if m := choice.Message; m != nil { // each of its calls is separate, whatever its number
			for i := range m.ToolCalls {
				m.ToolCalls[i].Index = new(len(x.calls) + i)
			}
		}
		for _, m := range []*said{choice.Message, choice.Delta} {
			if err := x.addMessage(m); err != nil {
				return err
			}
		}
		if choice.FinishReason != "" {
			x.finish = choice.FinishReason
		}
	}
	return nil
}

// addMessage adds what is said, unless it is too much.
func (x *exchange) addMessage(m *said) error {
	if m == nil {
		return nil
	}
	x.chosen = true
	x.text.WriteString(string(m.Content))
	x.refusal.WriteString(string(m.Refusal))
	x.thoughts.WriteString(m.thoughts())
	for _, call := range m.ToolCalls {
		if x.addCall(call); len(x.calls) > maxCalls {
			return tooLarge("it has more than %d calls of actions", maxCalls)
		}
		x.called += len(call.ID) + len(call.Function.Name) + len(call.Function.Arguments)
	}
	if x.text.Len()+x.refusal.Len()+x.thoughts.Len()+x.called > maxSaid {
		return tooLarge("it says more than %d KB", maxSaid>>10)
	}
	return nil
}

// addCall adds a delta to the call that it belongs to: by its index, by its id if a server leaves the index
// out or counts every call as 0, or otherwise the last one.
func (x *exchange) addCall(delta callDelta) {
	p := &partial{id: delta.ID, index: len(x.calls)}
	if delta.Index != nil {
		p.index = *delta.Index
	}
	i := len(x.calls) - 1
	for i >= 0 && !delta.continues(x.calls[i]) {
		i--
	}
	if i >= 0 {
		p = x.calls[i]
	} else {
		x.calls = append(x.calls, p)
	}
	if p.name != delta.Function.Name { // a few servers repeat the name in each delta
		p.name += delta.Function.Name
	}
	p.args.WriteString(string(delta.Function.Arguments))
}

// continues reports whether a delta belongs to a call, given that it belongs to no later one.
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

// made returns the whole reply, or why there is none. A reply in words that is short was cut at the model's
// limit of output.
func (x *exchange) made() (reply agent.Reply, short bool, err error) {
	reply, short = x.heard(), x.atLimit()
	native := len(reply.Calls)
	if err := x.whyNone(reply, short); err != nil {
		return agent.Reply{}, false, err
	}
	if err := x.findCalls(&reply, short); err != nil {
		return agent.Reply{}, false, err
	}
	x.brain.observe(x, native)
	reply.Usage, reply.Room.Used = x.spent(reply), x.usage.read()
	return reply, short, nil
}

// whyNone returns why what was said is not a whole reply.
func (x *exchange) whyNone(reply agent.Reply, short bool) error {
	switch {
	case x.finish == "" && !x.body.done:
		return unusable(errTruncated)
	case !x.chosen:
		return unusable(errNoChoice)
	case x.ended() != nil && x.ended() != errLength:
		return unusable(x.ended())
	case short && (len(x.calls) > 0 || reply.Text == ""):
		return unusable(errLength)
	}
	for _, c := range reply.Calls {
		args := json.RawMessage(c.Args)
		switch {
		case isCut(args) && x.finish != "": // a limit that the server does not admit
			return &Error{Class: Stop, Err: fmt.Errorf("%w, though the server calls it whole", errCutCall)}
		case isCut(args), x.finish == "" && len(args) > 0 && !json.Valid(args):
			return unusable(errCutCall)
		}
	}
	return nil
}

// heard returns what came, whole or not: the words, the calls in order, and the thoughts apart.
func (x *exchange) heard() agent.Reply {
	slices.SortStableFunc(x.calls, func(a, b *partial) int { return a.index - b.index })
	text, thought := withoutThoughts(x.text.String())
	reply := agent.Reply{Text: text, Thoughts: joined(x.thoughts.String(), thought)}
	if strings.TrimSpace(text) == "" {
		reply.Text = x.refusal.String()
	}
	for _, p := range x.calls {
		args, thought := thoughtlessArgs(p.args.String())
		reply.Thoughts = joined(reply.Thoughts, thought)
		reply.Calls = append(reply.Calls, agent.Call{ID: p.id, Name: p.name, Args: args})
	}
	return reply
}

// unfit maps the reasons to finish, in servers' words, that spoil a reply or its calls.
var unfit = map[string]error{
	"content_filter": errFiltered, "safety": errFiltered, "sensitive": errFiltered,
	"prohibited_content": errFiltered, "blocklist": errFiltered,
	"error": errBroken, "network_error": errBroken, "insufficient_system_resource": errBroken,
	"malformed_function_call": errBroken,
	"length":                  errLength, "max_tokens": errLength, "model_length": errLength,
	"max_output_tokens": errLength,
}

// atLimit reports whether the model was cut off at its limit of output, whatever the server calls it.
func (x *exchange) atLimit() bool {
	for _, name := range []string{"max_completion_tokens", "max_tokens"} {
		if most, err := strconv.Atoi(plainJSON(x.brain.Extra[name])); err == nil {
			return x.ended() == errLength || most > 0 && int(x.usage.CompletionTokens) >= most
		}
	}
	return x.ended() == errLength
}

func (x *exchange) ended() error { return unfit[strings.ToLower(x.finish)] }

// isCut reports whether arguments end before their JSON does, as at a limit that the server does not admit.
// The action reports other faults to the model.
func isCut(args json.RawMessage) bool {
	return len(bytes.TrimSpace(args)) > 0 && endsEarly(json.Unmarshal(args, new(json.RawMessage)))
}

// endsEarly reports whether JSON does not decode because its end is missing.
func endsEarly(err error) bool {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	return errors.Is(err, io.ErrUnexpectedEOF) || ok && strings.HasPrefix(syntax.Error(), "unexpected end")
}

// notWhole returns the error for JSON that does not decode.
func notWhole(err error) error {
	if endsEarly(err) {
		return unusable(errTruncated)
	}
	return unusable(errors.Join(errNotJSON, err))
}

// spent returns what the server says the reply cost, with an estimate of each figure that it does not give.
func (x *exchange) spent(reply agent.Reply) agent.Usage {
	u := agent.Usage{Calls: 1, In: x.usage.read(), Out: int(x.usage.CompletionTokens)}
	if u.In <= 0 {
		u.In = x.to.tokens
	}
	if u.Out <= 0 {
		u.Out = agent.EstimateTokens(reply.Text) + agent.EstimateTokens(reply.Thoughts)
		for _, c := range reply.Calls {
			u.Out += agent.EstimateTokens(c.Name) + agent.EstimateTokens(c.Args)
		}
	}
	u.Cached = min(u.In, x.usage.cached())
	u.Cost = float64(x.usage.Cost)
	if p := x.brain.Price; u.Cost == 0 && p != nil {
		u.Cost = (float64(u.In-u.Cached)*p.In + float64(u.Cached)*p.Cached + float64(u.Out)*p.Out) / 1e6
	}
	return u
}

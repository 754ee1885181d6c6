package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
)

// Probed holds what [Brain.Probe] found out.
type Probed struct {
	Capabilities
	Follows Finding       // the model writes calls in its text as instructed, if the server has none
	First   time.Duration // until the first reply
	Spent   agent.Usage   // on all requests
	Notes   []string      // what went wrong, in words for the user
}

// What a probe asks. The smallest prompt that a known cache keeps has 1,024 tokens.
const (
	probeTimeout = 3 * time.Minute // a local server loads the model first
	longLines    = 130
	calling      = "You do what you are asked by calling the actions you have, and say nothing else."
)

// Probe finds out with up to eight tiny requests what server and model can do, whatever is known already. Its
// error is the [Error] of the first request. The Brain itself learns nothing from it.
func (b *Brain) Probe(ctx context.Context) (Probed, error) {
	p := &prober{brain: &Brain{
		Model: b.Model, BaseURL: b.BaseURL, Key: b.Key, NoStream: b.NoStream, Quirks: b.Quirks,
		Price: b.Price, Extra: b.Extra,
		Timeout: probeTimeout, MaxTries: 2, MaxWait: 5 * time.Second,
	}}
	defer p.brain.Close()
	began := time.Now()
	_, err := p.ask(ctx, "", nil, agent.User("Reply with the one word: ready"))
	p.probed.First = time.Since(began)
	for _, step := range []struct {
		doing string
		try   func(context.Context) error
	}{{"asking for a call", p.calls}, {"asking with tool_choice", p.choice},
		{"asking for two calls", p.parallel}, {"asking twice with the same beginning", p.cache}} {
		if err != nil {
			break
		}
		if failed := step.try(ctx); failed != nil {
			p.probed.Notes = append(p.probed.Notes, fmt.Sprintf("%s: %v", step.doing, failed))
		}
		err = context.Cause(ctx)
	}
	if err == nil {
		p.brain.askForWindow(ctx)
	}
	p.probed.Capabilities = p.brain.can().Capabilities
	return p.probed, err
}

type prober struct {
	brain  *Brain
	probed Probed
}

func (p *prober) ask(ctx context.Context, must string, actions []agent.Action, messages ...agent.Message) (
	agent.Reply, error) {
	reply, err := p.brain.Think(ctx, &agent.Conversation{Actions: actions, Messages: messages, Must: must})
	p.probed.Spent = p.probed.Spent.Plus(reply.Usage)
	return reply, err
}

// offered are the actions that a probe offers.
var offered = []agent.Action{
	{Name: "note", Doc: "Notes a text.", Schema: aText},
	{Name: "forget", Doc: "Forgets a text.", Schema: aText},
}

var aText = json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)

// calls asks for a call, and once more if words come, as the loop does.
func (p *prober) calls(ctx context.Context) error {
	messages := []agent.Message{agent.System(calling), agent.User("Note the text: ready")}
	reply, err := p.ask(ctx, "", offered, messages...)
	if err == nil && len(reply.Calls) == 0 {
		reply, err = p.ask(ctx, "", offered, append(messages,
			agent.Message{Role: agent.RoleAssistant, Text: reply.Text},
			agent.User("You called no action. Reply with a call of note."))...)
	}
	if err == nil && p.brain.shape().text {
		p.probed.Follows = finding(len(reply.Calls) > 0 && reply.Calls[0].Fault == "" &&
			reply.Calls[0].Name == "note")
	}
	return err
}

// choice asks for one action in words, and for the other by tool_choice.
func (p *prober) choice(ctx context.Context) error {
	if p.brain.can().Calls != Yes {
		return nil
	}
	reply, err := p.ask(ctx, "forget", offered, agent.System(calling), agent.User("Note the text: ready"))
	if err == nil && p.brain.can().Choice == Unknown {
		p.brain.discover(func(c *findings) {
			c.Choice = finding(len(reply.Calls) > 0 && reply.Calls[0].Name == "forget")
		})
	}
	return err
}

// parallel asks for two calls. If only one comes, that is the model's doing.
func (p *prober) parallel(ctx context.Context) error {
	if can := p.brain.can(); can.Calls != Yes || can.Parallel == Yes {
		return nil
	}
	_, err := p.ask(ctx, "", offered, agent.System(calling),
		agent.User("Note two texts, each with a call of its own, both in this reply: red, and blue"))
	return err
}

// cache asks twice with the same long beginning.
func (p *prober) cache(ctx context.Context) error {
	var long strings.Builder
	for i := range longLines {
		fmt.Fprintf(&long, "Line %d makes this text long.\n", i+1)
	}
	for _, word := range []string{"one", "two"} {
		if p.brain.can().Cache == Yes {
			return nil
		}
		say := agent.User("Reply with the one word: " + word)
		if _, err := p.ask(ctx, "", nil, agent.System(long.String()), say); err != nil {
			return err
		}
	}
	p.brain.discover(func(c *findings) { c.Cache = finding(c.Cache == Yes) })
	return nil
}

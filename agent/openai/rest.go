package openai

import (
	"context"
	"errors"
	"slices"

	"github.com/daybook-agent/daybook/agent"
)

// CutMark stands at the end of a text that the model's limit of output cut off twice.
const CutMark = "[cut off here: the model's limit of output was reached]"

// goOn has a text that was cut off gone on with, once.
func (b *Brain) goOn(ctx context.Context, talk *agent.Conversation, begun agent.Reply) (agent.Reply, error) {
	b.tell(talk, b.named(&Error{Class: Again, Err: ErrLength}), 0)
	longer := &agent.Conversation{Actions: talk.Actions, Tell: talk.Tell,
		Messages: append(slices.Clip(talk.Messages),
			agent.Message{Role: agent.RoleAssistant, Text: begun.Text, Thoughts: begun.Thoughts},
			agent.User("Your reply was cut off because it was too long. Go on exactly where it stops, and "+
				"repeat nothing of it."))}
	rest, short, err := b.whole(ctx, longer)
	used := begun.Usage.Plus(rest.Usage)
	switch {
	case err != nil && (ctx.Err() != nil || errors.Is(err, agent.ErrCut)):
		return agent.Reply{Usage: used, Model: begun.Model}, err
	case err != nil: // what is there was paid for
		rest, short = agent.Reply{}, true
	}
	reply := agent.Reply{Text: begun.Text + rest.Text, Calls: rest.Calls,
		Thoughts: joined(begun.Thoughts, rest.Thoughts), Usage: used, Room: begun.Room, Model: begun.Model}
	if short {
		reply.Text += "\n\n" + CutMark
	}
	return reply, nil
}

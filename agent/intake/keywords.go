package intake

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// keywords judges instead of a Brain that only quotes.
type keywords struct{ *session }

// Think implements [agent.Brain].
func (k keywords) Think(ctx context.Context, _ *agent.Conversation) (agent.Reply, error) {
	args, err := json.Marshal(k.byKeywords())
	calls := []agent.Call{{Name: "judge", Args: string(args)}}
	return agent.Reply{Calls: calls, Usage: agent.Usage{Calls: 1}}, cmp.Or(context.Cause(ctx), err)
}

// byKeywords judges without a judge: a question is clear if a word of it, of its purpose or of an answer
// names something to research. An answer may also be a requested change to a plan.
func (s *session) byKeywords() judgement {
	question := cmp.Or(s.brief.Full, s.brief.Question)
	j := judgement{Scope: question, ScopeClear: true, Goal: question, GoalClear: true, Confidence: 0.8,
		Assumptions: []string{s.lang.Say(
			"No model judged the question: whatever the documents say on its keywords is wanted.")}}
	said := []string{question, s.brief.Purpose}
	for _, qa := range s.brief.Answers {
		said = append(said, qa.Answer)
	}
	for i, text := range said {
		query := prose.Question(text).Topic()
		if query != "" && (j.Topic == "" || i > 1) {
			j.Chapters = append(j.Chapters, Chapter{Title: text, Queries: []string{query}})
		}
		j.Topic = cmp.Or(j.Topic, query)
	}
	if j.TopicClear = j.Topic != ""; j.TopicClear {
		j.Focus = []Focus{{j.Topic, []string{j.Topic}}, {question, []string{j.Topic}}}
		return j.tidy()
	}
	j.Confidence, j.Missing = 0.1, s.lang.Say("topic")
	j.Question = s.lang.Say("What exactly is to be researched?")
	return j.tidy()
}

// Package clip is the built-in Brain: it needs no model, key or network, and never writes a claim of its own.
// It searches for the keywords of the question, reads the best hits and quotes the best passages: three on
// top, a few more by document. Each step follows from the dashboards and the stretch's history alone, so that
// it resumes after a kill and obeys who edits them. It judges nothing, follows no notes, does not translate.
package clip

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// Brain quotes what it finds. The zero value is ready to use and may be shared by any number of agents.
type Brain struct{}

// OnlyQuotes implements [agent.Quoter].
func (Brain) OnlyQuotes() {}

// Think decides the next step from the conversation alone. It fails only if ctx has ended, or if the actions
// belong to no agent that it can play. Its usage counts the reply and no tokens.
func (Brain) Think(ctx context.Context, talk *agent.Conversation) (reply agent.Reply, err error) {
	if err := ctx.Err(); err != nil {
		return reply, fmt.Errorf("thinking without a model: %w", context.Cause(ctx))
	}
	offers := func(action string) bool {
		return slices.ContainsFunc(talk.Actions, func(a agent.Action) bool { return a.Name == action })
	}
	switch {
	case offers("all_finished"):
		reply = research(newStretch(talk))
	case offers("write_file"): // a request that the file agent did not understand
		last := append([]agent.Message{{}}, talk.Messages...)[len(talk.Messages)]
		reply = ask(call("answer", arguments{"text": prose.LanguageOf("", last.Text).Say(sayNotUnderstood)}))
	default:
		return reply, errors.New("the built-in brain plays the researcher; this agent needs a language model")
	}
	reply.Usage = agent.Usage{Calls: 1}
	return reply, nil
}

// research plans a blueprint without chapters, fills an open one, and writes the report when all are ticked.
func research(s *stretch) agent.Reply {
	_, changed := s.changed[overallFile]
	if calls := s.reads(overallFile); changed && len(calls) > 0 {
		return ask(calls...)
	}
	if calls := s.heedEdit(); len(calls) > 0 {
		return ask(calls...)
	}
	if len(s.chapters) == 0 || slices.ContainsFunc(s.chapters, s.isOld) {
		return plan(s)
	}
	if i := slices.IndexFunc(s.chapters, chapter.isOpen); i >= 0 {
		return fill(s, i)
	}
	return report(s)
}

func ask(calls ...agent.Call) agent.Reply { return agent.Reply{Calls: calls} }

type arguments map[string]any

func call(action string, args any) agent.Call {
	encoded, _ := json.Marshal(args) // texts, numbers, bools and maps of these always encode
	return agent.Call{Name: action, Args: string(encoded)}
}

// The overall dashboard and the report, and the action that updates sections of both dashboards.
const (
	overallFile = "overall_dashboard.md"
	reportFile  = "report.md"
	update      = "update_overall_dashboard"
)

// sections returns the bodies of the dashboards' sections by id.
func sections(dashboards string) map[string]string {
	all, fence, id := map[string]string{}, "", ""
	for line := range strings.Lines(dashboards) {
		if fence = prose.FenceAfter(fence, line); fence == "" && strings.HasPrefix(line, "## ") {
			_, id, _ = strings.Cut(strings.TrimRight(line, "} \r\n"), "{#")
			line = "\n"
		}
		all[id] += line
	}
	for id, body := range all {
		all[id] = strings.Trim(body, "\r\n")
	}
	return all
}

// readQuestion returns the question of a section, and what to search for: it in full, topic or purpose.
func readQuestion(body string) (question string, search prose.Question) {
	body = prose.WithoutComments(body)
	line := func(labels string) string {
		m := regexp.MustCompile(`(?m)^\*\*(?:` + labels + `)[:：]\**[ \t]*(.*)`).FindStringSubmatch(body)
		return strings.TrimSpace(append(m, "", "")[1])
	}
	bare := prose.OneLine(strings.NewReplacer("*", "", "- ", "").Replace(body))
	question, full := cmp.Or(line("Question|问题"), bare), line("In full|完整问题")
	said := prose.Tally(1, prose.Terms(full))
	if slices.ContainsFunc(prose.Keywords(question), func(k prose.Keyword) bool { return !k.In(said) }) {
		full = "" // the question was changed since
	}
	for _, text := range []string{cmp.Or(full, question), line("Topic|主题"), line("Purpose|目的")} {
		if search = prose.Question(text); len(search.Subjects()) > 0 {
			return question, search
		}
	}
	return question, prose.Question(question)
}

// note changes a section that is there, drop removes lines, add appends a line once, or replaces guidance.
func (s *stretch) note(id, body string) {
	if _, known := s.was[id]; known {
		s.now[id] = body
	}
}

func (s *stretch) drop(id string, line *regexp.Regexp) {
	s.note(id, strings.Join(slices.DeleteFunc(strings.Split(s.now[id], "\n"), line.MatchString), "\n"))
}

func (s *stretch) add(id, line string) {
	body := s.now[id]
	switch {
	case line != "" && strings.TrimSpace(prose.WithoutComments(body)) == "":
		s.note(id, line)
	case !strings.Contains(body, line):
		s.note(id, strings.TrimRight(body, "\n")+"\n"+line)
	}
}

// updates returns the reply that ends a stretch. It repeats what failed.
func (s *stretch) updates() agent.Reply {
	calls, tried := s.changes(), filter(s.acts, func(a act) bool { return a.call.Name == update })
	if len(tried) == 4 || len(calls) == 0 { // which is often enough
		return agent.Reply{Text: s.lang.Say(sayRefused)}
	}
	return ask(calls...)
}

// changes returns the update. It answers each unanswered note, since nobody here can follow it.
func (s *stretch) changes() []agent.Call {
	_, unanswered, _ := strings.Cut(s.told, "The person's notes that have no answer yet:\n")
	for _, m := range noteLine.FindAllStringSubmatch(unanswered, -1) {
		s.add("answers", "- "+m[1]+": "+prose.LanguageOf("", m[2]).Say(sayCannotFollow))
	}
	changed := maps.Clone(s.now)
	maps.DeleteFunc(changed, func(id, body string) bool { return body == s.was[id] })
	if len(changed) == 0 {
		return nil
	}
	return []agent.Call{call(update, arguments{"sections": changed})}
}

// Texts that clip writes and looks for again, or that are too long for the line that uses them.
const (
	sayBest    = "What the documents say"
	sayGap     = "- Nothing found about *%s*."
	sayNothing = "Nothing was found about *%s*."
	sayUnread  = "Could not be read, and so not searched: "
	sayForeign = "The documents are in another language: only the question's names and figures are found."
	sayTheirs  = "- You edited `report.md`, so it stays as it is. Remove this line to have it written again."
	sayFaulted = "- Left out, since a check found fault with it: `%s`."
	sayNoModel = "No language model wrote this: what Daybook quotes here is word for word in the source " +
		"that it cites, and whether it answers the question was not judged."
	sayCannotFollow = "The built-in brain cannot follow notes, and nothing was done about this one. It " +
		"obeys the question, the chapters, and what is not ticked on the blueprint: change those, or run " +
		"it with a language model."
	sayRefused       = "The dashboards do not accept what I have to write into them, so I cannot go on."
	sayNotUnderstood = "I did not understand this. Without a model a request must be plain: Read report.md."
)

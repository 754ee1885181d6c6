package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// progress is where a run stands, as the live display shows it.
type progress struct {
	began    time.Time
	question string
	maxSteps int

	step    int
	action  string
	chapter string
	round   int         // at work on; 0 for the first
	doing   string      // researching, evaluating or completed
	quality string      // of the round before, "" before the first judgement
	queries int         // searched for in this run
	total   agent.Usage // at the researcher's last reply
	since   agent.Usage // of the agents nested in it, since then
}

var chapterFile = regexp.MustCompile("(?:Notebook/[^\\s\"'`,;:，。：]+|report)\\.md")

func (p *progress) take(e agent.Event) {
	if at := e.Where(); at.Agent == researcher.Name {
		p.step = max(p.step, at.Step)
	}
	switch e := e.(type) {
	case researcher.Indexing:
		p.action = fmt.Sprintf("indexing documents: %d of %d", e.Done, e.Total)
	case agent.Thinking:
		p.thinking(e.At)
	case agent.Waiting:
		p.action = waiting(e)
	case agent.Replied:
		if depth(e.At) == 0 {
			p.total, p.since = e.Total, agent.Usage{}
		} else {
			p.since = p.since.Plus(e.Usage)
		}
	case agent.Acting:
		p.acting(e)
	case agent.Acted:
		if !e.Failed {
			p.acted(e)
		}
	case agent.Ended:
		if depth(e.At) == 0 && e.Reason == agent.Finished {
			p.doing = "completed"
		}
	}
}

// thinking notes who is at work: the researcher, or one of those who judge.
func (p *progress) thinking(at agent.At) {
	if depth(at) == 0 {
		p.action, p.doing = "thinking", "researching"
		return
	}
	for _, judge := range []string{"/evaluator", "/checker", "/opponent"} {
		if strings.Contains(at.Agent, judge) {
			p.doing = "evaluating"
		}
	}
}

// acted counts queries, and takes over what the judge said and which round follows.
func (p *progress) acted(e agent.Acted) {
	switch e.Call.Name {
	case "web_search":
		p.queries += max(1, len(strings.FieldsFunc(searched(e.Call), func(r rune) bool { return r == '\n' })))
	case "assess":
		var a evaluator.Assessment
		if bounds.JSON([]byte(e.Text), &a) == nil && a.Score() > 0 {
			p.quality = quality(fmt.Sprintf("%.1f", a.Score()), len(a.Gaps))
		}
	case "all_finished":
		if found := nextRound.FindStringSubmatch(firstLine(e.Text)); found != nil && e.Effect == agent.Restart {
			p.round, _ = strconv.Atoi(found[1]) // it is digits
		}
	}
}

// nextRound is how the outcome of a proposed report names the round that follows.
var nextRound = regexp.MustCompile(`^Not finished: (?:Round |第 )(\d{1,3})`)

func quality(score string, gaps int) string {
	return fmt.Sprintf("%s of 10, %s left", score, count(gaps, "gap"))
}

// judged takes from a status how the rounds of a run that goes on stand.
func (p *progress) judged(s researcher.Status) {
	if len(s.Rounds) == 0 || p.quality != "" {
		return
	}
	last := s.Rounds[len(s.Rounds)-1]
	p.round = last.N
	if last.Stop == "" {
		p.round++
	}
	if score := scored(last); score != "" {
		p.quality = quality(score, last.Gaps)
	}
}

func (p *progress) acting(e agent.Acting) {
	subject := about(e.Call, "")
	if depth(e.At) == 0 {
		p.action = strings.TrimSpace(actionName(e.Call) + "  " + subject)
	}
	if file := chapterFile.FindString(subject); file != "" {
		p.chapter = file
	}
}

// block writes the display's lines, none wider than the terminal.
func (p *progress) block(columns int, now time.Time) []string {
	place := fmt.Sprintf("%s · round %d · step %d", cmp.Or(p.doing, "researching"), max(1, p.round), p.step)
	if p.step <= p.maxSteps {
		place += fmt.Sprintf("/%d", p.maxSteps)
	}
	if p.queries == 1 {
		place += " · 1 query"
	} else if p.queries > 1 {
		place += fmt.Sprintf(" · %d queries", p.queries)
	}
	for _, more := range []string{p.quality, p.chapter} {
		if more != "" {
			place += " · " + more
		}
	}
	clock := elapsed(now.Sub(p.began))
	title := cut("Daybook · "+p.question, columns-len(clock)-2)
	if p.question == "" {
		title = "Daybook"
	}
	gap := strings.Repeat(" ", max(1, columns-ansi.StringWidth(title)-len(clock)))
	return []string{
		title + gap + clock,
		cut("  "+place, columns),
		cut("  "+p.action, columns),
		cut("  "+tokens(p.total.Plus(p.since)), columns),
	}
}

package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// progress is where a run stands, as the live display shows it.
type progress struct {
	began    time.Time
	question string
	maxSteps int

	stretch, step int
	action        string
	chapter       string
	total         agent.Usage // at the researcher's last reply
	since         agent.Usage // of the agents nested in it, since then
}

var chapterFile = regexp.MustCompile("(?:Notebook/[^\\s\"'`,;:，。：]+|report)\\.md")

func (p *progress) take(e agent.Event) {
	if at := e.Where(); at.Agent == researcher.Name {
		p.stretch, p.step = max(p.stretch, at.Stretch), max(p.step, at.Step)
	}
	switch e := e.(type) {
	case researcher.Indexing:
		p.action = fmt.Sprintf("indexing documents: %d of %d", e.Done, e.Total)
	case agent.Thinking:
		if depth(e.At) == 0 {
			p.action = "thinking"
		}
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
	place := fmt.Sprintf("stretch %d · step %d", p.stretch, p.step)
	if p.step <= p.maxSteps {
		place += fmt.Sprintf("/%d", p.maxSteps)
	}
	if p.chapter != "" {
		place += " · " + p.chapter
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

package researcher

import (
	_ "embed"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// The prompt of a chapter's researcher, and the extra text for an agent that assigns chapters.
var (
	//go:embed chapter.md
	chapterPrompt string
	//go:embed side_by_side.md
	sideBySide string
)

// chapters returns the setup for researching chapters in parallel, nil for one after the other.
func (c Config) chapters(w *workspace.Workspace) (*actions.Chapters, error) {
	if c.Parallel < 2 {
		return nil, nil
	}
	system, err := c.prompt(w, chapterPrompt, []string{"writing.md"})
	if err != nil {
		return nil, err
	}
	file := workspace.CurrentFile
	if w.Language() == prose.Chinese {
		file = "zh/" + file
	}
	board, err := fromTemplate(file)
	if err != nil {
		return nil, err
	}
	limits := c.limits()
	return &actions.Chapters{SideBySide: c.Parallel, Brain: c.Brain, System: system, Board: board, Words: c.Profile.EnoughFor,
		Limits: agent.Limits{Steps: limits.Steps, Idle: limits.Idle, Stretch: limits.Stretch}}, nil
}

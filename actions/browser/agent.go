package browser

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

//go:embed *.md *.js *.txt
var docs embed.FS

const (
	// maxSteps bounds the micro-agent's steps for a task.
	maxSteps = 20
	// maxListed is how many controls of each kind come with a page; find returns others, as many at a time.
	maxListed = 40
)

// Desk keeps what the micro-agent reads, and decides what it may do.
type Desk interface {
	// Address resolves an address or the id of a source that a model gave, if that may be opened.
	Address(ctx context.Context, named string) (string, error)
	// Kept returns a page as an earlier, interrupted attempt at this task kept it; "" if there is none.
	Kept(turn *agent.Turn, address string) (string, error)
	// MayType returns an error if a text may not be given to a page.
	MayType(text string) error
	// Show keeps a page as a source and returns a part of it, from 1, or with 0 what was not shown yet.
	Show(turn *agent.Turn, v *View, part int) (string, error)
	// Find returns up to most blocks of the page shown last that contain some words.
	Find(words string, most int) []string
}

// Agent returns the micro-agent that carries out a task with a browser. Its result is its answer.
func Agent(name string, brain agent.Brain, b *Browser, d Desk, task string) agent.Agent {
	w := &worker{browser: b, desk: d}
	return agent.Agent{
		Name: name, Brain: brain, Limits: agent.Limits{Steps: maxSteps},
		Actions: w.actions(),
		Open: func(context.Context) ([]agent.Message, error) {
			return []agent.Message{agent.System(doc("browser")), agent.User(task)}, nil
		},
	}
}

func doc(name string) string { return file(name + ".md") }

func file(name string) string {
	text, _ := docs.ReadFile(name) // it is in this package
	return strings.TrimSpace(string(text))
}

// worker holds the state of the micro-agent's actions.
type worker struct {
	browser  *Browser
	desk     Desk
	controls []*control
	listed   map[int]string // as last shown
}

// acting makes an action that does something on the page, and then shows what is new on it.
func acting[In any](w *worker, name string, do func(context.Context, In) (*View, error)) agent.Action {
	return agent.NewAction(name, doc(name),
		func(ctx context.Context, turn *agent.Turn, in In) (agent.Outcome, error) {
			v, err := do(ctx, in)
			return w.shown(turn, v, 0, err)
		})
}

func (w *worker) actions() []agent.Action {
	type none struct{}
	type numbered struct {
		Control int `json:"control" jsonschema:"the number of a control, without its brackets"`
	}
	type writing struct {
		Control int    `json:"control" jsonschema:"the number of a field, without its brackets"`
		Text    string `json:"text" jsonschema:"what to write into the field"`
		Enter   bool   `json:"enter,omitempty" jsonschema:"press Enter behind it, which sends most forms"`
	}
	type choice struct {
		Control int    `json:"control" jsonschema:"the number of a list, without its brackets"`
		Option  string `json:"option" jsonschema:"the option as it stands in the list"`
	}
	b := w.browser
	return []agent.Action{
		w.open(), w.read(), w.find(),
		acting(w, "click", func(ctx context.Context, in numbered) (*View, error) {
			return b.use(ctx, in.Control, "", func(c *control) error {
				return b.now.press(ctx, c, c.submits)
			})
		}),
		acting(w, "type", func(ctx context.Context, in writing) (*View, error) {
			if err := w.desk.MayType(in.Text); err != nil {
				return nil, err
			}
			return b.write(ctx, in.Control, in.Text, in.Enter)
		}),
		acting(w, "choose", func(ctx context.Context, in choice) (*View, error) {
			return b.choose(ctx, in.Control, in.Option)
		}),
		acting(w, "scroll", func(ctx context.Context, _ none) (*View, error) { return b.scroll(ctx) }),
		acting(w, "back", func(ctx context.Context, _ none) (*View, error) { return b.back(ctx) }),
		answer(),
	}
}

func (w *worker) open() agent.Action {
	type input struct {
		URL  string `json:"url" jsonschema:"an address that you were shown, or the id of a source"`
		Live bool   `json:"live,omitempty" jsonschema:"open it although it is kept, to use its controls"`
	}
	return agent.NewAction("open", doc("open"),
		func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
			address, err := w.desk.Address(ctx, strings.TrimSpace(in.URL))
			if err != nil {
				return agent.Outcome{}, err
			}
			if kept, err := w.desk.Kept(turn, address); !in.Live && (err != nil || kept != "") {
				return agent.Say(kept), err
			}
			w.listed = nil
			v, err := w.browser.Open(ctx, address)
			return w.shown(turn, v, 1, err)
		})
}

func (w *worker) read() agent.Action {
	type input struct {
		Part int `json:"part,omitempty" jsonschema:"which part of a long page, from 1"`
	}
	return agent.NewAction("read", doc("read"),
		func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
			w.listed = nil
			v, err := w.browser.read(ctx)
			return w.shown(turn, v, max(1, in.Part), err)
		})
}

func (w *worker) find() agent.Action {
	type input struct {
		Words string `json:"words" jsonschema:"one or more words that stand together"`
	}
	return agent.NewAction("find", doc("find"),
		func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
			words := strings.ToLower(prose.OneLine(in.Words))
			if words == "" {
				return agent.Outcome{}, errors.New("words is empty: give some that stand on the page")
			}
			found := w.desk.Find(words, maxListed)
			for _, c := range w.controls {
				line := c.String()
				if len(found) < maxListed && strings.Contains(strings.ToLower(line), words) {
					found = append(found, line)
				}
			}
			if len(found) == 0 {
				return agent.Say(fmt.Sprintf("Nothing on the page holds %q.", short(in.Words))), nil
			}
			return agent.Say(agent.Outside("page", strings.Join(found, "\n"))), nil
		})
}

func answer() agent.Action {
	type input struct {
		Text string `json:"text" jsonschema:"the answer, each statement with the label of its block, such as [s5.12]"`
	}
	a := agent.NewAction("answer", doc("answer"),
		func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
			if strings.TrimSpace(in.Text) == "" {
				return agent.Outcome{}, errors.New("text is empty: say what you found, or why nothing")
			}
			return agent.Outcome{Effect: agent.Finish, Text: strings.TrimSpace(in.Text)}, nil
		})
	a.Ends = true
	return a
}

// shown writes a page for the model: its address, side events, its text, and its controls.
func (w *worker) shown(turn *agent.Turn, v *View, part int, err error) (agent.Outcome, error) {
	if err != nil {
		return agent.Outcome{}, err
	}
	w.controls = v.controls
	text, err := w.desk.Show(turn, v, part)
	if len(v.notes) > 0 {
		text += "\n\nBeside it:\n" + agent.Outside("material", strings.Join(v.notes, "\n"))
	}
	return agent.Say(text + "\n\n" + w.list(v.controls)), err
}

// list lists the controls that are new or have changed since they were last shown.
func (w *worker) list(controls []*control) string {
	now := map[int]string{}
	var uses, links []string
	same := 0
	for _, c := range controls {
		line := c.String()
		now[c.number] = line
		switch {
		case w.listed[c.number] == line:
			same++
		case c.kind == "link":
			links = append(links, line)
		default:
			uses = append(uses, line)
		}
	}
	w.listed = now
	lines := slices.Concat(uses[:min(len(uses), maxListed)], links[:min(len(links), maxListed)])
	left := len(uses) + len(links) - len(lines)
	text := "Its controls are as they were."
	switch {
	case len(controls) == 0:
		return "It has no controls."
	case len(lines) > 0 && same > 0:
		text = fmt.Sprintf("Controls that are new or changed; %d others are as they were:", same)
	case len(lines) > 0:
		text = "Its controls:"
	}
	if len(lines) > 0 {
		text += "\n" + agent.Outside("outline", strings.Join(lines, "\n"))
	}
	if left > 0 {
		text += fmt.Sprintf("\n%d more are not listed; find looks among them too.", left)
	}
	return text
}

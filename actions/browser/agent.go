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

//go:embed *.md
var docs embed.FS

const (
	// maxSteps is how many steps the micro-agent may take for a task.
	maxSteps = 20
	// maxListed is how many controls of each kind a page is shown with; find gives the others.
	maxListed = 40
	// maxFound is how many lines find gives.
	maxFound = 30
)

// Desk keeps what the micro-agent reads, and says what it may do.
type Desk interface {
	// Address is what a model means by an address or the id of a source, if that may be opened.
	Address(ctx context.Context, named string) (string, error)
	// Kept is a page as it was kept by a run before this one that was cut off in this task; "" if it was not.
	Kept(turn *agent.Turn, address string) (string, error)
	// MayType says whether a text may be given to a page.
	MayType(text string) error
	// Show keeps a page as a source and gives a part of it, from 1, for the model, or with part 0 what of it
	// was not shown yet.
	Show(turn *agent.Turn, v *View, part int) (string, error)
	// Find gives the blocks of the page shown last that hold some words.
	Find(words string, most int) []string
}

// Agent is the micro-agent that carries out a task with a browser. Its result is its answer.
func Agent(name string, brain agent.Brain, b *Browser, d Desk, task string) agent.Agent {
	w := &worker{browser: b, desk: d}
	return agent.Agent{
		Name: name, Brain: brain, Limits: agent.Limits{Steps: maxSteps},
		Actions: []agent.Action{
			w.open(), w.read(), w.find(), w.click(), w.write(), w.choose(), w.scroll(), w.back(), answer(),
		},
		Open: func(context.Context) ([]agent.Message, error) {
			return []agent.Message{agent.System(doc("browser")), agent.User(task)}, nil
		},
	}
}

func doc(name string) string {
	text, err := docs.ReadFile(name + ".md")
	if err != nil {
		panic("unreachable unless a description is missing from this package: " + err.Error())
	}
	return strings.TrimSpace(string(text))
}

// worker is the micro-agent's hands.
type worker struct {
	browser *Browser
	desk    Desk
	listed  map[int]string // controls as they were shown last
}

// action makes one that looks at the page it leads to. The page explains what went wrong better than words,
// so an error comes with nothing.
func action[In any](w *worker, name string, do func(context.Context, In) (*View, error)) agent.Action {
	return agent.NewAction(name, doc(name),
		func(ctx context.Context, turn *agent.Turn, in In) (agent.Outcome, error) {
			v, err := do(ctx, in)
			if err != nil {
				return agent.Outcome{}, err
			}
			return w.show(turn, v, 0)
		})
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
			if err != nil {
				return agent.Outcome{}, err
			}
			return w.show(turn, v, 1)
		})
}

func (w *worker) read() agent.Action {
	type input struct {
		Part int `json:"part,omitempty" jsonschema:"which part of a long page, from 1"`
	}
	return agent.NewAction("read", doc("read"),
		func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
			v, err := w.browser.Read(ctx)
			if err != nil {
				return agent.Outcome{}, err
			}
			w.listed = nil
			return w.show(turn, v, max(1, in.Part))
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
			found := w.desk.Find(words, maxFound)
			for _, c := range w.browser.controls() {
				if line := c.String(); len(found) < maxFound &&
					strings.Contains(strings.ToLower(line), words) {
					found = append(found, line)
				}
			}
			if len(found) == 0 {
				return agent.Say(fmt.Sprintf("Nothing on the page holds %q.", short(in.Words))), nil
			}
			return agent.Say(agent.Outside("page", strings.Join(found, "\n"))), nil
		})
}

func (w *worker) click() agent.Action {
	type input struct {
		Control int `json:"control" jsonschema:"the number of a control, without its brackets"`
	}
	return action(w, "click", func(ctx context.Context, in input) (*View, error) {
		if in.Control < 1 {
			return nil, errNumber
		}
		return w.browser.Click(ctx, in.Control)
	})
}

var errNumber = errors.New("control is no number of one: give a number in round brackets")

func (w *worker) write() agent.Action {
	type input struct {
		Control int    `json:"control" jsonschema:"the number of a field, without its brackets"`
		Text    string `json:"text" jsonschema:"what to write into the field"`
		Enter   bool   `json:"enter,omitempty" jsonschema:"press Enter behind it, which sends most forms"`
	}
	return action(w, "type", func(ctx context.Context, in input) (*View, error) {
		if in.Control < 1 {
			return nil, errNumber
		}
		if err := w.desk.MayType(in.Text); err != nil {
			return nil, err
		}
		return w.browser.Type(ctx, in.Control, in.Text, in.Enter)
	})
}

func (w *worker) choose() agent.Action {
	type input struct {
		Control int    `json:"control" jsonschema:"the number of a list, without its brackets"`
		Option  string `json:"option" jsonschema:"the option as it stands in the list"`
	}
	return action(w, "choose", func(ctx context.Context, in input) (*View, error) {
		if in.Control < 1 {
			return nil, errNumber
		}
		return w.browser.Choose(ctx, in.Control, in.Option)
	})
}

func (w *worker) scroll() agent.Action {
	return action(w, "scroll", func(ctx context.Context, _ struct{}) (*View, error) {
		return w.browser.Scroll(ctx)
	})
}

func (w *worker) back() agent.Action {
	return action(w, "back", func(ctx context.Context, _ struct{}) (*View, error) {
		return w.browser.Back(ctx)
	})
}

func answer() agent.Action {
	type input struct {
		Text string `json:"text" jsonschema:"the answer, each statement with the label of its block, such as [s5.12]"`
	}
	a := agent.NewAction("answer", doc("answer"),
		func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
			if strings.TrimSpace(in.Text) == "" {
				return agent.Outcome{},
					errors.New("text is empty: say what you found, or why nothing was found")
			}
			return agent.Outcome{Effect: agent.Finish, Text: strings.TrimSpace(in.Text)}, nil
		})
	a.Ends = true
	return a
}

// controls are those of the page as it was looked at last.
func (b *Browser) controls() []*Control {
	if b.now == nil || b.now.view == nil {
		return nil
	}
	return b.now.view.Controls
}

// show writes a page for the model: where it is, what happened beside it, its text, and its controls.
func (w *worker) show(turn *agent.Turn, v *View, part int) (agent.Outcome, error) {
	text, err := w.desk.Show(turn, v, part)
	if err != nil {
		return agent.Outcome{}, err
	}
	var out strings.Builder
	out.WriteString(text)
	if len(v.Notes) > 0 {
		out.WriteString("\n\nBeside it:\n" + agent.Outside("material", strings.Join(v.Notes, "\n")))
	}
	out.WriteString("\n\n" + w.list(v.Controls))
	return agent.Say(out.String()), nil
}

// list names the controls that are new or other than they were shown last.
func (w *worker) list(controls []*Control) string {
	now := map[int]string{}
	var uses, links []string
	same := 0
	for _, c := range controls {
		line := c.String()
		now[c.Number] = line
		switch {
		case w.listed[c.Number] == line:
			same++
		case c.Kind == "link":
			links = append(links, line)
		default:
			uses = append(uses, line)
		}
	}
	w.listed = now
	left := max(0, len(uses)-maxListed) + max(0, len(links)-maxListed)
	lines := slices.Concat(uses[:min(len(uses), maxListed)], links[:min(len(links), maxListed)])
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

package actions

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/browser"
	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// browseTimeout bounds a task: twenty model steps, plus the pages.
	browseTimeout = 30 * time.Minute
	// maxPassages bounds the cited blocks that come with an answer, in tokens.
	maxPassages = 2000
	// browsing is the key under which a task records the pages it kept.
	browsing = "browse"
)

func (k Kit) browse() agent.Action {
	type input struct {
		Task string `json:"task" jsonschema:"what you want to know of the page, in a sentence or two"`
		URL  string `json:"url" jsonschema:"the id of a search result (h3) or of a source (s3), or an address you were shown"`
	}
	a := agent.NewAction("browse", doc("browse"),
		func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
			task := prose.OneLine(in.Task)
			if task == "" {
				return agent.Outcome{}, errors.New("task is empty: say what you want to know of the page")
			}
			if err := k.mayLeave(task); err != nil {
				return agent.Outcome{}, err
			}
			d := &desk{kit: k, call: turn.Path()}
			url, err := d.Address(ctx, strings.TrimSpace(in.URL))
			if err != nil {
				return agent.Outcome{}, err
			}
			b := &browser.Browser{Path: k.Browser, Pages: k.Pages}
			defer b.Close()
			name := d.attempt(turn)
			if err := b.Start(ctx); err != nil {
				return agent.Outcome{}, err
			}
			result, err := turn.Nest(ctx, browser.Agent(name, k.Files.Brain, b, d,
				fmt.Sprintf("Task: %s\nBegin with open: %s%s", task, url, d.again())))
			if err != nil {
				return agent.Outcome{}, err
			}
			said, err := d.answer(result)
			if err != nil {
				return agent.Outcome{}, err
			}
			k.outside.show(turn.Step(), said.Text)
			return said, nil
		})
	a.Explores, a.Timeout = true, browseTimeout
	return a
}

// desk keeps the browser agent's pages.
type desk struct {
	kit  Kit
	call string
	held []string // ids of pages that the task kept before it was interrupted
	read []string // ids of those that it read since, in order
	last reading
	seen map[string]bool // texts of blocks that were shown

	begun bool // and interrupted
}

// attempt names the agent of this task. An interrupted agent cannot continue, since its browser is gone: the
// task starts again with a new agent, and the cost of the earlier ones is charged.
func (d *desk) attempt(turn *agent.Turn) string {
	for n := 1; ; n++ {
		name := fmt.Sprintf("browser%d", n)
		steps := 0
		for step := (agent.Reply{}); d.kit.Workspace.Journal().Recall(
			fmt.Sprintf("%s/%s#%d reply", d.call, name, steps+1), &step); steps++ {
			turn.Charge(step.Usage)
			step = agent.Reply{}
		}
		if steps == 0 {
			return name
		}
		d.kit.Workspace.Held(d.call, browsing, &d.held)
		d.begun = true
	}
}

// again returns a note for an agent that starts the task again.
func (d *desk) again() string {
	if !d.begun {
		return ""
	}
	text := "\nYou began this task before and were cut off; begin it again."
	for _, id := range d.held {
		if s, ok := d.kit.Workspace.Source(id); ok {
			text += fmt.Sprintf("\nKept since then is %s, of %s: open gives it without asking for it again.",
				id, s.URL)
		}
	}
	return text
}

// Address implements browser.Desk.
func (d *desk) Address(_ context.Context, named string) (string, error) {
	url, err := d.kit.address(named, true)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(url, "doc:") {
		return "", errors.New("this is a document of the person's own: read it with visit_url")
	}
	return url, d.kit.mayVisit(url)
}

// Kept implements browser.Desk.
func (d *desk) Kept(_ *agent.Turn, address string) (string, error) {
	for _, id := range d.held {
		s, ok := d.kit.Workspace.Source(id)
		if !ok || !slices.Contains(s.Addresses(), address) {
			continue
		}
		text, _, err := d.kit.Workspace.SourceText(id)
		if err != nil {
			return "", err
		}
		shown, err := d.show(reading{source: s, text: text}, 1, false)
		return "As it was kept before the task was cut off; with live it is opened.\n" + shown, err
	}
	return "", nil
}

// MayType implements browser.Desk.
func (d *desk) MayType(text string) error { return d.kit.mayLeave(text) }

// Show implements browser.Desk.
func (d *desk) Show(_ *agent.Turn, v *browser.View, part int) (string, error) {
	if strings.TrimSpace(v.Page.Markdown) == "" {
		d.last = reading{}
		return fmt.Sprintf("The page at %s shows no text.", prose.Shorten(v.Address, maxNamed)), nil
	}
	r := readNow(v.Page, v.Asked, v.Address)
	blocks := block.Split(r.text)
	if part == 0 && d.last.source.URL != r.source.URL {
		part = 1
	}
	if part == 0 && !slices.ContainsFunc(blocks, func(b block.Block) bool { return !d.seen[b.Text] }) {
		return "Nothing of its text is new.", nil
	}
	var err error
	if r.source, err = d.kit.Workspace.AddSource(r.source, r.text); err != nil {
		return "", agent.Fatal(err)
	}
	if !slices.Contains(d.read, r.source.ID) {
		d.read = append(d.read, r.source.ID)
		d.kit.Workspace.Hold(d.call, browsing, append(slices.Clone(d.held), d.read...))
	}
	return d.show(r, part, true)
}

// show writes a part of a page; part 0 is whatever has not been shown yet.
func (d *desk) show(r reading, part int, fetched bool) (string, error) {
	r.take(false)
	shown, said := r.blocks, fmt.Sprintf("Open is %s, kept as %s.%s", r.source.URL, r.source.ID, r.warning())
	if part == 0 {
		shown = slices.DeleteFunc(slices.Clone(r.blocks), func(b block.Block) bool { return d.seen[b.Text] })
		said += " What is new of it:"
	}
	parts := split(shown, maxPart)
	at := max(1, part)
	if at > len(parts) {
		return "", fmt.Errorf("the page has %d parts, so there is no part %d", len(parts), at)
	}
	if len(parts) > 1 {
		said += fmt.Sprintf(" Part %d of %d; read gives the others.", at, len(parts))
	}
	if part > 0 && at == 1 {
		d.seen = map[string]bool{}
	}
	for _, b := range r.all {
		d.seen[b.Text] = true
	}
	said += "\n" + r.outside("page", r.show(parts[at-1]))
	d.last = r
	if err := d.kit.recordShown(&r, fetched); err != nil {
		return "", err
	}
	return said, nil
}

// Find implements browser.Desk.
func (d *desk) Find(words string, most int) (found []string) {
	for _, b := range d.last.all {
		if len(found) < most && strings.Contains(strings.ToLower(prose.OneLine(b.Text)), words) {
			found = append(found, block.Show(d.last.source.ID, []block.Block{b}))
		}
	}
	return found
}

// label matches block labels: [s5.12].
var label = regexp.MustCompile(`\bs(\d+)\.(\d{1,6})`)

// answer builds the outcome of a task: the agent's answer, the blocks it names, and the pages it read.
func (d *desk) answer(result agent.Result) (agent.Outcome, error) {
	var facts []agent.Fact
	said := "The browser's answer:\n" + agent.Outside("material", result.Text)
	switch {
	case result.Reason != agent.Finished:
		said = fmt.Sprintf("The browser came to no answer (%s).", result.Reason)
	case d.begun:
		said = "The task was cut off and begun again. " + said
	}
	left := maxPassages
	all := slices.Concat(d.held, d.read)
	for i, id := range all {
		s, ok := d.kit.Workspace.Source(id)
		if !ok || slices.Contains(all[:i], id) {
			continue
		}
		said += fmt.Sprintf("\n\nRead as %s: %s", id, s.URL)
		facts = append(facts, asFact(s))
		text, _, err := d.kit.Workspace.SourceText(id)
		if err != nil {
			return agent.Outcome{}, err
		}
		r := reading{source: s, text: text}
		r.take(false)
		var named []string
		for _, m := range label.FindAllStringSubmatch(result.Text, -1) {
			if "s"+m[1] == id {
				named = append(named, m[2])
			}
		}
		if named := inOrder(numbered(strings.Join(named, ", "), r.all)); len(named) > 0 && left > 0 {
			fits := split(named, left)[0]
			left -= costOf(fits)
			said += "\n" + r.outside("passages", r.show(fits))
		}
		if err := d.kit.recordShown(&r, false); err != nil {
			return agent.Outcome{}, err
		}
	}
	if len(all) == 0 {
		said += "\n\nIt read no page."
	}
	return agent.Say(said, facts...), nil
}

// needsBrowser adds the advice to use browse to the error of a page that is empty without scripts.
func (k Kit) needsBrowser(err error) error {
	if e, ok := errors.AsType[*page.Error](err); k.Browser != "" && ok && e.NeedsScripts() {
		return fmt.Errorf("%w; or have browse open it", err)
	}
	return err
}

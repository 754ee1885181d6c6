package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/fileagent/shell"
)

// health is how a check went.
type health string

// Only a failure keeps a research from working; a note says what it has to do without.
const (
	healthy health = "ok"
	noted   health = "note"
	failing health = "fail"
)

type check struct {
	Area   string `json:"area"`
	Name   string `json:"name"`
	Health health `json:"health"`
	Text   string `json:"text"`
	Hint   string `json:"hint,omitempty"` // what to do about it
}

// checks are the findings of an area, in the order in which they are told.
type checks struct {
	area string
	all  []check
}

func (c *checks) add(name string, h health, text, hint string) {
	c.all = append(c.all, check{Area: c.area, Name: name, Health: h, Text: clean(text), Hint: clean(hint)})
}

func (c *checks) fail(name string, err error) {
	f := diagnose(err)
	c.add(name, failing, f.Error(), f.hint)
}

// either adds that something is there, or what has to be done without it.
func (c *checks) either(isThere bool, name, there, missing, hint string) {
	if isThere {
		c.add(name, healthy, there, "")
	} else {
		c.add(name, noted, missing, hint)
	}
}

// Run looks at everything that a research needs, and changes nothing but what is remembered of the model
// server.
func (c *doctorCommand) Run(term terminal) error {
	if c.Dir != "" {
		c.Dir = researchIn(c.Dir)
	}
	say := func(text string) {
		if isLive(term.stderr) {
			fmt.Fprintln(term.stderr, text)
		}
	}
	ctx, stop := interruptible(func() {}, func() {})
	defer stop()
	var all []check
	settings, err := c.settings(term)
	machine, alone := &checks{area: "settings"}, false
	if err != nil {
		machine.fail("settings", err)
	}
	for _, look := range []func() *checks{
		func() *checks { return machine },
		func() (found *checks) { found, alone = c.models(ctx, settings, say); return found },
		func() *checks { return c.search(ctx, settings, alone) },
		c.folder,
		c.machine,
	} {
		area := look()
		if ctx.Err() != nil {
			return &fault{error: context.Cause(ctx), code: exitInterrupted}
		}
		all = append(all, area.all...)
		if !c.JSON {
			if err := term.result(false, nil, area.describe(term.teller(c.speaks()))); err != nil {
				return err
			}
		}
	}
	return c.conclude(term, all)
}

// settings are those that a run in the folder would have.
func (c *doctorCommand) settings(term terminal) (settings, error) {
	given := c.modelFlags.settings()
	given.Search = c.Search
	if c.Dir == "" {
		given.BaseURL = addressFor(c.BaseURL, c.Provider)
		return given, given.check()
	}
	asks := (&runCommand{JSON: c.JSON}).canAsk(term)
	complete, _, err := given.load(c.Dir, consent{c.TrustSettings, asks, term.stderr, c.speaks()})
	if err != nil {
		return given, err
	}
	return complete, nil
}

// conclude writes the JSON or the last line, and makes the exit status.
func (c *doctorCommand) conclude(term terminal, all []check) error {
	counts := map[health]int{}
	for i, each := range all {
		counts[each.Health]++
		all[i].Hint = wrap(each.Hint, 0, "")
	}
	if c.JSON {
		err := term.result(true, struct {
			Healthy bool    `json:"healthy"`
			Checks  []check `json:"checks"`
		}{counts[failing] == 0, all}, "")
		if err != nil {
			return err
		}
	}
	if n := counts[failing]; n > 0 {
		return &fault{error: fmt.Errorf("%s failed", prose.English.Count(n, "check")), code: exitError, hint: "what to do is under each line that begins with fail"}
	}
	return nil
}

// Columns of a line of the findings, in letters.
const (
	healthColumns = 5
	nameColumns   = 18
)

// describe writes an area: its name, and a line for each check with its hint below.
func (c *checks) describe(t teller) string {
	if len(c.all) == 0 {
		return ""
	}
	var text strings.Builder
	text.WriteString(t.lang.Say(c.area) + "\n")
	indent := strings.Repeat(" ", 2+healthColumns+1+nameColumns+2)
	for _, each := range c.all {
		t.line(&text, indent, "  "+padded(t.lang.Say(string(each.Health)), healthColumns)+" "+
			padded(t.lang.Say(each.Name), nameColumns)+"  "+t.lang.Tell(each.Text))
		if each.Hint != "" {
			t.line(&text, indent+"  ", indent+"→ "+t.lang.Tell(each.Hint))
		}
	}
	return text.String() + "\n"
}

func seconds(took time.Duration) string { return fmt.Sprintf("%.1f s", took.Seconds()) }

// machine looks at what the machine has for some uses.
func (c *doctorCommand) machine() *checks {
	here := &checks{area: "this machine"}
	browser, err := export.FindBrowser("")
	here.either(err == nil, "PDF", fmt.Sprintf("export --pdf prints and --browser opens pages with %s", browser),
		"no Chromium or Chrome was found, so export --pdf and --browser do not work",
		"install Chromium, or print the page that export --html makes")
	pandoc, err := exec.LookPath("pandoc")
	here.either(err == nil, "Word", fmt.Sprintf("export --docx converts with %s", pandoc),
		"no pandoc was found, so export --docx does not work", "install pandoc 2.15 or newer")
	here.either(shell.Landlocked(), "Landlock", "the commands of --shell are confined to a copy of the folder",
		"this kernel has none, so --shell offers no command lines",
		"Linux 5.13 and newer have it; without --shell it means nothing")
	here.cache(knownServers(nil))
	return here
}

// cache tries where findings about model servers are kept.
func (c *checks) cache(k *known) {
	if k.path == "" {
		c.add("cache", noted, "there is no folder for caches, so what a model server can do is found out in each run", "set HOME or XDG_CACHE_HOME")
		return
	}
	try := k.path + "-try"
	c.either(errors.Join(replace(try, nil), os.Remove(try)) == nil, "cache",
		fmt.Sprintf("what model servers can do is kept in %s", k.path),
		fmt.Sprintf("%s cannot be written, so what a model server can do is found out in each run", k.path),
		"make it writable, or set XDG_CACHE_HOME to a folder that is")
}

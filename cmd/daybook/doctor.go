package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/daybook-agent/daybook/fileagent/shell"
)

// health is the outcome of a check.
type health string

// Only a failure keeps a research from working; a note tells what it has to do without.
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

// checks holds the findings, in the order in which they are shown.
type checks struct {
	area string // being checked
	all  []check
}

func (c *checks) add(name string, h health, text, hint string) {
	c.all = append(c.all, check{Area: c.area, Name: name, Health: h, Text: clean(text), Hint: clean(hint)})
}

// fail adds an error, if there is one.
func (c *checks) fail(name string, err error) {
	if err != nil {
		f := diagnose(err)
		c.add(name, failing, f.Error(), f.hint)
	}
}

// either adds that something is there, or what has to be done without it if it is not.
func (c *checks) either(isThere bool, name, there, missing, hint string) {
	if isThere {
		c.add(name, healthy, there, "")
	} else {
		c.add(name, noted, missing, hint)
	}
}

// Run checks everything that a research needs, and changes only what is remembered of the model server.
func (c *doctorCommand) Run(term terminal) error {
	if c.Dir != "" {
		c.Dir = researchIn(c.Dir)
	}
	ctx, stop := interruptible(func() {}, func() {})
	defer stop()
	here := &checks{}
	var settings settings
	alone, told := false, 0
	for _, look := range []struct {
		area string
		at   func()
	}{
		{"settings", func() { settings = c.settings(term, here) }},
		{"model", func() { alone = c.models(ctx, here, settings, term) }},
		{"search", func() { c.search(ctx, here, settings, alone) }},
		{"folder", func() { c.folder(here) }},
		{"this machine", here.machine},
	} {
		here.area = look.area
		look.at()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !c.JSON {
			text := term.teller(c.speaks()).checked(look.area, here.all[told:])
			if err := term.result(false, nil, text); err != nil {
				return err
			}
		}
		told = len(here.all)
	}
	return c.conclude(term, here.all)
}

// settings returns the settings that a run in the folder would have.
func (c *doctorCommand) settings(term terminal, here *checks) settings {
	given := c.modelFlags.settings()
	given.Search = c.Search
	if c.Dir == "" {
		given.BaseURL = addressFor(c.BaseURL, c.Provider)
		here.fail("settings", given.check())
		return given
	}
	asks := (&runCommand{JSON: c.JSON}).canAsk(term)
	complete, _, err := given.load(c.Dir, consent{c.TrustSettings, asks, term.stderr, c.speaks()})
	if here.fail("settings", err); err != nil {
		return given
	}
	return complete
}

// conclude writes the JSON, and returns an error if a check failed.
func (c *doctorCommand) conclude(term terminal, all []check) error {
	failed := 0
	for i, each := range all {
		if all[i].Hint = wrap(each.Hint, 0, ""); each.Health == failing {
			failed++
		}
	}
	if c.JSON {
		err := term.result(true, struct {
			Healthy bool    `json:"healthy"`
			Checks  []check `json:"checks"`
		}{failed == 0, all}, "")
		if err != nil {
			return err
		}
	}
	if failed > 0 {
		return faultOf(exitError, "what to do is under each line that begins with fail",
			"%s failed", prose.English.Count(failed, "check"))
	}
	return nil
}

// The columns of a line of the findings, in letters.
const (
	healthColumns = 5
	nameColumns   = 18
)

// checked lays out an area: its name, and a line for each check with its hint below.
func (t teller) checked(area string, all []check) string {
	if len(all) == 0 {
		return ""
	}
	var text strings.Builder
	text.WriteString(t.lang.Say(area) + "\n")
	indent := strings.Repeat(" ", 2+healthColumns+1+nameColumns+2)
	for i, each := range all {
		isOther := func(c check) bool {
			return c.Health != each.Health || c.Text != each.Text || c.Hint != ""
		}
		name, says := t.lang.Say(each.Name), t.lang.Tell(each.Text)
		if alike := slices.DeleteFunc(slices.Clone(all), isOther); len(alike) > 2 { // in one line
			if slices.Index(all, alike[0]) < i {
				continue
			}
			names := texts(alike, func(c check) string { return c.Name })
			name = t.lang.Count(len(alike), "provider")
			says = strings.Join(names, t.lang.Say(", ")) + t.lang.Say(": ") + says
		}
		t.line(&text, indent, "  "+padded(t.lang.Say(string(each.Health)), healthColumns)+" "+
			padded(name, nameColumns)+"  "+says)
		if each.Hint != "" {
			t.line(&text, indent+"  ", indent+"→ "+t.lang.Tell(each.Hint))
		}
	}
	return text.String() + "\n"
}

func seconds(took time.Duration) string { return fmt.Sprintf("%.1f s", took.Seconds()) }

// machine checks what this machine has for exports, command lines and caches.
func (c *checks) machine() {
	browser, err := export.FindBrowser("")
	c.either(err == nil, "PDF", fmt.Sprintf("export --pdf prints and --browser opens pages with %s", browser),
		"no Chromium or Chrome was found, so export --pdf and --browser do not work",
		"install Chromium, or print the page that export --html makes")
	pandoc, err := exec.LookPath("pandoc")
	c.either(err == nil, "Word", fmt.Sprintf("export --docx converts with %s", pandoc),
		"no pandoc was found, so export --docx does not work", "install pandoc 2.15 or newer")
	c.either(shell.Landlocked(), "Landlock", "the commands of --shell are confined to a copy of the folder",
		"this kernel has none, so --shell offers no command lines",
		"Linux 5.13 and newer have it; without --shell it means nothing")
	cache := knownServers().path
	if cache == "" {
		c.add("cache", noted, "there is no folder for caches, so what a model server can do is found out in each run", "set HOME or XDG_CACHE_HOME")
		return
	}
	kept := fmt.Sprintf("what model servers can do is kept in %s", underHome(cache))
	if !isThere(cache) {
		kept = fmt.Sprintf("what model servers can do will be kept in %s", underHome(cache))
	}
	c.either(errors.Join(replace(cache+"-try", nil), os.Remove(cache+"-try")) == nil, "cache",
		kept,
		fmt.Sprintf("%s cannot be written, so what a model server can do is found out in each run", cache),
		"make it writable, or set XDG_CACHE_HOME to a folder that is")
}

// underHome returns a path with ~ for the user's home, which is short enough for a column.
func underHome(path string) string {
	home, _ := os.UserHomeDir() // without one, no path is below it
	if below, isIn := within(home, path); home != "" && isIn {
		return filepath.Join("~", below)
	}
	return path
}

// folder checks the folder of the research, or the place where it would be made.
func (c *doctorCommand) folder(here *checks) {
	if c.Dir == "" {
		return
	}
	info, err := os.Stat(c.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		here.add("research", noted, fmt.Sprintf("there is no folder %s yet; a run makes it", c.Dir), "")
		above, _ := filepath.Abs(c.Dir)
		for errors.Is(err, fs.ErrNotExist) && above != filepath.Dir(above) {
			above = filepath.Dir(above)
			_, err = os.Stat(above)
		}
		here.disk(above)
	case err != nil:
		here.fail("research", explain(err, c.Dir))
	case !info.IsDir():
		here.add("research", failing, fmt.Sprintf("%s is a file, and a research is a folder", c.Dir), "name a folder")
	default:
		here.research(c.Dir)
		here.disk(c.Dir)
	}
}

// research checks the research in a folder.
func (c *checks) research(dir string) {
	w, err := workspace.Open(dir)
	if err != nil {
		c.fail("research", explain(err, dir))
		return
	}
	entries, running := 0, w.Running()
	exists := w.Exists()
	damage, journal := w.History().Entries(func(store.Entry) { entries++ })
	journal = errors.Join(journal, w.Close())
	c.either(!running, "lock", "free", "a run is at work in it now", "")
	if !exists {
		c.add("dashboards", noted, "none yet", fmt.Sprintf("begin a research with: `daybook run -q \"your question\" %s`", shown(dir)))
		return
	}
	status, err := researcher.Open(dir).Status()
	if err != nil {
		c.fail("dashboards", explain(err, dir))
	} else {
		c.add("dashboards", healthy, fmt.Sprintf("readable; %s, step %d, %s", status.State, status.Step, prose.English.Count(status.Sources, "source")), "")
	}
	if running {
		damage.Torn = 0 // a line is being written
	}
	c.journal(entries, damage, journal)
	for _, warning := range status.Warnings {
		if warning != damage.String() {
			c.add("warning", noted, warning, "")
		}
	}
}

// journal adds the result of reading the journal.
func (c *checks) journal(entries int, damage store.Damage, err error) {
	switch {
	case err != nil:
		c.add("journal", failing, err.Error(), "make it readable, and look again")
	case damage.Lines > 0:
		c.add("journal", noted, prose.English.Count(entries, "whole line")+"; "+damage.String(), "nothing is lost that the other lines say: a run goes on from them, and what the damaged ones held of the step at hand is done again")
	case damage.Torn > 0:
		c.add("journal", noted, fmt.Sprintf("%s, and %d torn bytes at the end", prose.English.Count(entries, "whole line"), damage.Torn), "the next run sets them aside, and does again what they held")
	default:
		c.add("journal", healthy, fmt.Sprintf("%s, whole", prose.English.Count(entries, "line")), "")
	}
}

// disk checks the file system itself.
func (c *checks) disk(dir string) {
	disk, err := store.Probe(dir)
	if err != nil {
		c.fail("write access", explain(err, dir))
		return
	}
	c.add("write access", healthy, fmt.Sprintf("files can be written and made safe in %s", dir), "")
	if !disk.Locks {
		c.add("locks", noted, "this file system has no locks, so a file, .daybook/lock.held, keeps a second run out", "after a crash of the machine, remove it; a local disk needs none")
	}
	c.either(disk.Exchange, "exchange", "a file is put into its place in one step",
		"this file system cannot swap two files, so in the instant of a write there is none",
		"a local disk is better than a network folder")
	if disk.Measured {
		free := fmt.Sprintf("%.1f GB free", float64(disk.Free)/1e9)
		c.either(disk.Free >= 1<<30, "space", free, free, "a long research with many pages may take up to 1 GB")
	}
}

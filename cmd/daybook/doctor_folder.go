package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// folder looks at the folder of the research, or at where it would be made.
func (c *doctorCommand) folder() *checks {
	here := &checks{area: "folder"}
	if c.Dir == "" {
		return here
	}
	dir := c.Dir
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		above, err := filepath.Abs(dir)
		for ; err == nil; above = filepath.Dir(above) {
			if _, err := os.Stat(above); !errors.Is(err, fs.ErrNotExist) || above == filepath.Dir(above) {
				break
			}
		}
		here.add("research", noted, fmt.Sprintf("there is no folder %s yet; a run makes it", dir), "")
		dir = above
	case err != nil:
		here.fail("research", explain(err, c.Dir))
		return here
	case !info.IsDir():
		here.add("research", failing, fmt.Sprintf("%s is a file, and a research is a folder", dir), "name a folder")
		return here
	default:
		here.research(dir)
	}
	here.disk(dir)
	return here
}

// research looks at what stands in the folder.
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
		damage.Torn = 0 // a line that is being written
	}
	c.journal(entries, damage, journal)
	for _, warning := range status.Warnings {
		if warning != damage.String() {
			c.add("warning", noted, warning, "")
		}
	}
}

// journal tells what came of reading the journal.
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

// disk looks at the place itself.
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

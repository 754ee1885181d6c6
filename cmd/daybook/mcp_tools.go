package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/daybook-agent/daybook/actions/mcp"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
)

const mcpKey = "mcp"

// checkMCP removes the entries of disabled MCP servers, and returns an error if another entry is wrong.
func (s settings) checkMCP() error {
	for name, entry := range s.MCP {
		if entry.Disabled {
			delete(s.MCP, name)
		} else if err := entry.Check(name); err != nil {
			return wrongSetting(mcpKey, fmt.Sprintf("put its entry under mcp in %s right", workspace.SettingsFile),
				"the MCP server %s: %w", exact(name), err)
		}
	}
	return nil
}

// serverWants returns what the entries of MCP servers would do.
func (s settings) serverWants() []want {
	var all []want
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		tell := func(does, what, hidden string) {
			all = append(all, want{mcpKey, fmt.Sprintf(does, name, what), hidden})
		}
		entry := s.MCP[name]
		whole, _ := json.Marshal(entry) // of texts and numbers
		if entry.Command == "" {
			tell("%s: sends what the model asks for to %s", strconv.QuoteToASCII(entry.URL), string(whole))
		} else {
			line := entry.Command
			for _, arg := range entry.Args {
				line += " " + shown(arg)
			}
			tell("%s: starts a program on this machine, with all that you may do: %s", exact(line), string(whole))
		}
		for _, variable := range slices.Sorted(maps.Keys(entry.Env)) { // one can make any program run another
			tell("%s: is started with the variable %s", exact(variable+"="+entry.Env[variable]), "")
		}
		for _, header := range slices.Sorted(maps.Keys(entry.Headers)) {
			tell("%s: is sent the header %s", exact(header+": "+entry.Headers[header]), "")
		}
	}
	return all
}

// join gives a run the tools of its MCP servers that the user agreed to, and returns a function that ends the
// servers. A server that cannot be started is reported, and the research does without it.
func (c *runCommand) join(ctx context.Context, config *researcher.Config, s settings, mind *mind,
	term terminal, show *screen) (func(), error) {
	if mind.alone() || len(s.MCP) == 0 { // the built-in brain calls no tools
		return func() {}, nil
	}
	clients := c.open(ctx, s, show)
	var offers []mcp.Offer
	var wants []want
	for _, client := range clients {
		for _, o := range client.Offers {
			name, does := o.Tool.Name, "lets the researcher call %s, and it says: %s"
			if o.Tool.ForFiles {
				does = "lets the file agent call %s, and it says: %s"
			}
			if !o.Tool.ReadOnly {
				name += "*"
			}
			wants = append(wants, want{mcpKey, fmt.Sprintf(does, name, exact(prose.OneLine(o.Says))), o.Pin})
			offers = append(offers, o)
		}
	}
	goOn := show.hold()
	agreed, err := c.consent(term).toTools(ctx, c.Dir, wants)
	goOn()
	for i, o := range offers {
		if agreed(wants[i]) {
			config.Tools = append(config.Tools, o.Tool)
		}
	}
	if len(config.Tools) > 0 {
		show.say(c.speaks().Count(len(config.Tools), "joined tool"))
	}
	return func() {
		for _, client := range clients {
			client.Close()
		}
	}, err
}

// open starts the servers side by side, and returns those that run, always in the same order.
func (c *runCommand) open(ctx context.Context, s settings, show *screen) []*mcp.Client {
	lang := c.speaks()
	var all sync.WaitGroup
	names := slices.Sorted(maps.Keys(s.MCP))
	clients := make([]*mcp.Client, len(names))
	for i, name := range names {
		all.Go(func() {
			var err error
			if clients[i], err = mcp.Open(ctx, name, s.MCP[name], c.Dir); err != nil {
				show.say(lang.Say("the research does without the MCP server %s: %s", name, lang.Tell(clean(err.Error()))))
				return
			}
			for _, left := range clients[i].LeftOut {
				show.say(lang.Say("a tool is left out: %s", lang.Tell(clean(left))))
			}
		})
	}
	all.Wait()
	return slices.DeleteFunc(clients, func(c *mcp.Client) bool { return c == nil })
}

// toTools asks the user about tools not yet shown in this form, and returns those that they agree to.
func (c consent) toTools(ctx context.Context, dir string, wants []want) (func(want) bool, error) {
	agreed := agreementOn(dir)
	holds := func(w want) bool { return agreed.Tools[w.id()] != "" }
	fresh := slices.DeleteFunc(slices.Clone(wants), holds)
	switch {
	case len(fresh) == 0:
		return holds, nil
	case c.given:
		c.show("agreed, as --trust-settings says: %s", mcpKey, fresh)
	case !c.asks:
		c.say("%d of %d tools of MCP servers are left out, since you were not shown them as they are now: "+
			"run it once at a terminal, or with --trust-settings", len(fresh), len(wants))
		return holds, nil
	default:
		c.show("tools that you were not shown as they are now, from %s:", mcpKey, fresh)
		c.say("Each is described by its server, a stranger, and the model reads that in each step. Those " +
			"with * may change things.")
		if yes, err := c.yes(ctx, "Agree to all of them, for this folder? y or n"); err != nil || !yes {
			return holds, err
		}
	}
	c.remembered(agreed.toTools(wants).keep())
	return func(want) bool { return true }, nil
}

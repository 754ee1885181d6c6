package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/actions/mcp"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// mcpKey is the setting of the MCP servers.
const mcpKey = "mcp"

// checkMCP says what is wrong with the entries of MCP servers.
func (s settings) checkMCP() error {
	for name, entry := range s.MCP {
		if !mcp.ServerName.MatchString(name) {
			return wrongSetting(mcpKey, "call it by up to 24 letters, digits and hyphens",
				"the MCP server %q has a name that is none", clean(name))
		}
		if err := entry.Check(); err != nil {
			return wrongSetting(mcpKey, fmt.Sprintf("put its entry under mcp in %s right",
				workspace.SettingsFile),
				"the MCP server %s: %w", name, err)
		}
	}
	return nil
}

// serverWants are what the entries of MCP servers would do.
func (s settings) serverWants() []want {
	var all []want
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		entry := s.MCP[name]
		if entry.Disabled {
			continue
		}
		does := fmt.Sprintf("%s: sends what the model asks for to %s", name, address(entry.URL))
		if entry.Command != "" {
			line := []string{entry.Command}
			for _, arg := range entry.Args {
				if strings.ContainsAny(arg, " \t\n\"'") || arg == "" {
					arg = strconv.Quote(arg)
				}
				line = append(line, arg)
			}
			does = fmt.Sprintf("%s: starts a program on this machine, with all that you may do: %s",
				name, exact(strings.Join(line, " ")))
		}
		whole, _ := json.Marshal(entry) // of texts and numbers
		all = append(all, want{mcpKey, does, string(whole)})
		tell := func(does, what string) {
			all = append(all, want{mcpKey, fmt.Sprintf(does, name, what), ""})
		}
		for _, variable := range slices.Sorted(maps.Keys(entry.Env)) { // one can make any program run another
			tell("%s: is started with the variable %s", exact(variable+"="+entry.Env[variable]))
		}
		for _, header := range slices.Sorted(maps.Keys(entry.Headers)) {
			tell("%s: is sent the header %s", exact(header+": "+entry.Headers[header]))
		}
		if variables := entry.Variables(); len(variables) > 0 {
			tell("%s: is given the variables %s", strings.Join(variables, ", "))
		}
	}
	return all
}

// join gives a run the tools of the MCP servers in its settings that the person agreed to, and returns what
// ends the servers. One that cannot be started is told, and the research does without.
func (c *runCommand) join(ctx context.Context, config *researcher.Config, s settings, mind mind,
	term terminal, show display) (func(), error) {
	if len(mind.brains) == 0 || len(s.MCP) == 0 { // the built-in brain calls no tools
		return func() {}, nil
	}
	offers, end := c.open(ctx, s, show)
	var wants []want
	for _, o := range offers {
		name, does := o.Tool.Name, "lets the researcher call %s, and it says: %s"
		if o.Tool.ForFiles {
			does = "lets the file agent call %s, and it says: %s"
		}
		if !o.Tool.ReadOnly {
			name += "*"
		}
		wants = append(wants, want{mcpKey, fmt.Sprintf(does, name, exact(prose.OneLine(o.Says))), o.Pin})
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
	return end, err
}

// open starts the servers side by side, and returns what they offer, in the same order in each run.
func (c *runCommand) open(ctx context.Context, s settings, show display) (offers []mcp.Offer, end func()) {
	lang := c.speaks()
	var all sync.WaitGroup
	names := slices.Sorted(maps.Keys(s.MCP))
	clients, errs := make([]*mcp.Client, len(names)), make([]error, len(names))
	for i, name := range names {
		if s.MCP[name].Disabled {
			continue
		}
		all.Go(func() {
			clients[i], errs[i] = mcp.Open(ctx, name, s.MCP[name],
				mcp.Options{Workspace: c.Dir, Lookup: os.LookupEnv})
		})
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			show.say(lang.Say("the research does without the MCP server %s: %s", names[i],
				lang.Tell(clean(err.Error()))))
		}
	}
	clients = slices.DeleteFunc(clients, func(c *mcp.Client) bool { return c == nil })
	for _, client := range clients {
		offers = append(offers, client.Offers()...)
		for _, left := range client.LeftOut() {
			show.say(lang.Say("a tool is left out: %s", lang.Tell(clean(left))))
		}
	}
	slices.SortFunc(offers, func(a, b mcp.Offer) int { return strings.Compare(a.Tool.Name, b.Tool.Name) })
	return offers, func() {
		for _, client := range clients {
			client.Close()
		}
	}
}

// toTools asks the person about tools that they were not shown as they are, and returns which they agree to.
func (c consent) toTools(ctx context.Context, dir string, wants []want) (func(want) bool, error) {
	kept, _ := agreements{dir}.read()
	holds := func(w want) bool { return kept.Tools[w.id()] != "" }
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
	if err := (agreements{dir}).keepTools(wants); err != nil {
		c.say("this is not remembered, and will be asked again: %s", c.lang.Tell(clean(err.Error())))
	}
	return func(want) bool { return true }, nil
}

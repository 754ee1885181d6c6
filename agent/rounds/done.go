package rounds

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// done lists, from the journal, what the researcher looked for and read since the last round, each once, and
// how often it did other things. It leaves out what failed, was refused or has not ended, and proposals to
// finish, which find out nothing.
func (v Reviewer) done() ([]string, error) {
	deeds, err := v.deeds(false)
	var lines, others []string
	times := map[string]int{}
	for _, d := range deeds {
		switch name := d.Name; {
		case d.Failed || name == "all_finished":
		case name == "web_search" || name == "visit_url" || name == "browse":
			if line := v.told(*d); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		default:
			if times[name]++; times[name] == 1 {
				others = append(others, name)
			}
		}
	}
	for i, name := range others {
		others[i] = fmt.Sprintf("%s ×%d", name, times[name])
	}
	if len(others) > 0 {
		lines = append(lines, strings.Join(others, ", "))
	}
	return lines, err
}

// readFor returns what the researcher wanted to know of each source, in its own words, by the source's id.
func (v Reviewer) readFor() (map[string][]string, error) {
	all := map[string][]string{}
	deeds, err := v.deeds(true)
	for _, d := range deeds {
		var args struct {
			Focus string `json:"focus"`
		}
		id := actions.ReadAs(*d)
		if d.Failed || id == "" || json.Unmarshal([]byte(d.Args), &args) != nil {
			continue
		}
		if focus := strings.Trim(prose.OneLine(args.Focus), " .。"); focus != "" && !slices.Contains(all[id], focus) {
			all[id] = append(all[id], focus)
		}
	}
	return all, err
}

// deeds returns the calls of the researcher in order: those since the last round, or all of them.
func (v Reviewer) deeds(all bool) ([]*agent.Did, error) {
	var deeds []*agent.Did
	asked := map[string]*agent.Did{} // by the call's path
	rounds := 0
	err := v.Workspace.EntriesOfNow(func(e store.Entry) {
		name, what, _ := strings.Cut(e.Key, " ")
		switch {
		case name == "kept" && what == Key && !all:
			var r State
			if json.Unmarshal(e.Value, &r) == nil && len(r.Rounds) != rounds {
				rounds, deeds = len(r.Rounds), nil
			}
		case what == "reply" && !strings.Contains(name, "/"):
			var reply agent.Reply
			if json.Unmarshal(e.Value, &reply) != nil {
				return
			}
			who, _, _ := strings.Cut(name, "#")
			for _, c := range reply.Calls {
				d := &agent.Did{Call: c, Failed: true}
				deeds, asked[who+"/"+c.ID] = append(deeds, d), d
			}
		case what == "result" && asked[name] != nil:
			came := agent.Did{Call: asked[name].Call}
			if json.Unmarshal(e.Value, &came) == nil {
				*asked[name] = came
			}
		}
	})
	return deeds, err
}

// told describes a call in one line. A visited page is named by the id and title of its source, because the
// id of a search result says nothing.
func (v Reviewer) told(d agent.Did) string {
	var args struct {
		Query string `json:"query"`
		URL   string `json:"url"`
		Focus string `json:"focus"`
	}
	if json.Unmarshal([]byte(d.Args), &args) != nil {
		return d.Name
	}
	id := actions.ReadAs(d)
	if s, ok := v.Workspace.Source(id); ok && id != "" {
		args.URL = s.ID + " " + s.Title
	}
	if args.Focus != "" {
		args.Focus = "· " + args.Focus
	}
	what := prose.OneLine(strings.Join([]string{args.Query, args.URL, args.Focus}, " "))
	return strings.TrimSuffix(d.Name+": "+what, ": ")
}

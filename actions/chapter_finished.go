package actions

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// handed is the result that a chapter's researcher hands back.
type handed struct {
	Summary   string   `json:"summary,omitempty" jsonschema:"what the chapter establishes, a line a claim, with citations"`
	Missing   []string `json:"missing,omitempty" jsonschema:"what could not be found out"`
	Elsewhere []string `json:"elsewhere,omitempty" jsonschema:"what belongs to another chapter, with its source"`
	Against   []string `json:"against,omitempty" jsonschema:"what of all that the chapters have in common does not hold"`
}

func handedKey(file string) string { return "handed back " + file }

// HandedBack returns the claims a chapter's researcher last handed back, one per line; "" for none.
func HandedBack(w *workspace.Workspace, file string) string {
	var last handed
	w.Kept(handedKey(file), &last)
	return last.Summary
}

// withBefore fills in what a call omits from the previous call, which was refused or answered with remarks,
// except lines whose sources were not read. An empty list clears the earlier one. New claims replace the
// earlier ones; a summary that cites nothing is put before them, since it may retract some of them.
func (k Kit) withBefore(turn *agent.Turn, in handed) (handed, error) {
	var before handed
	key := "handed " + path.Dir(turn.Path())
	k.Workspace.Kept(key, &before)
	unread := func(line string) bool { return k.unread(line) != "" }
	if said := strings.TrimSpace(in.Summary); len(workspace.Marks(said)) == 0 {
		lines := strings.Split(said, "\n")
		held := strings.Join(slices.DeleteFunc(strings.Split(before.Summary, "\n"), func(line string) bool {
			return unread(line) || slices.Contains(lines, line)
		}), "\n")
		if said == "" || len(workspace.Marks(held)) > 0 {
			in.Summary = strings.TrimSpace(said + "\n" + held)
		}
	}
	for _, list := range []struct{ now, before *[]string }{{&in.Missing, &before.Missing},
		{&in.Elsewhere, &before.Elsewhere}, {&in.Against, &before.Against}} {
		if *list.now == nil {
			*list.now = slices.DeleteFunc(*list.before, unread)
		}
	}
	return in, k.Workspace.Keep(key, in)
}

func (k Kit) chapterFinished() agent.Action {
	a := agent.NewAction("chapter_finished", doc("chapter_finished"),
		func(ctx context.Context, turn *agent.Turn, in handed) (agent.Outcome, error) {
			in, err := k.withBefore(turn, in)
			if err != nil {
				return agent.Outcome{}, err
			}
			text, err := k.Workspace.Peek(k.chapter)
			if err != nil {
				return agent.Outcome{}, fmt.Errorf("the chapter is not written: %w", err)
			}
			if len(workspace.Marks(text)) == 0 && len(in.Missing) == 0 {
				return agent.Outcome{},
					fmt.Errorf("%s cites nothing: write what you found there, each claim "+
						"with its citation; where nothing is to be found, say in missing what was looked for",
						k.chapter)
			}
			unread := k.unread(text + "\n" + in.Summary)
			more, err := k.onceMore(ctx, turn, text, unread != "")
			switch {
			case err != nil:
				return agent.Outcome{}, err
			case unread != "":
				return agent.Outcome{}, errors.New(unread + more)
			case more != "":
				return agent.Say("Not finished yet." + more), nil
			}
			if err := k.Workspace.Keep(handedKey(k.chapter), in); err != nil {
				return agent.Outcome{}, err
			}
			said := in.Summary
			for _, list := range []struct {
				head  string
				lines []string
			}{{"Not found", in.Missing}, {"Belongs elsewhere", in.Elsewhere},
				{"Speaks against what all have in common", in.Against}} {
				if len(list.lines) > 0 {
					said += "\n" + list.head + ":\n- " + strings.Join(list.lines, "\n- ")
				}
			}
			return agent.Outcome{Effect: agent.Finish, Text: strings.TrimSpace(said)}, nil
		})
	a.Ends = true
	return a
}

// onceMore returns remarks the first time a chapter's researcher finishes: citations that do not hold, which
// are cheapest to fix while the sources are fresh; names in its samples that no source has; and how far it
// exceeds its share, from a fifth on if there are other remarks, otherwise from a third. Faults that remain
// are reported by the report's gate.
func (k Kit) onceMore(ctx context.Context, turn *agent.Turn, text string, goesOn bool) (string, error) {
	if k.Check == nil || turn.Closing() {
		return "", nil
	}
	var told struct {
		Call string `json:"call"`
	}
	key := "checked " + path.Dir(turn.Path())
	if k.Workspace.Kept(key, &told); told.Call != "" && told.Call != turn.Path() {
		return "", nil
	}
	told.Call = turn.Path()
	if err := k.Workspace.Keep(key, told); err != nil {
		return "", err
	}
	said := ""
	if faults := k.Check(ctx, k.chapter); faults != "" {
		said = "\n\n" + faults + "\nMend these in " + k.chapter + ", then hand it back again."
	}
	strange, err := k.StrangeNames(ctx, turn, text, "")
	if said += strange; goesOn || said != "" {
		return said + k.share.over(k.chapter, text, 5), err
	}
	return k.share.over(k.chapter, text, 3), err
}

// unread returns an error text for cited sources that do not exist, or that were shown neither to the
// chapter's researcher nor to the one that assigned the chapter; "" for none.
func (k Kit) unread(text string) string {
	var unknown, unread []string
	for _, id := range workspace.Cited(text) {
		if _, ok := k.Workspace.Source(id); !ok {
			unknown = append(unknown, id)
		} else if !k.Workspace.WasShown(k.chapter, id) && !k.Workspace.WasShown("", id) {
			unread = append(unread, id)
		}
	}
	var said []string
	if len(unknown) > 0 {
		said = append(said, fmt.Sprintf("there is no source %s: cite what was read",
			strings.Join(unknown, ", ")))
	}
	if ids := strings.Join(unread, ", "); ids != "" {
		said = append(said, fmt.Sprintf("you did not read %s: visit_url %s and cite the block that says it, "+
			"or take its citations out", ids, ids))
	}
	return strings.Join(said, "\n")
}

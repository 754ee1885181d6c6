package rounds

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Conclude leaves an honest report of a run that ended before it was finished, and returns its name. An
// existing report gets the note on how it came about. If there is none, or only the one of an earlier run, it
// is put together from the chapters. If a person deleted report.md in this run, the report becomes a conflict
// copy and the name is "". The next run goes on from the dashboards, and rewrites the report.
func (v Reviewer) Conclude(ctx context.Context, ended agent.Result) (string, error) {
	r := stateOf(v.Workspace)
	if r.Ended != "" { // it was taken up again after its end, with nothing proposed since
		r = r.next()
	}
	r.Broken = v.words().broken(ended)
	text, err := v.Workspace.Peek(workspace.ReportFile)
	bind := err != nil || strings.TrimSpace(text) == "" || r.isBound(text)
	if bind {
		if text, err = v.partial(ctx, r.Broken); err != nil {
			return "", err
		}
		r.Bound = fingerprint(text)
	}
	if err := v.Workspace.Keep(Key, r); err != nil {
		return "", err
	}
	name := workspace.ReportFile
	if bind {
		_, err = v.Workspace.Overwrite(name, text)
	}
	if errors.Is(err, workspace.ErrTakenAway) {
		return "", nil // the text is kept as a conflict copy
	}
	if err == nil {
		err = v.sign(ctx, r, name)
		var conflict *workspace.ConflictError
		if err == nil || errors.As(err, &conflict) { // a person is at work in it
			return name, nil
		}
	}
	if errors.Is(err, store.ErrLocked) || ctx.Err() != nil {
		return "", err
	}
	return v.concludeBeside(ctx, r, err)
}

// unfinishedFile is the name of an unfinished report if report.md cannot be written.
const unfinishedFile = "report-unfinished.md"

// concludeBeside leaves the report under another name, for a reason that applies only to the usual one.
func (v Reviewer) concludeBeside(ctx context.Context, r State, why error) (string, error) {
	text, err := v.partial(ctx, r.Broken)
	if err == nil {
		_, err = v.Workspace.Overwrite(unfinishedFile, text)
	}
	if err == nil {
		err = v.sign(ctx, r, unfinishedFile)
	}
	if err != nil {
		return "", fmt.Errorf("writing the unfinished report: %w", why)
	}
	return unfinishedFile, nil
}

// fingerprint identifies a report, whatever the program writes around it.
func fingerprint(text string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(own(text))))
	return hex.EncodeToString(sum[:8])
}

func (r State) isBound(text string) bool { return r.Bound != "" && r.Bound == fingerprint(text) }

// Bounds on the size of the bound chapters, with room for what the program adds, and on how many are named
// that do not fit.
const (
	maxBound = workspace.MaxWrite / 2
	mostLeft = 20
)

// partial binds the chapters as they are, and lists what is missing.
func (v Reviewer) partial(ctx context.Context, why string) (string, error) {
	var left []string
	var shown []workspace.Chapter
	chapters, err := v.Workspace.Chapters()
	if err != nil { // the folder may be gone
		left = append(left, prose.OneLine(agent.Disarm(err.Error())))
	}
	w := v.words()
	what := w.Say("This report is not finished: it is the chapters as they stood when the work stopped, in their order. ")
	if len(chapters) == 0 {
		what = w.Say("This report is not finished, and no chapter was begun. ")
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n%s\n", agent.Literal(prose.OneLine(v.Workspace.Asked())), what+why)
	for _, c := range chapters {
		if err := context.Cause(ctx); err != nil {
			return "", fmt.Errorf("binding the chapters: %w", err)
		}
		text, err := v.Workspace.Peek(c.File)
		if err == nil && out.Len()+len(text) > maxBound {
			err = errors.New(w.Say("there is no room for it here"))
		}
		if err != nil { // the report can do without one file
			left = append(left, "`"+strings.ReplaceAll(c.File, "`", "'")+"`: "+prose.OneLine(agent.Disarm(err.Error())))
			continue
		}
		out.WriteString("\n" + markdown.AsSection(c.Title, text))
		shown = append(shown, c)
	}
	section := func(title string, items []string) {
		if len(items) > 0 {
			fmt.Fprintf(&out, "\n## %s\n\n- %s\n", title, strings.Join(items, "\n- "))
		}
	}
	section(w.Say("Chapters left out"), bounded(left, mostLeft, w.Say("… and %d more")))
	overall, err := v.Workspace.Peek(workspace.OverallFile)
	if err != nil {
		return "", err
	}
	blueprint, _ := workspace.Section(overall, "blueprint")
	var begun, open []string
	for _, item := range workspace.Checklist(blueprint) {
		if _, ok := item.ChapterIn(shown); ok && !item.Done {
			begun = append(begun, "**"+item.Title()+"**")
		} else if !item.Done {
			open = append(open, "**"+item.Title()+"**")
		}
	}
	section(w.Say("Begun above, and not finished"), begun)
	section(w.Say("Not covered"), open)
	return out.String(), nil
}

// broken returns a line on why a run ended before it was finished.
func (w words) broken(ended agent.Result) string {
	text := w.Say("Not finished: it stopped after %d steps, %s", ended.Steps, w.Say(string(ended.Reason)))
	if why := prose.OneLine(agent.Disarm(ended.Text)); why != "" {
		text += w.Say(" (%s)", prose.Shorten(why, mostWhy))
	}
	return text + w.Say(".")
}

// mostWhy bounds, in letters, a model's reason for not going on.
const mostWhy = 300

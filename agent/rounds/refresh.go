package rounds

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"golang.org/x/sync/errgroup"
)

// Refreshed describes what became of the sources of a finished research since they were read.
type Refreshed struct {
	Looked   int       `json:"looked"`             // how many sources were looked at again
	Back     []string  `json:"back,omitempty"`     // files that a person had deleted, now restored
	Changed  []string  `json:"changed,omitempty"`  // sources whose text changed
	Renamed  []string  `json:"renamed,omitempty"`  // documents whose text is found under another name
	Gone     []string  `json:"gone,omitempty"`     // those found nowhere any more
	Outside  []string  `json:"outside,omitempty"`  // those that exist, but no longer among the documents
	Returned []string  `json:"returned,omitempty"` // those the report rested on that were gone and are back
	Failed   []string  `json:"failed,omitempty"`   // those that could not be read, with the reason
	Claims   []Touched `json:"claims,omitempty"`   // claims of the report that rest on what changed
	File     string    `json:"file,omitempty"`     // file that lists all of it, with the passages
}

// Touched is a claim of the report whose passage has changed.
type Touched struct {
	Line  int    `json:"line"`
	Claim string `json:"claim"`
	Ref   string `json:"ref"`           // the citation
	Now   string `json:"now,omitempty"` // what took its place; "" if nothing did
	// Says is what the source says there now, from a few words before the first that differs
	Says string `json:"says,omitempty"`
}

// RefreshKey is the workspace key of a [Refresh].
const RefreshKey = "refreshed"

// Refresh is the state of the last refresh.
type Refresh struct {
	// Told maps the id of each source reported as changed to that of the new one: each is reported once
	Told map[string]string `json:"told,omitempty"`
	Due  int               `json:"due,omitempty"` // the step from which the work on what changed can be finished
	// Lost maps the ids of sources that are gone and that the report rested on to their addresses
	Lost map[string]string `json:"lost,omitempty"`
	// Claims are the report's claims that rested on what changed, as they were
	Claims []Touched `json:"claims,omitempty"`
}

const (
	lookedSideBySide = 8
	mostTouched      = 40 // claims that a task names
	mostDiffering    = 20 // other passages of one source that are shown
)

// change is a source that has changed or is gone.
type change struct {
	from     workspace.Source
	to       citation.Source // without an id if it is gone
	old, new []block.Block
	fates    []block.Fate // of old
	same     bool         // apart from backslashes
}

// Refresh looks at the sources of a finished research again, keeps changed texts as sources of their own, and
// reports which claims of its report rest on what changed. If there are any, they become the next task on the
// dashboards. In a strange folder it fetches only addresses that the user or a search named.
func (v Reviewer) Refresh(ctx context.Context, report string, step int, strange bool) (Refreshed, error) {
	state := Refresh{Told: map[string]string{}, Lost: map[string]string{}}
	v.Workspace.Kept(RefreshKey, &state)
	if err := v.Workspace.Keep(RefreshKey, state); err != nil { // it tells a replay what follows
		return Refreshed{}, err
	}
	text, err := v.Workspace.Peek(report)
	if err != nil {
		return Refreshed{}, err
	}
	text = citation.WithoutOwn(text)
	var told Refreshed
	cited := workspace.Cited(text)
	v.bringBack(cited, &told)
	checked := citation.Check(ctx, text, citation.Of(v.Workspace))
	looked, err := v.lookAgain(ctx, strange)
	if err != nil {
		return Refreshed{}, err
	}
	told.Looked = len(looked)
	looked = v.inside(looked, cited, &told)
	changes, err := v.changes(ctx, looked, cited, state.Told, &told)
	if err != nil {
		return told, err
	}
	state.found(looked, &told)
	if len(changes) == 0 && len(told.Returned) == 0 {
		return told, v.Workspace.Keep(RefreshKey, state)
	}
	told.Claims = touched(checked.Findings, changes)
	words := v.words()
	now := time.Now()
	told.File, err = v.Workspace.KeepResult("changes "+now.Format("2006-01-02"),
		words.changes(report, now, told, changes))
	if err != nil {
		return told, err
	}
	for _, c := range changes {
		state.Told[c.from.ID] = c.to.ID
	}
	if told.IsWork() {
		state.Due, state.Claims = step+1, append(Unmended(ctx, v.Workspace, report), told.Claims...)
		state.lose(changes, told.Claims)
		if v.Judging.spares(NoJudge) {
			err = v.quoteAgain(changes, &state, len(told.Returned) > 0)
		}
		if err == nil {
			err = v.assign(stateOf(v.Workspace), words.refresh(report, told))
		}
		if err != nil {
			return told, err
		}
	}
	return told, v.Workspace.Keep(RefreshKey, state)
}

func (r *Refreshed) fail(id string, err error) {
	r.Failed = append(r.Failed, prose.OneLine(fmt.Sprintf("%s: %v", id, err)))
}

// IsWork reports whether anything of the report is to be mended or looked for again.
func (r Refreshed) IsWork() bool { return len(r.Claims)+len(r.Returned) > 0 }

// bringBack restores the files of cited sources that a person deleted, if the journal holds them.
func (v Reviewer) bringBack(cited []string, told *Refreshed) {
	for _, s := range v.Workspace.Deleted() {
		if s.URL == "" || !slices.Contains(cited, s.ID) {
			continue
		}
		if err := v.Workspace.BringBack(s.ID); err != nil {
			told.fail(s.ID, err)
			continue
		}
		told.Back = append(told.Back, s.File)
	}
}

// lookAgain looks at each source address once, and compares with the newest text from there. That text may be
// kept as a source of another address; then what that server said of its version does not apply.
func (v Reviewer) lookAgain(ctx context.Context, strange bool) ([]actions.Looked, error) {
	var all []actions.Looked
	sources := v.Workspace.Sources()
	for i, s := range sources {
		if slices.ContainsFunc(sources[i+1:], func(next workspace.Source) bool { return next.URL == s.URL }) {
			continue
		}
		newest, ok := v.Workspace.Source(s.URL)
		if !ok {
			newest = s
		}
		if newest.ID != s.ID {
			s.SHA256, s.ETag, s.Modified = newest.SHA256, "", ""
		}
		all = append(all, actions.Looked{Source: s, Now: newest})
	}
	kept := slices.Clone(all)
	var group errgroup.Group
	group.SetLimit(lookedSideBySide)
	for i, before := range kept {
		group.Go(func() error {
			if all[i] = v.LookAgain(ctx, before.Source, strange); all[i].Text == "" {
				all[i].Now = before.Now
			}
			return nil
		})
	}
	err := group.Wait() // before the cause of a cancellation is read
	for i, before := range kept {
		known := slices.Contains(before.Now.Addresses(), all[i].Now.URL)
		if all[i].Text != "" && known && v.holds(before.Now.ID, all[i].Text) {
			all[i].Now, all[i].Text = before.Now, ""
		}
	}
	return all, cmp.Or(context.Cause(ctx), err)
}

// holds reports whether a source has a text, apart from backslashes.
func (v Reviewer) holds(id, text string) bool {
	kept, intact, err := v.Workspace.SourceText(id)
	return err == nil && intact && block.Same(kept, text)
}

// changes keeps changed texts as sources, and compares them with what the report cites, including what was
// read at the same address before.
func (v Reviewer) changes(ctx context.Context, looked []actions.Looked, cited []string,
	before map[string]string, told *Refreshed) ([]change, error) {
	var all []change
	lookup := citation.Of(v.Workspace)
	for _, l := range looked {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		now := citation.Source{Source: l.Now}
		switch {
		case l.Err != nil:
			told.fail(l.Source.ID, l.Err)
			continue
		case l.Gone:
			now.ID = ""
		case l.Text != "":
			kept, err := v.Workspace.AddSource(l.Now, l.Text)
			if err != nil {
				return nil, err
			}
			now.Source = kept
			if l.Now.URL != l.Source.URL && !slices.Contains(l.Source.Also, l.Now.URL) {
				told.Renamed = append(told.Renamed, named(l.Source)+" → "+strings.TrimPrefix(l.Now.URL, "doc:"))
			}
		}
		found := len(all)
		for _, s := range v.Workspace.Sources() {
			to, known := before[s.ID]
			isCompared := slices.Contains(cited, s.ID) || s.ID == l.Source.ID && to == "" && len(all) == found
			if s.URL == l.Source.URL && now.ID != "" && s.SHA256 == now.SHA256 {
				delete(before, s.ID) // it may change once more
				continue
			}
			if s.URL != l.Source.URL || !isCompared || known && to == now.ID {
				continue
			}
			c, err := compared(lookup, s, now.ID)
			if err != nil {
				told.fail(s.ID, err)
				continue
			}
			if now.ID != "" && c.same {
				delete(before, s.ID)
				continue
			}
			all = append(all, c)
		}
		if len(all) > found && now.ID == "" {
			told.Gone = append(told.Gone, named(l.Source))
		} else if len(all) > found {
			told.Changed = append(told.Changed, named(l.Source))
		}
	}
	for _, s := range v.Workspace.Deleted() { // which the journal does not hold
		if _, known := before[s.ID]; s.URL == "" && slices.Contains(cited, s.ID) && !known {
			all, told.Gone = append(all, change{from: s}), append(told.Gone, named(s))
		}
	}
	return all, nil
}

// named returns a source as a list names it.
func named(s workspace.Source) string {
	return s.ID + " " + prose.OneLine(cmp.Or(s.Title, s.File))
}

// compared compares a source with what it has become; to is "" if it is gone.
func compared(lookup citation.Lookup, s workspace.Source, to string) (c change, err error) {
	old, err := lookup(s.ID)
	if err == nil && to != "" {
		c.to, err = lookup(to)
	}
	c.from, c.old, c.new = s, block.Split(old.Text), block.Split(c.to.Text)
	c.fates, c.same = block.Follow(c.old, c.new), block.Same(old.Text, c.to.Text)
	return c, err
}

// fate returns what became of the cited block. In a source cited as a whole, nothing is the same.
func (c change) fate(ref workspace.Ref) block.Fate {
	if ref.Block > 0 && ref.Block <= len(c.fates) {
		return c.fates[ref.Block-1]
	}
	return block.Fate{}
}

// now returns the citation of what took the place of what ref names, or "" if nothing did.
func (c change) now(ref workspace.Ref) string {
	if n := c.fate(ref).N; n > 0 && c.to.ID != "" {
		return c.block(n)
	}
	if ref.Block == 0 {
		return c.to.ID
	}
	return ""
}

// block returns the citation of a block as it is now.
func (c change) block(n int) string { return workspace.Ref{ID: c.to.ID, Block: n}.String() }

// Unmended returns the claims of a report that refreshes found to rest on what changed and that nobody has
// mended, with the lines where they are now.
func Unmended(ctx context.Context, w *workspace.Workspace, report string) (left []Touched) {
	var state Refresh
	if !w.Kept(RefreshKey, &state) || len(state.Claims) == 0 {
		return nil
	}
	for _, f := range citation.Check(ctx, textOf(w, report), citation.Of(w)).Findings {
		at := slices.IndexFunc(state.Claims, func(t Touched) bool {
			return t.Ref == f.Ref.String() && t.Claim == prose.OneLine(f.Text)
		})
		if at >= 0 {
			t := state.Claims[at]
			t.Line = f.Line
			left = append(left, t)
		}
	}
	return left
}

// touched returns the claims whose passage no longer says the same.
func touched(findings []citation.Finding, changes []change) []Touched {
	var all []Touched
	for _, f := range findings {
		for _, c := range changes {
			t := Touched{f.Line, prose.OneLine(f.Text), f.Ref.String(), c.now(f.Ref), c.says(f.Ref)}
			if c.from.ID == f.Ref.ID && !c.fate(f.Ref).Same && !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}

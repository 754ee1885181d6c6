package rounds

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// found removes sources that are back from the lost ones, and reports them.
func (r *Refresh) found(looked []actions.Looked, told *Refreshed) {
	for _, l := range looked {
		if _, was := r.Lost[l.Source.ID]; was && !l.Gone && l.Err == nil {
			delete(r.Lost, l.Source.ID)
			told.Returned = append(told.Returned, named(l.Source))
		}
	}
}

// inside leaves out sources that are no longer among the documents: nothing is known against what rests on
// them. It reports those that are cited, by this source or by what was read at its address before.
func (v Reviewer) inside(looked []actions.Looked, cited []string, told *Refreshed) []actions.Looked {
	isCited := func(of workspace.Source) bool {
		return slices.ContainsFunc(v.Workspace.Sources(), func(s workspace.Source) bool {
			return s.URL == of.URL && slices.Contains(cited, s.ID)
		})
	}
	return slices.DeleteFunc(looked, func(l actions.Looked) bool {
		if l.Outside && isCited(l.Source) {
			told.Outside = append(told.Outside, named(l.Source))
		}
		return l.Outside
	})
}

// lose remembers the sources that are gone although claims rested on them.
func (r *Refresh) lose(changes []change, claims []Touched) {
	for _, c := range changes {
		rests := func(t Touched) bool { return t.Ref == c.from.ID || strings.HasPrefix(t.Ref, c.from.ID+".") }
		if c.to.ID == "" && slices.ContainsFunc(claims, rests) {
			r.Lost[c.from.ID] = strings.TrimPrefix(cmp.Or(c.from.URL, c.from.File), "doc:")
		}
	}
}

// missed returns a function that brings the lost sources in the list of gaps up to date.
func (r *Refresh) missed(w words) func(gaps string) string {
	begin := "- " + w.Say("Gone since it was read: ")
	return func(gaps string) string {
		gaps = without(gaps, func(line string) bool { return strings.HasPrefix(line, begin) })
		left := strings.TrimRight(gaps, "\n") + "\n"
		for _, address := range slices.Sorted(maps.Values(r.Lost)) {
			left += begin + "`" + prose.OneLine(strings.ReplaceAll(address, "`", "")) + "`" + w.Say(".") + "\n"
		}
		return strings.Trim(left, "\n")
	}
}

// laidOut matches a chapter that the built-in brain laid out.
var laidOut = regexp.MustCompile(`^- \[.*(?:Queries: |检索词：).*(?:Passages: |段落：)`)

// unlaid removes the passages of chapters that the built-in brain laid out: it searches for them again.
func unlaid(blueprint string) string {
	lines := strings.SplitAfter(blueprint, "\n")
	for i, line := range lines {
		if laidOut.MatchString(line) {
			for _, m := range slices.Backward(workspace.Marks(line)) {
				line = line[:m.Start] + line[m.End:]
			}
			lines[i] = line
		}
	}
	return strings.Join(lines, "")
}

package gate

import (
	"context"
	"fmt"
	"slices"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// minimum requires the profile's minimum of different sources behind a report, and of tokens spent on it: a
// cheap answer was not researched. Ten copies of one text are one source.
func (p Profile) minimum(ctx context.Context, r Report) string {
	if r.Nowhere && !r.HasRead {
		return ""
	}
	if want := p.Sources; want > 0 { // comparing sources reads all their texts
		var sources []citation.Source
		for _, id := range slices.Sorted(slices.Values(workspace.Cited(r.Text))) {
			if s, err := r.Lookup(id); err == nil {
				sources = append(sources, s)
			}
		}
		if n := len(citation.OriginsOf(ctx, sources).Texts); n < want {
			return tooFew(r.File, n, want, len(sources)-n)
		}
	}
	if want := p.Tokens; r.Tokens < want {
		// without the amount spent, which grows: the same refusal must read the same
		return fmt.Sprintf("fewer tokens were spent than the %d that this profile wants: look further into "+
			"what is thin, uncertain or one-sided before you finish", want)
	}
	return ""
}

// tooFew says that a file cites only n different sources, and how many others are copies of those.
func tooFew(file string, n, want, copies int) string {
	if n == 0 {
		return fmt.Sprintf("%s cites no source that was read, and needs %s: search, read, and "+
			"cite what bears on the question", file, different(want))
	}
	beside := ""
	switch {
	case copies == 1:
		beside = " (1 more is a copy)"
	case copies > 1:
		beside = fmt.Sprintf(" (%d more are copies)", copies)
	}
	return fmt.Sprintf("%s cites %s%s and needs %d: search for others, read them, and use what they add",
		file, different(n), beside, want)
}

func different(n int) string {
	if n == 1 {
		return "1 source"
	}
	return fmt.Sprintf("%d different sources", n)
}

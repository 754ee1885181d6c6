package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// maxFaults bounds how many faults a refusal lists: all that can be fixed in one go.
const maxFaults = 30

// Citations is the gate that requires every citation of the report to hold, each quote to have a citation,
// and the report to have at least one if a page was read. Only a report that just quotes may go without.
func Citations() Gate { return Gate{"citations", citations} }

func citations(ctx context.Context, r Report) string {
	read := citation.Read(ctx, r.Text)
	checked := read.Check(ctx, r.Lookup)
	checked.Judge(r.Judgements)
	if len(checked.Findings) == 0 && r.HasRead && !r.Quoted {
		return strings.TrimSpace(fmt.Sprintf("%s cites nothing. Name the source after each statement "+
			"of fact, such as [s1.12] for block 12 of source s1", r.File) + "\n" + lookalikes(read, r))
	}
	return broken(r.File, checked) + strays(ctx, read, r) + lookalikes(read, r)
}

// OwnFigures advises the author of a report on figures that no source has.
const OwnFigures = "A figure that you worked out yourself, or that the person told you, goes into a " +
	"sentence of its own without a citation."

// broken lists the citations that do not hold.
func broken(file string, checked citation.Result) string {
	var ids, faults []string
	advice := ""
	for i, c := range checked.Findings {
		if !c.Verdict.Missing() && c.Verdict != citation.QuoteTooLong {
			continue
		}
		if !slices.Contains(ids, c.Source) {
			ids = append(ids, c.Source)
		}
		if c.Verdict == citation.FigureMissing {
			advice = OwnFigures + "\n"
		}
		if i > 0 && c.Repeats(checked.Findings[i-1]) {
			continue
		}
		fault := fmt.Sprintf("line %d [%s]: %s: %s", c.Line, c.Ref, c.Verdict, shown(c.Why))
		// whoever fixes it may have forgotten the report
		if len(c.Missing) != 1 || strings.Trim(c.Text, "“”\"「」『』«» ") != c.Missing[0] {
			fault += "\n  " + fmt.Sprintf("in the sentence: %s", prose.Shorten(shown(c.Text), mostShown))
		}
		if c.Nearest != "" {
			fault += "\n  " + fmt.Sprintf("the source has: %s", shown(c.Nearest))
		}
		faults = append(faults, fault)
	}
	return list(faults, fmt.Sprintf("what %s cites does not all hold (faults: %d, in citations of %s). Put "+
		"each right from the text of the source, cite the source that says it, or take the statement out.",
		file, len(faults), strings.Join(ids, ", "))) + advice
}

// strays lists the quotes without a citation.
func strays(ctx context.Context, read *citation.Report, r Report) string {
	var faults []string
	for _, s := range read.Strays(ctx, r.Sources, r.Lookup, r.Wrote) {
		told := "has no citation, and stands in no source"
		if s.Source != "" {
			told = fmt.Sprintf("has no citation; it stands in %s: add [%s]", s.Source, s.Source)
		}
		faults = append(faults, fmt.Sprintf("line %d: the quote “%s” %s",
			s.Line, prose.Shorten(shown(s.Quote), mostShown), told))
	}
	return list(faults, fmt.Sprintf("%s quotes without a citation (quotes: %d). Cite the source that a "+
		"quote stands in, or take it out; your own words need no quotation marks.", r.File, len(faults)))
}

// lookalikes lists what looks like a citation but is not one.
func lookalikes(read *citation.Report, r Report) string {
	var faults []string
	for _, l := range read.Lookalikes(
		func(id string) bool { return slices.Contains(r.Sources, id) }) {
		told := "%s is no citation; write %s"
		if len(l.Forms) > 1 {
			told = "%s are no citations; write %s"
		}
		faults = append(faults, fmt.Sprintf("line %d: %s", l.Line,
			fmt.Sprintf(told, shown(strings.Join(l.Forms, ", ")),
				strings.Join(slices.Compact(l.Write), ", "))))
	}
	return list(faults, fmt.Sprintf("%s has what looks like a citation and is none (lines: %d).", r.File,
		len(faults)))
}

// mostShown bounds what is shown of a sentence or quote to locate it, in characters.
const mostShown = 80

// list writes faults as a list below a head, "" if there are none.
func list(faults []string, head string) string {
	if len(faults) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString(head + "\n")
	for i, f := range faults {
		if i == maxFaults {
			fmt.Fprintf(&out, "… and %d more\n", len(faults)-i)
			break
		}
		out.WriteString("- " + f + "\n")
	}
	return out.String()
}

// shown returns text of a report or page on one line, disarmed.
func shown(s string) string { return agent.Disarm(prose.OneLine(s)) }

package rounds

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// oneVoice is the kind of the remark that asks for a pass over a report.
const oneVoice = "voice"

// voiced records how far chapters that agents of their own wrote have become one report.
type voiced struct {
	Calls int `json:"calls,omitempty"` // calls that delegated chapters which are now in the report
}

// apart holds the chapters written apart since a report passed, and how many calls have delegated any.
type apart struct {
	files []string
	calls int
}

// apart lists the chapters that were delegated since the last report passed.
func (v Reviewer) apart(r State) (a apart, err error) {
	deeds, err := v.deeds(true)
	for _, d := range deeds {
		var in struct {
			Chapters []struct{ File string }
		}
		if d.Failed || d.Name != "research_chapters" || json.Unmarshal([]byte(d.Args), &in) != nil {
			continue
		}
		if a.calls++; a.calls <= r.Voice.Calls {
			continue
		}
		for _, c := range in.Chapters {
			if !slices.Contains(a.files, c.File) && v.Exists(c.File) {
				a.files = append(a.files, c.File)
			}
		}
	}
	return a, err
}

// askOneVoice opens a stretch for a pass over a report whose chapters were written apart.
func (p *proposal) askOneVoice(ctx context.Context, proposed gate.Report, a apart) (agent.Outcome, error) {
	twice, differ, err := p.pairs(ctx, p.turn, p.stated(ctx, proposed.File),
		func(citation.Pair) bool { return true })
	if err != nil {
		return agent.Outcome{}, err
	}
	pass := p.words().oneVoice(proposed.File, a.files, twice, differ, proposed.Recurring())
	pass.task += p.excess(proposed.File)
	return p.goOn(pass)
}

// oneVoice returns the task of that pass.
func (w words) oneVoice(report string, files, twice, differ, recurring []string) task {
	var out strings.Builder
	out.WriteString(
		w.Say("One voice: %s rests on chapters that were researched apart (%s). Read it whole, "+
			"as the person who asked, and make it read as if one hand had written it, by the plan. Edit "+
			"it by place (replace, insert, delete), write a section anew that still reads like its "+
			"chapter, and leave the chapters as they are: they are the record.", report,
			strings.Join(files, ", ")))
	out.WriteString("\n\n" + w.Say("Each citation stays with its claim: a gate compares the report with the "+
		"chapters. What you leave out on purpose, name under decisions with its citation and the reason: "+
		"“- [s4.157] left out: a side matter”. Then propose to finish again."))
	list(&out, w.Say("Two places speak of one passage; say it in one, and lead there from the other "+
		"(a list that sums up, as of the traps, may name it too):"), twice)
	list(&out, w.Say("These differ. Look at both passages; mend the one that is wrong, or say that the "+
		"sources disagree:"), differ)
	list(&out, w.Say("These heads recur from section to section; unless the question asks for them, say in each "+
		"what it is about there, or gather in one place what is below them:"), recurring)
	return task{task: out.String(), next: w.Say("Read the report."), plan: w.Say(
		"- [ ] each section knows the others: where a decision of one changes what another advises, the other's argument " +
			"says so in its place, and what a section would take back of another is settled where it comes first\n" +
			"- [ ] one name and one spelling for each thing, person, path and unit; explained where it comes first\n" +
			"- [ ] the general before the particular, in the order of the blueprint; each section built as " +
			"its matter wants, and not all on one plan, unless the question says what each part is to give\n" +
			"- [ ] each thing said once, where the reader needs it first; elsewhere a few words " +
			"that lead there\n" +
			"- [ ] all samples and estimates (settings, code, load, sizes) are of one system: the same names, roles " +
			"and figures; each was gone through against the traps and samples of the other sections, and none " +
			"needs what another forbids or leaves out; a problem that recurs is solved by one means, or it is " +
			"said why not\n" +
			"- [ ] what is set in one file, and what is done or tested in one go, stands in one place and in its " +
			"order, whatever chapters it comes from\n" +
			"- [ ] each section begins where the one before ends, leads to the others by a link on a few words, " +
			"not on their whole heading, and is as long as its matter needs\n" +
			"- [ ] one abstract that answers the whole question in definite words; each item of a list " +
			"that sums up has its citation or leads to its section")}
}

// oneVoice compares a report with chapters researched apart, once the pass over it was asked for. It must
// have the claims that their researchers handed back, none with another's citation, each once, in the
// blueprint's order. Claims that were refused, or hold only in part, may have changed.
func (v Reviewer) oneVoice(ctx context.Context, a apart, r gate.Report, refused string) (faults []string) {
	if len(a.files) == 0 {
		return nil
	}
	said := citation.Read(ctx, r.Text).Stated(r.File)
	var chapters citation.Statements
	handed := map[string]citation.Stated{}
	for _, file := range a.files {
		chapters = append(chapters, v.stated(ctx, file)...)
		handed[file] = v.handed(file, chapters)
	}
	decided := citing(v.section("decisions") + "\n" + refused) // deliberate, or refused
	for _, lost := range said.Astray(chapters) {
		matters := handed[lost.File]
		isLeftOut := lost.In == nil || lost.In.Shares(lost.Stated) // its passage may serve another claim
		aside := isLeftOut && len(matters.Refs) > 0 && !lost.Shares(matters) && !v.isByHand(lost.Stated)
		if aside || lost.Shares(decided) {
			continue
		}
		told := "is not in the report"
		switch in := lost.In; {
		case in != nil && in.Shares(lost.Stated):
			told += fmt.Sprintf("; line %d has its citation for another claim, “%s”", in.Line, inShort(*in))
		case in != nil:
			told = fmt.Sprintf("has another citation in line %d of the report, %s", in.Line,
				inBrackets(in.Refs))
		}
		faults = append(faults, shownClaim(lost.Stated)+" "+told)
	}
	for _, p := range said.Twice() {
		if !p.One.Shares(decided) {
			faults = append(faults, "said twice: "+shownPair(p))
		}
	}
	if wrong := r.Disorder(); wrong != "" {
		faults = append(faults, wrong)
	}
	return faults
}

// handed returns the citations that the researcher of a chapter handed back. If they cover fewer than a
// quarter of the chapter's claims, it returns none: then all claims count.
func (v Reviewer) handed(file string, chapters citation.Statements) citation.Stated {
	const least = 4 // one claim in so many
	said, in, of := citing(actions.HandedBack(v.Workspace, file)), 0, 0
	for _, claim := range chapters {
		if claim.File != file {
			continue
		}
		if of++; claim.Shares(said) {
			in++
		}
	}
	if in*least < of {
		return citation.Stated{}
	}
	return said
}

// isByHand reports whether a person wrote the line of a claim.
func (v Reviewer) isByHand(s citation.Stated) bool {
	lines := strings.Split(textOf(v.Workspace, s.File), "\n")
	return s.Line > 0 && s.Line <= len(lines) &&
		slices.Contains(v.Workspace.ByHand(s.File), strings.TrimSpace(lines[s.Line-1]))
}

// citing returns a claim with all the citations of a text.
func citing(text string) (all citation.Stated) {
	for _, m := range workspace.Marks(text) {
		all.Refs = append(all.Refs, m.Refs...)
	}
	return all
}

// voice returns the refusal of a report with such faults, or "" if there are none.
func voice(file string, faults []string) string {
	if len(faults) == 0 {
		return ""
	}
	return fmt.Sprintf("%s is not yet the chapters in one voice (faults: %d). Put back each claim with its "+
		"own citation, say each thing once, keep one order; what is so on purpose, name under "+
		"decisions of the overall dashboard with its citation and the reason, such as \"- [s4.157] left out: a side matter\":",
		file, len(faults)) + "\n- " + strings.Join(faults, "\n- ")
}

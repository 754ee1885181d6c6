package citation

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Check returns a finding for each ref of each claim of a report, without the parts that the program itself
// wrote. Each source is looked up once. If the context has ended, the result is incomplete.
func Check(ctx context.Context, report string, lookup Lookup) Result {
	return Read(ctx, report).Check(ctx, lookup)
}

// Check is [Check] for a parsed report.
func (r *Report) Check(ctx context.Context, lookup Lookup) Result {
	c := checker{lookup: lookup, sources: map[string]*cited{}, samples: r.samples,
		settings: settingsIn(r.samples)}
	result := Result{Findings: []Finding{}}
	for _, claim := range r.claims {
		for _, ref := range claim.Refs {
			if ctx.Err() == nil {
				c.source(ref.ID)
			}
		}
	}
	for _, claim := range r.claims {
		if ctx.Err() == nil {
			result.Findings = append(result.Findings, c.judge(claim)...)
		}
	}
	from := 0
	for i, f := range result.Findings {
		if i+1 == len(result.Findings) || f.row == nil || result.Findings[i+1].row != f.row {
			joinRow(result.Findings[from : i+1])
			from = i + 1
		}
	}
	return result
}

// joinRow makes one question of the open claims of a table row, which are all about the thing in its first
// cell. Cells that cite nothing, or are settled already, are left out.
func joinRow(cells []Finding) {
	var open []*Finding // one for each claim
	for i := range cells {
		same := func(f *Finding) bool { return f.own == cells[i].own }
		if cells[i].open != nil && !slices.ContainsFunc(open, same) {
			open = append(open, &cells[i])
		}
	}
	if len(open) < 2 {
		return
	}
	label := open[0].row.label()
	said, row := []string{}, Claim{Line: open[0].Line, Section: open[0].Section}
	var passages []Passage
	for _, f := range open {
		what, isLabelled := strings.CutPrefix(f.Context, label)
		if isLabelled {
			row.Context = label
		}
		said, row.Refs = append(said, what+f.Text), once(append(row.Refs, f.Refs...))
		for _, p := range f.Passages {
			passages = withPassage(passages, p)
		}
	}
	row.Text = strings.Join(said, " | ")
	q := Ask(row, passages)
	for i := range cells {
		if cells[i].open != nil {
			cells[i].open = &q
		}
	}
}

// withPassage adds a passage to some, once. If it is cited anywhere, it counts as cited.
func withPassage(all []Passage, p Passage) []Passage {
	at := slices.IndexFunc(all, func(other Passage) bool { return other.Label == p.Label })
	if at < 0 {
		return append(all, p)
	}
	if p.Cited {
		all[at] = p
	}
	return all
}

type checker struct {
	lookup    Lookup
	sources   map[string]*cited
	order     []string
	explained int                    // missing quotes explained so far
	samples   string                 // the report's code blocks
	settings  map[string]*figure.Set // the figures in samples, by the setting or option before them
}

// maxExplained bounds the missing quotes that are searched for elsewhere: nobody fixes more at a time.
const maxExplained = 50

func (c *checker) source(id string) *cited {
	if c.sources[id] == nil {
		c.sources[id] = load(id, c.lookup)
		c.order = append(c.order, id)
	}
	return c.sources[id]
}

// judge returns the findings of a claim, one for each of its refs.
func (c *checker) judge(claim claim) []Finding {
	m := c.compare(claim)
	doubts := m.doubts()
	why, nearest := c.explain(m, doubts == "")
	opposite := m.opposite()
	missing, confirmed := m.missing(), false // sources cited side by side support the claim together
	for _, x := range m.read {
		confirmed = confirmed || len(missing)+len(m.vague) == 0 && m.confirms(x)
	}
	var all []Finding
	for _, x := range m.cites {
		s := x.source
		f := Finding{Claim: claim.Claim, Ref: x.ref, Source: x.ref.ID, Block: x.ref.Block, Quotes: x.here,
			Better: x.better, Sure: x.better != nil, row: claim.cellOf}
		switch {
		case s.isMissing():
			f.Verdict, f.Why = sourceMissing, s.doubt
		case !s.usable():
			f.Verdict, f.Why, f.Missing = NotChecked, s.doubt, missing
		case x.evidence == nil:
			f.Verdict, f.Why = blockMissing, fmt.Sprintf("%s has %d blocks, and no block %d", x.ref.ID,
				len(s.blocks), x.ref.Block)
			c.move(m, x, &f)
		case len(missing) > 0 && doubts != "":
			f.Verdict, f.Missing = NotChecked, missing
			f.Why = absent(missing, fmt.Sprintf("what is at hand, but %s", doubts))
		case len(missing) > 0:
			f.Verdict, f.Missing, f.Why, f.Nearest = NameMissing, missing, why, nearest
			if len(m.figures) > 0 {
				f.Verdict = FigureMissing
			}
			if len(m.quotes) > 0 {
				f.Verdict = QuoteMissing
			}
			c.move(m, x, &f)
		case opposite != "":
			f.Verdict, f.Why = Contradicted, opposite
		default:
			if m.found(x, &f, confirmed); len(m.lower) > 0 {
				c.move(m, x, &f)
			}
		}
		if f.Verdict == NotChecked && x.evidence != nil {
			f.Passages = m.passages()
			q := Ask(f.Claim, f.Passages)
			f.open, f.own = &q, q.Key
		}
		all = append(all, f)
	}
	return all
}

// found sets the verdict of a ref of a claim with nothing missing.
func (m *comparison) found(x *cite, f *Finding, confirmed bool) {
	switch {
	case len(m.vague) > 0:
		f.Verdict, f.Missing = NotChecked, m.vague
		f.Why = fmt.Sprintf("a part of “%s” between ellipses is too short to be looked for: it "+
			"would be anywhere", short(m.vague[0]))
	case len(m.long) > 0 && len(x.here) > 0:
		f.Verdict = QuoteTooLong
		f.Why = fmt.Sprintf("it is there, but a quote has %d columns, and at most %d are shown (a Chinese "+
			"character takes two)", columns(m.long[0]), maxQuote)
	case confirmed:
		f.Verdict = Supported
	default:
		f.Verdict, f.Why = NotChecked, "nothing is missing, but the claim is in other words than "+
			"its source: only a checker can judge it"
		for _, text := range m.claim.figures {
			if beside, ok := m.beside[text.Text]; ok {
				f.Why = fmt.Sprintf("%s is not in %s itself, but right beside it: only a checker can judge "+
					"the claim", text.Text, beside.ref)
			}
		}
		if len(m.asked) > 0 {
			f.Why = fmt.Sprintf("`%s` is of the question, of a sample or the author's own, and not in the "+
				"passage: only a checker can judge the claim", short(m.asked[0]))
		}
		if len(m.lower) > 0 {
			f.Why = fmt.Sprintf("`%s` is not in the passage to the letter, but its words or its source "+
				"have it: only a checker can judge the claim", short(m.lower[0]))
		}
	}
}

// passages returns what a checker is shown: the cited blocks, and their neighbours if these have a figure.
func (m *comparison) passages() []Passage {
	var all []Passage
	for _, x := range m.read {
		refs := x.closest
		if x.n > 0 {
			refs = []workspace.Ref{{ID: x.source.ID, Block: x.n}}
		}
		for _, ref := range refs {
			all = withPassage(all, x.source.passage(ref.Block, true, x.n > 0))
		}
		if isBeside := slices.Contains(slices.Collect(maps.Values(m.beside)), x); isBeside && x.n > 0 {
			for n := max(x.n-1, 1); n <= min(x.n+1, len(x.source.blocks)); n++ {
				all = withPassage(all, x.source.passage(n, n == x.n, n == x.n))
			}
		}
	}
	return all
}

// doubts returns why something not found may be in a source after all. A single block is always complete.
func (m *comparison) doubts() string {
	var all []string
	for _, x := range m.cites {
		s := x.source
		if s.doubt != "" && !s.isMissing() && (!s.usable() || x.ref.Block == 0 && x.evidence != nil) {
			all = append(all, fmt.Sprintf("as for %s, %s", x.ref.ID, s.doubt))
		}
	}
	return strings.Join(all, "; ")
}

// absent says where something is not.
func absent(missing []string, where string) string {
	all := strings.Join(each(missing, short), ", ")
	if len(missing) > 1 {
		return fmt.Sprintf("%s are not in %s", all, where)
	}
	return fmt.Sprintf("%s is not in %s", all, where)
}

// each returns the results of a function for some values.
func each[T, U any](all []T, of func(T) U) (made []U) {
	for _, one := range all {
		made = append(made, of(one))
	}
	return made
}

// short shortens a text for a message.
func short(text string) string { return cut(text, 80) }

// cut returns the first columns of a text, up to the end of a word.
func cut(text string, most int) string {
	if columns(text) <= most {
		return text
	}
	n := 0
	for i, r := range text {
		if n += columns(string(r)); n >= most {
			if end := strings.LastIndexFunc(text[:i], unicode.IsSpace); end > i/2 {
				i = end
			}
			return strings.TrimSpace(text[:i]) + "…"
		}
	}
	return text
}

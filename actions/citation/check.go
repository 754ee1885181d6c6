package citation

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Check gives a finding for each ref of each claim of a report. What the program itself wrote into the report
// is left out. Each source is looked up once. Once the context has ended, what it returns is not whole.
func Check(ctx context.Context, report string, lookup Lookup) Result {
	c := checker{lookup: lookup, sources: map[string]*cited{}}
	result := Result{Findings: []Finding{}}
	all := claims(ctx, report)
	for _, claim := range all {
		for _, ref := range claim.Refs {
			if ctx.Err() != nil {
				return result
			}
			c.source(ref.ID)
		}
	}
	for _, claim := range all {
		if ctx.Err() != nil {
			break
		}
		result.Findings = append(result.Findings, c.judge(claim)...)
	}
	return result
}

type checker struct {
	lookup    Lookup
	sources   map[string]*cited
	order     []string
	explained int // missing quotes
}

// maxExplained is how many missing quotes are looked for elsewhere: nobody fixes more at a time.
const maxExplained = 50

func (c *checker) source(id string) *cited {
	if c.sources[id] == nil {
		c.sources[id] = load(id, c.lookup)
		c.order = append(c.order, id)
	}
	return c.sources[id]
}

// judge gives the findings of a claim, one for each of its refs.
func (c *checker) judge(claim claim) []Finding {
	m := c.compare(claim)
	doubts := c.doubts(m)
	why, nearest := c.explain(m, doubts == "")
	opposite := m.opposite()
	confirmed := false // what is cited side by side supports the claim together
	for i := range m.Refs {
		confirmed = confirmed || m.all[i] != nil && len(m.missing())+len(m.vague) == 0 && m.confirms(i)
	}
	var all []Finding
	for i, ref := range m.Refs {
		s := c.source(ref.ID)
		f := Finding{Claim: claim.Claim, Ref: ref, Source: ref.ID, Block: ref.Block, Quotes: m.here[ref],
			Better: m.better[i], Sure: m.sure[i]}
		missing := m.missing()
		switch {
		case s.isMissing():
			f.Verdict, f.Why = SourceMissing, s.doubt
			if s.err == ErrNotRead {
				f.Why = fmt.Sprintf("nothing was read under the id %s", ref.ID)
			}
		case !s.usable():
			f.Verdict, f.Why, f.Missing = NotChecked, s.doubt, missing
		case m.all[i] == nil:
			f.Verdict, f.Why = BlockMissing, fmt.Sprintf("%s has %d blocks, and no block %d", ref.ID,
				len(s.blocks), ref.Block)
			c.move(m, i, &f)
		case len(missing) > 0 && doubts != "":
			f.Verdict, f.Missing = NotChecked, missing
			f.Why = absent(missing, fmt.Sprintf("what is at hand, but %s", doubts))
		case len(missing) > 0:
			f.Verdict, f.Missing, f.Why, f.Nearest = m.refuted(), missing, why, nearest
			c.move(m, i, &f)
		case opposite != "":
			f.Verdict, f.Why = Contradicted, opposite
		default:
			m.found(i, &f, confirmed)
		}
		if f.Verdict == NotChecked && s.usable() && m.all[i] != nil {
			f.Passages = m.passages()
			f.key = Ask(f.Claim, f.Passages).Key
		}
		all = append(all, f)
	}
	return all
}

func (m *comparison) refuted() Verdict {
	switch {
	case len(m.quotes) > 0:
		return QuoteMissing
	case len(m.figures) > 0:
		return FigureMissing
	}
	return NameMissing
}

// found gives the verdict of a ref of a claim of which nothing is missing.
func (m *comparison) found(i int, f *Finding, confirmed bool) {
	ref := m.Refs[i]
	switch {
	case len(m.vague) > 0:
		f.Verdict, f.Missing = NotChecked, m.vague
		f.Why = fmt.Sprintf("a part of “%s” between ellipses is too short to be looked for: it "+
			"would be anywhere", short(m.vague[0]))
	case len(m.long) > 0 && len(m.here[ref]) > 0:
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
					"the claim", text.Text, beside)
			}
		}
		if len(m.lower) > 0 {
			f.Why = fmt.Sprintf("`%s` is not in the passage to the letter, but its words are: "+
				"only a checker can judge the claim", short(m.lower[0]))
		}
	}
}

// passages are what a checker is shown: what is cited, and what is beside it where a figure is there.
func (m *comparison) passages() []Passage {
	var all []Passage
	add := func(p Passage) {
		if at := slices.IndexFunc(all, func(other Passage) bool { return other.Label == p.Label }); at < 0 {
			all = append(all, p)
		} else if p.Cited {
			all[at] = p
		}
	}
	for k, e := range m.all {
		if e == nil {
			continue
		}
		refs := m.closest[k]
		if e.n > 0 {
			refs = []Ref{{ID: e.source.ID, Block: e.n}}
		}
		for _, ref := range refs {
			add(e.source.passage(ref.Block, true, e.n > 0))
		}
		for _, beside := range m.beside {
			for n := max(e.n-1, 1); beside == m.Refs[k] && e.n > 0 &&
				n <= min(e.n+1, len(e.source.blocks)); n++ {
				add(e.source.passage(n, n == e.n, n == e.n))
			}
		}
	}
	return all
}

// doubts says why something that was not found may be in a source all the same. A block is at hand whole.
func (c *checker) doubts(m *comparison) string {
	var all []string
	for i, ref := range m.Refs {
		s := c.source(ref.ID)
		if s.doubt != "" && !s.isMissing() && (!s.usable() || ref.Block == 0 && m.all[i] != nil) {
			all = append(all, fmt.Sprintf("as for %s, %s", ref.ID, s.doubt))
		}
	}
	return strings.Join(all, "; ")
}

// absent says where something is not.
func absent(missing []string, where string) string {
	if len(missing) == 1 {
		return fmt.Sprintf("%s is not in %s", short(missing[0]), where)
	}
	var all []string
	for _, m := range missing {
		all = append(all, short(m))
	}
	return fmt.Sprintf("%s are not in %s", strings.Join(all, ", "), where)
}

// short cuts a text for a message.
func short(text string) string { return cut(text, 80) }

func cut(text string, most int) string {
	if columns(text) <= most {
		return text
	}
	n := 0
	for i, r := range text {
		if n += columns(string(r)); n >= most {
			return strings.TrimSpace(lastWordEnd(text[:i])) + "…"
		}
	}
	return text
}

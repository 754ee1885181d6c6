package citation

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// Check gives a verdict for each citation of a report, whose list of references (heading id references) is left out. Each source is looked
// up once, and as many are read side by side as there are processors.
func Check(report string, lookup Lookup) Result {
	all := claims(report)
	c := checker{wanted: map[string]bool{}, sources: map[string]*cited{}}
	for _, claim := range all {
		for _, f := range claim.figures {
			for _, way := range f.ways {
				for _, key := range way {
					c.wanted[key] = true
				}
			}
		}
	}
	for _, claim := range all {
		for _, id := range claim.ids {
			if c.sources[id] == nil {
				c.sources[id], c.order = new(cited), append(c.order, id)
			}
		}
	}
	agent.SideBySide(len(c.order), func(i int) { c.sources[c.order[i]].load(c.order[i], lookup, c.wanted) })
	result := Result{Citations: []Citation{}}
	for _, claim := range all {
		result.Citations = append(result.Citations, c.judge(claim)...)
	}
	return result
}

// cited is a source that was looked up.
type cited struct {
	Source
	err     error
	doubt   string  // why what is not found here may be there all the same
	prose   folded  // of a source that can be checked
	joined  *folded // the same with words joined that a line's end divides; nil until it is needed
	title   folded
	figures map[string]bool
}

type checker struct {
	wanted  map[string]bool // the keys of all figures of the report
	sources map[string]*cited
	order   []string

	explained int // missing quotes
}

// maxExplained is how many missing quotes are looked for elsewhere: a report that has more is not put right one by one.
const maxExplained = 50

// load looks a source up, and reads what is to be searched.
func (s *cited) load(id string, lookup Lookup, wanted map[string]bool) {
	s.Source, s.err = lookup(id)
	switch {
	case s.err != nil:
		s.doubt = s.err.Error()
		return
	case !s.Intact:
		s.doubt = "its file was changed since it was read"
		return
	case !s.IsWhole():
		s.doubt = "its text is not the whole page: " + s.Complete
	}
	text := s.searchable()
	s.prose, s.title = text.prose, titleOf(s.Source)
	if len(wanted) > 0 {
		s.figures = figuresAmong(text.words+"\n"+s.Title+"\n"+s.Author+"\n"+s.Published, wanted)
	}
}

// titleOf is what a source is called, and by whom it is, to be searched.
func titleOf(s Source) folded {
	return fold(plain{text: []byte(s.Title + "\n" + s.Author)}, true, false)
}

// usable says whether there is a text to search.
func (s *cited) usable() bool { return s.err == nil && s.Intact }

// holds says whether a quote stands in a source.
func (s *cited) holds(needle []byte) bool {
	if _, ok := s.prose.find(needle); ok {
		return true
	}
	if _, ok := s.title.find(needle); ok {
		return true
	}
	if s.prose.divided {
		if s.joined == nil {
			joined := newPage(s.Text, hasIndentedCode(s.Type)).fold(false, true)
			joined.at = nil
			s.joined = &joined
		}
		_, ok := s.joined.find(needle)
		return ok
	}
	return false
}

// finding is what became of the quotes and figures of a sentence.
type finding struct {
	quotes  []string            // that are missing
	vague   []string            // quotes that can not be looked for
	figures []string            // that are missing
	long    []string            // quotes that stand there and are too long
	here    map[string][]string // the quotes that stand in each source
	figured map[string]bool     // the sources that hold a figure
}

func (c *checker) look(claim claim) finding {
	f := finding{here: map[string][]string{}, figured: map[string]bool{}}
	for _, q := range claim.quotes {
		needle, found := needleOf(q), false
		for _, id := range claim.ids {
			if s := c.sources[id]; s.usable() && s.holds(needle) {
				f.here[id] = append(f.here[id], q)
				found = true
			}
		}
		switch {
		case !found && c.vague(needle, claim.ids):
			f.vague = append(f.vague, q)
		case !found:
			f.quotes = append(f.quotes, q)
		case columns(q) > MaxQuote:
			f.long = append(f.long, q)
		}
	}
	for _, fig := range claim.figures {
		if !fig.stands(func(key string) bool {
			return slices.ContainsFunc(claim.ids, func(id string) bool { return c.sources[id].figures[key] })
		}) {
			f.figures = append(f.figures, fig.text)
			continue
		}
		for _, id := range claim.ids {
			if fig.touches(c.sources[id].figures) {
				f.figured[id] = true
			}
		}
	}
	return f
}

// vague says whether a quote that was not found has parts that are too short to be looked for, and all others stand there.
func (c *checker) vague(needle []byte, ids []string) bool {
	var parts [][]byte
	all := bytes.Split(needle, []byte(ellipsis))
	for _, part := range all {
		if weight(string(part)) >= leastPart {
			parts = append(parts, part)
		}
	}
	if len(all) == 1 || len(parts) == len(all) {
		return false
	}
	rest := bytes.Join(parts, []byte(ellipsis))
	return len(parts) == 0 || slices.ContainsFunc(ids, func(id string) bool { return c.sources[id].usable() && c.sources[id].holds(trimNeedle(rest)) })
}

// touches says whether any part of a figure stands in a source.
func (f figure) touches(found map[string]bool) bool {
	return slices.ContainsFunc(f.ways, func(way []string) bool {
		return slices.ContainsFunc(way, func(key string) bool { return found[key] })
	})
}

// judge gives the verdicts of a sentence, one for each source that it cites.
func (c *checker) judge(claim claim) []Citation {
	f := c.look(claim)
	doubts := c.doubts(claim.ids)
	why, nearest := "", ""
	if len(f.quotes) > 0 && doubts == "" {
		c.explained++
		why, nearest = c.explain(f.quotes[0], claim.ids)
	}
	var all []Citation
	for _, id := range claim.ids {
		x := Citation{Line: claim.line, Sentence: claim.sentence, Source: id, Quotes: f.here[id]}
		s := c.sources[id]
		missing := append(slices.Clone(f.quotes), f.figures...)
		switch {
		case errors.Is(s.err, ErrNotRead):
			x.Verdict, x.Why = SourceMissing, "nothing was read under the id "+id
		case !s.usable():
			x.Verdict, x.Why, x.Missing = NotChecked, s.doubt, missing
		case len(missing) > 0 && doubts != "":
			x.Verdict, x.Missing = NotChecked, missing
			x.Why = fmt.Sprintf("%s not in what is at hand, but %s", listed(missing), doubts)
		case len(f.quotes) > 0:
			x.Verdict, x.Missing, x.Why, x.Nearest = QuoteMissing, missing, why, nearest
		case len(f.figures) > 0:
			x.Verdict, x.Missing = FigureMissing, missing
			x.Why = fmt.Sprintf("%s not in %s", listed(f.figures), strings.Join(claim.ids, ", "))
		default:
			c.found(&x, claim, f)
		}
		all = append(all, x)
	}
	return all
}

// found gives the verdict of a source of a sentence of which nothing is missing.
func (c *checker) found(x *Citation, claim claim, f finding) {
	switch {
	case len(f.vague) > 0:
		x.Verdict, x.Missing = NotChecked, f.vague
		x.Why = fmt.Sprintf("a part of “%s” between ellipses is too short to be looked for: it would stand anywhere", short(f.vague[0]))
	case len(claim.quotes)+len(claim.figures) == 0:
		x.Verdict, x.Why = NotChecked, "nothing in the sentence can be checked by code: it has no figure, and no quote of three words or six Chinese characters"
	case len(f.here[x.Source]) == 0 && !f.figured[x.Source]:
		x.Verdict, x.Why = NotChecked, "what can be checked in the sentence stands in the other sources that it cites"
	case len(f.long) > 0:
		x.Verdict = QuoteTooLong
		x.Why = fmt.Sprintf("it stands there, but a quote has %d columns, and at most %d are shown (a Chinese character takes two)", columns(f.long[0]), MaxQuote)
	default:
		x.Verdict = Supported
	}
}

// doubts says why something that was not found may stand in a source all the same.
func (c *checker) doubts(ids []string) string {
	var all []string
	for _, id := range ids {
		if s := c.sources[id]; s.doubt != "" && !errors.Is(s.err, ErrNotRead) {
			all = append(all, "of "+id+", "+s.doubt)
		}
	}
	return strings.Join(all, "; ")
}

// explain says what keeps a quote from standing in the cited sources, and what there is most like it.
func (c *checker) explain(quote string, ids []string) (why, nearest string) {
	needle := needleOf(quote)
	plainly := fmt.Sprintf("“%s” is not in %s", short(quote), strings.Join(ids, ", "))
	if c.explained > maxExplained {
		return plainly, ""
	}
	best := 0
	for _, id := range ids {
		s := c.sources[id]
		if !s.usable() {
			continue
		}
		p := newPage(s.Text, hasIndentedCode(s.Type))
		if reason := p.blocked(needle); reason != "" {
			return fmt.Sprintf("“%s” %s of %s", short(quote), reason, id), ""
		}
		if passage, likeness := p.nearest(needle); likeness > best {
			best, nearest = likeness, passage
		}
	}
	for _, id := range c.order {
		if s := c.sources[id]; !slices.Contains(ids, id) && s.usable() && s.holds(needle) {
			return plainly + ", but stands in " + id, nearest
		}
	}
	return plainly, nearest
}

func listed(missing []string) string {
	var all []string
	for _, m := range missing {
		all = append(all, short(m))
	}
	if len(all) == 1 {
		return all[0] + " is"
	}
	return strings.Join(all, ", ") + " are"
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
			return strings.TrimRight(text[:i], " ,.;，。；") + "…"
		}
	}
	return text
}

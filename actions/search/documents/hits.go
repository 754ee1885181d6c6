package documents

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
)

// more returns the candidate's other passages that answer nearly as well as the first and say something else.
func (c *candidate) more(first view, wanted []words.Term) []search.Excerpt {
	var list []search.Excerpt
	said := first.snippet
	for i, p := range c.best {
		if i == 0 || len(list) == mostMore || p.score < moreShare*c.best[0].score || p.held < nearShare {
			continue
		}
		v := c.view(i, wanted)
		if common(v.snippet, said) >= sameLead {
			continue
		}
		said += " " + v.snippet
		text := v.snippet
		if v.heading != "" && v.heading != first.heading {
			text = words.Capped(prose.OneLine(v.heading), longestTitle) + ": " + text
		}
		list = append(list, search.Excerpt{Provider: "documents", Text: text, Line: p.line + v.line})
	}
	return list
}

// hitsFrom describes the best candidates; one that says the same as an earlier one shares its hit. Of
// translations of a document, the hit is the one in the language of most candidates.
func hitsFrom(list []candidate, wanted []words.Term, limit int) []search.Hit {
	written := map[string]int{}
	for _, c := range list {
		written[c.language]++
	}
	hits := make([]search.Hit, 0, min(len(list), limit))
	var kept []candidate
	for _, c := range list {
		v := c.view(0, wanted)
		hit := search.Hit{Title: title(c.title, v.heading), URL: c.url, Snippet: v.snippet,
			Line: c.best[0].line + v.line, Provider: "documents", More: c.more(v, wanted)}
		isSame := func(k candidate) bool { return isCopy(c, v, k) || c.translates(k) }
		i := slices.IndexFunc(kept, isSame)
		switch {
		case i < 0 && len(hits) == limit:
			return hits
		case i < 0 && len(hits) >= strong && c.held < weakShare*list[0].held:
			continue
		case i < 0:
			kept, hits = append(kept, c), append(hits, hit)
			continue
		case kept[i].kind == "text" && c.kind != "text", // the form with headings and links says more
			c.translates(kept[i]) && written[c.language] > written[kept[i].language]:
			kept[i], hits[i], hit = c, hit, hits[i]
			hits[i].Copies = hit.Copies
		}
		if len(hits[i].Copies) < maxCopies {
			hits[i].Copies = append(hits[i].Copies, hit.URL)
		}
	}
	return hits
}

const (
	// A page is a copy of another, such as an .html saved as .txt, if nearly all that would be shown of it is
	// in the other's passage, and most of its beginning in the other's.
	sameShown, sameLead = 0.9, 0.7
	maxCopies           = 5
)

// isCopy reports whether a candidate, to be shown as v, says the same as one that is shown already. An
// edition with another figure does not.
func isCopy(c candidate, v view, shown candidate) bool {
	there := figure.FindAllString(words.Plain(shown.best[0].text), -1)
	isOther := func(f string) bool { return !slices.Contains(there, f) }
	return !slices.ContainsFunc(figure.FindAllString(v.snippet, -1), isOther) &&
		common(v.snippet, words.Plain(shown.best[0].text)) >= sameShown &&
		common(words.Plain(c.lead), words.Plain(shown.lead)) >= sameLead
}

var figure = regexp.MustCompile(`\d+(?:[.,]\d+)*`)

// translates reports whether two documents are the same one in two languages.
func (c *candidate) translates(other candidate) bool {
	return c.untranslated != "" && c.untranslated == other.untranslated && c.language != other.language
}

// untranslated returns an address without the language that the document declares, as in
// manual/pt-br/core.html or core.en.html; "" if the address does not hold it.
func untranslated(address, language string) string {
	part := regexp.MustCompile(`(?i)([:/._-])` + regexp.QuoteMeta(language) + `([/._-]|$)`)
	if language == "" || !part.MatchString(address) {
		return ""
	}
	return part.ReplaceAllString(address, "$1*$2")
}

// common returns the share of a text's runs of three words that are in another.
func common(text, other string) float64 {
	mine, theirs := runs(text), runs(other)
	both := 0
	for run := range mine {
		if theirs[run] {
			both++
		}
	}
	return float64(both) / float64(max(1, len(mine)))
}

func runs(text string) map[string]bool {
	set := map[string]bool{}
	fields := strings.Fields(words.Pairs(words.Spoken(text)))
	for i := range max(0, len(fields)-2) {
		set[strings.Join(fields[i:i+3], " ")] = true
	}
	return set
}

// title adds the heading under which the snippet is, unless it says the same as the title.
func title(page, heading string) string {
	page, heading = prose.OneLine(page), prose.OneLine(heading)
	lowPage, lowHeading := strings.ToLower(page), strings.ToLower(heading)
	switch {
	case strings.Contains(lowPage, lowHeading):
		return page
	case strings.Contains(lowHeading, lowPage):
		return heading
	}
	return page + " — " + heading
}

// snippetSize bounds the characters of a Hit's Snippet.
const snippetSize = 300

// view is a passage as a search shows it.
type view struct {
	snippet string
	heading string // the one over the part that says most
	line    int    // the one that says most, from 0 in the passage
}

// view finds what one of a candidate's passages says about the wanted terms, and where.
func (c *candidate) view(i int, wanted []words.Term) view {
	p := c.best[i]
	shown, above := p.text, p.path[strings.LastIndexByte(p.path, '\n')+1:]
	if p.row != "" {
		shown = labelled(p.row, p.text)
	}
	v := view{heading: above}
	var sentences []string
	most, number := 0, 0
	for _, part := range partsOf(c.kind, shown, above) {
		text := flat(c.kind, part.text)
		sentences = append(sentences, words.Sentences(text)...)
		inPart, inLine := len(words.Sightings(text, wanted)), 0
		for line := range strings.Lines(part.text) {
			if n := len(words.Sightings(flat(c.kind, line), wanted)); inPart > most && n > inLine {
				inLine, v.line = n, number
			}
			number++
		}
		if inPart > most {
			most = inPart
			if len(part.path) > 0 {
				v.heading = part.path[len(part.path)-1]
			}
		}
	}
	v.snippet = words.Snippet(sentences, wanted, snippetSize)
	return v
}

// flat returns a text of a kind of document on one line.
func flat(kind, text string) string {
	if kind != "code" {
		text = words.Plain(text)
	}
	return prose.OneLine(text)
}

package citation

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// ReferenceTable is [Report.References] with a table in place of the list: number, citation, type and
// commentary of each source. The commentary is the person's note, what the source was read for, and where it
// is cited.
func (r *Report) ReferenceTable(lookup Lookup, readFor map[string][]string) string {
	places, language := r.places(), r.language()
	return r.references(lookup, func(s Source) string {
		return fmt.Sprintf("| [%s] | %s | %s | %s |\n", s.ID, described(s, language), sourceType(s, language),
			commentary(s, readFor[s.ID], places[s.ID], language))
	}, language.Say(tableHead)+"\n| --- | --- | --- | --- |\n")
}

// tableHead is how such a table begins.
const tableHead = "| No. | Citation | Source type | Commentary |"

// TableOf returns the table of references of a report, with the heading above it; "" when it has a list.
func TableOf(report string) string {
	var table strings.Builder
	for _, part := range ownParts(report) {
		for line := range strings.Lines(report[part.start:part.end]) {
			if strings.HasPrefix(line, "|") || ownHeading(line) == referencesID ||
				strings.TrimSpace(line) == "" {
				table.WriteString(line)
			}
		}
	}
	for _, language := range []prose.Language{prose.English, prose.Chinese} {
		if strings.Contains(table.String(), "\n"+language.Say(tableHead)+"\n") {
			return strings.TrimSpace(table.String()) + "\n"
		}
	}
	return ""
}

// mostPlaces is how many sections and purposes a commentary names.
const mostPlaces = 3

// commentary says in one or two sentences what a source is in the report for.
func commentary(s Source, readFor, places []string, language prose.Language) string {
	and, stop := language.Say("; "), language.Say(". ")
	var all []string
	if note := strings.TrimRight(prose.OneLine(s.Note), ".。"); note != "" {
		all = append(all, cell(cut(note, maxQuote)))
	}
	if len(readFor) > 0 {
		reasons := strings.Join(readFor[:min(len(readFor), mostPlaces)], and)
		all = append(all, language.Say("Read for: %s", cell(cut(reasons, maxQuote))))
	}
	if n := len(places); n == 1 {
		all = append(all, language.Say("Cited in %s", cell(places[0])))
	} else if n > 1 {
		different := slices.Compact(slices.Clone(places))
		names := strings.Join(different[:min(len(different), mostPlaces)], and)
		all = append(all, language.Say("Cited %d times, in %s", n, cell(names)))
	}
	return strings.Join(all, stop) + strings.TrimSpace(stop)
}

// places are, by the source's id, the titles of the sections of its citations, in their order.
func (r *Report) places() map[string][]string {
	places := map[string][]string{}
	for _, x := range r.passages {
		for _, m := range x.marks {
			for _, ref := range m.refs {
				places[ref.ID] = append(places[ref.ID], cut(x.section, 60))
			}
		}
	}
	return places
}

// kinds are the types of sources that a site, or the beginning of its host, tells, with their Chinese names.
var kinds = []struct {
	name  string
	sites []string
}{
	{"paper", []string{"arxiv.org", "doi.org", "semanticscholar.org", "ncbi.nlm.nih.gov", "biorxiv.org",
		"medrxiv.org", "openreview.net", "aclanthology.org", "nature.com", "sciencedirect.com",
		"springer.com", "cnki.net"}},
	{"discussion", []string{"stackoverflow.com", "stackexchange.com", "news.ycombinator.com", "lobste.rs",
		"reddit.com", "zhihu.com", "v2ex.com"}},
	{"code", []string{"github.com", "gitlab.com", "codeberg.org", "gitee.com", "huggingface.co"}},
	{"encyclopedia", []string{"wikipedia.org", "britannica.com", "baike.baidu.com"}},
	{"official", []string{"gov", "europa.eu", "who.int", "oecd.org", "un.org"}},
	{"documentation", []string{"docs.", "developer.", "readthedocs.io", "pkg.go.dev", "docs.rs"}},
}

// sourceType is what kind of source it is, as far as its address and its file tell.
func sourceType(s Source, language prose.Language) string {
	say, address := language.Say, webAddress(s)
	if address == "" {
		return say("own document")
	}
	u, err := url.Parse(address)
	if err != nil {
		return say("web page")
	}
	host := strings.ToLower(u.Hostname())
	if host == "github.com" && (strings.Contains(u.Path, "/issues/") ||
		strings.Contains(u.Path, "/discussions/")) {
		return say("discussion")
	}
	for _, kind := range kinds {
		for _, site := range kind.sites {
			if host == site || strings.HasSuffix(host, "."+site) ||
				strings.HasSuffix(site, ".") && strings.HasPrefix(host, site) ||
				site == "gov" && strings.Contains(host, ".gov.") {
				return say(kind.name)
			}
		}
	}
	if s.Type == "pdf" {
		return say("PDF document")
	}
	return say("web page")
}

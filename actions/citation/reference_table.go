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
	places := r.places()
	head := tableHeads[0]
	if prose.IsChineseReport(r.source) {
		head = tableHeads[1]
	}
	return r.references(lookup, func(s Source, chinese bool) string {
		return fmt.Sprintf("| [%s] | %s | %s | %s |\n", s.ID, described(s, chinese), sourceType(s, chinese),
			commentary(s, readFor[s.ID], places[s.ID], chinese))
	}, head+"\n| --- | --- | --- | --- |\n")
}

// tableHeads are how such a table begins, in English and in Chinese.
var tableHeads = [2]string{"| No. | Citation | Source type | Commentary |",
	"| 编号 | 文献 | 来源类型 | 说明 |"}

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
	if text := table.String(); strings.Contains(text, "\n"+tableHeads[0]+"\n") ||
		strings.Contains(text, "\n"+tableHeads[1]+"\n") {
		return strings.TrimSpace(text) + "\n"
	}
	return ""
}

// mostPlaces is how many sections and purposes a commentary names.
const mostPlaces = 3

// commentary says in one or two sentences what a source is in the report for.
func commentary(s Source, readFor, places []string, chinese bool) string {
	read, cited, once, and, stop := "Read for: ", "Cited %d times, in ", "Cited in ", "; ", ". "
	if chinese {
		read, cited, once, and, stop = "查阅目的：", "引用 %d 次，见 ", "引用于 ", "；", "。"
	}
	var all []string
	if note := strings.TrimRight(prose.OneLine(s.Note), ".。"); note != "" {
		all = append(all, cell(cut(note, maxQuote)))
	}
	if len(readFor) > 0 {
		all = append(all,
			read+cell(cut(strings.Join(readFor[:min(len(readFor), mostPlaces)], and), maxQuote)))
	}
	if n := len(places); n == 1 {
		all = append(all, once+cell(places[0]))
	} else if n > 1 {
		different := slices.Compact(slices.Clone(places))
		names := strings.Join(different[:min(len(different), mostPlaces)], and)
		all = append(all, fmt.Sprintf(cited, n)+cell(names))
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
func sourceType(s Source, chinese bool) string {
	say := prose.English.Say
	if chinese {
		say = prose.Chinese.Say
	}
	address := webAddress(s)
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

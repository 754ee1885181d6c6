package citation

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// References returns what the program writes under a report: the heading {#references}, one line for each
// cited source, and a link definition for each citation. These make [s5.12] a link in any Markdown viewer: to
// the source's file, in an editor to the line of the passage. The link's title is the passage after its place
// in the original. The words are in the given language. Sources that were never read, or cannot be read now,
// are left out; if none is left, there is no list.
func (r *Report) References(lookup Lookup, language prose.Language) string {
	return r.references(lookup, language, func(s Source) string {
		out := fmt.Sprintf("- [%s] %s", s.ID, described(s, language))
		if note := prose.OneLine(s.Note); note != "" {
			out += " — " + cell(cut(note, maxQuote))
		}
		return out + "\n"
	}, "")
}

// references is [Report.References] with a line for each source written by entry, below a head.
func (r *Report) references(lookup Lookup, language prose.Language, entry func(Source) string,
	head string) string {
	refs := map[string][]int{}
	for _, c := range r.claims {
		for _, ref := range c.Refs {
			refs[ref.ID] = append(refs[ref.ID], ref.Block)
		}
	}
	ids := slices.SortedFunc(maps.Keys(refs), func(a, b string) int { return numberOf(a) - numberOf(b) })
	var list, definitions strings.Builder
	for _, id := range ids {
		s, err := lookup(id)
		if err != nil {
			continue
		}
		list.WriteString(entry(s))
		fmt.Fprintf(&definitions, "[%s]: %s \"%s\"\n", s.ID, linkTarget(s.File), linkTitle(s.Title))
		blocks := block.Split(s.Text)
		slices.Sort(refs[id])
		for _, n := range slices.Compact(refs[id]) {
			if n > 0 && n <= len(blocks) {
				b := blocks[n-1]
				fmt.Fprintf(&definitions, "[%s.%d]: %s#L%d \"%s\"\n", s.ID, n, linkTarget(s.File),
					s.Line+strings.Count(s.Text[:b.Start], "\n"), linkTitle(placed(s, b)))
			}
		}
	}
	if list.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("## %s {#%s}\n\n%s\n%s", language.Say("References"), referencesID,
		head+list.String(), definitions.String())
}

// numberOf returns the number in a source's id.
func numberOf(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "s")) // an id has no other form
	return n
}

// described returns a source's title, author and site, date and address.
func described(s Source, language prose.Language) string {
	comma := map[prose.Language]string{prose.English: ", ", prose.Chinese: "，"}[language]
	stop, date := language.Say(". "), s.Published
	if date == "" && !s.Fetched.IsZero() {
		date = language.Say("read %s", s.Fetched.Format("2006-01-02"))
	}
	author, site := cell(cut(prose.OneLine(s.Author), 100)), cell(publisher(s))
	if publisher(s) == ownDocuments {
		site = ""
	}
	link := ""
	if address := webAddress(s); address != "" {
		link = "<" + linkTarget(address) + ">"
	} else if path := strings.TrimPrefix(s.URL, "doc:"); path != "" {
		link = fmt.Sprintf("[%s](%s)", cell(path), linkTarget(s.File))
	}
	about := joinSaid(comma, author, site, cell(prose.OneLine(date)))
	return withStops(stop, cell(cut(prose.OneLine(s.Title), 200)), about, link)
}

// withStops joins the parts of a source's description, with a stop after each that does not end with one.
func withStops(stop string, parts ...string) (all string) {
	for _, part := range parts {
		switch {
		case part == "" || all == "":
		case strings.HasSuffix(all, "。") || strings.HasSuffix(all, "！") || strings.HasSuffix(all, "？"):
		case strings.ContainsAny(all[len(all)-1:], ".!?"):
			all += " "
		default:
			all += stop
		}
		all += part
	}
	return all
}

// webAddress returns the web address of a source, or "".
func webAddress(s Source) string {
	for _, address := range []string{s.FinalURL, s.URL} {
		if isWeb(address) {
			return address
		}
	}
	return ""
}

// placed returns the text of a block after its place in the original, which includes a person's own file.
func placed(s Source, b block.Block) string {
	where := whereIn(s, b)
	if path, isOwn := strings.CutPrefix(s.URL, "doc:"); isOwn {
		where = strings.TrimSuffix(path+" › "+where, " › ")
	}
	if where == "" {
		return excerptOf(s, b)
	}
	return where + ": “" + prose.Nested(excerptOf(s, b)) + "”"
}

// whereIn returns the place of a block in a source: the page, the headings, the definition, its table head.
func whereIn(s Source, b block.Block) string {
	var all []string
	if b.Page > 0 {
		all = append(all, fmt.Sprintf("p. %d", b.Page))
	}
	for _, above := range append(slices.Clone(b.Headings), b.Term, strings.Join(columnHeads(b), " | ")) {
		above = prose.OneLine(plainText(prose.Titled(above)))
		if above != "" && above != prose.OneLine(s.Title) {
			all = append(all, prose.Shorten(above, 80))
		}
	}
	return strings.Join(all, " › ")
}

// excerptOf returns the [Excerpt] of a block of a source. Adjacent brackets, as in
// "[plugin:][type:]#[units]", stay unless a definition in the source makes them a link.
func excerptOf(s Source, b block.Block) string {
	const pair, apart = "][", "]\u2060["
	n := strings.Count(b.Text, pair)
	if n == 0 || strings.Count(block.FindLinks(s.Text).Block(b).Text, pair) < n {
		return Excerpt(b)
	}
	b.Text = strings.ReplaceAll(b.Text, pair, apart)
	return strings.ReplaceAll(Excerpt(b), apart, pair)
}

// Excerpt returns a block's whole text in one line: its last sentence may be what supports a claim.
func Excerpt(b block.Block) string {
	return prose.OneLine(strings.ReplaceAll(plainBlock(b), "\t", " | "))
}

// linkTitle turns a text into a link title: one line without anything that ends the title.
func linkTitle(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", `\&`, "<", `\<`, "`", "\\`").Replace(visible(text))
}

// visible returns a text in one line, without invisible characters.
func visible(text string) string { return prose.OneLine(prose.Seen(text)) }

// endsLink matches invisible characters and those that could end a link or its cell.
var endsLink = regexp.MustCompile("[\\x00- \\x7f<>|\\\\`()\\[\\]\"\\p{Cc}\\p{Cf}]")

// linkTarget escapes an address, so that it cannot end its link or its cell.
func linkTarget(address string) string { return endsLink.ReplaceAllStringFunc(address, url.PathEscape) }

// cell escapes text from outside, so that it is just text within its table cell.
func cell(text string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;",
		"&", "&amp;", "*", `\*`, "_", `\_`, "`", "\\`", "~", `\~`,
		"://", `:\//`, "www.", `www\.`, "@", `\@`, "!", `\!`, "#", `\#`).Replace(visible(text))
}

// ReferenceTable is [Report.References] with a table instead of the list: number, citation, type and
// commentary of each source. The commentary is the person's note, what the source was read for, and where it
// is cited.
func (r *Report) ReferenceTable(lookup Lookup, language prose.Language, readFor map[string][]string) string {
	places := r.places()
	return r.references(lookup, language, func(s Source) string {
		return fmt.Sprintf("| [%s] | %s | %s | %s |\n", s.ID, described(s, language), sourceType(s, language),
			commentary(s, readFor[s.ID], places[s.ID], language))
	}, language.Say(tableHead)+"\n| --- | --- | --- | --- |\n")
}

// tableHead is the head of that table.
const tableHead = "| No. | Citation | Source type | Commentary |"

// TableOf returns a report's table of references, with its heading, or "" if it has a list.
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

// mostPlaces bounds the sections and purposes in a commentary.
const mostPlaces = 3

// commentary says in one or two sentences what a source contributes to the report.
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

// places maps each source id to the section titles of its citations, in order.
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

// kinds lists the source types that a site, or the beginning of its host, identifies, by their English names.
var kinds = []struct{ name, sites string }{
	{"paper", "arxiv.org doi.org semanticscholar.org ncbi.nlm.nih.gov biorxiv.org medrxiv.org " +
		"openreview.net aclanthology.org nature.com sciencedirect.com springer.com cnki.net"},
	{"discussion", "stackoverflow.com stackexchange.com news.ycombinator.com lobste.rs reddit.com " +
		"zhihu.com v2ex.com"},
	{"code", "github.com gitlab.com codeberg.org gitee.com huggingface.co"},
	{"encyclopedia", "wikipedia.org britannica.com baike.baidu.com"},
	{"official", "gov europa.eu who.int oecd.org un.org"},
	{"documentation", "docs. developer. readthedocs.io pkg.go.dev docs.rs"},
}

// sourceType returns the type of a source, judging by its address and file.
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
		for site := range strings.FieldsSeq(kind.sites) {
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

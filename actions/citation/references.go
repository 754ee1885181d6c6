package citation

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// References is what the program writes under a report: the heading {#references}, one line for each source
// that the report cites, and a link definition for each citation. With them [s5.12] is a link in any Markdown
// viewer, to the source's file, in an editor to the line of the passage, which is the link's title, behind
// its place in the original. The words are in the language of the report. Sources that were never read, or
// cannot be read now, are left out; when none is left, there is no list.
func (r *Report) References(lookup Lookup) string {
	language := r.language()
	return r.references(lookup, func(s Source) string {
		out := fmt.Sprintf("- [%s] %s", s.ID, described(s, language))
		if note := prose.OneLine(s.Note); note != "" {
			out += " — " + cell(cut(note, maxQuote))
		}
		return out + "\n"
	}, "")
}

// language is the one that the report speaks.
func (r *Report) language() prose.Language {
	if prose.IsChineseReport(r.source) {
		return prose.Chinese
	}
	return prose.English
}

// references is [Report.References] with a line for each source written by entry, below a head.
func (r *Report) references(lookup Lookup, entry func(Source) string, head string) string {
	refs := map[string][]int{}
	for _, c := range r.claims {
		for _, ref := range c.Refs {
			if !slices.Contains(refs[ref.ID], ref.Block) {
				refs[ref.ID] = append(refs[ref.ID], ref.Block)
			}
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
		for _, n := range refs[id] {
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
	return fmt.Sprintf("## %s {#%s}\n\n%s\n%s", r.language().Say("References"), referencesID, head+list.String(),
		definitions.String())
}

// numberOf is the number in the id of a source.
func numberOf(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "s")) // an id has no other form
	return n
}

// described is a source's title, author and site, date and address.
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
	return joinSaid(stop, cell(cut(prose.OneLine(s.Title), 200)), about, link)
}

// webAddress is where a source is on the web, "" for nowhere.
func webAddress(s Source) string {
	for _, address := range []string{s.FinalURL, s.URL} {
		if isWeb(address) {
			return address
		}
	}
	return ""
}

// placed is the text of a block behind its place in the original, a person's own file among it.
func placed(s Source, b block.Block) string {
	where := whereIn(s, b)
	if path, isOwn := strings.CutPrefix(s.URL, "doc:"); isOwn {
		where = strings.TrimSuffix(path+" › "+where, " › ")
	}
	if where == "" {
		return Excerpt(b)
	}
	return where + ": “" + Excerpt(b) + "”"
}

// whereIn is where in a source a block stands: the page, the headings, the definition, the head of its table.
func whereIn(s Source, b block.Block) string {
	var all []string
	if b.Page > 0 {
		all = append(all, fmt.Sprintf("p. %d", b.Page))
	}
	head, _, _ := strings.Cut(b.Head, "\n")
	for _, above := range append(slices.Clone(b.Headings), b.Term, strings.Join(cells(head), " | ")) {
		if above = prose.OneLine(plainText(above)); above != "" && above != prose.OneLine(s.Title) {
			all = append(all, prose.Shorten(above, 80))
		}
	}
	return strings.Join(all, " › ")
}

// Excerpt is the text of a block in one line, whole: what carries a claim may be its last sentence.
func Excerpt(b block.Block) string {
	return prose.OneLine(strings.ReplaceAll(plainBlock(b), "\t", " | "))
}

// linkTitle makes a text the title of a link: one line in which nothing ends it.
func linkTitle(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", `\&`, "<", `\<`, "`", "\\`").Replace(visible(text))
}

// visible is a text in one line, without characters that nobody sees.
func visible(text string) string { return prose.OneLine(prose.Seen(text)) }

// linkTarget keeps an address from ending its link or its cell.
func linkTarget(address string) string {
	var out strings.Builder
	for _, r := range address {
		if r <= ' ' || r == 0x7f || strings.ContainsRune("<>|\\`()[]\"", r) || unicode.IsControl(r) ||
			unicode.Is(unicode.Cf, r) {
			for _, b := range []byte(string(r)) {
				fmt.Fprintf(&out, "%%%02X", b)
			}
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// cell makes text from outside nothing but text within its cell of a table.
func cell(text string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;",
		"&", "&amp;", "*", `\*`, "_", `\_`, "`", "\\`", "~", `\~`,
		"://", `:\//`, "www.", `www\.`, "@", `\@`, "!", `\!`, "#", `\#`).Replace(visible(text))
}

package export

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// bibtex lists sources for LaTeX, in UTF-8: those that are wanted, of all that the report has. Works with a
// DOI or an arXiv number are articles, pages of the web are online, as biblatex has them, and a person's own
// documents are misc. Each has a date for biblatex and a year for BibTeX.
func bibtex(from report, wanted []workspace.Source) []byte {
	var out strings.Builder
	for i, r := range records(from, wanted) {
		if i > 0 {
			out.WriteByte('\n')
		}
		r.bibtex(&out)
	}
	return []byte(out.String())
}

func (r record) bibtex(out *strings.Builder) {
	fmt.Fprintf(out, "@%s{%s,\n", r.kind.bibtex, r.key)
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(out, "  %-13s = {%s},\n", name, value)
		}
	}
	var authors []string
	for _, p := range r.authors {
		authors = append(authors, p.bibtex())
	}
	field("author", strings.Join(authors, " and "))
	field("title", keepCase(r.title))
	if r.arxiv != "" && r.doi == "" {
		field("journal", "arXiv preprint arXiv:"+r.arxiv)
	}
	field("date", strings.TrimRight(strings.Join(r.date[:], "-"), "-"))
	field("year", r.date[0])
	field("doi", verbatim(r.doi))
	field("eprint", r.arxiv)
	if r.arxiv != "" {
		field("archiveprefix", "arXiv")
	}
	field("url", verbatim(r.address))
	field("howpublished", escape(r.note()))
	field("urldate", r.read)
	out.WriteString("}\n")
}

// bibtex is a name that is not taken apart in another way than it was here: one that is whole stands in
// braces of its own.
func (p person) bibtex() string {
	if p.given == "" {
		return "{" + escape(p.family) + "}"
	}
	return keepAnd(escape(p.family)) + ", " + keepAnd(escape(p.given))
}

// keepAnd keeps a name from being parted at a word or a comma that parts names.
func keepAnd(name string) string {
	if strings.Contains(" "+strings.ToLower(name)+" ", " and ") || strings.Contains(name, ",") {
		return "{" + name + "}"
	}
	return name
}

// escape keeps LaTeX from reading a text as anything but a text. A brace becomes a command: BibTeX counts
// braces, also those behind a backslash.
func escape(text string) string {
	return strings.NewReplacer(
		`\`, `{\textbackslash}`, `{`, `{\textbraceleft}`, `}`, `{\textbraceright}`, `~`, `{\textasciitilde}`,
		`^`, `{\textasciicircum}`,
		`&`, `\&`, `%`, `\%`, `$`, `\$`, `#`, `\#`, `_`, `\_`,
	).Replace(text)
}

// keepCase escapes a title, and puts words with capitals within them, such as SQLite, in braces: styles write
// titles in small letters.
func keepCase(title string) string {
	words := strings.Fields(title)
	for i, word := range words {
		_, first := utf8.DecodeRuneInString(word)
		words[i] = escape(word)
		if strings.ContainsFunc(word[first:], unicode.IsUpper) {
			words[i] = "{" + words[i] + "}"
		}
	}
	return strings.Join(words, " ")
}

// verbatim is an address as the url and doi fields take it: as it is, but for what would end the field.
func verbatim(address string) string {
	return strings.NewReplacer(`{`, "%7B", `}`, "%7D", `\`, "%5C", ` `, "%20", `"`, "%22", `^`, "%5E",
		"`", "%60", `<`, "%3C", `>`, "%3E", `|`, "%7C").Replace(address)
}

package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// bibtex lists the wanted sources of a report for LaTeX, in UTF-8. Works with a DOI or an arXiv number are
// articles, web pages are online, as biblatex has them, and the user's own documents are misc. Each has a
// date for biblatex and a year for BibTeX.
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
	field("howpublished", escape(r.note))
	field("urldate", r.read)
	out.WriteString("}\n")
}

// bibtex returns a name that BibTeX cannot split differently: a name that is whole gets braces of its own.
func (p person) bibtex() string {
	if p.given == "" {
		return "{" + escape(p.family) + "}"
	}
	return keepAnd(escape(p.family)) + ", " + keepAnd(escape(p.given))
}

// keepAnd keeps BibTeX from splitting a name at a word or a comma that separates names.
func keepAnd(name string) string {
	if strings.Contains(" "+strings.ToLower(name)+" ", " and ") || strings.Contains(name, ",") {
		return "{" + name + "}"
	}
	return name
}

// escape makes LaTeX read a text as text alone. A brace becomes a command, because BibTeX counts braces even
// after a backslash.
func escape(text string) string {
	return strings.NewReplacer(
		`\`, `{\textbackslash}`, `{`, `{\textbraceleft}`, `}`, `{\textbraceright}`, `~`, `{\textasciitilde}`,
		`^`, `{\textasciicircum}`,
		`&`, `\&`, `%`, `\%`, `$`, `\$`, `#`, `\#`, `_`, `\_`,
	).Replace(text)
}

// keepCase escapes a title, and puts words with inner capitals, such as SQLite, in braces, because styles
// write titles in lower case.
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

// verbatim returns an address for the url and doi fields: unchanged, but for what would end the field.
func verbatim(address string) string {
	return strings.NewReplacer(`{`, "%7B", `}`, "%7D", `\`, "%5C", ` `, "%20", `"`, "%22", `^`, "%5E",
		"`", "%60", `<`, "%3C", `>`, "%3E", `|`, "%7C").Replace(address)
}

// csl lists the wanted sources as CSL JSON, which Zotero and pandoc read, with the keys of [bibtex].
func csl(from report, wanted []workspace.Source) ([]byte, error) {
	items := []map[string]any{}
	for _, r := range records(from, wanted) {
		items = append(items, r.csl())
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(items); err != nil {
		return nil, fmt.Errorf("writing CSL JSON: %w", err)
	}
	return out.Bytes(), nil
}

func (r record) csl() map[string]any {
	item := map[string]any{"id": r.key, "type": r.kind.csl, "title": r.title}
	for name, value := range map[string]string{"DOI": r.doi, "URL": r.address, "language": r.language,
		"note": r.note} {
		if value != "" {
			item[name] = value
		}
	}
	for name, date := range map[string][3]string{"issued": r.date, "accessed": date(r.read)} {
		var parts []int
		for _, part := range date {
			if n, err := strconv.Atoi(part); err == nil {
				parts = append(parts, n)
			}
		}
		if len(parts) > 0 {
			item[name] = map[string]any{"date-parts": [][]int{parts}}
		}
	}
	if r.arxiv != "" {
		item["publisher"], item["number"] = "arXiv", "arXiv:"+r.arxiv
	}
	var authors []map[string]string
	for _, p := range r.authors {
		if p.given == "" {
			authors = append(authors, map[string]string{"literal": p.family})
		} else {
			authors = append(authors, map[string]string{"family": p.family, "given": p.given})
		}
	}
	if len(authors) > 0 {
		item["author"] = authors
	}
	return item
}

// ris lists the wanted sources for EndNote, Zotero and others, with the keys of [bibtex].
func ris(from report, wanted []workspace.Source) []byte {
	var out strings.Builder
	field := func(tag, value string) {
		if value != "" {
			fmt.Fprintf(&out, "%s  - %s\r\n", tag, value)
		}
	}
	for _, r := range records(from, wanted) {
		field("TY", r.kind.ris)
		field("ID", r.key)
		for _, p := range r.authors {
			// an asterisk would begin a role
			field("AU", strings.ReplaceAll(strings.TrimSuffix(p.family+", "+p.given, ", "), "*", ""))
		}
		field("TI", r.title)
		field("PY", r.date[0])
		if r.date[0] != "" {
			field("DA", strings.Join(r.date[:], "/")+"/")
		}
		field("DO", r.doi)
		if r.arxiv != "" {
			field("PB", "arXiv")
			field("AN", "arXiv:"+r.arxiv)
		}
		field("UR", r.address)
		field("Y2", strings.ReplaceAll(r.read, "-", "/")+"/")
		field("LA", r.language)
		field("N1", r.note)
		out.WriteString("ER  - \r\n")
	}
	return []byte(out.String())
}

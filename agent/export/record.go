package export

import (
	"cmp"
	"net/url"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// record is a source as a bibliography has it.
type record struct {
	kind     kind
	key      string
	title    string
	authors  []person
	date     [3]string // year, month and day, "" from where they are not known
	read     string    // 2006-01-02
	address  string    // on the web, or ""
	own      string    // of one of the person's own documents, or ""
	doi      string
	arxiv    string
	language string
	lang     prose.Language // of the note
}

// kind is what sort of work a source is, as each list calls it.
type kind struct{ bibtex, csl, ris string }

var (
	article  = kind{"article", "article-journal", "JOUR"} // with a DOI
	preprint = kind{"article", "article", "UNPB"}         // on arXiv
	document = kind{"online", "report", "RPRT"}           // a PDF on the web
	website  = kind{"online", "webpage", "ELEC"}
	own      = kind{"misc", "document", "GEN"} // the person's
)

// note says of a person's own document where it is.
func (r record) note() string {
	if r.own == "" {
		return ""
	}
	return r.lang.Say("Own document: %s", strings.TrimPrefix(r.own, "doc:"))
}

// records make entries of the wanted sources. A key depends on the sources with lower numbers alone, so that
// it stays.
func records(from report, wanted []workspace.Source) []record {
	want := map[string]bool{}
	for _, s := range wanted {
		want[s.ID] = true
	}
	taken := map[string]bool{}
	var out []record
	lang := prose.LanguageOf("", from.Question)
	for _, s := range from.Sources {
		r := describe(s)
		r.lang = lang
		r.key = uniqueKey(r, s.ID, taken)
		if want[s.ID] {
			out = append(out, r)
		}
	}
	return out
}

func describe(s workspace.Source) record {
	r := record{title: oneLine(s.Title), authors: people(s.Author), date: date(s.Published),
		read: s.Fetched.Format("2006-01-02"), language: oneLine(s.Language)}
	for _, address := range []string{s.FinalURL, s.URL} {
		if webAddress(address) {
			if r.address == "" {
				r.address = oneLine(address)
			}
			doi, arxiv := identifiers(address)
			r.doi, r.arxiv = cmp.Or(r.doi, doi), cmp.Or(r.arxiv, arxiv)
		}
	}
	if r.address == "" {
		r.own = oneLine(s.URL)
	}
	r.title = cmp.Or(r.title, r.address, r.own)
	switch {
	case r.arxiv != "":
		r.kind = preprint
	case r.doi != "":
		r.kind = article
	case r.own != "":
		r.kind = own
	case s.Type == "pdf":
		r.kind = document
	default:
		r.kind = website
	}
	return r
}

// oneLine is a text without line breaks and control characters.
func oneLine(text string) string { return prose.OneLine(prose.Seen(text)) }

var doiForm = regexp.MustCompile(
	`^/(?:(?:.*/)?(?:doi|articles?|chapter|book|abs|full|e?pdf)/)?(10\.[0-9]{4,9}/[^\s?#"<>{}\\]+)$`)

var arxivForm = regexp.MustCompile(`^/(?:abs|pdf|html)/([0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?|` +
	`[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7}(?:v[0-9]+)?)(?:\.pdf)?/?$`)

// identifiers are the DOI and the arXiv number that an address holds.
func identifiers(address string) (doi, arxiv string) {
	u, err := url.Parse(address)
	if err != nil {
		return "", ""
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	if host == "arxiv.org" || strings.HasSuffix(host, ".arxiv.org") {
		if m := arxivForm.FindStringSubmatch(u.Path); m != nil {
			return "", m[1]
		}
	}
	if m := doiForm.FindStringSubmatch(u.Path); m != nil {
		doi = strings.TrimSuffix(m[1], ".pdf")
		if rest, ok := strings.CutPrefix(strings.ToLower(doi), "10.48550/arxiv."); ok {
			return doi, rest
		}
	}
	return doi, ""
}

var dateForm = regexp.MustCompile(`^([12][0-9]{3})(?:-(0[1-9]|1[0-2])(?:-([0-3][0-9]))?)?`)

// date takes a date apart that is 2006-01-02 or less of it.
func date(text string) (parts [3]string) {
	if m := dateForm.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		copy(parts[:], m[1:])
	}
	return parts
}

package export

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"golang.org/x/text/unicode/norm"
)

// record is a source as a bibliography has it.
type record struct {
	kind     kind
	key      string
	title    string
	authors  []person
	date     [3]string // year, month and day, each "" if unknown
	read     string    // 2006-01-02
	address  string    // on the web, or ""
	note     string    // where one of the user's own documents is
	doi      string
	arxiv    string
	language string
}

// kind is the sort of work that a source is, in the terms of each list.
type kind struct{ bibtex, csl, ris string }

var (
	article  = kind{"article", "article-journal", "JOUR"} // with a DOI
	preprint = kind{"article", "article", "UNPB"}         // on arXiv
	document = kind{"online", "report", "RPRT"}           // a PDF on the web
	website  = kind{"online", "webpage", "ELEC"}
	own      = kind{"misc", "document", "GEN"} // the user's
)

// records returns entries for the wanted sources. A key depends only on sources with lower numbers, so that
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
		r := describe(s, lang)
		r.key = uniqueKey(r, s.ID, taken)
		if want[s.ID] {
			out = append(out, r)
		}
	}
	return out
}

// describe returns the entry of a source, without its key; its note is in a language.
func describe(s workspace.Source, lang prose.Language) record {
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
	r.title = cmp.Or(r.title, r.address, oneLine(s.URL))
	if address := oneLine(s.URL); r.address == "" && address != "" {
		r.note = lang.Say("Own document: %s", strings.TrimPrefix(address, "doc:"))
	}
	switch {
	case r.arxiv != "":
		r.kind = preprint
	case r.doi != "":
		r.kind = article
	case r.note != "":
		r.kind = own
	case s.Type == "pdf":
		r.kind = document
	default:
		r.kind = website
	}
	return r
}

// oneLine returns a text without line breaks and control characters.
func oneLine(text string) string { return prose.OneLine(prose.Seen(text)) }

var doiForm = regexp.MustCompile(
	`^/(?:(?:.*/)?(?:doi|articles?|chapter|book|abs|full|e?pdf)/)?(10\.[0-9]{4,9}/[^\s?#"<>{}\\]+)$`)

var arxivForm = regexp.MustCompile(`^/(?:abs|pdf|html)/([0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?|` +
	`[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7}(?:v[0-9]+)?)(?:\.pdf)?/?$`)

// identifiers returns the DOI and the arXiv number in an address.
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

// date splits a date such as 2006-01-02, or the beginning of one.
func date(text string) (parts [3]string) {
	if m := dateForm.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		copy(parts[:], m[1:])
	}
	return parts
}

// uniqueKey returns the key of an entry: first author, year and first word of weight in the title, as in
// ongaro2014search; if none of them is in Latin letters, the source's id. BibTeX takes only ASCII.
func uniqueKey(r record, id string, taken map[string]bool) string {
	key := ""
	if len(r.authors) > 0 {
		words := append(strings.Fields(r.authors[0].family), "")
		key = ascii(words[max(0, len(words)-2)])
		if r.authors[0].given == "" {
			key = ascii(words[0])
		}
	}
	word := weighty(r.title)
	switch {
	case key == "" && word == "":
		key = id
	case key == "" && r.date[0] == "":
		key = word + "-" + id
	default:
		key += r.date[0] + word
	}
	if taken[key] || key == "" {
		key = strings.TrimSuffix(key, "-"+id) + "-" + id
	}
	taken[key] = true
	return key
}

// weighty returns the first word of a title that says something.
func weighty(title string) string {
	for word := range strings.FieldsFuncSeq(title,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		if w := ascii(word); len(w) >= 3 && !slices.Contains(light, w) {
			return w[:min(len(w), 20)]
		}
	}
	return ""
}

var light = strings.Fields("the and for how why what when can are does with from its your www http https")

// ascii returns a word in lower-case ASCII, without accents, or "" if it is not in Latin letters.
func ascii(word string) string {
	var out strings.Builder
	plain := strings.NewReplacer("ß", "ss", "ø", "o", "ł", "l").Replace(strings.ToLower(word))
	for _, r := range norm.NFD.String(plain) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			out.WriteRune(r)
		case unicode.IsLetter(r):
			return ""
		}
	}
	return out.String()
}

// person is an author. Names of firms and Chinese names are whole, in family.
type person struct {
	family, given string
}

// people splits a line of authors. In doubt it does not split: half an author is wrong.
func people(line string) []person {
	const maxPeople = 200 // the works of large experiments name thousands
	var all []person
	for _, name := range names(oneLine(line)) {
		name = strings.Trim(strings.TrimSpace(name), ",，、;；")
		if p := named(name); name != "" && !slices.Contains(all, p) {
			all = append(all, p)
		}
		if len(all) == maxPeople {
			break
		}
	}
	return all
}

// names splits a line where only a separator can be; at commas if all parts are whole names.
func names(line string) []string {
	if isHan.MatchString(line) {
		return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",，、;；/", r) })
	}
	line = strings.NewReplacer(" and ", ";", " AND ", ";", " & ", ";", "；", ";", ", and ", ";", " und ", ";",
		" et ", ";").Replace(strings.TrimSuffix(strings.ReplaceAll(line, " et al.", ""), " et al"))
	isPart := func(piece string) bool {
		piece = strings.TrimSpace(piece)
		return piece != "" && !strings.Contains(piece, " ") || suffix.MatchString(piece)
	}
	var all []string
	for part := range strings.SplitSeq(line, ";") {
		pieces := strings.Split(part, ",")
		if slices.ContainsFunc(pieces, isPart) {
			pieces = []string{part}
		}
		all = append(all, pieces...)
	}
	return all
}

var (
	// suffix matches what follows a name after a comma without being one.
	suffix = regexp.MustCompile(`(?i)^[. ]*(?:jr|sr|ii|iii|iv|phd|md|inc|ltd|llc|ph\.d|m\.d)[. ]*$`)
	// isHan matches the characters of names that are not split.
	isHan = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]`)
	// ofNoPerson matches a word that shows that a name is not a person's.
	ofNoPerson = regexp.MustCompile(`(?i)[\p{Nd}@/:|_]|^[.,()]*(?:` + strings.ReplaceAll(
		"the of for group team inc ltd llc gmbh corp corporation company foundation institute university "+
			"project contributors developers authors staff editors press news committee consortium "+
			"association society department ministry agency documentation wikipedia blog labs research",
		" ", "|") + `)[.,()]*$`)
)

// particles belong to the family name after them.
var particles = strings.Fields("van von de der den du la le di da del dos ten ter zu")

// named separates the family name from given names, as in "Family, Given" and "Given Family".
func named(name string) person {
	if isHan.MatchString(name) {
		return person{family: name}
	}
	if family, given, ok := strings.Cut(name, ","); ok {
		if family, given = strings.TrimSpace(family), strings.TrimSpace(given); family != "" && given != "" &&
			!strings.Contains(given, ",") && !suffix.MatchString(given) {
			return person{family, given}
		}
		return person{family: name}
	}
	words := strings.Fields(name)
	first, _ := utf8.DecodeRuneInString(name)
	if len(words) < 2 || len(words) > 5 || !unicode.IsUpper(first) ||
		slices.ContainsFunc(words, ofNoPerson.MatchString) {
		return person{family: name}
	}
	from := len(words) - 1
	for from > 1 && slices.Contains(particles, words[from-1]) {
		from--
	}
	return person{strings.Join(words[from:], " "), strings.Join(words[:from], " ")}
}

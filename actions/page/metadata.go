package page

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/agent/bounds"
	"golang.org/x/net/html"
	"golang.org/x/text/language"
)

// metadata is what a page says of itself in <meta> and <link> elements and in JSON-LD.
type metadata struct {
	title, site, author, date, changed, language, generator string

	publisher string // from JSON-LD, as the following

	linkedTitle, linkedAuthor, linkedDate, linkedLanguage, linkedText string // from JSON-LD

	authorID   string            // of the author, where another part of the JSON-LD names him
	names      map[string]string // by id
	locked     bool              // the text must be paid for
	lockedPart string            // class of the elements that must
	address    string            // canonical
	versions   [][2]string       // language and address of each
}

func (m *metadata) element(n *html.Node) {
	value := markup.CleanLine(markup.Attr(n, "content"))
	if value == "" {
		return
	}
	name := cmp.Or(markup.Attr(n, "property"), markup.Attr(n, "name"), markup.Attr(n, "itemprop"),
		markup.Attr(n, "http-equiv"))
	switch strings.ToLower(name) {
	case "og:title", "twitter:title", "citation_title", "dc.title":
		m.title = cmp.Or(m.title, value)
	case "og:site_name", "application-name":
		m.site = cmp.Or(m.site, value)
	case "author", "article:author", "dc.creator", "citation_author", "parsely-author",
		"sailthru.author", "byl":
		if !strings.Contains(value, "://") { // some give the address of a profile
			m.author = cmp.Or(m.author, value)
		}
	case "article:published_time", "og:published_time", "datepublished", "date", "dc.date", "dc.date.issued",
		"dcterms.created",
		"pubdate", "publishdate", "publish-date", "citation_publication_date", "citation_date",
		"parsely-pub-date", "sailthru.date":
		m.date = cmp.Or(m.date, dateOf(value))
	case "article:modified_time", "og:updated_time", "datemodified", "last-modified", "lastmod",
		"dcterms.modified", "dc.date.modified", "revised":
		m.changed = cmp.Or(m.changed, dateOf(value))
	case "article:content_tier":
		m.locked = m.locked || value == "locked"
	case "isaccessibleforfree":
		m.locked = m.locked || strings.EqualFold(value, "false")
	case "content-language", "og:locale", "dc.language", "inlanguage":
		m.language = cmp.Or(m.language, languageOf(value))
	case "generator":
		m.generator = cmp.Or(m.generator, value)
	}
}

// link notes the page's own address and those of its versions in other languages.
func (m *metadata) link(n *html.Node) {
	switch rel, href := markup.Attr(n, "rel"), markup.Attr(n, "href"); {
	case rel == "canonical":
		m.address = cmp.Or(m.address, href)
	case rel == "alternate" && markup.Attr(n, "hreflang") != "" && len(m.versions) < 200:
		m.versions = append(m.versions, [2]string{languageOf(markup.Attr(n, "hreflang")), href})
	}
}

// ownLanguage is that of the version which is this page.
func (m *metadata) ownLanguage() string {
	for _, version := range m.versions {
		if m.address != "" && version[1] == m.address && version[0] != "" {
			return version[0]
		}
	}
	return ""
}

// linked reads a JSON-LD script; what is no JSON says nothing.
func (m *metadata) linked(script string) {
	script = strings.Trim(strings.TrimSpace(script), ";")
	for _, wrap := range [...]string{"<!--", "-->", "//<![CDATA[", "//]]>", "<![CDATA[",
		"]]>", "/*<![CDATA[*/", "/*]]>*/"} {
		script = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(script, wrap), wrap))
	}
	var value any
	err := bounds.JSON([]byte(script), &value)
	if err != nil && !bounds.Over(err) { // most often for a line end within a string
		script = strings.NewReplacer("\r", " ", "\n", " ", "\t", " ").Replace(script)
		err = bounds.JSON([]byte(script), &value)
	}
	if err == nil {
		m.walk(value, 0)
	}
}

func (m *metadata) walk(value any, depth int) {
	if depth > 5 {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			m.walk(item, depth+1)
		}
	case map[string]any:
		if id, name := stringOf(v["@id"]), stringOf(v["name"]); id != "" && name != "" {
			if m.names == nil {
				m.names = map[string]string{}
			}
			m.names[id] = markup.CleanLine(name)
		}
		m.changed = cmp.Or(m.changed, dateOf(stringOf(v["dateModified"])))
		if date := dateOf(stringOf(v["datePublished"])); date != "" || stringOf(v["articleBody"]) != "" {
			m.work(v, date)
		}
		m.walk(v["@graph"], depth+1)
		m.walk(v["mainEntity"], depth+1)
		m.walk(v["mainEntityOfPage"], depth+1)
	}
}

// work is an article or anything else that was published.
func (m *metadata) work(v map[string]any, date string) {
	m.linkedDate = cmp.Or(m.linkedDate, date)
	m.publisher = cmp.Or(m.publisher, personName(v["publisher"]))
	if m.linkedAuthor == "" {
		m.linkedAuthor = personName(v["author"])
		if by, ok := v["author"].(map[string]any); ok && m.linkedAuthor == "" {
			m.authorID = cmp.Or(m.authorID, stringOf(by["@id"]))
		}
	}
	m.linkedTitle = cmp.Or(m.linkedTitle, markup.CleanLine(html.UnescapeString(stringOf(v["headline"]))))
	m.linkedLanguage = cmp.Or(m.linkedLanguage, languageOf(stringOf(v["inLanguage"])))
	if text := stringOf(v["articleBody"]); len(text) > len(m.linkedText) && !strings.Contains(text, "</") {
		m.linkedText = html.UnescapeString(text)
	}
	if isFalse(v["isAccessibleForFree"]) {
		m.locked = true
	}
	parts, isList := v["hasPart"].([]any)
	if !isList {
		parts = []any{v["hasPart"]}
	}
	for _, part := range parts {
		if part, ok := part.(map[string]any); ok && isFalse(part["isAccessibleForFree"]) {
			m.locked = true
			m.lockedPart = cmp.Or(m.lockedPart, strings.TrimPrefix(stringOf(part["cssSelector"]), "."))
		}
	}
}

// isFalse knows the ways in which JSON-LD says so.
func isFalse(value any) bool {
	switch v := value.(type) {
	case bool:
		return !v
	case string:
		return strings.EqualFold(v, "false") || strings.HasSuffix(v, "schema.org/False")
	}
	return false
}

// resolve names the author that the JSON-LD only points to.
func (m *metadata) resolve() {
	m.linkedAuthor = cmp.Or(m.linkedAuthor, m.names[m.authorID])
}

func stringOf(value any) string {
	s, _ := value.(string)
	return s
}

func personName(value any) string {
	switch v := value.(type) {
	case string:
		if !strings.Contains(v, "://") {
			return markup.CleanLine(v)
		}
	case map[string]any:
		if v["name"] == nil {
			return ""
		}
		return personName(v["name"])
	case []any:
		var names []string
		for _, item := range v[:min(len(v), 10)] {
			if name := personName(item); name != "" {
				names = append(names, name)
			}
		}
		return strings.Join(names, ", ")
	}
	return ""
}

// languageOf makes a tag of what pages write: zh_CN and ZH-cn are zh-CN. "" for what is no tag.
func languageOf(value string) string {
	value, _, _ = strings.Cut(strings.TrimSpace(value), ",")
	tag, err := language.Parse(value)
	if err != nil || tag == language.Und {
		return ""
	}
	return tag.String()
}

// languageWritten corrects the declared language by the script of the text: many a template says en over a
// Chinese page. Of the languages in the same script it knows nothing.
func languageWritten(declared, text string) string {
	han, kana, hangul, letters := 0, 0, 0, 0
	for _, r := range text[:min(len(text), 16<<10)] {
		switch {
		case r < 0x250:
			if r < utf8.RuneSelf && unicode.IsLetter(r) {
				letters++
			}
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		}
	}
	written := ""
	switch {
	case (han+kana+hangul)*2 < letters || han+kana+hangul < 20:
		return declared
	case hangul > han+kana:
		written = "ko"
	case kana*10 > han:
		written = "ja"
	default:
		written = "zh"
	}
	if main, _, _ := strings.Cut(declared, "-"); main == written || written == "zh" && main == "yue" {
		return declared
	}
	return written
}

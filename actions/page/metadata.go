package page

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/daybook-agent/daybook/agent/bounds"
	"golang.org/x/net/html"
	"golang.org/x/text/language"
)

// facts are what a page says of itself, by what they are and where it says so. The first of each holds.
type facts map[string]string

func (f facts) note(kind, value string) {
	if f[kind] == "" {
		f[kind] = value
	}
}

// first is the value of the first kind that there is.
func (f facts) first(kinds ...string) string {
	for _, kind := range kinds {
		if f[kind] != "" {
			return f[kind]
		}
	}
	return ""
}

// meta reads an element of that name.
func (f facts) meta(n *html.Node) {
	value := plain.Line(tree.Attr(n, "content"))
	name := cmp.Or(tree.Attr(n, "property"), tree.Attr(n, "name"), tree.Attr(n, "itemprop"),
		tree.Attr(n, "http-equiv"))
	switch strings.ToLower(name) {
	case "og:title", "twitter:title", "citation_title", "dc.title":
		f.note("title", value)
	case "og:site_name", "application-name":
		f.note("site", value)
	case "author", "article:author", "dc.creator", "citation_author", "parsely-author",
		"sailthru.author", "byl":
		f.note("author", nameIn(value))
	case "article:published_time", "og:published_time", "datepublished", "date", "dc.date", "dc.date.issued",
		"dcterms.created", "pubdate", "publishdate", "publish-date", "citation_publication_date",
		"citation_date", "parsely-pub-date", "sailthru.date":
		f.note("date", dateOf(value))
	case "article:modified_time", "og:updated_time", "datemodified", "last-modified", "lastmod",
		"dcterms.modified", "dc.date.modified", "revised":
		f.note("changed", dateOf(value))
	case "article:content_tier", "isaccessibleforfree":
		if value == "locked" || strings.EqualFold(value, "false") {
			f.note("locked", "yes")
		}
	case "content-language", "og:locale", "dc.language", "inlanguage":
		f.note("language", languageOf(value))
	case "generator":
		f.note("generator", value)
	}
}

// link notes the page's own address and the languages of its versions.
func (f facts) link(n *html.Node) {
	switch href := tree.Attr(n, "href"); tree.Attr(n, "rel") {
	case "canonical":
		f.note("address", href)
	case "alternate":
		f.note("language of "+href, languageOf(tree.Attr(n, "hreflang")))
	}
}

// linked reads a JSON-LD script; what is no JSON says nothing.
func (f facts) linked(script string) {
	script = strings.Trim(strings.TrimSpace(script), ";")
	for _, wrap := range [...]string{"<!--", "-->", "//<![CDATA[", "//]]>", "<![CDATA[",
		"]]>", "/*<![CDATA[*/", "/*]]>*/"} {
		script = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(script, wrap), wrap))
	}
	// pages break lines within strings
	script = strings.NewReplacer("\r", " ", "\n", " ", "\t", " ").Replace(script)
	var value any
	if bounds.JSON([]byte(script), &value) == nil {
		f.walk(value, 0)
	}
}

func (f facts) walk(value any, depth int) {
	if depth > 5 {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			f.walk(item, depth+1)
		}
	case map[string]any:
		if id := stringOf(v["@id"]); id != "" {
			f.note("name of "+id, nameOfPerson(v))
		}
		f.note("changed", dateOf(stringOf(v["dateModified"])))
		if dateOf(stringOf(v["datePublished"])) != "" || stringOf(v["articleBody"]) != "" {
			f.work(v)
		}
		for _, key := range [...]string{"@graph", "mainEntity", "mainEntityOfPage"} {
			f.walk(v[key], depth+1)
		}
	}
}

// work is an article or anything else that was published.
func (f facts) work(v map[string]any) {
	f.note("linked date", dateOf(stringOf(v["datePublished"])))
	f.note("publisher", nameOfPerson(v["publisher"]))
	f.note("linked author", nameOfPerson(v["author"]))
	if by, ok := v["author"].(map[string]any); ok {
		f.note("id of author", stringOf(by["@id"]))
	}
	f.note("linked title", plain.Line(html.UnescapeString(stringOf(v["headline"]))))
	f.note("linked language", languageOf(stringOf(v["inLanguage"])))
	if text := stringOf(v["articleBody"]); len(text) > len(f["text"]) && !strings.Contains(text, "</") {
		f["text"] = html.UnescapeString(text)
	}
	parts, isList := v["hasPart"].([]any)
	if !isList {
		parts = []any{v["hasPart"]}
	}
	for _, part := range append(parts, v) {
		if part, ok := part.(map[string]any); ok && isFalse(part["isAccessibleForFree"]) {
			f.note("locked", "yes")
			f.note("locked part", strings.TrimPrefix(stringOf(part["cssSelector"]), "."))
		}
	}
}

// isFalse knows the ways in which JSON-LD says so.
func isFalse(value any) bool {
	free, isBool := value.(bool)
	s := strings.ToLower(stringOf(value))
	return isBool && !free || s == "false" || strings.HasSuffix(s, "schema.org/false")
}

func stringOf(value any) string {
	s, _ := value.(string)
	return s
}

func nameOfPerson(value any) string {
	switch v := value.(type) {
	case string:
		return nameIn(plain.Line(html.UnescapeString(v)))
	case map[string]any:
		return nameOfPerson(v["name"])
	case []any:
		var names []string
		for _, item := range v[:min(len(v), 10)] {
			if name := nameOfPerson(item); name != "" {
				names = append(names, name)
			}
		}
		return strings.Join(names, ", ")
	}
	return ""
}

// nameIn is "" for the address of a profile, which some pages give in the place of a name.
func nameIn(value string) string {
	if strings.Contains(value, "://") {
		return ""
	}
	return value
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

// languageWritten corrects the language by the script of the text: many a template says en over Chinese.
func languageWritten(declared, text string) string {
	han, kana, hangul, letters := 0, 0, 0, 0
	for _, r := range text[:min(len(text), 16<<10)] {
		switch {
		case r < utf8.RuneSelf && unicode.IsLetter(r):
			letters++
		case r < 0x250:
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

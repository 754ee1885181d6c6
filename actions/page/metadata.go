package page

import (
	"cmp"
	_ "embed" // for names.txt
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/net/html"
	"golang.org/x/text/language"
)

// facts maps kinds of statements a page makes about itself to their values. The first of each kind counts.
type facts map[string]string

func (f facts) note(kind, value string) {
	if f[kind] == "" {
		f[kind] = value
	}
}

// first returns the value of the first kind that has one.
func (f facts) first(kinds ...string) string {
	for _, kind := range kinds {
		if f[kind] != "" {
			return f[kind]
		}
	}
	return ""
}

// meta reads a <meta> element.
func (f facts) meta(n *html.Node) {
	value := plain.Line(tree.Attr(n, "content"))
	name := cmp.Or(tree.Attr(n, "property"), tree.Attr(n, "name"), tree.Attr(n, "itemprop"),
		tree.Attr(n, "http-equiv"))
	kind := called("meta " + strings.ToLower(name))
	switch kind {
	case "":
		return
	case "author":
		value = nameIn(value)
	case "date", "changed":
		value = dateOf(value)
	case "language":
		value = languageOf(value)
	case "locked":
		if value != "locked" && !strings.EqualFold(value, "false") {
			return
		}
	}
	f.note(kind, value)
}

//go:embed names.txt
var namesFile string

// names maps each name in the file to its meaning; names for <meta> elements are prefixed with "meta ".
var names = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for title, text := range prose.Sections(namesFile) {
		kind, _, _ := strings.Cut(title, ":")
		kind, isMeta := strings.CutPrefix(kind, "meta ")
		for name := range strings.FieldsSeq(text) {
			if isMeta {
				name = "meta " + name
			}
			all[name] = kind
		}
	}
	return all
})

// called returns the meaning of a name that web authors use, or "".
func called(name string) string { return names()[name] }

// link notes the page's own address and the languages of its versions.
func (f facts) link(n *html.Node) {
	switch href := tree.Attr(n, "href"); tree.Attr(n, "rel") {
	case "canonical":
		f.note("address", href)
	case "alternate":
		f.note("language of "+href, languageOf(tree.Attr(n, "hreflang")))
	}
}

// linked reads a JSON-LD script, if it is valid JSON.
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

// work reads an article or another published work.
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

// isFalse recognizes the forms of false in JSON-LD.
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

// nameIn returns "" for the address of a profile, which some pages give instead of a name.
func nameIn(value string) string {
	if strings.Contains(value, "://") {
		return ""
	}
	return value
}

// languageOf normalizes a language tag: zh_CN and ZH-cn become zh-CN. It returns "" for anything else.
func languageOf(value string) string {
	value, _, _ = strings.Cut(strings.TrimSpace(value), ",")
	tag, err := language.Parse(value)
	if err != nil || tag == language.Und {
		return ""
	}
	return tag.String()
}

// languageWritten corrects the language by the script of the text: many templates declare en above Chinese.
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

package page

import (
	"encoding/json"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// maxLinked is up to how many bytes of JSON-LD are read; more is a shop's catalogue.
const maxLinked = 256 << 10

// metadata is what a page says of itself in <meta> elements and in JSON-LD.
type metadata struct {
	title, site, author, date, language, generator string

	linkedAuthor, linkedDate string // from JSON-LD
	time                     string // of a <time> element marked as the date of publishing
}

func (m *metadata) element(n *html.Node) {
	value := cleanLine(attr(n, "content"))
	if value == "" {
		return
	}
	name := firstOf(attr(n, "property"), attr(n, "name"), attr(n, "itemprop"), attr(n, "http-equiv"))
	switch strings.ToLower(name) {
	case "og:title", "twitter:title", "citation_title", "dc.title":
		m.title = firstOf(m.title, value)
	case "og:site_name", "application-name":
		m.site = firstOf(m.site, value)
	case "author", "article:author", "dc.creator", "citation_author", "parsely-author", "sailthru.author", "byl":
		if !strings.Contains(value, "://") { // some give the address of a profile
			m.author = firstOf(m.author, value)
		}
	case "article:published_time", "og:published_time", "datepublished", "date", "dc.date", "dc.date.issued", "dcterms.created",
		"pubdate", "publishdate", "publish-date", "citation_publication_date", "citation_date", "parsely-pub-date", "sailthru.date":
		m.date = firstOf(m.date, dateOf(value))
	case "content-language", "og:locale":
		m.language = firstOf(m.language, languageOf(value))
	case "generator":
		m.generator = firstOf(m.generator, value)
	}
}

// linked reads author and date of a JSON-LD script; what is no JSON says nothing.
func (m *metadata) linked(script string) {
	var value any
	if len(script) > maxLinked || json.Unmarshal([]byte(script), &value) != nil {
		return
	}
	m.walk(value, 0)
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
		if date, ok := v["datePublished"].(string); ok {
			m.linkedDate = firstOf(m.linkedDate, dateOf(date))
			m.linkedAuthor = firstOf(m.linkedAuthor, personName(v["author"]))
		}
		m.walk(v["@graph"], depth+1)
		m.walk(v["mainEntity"], depth+1)
	}
}

func personName(value any) string {
	switch v := value.(type) {
	case string:
		if !strings.Contains(v, "://") {
			return cleanLine(v)
		}
	case map[string]any:
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

// dateOf is the day of a date in one of the ways pages write it, as 2006-01-02, or "".
func dateOf(value string) string {
	value = strings.TrimSpace(value)
	if len(value) >= 10 {
		if _, err := time.Parse(time.DateOnly, value[:10]); err == nil {
			return value[:10]
		}
	}
	for _, layout := range [...]string{
		"2006/1/2", "2006-1-2", "20060102", "2006.1.2", "2006年1月2日", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006",
		time.RFC1123, time.RFC1123Z, time.ANSIC, time.UnixDate, "2006/01/02 15:04:05", "20060102T150405Z", "20060102150405",
		"January 2, 2006 15:04", "Mon Jan 2 15:04:05 -0700 2006",
	} {
		if day, err := time.Parse(layout, value); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return ""
}

// languageOf makes a tag of what pages write: zh_CN and ZH-cn are zh-CN. "" for what is no tag.
func languageOf(value string) string {
	value, _, _ = strings.Cut(strings.TrimSpace(value), ",")
	parts := strings.FieldsFunc(value, func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 || len(parts) > 4 {
		return ""
	}
	for i, part := range parts {
		for j := range len(part) {
			if c := part[j]; !isLetter(c) && (i == 0 || c < '0' || c > '9') {
				return ""
			}
		}
		switch {
		case i == 0:
			if len(part) < 2 || len(part) > 3 {
				return ""
			}
			parts[i] = strings.ToLower(part)
		case len(part) == 2:
			parts[i] = strings.ToUpper(part)
		case len(part) == 4:
			parts[i] = strings.ToUpper(part[:1]) + strings.ToLower(part[1:])
		case len(part) > 8:
			return ""
		}
	}
	return strings.Join(parts, "-")
}

package page

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/office"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/mmcdole/gofeed"
)

const (
	// maxFeedItems bounds how many entries of a feed are read. Feeds hold ten to a few hundred.
	maxFeedItems = 1000
	// maxFeedText bounds the text of an entry, in bytes: whole articles are read at their address.
	maxFeedText = 4 << 10
	// maxLink bounds the address of an entry, in bytes.
	maxLink = 8 << 10
)

var errTooMany = errors.New("it has too many elements")

// Feed is a list of articles that a site keeps: RSS, Atom or a JSON feed.
type Feed struct {
	Title    string
	Language string // BCP 47 tag, or ""
	Items    []FeedItem
	Partial  string // why entries are missing, or ""
}

// FeedItem is one entry of a feed. Every field may be empty.
type FeedItem struct {
	Title     string
	URL       string // absolute, http or https
	Author    string
	Published string // RFC 3339 date (2006-01-02); of the last change if the feed gives no other
	Text      string // what the feed shows of the article, as Markdown; cut at 4 KB
}

// ReadFeed reads the first 1,000 entries of a feed. Its errors are all of type [*Error]: TooLarge above 8
// MiB, Unsupported for what is not a feed, Broken for one that defeats its reader. A feed without entries is
// not an error.
func ReadFeed(raw Raw) (feed Feed, err error) {
	defer func() {
		if r := recover(); r != nil { // third-party parsers, hostile input
			feed, err = Feed{}, broken(raw.URL, r)
		}
	}()
	if len(raw.Body) > markup.MaxText {
		return Feed{}, NewTooLarge("reading", raw.URL, int64(len(raw.Body)), markup.MaxText)
	}
	text := plain.Decode(raw.Body, raw.ContentType) // it also looks for a charset inside
	base := baseOf(raw.URL, "")
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		feed, err = jsonFeed(text, base)
	} else {
		feed, err = xmlFeed(text, base)
	}
	format, isOther := errors.AsType[markup.NotText](err)
	switch {
	case isOther:
		return Feed{}, NewUnsupported("reading", raw.URL, string(format))
	case err != nil:
		return Feed{}, damaged(raw.URL, fmt.Sprintf("could not read this feed: %.100v", err))
	}
	feed.Title, feed.Language = plain.Line(feed.Title), languageOf(feed.Language)
	return feed, nil
}

func xmlFeed(text string, base *url.URL) (Feed, error) {
	if !isFeedRoot(office.RootOf(text)) {
		return Feed{}, markup.NotText("no RSS, Atom or JSON feed")
	}
	short, partial, err := shorten(text)
	if err != nil {
		return Feed{}, err
	}
	parsed, err := gofeed.NewParser().ParseString(short)
	if err != nil {
		return Feed{}, err
	}
	feed := Feed{Title: parsed.Title, Language: parsed.Language, Partial: partial}
	for _, item := range parsed.Items[:min(len(parsed.Items), maxFeedItems)] {
		feed.Items = append(feed.Items, entryOf(item, base))
	}
	return feed, nil
}

// jsonItem is an entry of a JSON feed, version 1 or 1.1.
type jsonItem struct {
	ID          any              `json:"id"` // a string in the standard, a number in practice
	URL         string           `json:"url"`
	ExternalURL string           `json:"external_url"`
	Title       string           `json:"title"`
	Summary     string           `json:"summary"`
	HTML        string           `json:"content_html"`
	Plain       string           `json:"content_text"`
	Published   string           `json:"date_published"`
	Modified    string           `json:"date_modified"`
	Author      *gofeed.Person   `json:"author"`
	Authors     []*gofeed.Person `json:"authors"`
}

// jsonFeed decodes a feed entry by entry, so that an endless list from a hostile server is never held in
// memory. gofeed would do that, and it also drops external addresses.
func jsonFeed(text string, base *url.URL) (feed Feed, err error) {
	var version string
	about := map[string]any{"version": &version, "title": &feed.Title, "language": &feed.Language}
	err = office.StreamJSON(text, about, "items", func(decode func(any) error) error {
		if len(feed.Items) == maxFeedItems {
			return errTooMany
		}
		var i jsonItem
		if err := decode(&i); err != nil {
			return err
		}
		if i.Author != nil && len(i.Authors) == 0 {
			i.Authors = []*gofeed.Person{i.Author}
		}
		id, _ := i.ID.(string)
		entry := entryOf(&gofeed.Item{GUID: id, Link: cmp.Or(i.URL, i.ExternalURL), Authors: i.Authors,
			Title:   html.EscapeString(i.Title),
			Content: cmp.Or(i.HTML, html.EscapeString(cmp.Or(i.Summary, i.Plain)))}, base)
		entry.Published = cmp.Or(dateOf(i.Published), dateOf(i.Modified))
		feed.Items = append(feed.Items, entry)
		return nil
	})
	switch {
	case errors.Is(err, errTooMany):
		feed.Partial = fmt.Sprintf("only the first %d entries were read", maxFeedItems)
	case err != nil && len(feed.Items) > 0:
		feed.Partial = "its JSON is damaged after these entries"
	case err != nil:
		return Feed{}, err
	case !strings.Contains(version, "jsonfeed"): // the version may come after the entries
		return Feed{}, errors.New("its JSON is no feed")
	}
	return feed, nil
}

func isFeedRoot(name string) bool { return name == "rss" || name == "feed" || name == "rdf" }

// shorten cuts a feed after the entry where a limit is reached, or after the last good one if its markup
// breaks, and closes the open elements. The parser builds a tree of maps from every element, without a limit
// of its own.
func shorten(text string) (short, partial string, err error) {
	text = office.AfterDeclaration(text)
	decoder := bounds.LooseXML(text)
	items, elements, cut := 0, 0, ""
	for {
		token, failed := decoder.RawToken()
		if errors.Is(failed, io.EOF) && len(decoder.Open()) == 0 {
			return text, "", nil
		}
		if failed == nil && elements > bounds.MaxElements {
			failed = errTooMany
		}
		if failed != nil && items > 0 {
			return cut, "its XML is damaged or endless after these entries", nil
		}
		if failed != nil {
			return "", "", failed
		}
		switch t := token.(type) {
		case xml.StartElement:
			elements++
		case xml.EndElement:
			if t.Name.Local != "item" && t.Name.Local != "entry" {
				continue
			}
			items++
			cut = text[:decoder.InputOffset()]
			for _, name := range slices.Backward(decoder.Open()) {
				cut += "</" + name + ">"
			}
			if items == maxFeedItems {
				return cut, fmt.Sprintf("only the first %d entries were read", items), nil
			}
		}
	}
}

func entryOf(item *gofeed.Item, base *url.URL) FeedItem {
	entry := FeedItem{Title: plain.Line(plainOf(item.Title)),
		URL: cmp.Or(webAddress(base, item.Link), webAddress(nil, item.GUID))} // many have it only in the GUID
	for _, author := range item.Authors[:min(len(item.Authors), 10)] {
		if name := plain.Line(author.Name); name != "" && name != entry.Author {
			entry.Author = strings.TrimPrefix(entry.Author+", "+name, ", ")
		}
	}
	switch {
	case item.PublishedParsed != nil:
		entry.Published = item.PublishedParsed.Format(time.DateOnly)
	case item.UpdatedParsed != nil:
		entry.Published = item.UpdatedParsed.Format(time.DateOnly)
	}
	entry.Text = excerpt(cmp.Or(item.Description, item.Content), base)
	return entry
}

// plainOf returns a title without markup and entities, which feeds often escape twice.
func plainOf(title string) string {
	doc := markup.Parse(title)
	if doc == nil {
		return title
	}
	return tree.Text(doc, maxFeedText)
}

// webAddress returns an absolute address, or "" for one that does not lead to the web.
func webAddress(base *url.URL, href string) string {
	u, err := url.Parse(strings.TrimSpace(href))
	if err != nil || href == "" || len(href) > maxLink {
		return ""
	}
	if base != nil && base.Host != "" {
		u = base.ResolveReference(u)
	}
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// excerpt returns the beginning of an entry's text as Markdown, cut at a line end if there is one.
func excerpt(source string, base *url.URL) string {
	text := strings.TrimSpace(markup.Markdown(source[:min(len(source), 16*maxFeedText)], base))
	if len(text) <= maxFeedText {
		return text
	}
	text = strings.ToValidUTF8(text[:maxFeedText], "")
	if i := strings.LastIndexByte(text, '\n'); i > maxFeedText/2 {
		text = text[:i]
	}
	return strings.TrimSpace(text) + " …"
}

// feedPage writes a feed as a list of its entries, each with its link, date and author.
func feedPage(_ context.Context, _ string, raw Raw) (markup.Document, error) {
	feed, err := ReadFeed(raw)
	if err != nil {
		return markup.Document{}, err
	}
	w := markup.NewWriter()
	for _, item := range feed.Items {
		title := cmp.Or(item.Title, item.URL, item.Published)
		if title == "" && item.Text == "" {
			continue
		}
		w.Block(1)
		w.Bullet("- ", func() {
			if item.URL == "" || !w.Link(item.URL, func() { w.Text(title) }) {
				w.Text(title)
			}
			for _, fact := range []string{item.Published, item.Author} {
				if fact != "" && fact != title {
					w.Text(", " + fact)
				}
			}
			w.Block(1)
			if text := strings.TrimLeft(plain.Line(item.Text), "# "); text != "" {
				w.Put(text)
			}
		})
	}
	markdown := w.Finish()
	if markdown == "" {
		return markup.Document{}, NewError(Empty, "reading",
			raw.URL, "this feed has no entries: look for the site's own list of articles")
	}
	return markup.Document{
		Title: feed.Title, Language: feed.Language, Partial: feed.Partial,
		Published: feed.Items[0].Published, Markdown: withTitle(markdown, feed.Title),
	}, nil
}

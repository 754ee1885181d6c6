package page

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"net/url"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/agent/bounds"
)

// person is an author as JSON Feed has it.
type person struct {
	Name string `json:"name"`
}

// jsonItem is an entry of a JSON feed, version 1 or 1.1.
type jsonItem struct {
	ID          any      `json:"id"` // a string by the standard, a number in the world
	URL         string   `json:"url"`
	ExternalURL string   `json:"external_url"`
	Title       string   `json:"title"`
	Summary     string   `json:"summary"`
	HTML        string   `json:"content_html"`
	Plain       string   `json:"content_text"`
	Published   string   `json:"date_published"`
	Modified    string   `json:"date_modified"`
	Author      person   `json:"author"`
	Authors     []person `json:"authors"`
}

// readJSONFeed goes through a feed entry by entry, so that the endless list of a hostile one is never in
// memory.
func readJSONFeed(text string, base *url.URL) (Feed, error) {
	decoder := bounds.JSONStream([]byte(text))
	if _, err := decoder.Token(); err != nil {
		return Feed{}, err
	}
	var feed Feed
	var version string
	for feed.Partial == "" && decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return Feed{}, err
		}
		switch key {
		case "version":
			err = decoder.Decode(&version)
		case "title":
			err = decoder.Decode(&feed.Title)
		case "language":
			err = decoder.Decode(&feed.Language)
		case "items":
			err = feed.jsonItems(decoder, base)
		default:
			err = decoder.Skip()
		}
		if err != nil {
			return Feed{}, err
		}
	}
	if feed.Partial == "" && !strings.Contains(version, "jsonfeed") { // which may stand after the entries
		return Feed{}, errors.New("its JSON is no feed")
	}
	feed.Title, feed.Language = markup.CleanLine(feed.Title), languageOf(feed.Language)
	return feed, nil
}

func (f *Feed) jsonItems(decoder bounds.JSONDecoder, base *url.URL) error {
	if _, err := decoder.Token(); err != nil {
		return err
	}
	for decoder.More() {
		if len(f.Items) == maxFeedItems {
			f.Partial = fmt.Sprintf("only the first %d entries were read", maxFeedItems)
			return nil
		}
		var item jsonItem
		if err := decoder.Decode(&item); err != nil {
			if len(f.Items) == 0 {
				return err
			}
			f.Partial = "its JSON is damaged after these entries"
			return nil
		}
		f.Items = append(f.Items, item.entry(base))
	}
	_, err := decoder.Token()
	return err
}

func (i jsonItem) entry(base *url.URL) FeedItem {
	entry := FeedItem{
		Title:     markup.CleanLine(i.Title),
		URL:       webAddress(base, cmp.Or(i.URL, i.ExternalURL)),
		Author:    markup.CleanLine(i.Author.Name),
		Published: cmp.Or(dateOf(i.Published), dateOf(i.Modified)),
	}
	if id, ok := i.ID.(string); ok && entry.URL == "" {
		entry.URL = webAddress(nil, id)
	}
	for _, author := range i.Authors[:min(len(i.Authors), 10)] {
		if name := markup.CleanLine(author.Name); name != "" && name != entry.Author {
			entry.Author = strings.TrimPrefix(entry.Author+", "+name, ", ")
		}
	}
	text := i.HTML
	if text == "" {
		text = html.EscapeString(cmp.Or(i.Summary, i.Plain))
	}
	entry.Text = excerpt(text, base)
	return entry
}

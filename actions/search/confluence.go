package search

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
)

// Confluence searches the wiki of a firm, and reads its pages, with the rights of whoever the token is of.
type Confluence struct {
	URL string // of the wiki, such as https://wiki.example.com or https://example.atlassian.net/wiki
	// a personal access token, or for the cloud an address of mail, a colon and an API token; "" for an open
	// wiki
	Token  string
	Client *http.Client
}

var (
	_ Provider = Confluence{}
	_ Pager    = Confluence{}
)

// confluenceAt reads an address with the token before the host: https://TOKEN@wiki.example.com, or for the
// cloud https://ada%40example.com:TOKEN@example.atlassian.net/wiki.
func confluenceAt(address string, client *http.Client) Confluence {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return Confluence{URL: address, Client: client}
	}
	token := u.User.Username()
	if password, ok := u.User.Password(); ok {
		token += ":" + password
	}
	u.User = nil
	return Confluence{URL: u.String(), Token: token, Client: client}
}

// Name is "confluence".
func (Confluence) Name() string { return "confluence" }

// Kind is Internal.
func (Confluence) Kind() Kind { return Internal }

// Search asks for pages whose title or text holds the words of the query.
func (c Confluence) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	wanted := strings.NewReplacer(`\`, " ", `"`, " ").Replace(strings.Join(keywords(query, 200), " "))
	if strings.TrimSpace(wanted) == "" {
		return nil, nil
	}
	parameters := url.Values{
		"cql": {fmt.Sprintf(`type = page AND siteSearch ~ "%s"`, wanted)}, "limit": {strconv.Itoa(min(limit, 50))}, "excerpt": {"highlight"},
	}
	var answer struct {
		Results []struct {
			Title, Excerpt, LastModified string
			Content                      struct{ ID, Title string }
		}
	}
	if err := c.ask(ctx, "/rest/api/search?"+parameters.Encode(), &answer); err != nil {
		return nil, err
	}
	if answer.Results == nil {
		return nil, errNoList()
	}
	marks := strings.NewReplacer("@@@hl@@@", "", "@@@endhl@@@", "")
	hits := make([]Hit, 0, len(answer.Results))
	for _, r := range some(answer.Results, limit) {
		if !isNumber(r.Content.ID) {
			continue
		}
		hits = append(hits, Hit{
			Title: plainText(marks.Replace(r.Title)), URL: c.base() + "/pages/viewpage.action?pageId=" + r.Content.ID,
			Published: r.LastModified, Snippet: excerpt(plainText(marks.Replace(r.Excerpt)), query),
		})
	}
	return tidy(c.Name(), hits, limit), nil
}

// Page reads a page of this wiki; ok is false for an address of elsewhere.
func (c Confluence) Page(ctx context.Context, address string) (raw page.Raw, ok bool, err error) {
	id, found := strings.CutPrefix(address, c.base()+"/pages/viewpage.action?pageId=")
	if !found || !isNumber(id) {
		return page.Raw{}, false, nil
	}
	var answer struct {
		Title string
		Body  struct{ View struct{ Value string } }
	}
	if err := c.ask(ctx, "/rest/api/content/"+id+"?expand=body.view", &answer); err != nil {
		return page.Raw{}, true, fmt.Errorf("reading the wiki's page %s: %w", id, err)
	}
	title := strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(answer.Title)
	body := "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>" + title + "</title></head><body><article><h1>" + title + "</h1>" +
		answer.Body.View.Value + "</article></body></html>"
	return page.Raw{URL: address, ContentType: "text/html; charset=utf-8", Body: []byte(body)}, true, nil
}

func (c Confluence) base() string { return strings.TrimRight(strings.TrimSpace(c.URL), "/") }

func (c Confluence) ask(ctx context.Context, path string, into any) error {
	header := http.Header{"Accept": {"application/json"}}
	switch {
	case strings.Contains(c.Token, ":"):
		header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(c.Token)))
	case c.Token != "":
		header.Set("Authorization", "Bearer "+c.Token)
	}
	return service{client: c.Client}.getJSON(ctx, c.base()+path, header, into)
}

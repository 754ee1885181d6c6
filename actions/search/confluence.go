package search

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search/words"
)

// confluence searches a company's wiki and reads its pages, with the rights of the token's owner.
type confluence struct {
	api
	base string // such as https://wiki.example.com or https://example.atlassian.net/wiki
}

var _ pager = confluence{}

// confluenceAt takes an address with the token before the host: https://TOKEN@wiki.example.com, or for the
// cloud https://ada%40example.com:TOKEN@example.atlassian.net/wiki. An open wiki has no token.
func confluenceAt(a api) Provider {
	address := a.key
	a.header = map[string]string{"Accept": "application/json"}
	if u, err := url.Parse(address); err == nil && u.User != nil {
		name := u.User.Username()
		a.header["Authorization"] = "Bearer " + name
		if password, ok := u.User.Password(); ok {
			pair := base64.StdEncoding.EncodeToString([]byte(name + ":" + password))
			a.header["Authorization"] = "Basic " + pair
		}
		u.User = nil
		address = u.String()
	}
	base := strings.TrimRight(address, "/")
	a.keywords, a.reword, a.most = 200, strings.NewReplacer(`\`, " ", `"`, " ").Replace, 50
	a.address = base + "/rest/api/search?limit={limit}&excerpt=highlight&cql=" +
		url.QueryEscape(`type = page AND siteSearch ~ "`) + "{query}%22"
	a.list = "results"
	marks := strings.NewReplacer("@@@hl@@@", "", "@@@endhl@@@", "")
	a.hit = func(r data) result {
		if !isNumber(r.text("content.id")) {
			return result{}
		}
		return result{Hit{Title: plainText(marks.Replace(r.text("title"))),
			URL:       base + "/pages/viewpage.action?pageId=" + r.text("content.id"),
			Published: r.text("lastModified")},
			nil, words.Plain(plainText(marks.Replace(r.text("excerpt"))))}
	}
	return confluence{a, base}
}

// Page reads a page of this wiki; ok is false for any other address.
func (c confluence) Page(ctx context.Context, address string) (raw page.Raw, ok bool, err error) {
	id, found := strings.CutPrefix(address, c.base+"/pages/viewpage.action?pageId=")
	if !found || !isNumber(id) {
		return page.Raw{}, false, nil
	}
	answer, err := c.answer(ctx, c.base+"/rest/api/content/"+id+"?expand=body.view", c.headers(), "")
	if err != nil {
		return page.Raw{}, true, fmt.Errorf("reading the wiki's page %s: %w", id, err)
	}
	title := strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(answer.text("title"))
	body := "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>" + title +
		"</title></head><body><article><h1>" + title + "</h1>" +
		answer.text("body.view.value") + "</article></body></html>"
	return page.Raw{URL: address, ContentType: "text/html; charset=utf-8", Body: []byte(body)}, true, nil
}

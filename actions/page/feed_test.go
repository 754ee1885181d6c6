package page_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/simplifiedchinese"
)

const atomFeed = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
 <title>The Bridge &amp; its news</title>
 <entry><title type="html">Opening &lt;b&gt;day&lt;/b&gt;</title><link href="/2025/opening?a=1&amp;b=2"/>
  <author><name>Ada</name></author><author><name>Bob</name></author>
  <published>2025-03-04T23:59:00Z</published>
  <summary type="html">&lt;p&gt;It opened at &lt;em&gt;noon&lt;/em&gt;.&lt;/p&gt;</summary></entry>
 <entry><title>Later</title><link href="javascript:alert(1)"/><updated>2025-04-01T00:00:00Z</updated></entry>
</feed>`

const rssFeed = `<rss version="2.0"><channel><title>桥梁日报</title><language>zh-cn</language>
 <item><title>大桥通车</title><link>https://example.cn/1</link><pubDate>Tue, 04 Mar 2025 08:00:00 +0800</pubDate>
  <description><![CDATA[<p>今日<a href="/m">通车</a>。</p><script>x()</script>]]></description></item>
 <item><title>第二条</title><guid>https://example.cn/2</guid></item>
</channel></rss>`

const jsonFeed = `{"version":"https://jsonfeed.org/version/1.1","title":"J","language":"en-US","items":[
 {"id":"https://e.org/1","title":"One","content_html":"<p>Text <b>one</b></p>","date_published":"2025-01-02T03:04:05Z","authors":[{"name":"Ada"}]},
 {"id":2,"url":"https://e.org/2","content_text":"a < b","date_modified":"2025-01-03T00:00:00Z"}]}`

func TestReadFeed(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       page.Feed
	}{
		{"Atom", atomFeed, page.Feed{Title: "The Bridge & its news", Language: "en", Items: []page.FeedItem{
			{Title: "Opening day", URL: "https://example.org/2025/opening?a=1&b=2", Author: "Ada, Bob",
				Published: "2025-03-04", Text: "It opened at *noon*."},
			{Title: "Later", Published: "2025-04-01"},
		}}},
		{"RSS", rssFeed, page.Feed{Title: "桥梁日报", Language: "zh-CN", Items: []page.FeedItem{
			{Title: "大桥通车", URL: "https://example.cn/1", Published: "2025-03-04",
				Text: "今日[通车](https://example.org/m)。"},
			{Title: "第二条", URL: "https://example.cn/2"},
		}}},
		{"JSON", jsonFeed, page.Feed{Title: "J", Language: "en-US", Items: []page.FeedItem{
			{Title: "One", URL: "https://e.org/1", Author: "Ada", Published: "2025-01-02",
				Text: "Text **one**"},
			{URL: "https://e.org/2", Published: "2025-01-03", Text: "a < b"},
		}}},
		{"RDF",
			`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>R</title></channel><item><title>One</title><link>https://e.org/1</link><dc:date>2025-01-02</dc:date></item></rdf:RDF>`,
			page.Feed{Title: "R",
				Items: []page.FeedItem{{Title: "One", URL: "https://e.org/1", Published: "2025-01-02"}}}},
		{"cut off", rssFeed[:strings.Index(rssFeed, "第二条")],
			page.Feed{Title: "桥梁日报", Language: "zh-CN",
				Items: []page.FeedItem{{Title: "大桥通车", URL: "https://example.cn/1",
					Published: "2025-03-04", Text: "今日[通车](https://example.org/m)。"}},
				Partial: "its XML is damaged or endless after these entries"}},
		{"without entries", `<rss><channel><title>none yet</title></channel></rss>`,
			page.Feed{Title: "none yet"}},
		{"undeclared entity and open tags",
			`<rss><channel><title>a&nbsp;b &unknown; c</title><item><title>x ` +
				`& y</title><br></item></channel></rss>`,
			page.Feed{Title: "a b &unknown; c", Items: []page.FeedItem{{Title: "x & y"}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			feed, err := page.ReadFeed(page.Raw{URL: "https://example.org/feed", Body: []byte(test.body)})
			require.NoError(t, err)
			assert.Equal(t, test.want, feed)
		})
	}
	t.Run("GB 18030, declared inside", func(t *testing.T) {
		body, err := simplifiedchinese.GB18030.NewEncoder().String(
			`<?xml version="1.0" encoding="gb2312"?>` + rssFeed)
		require.NoError(t, err)
		feed, err := page.ReadFeed(page.Raw{Body: []byte(body)})
		require.NoError(t, err)
		assert.Equal(t, "桥梁日报", feed.Title)
		assert.Equal(t, "第二条", feed.Items[1].Title)
	})
}

func TestReadFeedRefuses(t *testing.T) {
	for _, test := range []struct {
		name, body string
		kind       page.Kind
	}{
		{"HTML", "<html><body>x</body></html>", page.Unsupported},
		{"nothing", "", page.Unsupported},
		{"other JSON", `{"a":1}`, page.Broken},
		{"cut before its first entry", "<rss><channel><title>x", page.Broken},
		{"nested a million times", "<rss><channel><item>" + strings.Repeat("<a:b>", 1<<20), page.Broken},
		{"too large", strings.Repeat("x", 9<<20), page.TooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := page.ReadFeed(page.Raw{URL: "https://example.org/feed", Body: []byte(test.body)})
			assert.Equal(t, test.kind, asError(t, err).Kind)
		})
	}
}

func TestReadFeedIsBounded(t *testing.T) {
	many := "<rss><channel><title>t</title>" + strings.Repeat("<item><title>x</title></item>", 100_000) +
		"</channel></rss>"
	feed, err := page.ReadFeed(page.Raw{Body: []byte(many)})
	require.NoError(t, err)
	assert.Len(t, feed.Items, 1000)
	assert.Equal(t, "only the first 1000 entries were read", feed.Partial)

	many = `{"version":"https://jsonfeed.org/version/1","items":[{}` + strings.Repeat(",{}", 1_000_000) + "]}"
	feed, err = page.ReadFeed(page.Raw{Body: []byte(many)})
	require.NoError(t, err)
	assert.Len(t, feed.Items, 1000)

	long := "<rss><channel><item><description>" + strings.Repeat("word ", 100_000) +
		"</description></item></channel></rss>"
	feed, err = page.ReadFeed(page.Raw{Body: []byte(long)})
	require.NoError(t, err)
	assert.Less(t, len(feed.Items[0].Text), 5<<10)
}

func TestReadFeedExpandsNoEntity(t *testing.T) {
	lol :=
		`<!DOCTYPE rss [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
<rss><channel><title>&b;&c;</title></channel></rss>`
	feed, err := page.ReadFeed(page.Raw{Body: []byte(lol)})
	require.NoError(t, err)
	assert.Equal(t, "&b;&c;", feed.Title)
}

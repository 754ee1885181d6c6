package search_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/web"
)

// sites is the pages of some sites by address, and what was asked for.
type sites struct {
	pages map[string]string
	mu    sync.Mutex
	asked []string
}

func (w *sites) fetch(ctx context.Context, address string) (page.Raw, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, address)
	if err := ctx.Err(); err != nil {
		return page.Raw{}, err
	}
	body, found := w.pages[address]
	if !found {
		return page.Raw{}, errors.New("not there")
	}
	final, moved := strings.CutPrefix(body, "moved to ")
	if moved {
		return page.Raw{URL: final, Body: []byte(w.pages[final])}, nil
	}
	return page.Raw{URL: address, Body: []byte(body)}, nil
}

func rss(items ...string) string {
	return `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title>` + strings.Join(items, "") +
		`</channel></rss>`
}

func item(title, link, date, text string) string {
	return "<item><title>" + title + "</title><link>" + link + "</link><pubDate>" + date +
		"</pubDate><description>" + text + "</description></item>"
}

func urlset(entries ...string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><urlset ` +
		`xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" ` +
		`xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" ` +
		`xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">` +
		strings.Join(entries, "\n") + `</urlset>`
}

func entry(loc, lastmod string) string {
	return "<url><loc> " + loc + " </loc><lastmod>" + lastmod +
		"</lastmod><image:image><image:loc>https://ada.test/picture.png</image:loc></image:image></url>"
}

func TestSiteReadsFeedsAndSitemaps(t *testing.T) {
	w := &sites{pages: map[string]string{
		"https:/" +
			"/ada.test/": `<!doctype html><html><head><link rel="stylesheet" href="/s.css"><link rel="alternate" hreflang="de" href="/de">
			<link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed"><LINK REL="Alternate" TYPE="application/rss+xml; charset=utf-8" HREF="blog/rss">
			<link rel="alternate" type="application/atom+xml" href="https://feeds.elsewhere.test/ada"></head>`,
		"https://ada.test/blog/rss": rss(
			item("Weighing Sentences", "https://ada.test/blog/weighing", "Tue, 10 Nov 2026 00:00:00 GMT",
				"&lt;p&gt;We weigh &lt;b&gt;sentences&lt;/b&gt;.&lt;/p&gt;"),
			item("Elsewhere", "https://evil.test/x", "", "Sentences weigh."),
		),
		"https://feeds.elsewhere.test/ada": rss(item("A Scale", "https://www.ada.test/blog/scale",
			"", "Sentences on scales.")),
		"https://ada.test/robots.txt": "User-agent: *\nDisallow: /x\n" +
			"SITEMAP: https://ada.test/maps.xml\nSitemap: https://evil.test/sitemap.xml\n",
		"https://ada." +
			"test/maps.xml": `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://ada.test/old.xml</loc><lastmod>2019-01-01</lastmod></sitemap>
			<sitemap><loc>https://ada.test/new.xml.gz</loc><lastmod>2026-01-01T00:00:00Z</lastmod></sitemap><sitemap><loc>https://evil.test/map.xml</loc></sitemap></sitemapindex>`,
		"https://ada.test/new.xml.gz": zipped(
			urlset(entry("https://docs.ada.test/guide/weighing-sentences_by-hand.html#top",
				"2025-05-05T10:00:00+08:00"),
				entry("https://ada.test/blog/weighing", "2026-11-11"), entry("javascript:alert(1)", ""),
				entry("https://evil.test/weighing-sentences", "2026-11-11"))),
		"https://ada.test/old.xml": urlset(
			`<url><loc>https://ada.test/news/9</loc><news:news><news:publication_date>` +
				`2018-02-03</news:publication_date>` +
				`<news:title>Sentences &amp; ` +
				`scales</news:title></news:news><lastmod>2020-01-01</lastmod></url>`),
	}}
	site := &search.Site{Host: "https://ADA.test/blog", Fetch: w.fetch}
	assert.Equal(t, "ada.test", site.Name())
	hits, err := site.Search(t.Context(), "how is weighing of sentences done? site:ada.test", 10)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{
		{Title: "Weighing Sentences", URL: "https://ada.test/blog/weighing", Published: "2026-11-10",
			Provider: "ada.test", Snippet: "2026-11-10 — We weigh sentences."},
		{Title: "weighing sentences by hand",
			URL: "https://docs.ada.test/guide/weighing-sentences_by-hand.html", Published: "2025-05-05",
			Provider: "ada.test", Snippet: "2025-05-05"},
		{Title: "Sentences & scales", URL: "https://ada.test/news/9", Published: "2018-02-03",
			Provider: "ada.test", Snippet: "2018-02-03"},
		{Title: "A Scale", URL: "https://www.ada.test/blog/scale", Provider: "ada.test",
			Snippet: "Sentences on scales."},
	}, hits)
	assert.Equal(t, []string{
		"https://ada.test/", "https://ada.test/blog/rss", "https://feeds.elsewhere.test/ada",
		"https://ada.test/robots.txt", "https://ada.test/maps.xml",
		"https://ada.test/new.xml.gz", "https://ada.test/old.xml",
	}, w.asked, "the newest sitemap first, and nothing of another site but the feed that the home page names")

	hits, err = site.Search(t.Context(), "sourdough", 10)
	require.NoError(t, err)
	assert.Empty(t, hits)
	hits, err = site.Search(t.Context(), "", 2)
	require.NoError(t, err)
	assert.Equal(t, []string{"https://ada.test/blog/weighing",
		"https://docs.ada.test/guide/weighing-sentences_by-hand.html"}, shownAt(hits), "the newest first")
	assert.Len(t, w.asked, 7, "the list is kept")
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprint(z, text)
	z.Close()
	return b.String()
}

func TestSiteInChinese(t *testing.T) {
	w := &sites{pages: map[string]string{
		"https://example.cn/feed": rss(
			item("向量数据库的选择", "https://example.cn/p/1", "", "比较几种向量数据库。"),
			item("天平的历史", "https://example.cn/p/2", "", "从古代到今天。"),
			item("关系数据库入门", "https://example.cn/p/3", "", ""),
		),
		"https://example.cn/sitemap.xml": urlset(
			entry("https://example.cn/%E5%90%91%E9%87%8F%E6%95%B0%E6%8D%AE%E5%BA%93", "")),
	}}
	hits, err := (&search.Site{Host: "example.cn", Fetch: w.fetch}).Search(t.Context(),
		"什么是向量数据库？", 10)
	require.NoError(t, err)
	assert.Equal(t, []string{"https://example.cn/p/1",
		"https://example.cn/%E5%90%91%E9%87%8F%E6%95%B0%E6%8D%AE%E5%BA%93", "https://example.cn/p/3"},
		shownAt(hits))
	assert.Equal(t, "向量数据库", hits[1].Title)
}

func TestSiteGuessesWhereAFeedIs(t *testing.T) {
	for _, path := range []string{"/feed", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml"} {
		w := &sites{pages: map[string]string{
			"https://ada.test/": "moved to https://www.ada.test/",
			"https://ada.test" + path: rss(item("On Weighing", "https://ada.test/weighing/",
				"Tue, 10 Nov 2026 00:00:00 GMT", "By hand.")),
			"https://ada.test/sitemap.xml": urlset(entry("https://ada.test/weighing", "2026-11-20")),
		}}
		hits, err := (&search.Site{Host: "ada.test", Fetch: w.fetch}).Search(t.Context(), "weighing", 10)
		require.NoError(t, err)
		assert.Equal(t, []search.Hit{{Title: "On Weighing", URL: "https://ada.test/weighing/",
			Published: "2026-11-10", Provider: "ada.test",
			Snippet: "2026-11-10 — By hand."}}, hits, path+": a feed knows more than a sitemap")
	}
	w := &sites{pages: map[string]string{"https://ada.test/robots.txt": "Sitemap: /list.txt",
		"https://ada.test/list.txt": "https://ada.test/weighing\n\nhttps://ada.test/other\n"}}
	hits, err := (&search.Site{Host: "ada.test", Fetch: w.fetch}).Search(t.Context(), "weighing", 10)
	require.NoError(t, err)
	assert.Equal(t, []string{"https://ada.test/weighing"}, shownAt(hits),
		"a sitemap of plain lines, by a relative address")
}

func TestSiteStaysOnItsSite(t *testing.T) {
	pages := func(host string) map[string]string {
		return map[string]string{
			"https://" + host + "/": "moved to https://evil.invalid/",
			"https://evil.invalid/": `<link rel=alternate type=application/rss+xml ` +
				`href=https://evil.invalid/feed>`,
			"https://" + host + "/feed": "moved to https://evil.invalid/feed",
			"https://evil.invalid/feed": rss(item("Weighing", "https://"+host+"/weighing", "", "")),
			"https://" + host + "/robots.txt": "Sitemap: https://notada.test/sitemap.xml\n" +
				"Sitemap: http://169.254.169.254/map.xml\nSitemap: https://u:p@" + host + "/m.xml",
			"https://" + host + "/sitemap.xml": urlset(entry("https://"+host+"/weighing", "")),
		}
	}
	strayed := func(host string) []string {
		w := &sites{pages: pages(host)}
		_, err := (&search.Site{Host: host, Fetch: w.fetch}).Search(t.Context(), "weighing", 10)
		require.Error(t, err)
		assert.Equal(t, search.Strange, reasonOf(t, err))
		return slices.DeleteFunc(w.asked,
			func(address string) bool { return strings.HasPrefix(address, "https://"+host+"/") })
	}
	assert.Empty(t, strayed("ada.test"))
	assert.Equal(t, []string{"https://notada.test/sitemap.xml"}, strayed("test"),
		"control: for a site that owns the other, this test sees it asked for")
}

func TestSiteThatSaysNothingIsAnError(t *testing.T) {
	for about, given := range map[string]struct {
		pages  map[string]string
		reason search.Reason
	}{
		"no answer":           {nil, search.Unavailable},
		"no feed, no sitemap": {map[string]string{"https://ada.test/": "<h1>Hello</h1>"}, search.Strange},
		"pages for all addresses": {map[string]string{"https://ada.test/": "<h1>Hello</h1>",
			"https://ada.test/feed":        "<html><title>Not found</title></html>",
			"https://ada.test/robots.txt":  "<html>Sitemap: none</html>",
			"https://ada.test/sitemap.xml": "<!doctype html><html><body>Not found</body></html>"},
			search.Strange},
	} {
		t.Run(about, func(t *testing.T) {
			_, err := (&search.Site{Host: "ada.test", Fetch: (&sites{pages: given.pages}).fetch}).Search(
				t.Context(), "weighing", 10)
			require.Error(t, err)
			assert.Equal(t, given.reason, reasonOf(t, err))
		})
	}
	for _, site := range []*search.Site{{}, {Host: "ada.test"}, {Host: "a b\x00", Fetch: (&sites{}).fetch},
		{Host: "u:p@ada.test", Fetch: (&sites{}).fetch}} {
		_, err := site.Search(t.Context(), "weighing", 10)
		assert.Equal(t, search.Strange, reasonOf(t, err))
	}
	var fetcher web.Fetcher
	_, err := (&search.Site{Host: "127.0.0.1", Fetch: fetcher.Fetch}).Search(t.Context(), "weighing", 10)
	assert.Equal(t, search.Unavailable, reasonOf(t, err), "the guard of the fetcher is the site's")
}

func TestSiteIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	endless := &sites{pages: map[string]string{}}
	var feeds, files strings.Builder
	for i := range 100 {
		fmt.Fprintf(&feeds, `<link rel="alternate" type="application/rss+xml" href="/feed%d">`, i)
		fmt.Fprintf(&files, `<sitemap><loc>https://ada.test/map%d.xml</loc></sitemap>`, i)
		endless.pages[fmt.Sprintf("https://ada.test/map%d.xml", i)] = "<sitemapindex>" +
			strings.ReplaceAll(files.String(), ".xml", "x.xml") + "</sitemapindex>"
	}
	endless.pages["https://ada.test/"] = feeds.String()
	endless.pages["https://ada.test/sitemap.xml"] = "<sitemapindex>" + files.String() + "</sitemapindex>"
	hits, err := (&search.Site{Host: "ada.test", Fetch: endless.fetch}).Search(t.Context(), "weighing", 10)
	require.NoError(t, err)
	assert.Empty(t, hits)
	assert.Len(t, endless.asked, 16, "five of them where feeds usually are")

	var entries []string
	for i := range 60_000 {
		entries = append(entries, entry(fmt.Sprintf("https://ada.test/weighing-%d", i), ""))
	}
	for about, bomb := range map[string]string{
		"many entries": urlset(entries...),
		"a packed bomb": zipped(urlset(entry("https://ada.test/weighing", "")) +
			strings.Repeat(" ", 20<<20)),
		"cut in a pack": zipped(urlset(entries...))[:20_000],
		"deeply nested": "<urlset>" + entry("https://ada.test/weighing", "") +
			strings.Repeat("<url>", 100_000),
		"one long loc": "<urlset>" + entry("https://ada.test/weighing", "") +
			"<url><loc>https://ada.test/" + strings.Repeat("x", 1<<20) + "</loc></url></urlset>",
		"entities": `<!DOCTYPE u [<!ENTITY a "aaaaaaaaaa"><!ENTITY ` +
			`b "&a;&a;&a;&a;">]><urlset><url><loc>https://ada.test/weighing?&b;</loc></url></urlset>`,
		"broken half way": "<urlset>" + entry("https://ada.test/weighing", "") +
			"<url><loc>https://ada.test/x</lo",
	} {
		t.Run(about, func(t *testing.T) {
			w := &sites{pages: map[string]string{"https://ada.test/sitemap.xml": bomb}}
			hits, err := (&search.Site{Host: "ada.test", Fetch: w.fetch}).Search(t.Context(), "weighing", 3)
			require.NoError(t, err)
			assert.NotEmpty(t, hits)
			assert.LessOrEqual(t, len(hits), 3)
		})
	}
}

func TestSiteGivesWhatItHasWhenTimeRunsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &sites{pages: map[string]string{
			"https://ada.test/":            `<link rel="alternate" type="application/rss+xml" href="/rss">`,
			"https://ada.test/rss":         rss(item("Weighing", "https://ada.test/weighing", "", "")),
			"https://ada.test/sitemap.xml": urlset(entry("https://ada.test/weighing-2", "")),
		}}
		slow := func(ctx context.Context, address string) (page.Raw, error) {
			select {
			case <-time.After(4 * time.Second):
				return w.fetch(ctx, address)
			case <-ctx.Done():
				return page.Raw{}, ctx.Err()
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		hits, err := (&search.Site{Host: "ada.test", Fetch: slow}).Search(ctx, "weighing", 3)
		require.NoError(t, err)
		assert.Equal(t, []string{"https://ada.test/weighing"}, shownAt(hits))

		w.pages["https://ada.test/"] = "no feed named"
		ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err = (&search.Site{Host: "ada.test", Fetch: slow}).Search(ctx, "weighing", 3)
		assert.Equal(t, search.Unavailable, reasonOf(t, err), "what was not looked at is not missing")
		assert.ErrorContains(t, err, "in time")

		ctx, cancel = context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		site := &search.Site{Host: "ada.test", Fetch: slow}
		_, err = site.Search(ctx, "weighing", 3)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		hits, err = site.Search(t.Context(), "weighing", 3)
		require.NoError(t, err)
		assert.Len(t, hits, 1, "a try that failed is not kept")
	})
}

func TestSiteAskedBySeveralAtOnceReadsOnce(t *testing.T) {
	w := &sites{pages: map[string]string{
		"https://ada.test/sitemap.xml": urlset(entry("https://ada.test/weighing", ""))}}
	site := &search.Site{Host: "ada.test", Fetch: w.fetch}
	var asked sync.WaitGroup
	for range 8 {
		asked.Go(func() {
			hits, err := site.Search(t.Context(), "weighing", 3)
			assert.NoError(t, err)
			assert.Len(t, hits, 1)
		})
	}
	asked.Wait()
	assert.Len(t, w.asked, 8, "home, five guesses, robots.txt and the sitemap")
}

func TestSiteThroughTheFetcher(t *testing.T) {
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/sitemap.xml" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprint(w, urlset(entry("http://"+r.Host+"/weighing", "2026-01-02")))
	})
	fetch := func(ctx context.Context, address string) (page.Raw, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return page.Raw{}, err
		}
		response, err := client.Do(request)
		if err != nil {
			return page.Raw{}, err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return page.Raw{}, errors.New(response.Status)
		}
		var body bytes.Buffer
		_, err = body.ReadFrom(response.Body)
		return page.Raw{URL: address, Body: body.Bytes()}, err
	}
	hits, err := (&search.Site{Host: "ada.test:8080", Fetch: fetch}).Search(t.Context(), "weighing", 3)
	require.NoError(t, err)
	assert.Equal(t, []string{"http://ada.test:8080/weighing"}, shownAt(hits))
}

func FuzzSitemap(f *testing.F) {
	f.Add([]byte(urlset(entry("https://ada.test/weighing", "2026-01-01"))))
	f.Add([]byte(zipped(urlset(entry("https://ada.test/weighing", "")))))
	f.Add([]byte("<sitemapindex><sitemap><loc>https://ada.test/sitemap2.xml</loc></sitemap></sitemapindex>"))
	f.Add([]byte("https://ada.test/weighing\n"))
	f.Add(
		[]byte(
			`<?xml version="1.0" ` +
				`encoding="gb2312"?><urlset><url><loc>https://ada.test/weighing</loc></url></urlset>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		fetch := func(_ context.Context, address string) (page.Raw, error) {
			if !strings.Contains(address, "sitemap") {
				return page.Raw{}, errors.New("not there")
			}
			return page.Raw{URL: address, Body: body}, nil
		}
		hits, err := (&search.Site{Host: "ada.test", Fetch: fetch}).Search(t.Context(), "weighing", 3)
		if err != nil {
			assert.Equal(t, search.Strange, reasonOf(t, err))
		}
		for _, hit := range hits {
			u, err := url.Parse(hit.URL)
			require.NoError(t, err)
			assert.True(t, u.Hostname() == "ada.test" ||
				strings.HasSuffix(strings.ToLower(u.Hostname()), "ada.test"), hit.URL)
			assert.LessOrEqual(t, utf8.RuneCountInString(hit.Snippet), 300)
			assert.NotContains(t, hit.Title, "\n")
		}
	})
}

func BenchmarkSite(b *testing.B) {
	var entries []string
	for i := range 50_000 {
		entries = append(entries, entry(fmt.Sprintf(
			"https://ada.test/blog/2024/05/%d-weighing-of-the-sentences-by-hand", i), "2024-05-06"))
	}
	w := &sites{pages: map[string]string{"https://ada.test/sitemap.xml": urlset(entries...)}}
	for name, site := range map[string]func() *search.Site{
		"read": func() *search.Site { return &search.Site{Host: "ada.test", Fetch: w.fetch} },
		"kept": sync.OnceValue(func() *search.Site { return &search.Site{Host: "ada.test", Fetch: w.fetch} }),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := site().Search(b.Context(), "how to weigh sentences on a laptop",
					10); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package search_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

const (
	atomHead = `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/abc</id>
  <title>arXiv Query: search_query=&amp;id_list=&amp;start=0&amp;max_results=5</title>
  <updated>2026-11-20T00:00:00Z</updated>
  <link href="https://arxiv.org/api/query?search_query=" type="application/atom+xml"/>
  <opensearch:itemsPerPage>5</opensearch:itemsPerPage>
  <opensearch:totalResults>1</opensearch:totalResults>
  <opensearch:startIndex>0</opensearch:startIndex>
`
	atomEntry = `  <entry>
    <id>http://arxiv.org/abs/2309.01234v7</id>
    <title>Weighing Sentences:
  A Study of p &lt; 0.05</title>
    <updated>2024-08-02T00:41:18Z</updated>
    <link href="http://arxiv.org/abs/2309.01234v7" rel="alternate" type="text/html"/>
    <link href="http://arxiv.org/pdf/2309.01234v7" rel="related" type="application/pdf" title="pdf"/>
    <summary>  Much is said of it. We weigh sentences by how often they are quoted. Nothing else is
used, neither the place nor the length nor the words of those around it, and no
model is trained. On two corpora the method of weighing finds the quoted sentence in nine
of ten cases.
</summary>
    <category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>
    <category term="cs.LG" scheme="http://arxiv.org/schemas/atom"/>
    <published>2023-09-12T17:57:34Z</published>
    <arxiv:comment>15 pages, 5 figures</arxiv:comment>
    <arxiv:journal_ref>J. Sentences 12 (2023) 1-15</arxiv:journal_ref>
    <arxiv:doi>10.1234/js.2023.5</arxiv:doi>
    <arxiv:primary_category term="cs.CL"/>
    <author><name>Ada Example</name><arxiv:affiliation>Somewhere</arxiv:affiliation></author>
    <author><name>Bo Beispiel</name></author>
  </entry>
`
	atomError = `  <entry>
    <id>https://arxiv.org/api/errors#incorrect_id_format_for_1234</id>
    <title>Error</title>
    <summary>incorrect id format for 1234</summary>
    <author><name>arXiv api core</name></author>
  </entry>
`
	atomEnd = `</feed>`
)

func TestArXiv(t *testing.T) {
	var asked url.Values
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "export.arxiv.org", r.Host)
		assert.Contains(t, r.UserAgent(), "Daybook")
		asked = r.URL.Query()
		says(atomHead+atomEntry+atomEnd)(w, r)
	})
	arxiv := provider("arxiv", "", client)
	hits, err := arxiv.Search(t.Context(),
		`how does weighing of sentences work in "quoted sentence" retrieval?`, 5)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{{
		Title: "Weighing Sentences: A Study of p < 0.05", URL: "https://arxiv.org/abs/2309.01234v7",
		Published: "2023-09-12",
		Author:    "Ada Example et al.", Provider: "arxiv",
		Snippet: "2023 · J. Sentences 12 (2023) 1-15 · cs.CL, cs.LG · doi:10.1234/js.2023.5 · 15 pages, 5 " +
			"figures — … We weigh sentences " +
			"by how often they are quoted. … On two corpora the method of weighing finds the " +
			"quoted sentence in nine of ten cases.",
	}}, hits)
	assert.Equal(t, `all:weighing AND all:sentences AND all:work AND all:"quoted sentence" AND all:retrieval`,
		asked.Get("search_query"))
	assert.Equal(t, "5", asked.Get("max_results"))

	hits, err = arxiv.Search(t.Context(), "https://arxiv.org/pdf/2309.01234v7.pdf and cs/0112017", 5)
	require.NoError(t, err)
	require.Len(t, hits, 1)
	assert.Equal(t, "2309.01234v7,cs/0112017", asked.Get("id_list"))
	assert.Empty(t, asked.Get("search_query"))
	assert.Contains(t, hits[0].Snippet, "Ada Example, Bo Beispiel")
	assert.Contains(t, hits[0].Snippet, "We weigh sentences")
}

func TestArXivTellsIdentifiersFromWords(t *testing.T) {
	var asked url.Values
	arxiv := provider("arxiv", "", playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query()
		says(atomHead+atomEntry+atomEnd)(w, r)
	}))
	for query, want := range map[string]string{
		"2401.12345":                               "2401.12345",
		"arXiv:2401.12345v2":                       "2401.12345v2",
		"ARXIV:2401.12345V2.":                      "2401.12345v2",
		"doi 10.48550/arXiv.2401.12345":            "2401.12345",
		"https://arxiv.org/abs/2401.12345?x=1":     "2401.12345",
		"http://arxiv.org/pdf/0704.0001v1.pdf":     "0704.0001v1",
		"论文2401.12345讲了什么":                         "2401.12345",
		"compare 2401.12345 2402.00001,2401.12345": "2401.12345,2402.00001",
		"cs/0112017":                               "cs/0112017",
		"math.GT/0309136v1":                        "math/0309136v1",
		"see hep-th/9901001, please":               "hep-th/9901001",
		"2413.12345":                               "",
		"version 1.2401.12345":                     "",
		"2401.123456":                              "",
		"github.com/0112017":                       "",
		"12401.12345":                              "",
		"3.14159":                                  "",
	} {
		_, err := arxiv.Search(t.Context(), query, 9)
		require.NoError(t, err)
		assert.Equal(t, want, asked.Get("id_list"), query)
		assert.Equal(t, want == "", asked.Get("search_query") != "", query)
	}
	for query, want := range map[string]string{
		"au:Hinton cat:cs.LG ti:\"capsule networks\"": `au:Hinton AND cat:cs.LG AND ti:"capsule networks"`,
		"什么是大语言模型":                                    "all:大语言模型",
		`C++ (templates) AND "a b`:                    "all:C AND all:templates AND all:b",
		"a:b) OR ti:x":                                `all:"a b" AND ti:x`,
	} {
		_, err := arxiv.Search(t.Context(), query, 9)
		require.NoError(t, err)
		assert.Equal(t, want, asked.Get("search_query"), query)
	}
}

func TestArXivRefusals(t *testing.T) {
	for about, given := range map[string]struct {
		answer http.HandlerFunc
		reason search.Reason
	}{
		"an error as an entry":    {says(atomHead + atomError + atomEnd), search.Strange},
		"a limit with status 200": {says("Rate exceeded.\n"), search.Throttled},
		"a limit":                 {status(429, "Rate exceeded."), search.Throttled},
		"too busy":                {status(503, "Retry later"), search.Unavailable},
		"a page": {says("<!DOCTYPE html><html><body>Sorry</body></html>"),
			search.Strange},
		"another XML": {says("<?xml version='1.0'?><rss><channel/></rss>"), search.Strange},
		"names in the wrong case": {says(strings.ReplaceAll(atomHead+atomEnd, "feed", "Feed")),
			search.Strange},
		"half a feed":                {says(atomHead + atomEntry), search.Strange},
		"nothing at all, status 200": {says(""), search.Strange},
	} {
		t.Run(about, func(t *testing.T) {
			_, err := provider("arxiv", "", playing(t, given.answer)).Search(t.Context(), "attention", 5)
			require.Error(t, err)
			assert.Equal(t, given.reason, reasonOf(t, err))
		})
	}
}

// answering gives one body after the other, without a network, so that time can be played too.
type answering struct {
	bodies []string
	at     []time.Time
}

func (a *answering) RoundTrip(r *http.Request) (*http.Response, error) {
	body := a.bodies[min(len(a.at), len(a.bodies)-1)]
	a.at = append(a.at, time.Now())
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
		Request: r}, nil
}

func TestArXivAsksAgainWhenNothingCame(t *testing.T) {
	for about, given := range map[string]struct {
		bodies      []string
		asked, hits int
	}{
		"found at once":         {[]string{atomHead + atomEntry + atomEnd}, 1, 1},
		"found the second time": {[]string{atomHead + atomEnd, atomHead + atomEntry + atomEnd}, 2, 1},
		"nothing there":         {[]string{atomHead + atomEnd}, 2, 0},
		"an empty entry": {[]string{atomHead +
			"<entry><id>http://arxiv.org/abs/2401.99999</id></entry>" + atomEnd}, 2, 0},
	} {
		t.Run(about, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &answering{bodies: given.bodies}
				hits, err := provider("arxiv", "", &http.Client{Transport: service}).Search(t.Context(),
					"attention", 5)
				require.NoError(t, err)
				assert.Len(t, hits, given.hits)
				require.Len(t, service.at, given.asked)
				if given.asked == 2 {
					assert.GreaterOrEqual(t, service.at[1].Sub(service.at[0]), 3*time.Second)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		service := &answering{bodies: []string{atomHead + atomEnd}}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		hits, err := provider("arxiv", "", &http.Client{Transport: service}).Search(ctx, "attention", 5)
		require.NoError(t, err)
		assert.Empty(t, hits)
		assert.Len(t, service.at, 1, "there was no time to ask again")
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := provider("arxiv", "",
			&http.Client{Transport: &answering{bodies: []string{atomHead + atomEnd}}}).Search(ctx,
			"attention", 5)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, search.Unavailable, reasonOf(t, err))
	})
}

func FuzzArXiv(f *testing.F) {
	f.Add(atomHead + atomEntry + atomEnd)
	f.Add(atomHead + atomError + atomEnd)
	f.Add("Rate exceeded.")
	f.Add(
		`<!DOCTYPE feed [<!ENTITY a "&a;&a;">]><feed xmlns="http://www.w3.org/2005/Atom"><entry>` +
			`<id>x/abs/2401.00001</id><title>&a;</title></entry></feed>`)
	f.Fuzz(func(t *testing.T, body string) {
		synctest.Test(t, func(t *testing.T) {
			hits, err := provider("arxiv", "", &http.Client{Transport: &answering{bodies: []string{body}}}).
				Search(t.Context(), "weighing sentences", 3)
			if err != nil {
				assert.Contains(t, []search.Reason{search.Strange, search.Throttled}, reasonOf(t, err))
			}
			assert.LessOrEqual(t, len(hits), 3)
			for _, hit := range hits {
				assert.True(t, strings.HasPrefix(hit.URL, "https://arxiv.org/abs/"), hit.URL)
				assert.LessOrEqual(t, utf8.RuneCountInString(hit.Snippet), 300)
				assert.True(t, utf8.ValidString(hit.Title+hit.Snippet))
				assert.NotContains(t, hit.Title+hit.Snippet+hit.Author, "\n")
			}
		})
	})
}

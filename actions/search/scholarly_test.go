package search_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

const openAlexAnswer = `{"meta":{"count":2,"db_response_time_ms":30,"page":1,"per_page":2,"groups_count":null},"results":[
 {"id":"https://openalex.org/W1","doi":"https://doi.org/10.1000/ab.1","title":"On <i>E. coli</i> &amp; Friends","publication_date":"2019-03-05",
  "type":"article","is_retracted":false,"cited_by_count":12345,
  "authorships":[{"author_position":"first","author":{"id":"https://openalex.org/A1","display_name":"Ada Example","orcid":null}},{"author":{"display_name":"Bo Beispiel"}}],
  "primary_location":{"is_oa":false,"landing_page_url":"https://doi.org/10.1000/ab.1","pdf_url":null,"source":{"id":"https://openalex.org/S1","display_name":"Annals of Bacteria"}},
  "best_oa_location":{"landing_page_url":"https://pmc.test/1","pdf_url":"https://pmc.test/1.pdf","source":null},
  "open_access":{"is_oa":true,"oa_status":"green","oa_url":"https://pmc.test/1.pdf"},
  "abstract_inverted_index":{"Bacteria":[0],"grow":[1,4],"and":[2],"friends":[3],"too.":[5]}},
 {"id":"https://openalex.org/W2","doi":null,"title":"A Withdrawn Chapter","publication_date":"2001","type":"book-chapter","is_retracted":true,"cited_by_count":0,
  "authorships":[],"primary_location":null,"best_oa_location":null,"open_access":{"is_oa":false,"oa_url":null},"abstract_inverted_index":null}],"group_by":[]}`

func TestOpenAlex(t *testing.T) {
	var asked *http.Request
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		says(openAlexAnswer)(w, r)
	})
	hits, err := provider("openalex", "s3cret", client).Search(t.Context(), "how do bacteria grow", 5)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{
		{
			Title: "On E. coli & Friends", URL: "https://pmc.test/1.pdf", Published: "2019-03-05",
			Author: "Ada Example et al.", Provider: "openalex",
			Snippet: "2019 · Annals of Bacteria · cited by 12,345 · doi:10.1000/ab.1 — Bacteria grow and " +
				"friends grow too.",
		},
		{
			Title: "A Withdrawn Chapter", URL: "https://openalex.org/W2", Published: "2001",
			Provider: "openalex",
			Snippet:  "RETRACTED · 2001 · book-chapter · cited by 0",
		},
	}, hits)
	assert.Equal(t, "api.openalex.org", asked.Host)
	assert.Equal(t, "bacteria grow", asked.URL.Query().Get("search"))
	assert.Equal(t, "5", asked.URL.Query().Get("per_page"))
	assert.Equal(t, "s3cret", asked.URL.Query().Get("api_key"))
	assert.Empty(t, asked.URL.Query().Get("mailto"))
}

func TestOpenAlexTellsADaysBudgetFromASecondsLimit(t *testing.T) {
	for wait, want := range map[string]search.Reason{"54000": search.OutOfQuota, "1": search.Throttled,
		"": search.Throttled} {
		client := playing(t, func(w http.ResponseWriter, r *http.Request) {
			if wait != "" {
				w.Header().Set("Retry-After", wait)
			}
			status(429, `{"error":"Rate limit exceeded","message":"Insufficient budget."}`)(w, r)
		})
		_, err := provider("openalex", "", client).Search(t.Context(), "bacteria", 5)
		require.Error(t, err)
		assert.Equal(t, want, reasonOf(t, err), wait)
		if want == search.OutOfQuota {
			assert.ErrorContains(t, err, "a free key")
			assert.ErrorContains(t, err, (15 * time.Hour).String())
		}
	}
}

func TestSemanticScholar(t *testing.T) {
	var asked *http.Request
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		says(`{"total":3,"offset":0,"next":3,"data":[
 {"paperId":"a1","externalIds":{"ArXiv":"2309.01234","DOI":"10.1000/x","CorpusId":1},"url":"https://www.semanticscholar.org/paper/a1","title":"Weighing",
  "abstract":"We weigh sentences.","venue":"J. Sentences","year":2023,"citationCount":7,"openAccessPdf":{"url":"https://pdf.test/x.pdf","status":"GREEN"},
  "tldr":{"model":"tldr@v2.0.0","text":"Quotes weigh sentences."},"publicationDate":"2023-09-12","authors":[{"authorId":"1","name":"Ada Example"}]},
 {"paperId":"a2","externalIds":{"DOI":"10.1000/y(2)"},"url":"https://www.semanticscholar.org/paper/a2","title":"Second","abstract":null,"venue":"","year":1999,
  "citationCount":0,"openAccessPdf":{"url":"","status":null},"tldr":null,"publicationDate":null,"authors":[]},
 {"paperId":"a3","externalIds":null,"url":"https://www.semanticscholar.org/paper/a3","title":"Third","abstract":null,"venue":null,"year":null,
  "citationCount":1,"openAccessPdf":null,"tldr":null,"publicationDate":null,"authors":null}]}`)(w, r)
	})
	hits, err := provider("semanticscholar", "s3cret", client).Search(t.Context(),
		`sentence-weighing "by quotes"`, 5)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{
		{
			Title: "Weighing", URL: "https://arxiv.org/abs/2309.01234", Published: "2023-09-12",
			Author: "Ada Example", Provider: "semanticscholar",
			Snippet: "2023 · J. Sentences · cited by 7 · doi:10.1000/x — Quotes weigh sentences. We weigh " +
				"sentences.",
		},
		{Title: "Second", URL: "https://doi.org/10.1000/y%282%29", Published: "1999",
			Provider: "semanticscholar", Snippet: "1999 · cited by 0"},
		{Title: "Third", URL: "https://www.semanticscholar.org/paper/a3", Provider: "semanticscholar",
			Snippet: "cited by 1"},
	}, hits)
	assert.Equal(t, "s3cret", asked.Header.Get("x-api-key"))
	assert.Equal(t, "sentence weighing  by quotes ", asked.URL.Query().Get("query"))
}

func TestSemanticScholarWithoutItsListIsAnError(t *testing.T) {
	_, err := provider("semanticscholar", "", playing(t, says(`{"total":4,"offset":0}`))).Search(t.Context(),
		"bacteria", 5)
	assert.Equal(t, search.Strange, reasonOf(t, err))
}

func TestCrossref(t *testing.T) {
	var asked *http.Request
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		says(
			`{"status":"ok","message-type":"work-list","message-version":"1.0.0","message":{"facets":{},"total-results":4,"items":[
 {"DOI":"10.1000/FIG.1","type":"component","title":["Figure 1"]},
 {"DOI":"10.1000/ab.1","type":"journal-article","title":["Growth of <i>E. coli<\/i>","Second title"],"container-title":["Annals &amp; Bacteria"],
  "author":[{"given":"Ada","family":"Example","sequence":"first","affiliation":[]},{"name":"The Group"}],"published":{"date-parts":[[2019,3]]},
  "issued":{"date-parts":[[2018,1,1]]},"is-referenced-by-count":1001,
  "abstract":"<jats:title>Abstract<\/jats:title>\n <jats:p>Bacteria <jats:italic>grow<\/jats:italic> at p &lt; 0.05.<\/jats:p>"},
 {"DOI":"10.1000/cd.2","type":"proceedings-article","title":["No Date"],"issued":{"date-parts":[[null]]}},
 {"DOI":"10.1000/ef.3","type":"journal-article"}]}}`)(w, r)
	})
	hits, err := provider("crossref", "", client).Search(t.Context(), "how do bacteria grow?", 2)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{
		{
			Title: "Growth of E. coli", URL: "https://doi.org/10.1000/ab.1", Published: "2019-03",
			Author: "Ada Example et al.", Provider: "crossref",
			Snippet: "2019 · Annals & Bacteria · cited by 1,001 — Bacteria grow at p < 0.05.",
		},
		{Title: "No Date", URL: "https://doi.org/10.1000/cd.2", Provider: "crossref",
			Snippet: "proceedings article · cited by 0"},
	}, hits)
	assert.Equal(t, "7", asked.URL.Query().Get("rows"), "some more, for the figures")
	assert.Empty(t, asked.URL.Query().Get("mailto"))
	assert.Contains(t, asked.UserAgent(), "https://")
}

const huggingFacePaper = `{"id":"2309.01234","authors":[{"_id":"1","name":"Ada Example","hidden":false},{"name":"Bo Beispiel"}],
 "publishedAt":"2023-09-12T17:57:34.000Z","title":"Weighing\n Sentences","summary":"We weigh sentences.\nNothing else.","upvotes":1,
 "discussionId":"x","ai_summary":"Quotes weigh sentences.","githubRepo":"https://github.com/ada/weigh","githubStars":5}`

func TestHuggingFace(t *testing.T) {
	var asked *http.Request
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		switch r.URL.Path {
		case "/api/papers/search", "/api/daily_papers":
			says(`[{"paper":`+huggingFacePaper+
				`,"publishedAt":"2023-09-12T00:00:00.000Z","title":"Weighing","numComments":0}]`)(w, r)
		case "/api/papers/2309.01234":
			says(huggingFacePaper)(w, r)
		default:
			status(404, `{"error":"Paper not found"}`)(w, r)
		}
	})
	want := search.Hit{
		Title: "Weighing Sentences", URL: "https://huggingface.co/papers/2309.01234", Published: "2023-09-12",
		Author: "Ada Example et al.", Provider: "huggingface",
		Snippet: "2023 · 1 upvote · code: https://github.com/ada/weigh — Quotes weigh sentences. We weigh " +
			"sentences. Nothing else.",
	}
	huggingFace := provider("huggingface", "hf_s3cret", client)
	hits, err := huggingFace.Search(t.Context(), "weighing sentences", 5)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{want}, hits)
	assert.Equal(t, "Bearer hf_s3cret", asked.Header.Get("Authorization"))
	assert.Equal(t, "weighing sentences", asked.URL.Query().Get("q"))

	hits, err = huggingFace.Search(t.Context(), "arXiv:2309.01234v3", 5)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{want}, hits)

	for query, date := range map[string]string{"daily papers": "",
		"Hugging Face daily papers 2023-09-12": "2023-09-12", "每日论文 2023-09-12": "2023-09-12"} {
		hits, err = huggingFace.Search(t.Context(), query, 5)
		require.NoError(t, err)
		assert.Equal(t, []search.Hit{want}, hits, query)
		assert.Equal(t, "/api/daily_papers", asked.URL.Path)
		assert.Equal(t, date, asked.URL.Query().Get("date"))
	}

	hits, err = huggingFace.Search(t.Context(), "2309.99999", 5)
	require.NoError(t, err, "a paper that is not known there is no fault")
	assert.Empty(t, hits)
}

const blogFeed = `<?xml version="1.0" encoding="UTF-8"?><rss xmlns:atom="http://www.w3.org/2005/Atom" version="2.0"><channel>
<title>Hugging Face - Blog</title><link>https://huggingface.co/blog</link>
<item><title>Faster Text Generation with a Draft Model</title><pubDate>Tue, 10 Nov 2026 00:00:00 GMT</pubDate><link>https://huggingface.co/blog/draft-model</link><guid isPermaLink="true">https://huggingface.co/blog/draft-model</guid></item>
<item><title>Text Embeddings on a Laptop</title><pubDate>Mon, 09 Jan 2023 00:00:00 GMT</pubDate><link>https://huggingface.co/blog/embeddings</link></item>
</channel></rss>`

func TestHuggingFaceBlog(t *testing.T) {
	asked := 0
	blog := provider("huggingface-blog", "", playing(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/blog/feed.xml", r.URL.Path)
		if asked++; asked == 1 {
			status(503, "")(w, r)
			return
		}
		says(blogFeed)(w, r)
	}))
	_, err := blog.Search(t.Context(), "text generation", 5)
	assert.Equal(t, search.Unavailable, reasonOf(t, err))

	hits, err := blog.Search(t.Context(), "how to make text generation faster", 5)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{{
		Title: "Faster Text Generation with a Draft Model", URL: "https://huggingface.co/blog/draft-model",
		Published: "2026-11-10",
		Provider:  "huggingface-blog", Snippet: "2026-11-10",
	}}, hits)
	hits, err = blog.Search(t.Context(), "text on sourdough bread", 5)
	require.NoError(t, err)
	assert.Empty(t, hits, "one word of three is not enough")
	assert.Equal(t, 2, asked, "a list that was read is kept, and a failure is not")

	_, err = provider("huggingface-blog", "", playing(t, says("<html></html>"))).Search(
		t.Context(), "text", 5)
	assert.Equal(t, search.Strange, reasonOf(t, err))
}

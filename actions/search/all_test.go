package search_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

// fake is a Provider that answers as told.
type fake struct {
	name   string
	kind   search.Kind // "" is Web
	answer func(ctx context.Context, query string, limit int) ([]search.Hit, error)
}

func (f fake) Name() string { return f.name }

func (f fake) Kind() search.Kind {
	if f.kind == "" {
		return search.Web
	}
	return f.kind
}

func (f fake) Search(ctx context.Context, query string, limit int) ([]search.Hit, error) {
	return f.answer(ctx, query, limit)
}

// last is a fake that is a last resort.
type last struct{ fake }

func (last) IsLastResort() bool { return true }

// slow is a fake that wants time between two questions.
type slow struct {
	fake
	pace time.Duration
}

func (s slow) Pace() time.Duration { return s.pace }

func gives(name string, hits ...search.Hit) fake {
	return fake{name: name,
		answer: func(context.Context, string, int) ([]search.Hit, error) { return hits, nil }}
}

func finds(name string, urls ...string) fake {
	hits := make([]search.Hit, len(urls))
	for i, url := range urls {
		hits[i] = search.Hit{Title: name, URL: url, Provider: name}
	}
	return gives(name, hits...)
}

func fails(name string, err error) fake {
	return fake{name: name,
		answer: func(context.Context, string, int) ([]search.Hit, error) { return nil, err }}
}

// counting is how often a provider was asked.
func counting(f fake, asked *atomic.Int32) fake {
	answer := f.answer
	f.answer = func(ctx context.Context, query string, limit int) ([]search.Hit, error) {
		asked.Add(1)
		return answer(ctx, query, limit)
	}
	return f
}

func addresses(hits []search.Hit) []string {
	list := make([]string, len(hits))
	for i, hit := range hits {
		list[i] = hit.URL
	}
	return list
}

func all(providers ...search.Provider) *search.All { return &search.All{Providers: providers} }

func asks(queries ...string) search.Question { return search.Question{Queries: queries} }

func TestAllMerges(t *testing.T) {
	both := all(
		finds("one", "https://a.test/", "https://b.test/x", "https://n.test", "https://d.test"),
		finds("two", "https://c.test", "http://www.b.test/x/?utm_source=two#top", "https://c.test/",
			"https://e.test"),
	)
	found, err := both.Search(t.Context(), asks("query"))
	require.NoError(t, err)
	assert.Empty(t, found.Failed)
	assert.Equal(t, []string{"one", "two"}, found.Answered)
	assert.Equal(t, []string{"https://b.test/x", "https://a.test/", "https://c.test", "https://n.test",
		"https://d.test", "https://e.test"},
		addresses(found.Hits), "what both found comes first, and once")
	assert.Equal(t, "one", found.Hits[0].Provider)
	assert.Equal(t, []string{"two"}, found.Hits[0].Also)
	assert.Empty(t, found.Hits[1].Also)

	found, err = both.Search(t.Context(), search.Question{Queries: []string{"query"}, Limit: 2})
	require.NoError(t, err)
	assert.Equal(t, []string{"https://b.test/x", "https://a.test/"}, addresses(found.Hits))
}

func TestAllKeepsEveryExcerpt(t *testing.T) {
	found, err := all(
		gives("one", search.Hit{Title: "Paper", URL: "http://arxiv.org/pdf/1706.03762v5",
			Snippet: "Attention is all you need."}),
		gives("two", search.Hit{Title: "PDF", URL: "https://huggingface.co/papers/1706.03762",
			Snippet: "“Attention is all you need” …", Published: "2017-06"}),
		gives("three", search.Hit{Title: "DOI", URL: "https://doi.org/10.48550/arXiv.1706.03762",
			Snippet: "The Transformer.", Published: "2017-06-12", Author: "Vaswani et al."}),
		gives("four", search.Hit{Title: "Copy", URL: "https://arxiv.org/pdf/1706.03762v5",
			Snippet: "The transformer", Published: "2017"}),
	).Search(t.Context(), asks("transformer"))
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{{
		Title: "Paper", URL: "https://arxiv.org/pdf/1706.03762v5", Snippet: "Attention is all you need.",
		Published: "2017-06-12", Author: "Vaswani et al.",
		Provider: "one", Also: []string{"two", "three", "four"},
		More: []search.Excerpt{{Provider: "three", Text: "The Transformer."}},
	}}, found.Hits)
}

func TestAllDropsWhatCannotBeVisited(t *testing.T) {
	found, err := all(finds("one", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "", "::",
		"https://", "//a.test", "https://a.test")).
		Search(t.Context(), asks("query"))
	require.NoError(t, err)
	assert.Equal(t, []string{"https://a.test"}, addresses(found.Hits))
}

func TestAllKeepsToItsLimit(t *testing.T) {
	endless := fake{name: "endless", answer: func(context.Context, string, int) ([]search.Hit, error) {
		hits := make([]search.Hit, 10_000)
		for i := range hits {
			hits[i].URL = "https://a" + strconv.Itoa(i) + ".test/"
		}
		return hits, nil
	}}
	for limit, want := range map[int]int{5: 5, 0: 10, 1000: 50} {
		found, err := all(endless).Search(t.Context(),
			search.Question{Queries: []string{"query"}, Limit: limit})
		require.NoError(t, err)
		assert.Len(t, found.Hits, want)
	}
}

func TestAllTellsWhoFailed(t *testing.T) {
	quota := errors.New("the quota is used up")
	found, err := all(fails("one", quota), finds("two")).Search(t.Context(), asks("query"))
	require.NoError(t, err)
	assert.Empty(t, found.Hits)
	assert.Equal(t, []string{"two"}, found.Answered)
	assert.Equal(t, []search.Failure{{Provider: "one", Err: quota}}, found.Failed)

	found, err = all(fails("one", quota), fails("two", fmt.Errorf("status %d", 500))).Search(t.Context(),
		asks("query"))
	require.ErrorIs(t, err, quota)
	assert.ErrorContains(t, err, "one: the quota is used up")
	assert.ErrorContains(t, err, "two: status 500")
	assert.Len(t, found.Failed, 2)

	_, err = all().Search(t.Context(), asks("query"))
	assert.ErrorContains(t, err, "no search provider")

	moody := fake{name: "moody", answer: func(_ context.Context, query string, _ int) ([]search.Hit, error) {
		if query == "bicycle" {
			return nil, quota
		}
		return []search.Hit{{URL: "https://a.test/" + query}}, nil
	}}
	found, err = all(moody).Search(t.Context(), asks("tram", "bicycle", "train"))
	require.NoError(t, err)
	assert.Equal(t, []search.Failure{{Provider: "moody", Queries: []string{"bicycle"}, Err: quota}},
		found.Failed)
	assert.Equal(t, []string{"https://a.test/tram", "https://a.test/train"}, addresses(found.Hits))
}

func TestAllAsksForWhatDiffers(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for name, c := range map[string]struct{ given, asked []string }{
		"case, order, plural": {[]string{"Disc Brakes", "brake discs", "disc brake"},
			[]string{"Disc Brakes"}},
		"words without meaning": {[]string{"history of the tram", "tram history", "the history of a tram"},
			[]string{"history of the tram"}},
		"one word in five": {[]string{"a1 rim disc brakes rain", "a1 rim disc brakes rain wear"},
			[]string{"a1 rim disc brakes rain"}},
		"one word in two": {[]string{"disc brakes", "disc brakes rain"},
			[]string{"disc brakes", "disc brakes rain"}},
		"a number": {[]string{"go 1.25 release notes of new features",
			"go 1.26 release notes of new features"},
			[]string{"go 1.25 release notes of new features", "go 1.26 release notes of new features"}},
		"C, C++ and C#": {[]string{"C++ coroutines", "C# coroutines", "C coroutines"},
			[]string{"C++ coroutines", "C# coroutines", "C coroutines"}},
		"what is not wanted": {[]string{"jaguar -car", "jaguar car"},
			[]string{"jaguar -car", "jaguar car"}},
		"Chinese": {[]string{"磁盘映像怎么挂载", "怎么挂载磁盘映像", "磁盘映像加密"},
			[]string{"磁盘映像怎么挂载", "磁盘映像加密"}},
		"width":                  {[]string{"ＧＯ　ｌａｎｇ", "go lang"}, []string{"ＧＯ ｌａｎｇ"}},
		"nothing to look for":    {[]string{"  ", "???", "tram\n\x00stop"}, []string{"tram stop"}},
		"only meaningless words": {[]string{"to be or not to be"}, []string{"to be or not to be"}},
		"at most five": {[]string{"one", "two", "three", "four", "five", "six"},
			[]string{"one", "two", "three", "four", "five"}},
		"a text for a query": {[]string{long}, []string{strings.TrimSpace(long[:300])}},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var asked []string
			found, err := all(fake{name: "one",
				answer: func(_ context.Context, query string, _ int) ([]search.Hit, error) {
					mu.Lock()
					defer mu.Unlock()
					asked = append(asked, query)
					return nil, nil
				}}).Search(t.Context(), search.Question{Queries: c.given})
			require.NoError(t, err)
			assert.ElementsMatch(t, c.asked, asked)
			assert.Equal(t, c.asked, found.Queries)
		})
	}
	found, err := all(finds("one")).Search(t.Context(),
		asks("one", "two", "three", "four", "five", "six", "One", "seven"))
	require.NoError(t, err)
	assert.Equal(t, []string{"six", "seven"}, found.Over, "and it says so")
	_, err = all(finds("one")).Search(t.Context(), asks("", "?!"))
	assert.ErrorContains(t, err, "no query holds a word to look for")
}

func TestAllAsksTheSourceThatWasNamed(t *testing.T) {
	papers := finds("arxiv", "https://arxiv.org/abs/1")
	papers.kind = search.Scholarly
	both := all(finds("brave", "https://web.test"), papers)
	for source, want := range map[string][]string{
		"": {"brave", "arxiv"}, "arxiv": {"arxiv"}, "Scholarly": {"arxiv"}, "web": {"brave"},
	} {
		found, err := both.Search(t.Context(), search.Question{Queries: []string{"query"}, Source: source})
		require.NoError(t, err)
		assert.Equal(t, want, found.Answered, source)
	}
	_, err := both.Search(t.Context(), search.Question{Queries: []string{"query"}, Source: "google\nscholar"})
	assert.EqualError(t,
		err,
		`searching: "google scholar" is no source that is set up; give one of these, or a kind in brackets: `+
			`brave (web), arxiv (scholarly)`)
}

func TestAllAsksALastResortLast(t *testing.T) {
	down := &search.ServiceError{Reason: search.Strange}
	duck := last{finds("duck", "https://duck.test")}
	book := finds("book", "https://book.test")
	book.kind = search.Reference
	blog := provider("huggingface-blog",
		"", playing(t, says(`<rss version="2.0"><channel><title>Blog</title></channel></rss>`)))
	for name, c := range map[string]struct {
		providers []search.Provider
		answered  []string
	}{
		"another answers":    {[]search.Provider{duck, finds("one")}, []string{"one"}},
		"no other is set up": {[]search.Provider{duck, book}, []string{"book", "duck"}},
		"all others failed": {[]search.Provider{fails("one", down), duck, book},
			[]string{"book", "duck"}},
		"one of the others answers": {[]search.Provider{fails("one", down), duck, finds("two")},
			[]string{"two"}},
		"a blog is not the web": {[]search.Provider{duck, blog}, []string{"huggingface-blog", "duck"}},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := all(c.providers...).Search(t.Context(), asks("query"))
			require.NoError(t, err)
			assert.Equal(t, c.answered, found.Answered)
		})
	}
	found, err := all(duck, finds("one")).Search(t.Context(),
		search.Question{Queries: []string{"query"}, Source: "duck"})
	require.NoError(t, err)
	assert.Equal(t, []string{"duck"}, found.Answered, "whoever names it gets it")
}

func TestAllWaitsForNobodyLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := fake{name: "hangs",
			answer: func(ctx context.Context, _ string, _ int) ([]search.Hit, error) {
				<-ctx.Done()
				return nil, fmt.Errorf("asking: %w", ctx.Err())
			}}
		start := time.Now()
		found, err := all(hangs, finds("two", "https://a.test")).Search(t.Context(), asks("tram", "bicycle"))
		require.NoError(t, err)
		assert.Equal(t, 10*time.Second, time.Since(start))
		assert.Equal(t, []string{"https://a.test"}, addresses(found.Hits))
		require.Len(t, found.Failed, 1)
		assert.EqualError(t, found.Failed[0].Err, "not available: no answer within 10s")

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		patient := all(hangs)
		_, err = patient.Search(ctx, asks("query"))
		assert.ErrorIs(t, err, context.Canceled)
		found, err = patient.Search(t.Context(), asks("query"))
		require.Error(t, err)
		assert.NotContains(t, found.Failed[0].Err.Error(), "left out",
			"that the caller gave up is no fault of the provider")
	})
}

func TestAllLeavesAloneWhoFailed(t *testing.T) {
	for name, c := range map[string]struct {
		err  search.ServiceError
		rest time.Duration
	}{
		"throttled": {search.ServiceError{Reason: search.Throttled}, 3 * time.Minute},
		"throttled, it says": {search.ServiceError{Reason: search.Throttled, Wait: 7 * time.Second},
			7 * time.Second},
		"down":         {search.ServiceError{Reason: search.Unavailable}, time.Minute},
		"out of quota": {search.ServiceError{Reason: search.OutOfQuota}, time.Hour},
		"a wrong key":  {search.ServiceError{Reason: search.Refused}, 24 * time.Hour},
		"a bad answer": {search.ServiceError{Reason: search.Strange}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked atomic.Int32
				a := all(counting(fails("one", &c.err), &asked), finds("two", "https://a.test"))
				found, err := a.Search(t.Context(), asks("tram", "bicycle"))
				require.NoError(t, err)
				require.NotEmpty(t, found.Failed)
				assert.ErrorIs(t, found.Failed[0].Err, &c.err)
				if c.rest == 0 {
					assert.EqualValues(t, 2, asked.Load(), "the next query may be answered")
					return
				}
				asked.Store(1) // of the two queries, which go side by side, at least one was asked

				time.Sleep(c.rest - time.Second)
				found, err = a.Search(t.Context(), asks("tram"))
				require.NoError(t, err)
				assert.EqualValues(t, 1, asked.Load())
				require.Len(t, found.Failed, 1, "who is not asked is still named")
				assert.ErrorContains(t, found.Failed[0].Err, "left out for")
				assert.ErrorContains(t, found.Failed[0].Err, string(c.err.Reason))
				if c.err.Reason == search.Refused {
					return
				}
				time.Sleep(time.Second)
				_, err = a.Search(t.Context(), asks("tram"))
				require.NoError(t, err)
				assert.EqualValues(t, 2, asked.Load(), "it gets another chance")
			})
		})
	}
}

func TestAllKeepsThePaceOfAProvider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var at []time.Duration
		start := time.Now()
		inside, most := 0, 0
		a := all(slow{fake{name: "slow", answer: func(context.Context, string, int) ([]search.Hit, error) {
			mu.Lock()
			at = append(at, time.Since(start))
			inside++
			most = max(most, inside)
			mu.Unlock()
			time.Sleep(100 * time.Millisecond)
			mu.Lock()
			inside--
			mu.Unlock()
			return []search.Hit{{URL: "https://a.test"}}, nil
		}}, 3 * time.Second})
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				found, err := a.Search(t.Context(), asks("tram", "bicycle", "train"))
				assert.NoError(t, err)
				assert.Empty(t, found.Failed, "the allowance is for each query, and not for all of a call")
			})
		}
		both.Wait()
		var want []time.Duration
		for i := range 6 {
			want = append(want, time.Duration(i)*3*time.Second)
		}
		assert.Equal(t, want, at)
		assert.Equal(t, 1, most, "one connection")
	})
}

func TestAllNamesTheQueriesThatGotNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := all(slow{finds("slow", "https://a.test"), 12 * time.Second}, finds("quick", "https://b.test"))
		queries := []string{"tram", "bicycle", "train", "ferry", "horse"}
		found, err := a.Search(t.Context(), asks(queries...))
		require.NoError(t, err)
		require.Len(t, found.Failed, 1)
		assert.Equal(t, "slow", found.Failed[0].Provider)
		assert.Len(t, found.Failed[0].Queries, 2, "three had their turn within half a minute")
		assert.Subset(t, queries, found.Failed[0].Queries)
		assert.ErrorContains(t, found.Failed[0].Err,
			"its turn did not come within 30s: it may be asked only once in 12s")
	})
}

// The queries of all calls share the limit; with a limit of one they go one after the other.
func TestTheLimitOfQuestionsSideBySideCanBeSet(t *testing.T) {
	for limit, want := range map[int]time.Duration{1: 6 * time.Second, 3: 2 * time.Second, 0: time.Second} {
		synctest.Test(t, func(t *testing.T) {
			wait := fake{name: "one", answer: func(context.Context, string, int) ([]search.Hit, error) {
				time.Sleep(time.Second)
				return nil, nil
			}}
			a := &search.All{Providers: []search.Provider{wait}, SideBySide: limit}
			start := time.Now()
			var calls sync.WaitGroup
			for range 2 {
				calls.Go(func() {
					_, err := a.Search(t.Context(), asks("tram", "bicycle", "train"))
					assert.NoError(t, err)
				})
			}
			calls.Wait()
			assert.Equal(t, want, time.Since(start))
		})
	}
	found, err := (&search.All{Providers: []search.Provider{finds("one")}, Breadth: 2}).Search(t.Context(),
		asks("tram", "bicycle", "train"))
	require.NoError(t, err)
	assert.Equal(t, []string{"train"}, found.Over)
}

func TestASiteIsAskedOfWhoKnowsItAndOfGeneralProviders(t *testing.T) {
	heard := map[string]string{}
	var mu sync.Mutex
	hears := func(name string, kind search.Kind, urls ...string) fake {
		f := finds(name, urls...)
		answer := f.answer
		f.kind, f.answer = kind, func(ctx context.Context, query string, limit int) ([]search.Hit, error) {
			mu.Lock()
			heard[name] = query
			mu.Unlock()
			return answer(ctx, query, limit)
		}
		return f
	}
	a := all(hears("documents", search.Own), hears("brave", search.Web, "https://docs.github.com/a",
		"https://notgithub.com/"), hears("github", search.Code, "https://github.com/o/r"))
	found, err := a.Search(t.Context(),
		search.Question{Queries: []string{"actions cache"}, Source: "github.com"})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"brave": "site:github.com actions cache",
		"github": "actions cache"}, heard)
	assert.Equal(t, []string{"https://github.com/o/r", "https://docs.github.com/a"}, addresses(found.Hits),
		"and what is elsewhere is left out")

	found, err = a.Search(t.Context(),
		search.Question{Queries: []string{"folding bicycle"}, Source: "patents"})
	require.NoError(t, err)
	assert.Equal(t, []string{"brave"}, found.Answered)
	assert.Equal(t, "site:patents.google.com folding bicycle", heard["brave"])
	_, err = all(hears("github", search.Code)).Search(t.Context(),
		search.Question{Queries: []string{"x"}, Source: "go.dev"})
	assert.ErrorContains(t, err, "no provider for the web is set up that could search go.dev")
}

func TestInternalQuestionsStayInside(t *testing.T) {
	own, wiki := finds("documents", "doc:a.md"), finds("confluence", "https://wiki.example/1")
	own.kind, wiki.kind = search.Own, search.Internal
	found, err := all(own, wiki, finds("brave", "https://a.test")).Search(t.Context(),
		search.Question{Queries: []string{"holidays"}, Source: "internal"})
	require.NoError(t, err)
	assert.Equal(t, []string{"documents", "confluence"}, found.Answered)
}

func TestAllAsksSideBySideUnderALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		inside, most := 0, 0
		var providers []search.Provider
		for i := range 20 {
			providers = append(providers, fake{name: strconv.Itoa(i),
				answer: func(context.Context, string, int) ([]search.Hit, error) {
					mu.Lock()
					inside++
					most = max(most, inside)
					mu.Unlock()
					time.Sleep(time.Second)
					mu.Lock()
					inside--
					mu.Unlock()
					return nil, nil
				}})
		}
		start := time.Now()
		found, err := all(providers...).Search(t.Context(), asks("query"))
		require.NoError(t, err)
		assert.Len(t, found.Answered, 20)
		assert.Equal(t, 8, most)
		assert.Equal(t, 3*time.Second, time.Since(start))
	})
}

func TestAllWithDocuments(t *testing.T) {
	docs := library(t, map[string]string{
		"bread.md": "# Bread\n\nFeed the starter twice a day.\n",
		"bike/brakes.md": "# Bicycle brakes\n\n## Disc brakes\n" +
			"\nReplace the pads at one millimetre. Clean the disc with alcohol.\n\n" +
			"## Rim brakes\n\nThe pads must not touch the tyre.\n",
	})
	found, err := all(docs, fails("web", errors.New("offline"))).Search(t.Context(),
		search.Question{Queries: []string{"disc brakes"}, Limit: 3})
	require.NoError(t, err)
	require.NotEmpty(t, found.Hits)
	assert.Equal(t, "doc:bike/brakes.md", found.Hits[0].URL)
	assert.Equal(t, "web", found.Failed[0].Provider)
}

// With one slot nobody is asked while an answer that came is not held yet: a kill in between would pay for it
// twice.
func TestTheNextQueryIsAskedOnceTheAnswerIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked, held atomic.Int32
		a := all(fake{name: "one", answer: func(context.Context, string, int) ([]search.Hit, error) {
			asked.Add(1)
			return []search.Hit{{URL: "https://a.test"}}, nil
		}})
		a.SideBySide = 1
		q := asks("tram", "bicycle")
		q.Once = func(_, _ string, ask func() ([]search.Hit, error)) ([]search.Hit, error) {
			hits, err := ask()
			synctest.Wait() // until all others can go no further
			assert.Equal(t, held.Add(1), asked.Load())
			return hits, err
		}
		_, err := a.Search(t.Context(), q)
		require.NoError(t, err)
		assert.EqualValues(t, 2, held.Load())
	})
}

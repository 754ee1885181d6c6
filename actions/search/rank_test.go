package search_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

func hit(title, url string) search.Hit { return search.Hit{Title: title, URL: url} }

// order is the order of what one or several providers found for "disc brakes".
func order(t *testing.T, providers ...search.Provider) []string {
	t.Helper()
	found, err := all(providers...).Search(t.Context(),
		search.Question{Queries: []string{"disc brakes"}, Limit: 50})
	require.NoError(t, err)
	return addresses(found.Hits)
}

// Each weight is shown by a pair of lists that differ in one thing alone; without that thing the order is the
// other one.
func TestEveryWeightMatters(t *testing.T) {
	today := time.Now().Format(time.DateOnly)
	dated := func(url, published string) search.Hit {
		return search.Hit{Title: "x", URL: url, Published: published}
	}
	for name, c := range map[string]struct{ plain, weighed []search.Hit }{
		"words": {
			[]search.Hit{hit("x", "https://a.test/"), hit("x", "https://b.test/")},
			[]search.Hit{hit("x", "https://a.test/"), hit("Disc brakes", "https://b.test/")},
		},
		"one word of two": {
			[]search.Hit{hit("disc", "https://a.test/"), hit("brake", "https://b.test/")},
			[]search.Hit{hit("disc", "https://a.test/"), hit("a brake with a disc", "https://b.test/")},
		},
		"freshness": {
			[]search.Hit{dated("https://a.test/", "2005-01-01"), dated("https://b.test/", "2005-01-02")},
			[]search.Hit{dated("https://a.test/", "2005-01-01"), dated("https://b.test/", today)},
		},
		"a year alone": {
			[]search.Hit{dated("https://a.test/", "2005"), dated("https://b.test/", "2006")},
			[]search.Hit{dated("https://a.test/", "2005"), dated("https://b.test/", today[:4])},
		},
		"no date is no fresh one": {
			[]search.Hit{dated("https://a.test/", ""), dated("https://b.test/", "1999")},
			[]search.Hit{dated("https://a.test/", ""), dated("https://b.test/", today)},
		},
		"a primary source": {
			[]search.Hit{hit("x", "https://a.test/"), hit("x", "https://b.test/")},
			[]search.Hit{hit("x", "https://a.test/"), hit("x", "https://docs.b.test/")},
		},
		"one that retells": {
			[]search.Hit{hit("x", "https://a.test/"), hit("x", "https://b.test/")},
			[]search.Hit{hit("x", "https://blog.csdn.net/"), hit("x", "https://b.test/")},
		},
		"login": {
			[]search.Hit{hit("x", "https://a.test/logic"), hit("x", "https://b.test/")},
			[]search.Hit{hit("x", "https://a.test/Login"), hit("x", "https://b.test/")},
		},
		"tags": {
			[]search.Hit{hit("x", "https://a.test/vintage/brakes"), hit("x", "https://b.test/")},
			[]search.Hit{hit("x", "https://a.test/tag/brakes"), hit("x", "https://b.test/")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := order(t, gives("one", c.plain...)), order(t, gives("one", c.weighed...))
			assert.Equal(t, []string{c.plain[0].URL, c.plain[1].URL}, before)
			assert.Equal(t, []string{c.weighed[1].URL, c.weighed[0].URL}, after)
		})
	}
}

func TestPositionAcrossLists(t *testing.T) {
	first := []string{"https://a.test/", "https://b.test/", "https://c.test/"}
	assert.Equal(t, first, order(t, finds("one", first...)))
	assert.Equal(t, []string{"https://c.test/", "https://a.test/", "https://d.test/", "https://b.test/"},
		order(t, finds("one", first...), finds("two", "https://d.test/", "https://c.test/")),
		"two lists outdo one first place")
}

func TestHighSignalKindsComeFirst(t *testing.T) {
	of := func(kind search.Kind, url string) fake {
		f := finds(url, url)
		f.kind = kind
		return f
	}
	assert.Equal(t, []string{"doc:a.md", "https://p.test/", "https://w.test/", "https://t.test/"},
		order(t, of(search.Talk, "https://t.test/"), of(search.Web, "https://w.test/"),
			of(search.Scholarly, "https://p.test/"), of(search.Own, "doc:a.md")))
}

func TestOneSiteDoesNotFillTheList(t *testing.T) {
	pages := []string{"https://a.test/1", "https://www.a.test/2", "https://blog.a.test/3", "https://a.test/4",
		"https://b.test/", "https://c.test/"}
	assert.Equal(t, []string{"https://a.test/1", "https://b.test/", "https://c.test/", "https://www.a.test/2",
		"https://blog.a.test/3", "https://a.test/4"},
		order(t, finds("one", pages...)))
	independent := []string{"https://a.github.io/", "https://b.github.io/", "https://c.github.io/",
		"https://d.test/"}
	assert.Equal(t, independent, order(t, finds("one", independent...)), "these belong to different people")
	shelf := []string{"https://github.com/a/a", "https://github.com/b/b", "https://github.com/c/c",
		"https://d.test/"}
	assert.Equal(t, shelf, order(t, finds("one", shelf...)), "and these")
	own := []string{"doc:a.md", "doc:b.md", "doc:c.md", "https://d.test/"}
	assert.Equal(t, own, order(t, finds("one", own...)))
}

func TestDocumentsKeepTheirOrder(t *testing.T) {
	hits := []search.Hit{hit("x", "doc:a.md"), hit("Disc brakes", "doc:b.md"),
		hit("Disc", "doc:deep/under/many/other/folders/c.md")}
	assert.Equal(t, addresses(hits), order(t, gives("documents", hits...)))
}

// about is an embedding in which a text is about brakes, or not.
func about(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = []float32{1, 0.2}
		if strings.Contains(text, "brake") || strings.Contains(text, "Scheibenbremse") {
			vectors[i] = []float32{0.2, 1}
		}
	}
	return vectors, nil
}

func TestMeaning(t *testing.T) {
	pages := gives("one", hit("A shop", "https://a.test/"), hit("Eine Scheibenbremse", "https://b.test/"))
	for name, c := range map[string]struct {
		embed   search.Embed
		want    []string
		trouble string
	}{
		"none": {nil, []string{"https://a.test/", "https://b.test/"}, ""},
		"near": {about, []string{"https://b.test/", "https://a.test/"}, ""},
		"all alike": {func(_ context.Context, texts []string) ([][]float32, error) {
			return same(len(texts), 1), nil
		}, []string{"https://a.test/", "https://b.test/"}, ""},
		"zeros": {func(_ context.Context, texts []string) ([][]float32, error) {
			return same(len(texts), 0),
				nil
		}, []string{"https://a.test/", "https://b.test/"}, ""},
		"down": {func(context.Context, []string) ([][]float32, error) { return nil, errors.New("no route") },
			[]string{"https://a.test/", "https://b.test/"},
			"comparing by meaning: no route"},
		"too few": {func(context.Context, []string) ([][]float32, error) { return same(1, 1), nil },
			[]string{"https://a.test/", "https://b.test/"}, "1 vectors for 3 texts"},
		"uneven": {func(context.Context, []string) ([][]float32, error) {
			return [][]float32{{1}, {1, 2}, {1}}, nil
		}, []string{"https://a.test/", "https://b.test/"},
			"different lengths"},
		"no number": {func(_ context.Context, texts []string) ([][]float32, error) {
			return same(len(texts), float32(math.NaN())), nil
		}, []string{"https://a.test/", "https://b.test/"}, "holds no number"},
	} {
		t.Run(name, func(t *testing.T) {
			a := search.All{Providers: []search.Provider{pages}, Embed: c.embed}
			found, err := a.Search(t.Context(), asks("disc brakes"))
			require.NoError(t, err)
			assert.Equal(t, c.want, addresses(found.Hits))
			if c.trouble == "" {
				assert.NoError(t, found.Unweighed)
			} else {
				assert.ErrorContains(t, found.Unweighed, c.trouble)
			}
		})
	}
}

func same(n int, x float32) [][]float32 {
	vectors := make([][]float32, n)
	for i := range vectors {
		vectors[i] = []float32{x, x}
	}
	return vectors
}

// BenchmarkAll is a question of five queries to 18 providers that find 20 pages for each, all of which are
// merged and ranked.
func BenchmarkAll(b *testing.B) {
	var providers []search.Provider
	for i := range 18 {
		providers = append(providers, fake{name: fmt.Sprint(i),
			answer: func(_ context.Context, query string, limit int) ([]search.Hit, error) {
				hits := make([]search.Hit, limit)
				for rank := range hits {
					n := (i*7+rank)%60 + len(query)
					hits[rank] = search.Hit{
						Title:     fmt.Sprintf("Page %d about disc brakes", n),
						URL:       fmt.Sprintf("https://site%d.test/bikes/page%d?utm_source=%d", n%9, n, i),
						Snippet:   strings.Repeat(fmt.Sprintf("What provider %d says of brakes. ", i), 8),
						Published: "2024-03-04",
					}
				}
				return hits, nil
			}})
	}
	a := all(providers...)
	q := search.Question{Queries: []string{"disc brakes", "rim brakes rain", "brake pads", "hydraulic hoses",
		"braking distance"}, Limit: 20}
	for b.Loop() {
		if _, err := a.Search(b.Context(), q); err != nil {
			b.Fatal(err)
		}
	}
}

package search_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
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
	answer func(ctx context.Context, query string, limit int) ([]search.Hit, error)
}

func (f fake) Name() string { return f.name }

func (f fake) Search(ctx context.Context, query string, limit int) ([]search.Hit, error) {
	return f.answer(ctx, query, limit)
}

func finds(name string, urls ...string) fake {
	return fake{name, func(context.Context, string, int) ([]search.Hit, error) {
		hits := make([]search.Hit, len(urls))
		for i, url := range urls {
			hits[i] = search.Hit{Title: name, URL: url, Provider: name}
		}
		return hits, nil
	}}
}

func fails(name string, err error) fake {
	return fake{name, func(context.Context, string, int) ([]search.Hit, error) { return nil, err }}
}

func addresses(hits []search.Hit) []string {
	list := make([]string, len(hits))
	for i, hit := range hits {
		list[i] = hit.URL
	}
	return list
}

func TestAllMerges(t *testing.T) {
	all := search.All{
		finds("one", "https://a.test/", "https://b.test/x", "doc:notes.md", "https://d.test"),
		finds("two", "https://c.test", "http://www.b.test/x/?utm_source=two#top", "https://c.test/", "https://e.test"),
	}
	found, err := all.Search(t.Context(), "query", 10)
	require.NoError(t, err)
	assert.Empty(t, found.Failed)
	assert.Equal(t, []string{"https://b.test/x", "https://a.test/", "https://c.test", "doc:notes.md", "https://d.test", "https://e.test"},
		addresses(found.Hits), "what both found comes first, and once")
	assert.Equal(t, "one", found.Hits[0].Provider)

	found, err = all.Search(t.Context(), "query", 2)
	require.NoError(t, err)
	assert.Equal(t, []string{"https://b.test/x", "https://a.test/"}, addresses(found.Hits))
}

func TestAllDropsWhatCannotBeVisited(t *testing.T) {
	found, err := search.All{finds("one", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "", "::", "https://", "//a.test", "https://a.test")}.
		Search(t.Context(), "query", 10)
	require.NoError(t, err)
	assert.Equal(t, []string{"https://a.test"}, addresses(found.Hits))
}

func TestAllKeepsToItsLimit(t *testing.T) {
	endless := fake{"endless", func(context.Context, string, int) ([]search.Hit, error) {
		hits := make([]search.Hit, 10_000)
		for i := range hits {
			hits[i].URL = "https://a.test/" + strconv.Itoa(i)
		}
		return hits, nil
	}}
	for limit, want := range map[int]int{5: 5, 0: 10} {
		found, err := search.All{endless}.Search(t.Context(), "query", limit)
		require.NoError(t, err)
		assert.Len(t, found.Hits, want)
	}
}

func TestAllTellsWhoFailed(t *testing.T) {
	quota := errors.New("the quota is used up")
	found, err := search.All{fails("one", quota), finds("two")}.Search(t.Context(), "query", 10)
	require.NoError(t, err)
	assert.Empty(t, found.Hits)
	assert.Equal(t, []search.Failure{{Provider: "one", Err: quota}}, found.Failed)

	found, err = search.All{fails("one", quota), fails("two", fmt.Errorf("status %d", 500))}.Search(t.Context(), "query", 10)
	require.ErrorIs(t, err, quota)
	assert.ErrorContains(t, err, "one: the quota is used up")
	assert.ErrorContains(t, err, "two: status 500")
	assert.Len(t, found.Failed, 2)

	_, err = search.All{}.Search(t.Context(), "query", 10)
	assert.ErrorContains(t, err, "no search provider")
}

func TestAllWaitsForNobodyLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := fake{"hangs", func(ctx context.Context, _ string, _ int) ([]search.Hit, error) {
			<-ctx.Done()
			return nil, fmt.Errorf("asking: %w", ctx.Err())
		}}
		start := time.Now()
		found, err := search.All{hangs, finds("two", "https://a.test")}.Search(t.Context(), "query", 10)
		require.NoError(t, err)
		assert.Equal(t, 20*time.Second, time.Since(start))
		assert.Equal(t, []string{"https://a.test"}, addresses(found.Hits))
		require.Len(t, found.Failed, 1)
		assert.ErrorContains(t, found.Failed[0].Err, "no answer within 20s")

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = search.All{hangs}.Search(ctx, "query", 10)
		assert.ErrorIs(t, err, context.Canceled)
	})
}

func TestAllWithDocuments(t *testing.T) {
	docs, _ := library(t, shelf())
	found, err := search.All{docs, fails("web", errors.New("offline"))}.Search(t.Context(), "disc brakes", 3)
	require.NoError(t, err)
	require.NotEmpty(t, found.Hits)
	assert.Equal(t, "doc:bike/brakes.md", found.Hits[0].URL)
	assert.Equal(t, "web", found.Failed[0].Provider)
}

package search_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/daybook-agent/daybook/actions/search"
)

var unreached = &search.ServiceError{Reason: search.Unavailable, Detail: "it cannot be reached"}

// Only when no place of others was ever reached is there no network: one that refuses, or that is not asked
// yet, may be had.
func TestPlacesOutOfReach(t *testing.T) {
	own := finds("documents", "doc:a.md")
	own.kind = search.Own
	news := fails("news", unreached)
	news.kind = search.News
	wiki := fails("wiki", errors.New("the wiki is down"))
	wiki.kind = search.Internal
	down, refused := fails("one", unreached), &search.ServiceError{Reason: search.Refused}
	for name, c := range map[string]struct {
		places []search.Provider
		source string
		want   bool
	}{
		"none can be reached":  {[]search.Provider{own, down, fails("two", unreached)}, "", true},
		"news are not asked":   {[]search.Provider{own, wiki, news, down}, "", true},
		"one finds something":  {[]search.Provider{own, down, finds("two", "https://a.test")}, "", false},
		"one refuses":          {[]search.Provider{own, down, fails("two", refused)}, "", false},
		"one is not asked":     {[]search.Provider{own, down, fails("two", unreached)}, "two", false},
		"there are none":       {[]search.Provider{own, wiki}, "", false},
		"documents were asked": {[]search.Provider{own, down}, "documents", false},
	} {
		t.Run(name, func(t *testing.T) {
			a := all(c.places...)
			assert.False(t, a.OutOfReach())
			_, _ = a.Search(t.Context(), search.Question{Queries: []string{"tram"}, Source: c.source})
			assert.Equal(t, c.want, a.OutOfReach())
		})
	}
}

// A place that was never reached is asked more and more seldom; one that answers is in reach from then on.
func TestAPlaceThatWasNeverReachedIsAskedSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		down := true
		p := fake{name: "one", answer: func(context.Context, string, int) ([]search.Hit, error) {
			if asked.Add(1); down {
				return nil, unreached
			}
			return nil, nil
		}}
		a := all(p)
		for range 3 * 60 {
			_, _ = a.Search(t.Context(), asks("tram"))
			time.Sleep(time.Minute)
		}
		assert.EqualValues(t, 8, asked.Load(), "after 0, 1, 3, 7, 15, 31, 63 and 123 minutes")
		down = false
		time.Sleep(time.Hour)
		_, _ = a.Search(t.Context(), asks("tram"))
		assert.False(t, a.OutOfReach())
	})
}

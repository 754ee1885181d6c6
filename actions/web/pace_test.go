package web_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFetchPace(t *testing.T) {
	for _, test := range []struct {
		name, robots string
		want         []float64
	}{
		{"three at once, then one a second", "", []float64{0, 0, 0, 1, 2, 3}},
		{"as the site says", "User-agent: *\nCrawl-delay: 5\n", []float64{0, 5, 10, 15, 20, 25}},
		{"but no slower than every ten seconds", "User-agent: *\nCrawl-delay: 3600\n", []float64{0, 10, 20}},
		{"and no faster than one a second", "User-agent: *\nCrawl-delay: 0.01\n", []float64{0, 1, 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				seen := newVisits()
				fetcher := everyHost(t, func(w http.ResponseWriter, r *http.Request) {
					if seen.note(r); r.URL.Path == "/robots.txt" {
						fmt.Fprint(w, test.robots)
						return
					}
					fmt.Fprint(w, "<p>hello")
				})
				for i := range test.want {
					_, err := fetcher.Fetch(t.Context(), fmt.Sprintf("http://a.test/page?%d", i))
					require.NoError(t, err)
					_, err = fetcher.Fetch(t.Context(), fmt.Sprintf("http://b%d.test/page", i))
					require.NoError(t, err)
					assert.Equal(t, test.want[i], time.Since(seen.start).Seconds(),
						"other sites are not waited for")
				}
				assert.Equal(t, test.want, seen.of("a.test/page"))
			})
		})
	}
}

// Of a hundred calls at once those that would wait too long are told so at once.
func TestFetchPaceUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fetcher := everyHost(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<p>hello") })
		fetcher.Timeout = 30*time.Second + time.Millisecond
		start := time.Now()
		var read, refused atomic.Int32
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() {
				_, err := fetcher.Fetch(t.Context(), fmt.Sprintf("http://a.test/page?%d", i))
				if err == nil {
					read.Add(1)
					return
				}
				refused.Add(1)
				assert.Contains(t, err.Error(), "other pages of this site wait already")
				assert.Zero(t, time.Since(start))
			})
		}
		wg.Wait()
		assert.EqualValues(t, 33, read.Load(), "three at once and 30 within the 30 seconds a page may take")
		assert.EqualValues(t, 67, refused.Load())
	})
}

func TestFetchRetryAfter(t *testing.T) {
	for _, test := range []struct {
		value string
		asked []float64 // when the page was asked for, with a second call at once and one an hour later
		says  string    // of the first call; "" = the page is read
	}{
		{"7", []float64{0, 7, 7, 3607}, ""},
		{"0", []float64{0, 1, 1, 3601}, ""},
		{"in 5 s", []float64{0, 5, 5, 3605}, ""},
		{"an hour ago", []float64{0, 1, 1, 3601}, ""},
		{"11", []float64{0, 3600}, "answers 429 and asks to wait 11 s"},
		{"in 1800 s", []float64{0, 3600}, "asks to wait 30 min"},
		{"86400", []float64{0, 3600}, "asks to wait 24 h: go on with another source and come back then"},
		{"99999999999999999999999", []float64{0, 3600}, "days"},
		{"-1", []float64{0, 0, 3600}, "too many requests"},
		{"abc", []float64{0, 0, 3600}, "too many requests"},
		{"", []float64{0, 0, 3600}, "too many requests"},
	} {
		t.Run(test.value, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				seen := newVisits()
				value := test.value
				var seconds int
				if _, err := fmt.Sscanf(value, "in %d s", &seconds); err == nil {
					value = time.Now().Add(time.Duration(seconds) * time.Second).UTC().Format(http.TimeFormat)
				} else if value == "an hour ago" {
					value = time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
				}
				fetcher := everyHost(t, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/robots.txt" {
						return
					}
					if seen.note(r); len(seen.of("a.test/page")) == 1 {
						w.Header().Set("Retry-After", value)
						w.WriteHeader(http.StatusTooManyRequests)
						return
					}
					fmt.Fprint(w, "<p>hello")
				})
				_, first := fetcher.Fetch(t.Context(), "http://a.test/page")
				_, second := fetcher.Fetch(t.Context(), "http://a.test/page")
				<-time.After(time.Hour)
				_, third := fetcher.Fetch(t.Context(), "http://a.test/page")
				assert.NoError(t, third)
				assert.Equal(t, test.asked, seen.of("a.test/page"))
				if test.says == "" {
					assert.NoError(t, first)
					assert.NoError(t, second)
					return
				}
				assert.Equal(t, http.StatusTooManyRequests, asError(t, first).Status)
				assert.Contains(t, first.Error(), test.says)
				if len(test.asked) == 2 {
					assert.Equal(t, page.Status, asError(t, second).Kind)
					assert.Contains(t, second.Error(), "asked to be left alone")
				}
			})
		})
	}
}

// A site that asks for patience again and again is waited for once.
func TestFetchRetriesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := newVisits()
		fetcher := everyHost(t, func(w http.ResponseWriter, r *http.Request) {
			if seen.note(r); r.URL.Path == "/page" {
				w.Header().Set("Retry-After", "3")
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		})
		_, err := fetcher.Fetch(t.Context(), "http://a.test/page")
		assert.Equal(t, http.StatusServiceUnavailable, asError(t, err).Status)
		assert.Contains(t, err.Error(), "asks to wait 3 s")
		assert.Equal(t, []float64{0, 3}, seen.of("a.test/page"))
	})
}

// Whoever waits hears a cancel, and whoever has no time to wait is told so at once.
func TestFetchWaitsUnderContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fetcher := everyHost(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/busy" {
				w.Header().Set("Retry-After", "8")
				w.WriteHeader(http.StatusTooManyRequests)
			}
			fmt.Fprint(w, "User-agent: *\nCrawl-delay: 9\n")
		})
		for _, address := range []string{"http://a.test/busy", "http://b.test/page?1",
			"http://b.test/page?2"} {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(2*time.Second, cancel)
			start := time.Now()
			_, err := fetcher.Fetch(ctx, address)
			if address == "http://b.test/page?1" {
				require.NoError(t, err)
				continue
			}
			assert.ErrorIs(t, err, context.Canceled)
			assert.Equal(t, 2*time.Second, time.Since(start))
		}
		fetcher.Timeout = 3 * time.Second
		start := time.Now()
		for address, says := range map[string]string{"http://a.test/other": "left alone for 4 s more",
			"http://b.test/page?3": "wait already"} {
			_, err := fetcher.Fetch(t.Context(), address)
			assert.Contains(t, err.Error(), says)
		}
		assert.Zero(t, time.Since(start))
	})
}

func TestFetchRemembersBoundedly(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	synctest.Test(t, func(t *testing.T) {
		rules := "User-agent: *\n" + strings.Repeat("Disallow: /"+strings.Repeat("x", 1000)+"\n", 450)
		fetcher := everyHost(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Connection", "close")
			if r.URL.Path == "/robots.txt" && strings.HasPrefix(r.Host, "heavy") {
				fmt.Fprint(w, rules)
				return
			}
			fmt.Fprint(w, "<p>hello")
		})
		visit := func(name string, n int) {
			for i := range n {
				_, err := fetcher.Fetch(t.Context(), fmt.Sprintf("http://%s%d.test/", name, i))
				require.NoError(t, err)
				<-time.After(time.Millisecond) // the clock stands still otherwise, and none is the oldest
			}
		}
		visit("light", web.MaxSites+500)
		assert.Equal(t, web.MaxSites, fetcher.Sites())
		visit("heavy", 100)
		assert.Less(t, fetcher.Sites(), 100, "45 MB of rules are too much to keep")
	})
}

// Machines of the person's own are asked for no rules and as often as one likes: at one a second this would
// not end in time.
func TestFetchOwnMachines(t *testing.T) {
	var robots, pages atomic.Int32
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			robots.Add(1)
		}
		pages.Add(1)
		fmt.Fprint(w, "<p>hello")
	})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	fetcher := web.Fetcher{AllowPrivate: true}
	for i := range 300 {
		_, err := fetcher.Fetch(ctx, fmt.Sprintf("%s/%d",
			strings.Replace(site, "127.0.0.1", "localhost", i%2), i))
		require.NoError(t, err)
	}
	assert.Zero(t, robots.Load())
	assert.EqualValues(t, 300, pages.Load())
}

func TestFetchSharesRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := newVisits()
		ended := make(chan struct{}, 9)
		fetcher := everyHost(t, func(w http.ResponseWriter, r *http.Request) {
			if seen.note(r); r.URL.Path == "/robots.txt" {
				return
			}
			select {
			case <-time.After(5 * time.Second):
				fmt.Fprint(w, "<p>hello")
			case <-r.Context().Done():
				ended <- struct{}{}
			}
		})
		patience := []time.Duration{time.Second, 20 * time.Second, 20 * time.Second, 2 * time.Second}
		bodies, errs := make([][]byte, len(patience)), make([]error, len(patience))
		together := func(patience []time.Duration) {
			var wg sync.WaitGroup
			for i := range patience {
				wg.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), patience[i])
					defer cancel()
					raw, err := fetcher.Fetch(ctx, "http://a.test/page")
					bodies[i], errs[i] = raw.Body, err
				})
				synctest.Wait() // the first to come is the first to give up
			}
			wg.Wait()
		}
		together(patience)
		assert.Len(t, seen.of("a.test/page"), 1, "one request for all")
		assert.ErrorIs(t, errs[0], context.DeadlineExceeded)
		assert.ErrorIs(t, errs[3], context.DeadlineExceeded)
		for _, i := range []int{1, 2} {
			require.NoError(t, errs[i], "whoever gives up ends nothing for the others")
			assert.Equal(t, "<p>hello", string(bodies[i]))
		}
		bodies[1][0] = 'x'
		assert.Equal(t, "<p>hello", string(bodies[2]), "each has bytes of their own")
		assert.Empty(t, ended)

		together([]time.Duration{time.Second, 2 * time.Second})
		synctest.Wait()
		assert.Len(t, ended, 1, "when all give up the request ends")

		raw, err := fetcher.Fetch(t.Context(), "http://a.test/page")
		require.NoError(t, err, "and the next call asks anew")
		assert.Equal(t, "<p>hello", string(raw.Body))
		assert.Len(t, seen.of("a.test/page"), 3)
	})
}

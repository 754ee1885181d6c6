package web

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How other people's sites are paced: our own figures, those of a careful reader rather than a crawler.
const (
	perSecond     = 1.0 // pages of one site, on average
	burst         = 3   // pages at once after a rest
	maxCrawlDelay = 10 * time.Second
	shortWait     = 10 * time.Second // the longest Retry-After that is waited for
	longestHold   = time.Hour        // the longest Retry-After that is believed
	robotsKept    = 24 * time.Hour   // RFC 9309's limit
	failureKept   = time.Minute      // for a robots.txt that could not be fetched

	maxSites  = 1000
	maxWeight = 32 << 20 // bytes of all sites' rules
)

// sites is a Fetcher's memory of the sites it asked; the least recently used are forgotten first.
type sites struct {
	mu    sync.Mutex
	known map[string]*site
}

// site is one scheme, host and port.
type site struct {
	pace   *rate.Limiter
	asking chan struct{} // holds one: whoever requests robots.txt, so that the others wait for the answer

	// Guarded by asking.
	robots  robots
	failure error // why robots.txt is unavailable; then the site is left alone
	until   time.Time

	// Guarded by sites.mu.
	used   time.Time
	held   time.Time // no request before this
	weight int
}

// of returns the entry for the site of an address.
func (s *sites) of(u *url.URL) *site {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]*site{}
	}
	origin := originOf(u)
	it := s.known[origin]
	if it == nil {
		s.makeRoom()
		it = &site{pace: rate.NewLimiter(perSecond, burst), asking: make(chan struct{}, 1)}
		s.known[origin] = it
	}
	it.used = time.Now()
	return it
}

// makeRoom scans all entries, which costs less than the first packet of a new site.
func (s *sites) makeRoom() {
	for {
		oldest, weight := "", 0
		for origin, it := range s.known {
			weight += it.weight
			if oldest == "" || it.used.Before(s.known[oldest].used) {
				oldest = origin
			}
		}
		if len(s.known) < maxSites && weight <= maxWeight {
			return
		}
		delete(s.known, oldest)
	}
}

func originOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "80"
		if u.Scheme == "https" {
			port = "443"
		}
	}
	return u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") + ":" + port
}

// hold blocks requests to a site for a while.
func (s *sites) hold(it *site, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until := time.Now().Add(min(wait, longestHold)); until.After(it.held) {
		it.held = until
	}
}

// heldFor returns the remaining time of the longest hold.
func (s *sites) heldFor(it *site) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Until(it.held)
}

// learn requests a site's robots.txt unless it is known; it discards an answer if its context ended.
func (s *sites) learn(ctx context.Context, it *site,
	ask func(context.Context) (robots, error)) (robots, error) {
	select {
	case it.asking <- struct{}{}:
		defer func() { <-it.asking }()
	case <-ctx.Done():
		return robots{}, ctx.Err()
	}
	if time.Now().Before(it.until) {
		return it.robots, it.failure
	}
	answer, err := ask(ctx)
	if ctx.Err() != nil {
		return robots{}, ctx.Err()
	}
	it.robots, it.failure, it.until = answer, err, time.Now().Add(robotsKept)
	if err != nil {
		it.until = time.Now().Add(failureKept)
	}
	if answer.delay > 0 {
		it.pace.SetLimit(min(perSecond, rate.Every(answer.delay)))
		it.pace.SetBurst(1)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	it.weight = answer.weight()
	return answer, err
}

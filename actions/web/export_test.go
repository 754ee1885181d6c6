package web

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"time"
)

// NewDial is how a Fetcher connects, with a guard and a resolver of the test's choice.
var NewDial = newDial

// What a test of many sites and long waits compares with.
const (
	MaxSites  = maxSites
	ShortWait = shortWait
)

// FetcherDialing is a Fetcher that connects in the test's way, so that a local server can play a public one.
func FetcherDialing(connect func(ctx context.Context, network, address string) (net.Conn, error)) *Fetcher {
	return &Fetcher{connect: connect, Timeout: time.Minute}
}

// WithCheck makes a Fetcher look at the letters of every redirect's host: the guard of the control.
func (f *Fetcher) WithCheck(check func(host string) error) *Fetcher {
	f.once.Do(f.start)
	pages, rules := f.pages.CheckRedirect, f.rules.CheckRedirect
	checked :=
		func(inner func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
			return func(next *http.Request, before []*http.Request) error {
				if err := check(next.URL.Hostname()); err != nil {
					return err
				}
				return inner(next, before)
			}
		}
	f.pages.CheckRedirect, f.rules.CheckRedirect = checked(pages), checked(rules)
	return f
}

// Hang up ends the connections that are kept for the next page.
func (f *Fetcher) HangUp() {
	if f.pages != nil {
		f.pages.CloseIdleConnections()
	}
}

// Sites is how many sites are remembered.
func (f *Fetcher) Sites() int {
	f.sites.mu.Lock()
	defer f.sites.mu.Unlock()
	return len(f.sites.known)
}

// AskRobots is what a robots.txt says of an address: whether it may be read, and the Crawl-delay.
func AskRobots(text, address string) (bool, time.Duration, error) {
	u, err := url.Parse(address)
	if err != nil {
		return false, 0, err
	}
	r := parseRobots(text)
	return r.allows(u), r.delay, nil
}

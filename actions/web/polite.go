package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
)

const (
	maxRobotsBytes = 500 << 10 // as much as Google reads
	robotsTimeout  = 10 * time.Second
)

// admit waits until a page may be requested, or returns why it may not: its site asked for a rest, its
// robots.txt asks programs to stay away, or too many other requests are waiting. It asks nothing of the
// user's own sites.
func (f *Fetcher) admit(ctx context.Context, u *url.URL, counts bool) error {
	if f.isOwn(u) {
		return nil
	}
	it := f.sites.of(u)
	if err := f.rest(ctx, it, u); err != nil {
		return err
	}
	ask := func(ctx context.Context) (robots, error) { return f.askRobots(ctx, u) }
	rules, err := f.sites.learn(ctx, it, ask)
	if e, ok := errors.AsType[*page.Error](err); ok {
		return e.About(u.String())
	}
	if err != nil {
		return err
	}
	if !rules.allows(u) {
		return failed(page.Robots, u.String(),
			"the site's robots.txt asks programs to stay away from this page: look for another source of "+
				"the same facts, or ask the person to open it and save its text as a file")
	}
	if !counts {
		return nil
	}
	if err := it.pace.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return failed(page.Unreachable, u.String(),
			"other pages of this site wait already, and it is asked at most once a second "+
				"or as seldom as it says itself: go on with another source and come back later")
	}
	return nil
}

// isOwn reports whether u is on the user's own machines; a stranger's name that leads to one does not count.
func (f *Fetcher) isOwn(u *url.URL) bool {
	if !f.AllowPrivate {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	ip = ip.Unmap()
	return err == nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified())
}

// rest obeys an earlier Retry-After: it waits out a short one, and fails during a long one.
func (f *Fetcher) rest(ctx context.Context, it *site, u *url.URL) error {
	left := f.sites.heldFor(it)
	if left <= 0 {
		return nil
	}
	if deadline, ok := ctx.Deadline(); left > shortWait || ok && time.Until(deadline) <= left {
		return refused(u.String(), http.StatusTooManyRequests, "the site was asked too often or is "+
			"overloaded, and asked to be left alone for "+inWords(left)+
			" more: go on with another source and come back then")
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// askRobots gets a site's rules as RFC 9309 and Google read them. If there are none, or they redirect to
// where no page is read from, everything is allowed. A site that is faulty or does not answer is left alone:
// the page would most likely fail, too.
func (f *Fetcher) askRobots(ctx context.Context, of *url.URL) (robots, error) {
	ctx, cancel := context.WithTimeout(ctx, robotsTimeout)
	defer cancel()
	place := url.URL{Scheme: of.Scheme, Host: of.Host, Path: "/robots.txt"}
	request, err := f.request(ctx, &place)
	if err != nil {
		return robots{}, err
	}
	request.Header.Set("Accept", "text/plain,*/*;q=0.5")
	response, err := f.rules.Do(request)
	if err != nil {
		if e := unreachable(place.String(), err); e.Kind == page.Blocked || e.Kind == page.BadURL ||
			errors.Is(err, errRedirects) {
			return robots{}, nil
		}
		return robots{}, err
	}
	defer response.Body.Close()
	switch status := response.StatusCode; {
	case status >= 500 || status == http.StatusTooManyRequests:
		return robots{}, refused(place.String(), status,
			fmt.Sprintf("its site answers %d when asked for its robots.txt, and as long as "+
				"it cannot say what programs may read, it is left alone: come back in a few minutes or use "+
				"another source", status))
	case status < 200 || status > 299:
		return robots{}, nil
	}
	text, err := unpack(response, io.LimitReader(response.Body, maxRobotsBytes))
	if err != nil {
		return robots{}, nil // nobody can read it, so it forbids nothing
	}
	body, err := io.ReadAll(io.LimitReader(text, maxRobotsBytes))
	if ctx.Err() != nil {
		return robots{}, ctx.Err()
	}
	// the part before a cut-off counts too
	return parseRobots(string(body)), nil
}

// retryAfter returns how long a response asks to wait, at least a second, or 0 if it gives no readable time.
func retryAfter(response *http.Response) time.Duration {
	if response.StatusCode != http.StatusTooManyRequests &&
		response.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	value := strings.TrimSpace(response.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return max(time.Second, time.Duration(min(seconds, 1<<32))*time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(time.Second, time.Until(at))
	}
	return 0
}

// inWords rounds up, so that whoever comes back then is not too early.
func inWords(wait time.Duration) string {
	switch {
	case wait <= 90*time.Second:
		return fmt.Sprintf("%d s", (wait+time.Second-1)/time.Second)
	case wait <= 90*time.Minute:
		return fmt.Sprintf("%d min", (wait+time.Minute-1)/time.Minute)
	case wait <= 48*time.Hour:
		return fmt.Sprintf("%d h", (wait+time.Hour-1)/time.Hour)
	}
	return fmt.Sprintf("%d days", (wait+24*time.Hour-1)/(24*time.Hour))
}

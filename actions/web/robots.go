package web

import (
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// robotsToken is the name by which a robots.txt may address this program.
const robotsToken = "daybook"

// maxRobotsRules bounds the time of one check; the largest groups in use have some 2,000 rules.
const maxRobotsRules = 20_000

// robots holds the rules of a robots.txt for this program, by RFC 9309: of the groups that name it, otherwise
// of those for everybody. The zero value allows everything.
type robots struct {
	rules []robotsRule
	delay time.Duration // Crawl-delay, or 0
}

// robotsRule is a path in which * matches anything and a final $ the end.
type robotsRule struct {
	path  string
	allow bool
}

// parseRobots never fails: it skips unreadable lines and keeps the others.
func parseRobots(text string) robots {
	var everyone, own robots
	var forEveryone, forOwn, named, inRules bool
	for line := range strings.FieldsFuncSeq(strings.TrimPrefix(text, "\ufeff"),
		func(r rune) bool { return r == '\n' || r == '\r' }) {
		line, _, _ = strings.Cut(line, "#")
		field, value, found := strings.Cut(line, ":")
		if !found {
			continue
		}
		field, value = strings.ToLower(strings.TrimSpace(field)), strings.TrimSpace(value)
		if field == "user-agent" {
			if inRules { // several names in a row share the rules that follow
				forEveryone, forOwn, inRules = false, false, false
			}
			forEveryone = forEveryone || value == "*"
			if strings.EqualFold(productToken.FindString(value), robotsToken) {
				forOwn, named = true, true
			}
			continue
		}
		if field == "allow" || field == "disallow" || field == "crawl-delay" {
			inRules = true
			if forEveryone {
				everyone.add(field, value)
			}
			if forOwn {
				own.add(field, value)
			}
		}
	}
	if named {
		return own
	}
	return everyone
}

// productToken matches a robot's name without what follows it, such as a version.
var productToken = regexp.MustCompile(`^[A-Za-z_-]*`)

func (r *robots) add(field, value string) {
	if field == "crawl-delay" {
		if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 &&
			!math.IsInf(seconds, 0) {
			r.delay = min(time.Duration(min(seconds, 1e6)*float64(time.Second)), maxCrawlDelay)
		}
		return
	}
	if value == "" || len(r.rules) >= maxRobotsRules { // an empty rule says nothing
		return
	}
	if value[0] != '/' && value[0] != '*' {
		value = "/" + value // a common slip; Google reads it the same way
	}
	// a copy, so that the rest of the file need not stay in memory
	r.rules = append(r.rules, robotsRule{path: strings.Clone(sameSpelling(value)), allow: field == "allow"})
}

// allows reports whether a page may be requested. The longest rule wins; of two, the one that allows.
func (r robots) allows(u *url.URL) bool {
	path := u.EscapedPath()
	switch path {
	case "":
		path = "/"
	case "/robots.txt":
		return true
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	path = sameSpelling(path)
	longest, allowed := -1, true
	for _, rule := range r.rules {
		if n := len(rule.path); (n > longest || n == longest && rule.allow) && rule.fits(path) {
			longest, allowed = n, rule.allow
		}
	}
	return allowed
}

// fits matches each piece between stars at its first place: if any match exists, these do, in linear time.
func (r robotsRule) fits(path string) bool {
	pattern, atEnd := strings.CutSuffix(r.path, "$")
	piece, pattern, more := strings.Cut(pattern, "*")
	if !strings.HasPrefix(path, piece) {
		return false
	}
	path = path[len(piece):]
	for more {
		piece, pattern, more = strings.Cut(pattern, "*")
		if atEnd && !more {
			return strings.HasSuffix(path, piece)
		}
		i := strings.Index(path, piece)
		if i < 0 {
			return false
		}
		path = path[i+len(piece):]
	}
	return !atEnd || path == ""
}

var spelling = regexp.MustCompile(`%[0-9A-Fa-f]{2}|[^\x00-\x7f]`)

// sameSpelling normalizes a path: it removes needless escapes, and escapes bytes beyond ASCII.
func sameSpelling(path string) string {
	return spelling.ReplaceAllStringFunc(path, func(found string) string {
		if found[0] != '%' {
			return url.PathEscape(found)
		}
		if c, err := url.PathUnescape(found); err == nil && unreserved.MatchString(c) {
			return c
		}
		return strings.ToUpper(found)
	})
}

// unreserved matches, in RFC 3986's sense, a byte that means the same with and without an escape.
var unreserved = regexp.MustCompile(`^[A-Za-z0-9._~-]$`)

// weight returns roughly how many bytes the rules take in memory.
func (r robots) weight() int {
	n := 0
	for _, rule := range r.rules {
		n += len(rule.path) + 24
	}
	return n
}

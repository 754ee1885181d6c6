package web_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/web"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What RFC 9309 and Google's description of it say of each case.
func TestRobots(t *testing.T) {
	const all = "User-agent: *\n"
	for _, test := range []struct {
		name, text, path string
		allowed          bool
	}{
		{"nothing", "", "/x", true},
		{"everything", all + "Disallow: /", "/x", false},
		{"empty rule", all + "Disallow:\n", "/x", true},
		{"another robot", "User-agent: other\nDisallow: /\n", "/x", true},
		{"ours", "User-agent: Daybook\nDisallow: /\n", "/x", false},
		{"ours in capitals with a version", "user-AGENT : DAYBOOK/2.0 \nDisallow: /\n", "/x", false},
		{"the start of our name is another's", "User-agent: day\nDisallow: /\n", "/x", true},
		{"our name with more is another's", "User-agent: daybook-images\nDisallow: /\n", "/x", true},
		{"ours goes before everybody's", all + "Disallow: /\nUser-agent: daybook\nDisallow: /a\n",
			"/x", true},
		{"ours may be empty", all + "Disallow: /\n\nUser-agent: daybook\nDisallow:\n", "/x", true},
		{"two groups of ours are one",
			"User-agent: daybook\nDisallow: /a\nUser-agent: b\nDisallow: /\nUser-agent: daybook\n" +
				"Disallow: /x\n", "/x", false},
		{"shared rules", "User-agent: a\nUser-agent: daybook\nUser-agent: b\nDisallow: /x\n", "/x", false},
		{"a sitemap ends no group", "User-agent: daybook\nSitemap: https://e.org/s.xml\nDisallow: /x\n",
			"/x", false},
		{"rule before any name", "Disallow: /x\n" + all + "Disallow: /y\n", "/x", true},
		{"rule before any name does not lose the rest", "Disallow: /y\n" + all + "Disallow: /x\n",
			"/x", false},
		{"nonsense does not lose the rest", all + "Crawl-delay: soon\n::\nfoo\n<p>\x00\xff\nDisallow: /x\n",
			"/x", false},
		{"comment", all + "Disallow: /x # not here\n", "/x", false},
		{"old Mac's line ends, and a mark", "\ufeffUser-agent: *\rDisallow: /x\r", "/x", false},
		{"start of a path", all + "Disallow: /fish\n", "/fish.html?a=b", false},
		{"case counts", all + "Disallow: /fish\n", "/Fish", true},
		{"folder", all + "Disallow: /fish/\n", "/fish", true},
		{"the longest decides", all + "Disallow: /a\nAllow: /a/b\n", "/a/b/c", true},
		{"the longest decides, either way round", all + "Allow: /a/b\nDisallow: /a\n", "/a/c", false},
		{"of two as long the kind one", all + "Disallow: /a\nAllow: /a\n", "/a", true},
		{"star", all + "Disallow: /*.php\n", "/a/b.php?x=1", false},
		{"star, anchored at the start", all + "Disallow: /b*c\n", "/a/bxc", true},
		{"end", all + "Disallow: /*.php$\n", "/a.php?x=1", true},
		{"end reached", all + "Disallow: /*.php$\n", "/a.php", false},
		{"end after an earlier place", all + "Disallow: /*.php$\n", "/a.php/b.php", false},
		{"the first page alone", all + "Allow: /$\nDisallow: /\n", "/", true},
		{"but no other", all + "Allow: /$\nDisallow: /\n", "/secret/", false},
		{"only the first page", all + "Disallow: /$\n", "/docs/", true},
		{"long rule with a star beside a plain one", all + "Disallow: /x/*.php\nAllow: /x/a.php.y\n",
			"/x/a.php.y", true},
		{"any query", all + "Disallow: /*?\n", "/a?b", false},
		{"no slash", all + "Disallow: x\n", "/x", false},
		{"escaped needlessly in the rule", all + "Disallow: /%7Ejoe/\n", "/~joe/", false},
		{"escaped needlessly in the address", all + "Disallow: /~joe/\n", "/%7ejoe/", false},
		{"Chinese in the rule", all + "Disallow: /文\n", "/%e6%96%87/a", false},
		{"an escaped slash is none", all + "Disallow: /a/b\n", "/a%2fb", true},
		{"a broken escape", all + "Disallow: /%zz%\n", "/x", true},
		{"robots.txt itself", all + "Disallow: /\n", "/robots.txt", true},
		{"a web page instead", "<!DOCTYPE html><title>Not found</title><p>User-agent: *<p>Disallow: /",
			"/x", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			allowed, _, err := web.AskRobots(test.text, "https://example.org"+test.path)
			require.NoError(t, err)
			assert.Equal(t, test.allowed, allowed)
		})
	}
	for value, want := range map[string]time.Duration{
		"2": 2 * time.Second, "0.5": time.Second / 2, "1e30": 10 * time.Second, "86400": 10 * time.Second,
		"-1": 0, "NaN": 0, "Inf": 0, "soon": 0, "": 0, "0": 0,
	} {
		_, delay, err := web.AskRobots(all+"Crawl-delay: "+value+"\n", "https://example.org/")
		require.NoError(t, err)
		assert.Equal(t, want, delay, "Crawl-delay: %q", value)
	}
}

// BenchmarkRobots is the most a hostile robots.txt can cost: a check of the longest address against the most
// rules.
func BenchmarkRobots(b *testing.B) {
	address := "https://example.org/" + strings.Repeat("a", 8000)
	for name, rule := range map[string]string{"stars": "Disallow: /*a*b\n",
		"pieces": "Disallow: /*" + strings.Repeat("ab*", 100) + "\n", "plain": "Disallow: /aaab\n"} {
		text := "User-agent: *\n" + strings.Repeat(rule, 500<<10/len(rule))
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := web.AskRobots(text, address); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\nAllow: /%41\nCrawl-delay: 3\n", "/axb?c=%20")
	f.Add("user-agent:daybook\rdisallow:*%\r", "/")
	f.Fuzz(func(t *testing.T, text, path string) {
		u := url.URL{Scheme: "https", Host: "example.org", Path: "/" + path}
		_, delay, err := web.AskRobots(text, u.String())
		require.NoError(t, err)
		assert.True(t, 0 <= delay && delay <= 10*time.Second, delay)
		allowed, _, err := web.AskRobots("User-agent: daybook\nDisallow: /\nUser-agent: other\n"+text,
			u.String())
		require.NoError(t, err)
		if !strings.Contains(strings.ToLower(text), "daybook") && u.Path != "/robots.txt" {
			assert.False(t, allowed, "what is said to us holds whatever is said to others")
		}
	})
}

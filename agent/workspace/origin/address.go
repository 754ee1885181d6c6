package origin

import (
	"html"
	"net"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"
)

// mostAddress bounds the addresses that a text can name, in bytes.
const mostAddress = 2000

// named is an address in a text.
type named struct {
	url   string // without its fragment, which is never sent
	start int
}

// addressesIn lists the web addresses in a text, in their order: one for each "http://" and "https://", up to
// where it must end. If Chinese characters may follow the address, the one without them is listed as well.
func addressesIn(text string) (all []named) {
	for from := 0; ; {
		i := strings.Index(text[from:], "://")
		if i < 0 {
			return all
		}
		at := from + i
		from = at + len("://")
		start := schemeStart(text, at)
		if start < 0 {
			continue
		}
		end := addressEnd(text, start, from)
		if end-start > mostAddress {
			continue
		}
		ends := []int{end}
		if i := strings.IndexFunc(text[from:end], prose.IsCJK); i >= 0 {
			ends = append(ends, from+i)
		}
		for _, end := range ends {
			const marks = ".,;:!?*_~'" // at the end of a sentence
			address := WithoutFragment(strings.TrimRight(text[start:end], marks))
			if len(address) > from-start && (len(all) == 0 || all[len(all)-1].url != address) {
				all = append(all, named{address, start})
			}
		}
	}
}

// schemeStart returns the start of the scheme before "://", or -1 if it is not a scheme of the web.
func schemeStart(text string, at int) int {
	for _, scheme := range []string{"https", "http"} {
		start := at - len(scheme)
		if start < 0 || !strings.EqualFold(text[start:at], scheme) {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		if start > 0 && before <= unicode.MaxASCII && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
			return -1
		}
		return start
	}
	return -1
}

// addressEnd returns the latest possible end of an address: before a character that no address has, or a
// closing bracket that was opened before it.
func addressEnd(text string, start, from int) int {
	open := map[rune]int{}
	for i, r := range text[from:] {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r), r == utf8.RuneError, strings.ContainsRune("<>\"`|\\^{}", r):
			return from + i
		case r > unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r)):
			return from + i
		case r == '(', r == '[':
			open[r]++
		case r == ')':
			if open['(']--; open['('] < 0 {
				return from + i
			}
		case r == ']':
			if open['[']--; open['['] < 0 {
				return from + i
			}
		}
		if from+i-start > mostAddress {
			break
		}
	}
	return min(len(text), start+mostAddress+1)
}

// WithoutFragment returns an address without what follows a #, which is never sent.
func WithoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}

var hostLike = sync.OnceValue(func() *regexp.Regexp {
	const label = `[\p{Latin}\p{Cyrillic}\p{Greek}0-9_-]+`
	return regexp.MustCompile(label + `(?:\.` + label + `)+`)
})

// hostsIn lists possible host names in a text, even outside addresses.
func hostsIn(text string) []string {
	hosts := hostLike().FindAllString(text, -1)
	for _, a := range addressesIn(text) {
		hosts = append(hosts, hostOf(a.url))
	}
	for i, host := range hosts {
		hosts[i] = strings.ToLower(host)
	}
	return hosts
}

// hostOf returns the host of an address, in ASCII and without its port, or "".
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.TrimRight(strings.ToLower(u.Hostname()), ".")
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

// SiteOf returns the site of an address: the registered domain or IP address, with any unusual port.
func SiteOf(address string) string {
	site := hostOf(address)
	if registered, err := publicsuffix.EffectiveTLDPlusOne(site); err == nil && net.ParseIP(site) == nil {
		site = registered
	}
	u, err := url.Parse(address)
	if err == nil && u.Port() != "" && u.Port() != "80" && u.Port() != "443" {
		return net.JoinHostPort(site, u.Port())
	}
	return site
}

// spelling returns one spelling for the many of a text that mean the same: decoded, in lower case and with
// compatible characters replaced.
func spelling(text string) string {
	text = html.UnescapeString(text)
	for range 3 {
		decoded := percent.ReplaceAllStringFunc(text, func(code string) string {
			plain, err := url.PathUnescape(code)
			if err != nil {
				return code
			}
			return plain
		})
		if decoded == text {
			break
		}
		text = decoded
	}
	return strings.ToLower(norm.NFKC.String(text))
}

var percent = regexp.MustCompile(`(?:%[0-9A-Fa-f]{2})+`)

// squeezed returns the letters and digits of a text, without line ends, Markdown marks and encodings.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, spelling(text))
}

// divided returns the host of an address and the rest after it, both decoded to readable letters.
func divided(address string) (host, tail string) {
	_, rest, _ := strings.Cut(WithoutFragment(spelling(WithoutFragment(address))), "://")
	if at := strings.IndexAny(rest, "/?"); at >= 0 {
		rest, tail = rest[:at], rest[at:]
	}
	user, host, found := strings.Cut(rest, "@")
	if !found {
		user, host = "", rest
	}
	host = strings.TrimSuffix(strings.TrimSuffix(host, ":443"), ":80")
	host = strings.TrimPrefix(strings.TrimRight(host, "."), "www.")
	if plain, err := idna.Lookup.ToUnicode(host); err == nil {
		host = plain
	}
	return host, tail + user
}

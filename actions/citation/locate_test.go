package citation_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLocate(t *testing.T) {
	const text = "# Head\n\nThe *quick* [brown fox](https://a.example/) jumps — twice.\n\n- one item\n" +
		"  of a list\n- another\n\n```\ncode   stands here\n```\n\n数据库 先写日志，\n再写数据页。\n"
	for quote, want := range map[string]string{
		"quick brown fox jumps":              "quick* [brown fox](https://a.example/) jumps",
		"jumps -- twice":                     "jumps — twice",
		"one item of a list":                 "one item\n  of a list",
		"数据库先写日志，再写数据页":                      "数据库 先写日志，\n再写数据页",
		"code stands here":                   "code   stands here",
		"# Head\n\nThe *quick*":              "Head\n\nThe *quick",
		"- one item\n  of a list\n- another": "one item\n  of a list\n- another",
	} {
		start, end, ok := citation.Locate(text, quote)
		require.True(t, ok, quote)
		assert.Equal(t, want, text[start:end])
	}
	for _, quote := range []string{"", "…", "quick brown foxes", "Head The quick", "[](x)", "`"} {
		_, _, ok := citation.Locate(text, quote)
		assert.False(t, ok, quote)
	}
}

// TestEveryPassageOfASourceIsLocated copies stretches of words out of the paragraphs of real-looking sources.
func TestEveryPassageOfASourceIsLocated(t *testing.T) {
	n := 0
	for _, s := range library() {
		for _, part := range strings.Split(s.Text, "\n\n") {
			words := strings.Fields(part)
			if strings.ContainsAny(part, "`|<#=\\") || strings.Contains(part, "\n2. ") ||
				strings.HasPrefix(part, " ") || len(words) < 8 {
				continue
			}
			for from := 2; from+5 < len(words); from++ {
				quote := strings.Join(words[from:from+5], " ")
				if strings.Count(quote, "[") != strings.Count(quote, ")") ||
					strings.HasSuffix(words[from+4], "-") {
					continue
				}
				start, end, ok := citation.Locate(s.Text, quote)
				assert.True(t, ok, "%s: %s", s.ID, quote)
				assert.Positive(t, end-start)
				n++
			}
		}
	}
	assert.Greater(t, n, 100)
}

func TestACitationOpensThePageAtItsBlock(t *testing.T) {
	const short, long = "The well-known rule a^b & c.", "The well-known rule a^b & c, in short, says that " +
		"100 - 5 = 95; it holds for **all** values that a careful reader may think of."
	for name, c := range map[string]struct{ address, block, want string }{
		"short": {"https://a.example/p", short,
			"https://a.example/p#:~:text=The%20well%2Dknown%20rule%20a%5Eb%20%26%20c"},
		"long": {"https://a.example/p", long,
			"https://a.example/p#:~:text=The%20well%2Dknown%20rule%20a%5Eb,reader%20may%20think%20of"},
		"Chinese": {"https://a.example/p", "工作日日均客流超过一千万人次。",
			"https://a.example/p#:~:text=" + percent("工作日日均客流超过一千万人次")},
		"behind a fragment": {"https://a.example/p?q=1#top", "It holds for a block.",
			"https://a.example/p?q=1#top:~:text=It%20holds%20for%20a%20block"},
		"in place of a directive": {"https://a.example/p#:~:text=old", "It holds for a block.",
			"https://a.example/p#:~:text=It%20holds%20for%20a%20block"},
		"code": {"https://a.example/p", "```\nwords in a block of code\n```",
			"https://a.example/p"},
		"not of the web": {"doc:notes/p.md", short, ""},
		"a script":       {"javascript:alert(1)//://", short, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := source("s1", "html", "# Page\n\n"+c.block+"\n\nAnd more of it.\n")
			s.URL, s.FinalURL = c.address, ""
			links := citation.Links("It is so [s1.1].\n", lookupIn(s))
			assert.Equal(t, c.want, links[workspace.Ref{ID: "s1", Block: 1}].Address)
		})
	}
}

func percent(text string) string {
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for _, c := range []byte(text) {
		out.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
	}
	return out.String()
}

func FuzzLocate(f *testing.F) {
	for _, s := range library() {
		f.Add(s.Text, "the *log* … “on” [the](disk)")
	}
	for _, text := range []string{"a\xffb", "[a](b[c](d)", "`a``b`", "<a>&amp;&#0;", "> - > - 1. a",
		"|a|\n|-|\n|b\\|c|", "a-\nb\u00ad\nc", "…...。。。", "ﬁ⽤é", "\x00\x01"} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, text, quote string) {
		start, end, ok := citation.Locate(text, quote)
		if ok && (start < 0 || end <= start || end > len(text)) {
			t.Fatalf("[%d:%d] of %d bytes", start, end, len(text))
		}
		if ok && utf8.ValidString(text) && !utf8.ValidString(text[start:end]) {
			t.Fatalf("%q divides a character", text[start:end])
		}
		s := source("s1", "html", text)
		s.FinalURL = "https://a.example/"
		for _, link := range citation.Links("It is so [s1.1].\n", lookupIn(s)) {
			if got := link.Address; !strings.HasPrefix(got, "https://a.example/") ||
				strings.ContainsAny(got, " <>\n\"") {
				t.Fatalf("%q", got)
			}
		}
	})
}

func FuzzCheck(f *testing.F) {
	for _, s := range honest() {
		f.Add(s.String(), library()[0].Text)
	}
	for _, report := range []string{"> “a [s1]” b\n\n[s1]:\n\n> c", "| [s1] |\n|-|\n|“a",
		"[s1] 1. 2024-13-45 三百万亿 14–16 March 一一一点", "“„«「『\"[s1]\"』」»“”",
		"## 1. x {#references}\n\n| [s1]\n\n[s1]", "-5 % v1. 1'000'00 12:61 3/14/2024 1,2,3 [s1][s2, s1]"} {
		f.Add(report, report)
	}
	f.Fuzz(func(t *testing.T, report, text string) {
		result := citation.Check(context.Background(), report,
			lookupIn(source("s1", "html", text), source("s2", "pdf", text)))
		lines := strings.Count(report, "\n") + 1
		for _, c := range result.Findings {
			switch {
			case c.Line < 1 || c.Line > lines:
				t.Fatalf("line %d of %d", c.Line, lines)
			case c.Verdict == citation.Supported && (len(c.Missing) > 0 || c.Why != ""):
				t.Fatalf("supported, but %q is missing: %s", c.Missing, c.Why)
			case c.Verdict != citation.Supported && c.Why == "":
				t.Fatalf("%s for no reason", c.Verdict)
			case (c.Verdict == citation.Verdict("source missing")) != (c.Source != "s1" && c.Source != "s2"):
				t.Fatalf("%s is %s", c.Source, c.Verdict)
			}
		}
		citation.Read(context.Background(), report).References(
			lookupIn(source("s1", "html", text), source("s2", "pdf", text)), prose.English)
	})
}

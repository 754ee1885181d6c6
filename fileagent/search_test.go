package fileagent_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plain is a search as anybody would write it: line by line, with package regexp. What the action shows must
// be the same.
func plain(label, pattern, text string, context int) string {
	re, err := regexp.Compile(pattern)
	if err != nil {
		re = regexp.MustCompile(regexp.QuoteMeta(pattern))
	}
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(line, "\r\n"))
	}
	hit := make([]bool, len(lines))
	for i, line := range lines {
		hit[i] = re.MatchString(line)
	}
	var out strings.Builder
	for i, line := range lines {
		near := false
		for j := max(0, i-context); j <= min(len(lines)-1, i+context); j++ {
			near = near || hit[j]
		}
		mark := "-"
		if hit[i] {
			mark = ":"
		}
		if near {
			fmt.Fprintf(&out, "%s%d%s %s\n", label, i+1, mark, shownOf(line, re.FindStringIndex(line)))
		}
	}
	return out.String()
}

// shownOf is what is shown of a line: 400 bytes from its beginning, or from 100 bytes before a match that
// ends behind them.
func shownOf(line string, match []int) string {
	before, after := "", ""
	if len(line) > 400 && match != nil && match[1] > 400 {
		at := begins(line, max(0, min(match[0]-100, len(line)-400)))
		if at > 0 {
			before = "…"
		}
		line = line[at:]
	}
	if len(line) > 400 {
		line, after = line[:begins(line, 400)], "…"
	}
	return before + strings.ToValidUTF8(line, "\uFFFD") + after
}

// begins is where the letter begins that stands at a place.
func begins(line string, at int) int {
	for n := range 4 {
		if at < len(line) && at > n && utf8.RuneStart(line[at-n]) {
			return at - n
		}
	}
	return at
}

var nextStream = regexp.MustCompile(
	`(?s)(?:\n|^)…[^\n]*go on with continue_stream_read, stream_id ("(?:[^"\\]|\\.)*")\n?$`)

// pages carries out a call and goes on until there are no more pages, each by a file agent that knows nothing
// of those before.
func (d desk) pages(name string, a args) (all string, n int) {
	d.t.Helper()
	text := d.operate(once(name, a), "look", "")
	for n = 1; ; n++ {
		require.Less(d.t, n, 3000)
		m := nextStream.FindStringSubmatchIndex(text)
		if m == nil {
			return all + text, n
		}
		all += text[:m[0]+1]
		var id string
		_, err := fmt.Sscanf(text[m[2]:m[3]], "%q", &id)
		require.NoError(d.t, err)
		text = d.operate(once("continue_stream_read", args{"stream_id": id}), "go on", "")
	}
}

var searchPatterns = []string{
	"journal", "(?i)JOURNAL", "(?i)skill", "(?i)ſ", "K", "^#", "^# [A-Z]", "[a-z]+ing$", `\bfsync\b`, `\Bync`,
	"(append|write|rename)s?", "(?i)append|改名", "同步", "改.{1,2}步",
	"x*", "^$", ".*", "(a+)+$", "a{3,5}b", `\d{4}-\d\d`, `\x{FFFD}`, "[^a-z ]", `(?m)^a`, `\Aa`, `a\z`, "a\r",
	"\r", "a\nb", "not(a pattern", "é", "[é-ü]", ".", "..", `\pL{4}`, `^\s*-`, "(?:)", `(?s).\z`,
}

var searchTexts = []string{
	"", "\n", "\n\n", "journal\n", "no end: journal", "# Title\r\n\r\nA Journal of JOURNALS\r\n",
	"a\r\r\nb\rc\n", "aaab\naaaaaab\naaaa\n",
	"改名之后还要同步目录。\n改 同步\n", "skill SKILL \u212aelvin ſkill\n",
	"bad \xff\xfe bytes \xe6\x94 here\n\xff\n", "fsync fsyncs afsync\nsync\n",
	"2026-01-02\n- item\n  - item é ü\n", "\r", "\r\n", "a\rb", "\n\na\n",
}

func TestASearchFindsWhatAPlainOneFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	d := newDesk(t)
	for i, text := range searchTexts {
		d.put("Notebook/a.md", text)
		for j, pattern := range searchPatterns {
			for c, context := range []int{0, 2} {
				if (i+j+c)%2 > 0 && os.Getenv("DAYBOOK_FULL") == "" {
					continue // with one of the two by turns
				}
				d.sameAsPlain(fmt.Sprintf("text %d", i), pattern, text, context)
			}
		}
	}
}

func (d desk) sameAsPlain(name, pattern, text string, context int) {
	d.t.Helper()
	got := d.operate(once("search_in_file",
		args{"path": "Notebook/a.md", "pattern": pattern, "context_lines": context}), "search", "")
	want := plain("", pattern, text, context)
	if want == "" {
		assert.True(d.t, strings.HasPrefix(got, "No match for "), "%s, %q: %q", name, pattern, got)
		return
	}
	assert.Equal(d.t, want, got, "%s, %q, context %d", name, pattern, context)
}

// FuzzSearch looks for a line that one of the two ways of searching misses.
func FuzzSearch(f *testing.F) {
	for i, pattern := range searchPatterns {
		f.Add(pattern, searchTexts[i%len(searchTexts)], i%4)
	}
	d := newDesk(f)
	f.Fuzz(func(t *testing.T, pattern, text string, context int) {
		if len(text) > 4000 || len(pattern) > 200 || pattern == "" || !utf8.ValidString(pattern) ||
			strings.Contains(pattern+text, "\x00") {
			return
		}
		if re, err := regexp.Compile(pattern); err == nil && len(re.String()) != len(pattern) {
			return
		}
		d.t = t
		d.put("Notebook/a.md", text)
		context = min(max(context, 0), 3)
		got := d.operate(once("search_in_file",
			args{"path": "Notebook/a.md", "pattern": pattern, "context_lines": context}), "search", "")
		if strings.Contains(got, "the script ran out") || nextStream.MatchString(got) {
			return // a pattern that is too large, or a page that is full
		}
		want := plain("", pattern, text, context)
		if want == "" {
			want = "No match for "
			got = got[:min(len(got), len(want))]
		}
		assert.Equal(t, want, got)
	})
}

// A file of many blocks, with matches at every place of a block, comes in pages, and these put together are
// the plain search.
func TestASearchGoesOnWhereItStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	d := newDesk(t)
	random := rand.New(rand.NewPCG(3, 4))
	long := func(n int) string {
		var text strings.Builder
		for i := 0; text.Len() < n; i++ {
			word := "line"
			if random.IntN(40) == 0 {
				word = "needle"
			}
			fmt.Fprintf(&text, "%s %d %s\n", word, i, strings.Repeat("x", random.IntN(200)))
		}
		return text.String()
	}
	t.Run("in a file", func(t *testing.T) {
		d.t = t
		for _, context := range []int{0, 2} {
			text := long(3<<20 + 12345)
			d.put("Notebook/a.md", text)
			got, n := d.pages("search_in_file",
				args{"path": "Notebook/a.md", "pattern": "need+le", "context_lines": context})
			want := plain("", "need+le", text, context)
			assert.Equal(t, matching(want), matching(got))
			if context == 0 {
				assert.Equal(t, want, got)
			}
			assert.Greater(t, n, 2)
		}
		require.NoError(t, os.Remove(filepath.Join(d.dir, "Notebook/a.md")))
	})
	t.Run("in many", func(t *testing.T) {
		d.t = t
		want := ""
		for _, name := range []string{"a/b/1.md", "a/b.md", "a/x.md", "a.md", "b.txt", "b|c%.md",
			"z/改 名.md"} {
			text := long(200 << 10)
			d.put("Notebook/"+name, text)
			want += plain("Notebook/"+name+":", "needle", text, 0)
		}
		got, n := d.pages("grep_files", args{"pattern": "needle", "directory": "Notebook"})
		assert.Equal(t, want, got)
		assert.Greater(t, n, 2)
	})
}

// matching leaves the lines that match.
func matching(found string) (lines []string) {
	for line := range strings.Lines(found) {
		if regexp.MustCompile(`^\d+: `).MatchString(line) {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestWhereASearchLooks(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"Notebook/01.md", "Notebook/deep/02.md", "Notebook/03.txt", "report.md",
		".git/config", ".hidden.md", "Notebook/.obsidian/x.md", "data/Image.MD"} {
		d.put(name, "the needle\n")
	}
	d.put("Notebook/image.png", "the needle\x00\x01\n")
	for where, want := range map[string]string{
		"": "Notebook/01.md Notebook/03.txt Notebook/deep/02.md " +
			"data/Image.MD report.md",
		"Notebook":               "Notebook/01.md Notebook/03.txt Notebook/deep/02.md",
		"Notebook/":              "Notebook/01.md Notebook/03.txt Notebook/deep/02.md",
		"*.md":                   "Notebook/01.md Notebook/deep/02.md data/Image.MD report.md",
		"Notebook/*.md":          "Notebook/01.md",
		"./Notebook/**/*.md":     "Notebook/01.md Notebook/deep/02.md",
		"**/deep/*":              "Notebook/deep/02.md",
		"Notebook/0[12].md":      "Notebook/01.md",
		"Notebook/deep/02.md":    "Notebook/deep/02.md",
		"Notebook/**/nothing.md": "",
	} {
		t.Run(where, func(t *testing.T) {
			d.t = t
			got := d.operate(once("grep_files", args{"pattern": "needle", "directory": where}), "search", "")
			var files []string
			for line := range strings.Lines(got) {
				if name, _, ok := strings.Cut(line, ":1: the needle"); ok {
					files = append(files, name)
				}
			}
			assert.Equal(t, want, strings.Join(files, " "), got)
		})
	}
	d.t = t
	assert.Equal(t, "Notebook/01.md\nNotebook/deep/02.md",
		d.operate(once("file_search", args{"pattern": "Notebook/**/0?.md"}), "find", ""))
}

func TestALongLineIsShownAroundItsMatch(t *testing.T) {
	d := newDesk(t)
	x := func(n int) string { return strings.Repeat("x", n) }
	for name, c := range map[string]struct{ line, want string }{
		"at the beginning": {"needle " + x(500), "needle " + x(393) + "…"},
		"just in sight":    {x(394) + "needle" + x(500), x(394) + "needle…"},
		"in the middle":    {x(1000) + "needle" + x(1000), "…" + x(100) + "needle" + x(294) + "…"},
		"at the end":       {x(1000) + "needle", "…" + x(394) + "needle"},
		"across the bound": {x(398) + "needle" + x(1000), "…" + x(100) + "needle" + x(294) + "…"},
		"in Chinese": {strings.Repeat("潮汐", 300) + "needle" + strings.Repeat("涨落", 300),
			"…" + strings.Repeat("潮汐", 17) + "needle" + strings.Repeat("涨落", 49)[:291] + "…"},
		"far behind":        {x(900<<10) + "needle" + x(1000), "…" + x(100) + "needle" + x(294) + "…"},
		"where pieces meet": {x(64<<10-3) + "needle" + x(1000), "…" + x(100) + "needle" + x(294) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			d.t = t
			d.put("Notebook/long.md", "first\n"+c.line+"\n"+strings.Repeat("y", 500)+"\n")
			want := "1- first\n2: " + c.want + "\n3- " + strings.Repeat("y", 400) + "…\n"
			for _, pattern := range []string{"needle", "n[e]edle|[0-9]n"} {
				assert.Equal(t, want, d.operate(once("search_in_file",
					args{"path": "Notebook/long.md", "pattern": pattern, "context_lines": 1}), "search",
					""), pattern)
			}
		})
	}
}

func TestASearchIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	d := newDesk(t)
	grep := func(a args) string { return d.operate(once("grep_files", a), "search", "") }

	t.Run("a line of 5 MiB", func(t *testing.T) {
		d.t = t
		d.put("Notebook/long.md", "first\nneedle "+strings.Repeat("x", 5<<20)+" needle2\nneedle3\n")
		got := d.operate(once("search_in_file", args{"path": "Notebook/long.md", "pattern": "needle[23]?"}),
			"search", "")
		assert.Equal(t, "2: needle "+strings.Repeat("x", 393)+
			"…\n3: needle3\n(Of 1 very long line only the beginning was searched.)\n", got)
	})
	t.Run("a line of 300 KiB and a pattern that is left to package regexp", func(t *testing.T) {
		d.t = t
		dice, line := rand.New(rand.NewPCG(1, 1)), make([]byte, 300<<10)
		for i := range line {
			line[i] = "ab"[dice.IntN(2)]
		}
		d.put("Notebook/slow.md", string(line)+"c\nx\n")
		got := d.operate(once("search_in_file", args{"path": "Notebook/slow.md",
			"pattern": "a[ab]{250}[cegikmoqsuwyCEGIKMOQSUWY02468àâäæèêìîòôùû]"}), "search", "")
		assert.Contains(t, got, "(Of 1 very long line only the beginning was searched.)")
	})
	t.Run("a file with holes", func(t *testing.T) {
		d.t = t
		f, err := os.Create(filepath.Join(d.dir, "Notebook/holes.md"))
		require.NoError(t, err)
		require.NoError(t, f.Truncate(10<<30))
		require.NoError(t, f.Close())
		assert.Equal(t, `No match for "hole" in Notebook/holes.md.`,
			grep(args{"pattern": "hole", "directory": "Notebook/holes.md"}))
	})
	t.Run("a pattern that other engines never come back from", func(t *testing.T) {
		d.t = t
		d.put("Notebook/a.md", strings.Repeat("a", 1<<19)+"b\n")
		assert.Contains(t, d.operate(once("search_in_file",
			args{"path": "Notebook/a.md", "pattern": "(a+)+$"}), "search", ""), "No match")
	})
	t.Run("a pattern whose automaton is large", func(t *testing.T) {
		d.t = t
		text := strings.Repeat("abbabaabbbabaab", 3000) + "\nshort\n"
		d.put("Notebook/a.md", text)
		hits := ""
		for _, pattern := range []string{"[ab]*a[ab]{300}$", "[ab]*b[ab]{300}$"} {
			d.sameAsPlain("large", pattern, text, 0)
			hits += plain("", pattern, text, 0)
		}
		assert.NotEmpty(t, hits)
	})
	t.Run("a pattern that is too large", func(t *testing.T) {
		d.t = t
		brain := agenttest.Replies(
			agenttest.Reply(agenttest.Call("grep_files",
				args{"pattern": "(?:[ab]{99}[cd]{99}){9}[ef]{999}[gh]{999}[ij]{999}"})),
			agenttest.Reply(agenttest.Call("answer", args{"text": "no"})))
		d.operate(brain, "search", "")
		last := brain.Heard()[1].Messages
		assert.Contains(t, last[len(last)-1].Text, "the pattern is too large")
	})
	t.Run("everything matches", func(t *testing.T) {
		d.t = t
		d.put("Notebook/a.md", strings.Repeat("a line of text\n", 100_000))
		got := grep(args{"pattern": ".*", "directory": "Notebook/a.md"})
		assert.Less(t, len(got), 17<<10)
		assert.Regexp(t,
			`… and \d{5} more matching lines in 1 file; narrow the pattern or the place, or go `+
				`on with continue_stream_read, stream_id ".*"\n$`, got)
	})
	t.Run("no time", func(t *testing.T) {
		d.t, d.searchTime = t, time.Nanosecond
		got := grep(args{"pattern": "zzz"})
		assert.Contains(t, got, "The time for a search ran out in ")
		assert.Contains(t, got, "go on with continue_stream_read")
		d.searchTime = 0
	})
	t.Run("folders without an end", func(t *testing.T) {
		d.t = t
		d.put("deep/"+strings.Repeat("d/", 60)+"a.md", "needle\n")
		d.put("deep/b.md", "needle\n")
		got := grep(args{"pattern": "needle", "directory": "deep"})
		assert.Contains(t, got, "deep/b.md:1: needle\n")
		assert.NotContains(t, got, "a.md")
		assert.Contains(t, got, "more than 32 folders deep")
	})
}

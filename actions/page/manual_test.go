package page_test

import (
	"os"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A manual page as a terminal shows it is prose under headings, each option with its meaning; code is what
// the terminal did not fill.
func TestAManualPageIsProse(t *testing.T) {
	manual, err := os.ReadFile("testdata/tide.8.txt")
	require.NoError(t, err)
	want, err := os.ReadFile("testdata/tide.8.md")
	require.NoError(t, err)
	p, err := page.Read(t.Context(), page.Raw{URL: "tide.8.txt", Body: manual})
	require.NoError(t, err)
	assert.Equal(t, "TIDE(8)", p.Title)
	assert.Equal(t, string(want), p.Markdown)
}

// Whatever a manual page holds, it is read.
func FuzzManualPage(f *testing.F) {
	for _, body := range []string{
		"NAME\n  a - b", "\t\t•  x\n y", "       -c  a\n\t  b\n   c", "a:\n\n ```\n````",
		"  ┌ a\n\n\n  1.  x\n  2.  y",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		manual := "A(1)  of words  A(1)\n\nNAME\n       first\n\n" + body + "\n\nLAST\n       last words\n"
		p, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte(manual)})
		if err != nil {
			return
		}
		assert.Contains(t, p.Markdown, "first")
		blocks := block.Split(p.Markdown)
		end := blocks[len(blocks)-1]
		assert.Equal(t, "last words", end.Text)
		assert.NotEqual(t, block.Code, end.Kind, "no fence is left open")
		assert.LessOrEqual(t, strings.Count(p.Markdown, "\n\n\n"), strings.Count(p.Markdown, "```"),
			"blank lines are in code alone")
	})
}

// What a stranger wrote to look like a thousand options, or like ever longer fences, is read as any text: it
// took minutes, and the memory of a machine.
func TestAHostileManualPage(t *testing.T) {
	for _, body := range []string{strings.Repeat("-c  ", 100_000),
		strings.Repeat("`", 100_000) + strings.Repeat(" ```", 100_000)} {
		manual := "A(1)  of words  A(1)\n\nNAME\n       first\n\nOPTIONS\n       " + body + "\n"
		_, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte(manual)})
		require.NoError(t, err)
	}
}

// A list without blank lines between its terms is one of terms, each with its meaning, and what is further in
// than the prose about it is its example; but code may be further in as well.
func TestAListOfAManualWithoutBlankLines(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"one blank further in": {`
       ACCEPT
        表示让这个包通过。
       DROP
        表示将这个包丢弃。如果到达了一个内建的链的末端，或者遇到内建链的规则是
        返回，包的命运将由链准则指定的目标决定。
`, "- **ACCEPT**: 表示让这个包通过。\n\n- **DROP**: " +
			"表示将这个包丢弃。如果到达了一个内建的链的末端，或者遇到内建链的规则是返回，" +
			"包的命运将由链准则指定的目标决定。"},
		"beside the term": {`
       -a     Shows all tides.
       --bay name
       -b name
              Shows those of a bay.
       -c     Shows how many tides there are in the current month, and in the one
              after it.
`, "- **-a**: Shows all tides.\n\n- **--bay name**, **-b name**: Shows those of a bay.\n\n- **-c**: " +
			"Shows how many tides there are in the current month, and in the one after it."},
		"an example in prose": {`
       The tides of a place are shown for as many days as there are in the
       current month, which the options of the program change, as in
              tide -p bay
       and for one day otherwise.
`, "The tides of a place are shown for as many days as there are in the current month, " +
			"which the options of the program change, as in\n\n```\ntide -p bay\n```\n\n" +
			"and for one day otherwise."},
		"code": {`
       if tide
          echo high
       else
          echo low
       fi
`, "`if tide`\n\n```\n   echo high\nelse\n   echo low\nfi\n```"},
	} {
		manual := "A(1)  of words  A(1)\n\nNAME\n       a - b\n\nOF IT\n" + strings.TrimPrefix(c.body, "\n")
		p, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte(manual)})
		require.NoError(t, err)
		_, found, _ := strings.Cut(p.Markdown, "## OF IT\n\n")
		assert.Equal(t, c.want, strings.TrimSpace(found), name)
	}
}

// A page of the web may be a manual page as a terminal shows it. A word that the terminal broke is whole if
// it stands elsewhere without a hyphen.
func TestAManualPageOfTheWebIsProse(t *testing.T) {
	const manual = `<html><title>Tides - tided(8)</title><body><pre>
TIDED(8)                                                             TIDED(8)

<b>NAME</b>
       tided - shows tides to <a href="x.html">readers</a>

<b>DESCRIPTION</b>
       Each message of the daemon is kept. Whoever wants to see all of the mes-
       sage asks for it in the form that the daemon has for all, the single-
       line form.

<b>PARAMETERS</b>
       <b><a href="y.html#max_tides">max_tides</a> (10)</b>
              The maximal number of tides.

       <b>min_tides (0)</b>
              The minimal number of them.
</pre></body></html>`
	p, err := page.Read(t.Context(), page.Raw{URL: "tided.8.html", Body: []byte(manual)})
	require.NoError(t, err)
	assert.Equal(t, "Tides - tided(8)", p.Title)
	assert.Contains(t, p.Markdown, "\n\n- **max_tides (10)**: The maximal number of tides.\n\n"+
		"- **min_tides (0)**: The minimal")
	assert.Contains(t, p.Markdown, "all of the message asks for it in the form that the daemon has for all, "+
		"the single-line form.")
	listing, err := page.Read(t.Context(), page.Raw{URL: "a.html",
		Body: []byte("<body><pre>TIDED(8)\n\nfor all that is long enough to be a text: go</pre></body>")})
	require.NoError(t, err)
	assert.Contains(t, listing.Markdown, "```", "any other <pre> is code")
}

// What would be markup in the name of an entry is shown as it is, and entries within entries have an end.
func TestNamesOfAManualAreNoMarkup(t *testing.T) {
	head := "A(1)  of words  A(1)\n\nOPTIONS\n"
	p, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte(head +
		"       <!-- x\n              Run as if --> it was started.\n\n" +
		"       -b\n              Is short.\n")})
	require.NoError(t, err)
	assert.Contains(t, p.Markdown, "`<!-- x`")
	assert.Contains(t, p.Markdown, "- **-b**: Is short.")
	body := head
	for n := range 200 {
		body += strings.Repeat(" ", 7+2*n) + "-x a name\n"
	}
	body += strings.Repeat(" ", 420) + "The end.\n"
	p, err = page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte(body)})
	require.NoError(t, err)
	assert.Contains(t, p.Markdown, "The end.")
}

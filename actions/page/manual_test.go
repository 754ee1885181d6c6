package page_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A manual page as a terminal shows it is prose under headings, each option with its meaning; code is what the
// terminal did not fill.
func TestAManualPageIsProse(t *testing.T) {
	const manual = "TIDE(8)\t\t\t    System Manager's Manual\t\t\t TIDE(8)\n\n" +
		"NAME\n       tide - shows the tides of a place\n\n" +
		"SYNOPSIS\n       tide [-c] [-p place]\n\n" +
		"DESCRIPTION\n       The  tide program shows the tides of a place, with the hours of high and\n" +
		"       of low water.  # is a comment.\n\n" +
		"   Places\n       Places are:\n\n\t   bay\n\t   harbour\n\n" +
		"OPTIONS\n       -c     This option causes tide to count the tides of the current month\n" +
		"\t      and to show how many there are.\n\n" +
		"       Persistent=\n\t   Takes a boolean argument. If true, the last tide is stored on\n\t   disk.\n\n" +
		"\t   It defaults to false.\n\n       --help, -h\n\t   Shows help.\n\n" +
		"       Host    Restricts the declarations that follow, up to the next of these\n               (or the end).\n\n" +
		"       •   First\n       •   Second\n\n" +
		"       •   One of many, of which this one goes on in the line that is below\n           it.\n\n" +
		"       Table 1. The tides of the bay by the hour, as the program shows them:\n" +
		"       ┌──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬─────┐\n" +
		"       │ hour │ low  │ high │ low  │ high │ low  │ high │ low  │ high │ low │\n\n" +
		"       For instance:\n\n\t   tide -p bay\n\n" +
		"Tides 1.0\t\t\t 3 May 2023\t\t\t TIDE(8)\n"
	p, err := page.Read(t.Context(), page.Raw{URL: "tide.8.txt", Body: []byte(manual)})
	require.NoError(t, err)
	assert.Equal(t, "TIDE(8)", p.Title)
	assert.Equal(t, "## NAME\n\ntide - shows the tides of a place\n\n"+
		"## SYNOPSIS\n\n```\ntide [-c] [-p place]\n```\n\n"+
		"## DESCRIPTION\n\nThe tide program shows the tides of a place, with the hours of high and of low water. # is a comment.\n\n"+
		"### Places\n\nPlaces are:\n\n```\nbay\nharbour\n```\n\n"+
		"## OPTIONS\n\n`-c`\n\nThis option causes tide to count the tides of the current month and to show how many there are.\n\n"+
		"`Persistent=`\n\nTakes a boolean argument. If true, the last tide is stored on disk.\n\nIt defaults to false.\n\n`--help, -h`\n\nShows help.\n\n"+
		"`Host`\n\nRestricts the declarations that follow, up to the next of these (or the end).\n\n- First\n- Second\n\n"+
		"- One of many, of which this one goes on in the line that is below it.\n\n"+
		"```\nTable 1. The tides of the bay by the hour, as the program shows them:\n"+
		"┌──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬─────┐\n"+
		"│ hour │ low  │ high │ low  │ high │ low  │ high │ low  │ high │ low │\n```\n\nFor instance:\n\n```\ntide -p bay\n```\n", p.Markdown)
}

// Whatever a manual page holds, it is read.
func FuzzManualPage(f *testing.F) {
	for _, body := range []string{"NAME\n  a - b", "\t\t•  x\n y", "       -c  a\n\t  b\n   c", "a:\n\n ```\n````", "  ┌ a\n\n\n  1.  x\n  2.  y"} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		p, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte("A(1)  of words  A(1)\n\nNAME\n       first\n\n" + body)})
		if err != nil {
			return
		}
		assert.Contains(t, p.Markdown, "first")
		assert.LessOrEqual(t, strings.Count(p.Markdown, "\n\n\n"), strings.Count(p.Markdown, "```"), "blank lines are in code alone")
	})
}

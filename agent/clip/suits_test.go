package clip_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// firstQuote is what the report on a question quotes before all else.
func firstQuote(t *testing.T, question, page string) string {
	t.Helper()
	quotes := quotesIn(top(reportOn(t, question, page)))
	require.NotEmpty(t, quotes, question)
	return quotes[0][0]
}

// A passage that has all words of the question comes before one that has some of them often.
func TestThePassageWithMostOfTheQuestionComesFirst(t *testing.T) {
	const page = "Logs\n# Logs\n\n## Rotating file handler\n\n" +
		"The rotating file handler is a handler that rotates a log file.\n\n" +
		"A rotating log file is opened by the handler of rotating files, which is a handler of log " +
		"files.\n\n" +
		"Each file is written until its size is nearly that which was set, and if no count of copies is " +
		"set beside the size " +
		"nothing is ever moved out of the way: the only copy is written on and on by the same owner, " +
		"whatever became of the disk.\n"
	assert.Contains(t, firstQuote(t,
		"I set a size for the rotating log file handler but it never rotates. What is missing?", page),
		"Each file")
}

// Behind a passage that has all of the question, those that share a common word with it are left out.
func TestWhatSharesACommonWordIsLeftOutBehindAnAnswer(t *testing.T) {
	const page = "Music\n# Music\n\n## Summer concert of the brass band\n\n" +
		"The summer concert of the brass band is on 21 June in the hall of the music school.\n\n" +
		"## Parcels\n\nA rubber band closes each box in the hall, so that nothing gets lost on its way to " +
		"the post.\n\n" +
		"## Radio\n\nThe radio is silent, since nobody knows which band the school listens on today.\n\n" +
		"## Birds\n\nEach bird gets a band of brass on its left leg before it is let go.\n\n" +
		"## Walls\n\nA band of bricks goes around the school above the windows of the first floor.\n"
	report := reportOn(t, "When is the summer concert of the brass band in the hall of the school?", page)
	assert.Contains(t, report, "21 June")
	assert.Len(t, quotesIn(report), 1, report)
}

// The items of a list end at a heading, and are no program with a remark in it.
func TestAHeadingEndsAListOfIndentedLines(t *testing.T) {
	const page = "Caching\n# Caching\n\nThe known issues of the cache are these.\n\n" +
		"Known issues\n------------\n\t- the cache of a share may not be reliable always as some\n" +
		"\t  servers do not update mtime until a file is\n" +
		"\t  closed.\n\t- not all servers give a unique\n\t  'UniqueId' to the cache.\n\n" +
		"Todo's\n------\n\t- improvements of the cache that avoid key collisions\n"
	assert.NotContains(t, reportOn(t, "What are the known issues of the cache?", page), "## Todo's\n```")
}

// A figure with the unit that is asked for comes before another.
func TestAFigureWithItsUnitComesFirst(t *testing.T) {
	const page = "Locks\n# Locks\n\n## Waiting\n\nA lock on the store is waited for by 7 clients.\n\n" +
		"## Timeouts\n\nWho waits for a lock on the store is told after a while, which is 5 seconds.\n"
	assert.Contains(t, firstQuote(t, "How long does it wait for a lock on the store?", page), "5 seconds")
}

// A table that lists what is so of one thing is one passage: its name, its meaning and its default.
func TestAListOfPropertiesIsOnePassage(t *testing.T) {
	const rule = "| --- | --- |\n"
	const keep, greet = "| Description: | How long an idle connection is kept open |\n",
		"| Description: | What a new connection is told |\n"
	const page = "Directives\n# Directives\n\n## KeepOpen\n\nHEAD" + keep + "RULE" +
		"| Syntax: | KeepOpen seconds |\n| Default: | KeepOpen 5 |\n| Context: | server config |\n" +
		"| Status: | Core |\n| Module: | core |\n\n" +
		"## Greeting\n\nHEAD" + greet +
		"RULE| Syntax: | Greeting text |\n| Default: | none |\n| Context: | server config |\n"
	for _, form := range []*strings.Replacer{
		strings.NewReplacer("HEAD", "", "RULE", rule),           // Markdown wants a head
		strings.NewReplacer("HEAD", "| | |\n"+rule, "RULE", ""), // as pages of the web are read
	} {
		shown := top(reportOn(t, "How long is an idle connection kept open by default?", form.Replace(page)))
		assert.Contains(t, shown, "| Description: | How long an idle connection is kept open |")
		assert.Contains(t, shown, "| Default: | KeepOpen 5 |")
		assert.Contains(t, shown, "| Module: | core |")
		before, _, _ := strings.Cut(shown, "| Module: | core |")
		assert.Equal(t, 1, strings.Count(before, rule[:len(rule)-2]), "one table holds all: %s", shown)
		assert.NotContains(t, before, "Greeting")
	}
}

// A day is found in a table and in prose, in whichever way it is written there.
func TestADayIsFoundHoweverItIsWritten(t *testing.T) {
	const table = "Weather\n# Weather\n\n| date | wind |\n| --- | --- |\n| 2012-12-07 | 3.1 |\n" +
		"| 2012-12-17 | 9.5 |\n| 2012-02-17 | 4.4 |\n"
	const notes = "Notes\n# Notes\n\nOn 7 December 2012 the wind was 3.1.\n\n" +
		"On Dec 17, 2012 the wind was 9.5.\n\nOn 17 February 2012 the wind was 4.4.\n"
	const chinese = "天气\n# 天气\n\n2012年12月7日风速3.1。\n\n2012年12月17日风速9.5。\n\n" +
		"2012年2月17日风速4.4。\n"
	for _, c := range [][2]string{{table, "How strong was the wind on 17 December 2012?"}, {notes,
		"How strong was the wind on 2012-12-17?"},
		{chinese, "2012/12/17 的风速是多少？"}, {table, "What was the wind on December 17th, 2012?"}} {
		report := reportOn(t, c[1], c[0])
		assert.NotContains(t, report, "No passage found", c[1])
		assert.NotContains(t, report, "No document holds", c[1])
		before, _, _ := strings.Cut(top(report), "9.5")
		assert.NotContains(t, before, "3.1", c[1])
		assert.NotContains(t, before, "4.4", c[1])
		assert.Contains(t, top(report), "9.5", c[1])
	}
}

// The section whose heading asks what the question asks comes first, and its procedure whole and in order.
func TestTheSectionThatAsksTheSameComesFirst(t *testing.T) {
	const page = "Packages\n# Packages\n\n## 7.5. What is a package on hold?\n\n" +
		"A package is on hold when its owner wants to keep it.\n\n" +
		"## 7.12. How do I put a package on hold?\n\nThere are two ways, with dpkg or with apt.\n\n" +
		"With dpkg, change the line:\n\n```\nlibc6 install\n```\n\nto this:\n\n```\nlibc6 hold\n```\n\n" +
		"With apt, set it using\n\n```\napt-mark hold libc6\n```\n\n" +
		"## 9.2. Are packages upgraded by themselves?\n\nNo package changes as long as nobody asks for it.\n"
	shown := top(reportOn(t, "How do I put a Debian package on hold so that it is not upgraded?", page))
	at := 0
	for _, want := range []string{"### 7.12.", "two ways", "change the line:", "libc6 install", "to this:",
		"libc6 hold", "With apt", "apt-mark hold"} {
		i := strings.Index(shown[at:], want)
		require.GreaterOrEqual(t, i, 0, "%s in %s", want, shown)
		at += i
	}
	before, _, _ := strings.Cut(shown, "### 7.12.")
	assert.NotContains(t, before, "“")
}

// A drawing in letters is quoted as no sentence.
func TestADrawingIsNotQuoted(t *testing.T) {
	const page = "Frames\n# Frames\n\nThe stack frame of a call is drawn here.\n\n" +
		"    +-----------------+\n    | stack frame     |\n    | receiver        |\n" +
		"    +-----------------+ call\n\n" +
		"A call stores the receiver in the stack frame before it begins.\n"
	report := reportOn(t, "What is in the stack frame of a call?", page)
	assert.Contains(t, report, "stores the receiver")
	assert.NotContains(t, report, "+---")
}

// The message of a program leads to where it stands, though it has only common words.
func TestAQuotedMessageIsFound(t *testing.T) {
	const page = "Help\n# Help\n\n## Completion\n\nTo disable the descriptions, turn them off, and disable " +
		"completion to turn off all of it.\n\n" +
		"## Suggestions\n\nA wrong command is answered with names that are near:\n\n" +
		"```\nDid you mean this?\n    delete\n```\n\nWho does not want it disables them with NoNames.\n"
	assert.Contains(t, top(reportOn(t, `turn off "Did you mean this?"`, page)), "NoNames")
}

// The parts of one recipe belong together, whatever they are called; the points of minutes do not.
func TestTheDiscussionBelongsToItsDescription(t *testing.T) {
	const page = "Recipes\n# Recipes\n\n## Forcing HTTPS\n\n" +
		"**Description:** You want all requests to be redirected to HTTPS.\n\n" +
		"**Discussion:** Use this in the virtual host of port 80.\n\n```\nRedirect permanent /\n```\n"
	recipe := top(reportOn(t, "How do I redirect all requests to HTTPS?", page))
	assert.Contains(t, recipe, "Redirect permanent")
	const minutes = "Minutes of the partners\n# Minutes of the partners\n\n" +
		"**1. Scanner.** The partners buy the scanner of Echoline.\n\n" +
		"**2. Nights.** Postponed since nobody was there.\n\n" +
		"## Scanner\n\nThe partners may buy the scanner on trust.\n\n" +
		"## Offers\n\nThe scanner that the partners buy is lent first.\n"
	assert.NotContains(t, top(reportOn(t, "Which scanner do the partners buy?", minutes)), "Postponed")
}

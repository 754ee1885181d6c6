package actions_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// checks is a page of lists of numbered messages, under headings, too long for its reader.
func checks() string {
	text := "# Checks\n\nThis page lists the messages of all checks.\n\n"
	for _, list := range []string{"Admin", "Models", "Security", "Signals", "Users"} {
		text += "## " + list + "\n\nThe following checks are made:\n\n"
		for i := range 140 {
			name := strings.ToLower(list)
			words := "Security checks of the list W001-W025 are signals to users."
			switch list {
			case "Security":
				words = "You have not set what `NAME_" + fmt.Sprint(i+1) + "` is for; browsers may guess."
			case "Signals":
				name, words = "sent", "The receiver has no module."
			}
			text += fmt.Sprintf("- **%s.W%03d**: %s %s\n", name, i+1, words,
				strings.Repeat("It is said at some length. ", 4))
		}
		text += "\n"
	}
	return text + "## Names\n\n" + strings.Repeat("### `OTHER_NAME`\n\nDefault: 7. "+
		strings.Repeat("Security checks are listed. ", 20)+"\n\n", 100) +
		"### `USE_X_HOST`\n\nDefault: off.\n\nWhoever sits behind others turns it on.\n"
}

// shownTo returns what a reader is shown of a page for a focus.
func shownTo(t *testing.T, page, focus string, say func(string) string) (shown, said string) {
	t.Helper()
	b := newBench(t)
	_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/", Title: "Page", Type: "html"}, page)
	require.NoError(t, err)
	var asked func() []string
	b.kit.Reader, asked = counted(say)
	said = b.one("visit_url", args{"url": "s1", "focus": focus})
	pages := asked()
	require.Len(t, pages, 1)
	return pages[0], said
}

// What a focus names is shown where it is defined, by a term or under a heading, each of a range too, however
// often the rest of the page has the words of the focus.
func TestAReaderIsShownWhatTheFocusNames(t *testing.T) {
	for _, focus := range []string{"the list of checks security.W003-W019, also USE_X_HOST",
		"the list of checks security.W003 to W019, also use_x_host"} {
		shown, _ := shownTo(t, checks(), focus, none)
		for i := 3; i <= 19; i++ {
			assert.Contains(t, shown, fmt.Sprintf("- **security.W%03d**", i), focus)
		}
		assert.Contains(t, shown, "Default: off.", focus)
		assert.Contains(t, shown, "Whoever sits behind others turns it on.", focus)
	}
}

// The list that a heading names is shown whole.
func TestAReaderIsShownTheListThatIsAskedFor(t *testing.T) {
	shown, _ := shownTo(t, checks(), "which signal checks are there: the list", none)
	for i := range 140 {
		assert.Contains(t, shown, fmt.Sprintf("- **sent.W%03d**", i+1))
	}
}

// A page of which little would be left out is shown whole.
func TestAReaderIsShownAllWhereThatIsLittleMore(t *testing.T) {
	page := "# Tides\n\n"
	for i := range 150 {
		page += fmt.Sprintf("## Part %d\n\n%s\n\n", i, strings.Repeat("Tides come in and go out. ", 10))
		if i%15 == 0 {
			page += strings.Repeat(strings.Repeat("Ships sail from here to there. ", 20)+"\n\n", 4)
		}
	}
	shown, _ := shownTo(t, page, "when tides come", none)
	assert.NotContains(t, shown, "\n…")
}

// What is not shown is named with its numbers, by which a reader may choose it.
func TestAReaderMayNameWhatItIsNotShown(t *testing.T) {
	page := "# Manual\n\nAn introduction.\n\n"
	for i := range 300 {
		page += fmt.Sprintf("## Ships of class %d\n\n%s\n\n", i, strings.Repeat("They sail. ", 60))
	}
	shown, said := shownTo(t, page+"## Log\n\nA checkpoint truncates the log.\n", "checkpoint of the log",
		func(string) string { return "301, 7 to 9" })
	assert.Regexp(t, `\n… 3-300: Ships of class 1 · `+
		`(\d+: Ships of class \d+ · )+2[89]\d: Ships of class 2[89]\d\n`, shown)
	assert.Contains(t, shown, "[302] A checkpoint truncates the log.")
	for i := 7; i <= 9; i++ {
		assert.Contains(t, said, fmt.Sprintf("[s1.%d] They sail.", i))
	}
	assert.Regexp(t, `Not looked at: \d+ of its 302 blocks`, said)
}

package clip_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// passage is the beginning of 16 words that a text shares with a page, beside quotes of one line with an id
// and what is on the dashboards.
func (d *desk) passage(text string) string {
	if !d.strict {
		return ""
	}
	const most, named = 16, 8
	known := strings.Join(wordsOf(d.files["overall_dashboard.md"]+"\n"+d.files["current_dashboard.md"]), " ")
	own := wordsOf(regexp.MustCompile(`“.{1,400}?” \[s\d+(?:\.\d+)?\]`).ReplaceAllString(text, " "))
	for _, page := range d.pages {
		theirs := " " + strings.Join(wordsOf(page), " ") + " "
		for at := range max(0, len(own)-most+1) {
			run := strings.Join(own[at:at+most], " ")
			if strings.Contains(theirs, " "+run+" ") && !strings.Contains(known, run) {
				return strings.Join(own[at:at+named], " ")
			}
		}
	}
	return ""
}

// wordsOf takes two Chinese characters for a word.
func wordsOf(text string) []string {
	return regexp.MustCompile(`\p{Han}{1,2}|[^\P{L}\p{Han}]+|\p{N}+`).FindAllString(strings.ToLower(text), -1)
}

// longWinded is a library whose headings, titles, lists and tables are as long as sentences.
func longWinded() map[string]string {
	const heading = "What happens to a write that was acknowledged by the store when the power fails in " +
		"a crash and the log was not yet synced to the disk"
	const code = "`store.replace(path, data[, options][, callback])` and [`log.append(record, checksum, " +
		"group, a, b, c, d, e, f)`](log.md#append) in a [crash][of the store] or a write `{#write}`"
	pages := english()
	pages["doc:long.md"] = heading + "\n# " + heading + `

- [` + code + `](#a)
- [Some other chapter about each write](#b)
- [A third chapter about a crash](#c)

## ` + heading + `

A write that was acknowledged by the store is found again after a crash, since the log was synced to the disk before
the store told anybody of it. Whoever writes without the log has to expect that a crash
takes the last five seconds of what the store has acknowledged.

## ` + code + `

In a crash the new file of a write is either there as a whole or
not there at all, as long as both stand on one disk and the disk keeps its promises.
A crash between two writes loses [neither of them][of the store], whatever the disk says
about the order in which it made them last.

[of the store]: https://store.test/what/happens/to/a/write/in/a/crash/when/the/power/fails/and/the/log/is/not/synced
[RFC 1]: https://rfc.test/a-write-in-a-crash

| write | crash |
| --- | --- |
| SECRET the write of a store in a crash | SECRET it is lost when the log of the store was not synced |

## Some other chapter about each write

Each write in the store has a number, and a crash never gives the same number to
another write, which is how a reader tells them apart.

## A third chapter about a crash

The store counts every crash, and a write knows
how many there were before it.
`
	const address = "https://news.test/what-happens-to-a-write-when-the-power-fails-in-a-crash" +
		"-and-nobody-has-synced-the-log-to-the-disk"
	pages[address] = heading + "\n# " + heading + "\n\n" + address +
		"\n\nThe power fails, and a write is lost in a crash of the disk that nobody expected to come.\n"
	return pages
}

func longWindedChinese() map[string]string {
	const heading = "磁盘断电之后已经确认的写入数据为什么有时候会丢失以及" +
		"存储怎样在重新启动时把日志中的全部数据恢复到断电之前的状态"
	pages := chinese()
	pages["doc:长.md"] = heading + "\n# " + heading + "\n\n## " + heading +
		"：`replace(路径, 数据)` 与[日志](日志.md)\n\n断电之后，已经确认的写入数据不会丢失，" +
		"因为日志在确认之前已经同步到磁盘上，\n重新启动时存储会把它们全部恢复。" +
		"没有使用日志的写入在断电之后会丢失最近五秒钟的数据，\n这一点在配置存储时必须考虑到。\n\n" +
		"## " + heading[:60] +
		"\n\n断电时磁盘缓存中的数据会丢失，存储因此在每次写入之后\n都要求磁盘把缓存清空。\n"
	return pages
}

// What a page says stands on a dashboard only as a quote with the id of its source, however long its headings
// and its lines are.
func TestDashboardsHoldNoPassageOfAPage(t *testing.T) {
	for name, library := range map[string]struct {
		question string
		pages    map[string]string
	}{
		"english": {"What happens to a write when the power fails in a crash?", longWinded()},
		"chinese": {"断电之后写入的数据会丢失吗？", longWindedChinese()},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(library.question, library.pages)
			d.strict = true
			assert.Equal(t, agent.Finished, d.run(t, 60).Reason)
			assert.Empty(t, d.copied, "updates that were refused")
			assert.Positive(t, d.assertVerbatim(t, "report.md"))
			findings := d.get("overall_dashboard.md", "findings")
			require.NotEmpty(t, findings)
			for line := range strings.Lines(findings) {
				assert.Regexp(t, `^- “.*” \[s\d+(?:\.\d+)?\]\n?$`, line, "a finding is one line")
			}
		})
	}
}

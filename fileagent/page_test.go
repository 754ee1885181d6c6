package fileagent_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestPagesAreCutBetweenLetters(t *testing.T) {
	for pad := range 4 {
		d := newDesk(t)
		d.put("a.md", strings.Repeat("x", pad)+strings.Repeat("无", 18000))
		page := d.operate(once("read_file", args{"path": "a.md"}), "read it", "")
		assert.True(t, utf8.ValidString(page), "pad %d", pad)
	}
}

func TestALongLineIsNotReadWhole(t *testing.T) {
	d := newDesk(t)
	d.put("a.md", strings.Repeat("x", 3<<20)+"\nshort\n")
	got := d.operate(once("read_file", args{"path": "a.md", "lines": "1-2"}), "read it", "")
	assert.Less(t, len(got), 40<<10)
}

// A report of some 23 KB is read at once, as there is room: who mends it has to see it whole.
func TestAReportIsReadWhole(t *testing.T) {
	d := newDesk(t)
	d.put("report.md", strings.Repeat("a line\n", 3300)+"the end\n")
	got := d.operate(once("read_file", args{"path": "report.md"}), "read it", "")
	assert.Contains(t, got, "the end")
	assert.NotContains(t, got, "stream_id")
}

func TestALongFileCanBeOverwrittenAfterReading(t *testing.T) {
	d := newDesk(t)
	d.put("data/a.txt", strings.Repeat("a line\n", 4000))
	page := d.operate(once("read_file", args{"path": "data/a.txt", "mode": "stream"}), "read it", "")
	id := regexp.MustCompile(`stream_id "([^"]+)"`).FindStringSubmatch(page)
	d.operate(once("continue_stream_read", args{"stream_id": id[1]}), "go on", "")
	assert.Contains(t, d.operate(once("write_file", args{"path": "data/a.txt", "text": "new\n"}),
		"write", ""), "Wrote 4 bytes")
}

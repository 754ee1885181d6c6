package prose_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

func TestALineOfAMailTellsWhoseWordsAreBelow(t *testing.T) {
	for line, want := range map[string][]any{
		"Ada <ada@x.eg>, 2025-10-14":                               {"Ada", "2025-10-14", false},
		"Ada <ada@x.eg>":                                           {"Ada", "", false},
		"Ada <ada@x.eg>, 2025-10-14 → Bob <bob@x.eg>":              {"Ada", "2025-10-14", false},
		"On 10 Oct 2025 Petra Holm wrote:":                         {"Petra Holm", "2025-10-10", true},
		"On Fri, 10 Oct 2025 at 09:12, Petra Holm <p@x.eg> wrote:": {"Petra Holm", "2025-10-10", true},
		"On Oct 10, 2025, at 9:12 AM, Petra Holm <p@x.eg> wrote:":  {"Petra Holm", "2025-10-10", true},
		"On 2025-10-10 09:12, Petra wrote:":                        {"Petra", "2025-10-10", true},
		"在 2025年10月10日，吴倩 <wq@x.eg> 写道：":                           {"吴倩", "2025-10-10", true},
		"On Monday Carl Dorn wrote:":                               {"", "", false},
		"On 10 Oct 2025 we were told what Petra Holm wrote in it.": {"", "", false},
	} {
		author, date, quoted := prose.Byline(line)
		assert.Equal(t, want, []any{author, date, quoted}, line)
	}
}

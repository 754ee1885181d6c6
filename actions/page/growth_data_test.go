package page_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

func growingData() map[string][]agenttest.Bomb {
	return map[string][]agenttest.Bomb{"application/json": agenttest.JSONBombs(),
		"application/xml": agenttest.XMLBombs()}
}

// Data of twice the size is read, or refused, in at most two and a half times the time.
func TestTwiceTheDataIsTwiceTheWork(t *testing.T) {
	for kind, bombs := range growingData() {
		for _, bomb := range bombs {
			t.Run(kind+" "+bomb.Name, func(t *testing.T) {
				agenttest.RequireLinear(t, 256<<10,
					bomb, func(text string) { readData(t.Context(), kind, text) })
			})
		}
	}
}

// Of a text of XML that begins with a remark and holds many elements side by side, the remark is read once.
func TestManyRootsBehindALongRemarkAreBoundedWork(t *testing.T) {
	bomb := agenttest.Bomb{Name: "roots behind a remark", Make: func(size int) string {
		return "<!--" + strings.Repeat("x", size/2) + "-->" + strings.Repeat("<a/>", size/8)
	}}
	agenttest.RequireLinear(t, 64<<10,
		bomb, func(text string) { readData(t.Context(), "application/xml", text) })
}

// FuzzTwiceTheData holds it for whatever text is repeated.
func FuzzTwiceTheData(f *testing.F) {
	for kind, bombs := range growingData() {
		for _, bomb := range bombs {
			f.Add(kind == "application/xml", bomb.Make(64))
		}
	}
	f.Fuzz(func(t *testing.T, isXML bool, unit string) {
		if len(unit) == 0 || len(unit) > 256 {
			return
		}
		kind := map[bool]string{true: "application/xml", false: "application/json"}[isXML]
		agenttest.RequireLinear(t, 32<<10, agenttest.Repeated(unit),
			func(text string) { readData(t.Context(), kind, text) })
	})
}

func readData(ctx context.Context, kind, text string) {
	if _, err := page.Read(ctx, page.Raw{URL: "https://example.org/data", ContentType: kind,
		Body: []byte(text)}); err != nil {
		_ = fmt.Sprint(err) // what is over a bound is refused, and the refusal is written
	}
}

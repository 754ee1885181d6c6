package page_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A page of dates is read in a time that grows with its size, whether they are in one paragraph, or around
// others.
func TestTwiceTheDatesAreTwiceTheWork(t *testing.T) {
	for name, repeated := range map[string]string{
		"dated":   `<time datetime="2024-01-02">Then</time> it rained. `,
		"undated": `<time>long ago</time> it rained. `,
		"parted":  `<time datetime="2024-01-02">Then</time> it rained.<p>x</p>`,
	} {
		t.Run(name, func(t *testing.T) {
			bomb := agenttest.Bomb{Name: name, Make: func(size int) string {
				return "<h1>T</h1><div>" + strings.Repeat(repeated, size/len(repeated))
			}}
			agenttest.RequireLinear(t, 256<<10, bomb, func(text string) {
				_, err := page.Read(t.Context(),
					page.Raw{URL: "https://example.org/a", ContentType: "text/html", Body: []byte(text)})
				require.NoError(t, err)
			})
		})
	}
}

// A date in a byline is found behind some in sentences, and not behind a thousand.
func TestDatesInSentencesBeforeTheByline(t *testing.T) {
	read := func(n int) string {
		text := fmt.Sprintf("<h1>T</h1>%s<p><time>2024-03-01</time></p><p>text",
			strings.Repeat("<p>In <time>2020-01-02</time> it rained for weeks.</p>", n))
		p, err := page.Read(t.Context(),
			page.Raw{URL: "https://example.org/a", ContentType: "text/html", Body: []byte(text)})
		require.NoError(t, err)
		return p.Published
	}
	assert.Equal(t, "2024-03-01", read(5))
	assert.Empty(t, read(1000))
}

// A page is read no further once nobody waits for it.
func TestAPageIsReadNoLongerThanItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := page.Read(ctx, page.Raw{URL: "https://example.org/a", ContentType: "text/html",
		Body: []byte("<h1>T</h1><p>text")})
	require.ErrorIs(t, err, context.Canceled)
}

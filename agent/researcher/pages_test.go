package researcher_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// A run that is given a Fetcher gets its pages by that one, and leaves it usable for the next.
func TestRunsShareAFetcher(t *testing.T) {
	var asked atomic.Int32
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() == "Shared/1" {
			asked.Add(1)
		}
		fmt.Fprintf(w, "The page %s says something.\n", r.URL.Path)
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	shared := &web.Fetcher{AllowPrivate: true, UserAgent: "Shared/1"}
	t.Cleanup(shared.Close)
	for n := range 2 {
		server := serve(t, soaked(site.URL))
		c := config(filepath.Join(t.TempDir(), "research"), server.URL)
		c.Pages = shared
		_, err := run(t.Context(), c)
		require.NoError(t, err)
		assert.EqualValues(t, 48*(n+1), asked.Load())
	}
}

package traces_test

import (
	"encoding/base64"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/traces"
)

// A collector may say anything behind the number of a status, also the key that it was sent.
func TestACollectorThatRepeatsItsKey(t *testing.T) {
	const key = "Canary-5Tg6Yh7Uj8Ik9Ol0"
	coded := base64.StdEncoding.EncodeToString([]byte(key))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 64<<10)) // what was sent does not matter
			_, _ = conn.Write([]byte("HTTP/1.1 401 no " + key + " or " + coded +
				"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
			_ = conn.Close()
		}
	})
	defer func() {
		require.NoError(t, l.Close())
		all.Wait()
	}()
	for sent, says := range map[string]string{key: "401 no [key] or [key]",
		"Another-0Aa1Bb2Cc3Dd4": "401 no " + key} {
		tr := traces.New(traces.Config{Endpoint: "http://" + l.Addr().String(),
			Header: http.Header{"X-Key": {sent}}})
		work(t, tr.Observe)
		assert.ErrorContains(t, tr.Close(t.Context()), says)
	}
}

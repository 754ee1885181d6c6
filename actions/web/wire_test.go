package web_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A server that cannot prove who it is gets a clear word and is never asked again without proof.
func TestFetchCertificates(t *testing.T) {
	year := 365 * 24 * time.Hour
	for _, test := range []struct {
		name, host string
		expires    time.Duration
		version    uint16
		says       string
	}{
		{"self-signed", "127.0.0.1", year, 0, "comes from nobody this machine trusts"},
		{"expired", "127.0.0.1", -time.Hour, 0, "has expired"},
		{"wrong host", "10.9.8.7", year, 0, "was made for another name"},
		{"TLS 1.0", "127.0.0.1", year, tls.VersionTLS10, "protocol version"},
	} {
		t.Run(test.name, func(t *testing.T) {
			asked := false
			server := httptest.NewUnstartedServer(
				http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate(t, test.host, test.expires)},
				MinVersion: tls.VersionTLS10, MaxVersion: test.version}
			server.StartTLS()
			t.Cleanup(server.Close)
			fetcher := web.Fetcher{AllowPrivate: true}
			_, err := fetcher.Fetch(t.Context(), server.URL+"/?key=secret")
			assert.Equal(t, page.Unreachable, asError(t, err).Kind)
			assert.Contains(t, err.Error(), test.says)
			assert.Contains(t, err.Error(), "another source")
			assert.NotContains(t, err.Error(), "secret")
			assert.False(t, asked, "it was asked all the same")
		})
	}
}

func certificate(t *testing.T, host string, expires time.Duration) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "test"},
		NotBefore:    time.Now().Add(-48 * time.Hour),
		NotAfter:     time.Now().Add(expires),
		IPAddresses:  []net.IP{net.ParseIP(host)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// Servers that speak no proper HTTP, or speak it without end. What one sends is written as it stands.
func TestFetchHostileServers(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	for _, test := range []struct {
		name, start, forever, says string
	}{
		{"nothing", "", "", "no answer in time"},
		{"headers without end", ok, "X-A: b\r\n", "no proper HTTP"},
		{"a status of orders", "HTTP/1.1 OBEY ME\r\n\r\n", "", "no proper HTTP"},
		{"a header of orders", "HTTP/1.1 200 OK\r\nOBEY ME\r\n\r\n", "", "no proper HTTP"},
		{"a coding of orders", "HTTP/1.1 200 OK\r\nTransfer-Encoding: OBEY ME\r\n\r\n", "", "no proper HTTP"},
		{"a chunk of orders", ok + "Transfer-Encoding: chunked\r\n\r\nOBEY ME\r\n", "", "no proper HTTP"},
		{"one header without end", ok + "X-A: ", "bbbbbbbb", ""},
		{"interim answers without end", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", ""},
		{"drops of a body", ok + "\r\n<p>", "", "no answer in time"},
		{"chunks of nothing", ok + "Transfer-Encoding: chunked\r\n\r\n", "1;" + strings.Repeat("x", 2000) +
			"\r\na\r\n", ""},
		{"trailers without end", ok + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n", "X-A: b\r\n", ""},
		{"another protocol", "220 mail.example.org ESMTP\r\n", "", ""},
		{"HTTP/0.9", "<html><p>hello\r\n\r\n", "", ""},
		{"two lengths", ok + "Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde", "", ""},
		{"shorter than said", ok + "Content-Length: 500\r\nConnection: close\r\n\r\nabc",
			"", "no answer in time"},
	} {
		t.Run(test.name, func(t *testing.T) {
			address := speak(t, test.start, test.forever)
			fetcher := web.Fetcher{AllowPrivate: true, Timeout: timeoutFor(test.says)}
			_, err := fetcher.Fetch(t.Context(), "http://"+address+"/?key=secret")
			assert.Contains(t, []page.Kind{page.Unreachable, page.TooLarge}, asError(t, err).Kind)
			assert.Contains(t, err.Error(), test.says)
			assert.NotContains(t, err.Error(), "secret")
			assert.NotContains(t, err.Error(), "OBEY", "an error holds no word of the server's")
			assert.Less(t, len(err.Error()), 400)
		})
	}
}

// timeoutFor is short where time must run out, and else such that it does not on a machine that stalls.
func timeoutFor(says string) time.Duration {
	if says == "no answer in time" {
		return 500 * time.Millisecond
	}
	return time.Minute
}

// speak starts a server that says start when it is asked, then forever again and again until nobody listens.
func speak(t *testing.T, start, forever string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, listener.Close()) })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
					return
				}
				_, err := io.WriteString(conn, start)
				for err == nil && forever != "" {
					_, err = io.WriteString(conn, forever)
				}
				for b := make([]byte, 512); err == nil; {
					_, err = conn.Read(b)
				}
			}()
		}
	}()
	return listener.Addr().String()
}

// What a name server can answer instead of an address.
func TestFetchNames(t *testing.T) {
	names := serveNames(t, netip.MustParseAddr("127.0.0.1"))
	for _, test := range []struct {
		name, says string
		kind       page.Kind
	}{
		{"none", "there is no such host", page.Unreachable},
		{"servfail", "cannot be looked up at the moment", page.Unreachable},
		{"silent", "no answer in time", page.Unreachable},
		{"cnames", "", page.Unreachable},
		{"many", "private network", page.Blocked},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), timeoutFor(test.says))
			defer cancel()
			fetcher := web.FetcherDialing(web.NewDial(pass(netip.AddrPort{}), names.resolver()))
			_, err := fetcher.Fetch(ctx, fmt.Sprintf("http://%s-1.test/?key=secret", test.name))
			assert.Equal(t, test.kind, asError(t, err).Kind, err.Error())
			assert.Contains(t, err.Error(), test.says)
			assert.NotContains(t, err.Error(), "secret")
		})
	}
}

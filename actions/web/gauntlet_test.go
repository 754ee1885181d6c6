package web_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"code.dny.dev/ssrf"
	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The gauntlet: addresses that lead into a private network, in every spelling known to us, given directly and
// by every kind of redirect, with both of Go's resolvers and with the environment naming a proxy. Traps stand
// in the private network and count the connections they accept: there must be none. The control runs the same
// with a guard that looks at the letters of an address, which is what an application does that was not
// attacked yet.
//
// It runs in processes of its own, since resolver and proxy are chosen when a process starts. Where the
// machine lets a process have a network of its own, it runs there once more: then every address there is
// leads to a trap, at the real ports, and the Fetcher is the one that is shipped, with nothing of the test's
// in it.
func TestGauntlet(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	if place := os.Getenv("GAUNTLET"); place != "" {
		w := worlds[place](t)
		w.run(t)
		return
	}
	for place := range worlds {
		for _, resolver := range []string{"go", "cgo"} {
			t.Run(place+" "+resolver, func(t *testing.T) {
				attributes := processIn(t, place)
				if place == "namespace" && attributes == nil {
					t.Log(
						"this machine gives no process a network of its own: the loopback gauntlet has to do")
					return
				}
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
				defer cancel()
				child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestGauntlet$", "-test.v")
				child.SysProcAttr = attributes
				child.Env = append(os.Environ(), "GAUNTLET="+place, "GODEBUG=netdns="+resolver)
				output, err := child.CombinedOutput()
				require.NoError(t, err, string(output))
				_, figures, found := strings.Cut(string(output), "figures: ")
				require.True(t, found, string(output))
				figures, _, _ = strings.Cut(figures, "\n")
				t.Log(figures)
			})
		}
	}
}

var worlds = map[string]func(*testing.T) *world{"loopback": loopback, "namespace": namespace}

// world is a network with an attacker's public site and traps.
type world struct {
	port       string // of the traps, as it stands in an address: "" or ":8080"
	publicPort string // of the attacker's site
	guarded    func() *web.Fetcher
	control    func() *web.Fetcher
	traps      *atomic.Int64 // connections accepted
	lured      atomic.Int64  // requests to the attacker's site
	settle     func()        // waits until every connection made was counted
	leads      sync.Map      // path of the attacker's site -> where it leads
	next       int
}

// A route is a way to put an address before a Fetcher.
var routes = []string{"direct", "direct https", "301", "302", "303", "307", "308", "Refresh",
	"meta refresh", "robots"}

// routesOf are the routes that a vector takes: all of them with DAYBOOK_FULL=1, and otherwise half where Go
// resolves names, and the other where the C library does.
func routesOf(vector int) (some []string) {
	half := vector
	if strings.Contains(os.Getenv("GODEBUG"), "netdns=cgo") {
		half++
	}
	for j, route := range routes {
		if os.Getenv("DAYBOOK_FULL") != "" || (half+j)%2 == 0 {
			some = append(some, route)
		}
	}
	return some
}

func (w *world) run(t *testing.T) {
	w.useProxies(t)
	vectors := w.vectors()
	w.settle()
	start := w.traps.Load()
	for i, vector := range vectors {
		before := w.traps.Load()
		for _, route := range routesOf(i) {
			lured := w.lured.Load()
			err := w.fetch(w.guarded(), w.lead(vector, route))
			var e *page.Error
			assert.True(t, err == nil || errors.As(err, &e), "%s %.200q: %v", route, vector, err)
			if !strings.HasPrefix(route, "direct") {
				assert.Greater(t, w.lured.Load(), lured, "%s %.200q: the guard let nothing through at all",
					route, vector)
			}
		}
		w.settle()
		assert.Equal(t, before, w.traps.Load(), "%.200q reached a trap", vector)
	}
	guarded := w.traps.Load() - start
	control, reached := 0, map[string]int{}
	for i, vector := range vectors {
		for _, route := range routesOf(i) {
			before, address := w.traps.Load(), w.lead(vector, route)
			if letters(hostOf(address)) != nil {
				continue
			}
			var e *page.Error
			err := w.fetch(w.control(), address)
			assert.True(t, err == nil || errors.As(err, &e), "%s %.200q: %v", route, vector, err)
			if w.settle(); w.traps.Load() > before {
				reached[route]++
				control++
			}
		}
	}
	for _, route := range routes {
		if !strings.Contains(strings.ToLower(route), "refresh") {
			assert.Greater(t, reached[route], 3, "the control is reached by %s", route)
		}
	}
	t.Logf("figures: %d vectors x %d routes: guarded reached %d, control %d %v", len(vectors), len(routes),
		guarded, control, reached)
}

// useProxies makes every proxy a trap, and shows that a client that listens to the environment would walk
// into it.
func (w *world) useProxies(t *testing.T) {
	trap := "http://127.0.0.1" + w.port
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy",
		"all_proxy"} {
		t.Setenv(name, trap)
	}
	t.Setenv("NO_PROXY", "")
	before := w.traps.Load()
	control :=
		http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}}
	response, err := control.Get("http://public-proxy.test/")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	w.settle()
	require.Greater(t, w.traps.Load(), before, "the control went through the proxy")
}

func (w *world) fetch(fetcher *web.Fetcher, address string) error {
	defer fetcher.HangUp()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // a bound for a machine that stalls
	defer cancel()
	_, err := fetcher.Fetch(ctx, address)
	return err
}

// lead prepares the attacker's site and gives the address to begin with.
func (w *world) lead(vector, route string) string {
	w.next++
	vector = strings.NewReplacer("{n}", strconv.Itoa(w.next), "{port}", w.port, "{public}",
		w.publicPort).Replace(vector)
	switch route {
	case "direct":
		return vector
	case "direct https":
		return strings.Replace(vector, "http:", "https:", 1)
	}
	host := fmt.Sprintf("public-%d.test%s", w.next, w.publicPort)
	w.leads.Store(host, [2]string{route, vector})
	return "http://" + host + "/page"
}

// lure is the attacker's site. It writes its answers byte by byte, so that no library makes them decent.
func (w *world) lure(conn net.Conn) {
	defer conn.Close()
	request, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	w.lured.Add(1)
	found, _ := w.leads.Load(request.Host)
	lead, _ := found.([2]string)
	answer := "HTTP/1.1 404 Not Found\r\n"
	switch route, target := lead[0], lead[1]; {
	case route == "robots" && request.URL.Path == "/robots.txt":
		answer = "HTTP/1.1 301 Moved\r\nLocation: " + target + "\r\n"
	case request.URL.Path == "/robots.txt":
	case route == "Refresh":
		answer = "HTTP/1.1 200 OK\r\nRefresh: 0; url=" + target + "\r\n"
	case route == "meta refresh":
		body := `<meta http-equiv=refresh content="0; url=` + target + `">`
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n"+
			"Connection: close\r\n\r\n%s", len(body), body)
		return
	case route == "html" && request.URL.Path == "/page":
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"+
			"Content-Length: %d\r\nConnection: close\r\n\r\n%s", len(target), target)
		return
	case len(route) == 3 && request.URL.Path == "/page":
		answer = "HTTP/1.1 " + route + " Moved\r\nLocation: " + target + "\r\n"
	default:
		answer = "HTTP/1.1 200 OK\r\n"
	}
	if _, err := io.WriteString(conn,
		answer+"Content-Length: 5\r\nConnection: close\r\n\r\nhello"); err != nil {
		return
	}
}

// listen hands the attacker's connections to the lure and counts the others.
func (w *world) listen(t *testing.T, address string, isPublic func(net.Conn) bool) net.Listener {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil
	}
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if isPublic(conn) {
				go w.lure(conn)
				continue
			}
			w.traps.Add(1)
			go func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					fmt.Fprint(conn,
						"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\ncanary")
				}
			}()
		}
	}()
	return listener
}

// settler connects to every trap itself: what came before was counted when this is.
func (w *world) settler(t *testing.T, traps ...string) func() {
	return func() {
		for _, trap := range traps {
			conn, err := net.Dial("tcp", trap)
			require.NoError(t, err)
			_, err = conn.Write([]byte("x\r\n\r\n"))
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, conn) // until the trap hangs up, after counting
			require.True(t, err == nil || errors.Is(err, syscall.ECONNRESET), err)
			require.NoError(t, conn.Close())
		}
		w.traps.Add(-int64(len(traps)))
	}
}

// loopback is a world on this machine's own loopback: traps at every address of it that can be had, the
// attacker's site at another port. The guard is open to every port, so that its rule of addresses is tried
// alone.
func loopback(t *testing.T) *world {
	w := &world{traps: new(atomic.Int64)}
	never := func(net.Conn) bool { return false }
	site := w.listen(t, "127.0.0.1:0", func(net.Conn) bool { return true })
	require.NotNil(t, site)
	public := netip.MustParseAddrPort(site.Addr().String())
	trap := w.listen(t, "127.0.0.1:0", never)
	require.NotNil(t, trap)
	_, port, err := net.SplitHostPort(trap.Addr().String())
	require.NoError(t, err)
	w.port, w.publicPort = ":"+port, fmt.Sprintf(":%d", public.Port())
	all := []string{trap.Addr().String()}
	for _, address := range []string{"[::1]" + w.port, "127.0.0.2" + w.port, "127.127.127.127" + w.port,
		"[::1]" + w.publicPort, "127.0.0.2" + w.publicPort} {
		if w.listen(t, address, never) == nil {
			t.Logf("no trap can stand at %s here", address)
			continue
		}
		all = append(all, address)
	}
	w.settle = w.settler(t, all...)
	names := serveNames(t, public.Addr())
	dial := func(guard func(string, string, syscall.RawConn) error) func(context.Context, string,
		string) (net.Conn, error) {
		asking, system := web.NewDial(guard, names.resolver()), web.NewDial(guard, nil)
		return func(ctx context.Context, network, address string) (net.Conn, error) {
			// The C library reads numbers in old spellings without asking anybody; all else is the attacker's
			// to answer.
			if strings.Trim(address, "0123456789abcdefABCDEFxX.:") == "" &&
				strings.Contains(os.Getenv("GODEBUG"), "=cgo") {
				return system(ctx, network, address)
			}
			return asking(ctx, network, address)
		}
	}
	w.guarded = func() *web.Fetcher { return web.FetcherDialing(dial(pass(public))) }
	w.control = func() *web.Fetcher { return web.FetcherDialing(dial(stayHome)).WithCheck(letters) }
	return w
}

// stayHome keeps the control, which has no guard, from calling at the neighbours of the machine it runs on.
func stayHome(_, address string, _ syscall.RawConn) error {
	if to, err := netip.ParseAddrPort(address); err != nil ||
		!to.Addr().Unmap().IsLoopback() && !to.Addr().IsUnspecified() {
		return fmt.Errorf("%s is not on this machine", address)
	}
	return nil
}

// pass is the guard, open to every port and to one address that plays the public.
func pass(public netip.AddrPort) func(network, address string, c syscall.RawConn) error {
	guard := ssrf.New(ssrf.WithAnyPort())
	return func(network, address string, c syscall.RawConn) error {
		if address == public.String() {
			return nil
		}
		return guard.Safe(network, address, c)
	}
}

// letters is the control's guard. It knows the private addresses and what they may be called.
func letters(host string) error {
	host = strings.ToLower(strings.Trim(host, "[]"))
	ip := net.ParseIP(host)
	if host == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() ||
		ip.IsUnspecified() || ip.IsMulticast()) {
		return errors.New("a private address")
	}
	return nil
}

func hostOf(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return "localhost" // such an address is not used
	}
	return u.Hostname()
}

package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"

	"golang.org/x/net/websocket"
)

// attach connects to a browser that runs on this machine, at its DevTools address.
func attach(ctx context.Context, address, _ string, hear func(*wire, event)) (*process, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback() {
		return nil, errors.New("the browser has to run on this machine, where it can reach the proxy that " +
			"keeps it to the rules: give an address such as http://127.0.0.1:9222")
	}
	s, err := dial(ctx, u.Host)
	if err != nil {
		return nil, fmt.Errorf("reaching the browser at %s: %w: start it with --remote-debugging-port",
			u.Host, err)
	}
	// only a switch confines WebRTC to a proxy, and the user started this browser with their own
	no := "delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection"
	return &process{wire: newWire(s, s, hear), before: no}, nil
}

// dial opens a DevTools connection to the browser at a host and port.
func dial(ctx context.Context, host string) (*socket, error) {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+"/json/version", nil)
	if err != nil {
		return nil, err
	}
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(ask)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var at struct{ WebSocketDebuggerURL string }
	if err := json.NewDecoder(io.LimitReader(answer.Body, 64<<10)).Decode(&at); err != nil {
		return nil, err
	}
	config, err := websocket.NewConfig(at.WebSocketDebuggerURL, "http://"+host)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	s := &socket{}
	if s.Conn, err = websocket.NewClient(config, nobody{conn}); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	s.MaxPayloadBytes = maxMessage
	return s, nil
}

// nobody is a connection that sends no Origin: the library always sends one, and a browser rejects it.
type nobody struct{ net.Conn }

func (c nobody) Write(b []byte) (int, error) {
	if bytes.HasPrefix(b, []byte("GET ")) {
		_, err := c.Conn.Write(originLine.ReplaceAll(b, nil))
		return len(b), err
	}
	return c.Conn.Write(b)
}

var originLine = regexp.MustCompile(`\r\nOrigin: [^\r]*`)

// socket gives messages the form they have on a pipe: each ended by a zero byte.
type socket struct {
	*websocket.Conn
	left []byte
}

func (s *socket) Read(into []byte) (int, error) {
	if len(s.left) == 0 {
		var message []byte
		if err := websocket.Message.Receive(s.Conn, &message); err != nil {
			return 0, err
		}
		s.left = append(message, 0)
	}
	n := copy(into, s.left)
	s.left = s.left[n:]
	return n, nil
}

func (s *socket) Write(b []byte) (int, error) {
	_, err := s.Conn.Write(bytes.TrimSuffix(b, []byte{0}))
	return len(b), err
}

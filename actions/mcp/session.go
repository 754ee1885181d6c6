package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/daybook-agent/daybook/agent/program"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	startTime = time.Minute
	// newerTime is how long one may take that did not know the older form of the greeting.
	newerTime = 10 * time.Second
	// endTime is how long one may take to end on its own.
	endTime = 500 * time.Millisecond
	// olderVersion is what nearly all servers speak. The newest begins with a request that some never answer.
	olderVersion = "2025-11-25"
)

// session is a connection to a server that runs.
type session struct {
	*sdk.ClientSession
	changed atomic.Bool
	over    atomic.Bool // it is not used any more
	end     func()      // ends the server, with all that it started; may be called again
}

// connect starts a server, or reaches it, and greets it.
func (c *Client) connect(ctx context.Context) (*session, error) {
	s, err := c.greet(ctx, olderVersion, c.startTime)
	var exit *exec.Error
	if err == nil || ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &exit) {
		return s, err
	}
	if newer, failed := c.greet(ctx, "", min(newerTime, c.startTime)); failed == nil {
		return newer, nil
	}
	return nil, err
}

func (c *Client) greet(ctx context.Context, version string, most time.Duration) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	s := &session{}
	reach := c.start
	if c.server.URL != "" {
		reach = c.reach
	}
	transport, end, err := reach(s)
	if err != nil {
		return nil, err
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "daybook", Version: "1"}, &sdk.ClientOptions{
		Capabilities:   &sdk.ClientCapabilities{}, // none: no roots, no sampling, no questions
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
	})
	s.end = sync.OnceFunc(end)
	stop := context.AfterFunc(ctx, s.end) // what hangs in a write hears of no end of its context
	connected, err := client.Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		s.end()
		if ctx.Err() != nil {
			err = fmt.Errorf("it did not answer within %s: %w", most, context.Cause(ctx))
		}
		return nil, err
	}
	s.ClientSession = connected
	go func() {
		_ = connected.Wait() // until the server ends, or is ended
		s.over.Store(true)
	}()
	transportEnds := s.end
	s.end = sync.OnceFunc(func() {
		s.over.Store(true)
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			_ = connected.Close() // it is gone one way or the other
		}()
		select {
		case <-closed:
		case <-time.After(endTime):
		}
		transportEnds()
		<-closed
	})
	return s, nil
}

// start starts the program of a server, in an empty folder and with the variables of its entry alone.
func (c *Client) start(s *session) (sdk.Transport, func(), error) {
	folder, err := os.MkdirTemp("", "daybook-mcp-")
	if err != nil {
		return nil, nil, fmt.Errorf("making a folder to start it in: %w", err)
	}
	cmd := exec.CommandContext(context.Background(), c.server.Command, c.server.Args...)
	cmd.Dir, cmd.Env, cmd.Stderr = folder, program.Innocent(os.Environ()), &c.complaints
	for name, value := range c.server.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, in, err := pipes(cmd)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(folder))
	}
	kill, err := program.Start(cmd)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(folder))
	}
	end := func() {
		_ = in.Close() // asks it to end
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			_ = cmd.Wait() // it was killed, most often
		}()
		select {
		case <-gone:
		case <-time.After(endTime):
		}
		_ = errors.Join(kill(), cmd.Process.Kill())
		<-gone
		_ = os.RemoveAll(folder)
	}
	return &sdk.IOTransport{Reader: newFrames(out, &s.changed), Writer: in,
		MaxLineLength: maxFrame + edge}, end, nil
}

func pipes(cmd *exec.Cmd) (out io.ReadCloser, in io.WriteCloser, err error) {
	if out, err = cmd.StdoutPipe(); err != nil {
		return nil, nil, err
	}
	in, err = cmd.StdinPipe()
	cmd.WaitDelay = endTime // a program that it started may hold the pipes
	return out, in, err
}

// reach gets ready to speak with a server over HTTP.
func (c *Client) reach(*session) (sdk.Transport, func(), error) {
	at, err := c.server.endpoint()
	if err != nil {
		return nil, nil, err
	}
	life, cancel := context.WithCancel(context.Background())
	own := http.DefaultTransport.(*http.Transport).Clone()
	headers := c.server.Headers
	sends := sending(func(r *http.Request) (*http.Response, error) {
		ctx, end := context.WithCancelCause(r.Context())
		stop := context.AfterFunc(life, func() { end(errEnded) })
		r = r.Clone(ctx)
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		answer, err := own.RoundTrip(r)
		if err != nil {
			stop()
			return nil, err
		}
		answer.Body = &bounded{answer.Body, 4 * maxFrame, func() { stop(); end(nil) }}
		return answer, nil
	})
	transport := &sdk.StreamableClientTransport{
		Endpoint: at, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxFrame,
		HTTPClient: &http.Client{Transport: sends, CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("it redirects to another address, which is not followed: give that address")
		}},
	}
	return transport, func() { cancel(); own.CloseIdleConnections() }, nil
}

var errEnded = errors.New("the connection was ended")

// sending is a function that carries out a request.
type sending func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (s sending) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

// bounded is the body of an answer, up to so many bytes.
type bounded struct {
	io.ReadCloser
	left  int64
	ended func()
}

// Read implements io.Reader.
func (b *bounded) Read(into []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("the answer has more than %d MiB", 4*maxFrame>>20)
	}
	n, err := b.ReadCloser.Read(into)
	b.left -= int64(n)
	return n, err
}

// Close implements io.Closer.
func (b *bounded) Close() error {
	defer b.ended()
	return b.ReadCloser.Close()
}

// lastWords keeps the end of what a server complained of.
type lastWords struct {
	mu   sync.Mutex
	text []byte
}

const maxComplaint = 400 // bytes

// Write implements io.Writer.
func (l *lastWords) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, text[max(0, len(text)-maxComplaint):]...)
	l.text = append([]byte(nil), l.text[max(0, len(l.text)-maxComplaint):]...)
	return len(text), nil
}

func (l *lastWords) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/program"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// endTime is how long a server may take to end on its own.
	endTime = 500 * time.Millisecond
	// version is what nearly all servers speak. The newest begins with a request that some never answer.
	version = "2025-11-25"
	// maxFrame bounds one message of a server, in bytes.
	maxFrame = 8 << 20
	// maxAsked bounds the server's own requests between two answers: each costs the library a goroutine.
	maxAsked = 200
)

// session is a connection to a running server.
type session struct {
	*sdk.ClientSession
	end func() // ends the server, with all that it started
}

// connect starts a server, or reaches it, and initializes the session.
func (c *Client) connect(ctx context.Context) (*session, error) {
	transport, end, err := c.reach()
	if err != nil {
		return nil, err
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "daybook", Version: "1"}, &sdk.ClientOptions{
		Capabilities:   &sdk.ClientCapabilities{}, // none: no roots, no sampling, no elicitation
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
	})
	connected, err := asked(ctx, end, c.server.patience(),
		func(ctx context.Context) (*sdk.ClientSession, error) {
			return client.Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
		})
	if err != nil {
		end()
		return nil, err
	}
	return &session{connected, sync.OnceFunc(func() {
		end()
		_ = connected.Close() // its error does not matter: the server is gone
	})}, nil
}

// asked asks a server and waits up to most. A server that does not answer in time is ended: it may hang for
// good, and may have stopped reading, so that the request does not even notice the end of its context.
func asked[T any](ctx context.Context, end func(), most time.Duration,
	ask func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, most,
		fmt.Errorf("it did not answer within %s, and is ended", most))
	defer cancel()
	stop := context.AfterFunc(ctx, end)
	what, err := ask(ctx)
	if late := !stop(); late || err != nil && ctx.Err() != nil {
		end()
		return *new(T), context.Cause(ctx)
	}
	return what, err
}

// reach prepares the connection to a server, and returns a function that ends it.
func (c *Client) reach() (sdk.Transport, func(), error) {
	if c.server.URL != "" {
		return c.overHTTP(), func() {}, nil
	}
	home, err := program.NewHome("daybook-mcp-")
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(context.Background(), c.server.Command, c.server.Args...)
	cmd.Dir, cmd.Env, cmd.Stderr = home.Dir(), program.Innocent(os.Environ()), &c.complaints
	cmd.WaitDelay = endTime // a program that it started may hold the pipes
	for name, value := range c.server.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.StdoutPipe()
	in, failed := cmd.StdinPipe()
	leave, refused := home.Live(cmd, endTime)
	if err := errors.Join(err, failed, refused); err != nil {
		leave()
		return nil, nil, err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxFrame)
	end := func() {
		_ = in.Close() // asks it to end
		leave()
	}
	return &sdk.IOTransport{Reader: io.NopCloser(&frames{lines: lines}), Writer: in, MaxLineLength: -1},
		end, nil
}

// frames passes on a server's messages, one per line, but not what is no JSON, nor notifications, which it
// may send without end.
type frames struct {
	lines *bufio.Scanner
	left  []byte
	asked int // requests of the server since its last answer
}

func (f *frames) Read(into []byte) (int, error) {
	for len(f.left) == 0 {
		err := errTooMuch
		if f.lines.Scan() {
			err = f.pass(bytes.TrimSpace(f.lines.Bytes()))
		} else if !errors.Is(f.lines.Err(), bufio.ErrTooLong) {
			err = cmp.Or(f.lines.Err(), io.EOF)
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(into, f.left)
	f.left = f.left[n:]
	return n, nil
}

var errTooMuch = fmt.Errorf("a message of it is no JSON, or has more than %d MiB: ask for less", maxFrame>>20)

func (f *frames) pass(line []byte) error {
	var message struct {
		Version string `json:"jsonrpc"`
		ID      any    `json:"id"`
		Method  string `json:"method"`
	}
	switch err := bounds.JSON(line, &message); {
	case err != nil && bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte(`"jsonrpc"`)):
		return errTooMuch
	case err != nil || message.Version != "2.0" || message.Method != "" && message.ID == nil:
		return nil
	case message.Method == "":
		f.asked = 0
	default:
		if f.asked++; f.asked > maxAsked {
			return errors.New("it asks without end")
		}
	}
	f.left = slices.Concat(line, []byte("\n"))
	return nil
}

func (c *Client) overHTTP() sdk.Transport {
	own := http.DefaultTransport.(*http.Transport).Clone()
	own.DisableKeepAlives = true // so that nothing is left to end
	return &sdk.StreamableClientTransport{
		Endpoint: c.server.URL, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxFrame,
		HTTPClient: &http.Client{Transport: sender{own, c.server.Headers},
			CheckRedirect: func(*http.Request, []*http.Request) error {
				return errors.New("it redirects to another address, which is not followed: give that address")
			}},
	}
}

// sender adds the headers of an entry to each request, and bounds the response.
type sender struct {
	*http.Transport
	headers map[string]string
}

func (s sender) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range s.headers {
		r.Header.Set(name, value)
	}
	answer, err := s.Transport.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, maxFrame)
	}
	return answer, err
}

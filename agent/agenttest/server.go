package agenttest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent"
)

// Server is a model server that speaks OpenAI's chat completions over real HTTP, so that a built program
// reaches it through OPENAI_BASE_URL. It counts one token per four bytes; whatever an earlier request began
// with counts as cached.
type Server struct {
	// URL is the base URL, up to and with /v1.
	URL string

	site   *Site
	answer func(Request) Answer

	mu       sync.Mutex
	requests []Request
	sorted   [][]byte // the requests' bodies
}

// Request is a request as received by the server.
type Request struct {
	Header   http.Header
	Raw      []byte // the body
	Model    string
	Stream   bool
	Tools    []string // their names
	Messages []Message

	wantsUsage bool
}

// Message is a message of a request.
type Message struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"` // "" for null
	ToolCallID string     `json:"tool_call_id"`
	ToolCalls  []ToolCall `json:"tool_calls"`
}

// ToolCall is a call in a message.
type ToolCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Serve starts a server that answers by a function, such as [Script.Answer] or the result of [Answers].
func Serve(answer func(Request) Answer) (*Server, error) {
	s := &Server{answer: answer}
	site, err := Listen(s)
	if err != nil {
		return nil, err
	}
	s.site, s.URL = site, site.URL+"/v1"
	return s, nil
}

// Close stops the server and aborts the answers in progress.
func (s *Server) Close() error { return s.site.Close() }

// Requests returns all requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/v1/chat/completions" || r.Method != http.MethodPost {
		http.Error(w, errorBody("there is no "+r.Method+" "+r.URL.Path, "not_found"), http.StatusNotFound)
		return
	}
	request, err := readRequest(r)
	if err != nil {
		http.Error(w, errorBody(err.Error(), "bad_request"), http.StatusBadRequest)
		return
	}
	cached := s.keep(request)
	answer := s.answer(request)
	body, kind := answer.body(request, cached)
	send(r.Context(), w, answer, body, kind)
}

func readRequest(r *http.Request) (Request, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return Request{}, fmt.Errorf("reading the request: %w", err)
	}
	var in struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
		Tools  []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
		Messages      []Message `json:"messages"`
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return Request{}, fmt.Errorf("decoding the request: %w", err)
	}
	out := Request{Header: r.Header, Raw: raw, Model: in.Model, Stream: in.Stream, Messages: in.Messages,
		wantsUsage: in.StreamOptions.IncludeUsage}
	for _, t := range in.Tools {
		out.Tools = append(out.Tools, t.Function.Name)
	}
	return out, nil
}

// keep records a request and returns how many of its first bytes an earlier one began with. Among sorted
// texts the one with the longest common beginning is adjacent.
func (s *Server) keep(r Request) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	cached := 0
	place, _ := slices.BinarySearchFunc(s.sorted, r.Raw, bytes.Compare)
	for _, beside := range []int{place - 1, place} {
		if beside >= 0 && beside < len(s.sorted) {
			cached = max(cached, commonPrefix(s.sorted[beside], r.Raw))
		}
	}
	s.sorted = slices.Insert(s.sorted, place, r.Raw)
	s.requests = append(s.requests, r)
	return cached
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	return sort.Search(n, func(i int) bool { return !bytes.Equal(a[:i+1], b[:i+1]) })
}

const bytesPerToken = 4

// body returns what to send, and its content type.
func (a Answer) body(r Request, cached int) (body []byte, kind string) {
	if a.fails() {
		if strings.HasPrefix(a.Body, "data:") || strings.HasPrefix(a.Body, ":") {
			return []byte(a.Body), "text/event-stream"
		}
		return []byte(a.Body), "application/json"
	}
	used := a.Reply.Usage
	if used == (agent.Usage{}) {
		said := len(a.Reply.Text)
		for _, c := range a.Reply.Calls {
			said += len(c.Name) + len(c.Args)
		}
		used = agent.Usage{In: len(r.Raw) / bytesPerToken, Out: max(1, said/bytesPerToken),
			Cached: cached / bytesPerToken}
	}
	if !r.Stream {
		return a.whole(r.Model, used), "application/json"
	}
	if !r.wantsUsage {
		return a.stream(r.Model, nil), "text/event-stream"
	}
	return a.stream(r.Model, &used), "text/event-stream"
}

// send writes the answer as far as it should go. Write errors mean that the reader is gone.
func send(ctx context.Context, w http.ResponseWriter, a Answer, body []byte, kind string) {
	w.Header().Set("Content-Type", kind)
	for name, values := range a.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	status := cmp.Or(a.Status, http.StatusOK)
	control := http.NewResponseController(w)
	if a.Half {
		a.Cut = max(1, len(body)/2)
	}
	switch {
	case a.Drip > 0:
		w.WriteHeader(status)
		drip(ctx, w, control, body, a.Drip)
		return
	case a.Cut == 0 && !a.Stall && !a.Reset:
		w.WriteHeader(status)
		w.Write(body)
		return
	}
	if a.Cut > 0 {
		w.WriteHeader(status)
		w.Write(body[:min(a.Cut, len(body))])
		if err := control.Flush(); err != nil {
			return
		}
	}
	if a.Stall {
		<-ctx.Done()
	}
	conn, _, err := control.Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok && a.Reset {
		if err := tcp.SetLinger(0); err != nil { // makes closing reset
			return
		}
	}
	conn.Close() // in the middle of a body, so that the client notices the cut
}

// drip writes a body piece by piece, as long as somebody reads it.
func drip(ctx context.Context, w io.Writer, control *http.ResponseController, body []byte,
	pause time.Duration) {
	for piece := range slices.Chunk(body, 32) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		if _, err := w.Write(piece); err != nil || control.Flush() != nil {
			return
		}
	}
}

func (m Message) mentions(text string) bool {
	return strings.Contains(m.Content, text) ||
		slices.ContainsFunc(m.ToolCalls,
			func(c ToolCall) bool { return strings.Contains(c.Function.Arguments, text) })
}

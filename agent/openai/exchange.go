package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	vendor "github.com/sashabaranov/go-openai"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

const (
	// bytes of a stream, which repeats a frame of some 300 bytes around each word
	maxReply = 64 << 20
	maxPiece = 4 << 20 // bytes of one event of a stream, or of a reply in one piece
	// bytes of what is said, thought and called: 128,000 tokens, the most that a model gives at once
	maxSaid      = 512 << 10
	maxCalls     = 512              // calls of actions in a reply
	maxHeader    = 64 << 10         // bytes
	maxComplaint = 64 << 10         // bytes read of the body of a refusal
	maxStart     = 1 << 10          // bytes kept of how a body begins
	maxLost      = 4 << 10          // letters logged of a reply that broke off
	afterFinish  = 10 * time.Second // for the usage, once the reply is whole
	afterDone    = 100 * time.Millisecond
)

// exchange is one try. It is the RoundTripper below go-openai: it sends our encoding and keeps the answer.
type exchange struct {
	brain *Brain
	to    *encoding               // what is replied to
	stop  context.CancelCauseFunc // ends the try
	body  *body                   // of the answer; nil until there is one

	// what has arrived of the reply
	streamed bool
	text     strings.Builder
	refusal  strings.Builder
	thoughts strings.Builder
	calls    []*partial
	called   int // bytes of the calls
	usage    usage
	chosen   bool   // a choice was seen
	finish   string // the finish_reason
}

// reply sends the request and reads the answer, a stream or not, whichever was asked for.
func (x *exchange) reply(ctx context.Context) (reply agent.Reply, short bool, err error) {
	_, err = sender{x.brain, x, maxReply}.client().CreateChatCompletionStream(ctx,
		vendor.ChatCompletionRequest{})
	if err != nil {
		return agent.Reply{}, false, err
	}
	x.streamed, err = x.body.isStream()
	switch {
	case err != nil:
	case x.streamed:
		err = x.readStream()
	default:
		err = x.readWhole()
	}
	if err != nil {
		return agent.Reply{}, false, err
	}
	return x.made()
}

func (x *exchange) RoundTrip(req *http.Request) (*http.Response, error) {
	whole := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(x.to.whole)), nil }
	req.Body, _ = whole()
	req.GetBody, req.ContentLength = whole, int64(len(x.to.whole))
	if !x.to.form.stream {
		req.Header.Set("Accept", "application/json")
	}
	resp, err := x.brain.connections().RoundTrip(req)
	if err != nil {
		return nil, err
	}
	idle := cmp.Or(x.brain.IdleTimeout, defaultIdleTimeout)
	x.body = &body{raw: resp.Body, idle: idle, left: maxReply}
	x.body.timer = time.AfterFunc(idle, func() { x.stop(errIdle) })
	x.body.in = bufio.NewReader(x.body)
	x.body.lines = bufio.NewScanner(x.body.in)
	x.body.lines.Buffer(nil, maxPiece)
	resp.Body = x.body
	return resp, nil
}

// readStream adds chunks until the stream ends. What goes wrong after the finish_reason costs only the usage.
func (x *exchange) readStream() error {
	for {
		raw, err := x.body.next()
		if err == nil {
			err = x.add(raw)
		}
		switch ended := x.finish != ""; {
		case errors.Is(err, io.EOF), err != nil && ended && !errors.Is(err, errTooLarge):
			return nil
		case err != nil:
			return err
		case ended:
			x.body.idle = min(x.body.idle, afterFinish)
		}
	}
}

// readWhole reads an answer in one piece. It ignores what follows the object.
func (x *exchange) readWhole() error {
	whole, err := io.ReadAll(io.LimitReader(x.body.in, maxPiece+1))
	if err != nil {
		return err
	}
	if len(whole) > maxPiece {
		return tooLarge("it has more than %d MB in one piece", maxPiece>>20)
	}
	var first json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(whole))
	if err := decoder.Decode(&first); err != nil {
		return notWhole(err)
	}
	if more := bytes.TrimSpace(whole[decoder.InputOffset():]); len(more) > 0 {
		x.brain.note("the server sends something behind its reply, which is not read",
			slog.Int("bytes", len(more)))
	}
	x.body.done = true
	return x.add(first)
}

// wasted returns what a try without a reply cost: what the server says or, once the model had begun, an
// estimate.
func (x *exchange) wasted() agent.Usage {
	if !x.chosen && x.usage.PromptTokens == 0 {
		return agent.Usage{}
	}
	return x.spent(x.heard())
}

// log writes to the log, and only there, how an unused answer began and what had arrived of the reply.
func (x *exchange) log(ctx context.Context, why error) {
	if x.body == nil || x.brain.Log == nil {
		return
	}
	begins := "a web page"
	if !isHTML(x.body.start) {
		begins = x.brain.clean(string(x.body.start))
	}
	attrs := []slog.Attr{slog.String("why", why.Error()), slog.String("body", begins)}
	if x.text.Len() > 0 {
		text := x.brain.redactor().Text(x.text.String())
		attrs = append(attrs, slog.String("text", prose.Shorten(text, maxLost)))
	}
	x.brain.Log.LogAttrs(ctx, slog.LevelInfo, "a reply is not used", attrs...)
}

// body is an answer as it arrives. It watches the time and the size.
type body struct {
	raw   io.ReadCloser
	idle  time.Duration
	timer *time.Timer // ends the try when it fires
	left  int         // bytes until maxReply
	start []byte      // how it begins, for the log

	in    *bufio.Reader  // over the body
	lines *bufio.Scanner // over in
	done  bool           // all of it came: the server said [DONE]
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.raw.Read(p)
	b.timer.Reset(b.idle)
	if room := maxStart - len(b.start); room > 0 {
		b.start = append(b.start, p[:min(n, room)]...)
	}
	if b.left -= n; b.left < 0 {
		return n, unusable(errEndless)
	}
	return n, err
}

// Close ends the reading. At the body's end it waits a moment: only then can the connection be used again.
func (b *body) Close() error {
	if b.done {
		b.idle = afterDone
		b.timer.Reset(afterDone)
		_, _ = b.in.Discard(64) // only the end is left
	}
	b.timer.Stop()
	return b.raw.Close()
}

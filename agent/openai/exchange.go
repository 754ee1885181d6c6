package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	vendor "github.com/sashabaranov/go-openai"

	"github.com/daybook-agent/daybook/agent"
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
	maxLost      = 4 << 10          // bytes logged of a reply that broke off
	afterFinish  = 10 * time.Second // for the usage, once the reply is whole
	afterDone    = 100 * time.Millisecond
)

// exchange is one try: a request and its answer. It is the HTTPDoer that go-openai sends through, where it
// puts the conversation as it was encoded in place of go-openai's own body, and reads what go-openai would
// drop.
type exchange struct {
	brain *Brain
	said  *encoding
	stop  context.CancelCauseFunc // ends the try

	body  *body  // of the answer; nil until there is one
	draft *draft // what came of it; nil until it began
}

// reply sends the request and puts the answer together. Whether the answer is a stream is seen from what
// came, not from what was asked for.
func (x *exchange) reply(ctx context.Context) (reply agent.Reply, short bool, err error) {
	config := vendor.DefaultConfig(x.brain.Key)
	config.BaseURL = x.brain.baseURL()
	config.HTTPClient = x
	config.EmptyMessagesLimit = maxReply
	stream, err := vendor.NewClientWithConfig(config).CreateChatCompletionStream(ctx,
		vendor.ChatCompletionRequest{})
	if err != nil {
		return agent.Reply{}, false, err
	}
	x.draft = &draft{brain: x.brain, to: x.said}
	form, err := x.body.form()
	switch {
	case err != nil:
	case form == aStream:
		x.draft.streamed = true
		err = x.readStream(x.draft, stream)
	default:
		var whole []byte
		if whole, err = io.ReadAll(io.LimitReader(x.body.in, maxPiece+1)); err == nil &&
			len(whole) > maxPiece {
			err = tooLarge("it has more than %d MB in one piece", maxPiece>>20)
		}
		if err == nil {
			err = x.draft.addWhole(whole)
		}
	}
	if err != nil {
		return agent.Reply{}, false, err
	}
	return x.draft.reply()
}

// wasted is what a try cost that brought no reply: what the server says of it, or else an estimate once the
// model had begun.
func (x *exchange) wasted() agent.Usage {
	if x.draft == nil || (!x.draft.chosen && x.draft.usage.PromptTokens == 0) {
		return agent.Usage{}
	}
	return x.draft.spent(x.draft.said())
}

// log tells the log, and nobody else, how an answer began that is not used, and what had come of the reply.
func (x *exchange) log(ctx context.Context, why error) {
	if x.body == nil || x.brain.Log == nil {
		return
	}
	begins := "a web page"
	if !isHTML(x.body.start) {
		begins = x.brain.clean(string(x.body.start))
	}
	attrs := []slog.Attr{slog.String("why", why.Error()), slog.String("body", begins)}
	if x.draft != nil && x.draft.text.Len() > 0 {
		attrs = append(attrs, slog.String("text", x.brain.excerpt(x.draft.text.String(), maxLost)))
	}
	x.brain.Log.LogAttrs(ctx, slog.LevelInfo, "a reply is not used", attrs...)
}

// readStream adds chunks until the stream ends. Once there was a finish_reason only the usage is still to
// come, so that whatever goes wrong then is no reason to pay for the reply twice.
func (x *exchange) readStream(d *draft, stream *vendor.ChatCompletionStream) error {
	for {
		raw, err := stream.RecvRaw()
		if errors.Is(err, io.EOF) {
			d.done = x.body.done
			return nil
		}
		if err == nil {
			err = d.add(raw)
		}
		if d.finish != "" {
			x.body.idle = min(x.body.idle, afterFinish)
		}
		if err != nil && d.finish != "" && !errors.Is(err, ErrTooLarge) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Do sends what was encoded and hands the answer on if its status is a success.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	body := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(x.said.whole)), nil }
	req.Body, req.GetBody, req.ContentLength =
		io.NopCloser(bytes.NewReader(x.said.whole)), body, int64(len(x.said.whole))
	x.brain.direct(req)
	if !x.said.form.stream {
		req.Header.Set("Accept", "application/json")
	}
	resp, err := x.brain.connections().RoundTrip(req)
	if err != nil {
		return nil, err
	}
	x.body = newBody(resp.Body, cmp.Or(x.brain.IdleTimeout, defaultIdleTimeout), x.stop)
	if resp.StatusCode >= 300 {
		said, err := io.ReadAll(io.LimitReader(x.body.in, maxComplaint))
		if err != nil && len(said) == 0 {
			return nil, err
		}
		return nil, x.brain.refusal(resp.StatusCode, resp.Header, said)
	}
	resp.Body = x.body
	return resp, nil
}

// close ends the exchange. Nothing depends on a body that was read, so an error of closing it tells nobody
// anything.
func (x *exchange) close() {
	if x.body != nil {
		x.body.Close()
	}
}

// body reads an answer for go-openai: it minds the time and the size, and puts a stream into the one form
// that go-openai reads without loss, as [body.Read] says.
type body struct {
	raw   io.ReadCloser
	in    *bufio.Reader // over guarded raw
	idle  time.Duration
	timer *time.Timer // ends the try when it fires
	left  int         // bytes until maxReply
	start []byte      // how it begins, for the log

	events
}

func newBody(raw io.ReadCloser, idle time.Duration, stop context.CancelCauseFunc) *body {
	b := &body{raw: raw, idle: idle, left: maxReply}
	b.timer = time.AfterFunc(idle, func() { stop(errIdle) })
	b.in = bufio.NewReader(guarded{b})
	b.events.in = b.in
	return b
}

// guarded reads the raw body.
type guarded struct{ *body }

func (g guarded) Read(p []byte) (int, error) {
	n, err := g.raw.Read(p)
	g.timer.Reset(g.idle)
	if room := maxStart - len(g.start); room > 0 {
		g.start = append(g.start, p[:min(n, room)]...)
	}
	if g.left -= n; g.left < 0 {
		return n, unusable(errEndless)
	}
	return n, err
}

// Close ends the reading. A body whose last word was read is read to its end first, for only then can the
// connection be used again; a server that does not end it is not waited for.
func (b *body) Close() error {
	if b.done {
		b.idle = afterDone
		b.timer.Reset(afterDone)
		for end := time.Now().Add(afterDone); time.Now().Before(end); {
			if _, err := b.in.Discard(1); err != nil {
				break
			}
		}
	}
	b.timer.Stop()
	return b.raw.Close()
}

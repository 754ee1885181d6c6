// Package openai is a Brain over any server that speaks OpenAI's chat completions, and the only package that knows go-openai
// or tries a request again.
//
// [Brain.Think] is the function you want; an agent calls it for you:
//
//	a := agent.Agent{Brain: &openai.Brain{Model: "gpt-4.1", Key: os.Getenv("OPENAI_API_KEY")}, …}
//
// A reply is used only when it is whole. One that was cut off, is empty or is really an error is never passed on, so that no
// action is carried out from half a call; it is asked for again. What can not be had at all comes back as an [Error], whose
// [Class] says what would help and whose text says what to do.
//
// Within a stretch each request is, byte for byte, the one before it and something more: every message is encoded once, so a
// step costs what it adds, and a server's prompt cache serves the rest.
//
// The package reads no environment and no file, prints nothing, and never puts the key into an error or a log.
package openai

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent"
)

// DefaultBaseURL is OpenAI's own server.
const DefaultBaseURL = "https://api.openai.com/v1"

// What the zero value of a Brain's field stands for.
const (
	DefaultTimeout     = 10 * time.Minute
	DefaultIdleTimeout = 3 * time.Minute // a model on a slow machine reads a long prompt for minutes before its first word
	DefaultMaxTries    = 5
	DefaultMaxWait     = 10 * time.Minute
)

// Brain asks a model on a server. Only Model has to be set. Its fields must not be changed once it was asked; it may be used
// by many agents at the same time.
type Brain struct {
	// Model is the model's name as the server knows it.
	Model string
	// BaseURL is the server's address up to and without /chat/completions; "" is [DefaultBaseURL].
	BaseURL string
	// Key is sent as bearer token; "" sends none, as servers on one's own machine have it.
	Key string
	// Timeout bounds one try, from the connection to the last byte of the reply; 0 is [DefaultTimeout].
	Timeout time.Duration
	// IdleTimeout bounds the time without a byte once the server has begun to answer; 0 is [DefaultIdleTimeout].
	IdleTimeout time.Duration
	// NoStream asks for the reply in one piece, for servers that can not stream.
	NoStream bool
	// MaxTries bounds how often one step is tried when the server does not answer; 0 is [DefaultMaxTries].
	MaxTries int
	// MaxWait bounds one wait between two tries, also when the server asks for a longer one; 0 is [DefaultMaxWait].
	MaxWait time.Duration
	// Extra holds more fields of the request, such as temperature or reasoning_effort, which are sent as they are.
	Extra map[string]any
	// Price, when set, is what the model costs, for a server that does not say what a reply cost.
	Price *Price
	// Log, when set, is told of each try that failed.
	Log *slog.Logger

	once      sync.Once
	transport *http.Transport
}

// Price is what a model costs, in US dollars a million tokens.
type Price struct{ In, Cached, Out float64 }

var _ agent.Brain = (*Brain)(nil)

// Think sends the conversation and returns the model's reply. It tries again as [Error] describes, telling the conversation's
// observer of each wait, and returns at once when ctx ends.
func (b *Brain) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	if err := b.check(); err != nil {
		return agent.Reply{}, err
	}
	said, err := b.encode(talk)
	if err != nil {
		return agent.Reply{}, err
	}
	return b.retry(ctx, talk, func() (agent.Reply, error) { return b.try(ctx, said) })
}

// Close drops the connections that are kept open for the next step. The Brain may be used again.
func (b *Brain) Close() {
	b.connections().CloseIdleConnections()
}

func (b *Brain) check() error {
	if b.Model == "" {
		return &Error{Class: Ask, Message: "no model is named: set DAYBOOK_MODEL, or the model in the settings"}
	}
	at, err := url.Parse(b.baseURL())
	if err != nil || (at.Scheme != "http" && at.Scheme != "https") || at.Host == "" {
		return &Error{Class: Ask, Message: fmt.Sprintf("the base URL %q is none: set OPENAI_BASE_URL to something like %s", b.BaseURL, DefaultBaseURL)}
	}
	return nil
}

// try asks once.
func (b *Brain) try(ctx context.Context, said *encoding) (agent.Reply, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, or(b.Timeout, DefaultTimeout), errTimeout)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	x := &exchange{brain: b, said: said, stop: stop}
	defer x.close()
	reply, err := x.reply(ctx)
	if err != nil {
		return agent.Reply{}, b.blame(ctx, x, err)
	}
	return reply, nil
}

// connections is the Transport that all calls share. Redirects are not followed, since the Transport is used without a Client:
// a POST that is sent elsewhere arrives as a GET there, and is a sign of a wrong base URL.
func (b *Brain) connections() *http.Transport {
	b.once.Do(func() {
		b.transport = &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			ForceAttemptHTTP2:   true,
			TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout: 15 * time.Second,
			IdleConnTimeout:     90 * time.Second,
			MaxIdleConnsPerHost: 16,       // agents side by side
			DisableCompression:  true,     // a reply is about a kilobyte, and a packed stream arrives in lumps
			WriteBufferSize:     64 << 10, // a whole request in one write
		}
	})
	return b.transport
}

func (b *Brain) baseURL() string {
	if b.BaseURL == "" {
		return DefaultBaseURL
	}
	return strings.TrimRight(strings.TrimSpace(b.BaseURL), "/")
}

// server names the server in a message, without a password that may stand in its address.
func (b *Brain) server() string {
	at, err := url.Parse(b.baseURL())
	if err != nil {
		return "the server"
	}
	at.RawQuery = ""
	return at.Redacted()
}

func or[T comparable](value, fallback T) T {
	if value == *new(T) {
		return fallback
	}
	return value
}

var (
	errTimeout = errors.New("the reply took too long")
	errIdle    = errors.New("the server went silent in the middle of its reply")
)

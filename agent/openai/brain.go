// Package openai is a Brain over any server that speaks OpenAI's chat completions, and the only package that
// knows go-openai or tries a request again.
//
// [Brain.Think] is the function you want; an agent calls it for you:
//
//	a := agent.Agent{Brain: &openai.Brain{Model: "gpt-4.1", Key: os.Getenv("OPENAI_API_KEY")}, …}
//
// A reply is used only if it is whole. One that was cut off, is empty or is really an error is never passed
// on, so that no action is carried out from half a call: the Brain asks again. If there is no whole reply at
// all, it returns an [Error], whose [Class] says what would help and whose text says what to do.
//
// The Brain finds out from a server's answers what it cannot do (see [Capabilities]), and does without. If it
// has no calls of actions, they are written in the text, in the form that [readCalls] reads.
//
// Within a stretch each request begins, byte for byte, with the one before it, so that a server's prompt
// cache serves that part.
//
// The package reads no environment and no file, prints nothing, and never puts the key into a reply, an error
// or a log.
package openai

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent"
)

// DefaultBaseURL is OpenAI's own server.
const DefaultBaseURL = "https://api.openai.com/v1"

// Defaults for the zero values of a Brain's fields.
const (
	defaultTimeout = 10 * time.Minute
	// a model on a slow machine reads a long prompt for minutes before its first word
	defaultIdleTimeout = 3 * time.Minute
	defaultMaxTries    = 5
	defaultMaxWait     = 10 * time.Minute
)

// Brain asks a model on a server. Only Model must be set. Its fields must not change after the first request;
// many agents may use it at the same time.
type Brain struct {
	// Model is the model's name as the server knows it.
	Model string
	// BaseURL is the server's address up to and without /chat/completions; "" is [DefaultBaseURL]. A query,
	// such as the api-version of Azure's older addresses, goes with every request.
	BaseURL string
	// Key is sent as a bearer token; "" sends none, which suits most local servers.
	Key string
	// Timeout bounds one try, from the connection to the last byte of the reply; 0 is ten minutes.
	Timeout time.Duration
	// IdleTimeout bounds the time without a byte once the server has begun to answer; 0 is three minutes.
	IdleTimeout time.Duration
	// NoStream asks for the reply in one piece, for servers that cannot stream.
	NoStream bool
	// MaxTries bounds how often one step is tried when the server does not answer; 0 is five. A reply that is
	// not whole is asked for again half as often, but at least twice.
	MaxTries int
	// MaxWait bounds one wait between two tries, including one that the server asks for; 0 is ten minutes.
	MaxWait time.Duration
	// Extra holds more fields of the request, such as temperature, which are sent as they are.
	Extra map[string]any
	// Known holds what is already known of the server and the model, for instance from Learned.
	Known Capabilities
	// Learned, if set, receives all that is known of the server and the model whenever that changes. Calls
	// are serialised; it must neither block nor use the Brain.
	Learned func(Capabilities)
	// Price, if set, is the model's price, for a server that does not say what a reply cost.
	Price *Price
	// Quirks lists how the server differs from OpenAI's own; [Providers] knows those of many.
	Quirks Quirks
	// Limit, if set, bounds what all Brains that share it ask at once and in a minute.
	Limit *Limit
	// Window is how many tokens model and server take in one request, the reply included; 0 leaves it to the
	// server. If the server turns out to take less, that counts.
	Window int
	// Log, if set, records each try that failed.
	Log *slog.Logger

	once      sync.Once
	transport *http.Transport
	noted     sync.Map // what was logged once
	finding   sync.Mutex
	found     findings
	asked     sync.Once // for its window
	// openings holds the request that began the last conversation of each kind of agent, by the part before
	// its first message: a prompt cache can serve what a new conversation has in common with it.
	openings sync.Map
	own      Limit // in place of one that is shared with other Brains
}

// Price is a model's price, in US dollars per million tokens.
type Price struct{ In, Cached, Out float64 }

var _ agent.Brain = (*Brain)(nil)

// Think sends the conversation and returns the model's reply. It tries again as [Error] describes, reports
// each wait to the conversation's observer, and returns at once when ctx ends. The usage is that of all
// tries, even with an error.
//
// If the model's limit of output cuts off a reply in words, Think asks for the rest once. A text that is cut
// off again ends with cutMark. Where the server repeats the key, in whatever spelling, the reply has
// [redact.Mark] instead.
func (b *Brain) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	if err := b.check(talk); err != nil {
		return agent.Reply{}, err
	}
	reply, err := b.ask(ctx, talk)
	return b.redacted(reply), err
}

// ask returns a reply that may hold the key.
func (b *Brain) ask(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	reply, short, err := b.whole(ctx, talk)
	if err == nil && b.ignored(talk, reply) {
		spent := reply.Usage
		reply, short, err = b.whole(ctx, talk)
		reply.Usage = reply.Usage.Plus(spent)
	}
	if err != nil || !short {
		return reply, err
	}
	return b.goOn(ctx, talk, reply)
}

// Close drops the connections that are kept open for the next step. The Brain may be used again.
func (b *Brain) Close() {
	b.connections().CloseIdleConnections()
}

func (b *Brain) check(talk *agent.Conversation) error {
	if b.Model == "" {
		return fault(Ask, nil, "no model is named: set DAYBOOK_MODEL, or the model in the settings")
	}
	if _, err := json.Marshal(b.Extra); err != nil {
		return fault(Ask, err, "the extra fields of the request cannot be written: %v", err)
	}
	for _, a := range talk.Actions {
		if len(a.Schema) > 0 && !json.Valid(a.Schema) {
			return fault(Ask, nil, "the schema of the action %s is no JSON", a.Name)
		}
	}
	at, err := url.Parse(b.baseURL())
	if err != nil || (at.Scheme != "http" && at.Scheme != "https") || at.Host == "" {
		return fault(Ask, nil, "the base URL %q is none: set %s to something like %s", b.BaseURL,
			b.Quirks.addressSetting(), DefaultBaseURL)
	}
	return nil
}

// try asks once. With an error, the reply holds only what the try cost.
func (b *Brain) try(ctx context.Context, said *encoding) (reply agent.Reply, short bool, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(b.Timeout, defaultTimeout), errTimeout)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	x := &exchange{brain: b, to: said, stop: stop}
	defer func() {
		if x.body != nil {
			_ = x.body.Close() // it was read
		}
	}()
	reply, short, err = x.reply(ctx)
	if err != nil {
		err = b.blame(ctx, err)
		x.log(ctx, err)
		return agent.Reply{Usage: x.wasted()}, false, err
	}
	return reply, short, nil
}

// note logs something odd about the server, once.
func (b *Brain) note(what string, attrs ...slog.Attr) {
	if b.Log == nil {
		return
	}
	if _, noted := b.noted.LoadOrStore(what, true); !noted {
		b.Log.LogAttrs(context.Background(), slog.LevelWarn,
			what, append(attrs, slog.String("model", b.Model))...)
	}
}

// connections returns the Transport of all calls. It follows no redirect: a POST would become a GET.
func (b *Brain) connections() *http.Transport {
	b.once.Do(func() {
		b.transport = &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			ForceAttemptHTTP2:      true,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    15 * time.Second,
			IdleConnTimeout:        90 * time.Second,
			MaxIdleConnsPerHost:    256, // agents in parallel, each of which asks again at once
			MaxResponseHeaderBytes: maxHeader,
			DisableCompression:     true, // a reply is about a kilobyte, and a packed stream arrives in lumps
		}
	})
	return b.transport
}

func (b *Brain) baseURL() string {
	if b.BaseURL == "" {
		return DefaultBaseURL
	}
	base, _, _ := strings.Cut(b.BaseURL, "?")
	return strings.TrimRight(strings.TrimSpace(base), "/")
}

// server returns the server's address for messages, without its secrets: user name, password, query.
func (b *Brain) server() string {
	at, err := url.Parse(b.baseURL())
	if err != nil {
		return "the server"
	}
	at.User, at.RawQuery = nil, ""
	return at.String()
}

var (
	errTimeout = errors.New("the reply took too long")
	errIdle    = errors.New("the server went silent in the middle of its reply")
)

// cutMark ends a text that the model's limit of output cut off twice.
const cutMark = "[cut off here: the model's limit of output was reached]"

// goOn asks for the rest of a text that was cut off, once.
func (b *Brain) goOn(ctx context.Context, talk *agent.Conversation, begun agent.Reply) (agent.Reply, error) {
	b.tell(talk, b.named(&Error{Class: Again, Err: errLength}), 0)
	longer := &agent.Conversation{Actions: talk.Actions, Tell: talk.Tell,
		Messages: append(slices.Clip(talk.Messages),
			agent.Message{Role: agent.RoleAssistant, Text: begun.Text, Thoughts: begun.Thoughts},
			agent.User("Your reply was cut off because it was too long. Go on exactly where it stops, and "+
				"repeat nothing of it."))}
	rest, short, err := b.whole(ctx, longer)
	used := begun.Usage.Plus(rest.Usage)
	switch {
	case err != nil && (ctx.Err() != nil || errors.Is(err, agent.ErrCut)):
		return agent.Reply{Usage: used, Model: begun.Model}, err
	case err != nil: // what is there was paid for
		rest, short = agent.Reply{}, true
	}
	reply := agent.Reply{Text: begun.Text + rest.Text, Calls: rest.Calls,
		Thoughts: joined(begun.Thoughts, rest.Thoughts), Usage: used, Room: begun.Room, Model: begun.Model}
	if short {
		reply.Text += "\n\n" + cutMark
	}
	return reply, nil
}

package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/program"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/redact"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxListed = 200 // tools
	// maxStarts is how often in a row a server is started in vain before it is given up.
	maxStarts    = 3
	maxComplaint = 400 // bytes
)

// Client speaks with one server, and starts it again when it ended. Its methods may be called by several
// goroutines at once.
type Client struct {
	name       string
	server     Server // with its variables filled in
	redact     redact.Redactor
	startTime  time.Duration
	complaints program.Words
	offers     []Offer
	leftOut    []string

	mu     sync.Mutex
	live   *session // nil when there is none
	failed int      // starts in a row that came to nothing
	closed bool
}

// Options say how a server is opened.
type Options struct {
	Workspace string                           // the folder of the research, in which no server may live
	Lookup    func(name string) (string, bool) // of a variable; nil when there are none
	// StartTime is how long a server may take to start; 0 for a minute: npx and uvx may have to fetch it
	// first.
	StartTime time.Duration
}

// Open starts a server, or reaches it, and asks for its tools.
func Open(ctx context.Context, name string, s Server, o Options) (*Client, error) {
	if o.Lookup == nil {
		o.Lookup = func(string) (string, bool) { return "", false }
	}
	full, secrets, err := s.filled(o.Lookup)
	if err == nil {
		err = errors.Join(full.Check(), full.outOf(o.Workspace))
	}
	if err != nil {
		return nil, fmt.Errorf("reading the entry of the MCP server %s: %w", name, err)
	}
	c := &Client{name: name, server: full, redact: redact.New(secrets...),
		startTime: cmp.Or(o.StartTime, startTime)}
	_, tools, err := c.ready(ctx)
	if err != nil {
		c.Close()
		return nil, err
	}
	c.take(tools)
	return c, nil
}

// safe is a text of a stranger's of so many letters, without a secret of the server's entry.
func (c *Client) safe(text string, most int) string {
	return prose.Shorten(c.redact.Text(strings.TrimSpace(cleaned(text))), most)
}

// told is an error as it may be told, on one line.
func (c *Client) told(err error) error { return errors.New(c.safe(prose.OneLine(err.Error()), 500)) }

// Offers are the tools that the server offers, as far as they can be joined.
func (c *Client) Offers() []Offer { return c.offers }

// LeftOut says which tools are not joined, and why, a line each.
func (c *Client) LeftOut() []string { return c.leftOut }

// Close ends the server.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.live != nil {
		c.live.end()
	}
}

// list asks for the tools, up to a bound: a server may name further ones without end.
func (c *Client) list(ctx context.Context, s *session, most time.Duration) ([]*sdk.Tool, error) {
	return asked(ctx, s.end, most, func(ctx context.Context) (all []*sdk.Tool, err error) {
		for t, err := range s.Tools(ctx, nil) {
			if err != nil || len(all) == maxListed {
				return all, err
			}
			if t != nil {
				all = append(all, t)
			}
		}
		return all, nil
	})
}

// ready returns a session, the one there is or another, and the tools that its server lists now.
func (c *Client) ready(ctx context.Context) (*session, []*sdk.Tool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, nil, errors.New("the connection was ended")
	}
	if c.live != nil {
		if tools, err := c.list(ctx, c.live, c.callTime()); err == nil {
			return c.live, tools, nil
		}
		c.live.end()
	}
	if c.failed >= maxStarts {
		return nil, nil,
			fmt.Errorf("the server %s could not be started %d times in a row, and is left alone in "+
				"this run: do without its tools", c.name, maxStarts)
	}
	live, err := c.connect(ctx)
	var tools []*sdk.Tool
	if err == nil {
		c.live = live
		tools, err = c.list(ctx, live, c.startTime)
	}
	if err != nil {
		if ctx.Err() == nil {
			c.failed++
		}
		if said := c.complaints.Last(maxComplaint); said != "" {
			err = fmt.Errorf("%w; it said: %s", err, said)
		}
		return nil, nil, fmt.Errorf("starting the MCP server %s: %w", c.name, c.told(err))
	}
	c.failed = 0
	return live, tools, nil
}

// callTime is how long a call may take.
func (c *Client) callTime() time.Duration {
	return cmp.Or(time.Duration(c.server.Timeout)*time.Second, callTime)
}

// call calls a tool of the server that is still what the person was shown.
func (c *Client) call(ctx context.Context, tool, shown, args string) (actions.Brought, error) {
	s, tools, err := c.ready(ctx)
	if err != nil {
		return actions.Brought{}, err
	}
	at := slices.IndexFunc(tools, func(t *sdk.Tool) bool { return t.Name == tool })
	if at < 0 || pin(tools[at]) != shown {
		return actions.Brought{}, fmt.Errorf(
			"the server %s changed what %s is, or took it away, since the person agreed to it: it is not "+
				"called; do without it", c.name, tool)
	}
	result, err := asked(ctx, s.end, c.callTime(), func(ctx context.Context) (*sdk.CallToolResult, error) {
		return s.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	})
	var refused *jsonrpc.Error
	switch {
	case errors.As(err, &refused):
		text := fmt.Sprintf("%s (code %d)", refused.Message, refused.Code)
		return actions.Brought{Body: []byte(c.safe(text, maxComplaint)), Failed: true}, nil
	case err != nil && ctx.Err() != nil:
		return actions.Brought{}, context.Cause(ctx)
	case err != nil: // what it speaks is not to be relied on
		s.end()
		return actions.Brought{}, fmt.Errorf(
			"calling %s of the server %s: %w; it is started again by the next call, and what this one did "+
				"is not known",
			tool, c.name, c.told(err))
	}
	return c.brought(tool, result)
}

// take makes offers of the tools that were listed.
func (c *Client) take(tools []*sdk.Tool) {
	left := func(tool, why string) {
		c.leftOut = append(c.leftOut, fmt.Sprintf("%s of %s: %s", c.safe(prose.OneLine(tool), 60),
			c.name, why))
	}
	size := 0
	for _, t := range tools {
		if len(c.server.Tools) > 0 && !slices.Contains(c.server.Tools, t.Name) {
			continue
		}
		offer, err := c.offer(t)
		same := func(other Offer) bool { return other.Tool.Name == offer.Tool.Name }
		more := len(offer.Tool.Doc) + len(offer.Tool.Schema)
		switch {
		case err != nil:
			left(t.Name, err.Error())
		case slices.ContainsFunc(c.offers, same):
			left(t.Name, "another tool has the same name")
		case size+more > maxOffered:
			left(t.Name, "the tools of the server are described at too great a length: name those that you "+
				"want under tools")
		default:
			size, c.offers = size+more, append(c.offers, offer)
		}
	}
	for _, name := range c.server.Tools {
		if !slices.ContainsFunc(tools, func(t *sdk.Tool) bool { return t.Name == name }) {
			left(name, "the server has no such tool")
		}
	}
}

// offer is a tool as it is shown and joined.
func (c *Client) offer(t *sdk.Tool) (Offer, error) {
	schema, said, err := tidied(t.InputSchema)
	if err != nil {
		return Offer{}, err
	}
	name := joinedName(c.name, t.Name)
	if name == "" {
		return Offer{}, errors.New("its name is no name for an action")
	}
	described := c.safe(t.Description, maxDescription)
	is := pin(t)
	return Offer{
		Pin: is, Says: strings.Join(append([]string{described}, said...), "; "),
		Tool: actions.Tool{
			Name: name, From: c.name, Doc: agent.Disarm(described), Schema: schema,
			ReadOnly: t.Annotations != nil && t.Annotations.ReadOnlyHint, ForFiles: c.server.Agent == file,
			Call: func(ctx context.Context, args string) (actions.Brought, error) {
				return c.call(ctx, t.Name, is, args)
			},
		},
	}, nil
}

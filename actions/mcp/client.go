package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/program"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/redact"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Client talks to one server, and restarts it after it has ended. It is safe for concurrent use.
type Client struct {
	name       string
	server     Server // with its variables filled in
	redact     redact.Redactor
	complaints program.Words
	Offers     []Offer  // the server's tools that can be joined
	LeftOut    []string // tools that are not joined, and why, one line each

	mu     sync.Mutex
	live   *session // nil if there is none
	closed bool
}

// Open starts a server, or connects to it, and lists its tools. It may not be in the folder of the research.
func Open(ctx context.Context, name string, s Server, workspace string) (*Client, error) {
	full, secrets, err := s.filled()
	if err == nil {
		err = errors.Join(full.Check(name), full.outOf(workspace))
	}
	if err != nil {
		return nil, fmt.Errorf("reading the entry of the MCP server %s: %w", name, err)
	}
	c := &Client{name: name, server: full, redact: redact.New(secrets...)}
	_, tools, err := c.ready(ctx)
	if err != nil {
		c.Close()
		return nil, err
	}
	c.take(tools)
	return c, nil
}

// safe makes a server's text fit to show: at most so many characters, without secrets of its entry.
func (c *Client) safe(text string, most int) string {
	return prose.Shorten(c.redact.Text(strings.TrimSpace(prose.Seen(text))), most)
}

// told returns an error that is fit to show, on one line.
func (c *Client) told(err error) error { return errors.New(c.safe(prose.OneLine(err.Error()), 500)) }

// Close ends the server.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.live != nil {
		c.live.end()
	}
}

// list lists the tools, up to a bound: a server may list them without end.
func (c *Client) list(ctx context.Context, s *session) ([]*sdk.Tool, error) {
	return asked(ctx, s.end, c.server.patience(), func(ctx context.Context) (all []*sdk.Tool, err error) {
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

// ready returns the current session or a new one, and the tools that its server lists now.
func (c *Client) ready(ctx context.Context) (*session, []*sdk.Tool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, nil, errors.New("the connection was ended")
	}
	if c.live != nil {
		if tools, err := c.list(ctx, c.live); err == nil {
			return c.live, tools, nil
		}
		c.live.end()
	}
	live, err := c.connect(ctx)
	if err == nil {
		c.live = live
		var tools []*sdk.Tool
		if tools, err = c.list(ctx, live); err == nil {
			return live, tools, nil
		}
	}
	if said := c.complaints.Last(maxComplaint); said != "" {
		err = fmt.Errorf("%w; it said: %s", err, said)
	}
	return nil, nil, fmt.Errorf("starting the MCP server %s: %w", c.name, c.told(err))
}

// call calls a tool of the server that is unchanged since the user saw it.
func (c *Client) call(ctx context.Context, tool, shown, args string) (b actions.Brought, err error) {
	s, tools, err := c.ready(ctx)
	if err != nil {
		return b, err
	}
	at := slices.IndexFunc(tools, func(t *sdk.Tool) bool { return t.Name == tool })
	if at < 0 || pin(tools[at]) != shown {
		return b, fmt.Errorf("the server %s changed what %s is, or took it away, since the person "+
			"agreed to it: do without it", c.name, tool)
	}
	result, err := asked(ctx, s.end, c.server.patience(),
		func(ctx context.Context) (*sdk.CallToolResult, error) {
			return s.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
		})
	var refused *jsonrpc.Error
	switch {
	case errors.As(err, &refused):
		text := fmt.Sprintf("%s (code %d)", refused.Message, refused.Code)
		return actions.Brought{Body: []byte(c.safe(text, maxComplaint)), Failed: true}, nil
	case err != nil && ctx.Err() != nil:
		return b, context.Cause(ctx)
	case err != nil: // its protocol is unreliable
		s.end()
		return b, fmt.Errorf("calling %s of the server %s: %w; it is started again by the next call, "+
			"and what this one did is not known", tool, c.name, c.told(err))
	case result.NeedsInput():
		return b, fmt.Errorf("%s of the server %s asks the person for something, and nobody answers "+
			"it here: do without it", tool, c.name)
	}
	return c.brought(result), nil
}

// take makes offers of the listed tools.
func (c *Client) take(tools []*sdk.Tool) {
	left := func(tool string, why error) {
		tool = c.safe(prose.OneLine(tool), 60)
		c.LeftOut = append(c.LeftOut, fmt.Sprintf("%s of %s: %s", tool, c.name, why))
	}
	size := 0
	for _, t := range tools {
		if len(c.server.Tools) > 0 && !slices.Contains(c.server.Tools, t.Name) {
			continue
		}
		offer, err := c.offer(t)
		size += len(offer.Tool.Doc) + len(offer.Tool.Schema)
		switch {
		case slices.ContainsFunc(c.Offers, func(o Offer) bool { return o.Tool.Name == offer.Tool.Name }):
			err = errors.New("another tool has the same name")
		case size > maxOffered:
			err = errors.New("the tools are described at too great a length: name those that you want")
		}
		if err != nil {
			left(t.Name, err)
		} else {
			c.Offers = append(c.Offers, offer)
		}
	}
	slices.SortFunc(c.Offers, func(a, b Offer) int { return strings.Compare(a.Tool.Name, b.Tool.Name) })
	for _, name := range c.server.Tools {
		if !slices.ContainsFunc(tools, func(t *sdk.Tool) bool { return t.Name == name }) {
			left(name, errors.New("the server has no such tool"))
		}
	}
}

// offer converts a tool into the form that is shown and joined.
func (c *Client) offer(t *sdk.Tool) (Offer, error) {
	schema, said, err := tidied(t.InputSchema)
	if err != nil {
		return Offer{}, err
	}
	name := c.name + "__" + strings.Trim(unnamed.ReplaceAllString(t.Name, "_"), "_")
	if strings.HasSuffix(name, "__") || len(name) > 64 {
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

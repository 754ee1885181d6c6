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
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/redact"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxPages  = 20 // of a list of tools
	maxListed = 200
	// maxStarts is how often in a row a server is started in vain before it is given up.
	maxStarts = 3
)

// Client speaks with one server, and starts it again when it ended. Its methods may be called by several
// goroutines at once.
type Client struct {
	name       string
	server     Server // with its variables filled in
	redact     redact.Redactor
	startTime  time.Duration
	complaints lastWords
	offers     []Offer
	leftOut    []string
	// what each tool of the server was when it was shown to the person, by its name
	listed map[string]string

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
	full, secrets, err := s.expanded(o.Lookup)
	if err == nil {
		err = errors.Join(full.Check(), full.outOf(o.Workspace))
	}
	if err != nil {
		return nil, fmt.Errorf("reading the entry of the MCP server %s: %w", name, err)
	}
	c := &Client{name: name, server: full, redact: redact.New(secrets...),
		startTime: cmp.Or(o.StartTime, startTime)}
	live, err := c.connect(ctx)
	if err != nil {
		return nil, c.unreachable(err)
	}
	c.live = live
	tools, err := c.list(ctx, live)
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("asking the MCP server %s for its tools: %w", name, c.told(err))
	}
	c.take(tools)
	return c, nil
}

// unreachable is the error for a server that could not be started or reached, with what it complained of.
func (c *Client) unreachable(err error) error {
	said := prose.OneLine(cleaned(c.complaints.String()))
	if said != "" {
		err = fmt.Errorf("%w; it said: %s", err, said)
	}
	return fmt.Errorf("starting the MCP server %s: %w", c.name, c.told(err))
}

// told is an error without a secret of the server's entry, and on one line.
func (c *Client) told(err error) error {
	return errors.New(prose.Shorten(prose.OneLine(c.redact.Text(cleaned(err.Error()))), 500))
}

// Offers are the tools that the server offers, as far as they can be joined.
func (c *Client) Offers() []Offer { return c.offers }

// LeftOut says which tools are not joined, and why, a line each.
func (c *Client) LeftOut() []string { return c.leftOut }

// Close ends the server.
func (c *Client) Close() {
	c.mu.Lock()
	live := c.live
	c.live, c.closed = nil, true
	c.mu.Unlock()
	if live != nil {
		live.end()
	}
}

// list asks for the tools, up to a bound: a server may name further pages without end.
func (c *Client) list(ctx context.Context, s *session) ([]*sdk.Tool, error) {
	var all []*sdk.Tool
	params := &sdk.ListToolsParams{}
	for range maxPages {
		page, err := asked(ctx, s, c.startTime, func(ctx context.Context) (*sdk.ListToolsResult, error) {
			return s.ListTools(ctx, params)
		})
		if err != nil {
			return nil, err
		}
		all = append(all, page.Tools...)
		if page.NextCursor == "" || len(all) >= maxListed {
			break
		}
		params = &sdk.ListToolsParams{Cursor: page.NextCursor}
	}
	all = slices.DeleteFunc(all, func(t *sdk.Tool) bool { return t == nil })
	return all[:min(len(all), maxListed)], nil
}

// asked asks a server and waits for so long. One that does not answer in time is ended: it may hang for good,
// and may have stopped to read what it is sent.
func asked[T any](
	ctx context.Context,
	s *session,
	most time.Duration,
	ask func(context.Context) (T, error),
) (T, error) {
	type answer struct {
		what T
		err  error
	}
	ctx, cancel := context.WithTimeoutCause(ctx,
		most, fmt.Errorf("it did not answer within %s, and is ended", most))
	defer cancel()
	answered := make(chan answer, 1)
	go func() {
		what, err := ask(ctx)
		answered <- answer{what, err}
	}()
	select {
	case a := <-answered:
		if a.err == nil || ctx.Err() == nil {
			return a.what, a.err
		}
	case <-ctx.Done():
	}
	s.end()
	var none T
	return none, context.Cause(ctx)
}

// session is one that runs: the one there is, or else another.
func (c *Client) session(ctx context.Context) (*session, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return nil, errEnded
	case c.live != nil && !c.live.over.Load():
		return c.live, c.same(ctx, c.live)
	case c.live != nil:
		c.live.end()
		c.live = nil
	}
	if c.failed >= maxStarts {
		return nil, fmt.Errorf("the server %s could not be started %d times in a row, and is left alone in "+
			"this run: do without its tools", c.name, maxStarts)
	}
	live, err := c.connect(ctx)
	if err != nil {
		if ctx.Err() == nil {
			c.failed++
		}
		return nil, c.unreachable(err)
	}
	live.changed.Store(true) // it may be another program by now
	c.live = live
	if err := c.same(ctx, live); err != nil {
		return nil, err
	}
	c.failed = 0
	return live, nil
}

// same looks again at the tools of a server that was started again, or that says that they changed.
func (c *Client) same(ctx context.Context, s *session) error {
	if !s.changed.Swap(false) {
		return nil
	}
	tools, err := c.list(ctx, s)
	if err != nil {
		s.changed.Store(true)
		return fmt.Errorf("asking the server %s for its tools: %w", c.name, c.told(err))
	}
	now := map[string]string{}
	for _, t := range tools {
		now[t.Name] = pin(t)
	}
	for name, as := range c.listed {
		if now[name] != as {
			c.listed[name] = "" // for the rest of this run
		}
	}
	return nil
}

// isAsShown reports whether a tool is still what the person was shown.
func (c *Client) isAsShown(tool string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.listed[tool] != ""
}

// call calls a tool of the server.
func (c *Client) call(ctx context.Context, tool, args string) (actions.Brought, error) {
	s, err := c.session(ctx)
	if err != nil {
		return actions.Brought{}, err
	}
	if !c.isAsShown(tool) {
		return actions.Brought{}, fmt.Errorf(
			"the server %s changed what %s is, or took it away, since the person agreed to it: it is not "+
				"called; do without it", c.name, tool)
	}
	most := callTime
	if c.server.Timeout > 0 {
		most = time.Duration(c.server.Timeout) * time.Second
	}
	result, err := asked(ctx, s, most, func(ctx context.Context) (*sdk.CallToolResult, error) {
		return s.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	})
	var refused *jsonrpc.Error
	switch {
	case errors.As(err, &refused):
		text := fmt.Sprintf("%s (code %d)", refused.Message, refused.Code)
		return actions.Brought{Body: []byte(c.redact.Text(cleaned(prose.Shorten(text, maxComplaint)))),
			Failed: true}, nil
	case err != nil && ctx.Err() != nil:
		return actions.Brought{}, context.Cause(ctx)
	case err != nil: // what it speaks is not to be relied on
		s.over.Store(true)
		return actions.Brought{}, fmt.Errorf(
			"calling %s of the server %s: %w; it is started again by the next call, and what this one did "+
				"is not known",
			tool, c.name, c.told(err))
	}
	return c.brought(tool, result)
}

// take makes offers of the tools that were listed.
func (c *Client) take(tools []*sdk.Tool) {
	c.listed = map[string]string{}
	seen := map[string]bool{}
	left := func(tool, why string) {
		c.leftOut = append(c.leftOut, fmt.Sprintf("%s of %s: %s",
			prose.Shorten(prose.OneLine(cleaned(tool)), 60), c.name, why))
	}
	size := 0
	for _, t := range tools {
		if len(c.server.Tools) > 0 && !slices.Contains(c.server.Tools, t.Name) {
			continue
		}
		offer, err := c.offer(t)
		switch {
		case err != nil:
			left(t.Name, err.Error())
			continue
		case seen[offer.Tool.Name]:
			left(t.Name, "another tool has the same name")
			continue
		case size+len(offer.Tool.Doc)+len(offer.Tool.Schema) > maxOffered:
			left(t.Name, "the tools of the server are described at too great a length: name those that you "+
				"want under tools")
			continue
		}
		size += len(offer.Tool.Doc) + len(offer.Tool.Schema)
		seen[offer.Tool.Name] = true
		c.listed[t.Name] = offer.Pin
		c.offers = append(c.offers, offer)
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
	described := c.redact.Text(prose.Shorten(strings.TrimSpace(cleaned(t.Description)), maxDescription))
	tool := t.Name
	return Offer{
		Pin: pin(t), Says: strings.Join(append([]string{described}, said...), "; "),
		Tool: actions.Tool{
			Name: name, From: c.name, Doc: agent.Disarm(described), Schema: schema,
			ReadOnly: t.Annotations != nil && t.Annotations.ReadOnlyHint, ForFiles: c.server.Agent == file,
			Call: func(ctx context.Context, args string) (actions.Brought, error) {
				return c.call(ctx, tool, args)
			},
		},
	}, nil
}

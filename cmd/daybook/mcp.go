package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/serve"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type mcpCommand struct {
	Do   string  `arg:"" optional:"" enum:"serve,install" default:"serve" help:"serve, or install: write the entry for common clients, after asking."`
	Dir  *string `placeholder:"DIR" help:"The folder in which the researches are (default: daybook in your home folder)."`
	HTTP *string `name:"http" placeholder:"ADDR" help:"Serve at an address such as 127.0.0.1:7077 instead of over stdin and stdout; the token is $$DAYBOOK_MCP_TOKEN, or one that is made and shown."`
	spoken
}

// Run serves researches to other programs, or tells these of it.
func (c *mcpCommand) Run(term terminal) error {
	dir := value(c.Dir, "")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return wrongUse("name a folder with --dir", "there is no home folder for the researches: %w", err)
		}
		dir = filepath.Join(home, "daybook")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("finding the folder of the researches: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	if c.Do == "install" {
		return c.install(term, self, dir)
	}
	ctx, stop := interruptible(func() {}, func() {})
	defer stop()
	server := serve.New(serve.Home{Dir: dir, Program: self})
	if c.HTTP != nil {
		return c.listen(ctx, term, server)
	}
	if err := server.Run(ctx, &mcp.StdioTransport{}); err != nil && ctx.Err() == nil {
		return fmt.Errorf("serving over stdin and stdout: %w", err)
	}
	return nil
}

// listen serves over HTTP whoever knows the token.
func (c *mcpCommand) listen(ctx context.Context, term terminal, server *mcp.Server) error {
	token := os.Getenv("DAYBOOK_MCP_TOKEN")
	at, err := net.Listen("tcp", *c.HTTP)
	if err != nil {
		return wrongUse("give a free address, such as 127.0.0.1:7077", "listening at %s: %w", *c.HTTP, err)
	}
	if token == "" {
		token = rand.Text()
		fmt.Fprintln(term.stderr,
			c.in("").Say("the token is %s; set DAYBOOK_MCP_TOKEN for one of your own", token))
	}
	fmt.Fprintln(term.stderr, c.in("").Say("serving at %s", fmt.Sprintf("http://%s/mcp", at.Addr())))
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{MaxRequestBodyBytes: 1 << 20, SessionTimeout: time.Hour,
			PropagateRequestCancellation: true})
	knows := func(_ context.Context, given string, _ *http.Request) (*auth.TokenInfo, error) {
		if subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{}, nil
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", auth.RequireBearerToken(knows,
		&auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(
		http.NewCrossOriginProtection().Handler(handler)))
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer stop()
	if err := web.Serve(at); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving over HTTP: %w", err)
	}
	return nil
}

// attendee is the person of a run that a client attends: they are asked on the dashboard, and have an hour.
type attendee struct{}

const patientFor = time.Hour

// Answer implements intake.Person: the dashboard is looked at meanwhile.
func (attendee) Answer(ctx context.Context, _ intake.Question) (string, error) {
	select {
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-time.After(patientFor):
		return "", nil
	}
}

// Confirm implements intake.Person.
func (attendee) Confirm(context.Context, intake.Plan) (intake.Verdict, error) {
	return intake.Verdict{Accept: true}, nil
}

// stoppable is the context of a run, which Ctrl-C ends, and the client that attends it.
func (c *runCommand) stoppable(show display) (context.Context, func(), error) {
	ctx, stop := interruptible(func() {
		show.stopping(c.speaks().Say("stopping after the write in hand; Ctrl-C again to stop at once"))
	}, show.close)
	if !c.Attended {
		return ctx, stop, nil
	}
	ctx, leave, err := serve.Attend(ctx, c.Dir, errInterrupted)
	if err != nil {
		return nil, stop, explain(err, c.Dir)
	}
	return ctx, func() { leave(); stop() }, nil
}

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
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/program"
	"github.com/daybook-agent/daybook/agent/serve"
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
	if c.Do == "install" {
		return c.install(term, dir)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	ctx, stop := interruptible(func() {}, func() {})
	defer stop()
	server := serve.New(serve.Home{
		Dir: dir,
		Start: func(ctx context.Context, dir, question, purpose string) error {
			return launch(ctx, self, dir, question, purpose)
		},
		Verify: func(ctx context.Context, dir string) (string, error) {
			cmd := exec.CommandContext(ctx, self, "verify", "--json", dir)
			cmd.Args[0] = "daybook"
			out, err := cmd.Output()
			if len(out) == 0 && err != nil {
				return "", fmt.Errorf("checking the report: %w", err)
			}
			return string(out), nil // it fails when a claim does not hold, and says which
		},
	})
	if c.HTTP != nil {
		return c.listen(ctx, term, server)
	}
	if err := server.Run(ctx, &mcp.StdioTransport{}); err != nil && ctx.Err() == nil {
		return fmt.Errorf("serving over stdin and stdout: %w", err)
	}
	return nil
}

// takesHold is how long a run has to fail at once, for want of a key or of a folder.
const takesHold = 2 * time.Second

// launch starts a research that outlives this program.
func launch(ctx context.Context, self, dir, question, purpose string) error {
	log, err := os.OpenFile(serve.Log(dir), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("making a file for what the run says: %w", err)
	}
	defer log.Close() // the run has its own
	args := []string{"run", "--attended"}
	if question != "" {
		args = append(args, "--question="+question)
	}
	if purpose != "" {
		args = append(args, "--purpose="+purpose)
	}
	cmd := exec.Command(self, append(args, "--", dir)...)
	cmd.Args[0], cmd.Stderr = "daybook", log
	program.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the research: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // until the research ends, or this program
	select {
	case err = <-ended:
	case <-time.After(takesHold):
	case <-ctx.Done():
	}
	if err != nil {
		return fmt.Errorf("the research ended at once: %s", serve.LastWords(dir))
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
	mux := http.NewServeMux()
	mux.Handle("/mcp", guarded(token, http.NewCrossOriginProtection().Handler(handler)))
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer stop()
	if err := web.Serve(at); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving over HTTP: %w", err)
	}
	return nil
}

// guarded lets those in who know the token.
func guarded(token string, inside http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "a token is wanted", http.StatusUnauthorized)
			return
		}
		inside.ServeHTTP(w, r)
	})
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
func (c *runCommand) stoppable(show display) (context.Context, func()) {
	ctx, stop := interruptible(func() {
		show.say(c.speaks().Say("stopping after the write in hand; Ctrl-C again to stop at once"))
	}, show.close)
	ctx, leave := c.attended(ctx)
	return ctx, func() { leave(); stop() }
}

// attended ends a run when its client asks for that by a file in its folder.
func (c *runCommand) attended(ctx context.Context) (context.Context, func()) {
	if !c.Attended {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	file := filepath.Join(c.Dir, filepath.FromSlash(serve.StopFile))
	_ = os.Remove(file) // of a run before
	go func() {
		tick := time.NewTicker(time.Second / 2)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if os.Remove(file) == nil {
					cancel(errInterrupted)
				}
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/serve"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type mcpCommand struct {
	Do   string  `arg:"" optional:"" enum:"serve,install" default:"serve" help:"serve, or install: write the entry for common clients, after asking."`
	Dir  *string `placeholder:"DIR" help:"The folder in which the researches are (default: daybook in your home folder)."`
	HTTP *string `name:"http" placeholder:"ADDR" help:"Serve at an address such as 127.0.0.1:7077 instead of over stdin and stdout; the token is $$DAYBOOK_MCP_TOKEN, or one that is made and shown."`
	spoken
}

// Run serves researches to other programs, or installs its entry in them.
func (c *mcpCommand) Run(term terminal) error {
	home, err := os.UserHomeDir()
	if err != nil && c.Dir == nil {
		return wrongUse("name a folder with --dir", "there is no home folder for the researches: %w", err)
	}
	dir, err := filepath.Abs(value(c.Dir, filepath.Join(home, "daybook")))
	self, failed := os.Executable()
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("finding this program and the folder of the researches: %w", err)
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

// listen serves everybody who knows the token over HTTP.
func (c *mcpCommand) listen(ctx context.Context, term terminal, server *mcp.Server) error {
	token, say := os.Getenv("DAYBOOK_MCP_TOKEN"), languageIn("", c.Lang, "").Say
	at, err := net.Listen("tcp", *c.HTTP)
	if err != nil {
		return wrongUse("give a free address, such as 127.0.0.1:7077", "listening at %s: %w", *c.HTTP, err)
	}
	if token == "" {
		token = rand.Text()
		fmt.Fprintln(term.stderr, say("the token is %s; set DAYBOOK_MCP_TOKEN for one of your own", token))
	}
	fmt.Fprintln(term.stderr, say("serving at %s", fmt.Sprintf("http://%s/mcp", at.Addr())))
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{MaxRequestBodyBytes: 1 << 20, SessionTimeout: time.Hour,
			PropagateRequestCancellation: true})
	guarded := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := r.Header.Get("Authorization")
		if subtle.ConstantTimeCompare([]byte(given), []byte("Bearer "+token)) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	})
	web := &http.Server{Handler: http.NewCrossOriginProtection().Handler(guarded),
		ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer stop()
	if err := web.Serve(at); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving over HTTP: %w", err)
	}
	return nil
}

// attendee is the user of a run that a client attends: the dashboard asks them, and waits an hour.
type attendee struct{}

// Answer implements intake.Person. Meanwhile the dashboard is watched for an answer.
func (attendee) Answer(ctx context.Context, _ intake.Question) (string, error) {
	select {
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-time.After(time.Hour):
		return "", nil
	}
}

// Confirm implements intake.Person.
func (attendee) Confirm(context.Context, intake.Plan) (intake.Verdict, error) {
	return intake.Verdict{Accept: true}, nil
}

// client is a program that can start an MCP server, by an entry in a file of its own.
type client struct{ name, file, key string }

// clients returns the known ones: the user's, if they have them, and those of the current folder.
func clients() []client {
	home, _ := os.UserHomeDir()
	config, _ := os.UserConfigDir()
	return []client{
		{"Cursor", filepath.Join(home, ".cursor", "mcp.json"), "mcpServers"},
		{"Claude Desktop", filepath.Join(config, "Claude", "claude_desktop_config.json"), "mcpServers"},
		{"Claude Code", ".mcp.json", "mcpServers"},
		{"VS Code", filepath.Join(".vscode", "mcp.json"), "servers"},
	}
}

// install writes this server's entry into the files of clients, after asking for each, or shows it.
func (c *mcpCommand) install(t terminal, self, dir string) error {
	entry := map[string]any{"command": self, "args": []string{"mcp", "--dir", dir}}
	ask := consent{out: t.stderr, lang: languageIn("", c.Lang, "")}
	ask.say("the entry, under mcpServers or what your client calls it:")
	err := t.result(true, map[string]any{"daybook": entry}, "")
	if err != nil || !(&runCommand{}).canAsk(t) {
		return err
	}
	for _, client := range clients() {
		if _, err := os.Stat(filepath.Dir(client.file)); errors.Is(err, fs.ErrNotExist) {
			continue // the client is not installed
		}
		yes, err := ask.yes(context.Background(), "Write it into %s, for %s? y or n", client.file, client.name)
		if err != nil {
			return err
		}
		if !yes {
			continue
		}
		if err := client.write(entry); err != nil {
			ask.say("%s is left as it is: %s", client.file, ask.lang.Tell(clean(err.Error())))
		} else {
			ask.say("written into %s; the file as it was is beside it", client.file)
		}
	}
	return nil
}

// write adds the entry to the file; it keeps everything else there and follows a link.
func (c client) write(entry map[string]any) error {
	before, err := os.ReadFile(c.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var whole, servers map[string]json.RawMessage // also nil where the file has null
	if len(before) > 0 && bounds.JSON(before, &whole) != nil ||
		whole[c.key] != nil && bounds.JSON(whole[c.key], &servers) != nil {
		return errors.New("it is no plain JSON with servers: paste the entry yourself")
	}
	encoded := func(value any) json.RawMessage {
		text, _ := json.Marshal(value) // of texts, and of valid JSON
		return text
	}
	put(&servers, "daybook", encoded(entry))
	put(&whole, c.key, encoded(servers))
	after, err := json.MarshalIndent(whole, "", "  ")
	if err == nil && len(before) > 0 {
		err = os.WriteFile(c.file+".before-daybook", before, 0o600)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(c.file, append(after, '\n'), 0o600) // in place, so that it keeps its mode
}

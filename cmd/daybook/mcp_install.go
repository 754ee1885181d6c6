package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/charmbracelet/x/term"
	"github.com/daybook-agent/daybook/agent/bounds"
)

// client is a program that can start an MCP server, by an entry in a file of its own.
type client struct{ name, file, key string }

// clients are those that are known: of the person, where they have them, and of the folder that this is in.
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

// install writes the entry of this server into the files of clients, each after asking. Where nobody can be
// asked it shows the entry.
func (c *mcpCommand) install(t terminal, self, dir string) error {
	entry := map[string]any{"command": self, "args": []string{"mcp", "--dir", dir}}
	text, _ := json.MarshalIndent(map[string]any{"daybook": entry}, "", "  ") // of texts
	lang := c.in("")
	ask := consent{out: t.stderr, lang: lang}
	ask.say("the entry, under mcpServers or what your client calls it:")
	fmt.Fprintln(t.stdout, string(text))
	if !isLive(t.stderr) || !term.IsTerminal(os.Stdin.Fd()) {
		return nil
	}
	for _, client := range clients() {
		if _, err := os.Stat(filepath.Dir(client.file)); errors.Is(err, fs.ErrNotExist) {
			continue // it is not installed
		}
		yes, err := ask.yes(context.Background(),
			lang.Say("Write it into %s, for %s? y or n", client.file, client.name))
		if err != nil {
			return err
		}
		if !yes {
			continue
		}
		if err := client.write(entry); err != nil {
			ask.say("%s is left as it is: %s", client.file, lang.Tell(clean(err.Error())))
		} else {
			ask.say("written into %s; the file as it was is beside it", client.file)
		}
	}
	return nil
}

// write puts the entry into the file, and keeps what else is there. Where the file is a link, what it leads
// to is written.
func (c client) write(entry map[string]any) error {
	before, err := os.ReadFile(c.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var whole, servers map[string]json.RawMessage // nil also where the file says null
	if len(before) > 0 && bounds.JSON(before, &whole) != nil {
		return errors.New("it is no plain JSON: paste the entry yourself")
	}
	if old := whole[c.key]; old != nil && bounds.JSON(old, &servers) != nil {
		return errors.New("its servers are no object: paste the entry yourself")
	}
	put := func(into map[string]json.RawMessage, name string, value any) map[string]json.RawMessage {
		if into == nil {
			into = map[string]json.RawMessage{}
		}
		into[name], _ = json.Marshal(value) // of texts, and of what was JSON
		return into
	}
	after, err := json.MarshalIndent(put(whole, c.key, put(servers, "daybook", entry)), "", "  ")
	if err == nil && len(before) > 0 {
		err = os.WriteFile(c.file+".before-daybook", before, 0o600)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(c.file, append(after, '\n'), 0o600) // in place: it keeps its mode
}

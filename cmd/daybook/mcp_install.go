package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/charmbracelet/x/term"
	"github.com/daybook-agent/daybook/agent/bounds"
)

// client is a program that can start an MCP server, by an entry in a file of its own.
type client struct{ name, file, key string }

// clients are those that are known: of the person, where they have them, and of the folder that this is in.
func clients() []client {
	var all []client
	if home, err := os.UserHomeDir(); err == nil {
		all = append(all, client{"Cursor", filepath.Join(home, ".cursor", "mcp.json"), "mcpServers"})
	}
	if config, err := os.UserConfigDir(); err == nil {
		all = append(all, client{"Claude Desktop",
			filepath.Join(config, "Claude", "claude_desktop_config.json"), "mcpServers"})
	}
	return append(all, client{"Claude Code", ".mcp.json", "mcpServers"},
		client{"VS Code", filepath.Join(".vscode", "mcp.json"), "servers"})
}

// maxClient bounds the file of a client, in bytes.
const maxClient = 1 << 20

// install writes the entry of this server into the files of clients, each after asking. Where nobody can be
// asked it shows the entry.
func (c *mcpCommand) install(t terminal, dir string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	entry := map[string]any{"command": self, "args": []string{"mcp", "--dir", dir}}
	text, err := json.MarshalIndent(map[string]any{"daybook": entry}, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the entry: %w", err)
	}
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
			continue
		}
		ask.say("written into %s; the file as it was is beside it", client.file)
	}
	return nil
}

// write puts the entry into the file, and keeps what else is there.
func (c client) write(entry map[string]any) error {
	before, err := os.ReadFile(c.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	whole, servers := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if len(before) > maxClient {
		return errors.New("it is too large for the settings of a client")
	}
	if len(before) > 0 {
		if err := bounds.JSON(before, &whole); err != nil {
			return errors.New("it is no plain JSON: paste the entry yourself")
		}
		if old := whole[c.key]; old != nil && bounds.JSON(old, &servers) != nil {
			return errors.New("its servers are no object: paste the entry yourself")
		}
		if err := replace(c.file+".before-daybook", before); err != nil {
			return err
		}
	}
	servers = maps.Clone(servers)
	if servers["daybook"], err = json.Marshal(entry); err != nil {
		return err
	}
	if whole[c.key], err = json.Marshal(servers); err != nil {
		return err
	}
	after, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		return err
	}
	return replace(c.file, append(after, '\n'))
}

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

// write puts the entry into the file, and keeps what else is there. Where the file is a link, what it leads
// to is written.
func (c client) write(entry map[string]any) error {
	file, mode := c.file, fs.FileMode(0o600)
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	} else if _, linked := os.Lstat(file); linked == nil {
		return fmt.Errorf("it is a link that leads nowhere: %w", err)
	}
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	after, err := c.with(before, entry)
	if err != nil {
		return err
	}
	if len(before) > 0 {
		if err := replace(c.file+".before-daybook", before); err != nil {
			return err
		}
	}
	if err := replace(file, after); err != nil {
		return err
	}
	return os.Chmod(file, mode)
}

// with is the text of the file with the entry in it.
func (c client) with(before []byte, entry map[string]any) ([]byte, error) {
	var whole, servers map[string]json.RawMessage // nil also where the file says null
	if len(before) > maxClient {
		return nil, errors.New("it is too large for the settings of a client")
	}
	if len(before) > 0 {
		if err := bounds.JSON(before, &whole); err != nil {
			return nil, errors.New("it is no plain JSON: paste the entry yourself")
		}
		if old := whole[c.key]; old != nil && bounds.JSON(old, &servers) != nil {
			return nil, errors.New("its servers are no object: paste the entry yourself")
		}
	}
	if servers == nil {
		servers = map[string]json.RawMessage{}
	}
	if whole == nil {
		whole = map[string]json.RawMessage{}
	}
	var err error
	if servers["daybook"], err = json.Marshal(entry); err != nil {
		return nil, err
	}
	if whole[c.key], err = json.Marshal(servers); err != nil {
		return nil, err
	}
	after, err := json.MarshalIndent(whole, "", "  ")
	return append(after, '\n'), err
}

package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/mcp"
	"github.com/daybook-agent/daybook/agent/program"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Five real servers are driven over stdio and over streamable HTTP, the one that speaks it by itself and the
// others behind a gateway. DAYBOOK_NPM names the folder in which npm installed them:
//
//	npm install @modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem \
//		@modelcontextprotocol/server-memory @modelcontextprotocol/server-sequential-thinking \
//		mcp-hello-world supergateway
func TestRealServers(t *testing.T) {
	modules := os.Getenv("DAYBOOK_NPM")
	if modules == "" {
		t.Skip("DAYBOOK_NPM names no folder with the npm packages")
	}
	official := filepath.Join(modules, "node_modules", "@modelcontextprotocol")
	files := t.TempDir()
	tides := "The tide at Cuxhaven rises 2.97 metres.\n"
	require.NoError(t, os.WriteFile(filepath.Join(files, "tides.md"), []byte(tides), 0o600))
	everything := filepath.Join(official, "server-everything/dist/index.js")
	node := func(script string, args ...string) mcp.Server {
		return mcp.Server{Command: "node", Args: append([]string{script}, args...)}
	}
	memory := node(filepath.Join(official, "server-memory/dist/index.js"))
	memory.Env = map[string]string{"MEMORY_FILE_PATH": filepath.Join(files, "memory.jsonl")}
	type call struct{ tool, args, want string }
	for name, c := range map[string]struct {
		server mcp.Server
		tools  int
		calls  []call
	}{
		"everything": {node(everything), 13, []call{
			{"echo", `{"message":"hello"}`, "Echo: hello"}, {"get-sum", `{"a":2,"b":3}`, "5"},
			{"get-structured-content", `{"location":"Chicago"}`, "temperature"},
			{"get-resource-reference", `{"resourceId":1}`, "Resource 1"},
			{"get-tiny-image", `{}`, "a picture"},
			{"get-resource-links", `{"count":2}`, "demo://"}, {"get-env", `{}`, "HOME"},
			{"trigger-long-running-operation", `{"duration":1,"steps":2}`, "completed"},
			{"get-sum", `{"a":"x"}`, "failed: "},
		}},
		"filesystem": {node(filepath.Join(official, "server-filesystem/dist/index.js"), files), 14, []call{
			{"read_text_file", fmt.Sprintf(`{"path":%q}`, filepath.Join(files, "tides.md")),
				strings.TrimSpace(tides)},
			{"list_directory", fmt.Sprintf(`{"path":%q}`, files), "tides.md"},
			{"read_text_file", `{"path":"/etc/passwd"}`, "failed: "},
		}},
		"memory": {memory, 9, []call{
			{"create_entities",
				`{"entities":[{"name":"Moon","entityType":"body","observations":["pulls"]}]}`, "Moon"},
			{"search_nodes", `{"query":"Moon"}`, "pulls"},
		}},
		"thinking": {node(filepath.Join(official, "server-sequential-thinking/dist/index.js")), 1, []call{
			{"sequentialthinking",
				`{"thought":"tides","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}`,
				"thoughtNumber"},
		}},
		"hello": {node(filepath.Join(modules, "node_modules/mcp-hello-world/build/stdio.js")), 3, []call{
			{"echo", `{"message":"hello"}`, "hello"}, {"add", `{"a":2,"b":3}`, "5"},
		}},
	} {
		drive := func(t *testing.T, server mcp.Server) {
			began := time.Now()
			client, err := mcp.Open(t.Context(), name, server, "")
			require.NoError(t, err)
			defer client.Close()
			t.Logf("%d tools after %s, left out: %q", len(client.Offers),
				time.Since(began).Round(time.Millisecond), client.LeftOut)
			assert.Len(t, client.Offers, c.tools)
			for _, call := range c.calls {
				said := ""
				for _, o := range client.Offers {
					if o.Tool.Name == name+"__"+call.tool {
						b, err := o.Tool.Call(t.Context(), call.args)
						require.NoError(t, err)
						if said = b.Type + " " + string(b.Body); b.Failed {
							said = "failed: " + said
						}
						assert.True(t, json.Valid(o.Tool.Schema))
					}
				}
				assert.Contains(t, said, call.want, call.tool)
				assert.NotContains(t, said, secret)
				assert.NotEmpty(t, said, call.tool)
			}
		}
		t.Run(name, func(t *testing.T) { drive(t, c.server) })
		require.NoError(t, os.RemoveAll(c.server.Env["MEMORY_FILE_PATH"]))
		t.Run(name+" over HTTP", func(t *testing.T) { drive(t, overHTTP(t, modules, c.server)) })
	}
}

// overHTTP has a server speak streamable HTTP.
func overHTTP(t *testing.T, modules string, s mcp.Server) mcp.Server {
	t.Helper()
	port := strconv.Itoa(20_000 + rand.IntN(12_000)) // which no system gives a program that asks for any
	args := []string{filepath.Join(modules, "node_modules/supergateway/dist/index.js"), "--port",
		port, "--stdio",
		"node " + strings.Join(s.Args, " "), "--outputTransport", "streamableHttp", "--stateful"}
	if strings.Contains(s.Args[0], "everything") {
		args = []string{s.Args[0], "streamableHttp"}
	}
	cmd := exec.CommandContext(context.Background(), "node", args...)
	cmd.Env = append(program.Innocent(os.Environ()), "PORT="+port)
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var said program.Words
	cmd.Stdout, cmd.Stderr = &said, &said
	end, err := program.Start(cmd)
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = end(), cmd.Wait() }) // it was killed
	listens := func() bool { return strings.Contains(said.Last(8<<10), "istening on port "+port) }
	require.Eventually(t, listens, time.Minute, 50*time.Millisecond,
		"that something answers at the port is not enough")
	return mcp.Server{URL: "http://127.0.0.1:" + port + "/mcp"}
}

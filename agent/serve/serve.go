// Package serve offers researches to other programs as tools of an MCP server.
//
//	server := serve.New(serve.Home{Dir: "researches", Program: "/usr/bin/daybook"})
//	err := server.Run(ctx, &mcp.StdioTransport{})
//
// All researches are folders in one. Each runs as a program of its own, so that it outlives the client and
// this server, and is found again by its name. What a page said is marked as such in what the tools return.
package serve

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed tools.md
var described string

// Home is the folder in which the researches are.
type Home struct {
	Dir     string
	Program string // of the runs: daybook
}

const (
	maxText = 200 << 10 // bytes of one result
	// scheme begins the addresses of files: daybook://NAME/report.md.
	scheme = "daybook://"
)

// input is what a tool is called with; each takes a part of it.
type input struct {
	Research string `json:"research"`
	Question string `json:"question"`
	Purpose  string `json:"purpose"`
	Wait     int    `json:"wait"`
	Text     string `json:"text"`
	Chapter  string `json:"chapter"`
	Query    string `json:"query"`
	Citation string `json:"citation"`

	dir     string // of the research; "" when none is named
	request *mcp.CallToolRequest
}

// New makes a server with the tools and the files of the researches.
func New(h Home) *mcp.Server {
	instructions, tools, _ := strings.Cut(described, "\n\n# ")
	server := mcp.NewServer(&mcp.Implementation{Name: "daybook", Title: "Daybook", Version: "1"},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}})
	does := map[string]func(context.Context, input) (string, error){
		"start": h.start, "state": h.state, "answer": answer, "note": note, "stop": stop,
		"search_sources": search, "passage": passage, "verify": h.verify,
		"report": func(_ context.Context, in input) (string, error) {
			return read(in.dir, workspace.ReportFile)
		},
		"chapter": func(_ context.Context, in input) (string, error) {
			return read(in.dir, path.Join(workspace.NotebookDir, path.Base(in.Chapter)))
		},
	}
	for text := range strings.SplitSeq(tools, "\n\n# ") {
		tool := toolOf(text)
		mcp.AddTool(server, tool, func(ctx context.Context, r *mcp.CallToolRequest, in input) (
			_ *mcp.CallToolResult, _ any, err error) {
			in.request = r
			if in.Research != "" || tool.Name != "start" && tool.Name != "state" {
				if in.dir, err = h.dir(in.Research); err != nil {
					return nil, nil, err
				}
			}
			text, err := does[tool.Name](ctx, in)
			if len(text) > maxText {
				text = strings.ToValidUTF8(text[:maxText], "") +
					"\n(cut here; the rest is in the file, which is a resource)"
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, err
		})
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "file", MIMEType: "text/markdown", URITemplate: scheme + "{research}/{+file}",
		Description: "A file of a research: report.md, overall_dashboard.md, current_dashboard.md, or one " +
			"in Notebook/ or Sources/.",
	}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		name, file, _ := strings.Cut(strings.TrimPrefix(r.Params.URI, scheme), "/")
		dir, err := h.dir(name)
		text := ""
		if err == nil {
			text, err = read(dir, file)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", mcp.ResourceNotFoundError(r.Params.URI), err)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: r.Params.URI, MIMEType: "text/markdown", Text: text}}}, nil
	})
	return server
}

// toolOf is a tool as tools.md describes it: its name and whether it only reads, what it does, and a line for
// each of its arguments.
func toolOf(text string) *mcp.Tool {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	name, reads := strings.CutSuffix(lines[0], " (reads)")
	properties, required := map[string]any{}, []string{}
	for _, line := range lines[2:] {
		argument, doc, _ := strings.Cut(strings.TrimPrefix(line, "- "), ": ")
		argument, optional := strings.CutSuffix(argument, "?")
		if !optional {
			required = append(required, argument)
		}
		kind := "string"
		if argument == "wait" {
			kind = "integer"
		}
		properties[argument] = map[string]any{"type": kind, "description": doc}
	}
	return &mcp.Tool{Name: name, Description: lines[1],
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: reads},
		InputSchema: map[string]any{"type": "object", "properties": properties, "required": required,
			"additionalProperties": false}}
}

// dir is the folder of a research. A name leads nowhere else.
func (h Home) dir(name string) (string, error) {
	if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return "", fmt.Errorf("%q is no name of a research; state without a name lists all", name)
	}
	info, err := os.Stat(filepath.Join(h.Dir, name))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return "", fmt.Errorf("there is no research %q; state without a name lists all", name)
	}
	return filepath.Join(h.Dir, name), err
}

// read reads a file that a person reads. What a page said is marked.
func read(dir, file string) (string, error) {
	file = path.Clean(file)
	folder := path.Dir(file)
	boards := []string{workspace.ReportFile, workspace.OverallFile, workspace.CurrentFile}
	if !slices.Contains(boards, file) && folder != workspace.NotebookDir && folder != workspace.SourcesDir {
		return "", fmt.Errorf("%q is no file of a research that is shown", file)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("opening the research: %w", err)
	}
	defer root.Close()
	text, err := root.ReadFile(filepath.FromSlash(file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no %s yet; see the state of the research", file)
	case err != nil:
		return "", fmt.Errorf("reading %s: %w", file, err)
	case folder == workspace.SourcesDir:
		return agent.Outside("page", string(text), "file", file), nil
	}
	return string(text), nil
}

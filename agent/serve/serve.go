// Package serve offers researches to other programs as tools of an MCP server.
//
//	server := serve.New(serve.Home{Dir: "researches", Program: "/usr/bin/daybook"})
//	err := server.Run(ctx, &mcp.StdioTransport{})
//
// Each research is a folder in one common folder. It runs as its own program, so that it outlives the client
// and this server, and is found again by its name. The tools mark text from pages as such.
package serve

import (
	"cmp"
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
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed tools.md
var described string

// Home is the folder of the researches.
type Home struct {
	Dir     string
	Program string // for the runs: daybook
}

// input has the arguments of all tools; each uses some of them.
type input struct {
	Research string `json:"research"`
	Question string `json:"question"`
	Purpose  string `json:"purpose"`
	Wait     int    `json:"wait"`
	Text     string `json:"text"`
	Chapter  string `json:"chapter"`
	Query    string `json:"query"`
	Citation string `json:"citation"`

	dir     string // of the research; "" if none is named
	request *mcp.CallToolRequest
}

// New returns a server with the tools and the files of the researches.
func New(h Home) *mcp.Server {
	instructions, tools, _ := strings.Cut(described, "\n\n# ")
	server := mcp.NewServer(&mcp.Implementation{Name: "daybook", Title: "Daybook", Version: "1"},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}})
	does := map[string]func(context.Context, input) (string, error){
		"start": h.start, "state": h.state, "answer": answer, "note": note, "stop": stop,
		"search_sources": search, "passage": passage,
		"verify": func(ctx context.Context, in input) (string, error) {
			found, err := researcher.Open(in.dir).Verify(ctx, "")
			return inJSON(found), err
		},
		"report": text, "chapter": text,
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
			said, err := does[tool.Name](ctx, in)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil, err
		})
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "file", MIMEType: "text/markdown", URITemplate: scheme + "{research}/{+file}",
		Description: "A file of a research: report.md, a dashboard, or one in Notebook/ or Sources/.",
	}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		name, file, _ := strings.Cut(strings.TrimPrefix(r.Params.URI, scheme), "/")
		dir, err := h.dir(name)
		text := ""
		if err == nil {
			text, err = read(dir, file)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: r.Params.URI, MIMEType: "text/markdown", Text: text}}}, err
	})
	return server
}

// toolOf parses a tool's description in tools.md: its name, what it does, and a line for each argument.
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
		kind := cmp.Or(map[string]string{"wait": "integer"}[argument], "string")
		properties[argument] = map[string]any{"type": kind, "description": doc}
	}
	return &mcp.Tool{Name: name, Description: lines[1],
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: reads},
		InputSchema: map[string]any{"type": "object", "properties": properties, "required": required,
			"additionalProperties": false}}
}

// dir returns the folder of a research, and rejects names that lead elsewhere.
func (h Home) dir(name string) (string, error) {
	dir := filepath.Join(h.Dir, name)
	info, err := os.Stat(dir)
	strange := name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`)
	if strange || err != nil || !info.IsDir() {
		return "", fmt.Errorf("there is no research %q; state without a name lists all", name)
	}
	return dir, nil
}

// text returns the report or a chapter.
func text(_ context.Context, in input) (string, error) {
	if in.Chapter == "" {
		return read(in.dir, workspace.ReportFile)
	}
	return read(in.dir, path.Join(workspace.NotebookDir, path.Base(in.Chapter)))
}

// read returns a file meant for readers. Text from pages is marked.
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

// passages calls use with each passage of a research's sources, and its citation.
func passages(dir string, use func(s workspace.Source, cited, text string)) error {
	w, err := workspace.Open(dir)
	if err != nil {
		return err
	}
	err = w.LoadSources()
	for _, s := range w.Sources() {
		if text, _, err := w.SourceText(s.ID); err == nil {
			for _, b := range block.Split(text) {
				use(s, fmt.Sprintf("%s.%d", s.ID, b.N), b.Text)
			}
		}
	}
	return errors.Join(err, w.Close())
}

// search ranks the passages of all sources by how many of the words they lack.
func search(_ context.Context, in input) (string, error) {
	wanted := prose.Keywords(in.Query)
	found := make([][]string, len(wanted)+1)
	err := passages(in.dir, func(s workspace.Source, cited, text string) {
		terms := map[string]int{}
		for _, term := range prose.Terms(text) {
			terms[term]++
		}
		has := func(word prose.Keyword) bool { return word.In(terms) }
		lacks := len(slices.DeleteFunc(slices.Clone(wanted), has))
		found[lacks] = append(found[lacks], fmt.Sprintf("[%s] %s\n(%s)", cited, prose.Shorten(text, 600),
			prose.OneLine(s.Title)))
	})
	all := slices.Concat(found[:len(wanted)]...)
	if len(all) == 0 {
		return "No source has these words.", err
	}
	return agent.Outside("passages", strings.Join(all[:min(len(all), mostFound)], "\n\n"),
		"research", in.Research), err
}

// passage returns the passage that a citation names: a block of a source, or the whole source.
func passage(_ context.Context, in input) (string, error) {
	named := strings.Trim(in.Citation, " []")
	var of workspace.Source
	var texts []string
	err := passages(in.dir, func(s workspace.Source, cited, text string) {
		if cited == named || s.ID == named {
			of, texts = s, append(texts, fmt.Sprintf("[%s] %s", cited, text))
		}
	})
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("the research %s has no passage %q; one is s3.12", in.Research, named)
	}
	return agent.Outside("page", strings.Join(texts, "\n\n"),
		"title", of.Title, "url", of.URL, "file", of.File), err
}

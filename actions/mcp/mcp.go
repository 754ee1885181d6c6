// Package mcp joins the tools of other programs to a research: MCP servers that it starts and speaks with
// over stdio, or reaches by streamable HTTP.
//
//	client, err := mcp.Open(ctx, "hn", server, dir)
//	if err != nil {
//		return err // the server could not be started, or speaks no MCP
//	}
//	defer client.Close()
//	for _, offer := range client.Offers {
//		// show offer.Says to the person; offer.Tool is what a researcher is given
//	}
//
// A server is a stranger. It gets no variables of this program's but those that its entry names, and starts
// in an empty folder. What it describes is bounded before a person or a model sees it, and a tool that
// changes while a research is at work is not called any more. It has a limit of time, bytes and pages; one
// that hangs, dies or floods is ended with all that it started, and started again by the next call. Whatever
// it asks for, such as a model, an answer of the person's, or a list of folders, it is told that there is
// none.
package mcp

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	researcher, file = "researcher", "file" // values of Server.Agent
	mostTimeout      = 3600                 // seconds
	maxListed        = 200                  // tools
	maxComplaint     = 400                  // bytes
	maxDescription   = 1000                 // letters of a tool's description
	maxSaid          = 200                  // letters of a field's
	maxSchema        = 8 << 10              // bytes of the schema of a tool
	maxOffered       = 24 << 10             // of all descriptions and schemas of a server: in every prompt
)

// Server is the entry of a server, as the settings of other programs have it, so that one can be pasted.
type Server struct {
	Type    string            `yaml:"type" json:"type,omitempty"` // told by the rest, but for sse
	Command string            `yaml:"command" json:"command,omitempty"`
	Args    []string          `yaml:"args" json:"args,omitempty"`
	Env     map[string]string `yaml:"env" json:"env,omitempty"`
	URL     string            `yaml:"url" json:"url,omitempty"`
	Headers map[string]string `yaml:"headers" json:"headers,omitempty"`

	Disabled bool     `yaml:"disabled" json:"disabled,omitempty"`
	Tools    []string `yaml:"tools" json:"tools,omitempty"`     // those that are joined; none for all
	Agent    string   `yaml:"agent" json:"agent,omitempty"`     // who may call them: researcher, or file
	Timeout  int      `yaml:"timeout" json:"timeout,omitempty"` // seconds for each answer; 0 for 60

	// what other programs keep in the same entry, and nobody heeds here
	Description string   `yaml:"description" json:"-"`
	AutoApprove []string `yaml:"autoApprove" json:"-"`
	AlwaysAllow []string `yaml:"alwaysAllow" json:"-"`
}

// patience is how long a server may take to answer.
func (s Server) patience() time.Duration { return time.Duration(cmp.Or(s.Timeout, 60)) * time.Second }

// serverName is what a server may be called: its name begins those of its tools.
var serverName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,23}$`)

// Check says what is wrong with an entry and its name.
func (s Server) Check(name string) error {
	at, err := url.Parse(cmp.Or(s.URL, "http://stdio"))
	switch {
	case !serverName.MatchString(name):
		return errors.New("its name is none: call it by up to 24 letters, digits and hyphens")
	case (s.Command == "") == (s.URL == ""):
		return errors.New("it has a command and a url, or neither, and needs one of them")
	case s.Type == "sse":
		return errors.New("it speaks the old HTTP+SSE: give the address of its streamable HTTP")
	case s.Timeout < 0 || s.Timeout > mostTimeout:
		return fmt.Errorf("its timeout is %d and counts seconds, up to %d", s.Timeout, mostTimeout)
	case s.Agent != "" && s.Agent != researcher && s.Agent != file:
		return fmt.Errorf("there is no agent %q: say researcher or file", s.Agent)
	case err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "":
		return errors.New("its url is no address of a server: write http:// or https:// and the host out")
	}
	return nil
}

// variable is ${NAME}, ${NAME:-default} or ${env:NAME} in a string of JSON, or what looks like one.
var variable = regexp.MustCompile(
	`\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-((?:[^}"\\]|\\.)*))?\}|\$\{(?:[^}"\\]|\\.)*\}`)

// text is an entry as JSON, in which whatever it says can be looked for at once.
func (s Server) text() string {
	text, _ := json.Marshal(s) // of texts and numbers alone
	return string(text)
}

// inJSON is a text as it is within the string of one.
func inJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted[1 : len(quoted)-1])
}

// filled is an entry with its variables filled in, and the secrets in it: values of variables, or named so.
func (s Server) filled() (full Server, secrets []string, err error) {
	text := variable.ReplaceAllStringFunc(s.text(), func(found string) string {
		m := variable.FindStringSubmatch(found)
		value, set := os.LookupEnv(m[1])
		switch {
		case m[1] == "userHome":
			value = os.Getenv("HOME")
		case m[1] == "":
			err = errors.Join(err, fmt.Errorf("%s is no variable, such as ${HN_TOKEN}", found))
		case set && value != "":
			secrets = append(secrets, value)
		case strings.Contains(found, ":-"):
			return m[2]
		default:
			err = errors.Join(err, fmt.Errorf("the variable %s is not set", m[1]))
		}
		return inJSON(value)
	})
	if err == nil {
		err = json.Unmarshal([]byte(text), &full)
	}
	for _, values := range []map[string]string{full.Env, full.Headers} {
		for name, value := range values {
			if secretName.MatchString(name) {
				secrets = append(secrets, strings.TrimPrefix(value, "Bearer "))
			}
		}
	}
	return full, secrets, err
}

var secretName = regexp.MustCompile(`(?i)key|token|secret|passw|auth|cookie|credential`)

// outOf refuses an entry that names what the research itself may write: a page could have it write a program.
func (s Server) outOf(workspace string) error {
	place, err := filepath.Abs(workspace)
	if err != nil || workspace == "" {
		return err
	}
	real, _ := filepath.EvalSymlinks(place) // "" when it is not there yet
	for _, at := range []string{place, cmp.Or(real, place)} {
		if regexp.MustCompile(regexp.QuoteMeta(inJSON(at)) + `["/\\]`).MatchString(s.text()) {
			return fmt.Errorf("it names %s, where the research itself writes: move what it needs", place)
		}
	}
	return nil
}

// Offer is a tool that a server offers.
type Offer struct {
	Tool actions.Tool
	// Says is all that a model reads of it, for the person.
	Says string
	// Pin identifies what the server says of it, to the letter: name, description, schemas and annotations.
	Pin string
}

// pin is the sum of all that a server says of a tool.
func pin(t *sdk.Tool) string {
	text, _ := json.Marshal(t) // maps in the order of their names; it came as JSON
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// unnamed is what the name of an action may not hold.
var unnamed = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// tidied is the schema of a tool's arguments as a model is shown it, and what it says in words.
func tidied(given any) (schema json.RawMessage, said []string, err error) {
	root, ok := given.(map[string]any)
	if !ok && given != nil || ok && root["type"] != nil && root["type"] != "object" {
		return nil, nil, errors.New("its arguments are no object")
	}
	t := tidying{}
	whole, _ := t.copied(root, false).(map[string]any)
	whole["type"] = "object"
	if _, ok := whole["properties"].(map[string]any); !ok {
		whole["properties"] = map[string]any{} // some model servers insist on it
	}
	text, _ := json.Marshal(whole) // it came as JSON
	if len(text) > maxSchema {
		err = fmt.Errorf("its schema has %d bytes and may have %d", len(text), maxSchema)
	}
	return text, t.said, err
}

// keywords of JSON Schema tell a model how to call a tool: first those under which are names of the server's
// own, last the types. Others are left out.
var keywords = strings.Fields("properties patternProperties $defs definitions type description required " +
	"enum const default format pattern items prefixItems additionalProperties not anyOf oneOf allOf if " +
	"then else $ref minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength " +
	"minItems maxItems uniqueItems minProperties maxProperties nullable " +
	"object array string number integer boolean null")

// tidying copies a schema, and notes what it says in words.
type tidying struct{ said []string }

// text is a text of a schema, bounded and without what could be taken for a mark.
func (t *tidying) text(text string) string {
	text = prose.Shorten(prose.Seen(text), maxSaid)
	line := prose.OneLine(text)
	if line != "" && !slices.Contains(slices.Concat(keywords, t.said), line) {
		t.said = append(t.said, line)
	}
	return agent.Disarm(text)
}

// copied is a value of a schema, or of what has names of the server's own. It refers to no address.
func (t *tidying) copied(value any, names bool) any {
	switch value := value.(type) {
	case string:
		return t.text(value)
	case []any:
		all := []any{}
		for _, one := range value {
			all = append(all, t.copied(one, false))
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			at := slices.Index(keywords, key)
			ref, _ := value[key].(string)
			if names || at >= 0 && (key != "$ref" || strings.HasPrefix(ref, "#")) {
				all[t.text(key)] = t.copied(value[key], !names && at >= 0 && at < 4)
			}
		}
		return all
	}
	return value // a number, or yes or no
}

// brought is what a call brought: a document of its own, or the texts of the answer, each once.
func (c *Client) brought(result *sdk.CallToolResult) actions.Brought {
	b := actions.Brought{Failed: result.IsError}
	var parts []string
	for _, content := range result.Content {
		switch content := content.(type) {
		case *sdk.TextContent:
			parts = append(parts, content.Text)
		case *sdk.EmbeddedResource:
			if r := content.Resource; r != nil {
				parts = append(parts, r.Text)
				if len(result.Content) == 1 {
					b.Type, b.Body = r.MIMEType, r.Blob
				}
			}
		case *sdk.ResourceLink:
			parts = append(parts, fmt.Sprintf("%s: %s", cmp.Or(content.Title, content.Name), content.URI))
		default:
			parts = append(parts, "(a picture or a recording, which is not read)")
		}
	}
	text := strings.TrimSpace(strings.Join(parts, "\n\n"))
	if text == "" && result.StructuredContent != nil {
		data, _ := json.MarshalIndent(result.StructuredContent, "", "  ") // it came as JSON
		text = string(data)
	}
	if b.Body == nil {
		b.Body = []byte(text)
	}
	if b.Type == "" && !strings.ContainsAny(text[:min(1, len(text))], "{[") { // which may be JSON
		b.Type = "text/markdown"
	}
	if utf8.Valid(b.Body) {
		b.Body = []byte(c.redact.Text(prose.Seen(string(b.Body))))
	}
	return b
}

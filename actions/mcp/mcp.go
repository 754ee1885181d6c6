// Package mcp joins the tools of other programs to a research: MCP servers that it starts and talks to over
// stdio, or reaches by streamable HTTP.
//
//	client, err := mcp.Open(ctx, "hn", server, dir)
//	if err != nil {
//		return err // the server could not be started, or speaks no MCP
//	}
//	defer client.Close()
//	for _, offer := range client.Offers {
//		// show offer.Says to the user, and give offer.Tool to a researcher
//	}
//
// A server is not trusted. It gets only the environment variables that its entry names, and starts in an
// empty folder. Its descriptions are bounded before a person or a model sees them, and a tool that changes
// during a research is no longer called. Its time, bytes and pages are limited; a server that hangs, dies or
// floods is ended with all that it started, and restarted by the next call. Whatever it asks for, such as a
// model, an answer from the user, or a list of folders, the reply is that there is none.
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
	maxDescription   = 1000                 // characters of a tool's description
	maxSaid          = 200                  // characters of a field's description
	maxSchema        = 8 << 10              // bytes of the schema of a tool
	maxOffered       = 24 << 10             // of a server's descriptions and schemas: every prompt has them
)

// Server is the entry of a server, in the form of other programs' settings, so that one can be pasted.
type Server struct {
	Type    string            `yaml:"type" json:"type,omitempty"` // follows from the rest, except sse
	Command string            `yaml:"command" json:"command,omitempty"`
	Args    []string          `yaml:"args" json:"args,omitempty"`
	Env     map[string]string `yaml:"env" json:"env,omitempty"`
	URL     string            `yaml:"url" json:"url,omitempty"`
	Headers map[string]string `yaml:"headers" json:"headers,omitempty"`

	Disabled bool     `yaml:"disabled" json:"disabled,omitempty"`
	Tools    []string `yaml:"tools" json:"tools,omitempty"`     // those to join; none for all
	Agent    string   `yaml:"agent" json:"agent,omitempty"`     // who may call them: researcher, or file
	Timeout  int      `yaml:"timeout" json:"timeout,omitempty"` // seconds for each answer; 0 for 60

	// other programs' fields in such an entry, which are ignored
	Description string   `yaml:"description" json:"-"`
	AutoApprove []string `yaml:"autoApprove" json:"-"`
	AlwaysAllow []string `yaml:"alwaysAllow" json:"-"`
}

// patience returns how long a server may take to answer.
func (s Server) patience() time.Duration { return time.Duration(cmp.Or(s.Timeout, 60)) * time.Second }

// serverName matches valid server names: a server's name is the prefix of its tools' names.
var serverName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,23}$`)

// Check returns an error if an entry or its name is invalid.
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

// variable matches ${NAME}, ${NAME:-default} or ${env:NAME} in a JSON string, or what looks like one.
var variable = regexp.MustCompile(
	`\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-((?:[^}"\\]|\\.)*))?\}|\$\{(?:[^}"\\]|\\.)*\}`)

// text returns an entry as JSON, so that all its texts can be searched at once.
func (s Server) text() string {
	text, _ := json.Marshal(s) // only texts and numbers, so it cannot fail
	return string(text)
}

// inJSON escapes a text as inside a JSON string.
func inJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted[1 : len(quoted)-1])
}

// filled returns an entry with its variables replaced, and its secrets: their values, and any named so.
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

// outOf refuses an entry that names what the research may write: a page could make it write a program.
func (s Server) outOf(workspace string) error {
	place, err := filepath.Abs(workspace)
	if err != nil || workspace == "" {
		return err
	}
	real, _ := filepath.EvalSymlinks(place) // "" if it does not exist yet
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
	// Says is everything a model reads about it, for the user.
	Says string
	// Pin identifies exactly what the server says about it: name, description, schemas and annotations.
	Pin string
}

// pin returns the hash of everything a server says about a tool.
func pin(t *sdk.Tool) string {
	text, _ := json.Marshal(t) // maps in the order of their names; it came as JSON
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// unnamed matches what the name of an action may not contain.
var unnamed = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// tidied returns the schema of a tool's arguments as shown to a model, and the texts in it.
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

// keywords of JSON Schema tell a model how to call a tool: first those that contain the server's own names,
// last the types. All others are left out.
var keywords = strings.Fields("properties patternProperties $defs definitions type description required " +
	"enum const default format pattern items prefixItems additionalProperties not anyOf oneOf allOf if " +
	"then else $ref minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength " +
	"minItems maxItems uniqueItems minProperties maxProperties nullable " +
	"object array string number integer boolean null")

// tidying copies a schema, and collects the texts in it.
type tidying struct{ said []string }

// text returns a text of a schema, bounded and disarmed.
func (t *tidying) text(text string) string {
	text = prose.Shorten(prose.Seen(text), maxSaid)
	line := prose.OneLine(text)
	if line != "" && !slices.Contains(slices.Concat(keywords, t.said), line) {
		t.said = append(t.said, line)
	}
	return agent.Disarm(text)
}

// copied copies a value of a schema; with names, the keys are the server's own. It keeps only local
// references.
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
	return value // a number or a boolean
}

// brought returns the result of a call: an embedded document, or the texts of the answer.
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
	if b.Type == "" && !strings.ContainsAny(text[:min(1, len(text))], "{[") { // it may be JSON
		b.Type = "text/markdown"
	}
	if utf8.Valid(b.Body) {
		b.Body = []byte(c.redact.Text(prose.Seen(string(b.Body))))
	}
	return b
}

package mcp

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxDescription = 1000     // letters of a tool's description
	maxSaid        = 200      // letters of a field's
	maxSchema      = 8 << 10  // bytes of the schema of a tool
	maxOffered     = 24 << 10 // bytes of all descriptions and schemas of a server: they are in every prompt
	maxSchemaDepth = 16
	maxResult      = 4 << 20 // bytes
)

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
	text, err := json.Marshal(t) // maps in the order of their names
	if err != nil {
		return "" // what is no JSON did not come as such
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

var unnamed = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// joinedName is what a model calls a tool: the server's name and the tool's, as all model servers take it.
func joinedName(server, tool string) string {
	tool = strings.Trim(unnamed.ReplaceAllString(tool, "_"), "_")
	if name := server + "__" + tool; tool != "" && len(name) <= 64 {
		return name
	}
	return ""
}

// cleaned is a text of a stranger's without what no eye sees and a model reads: control characters, marks
// that turn the direction of writing, letters of no width, and tags.
func cleaned(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r),
			unicode.Is(unicode.Co, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// tidied is the schema of a tool's arguments as a model is shown it, and what it says in words.
func tidied(given any) (schema json.RawMessage, said []string, err error) {
	root, ok := given.(map[string]any)
	if !ok && given != nil || ok && root["type"] != nil && root["type"] != "object" {
		return nil, nil, errors.New("its arguments are no object")
	}
	t := tidying{}
	whole, _ := t.copied("", root, 0).(map[string]any)
	whole["type"] = "object"
	if _, ok := whole["properties"].(map[string]any); !ok {
		whole["properties"] = map[string]any{} // some model servers insist on it
	}
	text, err := json.Marshal(whole)
	if err == nil && len(text) > maxSchema {
		err = fmt.Errorf("its schema has %d bytes and may have %d", len(text), maxSchema)
	}
	return text, t.said, cmp.Or(t.err, err)
}

// The keywords of JSON Schema that tell a model how to call a tool, by what is under them: schemas, schemas
// by names of the server's own, whatever the arguments may be, and texts and numbers. Others are left out.
var (
	nested = strings.Fields("items prefixItems additionalProperties not anyOf oneOf allOf if then else")
	named  = strings.Fields("properties patternProperties $defs definitions")
	data   = strings.Fields("enum const default examples")
	plain  = strings.Fields("type description format pattern $ref required minimum maximum " +
		"exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems " +
		"minProperties maxProperties nullable")
	keywords = slices.Concat(nested, named, data, plain)
	types    = strings.Fields("object array string number integer boolean null")
)

// tidying copies a schema, and notes what it says in words.
type tidying struct {
	said  []string
	names []string // of arguments
	err   error
}

// text is a text of a schema, bounded and without what could be taken for a mark.
func (t *tidying) text(text string) string {
	text = prose.Shorten(cleaned(text), maxSaid)
	if line := prose.OneLine(text); line != "" && !slices.Contains(t.said, line) {
		t.said = append(t.said, line)
	}
	return agent.Disarm(text)
}

// copied is a value under a keyword of a schema, "" for the schema itself, or nil when it does not belong
// there.
func (t *tidying) copied(under string, value any, depth int) any {
	if depth > maxSchemaDepth {
		t.err = cmp.Or(t.err, errors.New("its schema is nested too deep"))
		return nil
	}
	isData, isPlain := slices.Contains(data, under), slices.Contains(plain, under)
	switch value := value.(type) {
	case map[string]any:
		if isPlain {
			return nil
		}
		all := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(value)) { // properties come before what is required
			name, inner := key, key
			switch {
			case isData:
				name, inner = t.text(key), under
			case slices.Contains(named, under):
				name, inner, t.names = t.text(key), "", append(t.names, key)
			case !slices.Contains(keywords, key):
				continue
			}
			if one := t.copied(inner, value[key], depth+1); one != nil {
				all[name] = one
			}
		}
		return all
	case []any:
		all := []any{}
		for _, one := range value {
			if one := t.copied(under, one, depth+1); one != nil {
				all = append(all, one)
			}
		}
		return all
	case string:
		switch {
		case under == "type" && slices.Contains(types, value):
			return value
		case under == "$ref" && !strings.HasPrefix(value, "#"):
			t.err = cmp.Or(t.err, errors.New("its schema refers to an address"))
		case under == "type", under == "required" && !slices.Contains(t.names, value):
		case isData, isPlain:
			return t.text(value)
		}
		return nil
	}
	return value // a number, or yes or no
}

// brought is what a call brought: a document of its own, or the texts of the answer one after the other. What
// a server gives in words and once more as data is taken once.
func (c *Client) brought(tool string, result *sdk.CallToolResult) (actions.Brought, error) {
	if result.NeedsInput() {
		return actions.Brought{}, fmt.Errorf(
			"%s of the server %s asks the person for something, and nobody answers it here: do without it",
			tool, c.name)
	}
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
	if len(b.Body) > maxResult {
		return b,
			fmt.Errorf("%s brought %d bytes and may bring %d: ask it for less", tool, len(b.Body), maxResult)
	}
	if b.Type == "" {
		b.Type = "text/markdown"
		if strings.ContainsAny(text[:min(1, len(text))], "{[") && bounds.JSON(b.Body, new(any)) == nil {
			b.Type = "application/json"
		}
	}
	if strings.HasPrefix(b.Type, "text/") || b.Type == "application/json" {
		b.Body = []byte(c.redact.Text(cleaned(string(b.Body))))
	}
	return b, nil
}

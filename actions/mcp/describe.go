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
	whole := t.schema(root, 0)
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

// What stands under the keywords of JSON Schema. Whatever is not named here is left out, and so are title,
// $schema and $id, which tell a model nothing.
var (
	schemaUnder = words("items additionalItems additionalProperties not contains propertyNames if then " +
		"else unevaluatedItems unevaluatedProperties")
	schemasUnder = words("properties patternProperties $defs definitions dependentSchemas")
	listUnder    = words("anyOf oneOf allOf prefixItems items")
	textUnder    = words("description format pattern $ref $comment contentEncoding contentMediaType")
	numberUnder  = words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength " +
		"minItems maxItems minContains maxContains minProperties maxProperties uniqueItems readOnly " +
		"writeOnly deprecated nullable additionalProperties additionalItems unevaluatedItems " +
		"unevaluatedProperties items not contains propertyNames if then else")
	dataUnder = words("enum const default examples")
	types     = words("object array string number integer boolean null")
)

func words(text string) []string { return strings.Fields(text) }

type tidying struct {
	said []string
	err  error
}

// text is a text of a schema, bounded and without what could be taken for a mark. What it says is noted.
func (t *tidying) text(text string) string {
	text = prose.Shorten(cleaned(text), maxSaid)
	if line := prose.OneLine(text); line != "" {
		t.said = append(t.said, line)
	}
	return agent.Disarm(text)
}

func (t *tidying) tooDeep(depth int) bool {
	if depth > maxSchemaDepth {
		t.err = cmp.Or(t.err, errors.New("its schema is nested too deep"))
	}
	return depth > maxSchemaDepth
}

// schema copies one with the keywords that are known.
func (t *tidying) schema(given map[string]any, depth int) map[string]any {
	all := map[string]any{}
	if t.tooDeep(depth) {
		return all
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if value := t.under(key, given, depth); value != nil {
			all[key] = value
		}
	}
	return all
}

// under copies what stands under a keyword, or returns nil when it is left out.
func (t *tidying) under(key string, given map[string]any, depth int) any {
	in := func(keys []string) bool { return slices.Contains(keys, key) }
	switch value := given[key].(type) {
	case map[string]any:
		switch {
		case in(schemaUnder):
			return t.schema(value, depth+1)
		case in(schemasUnder):
			return t.schemas(value, depth+1)
		}
	case []any:
		switch {
		case key == "required":
			return t.required(value, given["properties"])
		case key == "type":
			if known := slices.DeleteFunc(slices.Clone(value),
				func(one any) bool { return !isType(one) }); len(known) > 0 {
				return known
			}
			return nil
		case in(listUnder):
			all := []any{}
			for _, one := range value {
				if inner, ok := one.(map[string]any); ok {
					all = append(all, t.schema(inner, depth+1))
				}
			}
			return all
		}
	case string:
		switch {
		case key == "type" && isType(value):
			return value
		case key == "$ref" && !strings.HasPrefix(value, "#"):
			t.err = cmp.Or(t.err, errors.New("its schema refers to an address"))
		case in(textUnder):
			return t.text(value)
		}
	case bool, float64, json.Number:
		if in(numberUnder) {
			return value
		}
	}
	if in(dataUnder) {
		return t.data(given[key], depth+1)
	}
	return nil
}

func isType(one any) bool {
	name, ok := one.(string)
	return ok && slices.Contains(types, name)
}

// schemas copies those that have names of the server's, which are noted.
func (t *tidying) schemas(given map[string]any, depth int) map[string]any {
	all := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch value := given[name].(type) {
		case map[string]any:
			all[t.text(name)] = t.schema(value, depth+1)
		case bool:
			all[t.text(name)] = value
		}
	}
	return all
}

// required keeps the names that properties have, which are noted there.
func (t *tidying) required(names []any, properties any) []any {
	known, _ := properties.(map[string]any)
	all := []any{}
	for _, one := range names {
		if name, ok := one.(string); ok && known[name] != nil {
			all = append(all, agent.Disarm(prose.Shorten(cleaned(name), maxSaid)))
		}
	}
	return all
}

// data copies a value that is no schema, such as one of an enum.
func (t *tidying) data(value any, depth int) any {
	if t.tooDeep(depth) {
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		all := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			all[t.text(name)] = t.data(value[name], depth+1)
		}
		return all
	case []any:
		all := make([]any, len(value))
		for i := range value {
			all[i] = t.data(value[i], depth+1)
		}
		return all
	case string:
		return t.text(value)
	}
	return value
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
			if r := content.Resource; r != nil && (len(result.Content) == 1 || r.Text != "") {
				if b.Type = r.MIMEType; r.Blob != nil {
					b.Body = r.Blob
				}
				parts = append(parts, r.Text)
			}
		case *sdk.ResourceLink:
			parts = append(parts, fmt.Sprintf("%s: %s", cmp.Or(content.Title, content.Name), content.URI))
		case *sdk.ImageContent:
			parts = append(parts, "(a picture, which is not read)")
		case *sdk.AudioContent:
			parts = append(parts, "(a recording, which is not read)")
		}
	}
	if len(result.Content) != 1 {
		b.Type = ""
	}
	if text := strings.TrimSpace(strings.Join(parts, "\n\n")); text == "" && result.StructuredContent != nil {
		data, err := json.MarshalIndent(result.StructuredContent, "", "  ")
		if err != nil {
			return b, fmt.Errorf("reading what %s brought: %w", tool, err)
		}
		b.Body = data
	} else if b.Body == nil {
		b.Body = []byte(text)
	}
	if len(b.Body) > maxResult {
		return b,
			fmt.Errorf("%s brought %d bytes and may bring %d: ask it for less", tool, len(b.Body), maxResult)
	}
	if b.Type == "" {
		b.Type = "text/markdown"
		if isJSON(b.Body) {
			b.Type = "application/json"
		}
	}
	if strings.HasPrefix(b.Type, "text/") || b.Type == "application/json" {
		b.Body = []byte(c.redact.Text(cleaned(string(b.Body))))
	}
	return b, nil
}

func isJSON(text []byte) bool {
	begin := strings.TrimSpace(string(text[:min(len(text), 100)]))
	var value any
	return (strings.HasPrefix(begin, "{") || strings.HasPrefix(begin, "[")) &&
		bounds.JSON(text, &value) == nil
}

package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Arguments are read strictly: one JSON object, each field once and in the case of its name. Known,
// unambiguous mistakes of models and servers are corrected and then checked like the rest. Arguments that end
// too early are never completed: what is missing is unknown.

// decode reads and checks a call's arguments.
func decode[In any](schema *jsonschema.Schema, args string) (In, error) {
	var in In
	object, _, err := parseObject(args)
	if err != nil {
		return in, fmt.Errorf("%w; they have to be one JSON object", err)
	}
	if err := fit(schema, object); err != nil {
		return in, err
	}
	checked, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(checked, &in)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return in, fmt.Errorf("%s %s is out of range", wrong.Field, wrong.Value)
	}
	return in, err
}

// parseObject parses the arguments' one object, and returns it with its JSON text. Empty arguments are an
// empty object, which is how several servers write a call without any.
func parseObject(args string) (object map[string]any, read string, err error) {
	read = strings.TrimSpace(args)
	if read == "" || read == "null" {
		return map[string]any{}, "{}", nil
	}
	value, err := parse(read)
	if err != nil {
		tidy := tidied(read)
		var err2 error
		if value, err2 = parse(tidy); err2 != nil {
			return nil, "", err
		}
		read = tidy
	} else if inner, ok := value.(string); ok { // an object encoded once too often
		inner = strings.TrimSpace(inner)
		if whole, err := parse(inner); err == nil {
			value, read = whole, inner
		}
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, "", fmt.Errorf("they are %s", kindOf(value))
	}
	return object, read, nil
}

// Object returns the arguments of a call as a JSON object, which models do not always write. It returns false
// if they cannot be read.
func Object(args string) (string, bool) {
	_, read, err := parseObject(args)
	return read, err == nil
}

// parse reads one JSON value and rejects what encoding/json accepts: duplicate fields, and NUL characters.
// Numbers stay as written.
func parse(text string) (any, error) {
	if !json.Valid([]byte(text)) {
		err := json.Unmarshal([]byte(text), new(json.RawMessage))
		var syntax *json.SyntaxError
		switch {
		case !errors.As(err, &syntax):
			return nil, fmt.Errorf("they are not JSON: %w", err)
		case int(syntax.Offset) >= len(text) && strings.HasPrefix(err.Error(), "unexpected end"):
			return nil, errors.New("they end before their JSON does")
		case strings.HasSuffix(err.Error(), "after top-level value"):
			return nil, fmt.Errorf("they go on behind the JSON with %s", near(text, syntax.Offset-1))
		}
		return nil, fmt.Errorf("they are not JSON: %w, at %s", err, near(text, syntax.Offset-1))
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	return parseValue(decoder)
}

func parseValue(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	switch token {
	case json.Delim('['):
		list := []any{}
		for err == nil && decoder.More() {
			var item any
			item, err = parseValue(decoder)
			list = append(list, item)
		}
		if err == nil {
			_, err = decoder.Token()
		}
		return list, err
	case json.Delim('{'):
		object := map[string]any{}
		for err == nil && decoder.More() {
			var name any
			if name, err = parseValue(decoder); err == nil {
				err = parseField(decoder, object, fmt.Sprint(name))
			}
		}
		if err == nil {
			_, err = decoder.Token()
		}
		return object, err
	}
	if text, ok := token.(string); ok && strings.ContainsRune(text, 0) {
		return nil, errors.New("they hold a NUL character, which no text has")
	}
	return token, err
}

func parseField(decoder *json.Decoder, object map[string]any, name string) (err error) {
	if _, twice := object[name]; twice {
		return fmt.Errorf("the field %s stands in them twice", quoted(name))
	}
	object[name], err = parseValue(decoder)
	return err
}

// tidied removes a code fence around the arguments and trailing commas, and escapes line breaks and tabs in
// strings. Each of these has only one possible meaning.
func tidied(text string) string {
	if inside, ok := strings.CutPrefix(text, "```"); ok {
		text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(inside, "```"), "json"))
	}
	return untidy.ReplaceAllStringFunc(text, func(part string) string {
		if part[0] == ',' {
			return part[1:]
		}
		return unescaped.Replace(part)
	})
}

var (
	// untidy finds JSON strings and trailing commas.
	untidy = regexp.MustCompile(`(?s)"(?:[^"\\]|\\.)*"?|,\s*[}\]]`)
	// unescaped leaves alone what follows a backslash.
	unescaped = strings.NewReplacer(`\\`, `\\`, "\\\n", "\\\n", "\\\r", "\\\r", "\\\t", "\\\t",
		"\n", `\n`, "\r", `\r`, "\t", `\t`)
)

// settled converts a value to its field's type where only one reading is possible: a number or boolean
// written as a string, a list or object encoded once too often, a whole number with a decimal point.
func settled(want string, value any) any {
	switch v := value.(type) {
	case json.Number:
		whole, zeros, _ := strings.Cut(v.String(), ".")
		if want == "integer" && strings.Trim(zeros, "0") == "" {
			return json.Number(whole)
		}
	case string:
		inner, err := parse(strings.TrimSpace(v))
		if _, isText := inner.(string); err == nil && !isText && want != "string" {
			if inner = settled(want, inner); isOf(want, inner) {
				return inner
			}
		}
	}
	return value
}

// isOf reports whether a value has the named type.
func isOf(want string, value any) bool {
	switch v := value.(type) {
	case bool:
		return want == "boolean"
	case json.Number:
		return want == "number" || want == "integer" && !strings.ContainsAny(v.String(), ".eE")
	case string:
		return want == "string"
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	}
	return false
}

// near quotes a text from a position on.
func near(text string, at int64) string {
	from := min(max(0, int(at)), len(text))
	return quoted(text[from:min(len(text), from+20)])
}

// quoted quotes a model's text, short and on one line.
func quoted(text string) string {
	if len(text) > 60 {
		text = text[:60] + "…"
	}
	return strconv.QuoteToGraphic(strings.ToValidUTF8(text, "?"))
}

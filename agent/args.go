package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Arguments are read strictly: one JSON object, each field once and in the case of its name. What a model or
// server is known to get wrong in a way that leaves no doubt is put right, and then checked like the rest.
// Nothing is ever added to arguments that end too early: what is missing is not known.

// decode reads and checks a call's arguments.
func decode[In any](s *shape, args string) (In, error) {
	var in In
	object, read, err := parseObject(args)
	if err != nil {
		return in, fmt.Errorf("%w; they have to be one JSON object", err)
	}
	settled := settle(s.strict.Schema(), object)
	if err := misfit(s.strict.Schema(), object); err != nil {
		return in, err
	}
	checked := []byte(read)
	if settled {
		if checked, err = json.Marshal(object); err != nil {
			return in, fmt.Errorf("they cannot be read: %w", err)
		}
	}
	if err = json.Unmarshal(checked, &in); err == nil {
		err = s.strict.Validate(reckoned(object)) // for what misfit does not know
	}
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return in, fmt.Errorf("%s %s is out of range", wrong.Field, wrong.Value)
	case err != nil:
		return in, errors.New(strings.TrimPrefix(err.Error(), "validating root: "))
	}
	return in, nil
}

// reckoned is a value with its numbers as the schema's checks read them.
func reckoned(value any) any {
	switch v := value.(type) {
	case json.Number:
		if n, err := v.Float64(); err == nil {
			return n
		}
	case map[string]any:
		for name, field := range v {
			v[name] = reckoned(field)
		}
	case []any:
		for i, item := range v {
			v[i] = reckoned(item)
		}
	}
	return value
}

// parseObject reads the one object that arguments are, and gives with it the JSON that it stands in. No
// arguments at all are an empty one, which is how several servers write a call without any.
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
	} else if inner, ok := value.(string); ok { // an object, encoded once too often
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

// Object returns the arguments of a call as a JSON object. Models do not always write them as one; false says
// that they cannot be read.
func Object(args string) (string, bool) {
	_, read, err := parseObject(args)
	return read, err == nil
}

// parse reads one JSON value and refuses what encoding/json lets pass: two fields of one name, and a NUL,
// which no text has. Numbers stay as they are written.
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
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case string:
		if strings.ContainsRune(token, 0) {
			return nil, errors.New("they hold a NUL character, which no text has")
		}
	case json.Delim:
		if token == '{' {
			return parseFields(decoder)
		}
		list := []any{}
		for decoder.More() {
			item, err := parseValue(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err = decoder.Token()
		return list, err
	}
	return token, nil
}

func parseFields(decoder *json.Decoder) (any, error) {
	object := map[string]any{}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name, ok := key.(string)
		if !ok {
			return nil, fmt.Errorf("they have %v where the name of a field belongs", key)
		}
		if _, twice := object[name]; twice {
			return nil, fmt.Errorf("the field %s stands in them twice", quoted(name))
		}
		if object[name], err = parseValue(decoder); err != nil {
			return nil, err
		}
	}
	_, err := decoder.Token()
	return object, err
}

// tidied takes a fence off that arguments stand in, a comma off that nothing follows, and writes line breaks
// and tabs in a string as JSON does. Each stands for one thing only.
func tidied(text string) string {
	if inside, ok := strings.CutPrefix(text, "```"); ok {
		text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(inside, "```"), "json"))
	}
	out := make([]byte, 0, len(text)+16)
	inString, comma := false, -1
	for i := 0; i < len(text); i++ {
		c := text[i]
		if inString {
			switch c {
			case '\\':
				if i++; i < len(text) {
					out = append(out, c, text[i])
				}
				continue
			case '\n':
				out = append(out, `\n`...)
				continue
			case '\r':
				out = append(out, `\r`...)
				continue
			case '\t':
				out = append(out, `\t`...)
				continue
			}
			inString = c != '"'
			out = append(out, c)
			continue
		}
		switch c {
		case ',':
			comma = len(out)
		case ' ', '\t', '\r', '\n':
		case '}', ']':
			if comma >= 0 {
				out = append(out[:comma], out[comma+1:]...)
			}
			comma = -1
		default:
			inString, comma = c == '"', -1
		}
		out = append(out, c)
	}
	return string(out)
}

// settle puts values into the type that their field has, where only one reading is possible: a number or a
// yes or no that is written as a string, a list or object that is encoded once too often, a whole number with
// a decimal point, and null for a field that may be left out, which is how strict schemas have it. It says
// whether it did.
func settle(schema *jsonschema.Schema, object map[string]any) bool {
	settled := false
	for name, value := range object {
		field, known := schema.Properties[name]
		if !known {
			continue
		}
		want := typeOf(field)
		switch v := value.(type) {
		case nil:
			if !isRequired(schema, name) {
				delete(object, name)
				settled = true
			}
		case json.Number:
			if whole := withoutZeros(v.String()); want == "integer" && whole != v.String() {
				object[name], settled = json.Number(whole), true
			}
		case string:
			if want != "string" && want != "" {
				object[name], settled = fromString(want, v), true
			}
		case map[string]any:
			settled = settle(field, v) || settled
		case []any:
			for _, item := range v {
				if inner, ok := item.(map[string]any); ok && field.Items != nil {
					settled = settle(field.Items, inner) || settled
				}
			}
		}
	}
	return settled
}

// fromString is what a string stands for where another type is wanted, or the string itself.
func fromString(want, text string) any {
	value, err := parse(strings.TrimSpace(text))
	if err != nil {
		return text
	}
	switch v := value.(type) {
	case json.Number:
		if want == "integer" {
			return json.Number(withoutZeros(v.String()))
		}
		if want == "number" {
			return v
		}
	case bool:
		if want == "boolean" {
			return v
		}
	case []any:
		if want == "array" {
			return v
		}
	case map[string]any:
		if want == "object" {
			return v
		}
	}
	return text
}

func withoutZeros(number string) string {
	if whole, zeros, ok := strings.Cut(number, "."); ok && strings.Trim(zeros, "0") == "" {
		return whole
	}
	return number
}

// near quotes what stands at a place of a text.
func near(text string, at int64) string {
	from := min(max(0, int(at)), len(text))
	return quoted(text[from:min(len(text), from+20)])
}

// quoted is a text of a model, short and on one line.
func quoted(text string) string {
	if len(text) > 60 {
		text = text[:60] + "…"
	}
	return strconv.QuoteToGraphic(strings.ToValidUTF8(text, "?"))
}

package bounds

import (
	"bytes"
	"encoding/json"
)

// Limits for JSON. Its parser takes time linear in the size and itself rejects nesting deeper than 10,000,
// but may turn a value of two bytes into a map of 300.
const (
	maxJSON      = 8 << 20 // bytes
	maxValues    = 500_000 // of arrays and objects, their names included
	maxJSONDepth = 100
)

// JSON decodes a text into a value.
func JSON(source []byte, into any) error {
	if err := jsonWork(source); err != nil {
		return err
	}
	return json.Unmarshal(source, into)
}

// JSONDecoder reads a long text value by value, each with its own budget.
type JSONDecoder struct{ *json.Decoder }

// JSONStream returns a decoder for a text.
func JSONStream(source []byte) JSONDecoder {
	return JSONDecoder{json.NewDecoder(bytes.NewReader(source))}
}

// Decode decodes the next value.
func (d JSONDecoder) Decode(into any) error {
	var raw json.RawMessage
	if err := d.Decoder.Decode(&raw); err != nil {
		return err
	}
	return JSON(raw, into)
}

// Skip skips the next value, whatever it contains.
func (d JSONDecoder) Skip() error { return d.Decoder.Decode(new(json.RawMessage)) }

func jsonWork(source []byte) error {
	if len(source) > maxJSON {
		return over(0, "it is larger than %d MiB", maxJSON>>20)
	}
	depth, values := 0, 0
	quoted := false
	for i := 0; i < len(source); i++ {
		c := source[i]
		switch {
		case quoted && c == '\\':
			i++
			continue
		case c == '"':
			quoted = !quoted
			continue
		case quoted:
			continue
		case c == '[', c == '{':
			depth++
			values++
		case c == ']', c == '}':
			depth--
		case c == ',', c == ':':
			values++
		}
		switch {
		case depth > maxJSONDepth:
			return over(lineAt(string(source), i),
				"arrays and objects stand in one another more than %d deep", maxJSONDepth)
		case values > maxValues:
			return over(lineAt(string(source), i), "more than %d values", maxValues)
		}
	}
	return nil
}

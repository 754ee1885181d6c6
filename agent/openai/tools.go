package openai

import (
	"encoding/json"
	"fmt"

	"github.com/daybook-agent/daybook/agent"
)

// encodeTools writes the actions as the server's "tools".
func encodeTools(actions []agent.Action, strict bool) ([]byte, error) {
	type toolFunction struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Strict      bool            `json:"strict,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	type tool struct {
		Type     string       `json:"type"`
		Function toolFunction `json:"function"`
	}
	tools := make([]tool, len(actions))
	for i, a := range actions {
		parameters := a.Schema
		if len(parameters) == 0 {
			parameters = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		tools[i] = tool{Type: "function", Function: toolFunction{Name: a.Name, Description: a.Doc, Strict: strict, Parameters: parameters}}
	}
	encoded, err := plainJSON(tools)
	if err != nil {
		return nil, fmt.Errorf("encoding the actions: %w", err)
	}
	return encoded, nil
}

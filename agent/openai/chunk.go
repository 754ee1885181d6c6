package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// What a server says, whole or in chunks of a stream, read more tolerantly than by go-openai's types.
type (
	chunk struct {
		Model   any             `json:"model"`
		Choices []choice        `json:"choices"`
		Usage   *usage          `json:"usage"`
		Error   json.RawMessage `json:"error"`
	}
	choice struct {
		Index        int    `json:"index"`
		Delta        *said  `json:"delta"`
		Message      *said  `json:"message"`
		FinishReason string `json:"finish_reason"`
	}
	said struct {
		Content          text        `json:"content"`
		Refusal          text        `json:"refusal"`           // said instead of a content
		ReasoningContent text        `json:"reasoning_content"` // DeepSeek's and most others' name for it
		Reasoning        text        `json:"reasoning"`         // OpenRouter's
		ToolCalls        []callDelta `json:"tool_calls"`
	}
	callDelta struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string  `json:"name"`
			Arguments rawText `json:"arguments"`
		} `json:"function"`
	}
	usage struct {
		PromptTokens        count `json:"prompt_tokens"`
		CompletionTokens    count `json:"completion_tokens"`
		PromptTokensDetails struct {
			CachedTokens count `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		PromptCacheHitTokens count `json:"prompt_cache_hit_tokens"` // DeepSeek's name for it
		Cost                 count `json:"cost"`                    // in US dollars, as OpenRouter says it
	}
)

// cached returns how many tokens of the prompt came from a cache, as far as the server says.
func (u usage) cached() int {
	return max(0, int(u.PromptTokensDetails.CachedTokens), int(u.PromptCacheHitTokens))
}

// read returns how many tokens the server says it read, including cached ones that it does not count; or 0.
func (u usage) read() int {
	if cached := u.cached(); cached > int(u.PromptTokens) {
		return int(u.PromptTokens) + cached
	}
	return int(u.PromptTokens)
}

// text is a string, nothing, or a list of parts, of which the texts count. Anything else counts as nothing: a
// strange field beside the content must not cost the reply.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	var parts []struct{ Text string }
	if json.Unmarshal(raw, (*string)(t)) != nil && json.Unmarshal(raw, &parts) == nil {
		for _, p := range parts {
			*t += text(p.Text)
		}
	}
	return nil
}

// thoughts returns the reasoning that a server sends. Some send it under both names.
func (s *said) thoughts() string { return string(cmp.Or(s.ReasoningContent, s.Reasoning)) }

// rawText is JSON in a string, as arguments should be sent, or bare, as some servers send them.
type rawText string

func (t *rawText) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' || bytes.Equal(raw, []byte("null")) {
		return json.Unmarshal(raw, (*string)(t))
	}
	*t = rawText(raw)
	return nil
}

func (u *usage) UnmarshalJSON(raw []byte) error {
	type fields usage
	_ = json.Unmarshal(raw, (*fields)(u)) // a list of figures, as some send it, says nothing
	return nil
}

// count is a number of tokens or dollars, which some servers write as a string. What cannot be one is 0.
type count float64

func (c *count) UnmarshalJSON(raw []byte) error {
	if n, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64); err == nil && n > 0 && n < 1e12 {
		*c = count(n)
	}
	return nil
}

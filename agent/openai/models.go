package openai

import (
	"context"
	"fmt"
	"time"
)

const (
	// worthAsking is the size of a conversation, in tokens, from which on it is worth to ask a server for its window. Below it even a small
	// one is enough, and the first request of a run is not held up.
	worthAsking = 6000
	modelsTime  = 5 * time.Second
)

// askOnce says whether the server is yet to be asked for the window. It is asked once, and only when nobody said.
func (b *Brain) askOnce() bool {
	_, known := b.window()
	b.measure.mu.Lock()
	defer b.measure.mu.Unlock()
	ask := !known && !b.measure.asked
	b.measure.asked = true
	return ask
}

// FindWindow asks the server's list of models how many tokens the model takes in one request; 0 when the list does not say, as is so with
// OpenAI's and Ollama's.
func (b *Brain) FindWindow(ctx context.Context) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, modelsTime)
	defer cancel()
	list, err := b.list(ctx, b.connections())
	if err != nil {
		return 0, fmt.Errorf("asking for the window of %s: %w", b.Model, err)
	}
	for _, m := range list {
		if m.ID == b.Model {
			return m.window(), nil
		}
	}
	return 0, nil
}

// listed is a model in a server's list.
type listed struct {
	ID       string `json:"id"`
	Loaded   count  `json:"loaded_context_length"` // LM Studio: as it is loaded
	Served   count  `json:"max_model_len"`         // vLLM, SGLang
	Window   count  `json:"context_window"`        // Groq
	Length   count  `json:"context_length"`        // OpenRouter, Together, Moonshot
	Most     count  `json:"max_context_length"`    // Mistral
	Provider struct {
		Length count `json:"context_length"` // OpenRouter: of the provider that it takes first
	} `json:"top_provider"`
}

// window is the smallest that is named: what a model was made for may be more than what is served.
func (m listed) window() int {
	least := 0
	for _, n := range []count{m.Loaded, m.Served, m.Window, m.Length, m.Most, m.Provider.Length} {
		if n >= leastWindow && n <= mostWindow && (least == 0 || int(n) < least) {
			least = int(n)
		}
	}
	return least
}

package openai

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent/bounds"
)

const (
	// worthAsking is the size of a conversation, in tokens, below which no server's window is too small.
	worthAsking = 6000
	listTimeout = 5 * time.Second
	maxListed   = 300     // bytes of a model's name; a longer one is ignored
	maxModels   = 4 << 20 // bytes of a list; that of a large gateway has about one million
)

// Models asks the server which models it has, and returns their names in its order.
func (b *Brain) Models(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	list, err := b.list(ctx, b.connections())
	if err != nil {
		return nil, fmt.Errorf("asking which models there are: %w", err)
	}
	return namesOf(list), nil
}

func namesOf(list []listed) []string {
	var names []string
	for _, m := range list {
		names = append(names, m.ID)
	}
	return names
}

// ChatModel returns the first of a server's models that is made for chat and runs there, or "".
func ChatModel(names []string) string {
	for _, name := range names {
		lower := strings.ToLower(name)
		isElsewhere := strings.HasSuffix(lower, "cloud") // as Ollama marks them
		if name != "" && !isElsewhere && !mentions(lower,
			"embed", "rerank", "bge-", "minilm", "whisper", "tts", "ocr", "moderation", "guard") {
			return name
		}
	}
	return ""
}

// askForWindow looks for the window in the server's list of models. OpenAI and Ollama do not give it.
func (b *Brain) askForWindow(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	list, _ := b.list(ctx, b.connections())
	if i := slices.IndexFunc(list, func(m listed) bool { return m.ID == b.Model }); i >= 0 {
		b.learnWindow(list[i].window())
	}
}

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

// window returns the smallest that is named: a model may be made for more than the server allows.
func (m listed) window() int {
	least := 0
	for _, n := range []count{m.Loaded, m.Served, m.Window, m.Length, m.Most, m.Provider.Length} {
		if n >= leastWindow && n <= mostWindow && (least == 0 || int(n) < least) {
			least = int(n)
		}
	}
	return least
}

// list returns the server's list of models, empty if it has none.
func (b *Brain) list(ctx context.Context, through http.RoundTripper) ([]listed, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.baseURL()+"/models", nil)
	if err != nil {
		return nil, err
	}
	resp, err := sender{b, through, maxModels}.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, b.unreached(err)
	}
	var list struct {
		Data   *[]listed `json:"data"`
		Object string    `json:"object"`
	}
	if bounds.JSON(body, &list) != nil || (list.Data == nil && list.Object != "list") {
		return nil, fault(Ask, nil, "%s has no list of models: check %s, which usually ends in /v1",
			b.server(), b.Quirks.addressSetting())
	}
	if list.Data == nil { // Ollama says null when it has none
		return nil, nil
	}
	r := b.redactor()
	return slices.DeleteFunc(*list.Data, func(m listed) bool {
		return len(m.ID) > maxListed || r.Text(m.ID) != m.ID
	}), nil
}

const (
	// A server on this machine accepts the connection at once; its answer may take a moment.
	knockTimeout = 100 * time.Millisecond
	foundTimeout = 500 * time.Millisecond
)

// Found is a model server that answers.
type Found struct {
	Provider Provider
	Models   []string // in the server's order; empty when it has none
}

// Look asks the servers of these providers at the same time, and returns those that answer, in the providers'
// order. It is for servers on this machine: one that does not answer at once is not found.
func Look(ctx context.Context, providers []Provider) []Found {
	ctx, cancel := context.WithTimeout(ctx, foundTimeout)
	defer cancel()
	through := &http.Transport{DialContext: (&net.Dialer{Timeout: knockTimeout}).DialContext,
		DisableKeepAlives: true}
	there := make([]Found, len(providers))
	var asking sync.WaitGroup
	for i, p := range providers {
		asking.Go(func() {
			if list, err := (&Brain{BaseURL: p.BaseURL}).list(ctx, through); err == nil {
				there[i] = Found{Provider: p, Models: namesOf(list)}
			}
		})
	}
	asking.Wait()
	return slices.DeleteFunc(there, func(f Found) bool { return f.Provider.Name == "" })
}

// IsLocal reports whether a base URL is a server on this machine.
func IsLocal(baseURL string) bool {
	name, _, err := net.SplitHostPort(host(baseURL))
	return err == nil && isLoopback(name)
}

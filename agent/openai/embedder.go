package openai

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	vendor "github.com/sashabaranov/go-openai"

	"github.com/daybook-agent/daybook/agent"
)

const (
	embedTimeout = 20 * time.Second // for one question: a search waits for it
	maxVectors   = 32 << 20         // bytes of an answer: a hundred texts take two megabytes
)

// Embedder turns texts into vectors by meaning. Many goroutines may use it at the same time.
type Embedder struct {
	Model   string
	BaseURL string // "" is [DefaultBaseURL]
	Key     string // "" sends none
	Quirks  Quirks // as those of a [Brain]
	Limit   *Limit // shared with the Brains of the server; nil for none

	once   sync.Once
	server *Brain // knows how the server is asked
	client *vendor.Client
}

// Embed gives a vector for each text, in their order. It asks once: one can rank without it.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	e.once.Do(func() {
		e.server = &Brain{BaseURL: e.BaseURL, Key: e.Key, Quirks: e.Quirks}
		e.client = sender{e.server, e.server.connections(), maxVectors}.client()
	})
	ctx, cancel := context.WithTimeout(ctx, embedTimeout)
	defer cancel()
	if e.Limit != nil {
		leave, err := e.Limit.enter(ctx, agent.EstimateTokens(strings.Join(texts, "\n")),
			func(string, time.Duration) {})
		if err != nil {
			return nil, fmt.Errorf("waiting to ask for embeddings of %s: %w", e.Model, err)
		}
		defer leave()
	}
	answer, err := e.client.CreateEmbeddings(ctx,
		vendor.EmbeddingRequest{Input: texts, Model: vendor.EmbeddingModel(e.Model)})
	if err != nil {
		return nil, fmt.Errorf("asking for embeddings of %s: %w", e.Model, e.server.withoutKey(err))
	}
	if len(answer.Data) != len(texts) {
		return nil, fmt.Errorf("asking for embeddings of %s: %d came for %d texts", e.Model, len(answer.Data),
			len(texts))
	}
	vectors := make([][]float32, len(texts))
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= len(vectors) || vectors[d.Index] != nil || len(d.Embedding) == 0 {
			return nil, fmt.Errorf("asking for embeddings of %s: the answer does not say which text is which",
				e.Model)
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}

package openai

import (
	"context"
	"fmt"
	"strings"
	"time"

	vendor "github.com/sashabaranov/go-openai"

	"github.com/daybook-agent/daybook/agent"
)

const (
	embedTimeout = 20 * time.Second // for one question: a search waits for it
	maxVectors   = 32 << 20         // bytes of an answer: a hundred texts take two megabytes
)

// Embed returns a vector for the meaning of each text, in their order, from a model made for that. It asks
// only once: ranking works without it.
func (b *Brain) Embed(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("asking for embeddings of %s: %w", b.Model, b.withoutKey(err))
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, embedTimeout)
	defer cancel()
	leave, err := b.limit().enter(ctx, agent.EstimateTokens(strings.Join(texts, "\n")),
		func(string, time.Duration) {})
	if err != nil {
		return nil, err
	}
	defer leave()
	answer, err := sender{b, b.connections(), maxVectors}.client().CreateEmbeddings(ctx,
		vendor.EmbeddingRequest{Input: texts, Model: vendor.EmbeddingModel(b.Model)})
	if err != nil {
		return nil, err
	}
	if len(answer.Data) != len(texts) {
		return nil, fmt.Errorf("%d came for %d texts", len(answer.Data), len(texts))
	}
	vectors = make([][]float32, len(texts))
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= len(vectors) || vectors[d.Index] != nil || len(d.Embedding) == 0 {
			return nil, fmt.Errorf("the answer does not say which text is which")
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}

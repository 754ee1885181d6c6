package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	vendor "github.com/sashabaranov/go-openai"

	"github.com/daybook-agent/daybook/agent"
)

// embedTimeout bounds one question: a search waits for it.
const embedTimeout = 20 * time.Second

// Embedder turns texts into vectors by meaning, through a server's embeddings. It may be used by many
// goroutines at the same time.
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

// Embed gives a vector for each text, in their order. It asks once: whoever ranks by meaning can rank without
// it.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	e.once.Do(func() {
		e.server = &Brain{BaseURL: e.BaseURL, Key: e.Key, Quirks: e.Quirks}
		config := vendor.DefaultConfig(e.Key)
		config.BaseURL = e.server.baseURL()
		config.HTTPClient = directed{e.server, &http.Client{CheckRedirect: stay}}
		e.client = vendor.NewClientWithConfig(config)
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
		return nil, fmt.Errorf("asking for embeddings of %s: %w", e.Model, e.server.told(err))
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

// stay follows no redirect: the key is for this server alone.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// directed sends requests as the server wants them.
type directed struct {
	server *Brain
	client *http.Client
}

// Do implements go-openai's HTTPDoer.
func (d directed) Do(req *http.Request) (*http.Response, error) {
	d.server.direct(req)
	resp, err := d.client.Do(req)
	if err == nil {
		resp.Body = bounded{io.LimitReader(resp.Body, maxVectors), resp.Body}
	}
	return resp, err
}

// maxVectors is how many bytes of an answer are read: a hundred texts take two megabytes.
const maxVectors = 32 << 20

// bounded is a body of which only a part is read.
type bounded struct {
	io.Reader
	io.Closer
}

// told is an error without what may hold more than a person should see, such as a whole page of HTML or an
// address with a key.
func (b *Brain) told(err error) error {
	if refused, ok := errors.AsType[*vendor.APIError](err); ok && refused.HTTPStatusCode > 0 {
		return fmt.Errorf("the server answers %d: %s", refused.HTTPStatusCode, b.clean(refused.Message))
	}
	if refused, ok := errors.AsType[*vendor.RequestError](err); ok {
		return fmt.Errorf("the server answers %d", refused.HTTPStatusCode)
	}
	if at, ok := errors.AsType[*url.Error](err); ok {
		err = at.Err // without the address, which may hold a key
	}
	return b.withoutKey(err)
}

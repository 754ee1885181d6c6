package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	maxModels   = 4 << 20 // bytes of a list; that of a large gateway has about one million
	listTimeout = 10 * time.Second

	// A server on this machine is there at once, for it is the system that takes up the connection; what it has to say may take a moment.
	knockTimeout = 100 * time.Millisecond
	foundTimeout = 500 * time.Millisecond
)

// Models asks the server which models it has, and gives their names in its order.
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

// list is the server's list of models, empty when it has none.
func (b *Brain) list(ctx context.Context, through http.RoundTripper) ([]listed, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.baseURL()+"/models", nil)
	if err != nil {
		return nil, err
	}
	if b.Key != "" {
		req.Header.Set("Authorization", "Bearer "+b.Key)
	}
	b.direct(req)
	resp, err := through.RoundTrip(req)
	if err != nil {
		return nil, b.unreached(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxModels))
	if err != nil {
		return nil, b.unreached(err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, b.refusal(resp.StatusCode, resp.Header, body)
	}
	var list struct {
		Data   *[]listed `json:"data"`
		Object string    `json:"object"`
	}
	if json.Unmarshal(body, &list) != nil || (list.Data == nil && list.Object != "list") {
		return nil, &Error{Class: Ask, Message: fmt.Sprintf("%s has no list of models: check %s, which usually ends in /v1", b.server(), b.Quirks.addressSetting())}
	}
	if list.Data == nil { // Ollama says null when it has none
		return nil, nil
	}
	return *list.Data, nil
}

// ChatModel is the first of a server's models that is made for talking and works on that server itself, "" when there is none.
func ChatModel(names []string) string {
	i := slices.IndexFunc(names, func(name string) bool {
		name = strings.ToLower(name)
		return name != "" && !strings.HasSuffix(name, "cloud") && !mentions(name, // Ollama's cloud models run elsewhere
			"embed", "rerank", "bge-", "minilm", "whisper", "tts", "ocr", "moderation", "guard")
	})
	if i < 0 {
		return ""
	}
	return names[i]
}

// Found is a model server that answers.
type Found struct {
	Provider Provider
	Models   []string // in the server's order; empty when it has none
}

// Look asks the servers of these providers at once whether they are there, and gives those that are, in the order of the providers. It is
// for servers on this machine: one that is not there at once is not found.
func Look(ctx context.Context, providers []Provider) []Found {
	ctx, cancel := context.WithTimeout(ctx, foundTimeout)
	defer cancel()
	through := &http.Transport{DialContext: (&net.Dialer{Timeout: knockTimeout}).DialContext, DisableKeepAlives: true}
	type answer struct {
		at     int
		models []string
		err    error
	}
	answers := make(chan answer, len(providers))
	for i, p := range providers {
		go func() {
			list, err := (&Brain{BaseURL: p.BaseURL}).list(ctx, through)
			answers <- answer{i, namesOf(list), err}
		}()
	}
	there := make([]*Found, len(providers))
	for range providers {
		if a := <-answers; a.err == nil {
			there[a.at] = &Found{Provider: providers[a.at], Models: a.models}
		}
	}
	var found []Found
	for _, f := range there {
		if f != nil {
			found = append(found, *f)
		}
	}
	return found
}

// IsLocal says whether a base URL is a server on this machine.
func IsLocal(baseURL string) bool {
	name, _, err := net.SplitHostPort(host(baseURL))
	return err == nil && isLoopback(name)
}

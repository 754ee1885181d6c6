package openai

import (
	"io"
	"net/http"
	"strings"

	vendor "github.com/sashabaranov/go-openai"
)

// sender is the HTTPDoer that go-openai sends through, and what a list of models is asked for with. It sends
// a request as its server wants it, and hands on what came if its status is a success.
type sender struct {
	brain   *Brain
	through http.RoundTripper // a Transport follows no redirect: the key is for this server alone
	most    int64             // bytes of an answer that are read
}

// client is go-openai's client over a sender.
func (s sender) client() *vendor.Client {
	config := vendor.DefaultConfig(s.brain.Key)
	config.BaseURL = s.brain.baseURL()
	config.HTTPClient = s
	return vendor.NewClientWithConfig(config)
}

// Do implements go-openai's HTTPDoer. Its error is an [Error], but for one that reading a refusal had.
func (s sender) Do(req *http.Request) (*http.Response, error) {
	if key := s.brain.Key; key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
		if header := s.brain.Quirks.KeyHeader; header != "" {
			req.Header.Del("Authorization")
			req.Header.Set(header, key)
		}
	}
	if _, query, ok := strings.Cut(s.brain.BaseURL, "?"); ok {
		req.URL.RawQuery = strings.TrimSpace(query)
	}
	resp, err := s.through.RoundTrip(req)
	if err != nil {
		return nil, s.brain.unreached(err)
	}
	resp.Body = bounded{io.LimitReader(resp.Body, s.most), resp.Body}
	if resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(io.LimitReader(resp.Body, maxComplaint))
	if err != nil && len(said) == 0 {
		return nil, err
	}
	return nil, s.brain.refusal(resp.StatusCode, resp.Header, said)
}

// bounded is a body of which only a part is read.
type bounded struct {
	io.Reader
	io.Closer
}

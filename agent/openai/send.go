package openai

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	vendor "github.com/sashabaranov/go-openai"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/redact"
)

// sender is the HTTPDoer below go-openai, and asks for lists of models. It passes on only successful answers.
type sender struct {
	brain   *Brain
	through http.RoundTripper // a Transport follows no redirect: the key is for this server alone
	most    int64             // bytes of an answer that are read
}

// client returns go-openai's client over a sender.
func (s sender) client() *vendor.Client {
	config := vendor.DefaultConfig(s.brain.Key)
	config.BaseURL = s.brain.baseURL()
	config.HTTPClient = s
	return vendor.NewClientWithConfig(config)
}

// Do implements go-openai's HTTPDoer. Its error is an [Error], except for one from reading a refusal.
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
	resp.Body = http.MaxBytesReader(nil, resp.Body, s.most)
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

// redactor returns a redactor for the secrets that a server gets: the key, and those in its address.
func (b *Brain) redactor() redact.Redactor {
	secrets := []string{b.Key}
	if at, err := url.Parse(b.BaseURL); err == nil {
		password, _ := at.User.Password()
		secrets = append(secrets, password)
		for name, values := range at.Query() {
			if name != "api-version" {
				secrets = append(secrets, values...)
			}
		}
	}
	return redact.New(secrets...)
}

func (b *Brain) redacted(reply agent.Reply) agent.Reply {
	r := b.redactor()
	reply.Text, reply.Thoughts = r.Text(reply.Text), r.Text(reply.Thoughts)
	reply.Calls = slices.Clone(reply.Calls)
	for i, c := range reply.Calls {
		c.ID, c.Name, c.Args, c.Fault = r.Text(c.ID), r.Text(c.Name), r.Text(c.Args), r.Text(c.Fault)
		reply.Calls[i] = c
	}
	return reply
}

// withoutKey returns an error that may quote the server, without the key.
func (b *Brain) withoutKey(err error) error {
	if clean := b.redactor().Text(err.Error()); clean != err.Error() {
		return errors.New(clean)
	}
	return err
}

package openai

import (
	"errors"
	"net/url"
	"slices"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/redact"
)

// redactor knows what a server was told in confidence: the key, and what its address holds of the kind.
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

// redacted is a reply without the key.
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

// withoutKey is an error in whose text the server's words may stand.
func (b *Brain) withoutKey(err error) error {
	if clean := b.redactor().Text(err.Error()); clean != err.Error() {
		return errors.New(clean)
	}
	return err
}

package openai_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// What is whole is used even if the server never ends its stream well: it was paid for.
func TestAWholeReplyIsUsedThoughItsStreamBreaks(t *testing.T) {
	const whole = saysHalf + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	server := serve(t,
		agenttest.Answers(agenttest.Answer{Body: whole + ": usage follows, or would", Cut: len(whole) + 5}))
	reply, err := brain(t, server.URL, false).Think(t.Context(), ask("?"))
	require.NoError(t, err)
	assert.Equal(t, "half", reply.Text)
	assert.Positive(t, reply.Usage.In)
}

func TestMaxTries(t *testing.T) {
	server := serve(t, func(agenttest.Request) agenttest.Answer {
		return agenttest.Answer{Status: 503, Body: "try later " + key}
	})
	b := brain(t, server.URL, false)
	b.MaxTries = 3
	_, err := b.Think(t.Context(), ask("?"))
	var e *openai.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, openai.Wait, e.Class)
	assert.Equal(t, 503, e.Status)
	assert.Len(t, server.Requests(), 3)
	assert.Contains(t, err.Error(), "3 tries")
	assert.Contains(t, err.Error(), "try later")
	assert.NotContains(t, err.Error(), key)
}

func TestRetryAfterIsHeard(t *testing.T) {
	cases := map[string]struct {
		value    string
		min, max time.Duration
	}{
		"seconds":  {"70", 70 * time.Second, 70 * time.Second},
		"fraction": {"70.5", 70500 * time.Millisecond, 70500 * time.Millisecond},
		"a date": {time.Now().Add(2 * time.Minute).UTC().Format(http.TimeFormat), 100 * time.Second,
			2 * time.Minute},
		"an hour":       {"3600", 10 * time.Minute, 10 * time.Minute},
		"for ever":      {"1e300", 10 * time.Minute, 10 * time.Minute},
		"a past date":   {"Wed, 21 Oct 2015 07:28:00 GMT", 0, 2 * time.Second},
		"garbage":       {"soon", 0, 2 * time.Second},
		"negative":      {"-5", 0, 2 * time.Second},
		"not a number":  {"NaN", 0, 2 * time.Second},
		"not even that": {"", 0, 2 * time.Second},
	}
	for name, c := range cases {
		for mode, noStream := range modes {
			t.Run("F1 "+name+"/"+mode, func(t *testing.T) {
				server := serve(t, func(agenttest.Request) agenttest.Answer {
					return agenttest.Answer{Status: 429, Header: http.Header{"Retry-After": {c.value}}}
				})
				b := brain(t, server.URL, noStream)
				b.MaxWait = 0
				ctx, cancel := context.WithCancelCause(t.Context())
				enough := errors.New("not waiting for that")
				talk := ask("?")
				var wait time.Duration
				talk.Tell = func(e agent.Event) {
					wait = e.(agent.Waiting).For
					cancel(enough)
				}
				_, err := b.Think(ctx, talk)
				assert.ErrorIs(t, err, enough, "a wait is not deaf")
				assert.GreaterOrEqual(t, wait, c.min)
				assert.LessOrEqual(t, wait, c.max)
			})
		}
	}
}

func TestWhatAPersonHasToPutRight(t *testing.T) {
	t.Run("no key", func(t *testing.T) {
		server := serve(t, agenttest.Answers(agenttest.Answer{Status: 401}))
		b := brain(t, server.URL, false)
		b.Key = ""
		_, err := b.Think(t.Context(), ask("?"))
		assert.ErrorContains(t, err, "set OPENAI_API_KEY")
		assert.Empty(t, server.Requests()[0].Header.Get("Authorization"))
	})
	t.Run("no model", func(t *testing.T) {
		_, err := (&openai.Brain{}).Think(t.Context(), ask("?"))
		assert.ErrorContains(t, err, "DAYBOOK_MODEL")
	})
	for _, bad := range []string{"localhost:11434/v1", "api.example.org", "ftp://example.org/v1", "http://",
		"http://a b/"} {
		t.Run("base URL "+bad, func(t *testing.T) {
			_, err := (&openai.Brain{Model: "m", BaseURL: bad}).Think(t.Context(), ask("?"))
			assert.ErrorContains(t, err, "OPENAI_BASE_URL")
		})
	}
}

func TestNobodyAnswers(t *testing.T) {
	for mode, noStream := range modes {
		t.Run("F8 refused/"+mode, func(t *testing.T) {
			url := refusedURL(t)
			talk := ask("?")
			waits := heard(talk)
			_, err := brain(t, url, noStream).Think(t.Context(), talk)
			var e *openai.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, openai.Wait, e.Class)
			assert.Len(t, waits(), openai.DefaultMaxTries-1)
			for _, says := range []string{"nothing answers at " + url, "giving up after 5 tries"} {
				assert.ErrorContains(t, err, says)
			}
		})
	}
}

func TestPlainHTTPWhereTLSIsWanted(t *testing.T) {
	server := serve(t, agenttest.Answers(agenttest.Answer{}))
	_, err := brain(t, strings.Replace(server.URL, "http:", "https:", 1), false).Think(t.Context(), ask("?"))
	var e *openai.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, openai.Stop, e.Class)
	assert.ErrorContains(t, err, "http:")
}

func TestSilenceIsTimedOut(t *testing.T) {
	stall := agenttest.Answer{Reply: agenttest.Words("and then there was nothing more"), Cut: 60, Stall: true}
	fine := agenttest.Answer{Reply: agenttest.Words("Yes.")}
	cases := map[string]struct {
		first agenttest.Answer
		limit func(*openai.Brain)
		says  string
	}{
		"F11 after the first bytes": {stall, func(b *openai.Brain) { b.IdleTimeout = 50 * time.Millisecond },
			"went silent"},
		"F12 before any": {agenttest.Answer{Stall: true},
			func(b *openai.Brain) { b.Timeout = 200 * time.Millisecond }, "within 200ms"},
		"F12 all in all": {stall, func(b *openai.Brain) { b.Timeout = 200 * time.Millisecond },
			"within 200ms"},
	}
	for name, c := range cases {
		for mode, noStream := range modes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				server := serve(t, agenttest.Answers(c.first, fine))
				b := brain(t, server.URL, noStream)
				c.limit(b)
				talk := ask("?")
				waits := heard(talk)
				reply, err := b.Think(t.Context(), talk)
				require.NoError(t, err)
				assert.Equal(t, "Yes.", reply.Text)
				require.Len(t, waits(), 1)
				assert.Contains(t, waits()[0].Why, c.says)
			})
		}
	}
}

package openai_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

const longKey = "sk-Canary/q7Zk3PxW9vB2+mLtR8yHd4=="

// spellings are ways of a server to repeat the key that it was asked with.
func spellings() map[string]string {
	reversed := []byte(longKey)
	slices.Reverse(reversed)
	var u, d, p strings.Builder
	for _, r := range longKey {
		fmt.Fprintf(&u, `\u%04x`, r)
		fmt.Fprintf(&d, "&#%d;", r)
		fmt.Fprintf(&p, "%%%02x", r)
	}
	return map[string]string{
		"as it is": longKey, "upper": strings.ToUpper(longKey), "lower": strings.ToLower(longKey),
		"reversed":             string(reversed),
		"base64":               base64.StdEncoding.EncodeToString([]byte(longKey)),
		"base64 of the header": base64.StdEncoding.EncodeToString([]byte("Bearer " + longKey)),
		"base64url":            base64.URLEncoding.EncodeToString([]byte(longKey)),
		"hex":                  hex.EncodeToString([]byte(longKey)),
		"url":                  url.QueryEscape(longKey), "percent": p.String(),
		"html": html.EscapeString(longKey), "references": d.String(), "json": u.String(),
		"prefix": longKey[:12], "long prefix": longKey[:24], "suffix": longKey[len(longKey)-10:],
		"middle": longKey[8:20],
	}
}

// hides fails when a text holds the key in one of the spellings, or a piece of it.
func hides(t *testing.T, text, spelling, name string) {
	t.Helper()
	assert.NotContains(t, text, spelling, name)
	for i := range len(longKey) - 7 {
		assert.NotContains(t, strings.ToLower(text), strings.ToLower(longKey[i:i+8]), name)
	}
}

// T21: whatever a server says, in a reply, an error, a list or a name, comes without the key. The control is
// a Brain with another key.
func TestTheKeyIsTakenOutOfWhateverAServerSays(t *testing.T) {
	for name, said := range spellings() {
		raw, err := json.Marshal(said)
		require.NoError(t, err)
		args, err := json.Marshal(`{"query":` + string(raw) + `}`)
		require.NoError(t, err)
		half := len(said) / 2
		begin, err := json.Marshal(said[:half])
		require.NoError(t, err)
		end, err := json.Marshal(said[half:])
		require.NoError(t, err)
		answers := map[string]agenttest.Answer{
			"in words": body(`{"choices":[{"message":{"content":` + string(raw) + `,"reasoning_content":` +
				string(raw) + `},"finish_reason":"stop"}]}`),
			"in a call": body(`{"choices":[{"message":{"tool_calls":[{"id":` + string(raw) +
				`,"function":{"name":"look","arguments":` + string(args) +
				`}}]},"finish_reason":"tool_calls"}]}`),
			"in two chunks": body(`data: {"choices":[{"delta":{"content":` + string(begin) + `}}]}` + "\n\n" +
				`data: {"choices":[{"delta":{"content":` + string(end) +
				`},"finish_reason":"stop"}]}` + "\n\n"),
			"in a refusal": status(401, `{"error":{"message":`+string(raw)+`}}`),
			"in a code": status(400, `{"error":{"message":"no","code":`+string(raw)+`,"type":`+
				string(raw)+`}}`),
			"in a page":  status(500, said),
			"in no JSON": body(said),
			"in a chunk": body(saysHalf + `data: {"error":{"message":` + string(raw) + `}}` + "\n\n"),
			"in a model": body(`{"model":` + string(raw) +
				`,"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}]}`),
			"in the location": {Status: 302,
				Header: http.Header{"Location": {"https://x.test/" + strings.ReplaceAll(said, "\n", "")}}},
		}
		for where, answer := range answers {
			shown := func(key string) string {
				server := serve(t, func(agenttest.Request) agenttest.Answer { return answer })
				var log bytes.Buffer
				b := brain(t, server.URL, false)
				b.Key, b.MaxTries, b.Log = key, 1, slog.New(slog.NewTextHandler(&log, nil))
				talk := ask("?")
				events := heard(talk)
				reply, err := b.Think(t.Context(), talk)
				out, encoded := json.Marshal(reply)
				require.NoError(t, encoded)
				return fmt.Sprintf("%s %+v %v %v %s", out, reply, err, events(), &log)
			}
			hides(t, shown(longKey), said, name+" "+where)
			if where == "in words" {
				assert.Contains(t, shown("sk-another-0123456789"), said, "the control")
			}
		}
		list := map[string]agenttest.Answer{"refused": status(401, `{"error":`+string(raw)+`}`)}
		for where, answer := range list {
			_, err := (&openai.Brain{BaseURL: serve(t, func(agenttest.Request) agenttest.Answer {
				return answer
			}).URL, Key: longKey}).Models(t.Context())
			require.Error(t, err)
			hides(t, err.Error(), said, name+" "+where)
		}
		names, err := (&openai.Brain{BaseURL: listing(t, 200, `{"data":[{"id":`+string(raw)+
			`},{"id":"small"}]}`), Key: longKey}).Models(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []string{"small"}, names, name)
	}
}

// A password in the address, and a key in its query, are secrets too.
func TestTheSecretsOfAnAddressAreTakenOut(t *testing.T) {
	server := serve(t, func(agenttest.Request) agenttest.Answer {
		return agenttest.Answer{
			Reply: agenttest.Words("pass-0123456789 and code-9876543210 of 2025-01-01-preview")}
	})
	at := strings.Replace(server.URL, "http://", "http://me:pass-0123456789@", 1) +
		"?code=code-9876543210&api-version=2025-01-01-preview"
	reply, err := brain(t, at, false).Think(t.Context(), ask("?"))
	require.NoError(t, err)
	assert.Equal(t, "[key] and [key] of 2025-01-01-preview", reply.Text)
}

// A key in the place of a name is told to nobody either.
func TestAUserInTheAddressIsNotTold(t *testing.T) {
	b := brain(t, "http://sk-SECRET-0123456789@127.0.0.1:1/v1", false)
	b.MaxTries = 1
	_, err := b.Think(t.Context(), ask("?"))
	require.ErrorContains(t, err, "nothing answers at http://127.0.0.1:1/v1")
	assert.NotContains(t, err.Error(), "SECRET")
}

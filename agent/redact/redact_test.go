package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/daybook-agent/daybook/agent/redact"
)

const secret = "sk-Proj-q7Zk3/PxW9+vB2=mLtR8yHd4"

func each(s string, write func(r rune) string) string {
	var out strings.Builder
	for _, r := range s {
		out.WriteString(write(r))
	}
	return out.String()
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// changes are ways in which a server may write the key that it was asked with.
func changes() map[string]string {
	json := func(r rune) string { return fmt.Sprintf(`\u%04x`, r) }
	percent := func(r rune) string { return fmt.Sprintf("%%%02X", r) }
	all := map[string]string{
		"as it is": secret, "upper": strings.ToUpper(secret), "lower": strings.ToLower(secret),
		"backwards": backwards(secret),
		"query":     url.QueryEscape(secret), "path": url.PathEscape(secret),
		"percent": each(secret, percent), "html": html.EscapeString(secret),
		"decimal": each(secret, func(r rune) string { return fmt.Sprintf("&#%d;", r) }),
		"long":    each(secret, func(r rune) string { return fmt.Sprintf("&#%010d;", r) }),
		"hex ref": each(secret, func(r rune) string { return fmt.Sprintf("&#x%X;", r) }),
		"json":    each(secret, json), "slashes": strings.ReplaceAll(secret, "/", `\/`),
		"bytes":            each(secret, func(r rune) string { return fmt.Sprintf(`\x%02x`, r) }),
		"json twice":       strings.ReplaceAll(each(secret, json), `\`, `\\`),
		"percent twice":    strings.ReplaceAll(each(secret, percent), "%", "%25"),
		"hex":              hex.EncodeToString([]byte(secret)),
		"HEX":              strings.ToUpper(hex.EncodeToString([]byte(secret))),
		"base64 lower":     base64.StdEncoding.EncodeToString([]byte(strings.ToLower(secret))),
		"base64 backwards": base64.StdEncoding.EncodeToString([]byte(backwards(secret))),
		"backwards base64": backwards(base64.StdEncoding.EncodeToString([]byte(secret))),
		"invisible":        strings.Join(strings.Split(secret, ""), "\u200b"),
		"html of percent":  html.EscapeString(each(secret, percent)),
	}
	for _, before := range []string{"", "B", "Be", "Bearer "} {
		all["base64 after "+before] = base64.StdEncoding.EncodeToString([]byte(before + secret))
		all["base64url after "+before] =
			base64.RawURLEncoding.EncodeToString([]byte(before + secret + " is wrong"))
	}
	for _, n := range []int{8, 11, 16, 24} {
		all[fmt.Sprint("prefix of ", n)], all[fmt.Sprint("suffix of ", n)] =
			secret[:n], secret[len(secret)-n:]
		all[fmt.Sprint("upper suffix of ", n)] = strings.ToUpper(secret[len(secret)-n:])
		all[fmt.Sprint("percent prefix of ", n)] = each(secret[:n], percent)
	}
	return all
}

func TestAKeyIsFoundHoweverItIsWritten(t *testing.T) {
	r := redact.New(secret)
	for name, said := range changes() {
		for _, around := range []string{"%s", "no such key: %s.", `{"error":"%s"}`, "“%s” 不对"} {
			before, after, _ := strings.Cut(around, "%s")
			got := r.Text(before + said + after)
			assert.True(t, strings.HasPrefix(got, before) &&
				strings.HasSuffix(got, after), "%s: %s", name, got)
			inner := strings.TrimSuffix(strings.TrimPrefix(got, before), after)
			assert.Contains(t, inner, redact.Mark, name)
			// Of a code whose ends mix with what stands around it, less than a piece may be left.
			assert.Less(t, len(strings.ReplaceAll(inner, redact.Mark, "")), 24, "%s: %s", name, got)
			for i := range len(secret) - 7 {
				assert.NotContains(t, strings.ToLower(got), strings.ToLower(secret[i:i+8]), name)
			}
		}
	}
}

// The control: without the key nothing is found, so the changes above are no text that is marked in any case.
func TestATextWithoutTheKeyStaysAsItIs(t *testing.T) {
	other := redact.New("sk-another-key-0123456789")
	for name, said := range changes() {
		assert.Equal(t, said, other.Text(said), name)
		assert.Equal(t, said, redact.Redactor{}.Text(said), name)
	}
	text := `{"a":"100 % of &amp; 潮汐 \u6f6e \\ \"x\" &unknown; %zz` + "\u00ad" + `"}` + "\\"
	assert.Equal(t, text, redact.New(secret).Text(text))
}

func TestPlaceholdersAreWords(t *testing.T) {
	for _, key := range []string{"", "x", "ollama", "lm-studio", "sk-no-key-required", "EMPTY"} {
		assert.Equal(t, "run "+key+" here", redact.New(key).Text("run "+key+" here"))
	}
	assert.Equal(t, "0.000000000 and --------",
		redact.New("sk-0000000000000--------").Text("0.000000000 and --------"))
	assert.Equal(t, "a [key] and a [key]b",
		redact.New("s3cret", "0123456789").Text("a S3cret and a 0123456789b"))
}

func FuzzText(f *testing.F) {
	for _, said := range changes() {
		f.Add(said)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := redact.New(secret).Text(text)
		assert.NotContains(t, strings.ToLower(got), strings.ToLower(secret))
		if !strings.Contains(got, redact.Mark) {
			assert.Equal(t, text, got)
		}
	})
}

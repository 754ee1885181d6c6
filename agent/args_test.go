package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
)

type inner struct {
	Name string  `json:"name"`
	Part float64 `json:"part,omitempty"`
}

type fuzzIn struct {
	Path  string   `json:"path"`
	Line  int      `json:"line,omitempty"`
	Again bool     `json:"again,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	Inner *inner   `json:"inner,omitempty"`
	All   []inner  `json:"all,omitempty"`
}

// given runs an action with arguments and returns what it was given.
func given(t *testing.T, args string) (fuzzIn, error) {
	t.Helper()
	var got fuzzIn
	action := agent.NewAction("a", "",
		func(_ context.Context, _ *agent.Turn, in fuzzIn) (agent.Outcome, error) {
			got = in
			return agent.Say(""), nil
		})
	_, err := action.Run(t.Context(), &agent.Turn{Call: agent.Call{Name: "a", Args: args}})
	return got, err
}

// FuzzArguments: whatever is accepted is what encoding/json reads of it, if that reads it at all; reads the
// same when it is written again; and was not cut off.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `{"path":"a"}`, `{"path":"a","line":"7","again":"true","tags":"[\"x\"]"}`,
		"```json\n{\"path\":\"a\",}\n```",
		`"{\"path\":\"a\"}"`, "{\"path\":\"a\nb\"}",
		`{"path":"a","inner":{"name":"n","part":"1.5"},"all":[{"name":"x","part":null},]}`,
		`{"path":"a","PATH":"b"}`, `{"path":"a","path":"b"}`, `{"path":"a"}x`, `{"path":"\u0000"}`,
		`{"path":"a","line":1e2}`, `[[[[`, `{"path":"a","line":7.0}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, args string) {
		in, err := given(t, args)
		if err != nil {
			require.Less(t, len(err.Error()), 800, "an error is short")
			return
		}
		require.NotContains(t, in.Path, "\x00")
		var plain fuzzIn
		if strings.TrimSpace(args) != "" && json.Unmarshal([]byte(args), &plain) == nil {
			require.Equal(t, plain.Path, in.Path)
			require.Equal(t, plain.Line, in.Line)
		}
		written, err := json.Marshal(in)
		require.NoError(t, err)
		again, err := given(t, string(written))
		require.NoError(t, err)
		require.Equal(t, written, must(t, again))
		if end := strings.LastIndexByte(args, '}'); end >= 0 {
			_, err := given(t, args[:end])
			require.Error(t, err, "a call that was cut off was carried out")
		}
	})
}

func must(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return raw
}

func TestArgumentsOfFieldsInFields(t *testing.T) {
	in, err := given(t,
		`{"path":"a","again":"true","inner":"{\"name\":\"n\",\"part\":2}","all":[{"name":"x","part":"1.5"},`+
			`{"name":"y","part":null}]}`)
	require.NoError(t, err)
	assert.Equal(t, fuzzIn{Path: "a", Again: true, Inner: &inner{"n", 2},
		All: []inner{{"x", 1.5}, {"y", 0}}}, in)

	_, err = given(t, `{"path":"a","all":[{"name":"x"},{"nam":"y","part":"half"}]}`)
	require.ErrorContains(t,
		err,
		`all[1].name is missing; all[1].part is the string "half", and has to be a number; there `+
			`is no field `+
			`"all[1].nam"`)

	// each field is told of once, however many items do not fit
	_, err = given(t, `{"path":"a","tags":[1,2,3],"all":["x","y"],"again":"perhaps"}`)
	require.ErrorContains(t,
		err,
		`again is the string "perhaps", and has to be true or false; tags[0] is the number 1, and has to be `+
			`a string; all[0] is the string "x", and has to be an object`)
	require.ErrorContains(t, err, "; and 3 more like these")
}

func BenchmarkArguments(b *testing.B) {
	action := agent.NewAction("a", "",
		func(context.Context, *agent.Turn, fuzzIn) (agent.Outcome, error) { return agent.Say(""), nil })
	turn := &agent.Turn{Call: agent.Call{Name: "a",
		Args: `{"path":"` + strings.Repeat("a page of words ", 1250) + `","line":7,"tags":["x","y"]}`}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := action.Run(b.Context(), turn); err != nil {
			b.Fatal(err)
		}
	}
}

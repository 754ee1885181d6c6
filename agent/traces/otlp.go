package traces

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/daybook-agent/daybook/agent"
)

// OTLP's request in JSON: names in lowerCamelCase, ids in hex, 64-bit numbers as strings, enumerations as
// numbers (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
type (
	export struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   attributes   `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	attributes struct {
		Attributes []keyValue `json:"attributes"`
	}
	scopeSpans struct {
		Scope scope  `json:"scope"`
		Spans []span `json:"spans"`
	}
	scope struct {
		Name string `json:"name"`
	}
	span struct {
		TraceID      string     `json:"traceId"`
		SpanID       string     `json:"spanId"`
		ParentSpanID string     `json:"parentSpanId,omitempty"`
		Name         string     `json:"name"`
		Kind         int        `json:"kind"`
		Start        string     `json:"startTimeUnixNano"`
		End          string     `json:"endTimeUnixNano"`
		Attributes   []keyValue `json:"attributes,omitempty"`
		Events       []event    `json:"events,omitempty"`
		Status       status     `json:"status"`
	}
	event struct {
		Time       string     `json:"timeUnixNano"`
		Name       string     `json:"name"`
		Attributes []keyValue `json:"attributes,omitempty"`
	}
	status struct {
		Code    int    `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}
	keyValue struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

// exportOf is the request for spans of one provider, which have one resource and one scope.
func exportOf(spans []sdktrace.ReadOnlySpan) export {
	if len(spans) == 0 {
		return export{}
	}
	out := scopeSpans{Scope: scope{spans[0].InstrumentationScope().Name}}
	for _, s := range spans {
		out.Spans = append(out.Spans, spanFrom(s))
	}
	about := attributes{keyValues(spans[0].Resource().Attributes())}
	return export{[]resourceSpans{{about, []scopeSpans{out}}}}
}

func spanFrom(s sdktrace.ReadOnlySpan) span {
	id, trace := s.SpanContext().SpanID(), s.SpanContext().TraceID()
	out := span{
		TraceID: hex.EncodeToString(trace[:]), SpanID: hex.EncodeToString(id[:]),
		Name: s.Name(), Kind: int(s.SpanKind()), // the SDK counts the kinds as the protocol does
		Start: nano(s.StartTime()), End: nano(s.EndTime()), Attributes: keyValues(s.Attributes()),
	}
	if parent := s.Parent(); parent.IsValid() {
		id := parent.SpanID()
		out.ParentSpanID = hex.EncodeToString(id[:])
	}
	for _, e := range s.Events() {
		out.Events = append(out.Events, event{nano(e.Time), e.Name, keyValues(e.Attributes)})
	}
	if s.Status().Code == codes.Error {
		out.Status = status{2, s.Status().Description} // STATUS_CODE_ERROR
	}
	return out
}

func keyValues(all []attribute.KeyValue) []keyValue {
	out := make([]keyValue, 0, len(all))
	for _, kv := range all {
		out = append(out, keyValue{string(kv.Key), valueOf(kv.Value)})
	}
	return out
}

func valueOf(v attribute.Value) map[string]any {
	switch v.Type() {
	case attribute.BOOL:
		return map[string]any{"boolValue": v.AsBool()}
	case attribute.INT64:
		return map[string]any{"intValue": strconv.FormatInt(v.AsInt64(), 10)}
	case attribute.FLOAT64:
		return map[string]any{"doubleValue": v.AsFloat64()}
	}
	return map[string]any{"stringValue": strings.ToValidUTF8(v.Emit(), "\uFFFD")}
}

func nano(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

// outputMessages is a reply in the form that the conventions give gen_ai.output.messages.
func outputMessages(e agent.Replied) string {
	type part struct {
		Type      string          `json:"type"`
		Content   string          `json:"content,omitempty"`
		ID        string          `json:"id,omitempty"`
		Name      string          `json:"name,omitempty"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
	}
	parts, why := []part{}, "stop"
	if e.Text != "" {
		parts = append(parts, part{Type: "text", Content: e.Text})
	}
	for _, c := range e.Calls {
		args := json.RawMessage(c.Args)
		if !json.Valid(args) {
			args, _ = json.Marshal(c.Args) // a string always encodes
		}
		parts, why = append(parts, part{Type: "tool_call", ID: c.ID, Name: c.Name, Arguments: args}), "tool_call"
	}
	out, err := json.Marshal([]any{map[string]any{"role": "assistant", "parts": parts, "finish_reason": why}})
	if err != nil {
		return ""
	}
	return string(out)
}

package traces

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/daybook-agent/daybook/agent"
)

// object is a JSON object. OTLP's request has names in lowerCamelCase, ids in hex, 64-bit numbers as strings
// and enumerations as numbers (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
type object = map[string]any

// exportOf returns the request for spans of one provider, which share a resource and a scope.
func exportOf(spans []sdktrace.ReadOnlySpan) object {
	if len(spans) == 0 {
		return object{}
	}
	var all []object
	for _, s := range spans {
		all = append(all, spanFrom(s))
	}
	scope := object{"scope": object{"name": spans[0].InstrumentationScope().Name}, "spans": all}
	about := object{"attributes": keyValues(spans[0].Resource().Attributes())}
	return object{"resourceSpans": []object{{"resource": about, "scopeSpans": []object{scope}}}}
}

func spanFrom(s sdktrace.ReadOnlySpan) object {
	out := object{
		"traceId": s.SpanContext().TraceID().String(), "spanId": s.SpanContext().SpanID().String(),
		"name": s.Name(), "kind": int(s.SpanKind()), // the SDK numbers the kinds like the protocol
		"startTimeUnixNano": nano(s.StartTime()), "endTimeUnixNano": nano(s.EndTime()),
		"attributes": keyValues(s.Attributes()), "status": object{},
	}
	if s.Parent().IsValid() {
		out["parentSpanId"] = s.Parent().SpanID().String()
	}
	var events []object
	for _, e := range s.Events() {
		events = append(events, object{"timeUnixNano": nano(e.Time), "name": e.Name,
			"attributes": keyValues(e.Attributes)})
	}
	if len(events) > 0 {
		out["events"] = events
	}
	if s.Status().Code == codes.Error {
		out["status"] = object{"code": 2, "message": s.Status().Description} // STATUS_CODE_ERROR
	}
	return out
}

func keyValues(all []attribute.KeyValue) []object {
	out := make([]object, 0, len(all))
	for _, kv := range all {
		out = append(out, object{"key": string(kv.Key), "value": valueOf(kv.Value)})
	}
	return out
}

func valueOf(v attribute.Value) object {
	switch v.Type() {
	case attribute.BOOL:
		return object{"boolValue": v.AsBool()}
	case attribute.INT64:
		return object{"intValue": strconv.FormatInt(v.AsInt64(), 10)}
	case attribute.FLOAT64:
		return object{"doubleValue": v.AsFloat64()}
	}
	return object{"stringValue": strings.ToValidUTF8(v.Emit(), "\uFFFD")}
}

func nano(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

// outputMessages returns a reply in the conventions' format for gen_ai.output.messages.
func outputMessages(e agent.Replied) string {
	parts, why := []object{}, "stop"
	if e.Text != "" {
		parts = append(parts, object{"type": "text", "content": e.Text})
	}
	for _, c := range e.Calls {
		part := object{"type": "tool_call", "id": c.ID, "name": c.Name, "arguments": c.Args}
		if json.Valid([]byte(c.Args)) {
			part["arguments"] = json.RawMessage(c.Args)
		}
		parts, why = append(parts, part), "tool_call"
	}
	out, err := json.Marshal([]object{{"role": "assistant", "parts": parts, "finish_reason": why}})
	if err != nil {
		return ""
	}
	return string(out)
}

// Package traces turns an agent's events into OpenTelemetry spans, by the conventions for generative AI, and
// sends them to a collector.
//
// [New] is the function you want:
//
//	t := traces.New(traces.Config{Endpoint: "http://localhost:4318/v1/traces"})
//	config.Observe = t.Observe
//	…
//	err := t.Close(ctx)
//
// The spans are nested like the work: invoke_agent contains a chat for each reply and an execute_tool for
// each call, and a nested agent is an invoke_agent inside its execute_tool. Texts read, asked or written are
// left out unless Config.Texts is set. Model keys never appear: no event contains one.
//
// The package never delays the work: what the collector does not accept is dropped, and Close reports how
// much. If more than 8,192 spans are waiting, the rest is dropped without a report.
package traces

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/daybook-agent/daybook/agent"
)

// Config sets where spans go and what they contain. Only Endpoint is required.
type Config struct {
	// Endpoint is the full address to which spans are posted, as OTLP over HTTP in JSON.
	Endpoint string
	// Header is sent with each request, for a collector that wants a key.
	Header http.Header
	// Texts includes replies, arguments and results, which contain pages and the person's files.
	Texts bool
	// Provider and Model return the names for a kind of agent; nil omits them.
	Provider, Model func(kind string) string
	// Conversation is the same for all runs of one research.
	Conversation string
}

// Traces makes spans from events. It may be used by several agents at once.
type Traces struct {
	config   Config
	exporter *exporter
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer

	mu   sync.Mutex
	root trace.Span
	open map[string]trace.Span // by agent, by agent and " chat", or by call, each with its path
}

// maxWaiting bounds the spans waiting for the collector; a run makes up to thousands a second.
const maxWaiting = 8192

// New starts tracing. Spans are sent in the background until Close.
func New(c Config) *Traces {
	t := &Traces{config: c, exporter: newExporter(c.Endpoint, c.Header), open: map[string]trace.Span{}}
	about := resource.NewSchemaless(semconv.ServiceName("daybook"))
	// OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES
	if own, err := resource.Merge(about, resource.Environment()); err == nil {
		about = own
	}
	t.provider = sdktrace.NewTracerProvider(sdktrace.WithBatcher(t.exporter,
		sdktrace.WithMaxQueueSize(maxWaiting)), sdktrace.WithResource(about))
	t.tracer = t.provider.Tracer("github.com/daybook-agent/daybook/agent/traces")
	t.root = t.start(nil, "invoke_workflow research", trace.SpanKindInternal,
		semconv.GenAIOperationNameInvokeWorkflow, semconv.GenAIWorkflowName("research"))
	return t
}

// Close ends open spans and sends the rest, as long as ctx allows. Its error reports what was lost.
func (t *Traces) Close(ctx context.Context) error {
	t.mu.Lock()
	for key := range t.open {
		t.fail(key, "broken off")
	}
	t.root.End()
	t.mu.Unlock()
	err := errors.Join(t.provider.Shutdown(ctx), t.exporter.lost())
	if at, failed := url.Parse(t.config.Endpoint); err != nil && failed == nil { // the rest may be secret
		err = fmt.Errorf("sending traces to %s: %w", at.Scheme+"://"+at.Host, err)
	}
	return err
}

// Observe handles an event. Call it from an agent's Observe, alone or with others.
func (t *Traces) Observe(e agent.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := e.Where()
	switch e := e.(type) {
	case agent.Opened:
		t.opened(e)
	case agent.Thinking:
		t.thinking(at)
	case agent.Waiting:
		if chat, ok := t.open[at.Agent+chat]; ok {
			chat.AddEvent("daybook.wait",
				trace.WithAttributes(attribute.Float64("daybook.wait.seconds", e.For.Seconds())))
		}
	case agent.Replied:
		t.replied(e)
	case agent.Acting:
		t.acting(e)
	case agent.Acted:
		t.acted(e)
	case agent.Ended:
		t.end(at.Agent, attribute.String("daybook.end.reason", string(e.Reason)))
	}
}

// chat is the suffix of the key of a chat's span.
const chat = " chat"

func (t *Traces) opened(e agent.Opened) {
	if span, ok := t.open[e.Agent]; ok {
		span.AddEvent("daybook.stretch", trace.WithAttributes(attribute.Int("daybook.stretch", e.Stretch)))
		return
	}
	kind, parent := agent.Kind(e.Agent), t.within(path.Dir(e.Agent))
	t.open[e.Agent] = t.start(parent, "invoke_agent "+kind, trace.SpanKindInternal, append(t.who(kind),
		semconv.GenAIOperationNameInvokeAgent, semconv.GenAIAgentName(kind),
		attribute.Int("daybook.stretch", e.Stretch), attribute.Bool("daybook.resumed", e.Resumed))...)
}

func (t *Traces) thinking(at agent.At) {
	t.fail(at.Agent+chat, "no reply")
	kind := agent.Kind(at.Agent)
	name := "chat"
	if t.config.Model != nil {
		name += " " + t.config.Model(kind)
	}
	t.open[at.Agent+chat] = t.start(t.within(at.Agent), name, trace.SpanKindClient, append(t.who(kind),
		semconv.GenAIOperationNameChat, attribute.Int("daybook.step", at.Step))...)
}

func (t *Traces) replied(e agent.Replied) {
	about := []attribute.KeyValue{
		semconv.GenAIUsageInputTokens(e.Usage.In),
		semconv.GenAIUsageOutputTokens(e.Usage.Out),
		semconv.GenAIUsageCacheReadInputTokens(e.Usage.Cached),
	}
	if e.Model != "" { // may differ from the requested model
		about = append(about, semconv.GenAIResponseModel(e.Model))
	}
	if e.Usage.Cost > 0 {
		about = append(about, attribute.Float64("daybook.cost.usd", e.Usage.Cost))
	}
	if t.config.Texts {
		about = append(about, semconv.GenAIOutputMessagesKey.String(outputMessages(e)))
	}
	t.end(e.Agent+chat, about...)
}

func (t *Traces) acting(e agent.Acting) {
	name := e.Call.Name
	if !t.config.Texts && !isName.MatchString(name) {
		name = "unnamed"
	}
	about := []attribute.KeyValue{semconv.GenAIOperationNameExecuteTool, semconv.GenAIToolName(name),
		semconv.GenAIToolCallID(e.Call.ID), semconv.GenAIToolType("function")}
	if t.config.Texts {
		about = append(about, semconv.GenAIToolCallArgumentsKey.String(e.Call.Args))
	}
	t.open[e.Agent+"/"+e.Call.ID] = t.start(t.within(e.Agent), "execute_tool "+name,
		trace.SpanKindInternal, about...)
}

// isName matches possible names of actions; a model may call anything, such as a line of a page.
var isName = regexp.MustCompile(`^[\w-]{0,64}$`)

func (t *Traces) acted(e agent.Acted) {
	about := []attribute.KeyValue{attribute.String("daybook.effect", string(e.Effect))}
	if t.config.Texts {
		about = append(about, semconv.GenAIToolCallResultKey.String(e.Text))
	}
	key := e.Agent + "/" + e.Call.ID
	if e.Failed {
		t.fail(key, "the call failed", about...)
		return
	}
	t.end(key, about...)
}

func (t *Traces) who(kind string) (about []attribute.KeyValue) {
	if t.config.Provider != nil {
		about = append(about, semconv.GenAIProviderNameKey.String(t.config.Provider(kind)))
	}
	if t.config.Model != nil {
		about = append(about, semconv.GenAIRequestModel(t.config.Model(kind)))
	}
	return about
}

// within returns an agent's span, or the root if the agent was not seen to open, as in a resumed run.
func (t *Traces) within(name string) trace.Span {
	if span, ok := t.open[name]; ok {
		return span
	}
	return t.root
}

func (t *Traces) start(parent trace.Span, name string, kind trace.SpanKind, about ...attribute.KeyValue,
) trace.Span {
	if t.config.Conversation != "" {
		about = append(about, semconv.GenAIConversationID(t.config.Conversation))
	}
	ctx := context.Background() // a span is bounded by its events, and by Close
	if parent != nil {
		ctx = trace.ContextWithSpan(ctx, parent)
	}
	_, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(about...))
	return span
}

func (t *Traces) end(key string, about ...attribute.KeyValue) {
	if span, ok := t.open[key]; ok {
		span.SetAttributes(about...)
		span.End()
		delete(t.open, key)
	}
}

// fail ends a span as failed, in our own words: an error's may come from a page.
func (t *Traces) fail(key, why string, about ...attribute.KeyValue) {
	if span, ok := t.open[key]; ok {
		span.SetStatus(codes.Error, why)
		t.end(key, about...)
	}
}

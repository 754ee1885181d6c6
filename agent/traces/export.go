package traces

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/daybook-agent/daybook/agent/redact"
)

// exporter posts spans as OTLP in JSON. OpenTelemetry's own exporter would add gRPC: ten megabytes, and a
// tenth of the program's start-up time.
type exporter struct {
	endpoint string
	header   http.Header
	client   http.Client

	mu      sync.Mutex
	dropped int
	why     error
}

func newExporter(endpoint string, header http.Header) *exporter {
	return &exporter{endpoint: endpoint, header: header, client: http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, IdleConnTimeout: time.Minute},
		Timeout:   10 * time.Second, // the specification's default
		// the header may contain a key
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// ExportSpans posts a batch. It counts the spans not accepted: the SDK reports errors to nobody.
func (x *exporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := x.post(ctx, spans)
	if err != nil {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.dropped += len(spans)
		x.why = err
	}
	return nil
}

func (x *exporter) post(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	body, err := json.Marshal(exportOf(spans))
	if err != nil {
		return fmt.Errorf("encoding spans: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, x.endpoint, bytes.NewReader(body))
	if err != nil {
		return errors.New("the address of the collector is none")
	}
	for name, values := range x.header {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := x.client.Do(req)
	if at, ok := errors.AsType[*url.Error](err); ok { // its address may contain a key
		return at.Err
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.CopyN(io.Discard, resp.Body, 64<<10); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("the collector says %s",
			redact.New(slices.Concat(slices.Collect(maps.Values(x.header))...)...).Text(resp.Status))
	}
	return nil
}

// Shutdown closes the exporter for the SDK.
func (x *exporter) Shutdown(context.Context) error {
	x.client.CloseIdleConnections()
	return nil
}

func (x *exporter) lost() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.dropped == 0 {
		return nil
	}
	return fmt.Errorf("%d spans were lost: %w", x.dropped, x.why)
}

package traces

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// FromEnv reads OpenTelemetry's own variables, and reports whether they name a collector:
// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or OTEL_EXPORTER_OTLP_ENDPOINT without its /v1/traces; the headers of
// the same names; OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT for texts; and OTEL_SDK_DISABLED.
func FromEnv(getenv func(string) string) (c Config, set bool, err error) {
	if isTrue(getenv("OTEL_SDK_DISABLED")) || getenv("OTEL_TRACES_EXPORTER") == "none" {
		return Config{}, false, nil
	}
	variable := "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	c.Endpoint = getenv(variable)
	if c.Endpoint == "" {
		variable = "OTEL_EXPORTER_OTLP_ENDPOINT"
		if c.Endpoint = getenv(variable); c.Endpoint == "" {
			return Config{}, false, nil
		}
		c.Endpoint = strings.TrimRight(c.Endpoint, "/") + "/v1/traces"
	}
	at, err := url.Parse(c.Endpoint)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return Config{}, false, fmt.Errorf(
			"%s is no address: set it to something like http://localhost:4318", variable)
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		if protocol := getenv(name); strings.HasPrefix(protocol, "grpc") {
			return Config{}, false, fmt.Errorf(
				"%s is %s, and traces are sent as http/json: name the collector's HTTP port, usually 4318, "+
					"and leave the protocol out", name, protocol)
		}
	}
	of, ofTraces := getenv("OTEL_EXPORTER_OTLP_HEADERS"), getenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS")
	if c.Header, err = headers(of, ofTraces); err != nil {
		return Config{}, false, err
	}
	c.Texts = isTrue(getenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"))
	return c, true, nil
}

// headers parses comma-separated lists of key=value. Its error names no value, which may be a key.
func headers(lists ...string) (http.Header, error) {
	all := http.Header{}
	for _, list := range lists {
		for pair := range strings.SplitSeq(list, ",") {
			if strings.TrimSpace(pair) == "" {
				continue
			}
			name, value, ok := strings.Cut(pair, "=")
			value, err := url.PathUnescape(strings.TrimSpace(value))
			if name = strings.TrimSpace(name); !ok || err != nil || name == "" {
				return nil,
					fmt.Errorf("OTEL_EXPORTER_OTLP_HEADERS is not a list of name=value with commas between")
			}
			all.Set(name, value)
		}
	}
	return all, nil
}

func isTrue(value string) bool { return strings.EqualFold(strings.TrimSpace(value), "true") }

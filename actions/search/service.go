package search

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/bounds"
)

// maxAnswer bounds the bytes of an answer; fifty results with abstracts have a tenth of it.
const maxAnswer = 4 << 20

// userAgent names Daybook to the services it asks, several of which demand an address to write to.
const userAgent = "Daybook/0.1 (+https://github.com/daybook-agent/daybook)"

// service is a search service over HTTP.
type service struct {
	name   string
	kind   Kind
	pace   time.Duration // between two questions
	client *http.Client  // nil is the package's own
}

// Name returns the provider's name.
func (s service) Name() string { return s.name }

// Kind returns what it searches.
func (s service) Kind() Kind { return s.kind }

// Pace returns the time that it wants between two questions, or 0.
func (s service) Pace() time.Duration { return s.pace }

// ownClient is shared by providers without a client. It uses the environment's proxy, as other programs do:
// the services' addresses are fixed or the user's own, so no model can steer it. Its time limit is a
// backstop.
var ownClient = &http.Client{Timeout: 30 * time.Second}

// errElsewhere means that a redirect was not followed.
var errElsewhere = errors.New("it sends us on to another host")

// stayHere follows a redirect only to the host that was asked, with or without www., and never from https to
// http. The standard library would send a key in a header such as X-Subscription-Token to any host.
func stayHere(next *http.Request, before []*http.Request) error {
	const most = 3
	first := before[0].URL
	host := func(u *url.URL) string { return strings.TrimPrefix(strings.ToLower(u.Host), "www.") }
	if len(before) > most || host(next.URL) != host(first) ||
		first.Scheme == "https" && next.URL.Scheme != "https" {
		return errElsewhere
	}
	return nil
}

// answer asks and reads the JSON that comes back. It posts sent as JSON, or asks with GET if that is "".
func (s service) answer(ctx context.Context, address string, header http.Header, sent string) (data, error) {
	var answer data
	body, err := s.do(ctx, address, header, sent)
	if err != nil {
		return answer, err
	}
	if err := bounds.JSON(body, &answer.value); err != nil {
		detail := "the answer cannot be read"
		if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
			detail = "a web page came where data was expected"
		}
		return answer, &ServiceError{Reason: Strange, Detail: detail, cause: err}
	}
	return answer, nil
}

// do asks once and returns the body of an answer with status 200.
func (s service) do(ctx context.Context, address string, header http.Header, sent string) ([]byte, error) {
	method := http.MethodGet
	if sent != "" {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(sent))
	if err != nil {
		return nil, &ServiceError{Reason: Strange, Detail: "its address is no address; check the settings",
			cause: err}
	}
	request.Header.Set("User-Agent", userAgent)
	if sent != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(request.Header, header)
	client := *cmp.Or(s.client, ownClient) // a copy: the caller's own is left as it is
	client.CheckRedirect = stayHere
	response, err := client.Do(request)
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	body = withoutKeys(body, request)
	switch {
	case response.StatusCode != http.StatusOK:
		return nil, refusal(response, body)
	case len(body) > maxAnswer:
		return nil, &ServiceError{Reason: Strange, Detail: "the answer has more than 4 MB"}
	}
	return body, nil
}

// data is a value in a service's JSON. What is missing, or of another type than asked for, is "", 0 or empty.
type data struct{ value any }

// at returns the value at a path of names and list indexes, such as "authors.0.name"; "" is d itself.
func (d data) at(path string) data {
	if path == "" {
		return d
	}
	for name := range strings.SplitSeq(path, ".") {
		fields, _ := d.value.(map[string]any)
		list, _ := d.value.([]any)
		d.value = fields[name]
		if i, err := strconv.Atoi(name); err == nil && i < len(list) {
			d.value = list[i]
		}
	}
	return d
}

// text returns the first text that is not empty at one of the paths, which bars separate.
func (d data) text(paths string) string {
	for path := range strings.SplitSeq(paths, "|") {
		if text, _ := d.at(path).value.(string); text != "" {
			return text
		}
	}
	return ""
}

func (d data) number(path string) int {
	n, _ := d.at(path).value.(float64)
	return int(max(-1<<31, min(n, 1<<31-1)))
}

func (d data) isTrue(path string) bool {
	yes, _ := d.at(path).value.(bool)
	return yes
}

// items returns the members of a list.
func (d data) items(path string) []data {
	list, _ := d.at(path).value.([]any)
	items := make([]data, len(list))
	for i := range list {
		items[i].value = list[i]
	}
	return items
}

// texts returns the texts at a path in each member of a list.
func (d data) texts(list, path string) []string {
	var texts []string
	for _, item := range d.items(list) {
		if text := item.text(path); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// objects returns the members of a list of objects; ok is false for anything else.
func (d data) objects(path string) (list []data, ok bool) {
	_, ok = d.at(path).value.([]any)
	list = d.items(path)
	for _, item := range list {
		if _, isObject := item.value.(map[string]any); !isObject {
			return nil, false
		}
	}
	return list, ok
}

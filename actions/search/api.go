package search

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// api is a provider whose service answers one question with a list in JSON.
type api struct {
	service
	// keywords is how many characters of the keywords of a query it is asked for; 0 is the query itself. A
	// query without any is not asked.
	keywords int
	// mostChars and mostWords are the most of a query that the service takes; 0 is no limit.
	mostChars, mostWords int
	// ask words the question to the service.
	ask func(query string, limit int) question
	// list is the path of the results in an answer.
	list string
	// hit is a result as it is shown; one without a URL is left out.
	hit func(query string, result data) Hit
	// look, when set, reads what an answer says beside its list. It returns errNothing for one that says that
	// nothing was found.
	look func(answer data) error
	// refused, when set, reads a refusal in the service's own words, and may correct it. It returns
	// errNothing for one that means that nothing was found.
	refused func(e *ServiceError) error
}

// fields are the paths of what a hit shows in a result, and html that title and text have tags and entities.
type fields struct {
	title, url, text, date, author string
	html                           bool
}

func (f fields) hit(query string, r data) Hit {
	title, text := r.text(f.title), r.text(f.text)
	if f.html {
		title, text = plainText(title), plainText(text)
	}
	return Hit{Title: title, URL: r.text(f.url), Snippet: excerpt(text, query), Published: r.text(f.date),
		Author: r.text(f.author)}
}

// question is what a service is asked.
type question struct {
	address    string
	parameters url.Values // of the address
	header     http.Header
	body       any // as JSON; nil asks with GET
}

// errNothing means that a service looked and found nothing.
var errNothing = errors.New("nothing was found")

// Search asks the service once.
func (a api) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	wanted := query
	if a.mostChars > 0 {
		wanted = shortened(query, a.mostChars, a.mostWords)
	}
	if a.keywords > 0 {
		wanted = strings.Join(words.Keywords(query, a.keywords), " ")
	}
	if strings.TrimSpace(wanted) == "" {
		return nil, nil
	}
	results, err := a.results(ctx, a.ask(wanted, limit))
	if errors.Is(err, errNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(results))
	for _, r := range some(results, limit) {
		hits = append(hits, a.hit(query, r))
	}
	return tidy(a.name, hits, limit), nil
}

func (a api) results(ctx context.Context, q question) ([]data, error) {
	answer, err := a.answer(ctx, q)
	if e := (*ServiceError)(nil); a.refused != nil && errors.As(err, &e) {
		err = a.refused(e)
	}
	if err == nil && a.look != nil {
		err = a.look(answer)
	}
	if err != nil {
		return nil, err
	}
	results, ok := answer.objects(a.list)
	if !ok {
		return nil, errNoList()
	}
	return results, nil
}

// some is enough of a list for limit hits, with a few to spare for those that are dropped. A service may send
// any number.
func some[T any](list []T, limit int) []T {
	const spare = 10
	return list[:min(len(list), limit+spare)]
}

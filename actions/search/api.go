package search

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// api is a provider whose service answers one question with a list in JSON.
type api struct {
	service
	// address is what is asked, and sent the JSON that is sent there; "" asks with GET. In both {query} is
	// what is wanted, {limit} how many results are, at most most, and {language} one of languages, or "en".
	address, sent string
	header        http.Header
	most, spare   int // 0 is a hundred; spare more are asked for than are wanted
	languages     map[string]string
	// keywords is how many characters of the keywords of a query it is asked for; 0 is the query itself. A
	// query without any is not asked.
	keywords int
	// mostChars and mostWords are the most of a query that the service takes; 0 is no limit.
	mostChars, mostWords int
	// reword, when set, puts what is wanted into the words that the service takes.
	reword func(wanted string) string
	// list is the path of the results in an answer.
	list string
	// hit is a result as it is shown, maybe with {language} in its URL; one without a URL is left out.
	hit func(data) result
	// look, when set, reads what an answer says beside its list. It returns errNothing for one that says that
	// nothing was found.
	look func(answer data) error
	// refused, when set, reads a refusal in the service's own words, and may correct it. It returns
	// errNothing for one that means that nothing was found.
	refused func(e *ServiceError) error
}

// result is a hit without its snippet, which is made of facts that help to choose and of a text.
type result struct {
	Hit
	facts []string
	text  string
}

// fields are the paths of what a hit shows in a result, and html that title and text have tags and entities.
// The text may be Markdown.
type fields struct {
	title, url, text, date, author string
	html                           bool
}

func (f fields) hit(r data) result {
	title, text := r.text(f.title), r.text(f.text)
	if f.html {
		title, text = plainText(title), plainText(text)
	}
	return result{Hit{Title: title, URL: r.text(f.url), Published: r.text(f.date), Author: r.text(f.author)},
		nil, words.Plain(text)}
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
	if a.reword != nil {
		wanted = a.reword(wanted)
	}
	language := cmp.Or(a.languages[languageFor(query)], "en")
	results, err := a.results(ctx, wanted, language, limit)
	if errors.Is(err, errNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(results))
	for _, r := range some(results, limit) {
		hit := a.hit(r)
		hit.URL = strings.ReplaceAll(hit.URL, "{language}", language)
		hit.Snippet = snippetOf(query, hit.facts, hit.text)
		hits = append(hits, hit.Hit)
	}
	return tidy(a.name, hits, limit), nil
}

func (a api) results(ctx context.Context, wanted, language string, limit int) ([]data, error) {
	quoted, err := json.Marshal(wanted)
	if err != nil {
		return nil, err
	}
	with := func(text, wanted string) string {
		return strings.NewReplacer("{query}", wanted, "{language}", language,
			"{limit}", strconv.Itoa(min(limit, cmp.Or(a.most, 100))+a.spare)).Replace(text)
	}
	address, sent := with(a.address, url.QueryEscape(wanted)), with(a.sent, string(quoted))
	answer, err := a.answer(ctx, address, a.header, sent)
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

package search

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// Offer is a provider that FromEnv can set up.
type Offer struct {
	Name     string
	Kind     Kind
	Variable string // the environment variable that it reads, or ""
	Value    string // what the variable holds, in a few words
	Needed   bool   // without the variable it is not set up

	api  api
	open func(api) Provider // if set, makes the provider; nil for the api alone
}

// Offers lists all providers that FromEnv knows, in the order that settles ties between equal hits.
func Offers() []Offer { return slices.Concat(webServices, scholarlyServices, otherServices) }

// FromEnv sets up every provider whose environment variable is set, and those that need none, in the order of
// Offers. A nil client means the package's own. FromEnv asks nobody: a wrong key shows with the first search.
func FromEnv(getenv func(string) string, client *http.Client) []Provider {
	var providers []Provider
	for _, o := range Offers() {
		a := o.api
		if o.Variable != "" {
			a.key = strings.TrimSpace(getenv(o.Variable))
		}
		if a.key != "" {
			a.address, a.pace = a.address+a.keyed, cmp.Or(a.keyedPace, a.pace)
		}
		a.service = service{name: o.Name, kind: o.Kind, pace: a.pace, client: client}
		switch {
		case a.key == "" && o.Needed:
		case o.open != nil:
			providers = append(providers, o.open(a))
		default:
			providers = append(providers, a)
		}
	}
	return providers
}

// api is a provider whose service answers one question with a list in JSON.
type api struct {
	service
	key             string
	pace, keyedPace time.Duration // between two questions, and with a key
	// address is the URL to ask, keyed an addition to it with a key, and sent the JSON to post; "" asks with
	// GET. {query} stands for what is wanted, {limit} for the number of results, at most most, {language} for
	// one of languages or "en", {key} for the key, and {base} for the key without a final slash.
	address, keyed, sent string
	header               map[string]string // those with {key} in them only with a key
	most, spare          int               // 0 is a hundred; spare more are asked for than are wanted
	languages            map[string]string
	// keywords bounds the characters of the keywords to ask for; 0 asks for the query itself.
	keywords int
	// mostChars and mostWords bound a query to what the service takes; 0 is 400 and 80.
	mostChars, mostWords int
	// reword, if set, puts the query into words that the service takes.
	reword func(wanted string) string
	// other, if set, returns another address for queries of a special kind, and "" for the rest.
	other func(query string) string
	// list is the path of the results in an answer; read, if set, returns them instead.
	list string
	read func(query string, answer data) (results []data, ok bool)
	// hit returns a result as it is shown, maybe with {language} in its URL; one without a URL is left out.
	hit func(data) result
	// none, if set, reports whether an answer without a list means that nothing was found; look, if set,
	// returns an error that an answer reports outside its list.
	none func(answer data) bool
	look func(answer data) error
	// means lists the refusals with a special meaning at this service.
	means []meaning
}

// meaning explains a refusal with this status, these words, in lower case, and at least this wait; what is
// not set fits all. For the service's own code, says is "code " and how the code begins.
type meaning struct {
	status int
	says   string
	wait   time.Duration

	nothing        bool // nothing was found
	reason         Reason
	detail, advice string // instead of what the service says, and after it if there is no key
}

func (m meaning) fits(e *ServiceError) bool {
	code, isCode := strings.CutPrefix(m.says, "code ")
	said := strings.Contains(strings.ToLower(e.Detail), m.says)
	if isCode {
		said = strings.HasPrefix(e.code, code)
	}
	return (m.status == 0 || m.status == e.status) && said && e.Wait >= m.wait
}

// meant returns an error with its meaning at this service.
func (a api) meant(err error) error {
	e, ok := errors.AsType[*ServiceError](err)
	if !ok {
		return err
	}
	i := slices.IndexFunc(a.means, func(m meaning) bool { return m.fits(e) })
	if i < 0 {
		return err
	}
	m := a.means[i]
	if m.nothing {
		return errNothing
	}
	e.Reason, e.Detail = cmp.Or(m.reason, e.Reason), cmp.Or(m.detail, e.Detail)
	if a.key == "" {
		e.Detail += m.advice
	}
	return e
}

// result is a hit without its snippet, which is made from facts that help to choose and from a text.
type result struct {
	Hit
	facts []string
	text  string
}

// fields are the paths of a hit's parts in a result; html means that title and text have tags. The text may
// be Markdown.
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
	wanted := shortened(query, cmp.Or(a.mostChars, 400), cmp.Or(a.mostWords, 80))
	if a.keywords > 0 {
		wanted = strings.Join(words.Keywords(query, a.keywords), " ")
	}
	if wanted == "" {
		return nil, nil
	}
	if a.reword != nil {
		wanted = a.reword(wanted)
	}
	language := cmp.Or(a.languages[languageFor(query)], "en")
	results, err := a.results(ctx, query, wanted, language, limit)
	switch {
	case errors.Is(err, errNothing):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var hits []Hit
	for _, r := range results[:min(len(results), limit+mostDropped)] {
		hit := a.hit(r)
		hit.URL = strings.ReplaceAll(hit.URL, "{language}", language)
		hit.Snippet = snippetOf(query, hit.facts, hit.text)
		hits = append(hits, hit.Hit)
	}
	return tidy(a.name, hits, limit), nil
}

func (a api) results(ctx context.Context, query, wanted, language string, limit int) ([]data, error) {
	quoted, _ := json.Marshal(wanted) // a text can always be encoded
	with := func(text, wanted string) string {
		return strings.NewReplacer("{query}", wanted, "{language}", language,
			"{base}", strings.TrimRight(a.key, "/"), "{key}", url.QueryEscape(a.key),
			"{limit}", strconv.Itoa(min(limit, cmp.Or(a.most, 100))+a.spare)).Replace(text)
	}
	address, sent := with(a.address, url.QueryEscape(wanted)), with(a.sent, string(quoted))
	if a.other != nil {
		address = cmp.Or(a.other(query), address)
	}
	answer, err := a.answer(ctx, address, a.headers(), sent)
	switch {
	case err == nil && a.none != nil && a.none(answer):
		return nil, errNothing
	case err == nil && a.look != nil:
		err = a.look(answer)
	}
	if err != nil {
		return nil, a.meant(err)
	}
	results, ok := answer.objects(a.list)
	if a.read != nil {
		results, ok = a.read(query, answer)
	}
	if !ok {
		return nil, errNoList()
	}
	return results, nil
}

func (a api) headers() http.Header {
	header := http.Header{}
	for name, value := range a.header {
		if a.key != "" || !strings.Contains(value, "{key}") {
			header.Set(name, strings.ReplaceAll(value, "{key}", a.key))
		}
	}
	return header
}

// mostDropped bounds the results that are looked at beyond those wanted: a service may send any number.
const mostDropped = 10

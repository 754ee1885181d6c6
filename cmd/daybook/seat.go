package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/openai"
)

// keyVariable names the variable of the key, unless a provider has one of its own. A key is read from the
// environment alone: on a command line it would show in the list of processes, and in a file it would be
// shared with the research.
const keyVariable = "OPENAI_API_KEY"

// baseVariable names the variable for the server of that key. No other provider's key is ever sent there.
const baseVariable = "OPENAI_BASE_URL"

// seat is a model server with its key.
type seat struct {
	openai.Provider
	key  string
	kept bool // by name, in daybook.yaml
}

// addressFor returns the base URL that was given, or the one in the environment for OpenAI's own key.
func addressFor(given, provider *string) *string {
	base := strings.TrimSpace(os.Getenv(baseVariable))
	if given != nil || base == "" || value(provider, brainOpenAI) != brainOpenAI {
		return given
	}
	return &base
}

// seat returns the server of the models that name none, or nil if the built-in brain is to think. told
// explains a choice that may surprise the user.
func (s settings) seat(ctx context.Context) (at *seat, told string, err error) {
	brain, base, provider := value(s.Brain, brainAuto), value(s.BaseURL, ""), value(s.Provider, "")
	if _, other := cutProvider(value(s.Model, "")); other != "" && other != provider {
		provider, base = other, ""
	}
	switch {
	case brain == brainClip:
		return nil, "", nil
	// a server like OpenAI's, which does not share OpenAI's quirks
	case base != "" && (provider == "" || provider == brainOpenAI):
		at := seatAt(base)
		return &at, "", nil
	case provider != "":
		at, err := seatOf(provider, base)
		return &at, "", err
	}
	if at, told := seatByKey(); at != nil {
		return at, told, nil
	}
	if brain == brainOpenAI {
		return nil, "", wrongUse(fmt.Sprintf("set %s, or --provider and the key of that one, or --base-url for a server that wants no key; --brain clip needs neither", keyVariable), "OpenAI's server wants a key")
	}
	if !value(s.Local, true) {
		return nil, "", nil
	}
	var ask []openai.Provider
	for _, p := range openai.Providers() {
		if p, _ := p.Set(os.Getenv); p.Local && openai.IsLocal(p.BaseURL) {
			ask = append(ask, p)
		}
	}
	at, told = pick(openai.Look(ctx, ask))
	return at, told, nil
}

// seatOf returns the server of a provider, or one like it at another address.
func seatOf(name, base string) (seat, error) {
	p, ok := openai.FindProvider(name)
	if !ok {
		return seat{}, wrongUse(fmt.Sprintf("say one of %s", providerNames()), "there is no provider %q", clean(name))
	}
	p, key := p.Set(os.Getenv)
	if base != "" {
		p.BaseURL = base
	}
	switch {
	case p.BaseURL == "":
		return seat{}, wrongUse(fmt.Sprintf("set %s to the address of your resource, such as https://NAME.openai.azure.com", p.Address), "%s has no one address", name)
	case key == "" && base == "" && !p.Local:
		return seat{}, wrongUse(fmt.Sprintf("set %s; --brain clip works without a model", p.Quirks.KeyVariable), "the server of %s wants a key", name)
	}
	return seat{Provider: p, key: key, kept: true}, nil
}

// seatAt returns the server at an address. A known address has known quirks and a variable for its key;
// OpenAI's variable works for any.
func seatAt(base string) seat {
	own := strings.TrimSpace(os.Getenv(keyVariable))
	p, ok := openai.ProviderAt(base)
	if !ok {
		return seat{Provider: openai.Provider{BaseURL: base, Model: defaultModel}, key: own}
	}
	p, key := p.Set(os.Getenv)
	p.BaseURL = base
	if key == "" {
		p.Quirks.KeyVariable = keyVariable
		key = own
	}
	return seat{Provider: p, key: key}
}

// seatByKey returns the server of the first provider whose key is set, or nil. told names the others.
func seatByKey() (at *seat, told string) {
	var others []string
	for _, p := range openai.Providers() {
		p, key := p.Set(os.Getenv)
		switch {
		case p.Local || key == "" || p.BaseURL == "":
		case at == nil:
			at = &seat{Provider: p, key: key, kept: true}
		default:
			others = append(others, fmt.Sprintf("%s is set too, for --provider %s", p.Quirks.KeyVariable, p.Name))
		}
	}
	return at, strings.Join(others, "; ")
}

// pick returns the first server on this machine that has a model. told describes it, or why none is taken.
func pick(there []openai.Found) (at *seat, told string) {
	i := slices.IndexFunc(there, func(f openai.Found) bool { return openai.ChatModel(f.Models) != "" })
	switch {
	case len(there) == 0:
		return nil, ""
	case i < 0:
		p := there[0].Provider
		return nil, fmt.Sprintf("%s at %s has no model to talk to", p.Name, server(p.BaseURL))
	}
	p := there[i].Provider
	p.Model = openai.ChatModel(there[i].Models)
	told = fmt.Sprintf("%s was found on this machine, and --brain clip does without it", p.Name)
	if p.Note != "" {
		told += "; " + p.Note
	}
	return &seat{Provider: p, kept: true}, told
}

// model returns the model's name at this server, and asks the server if need be.
func (at seat) model(ctx context.Context, name string) (string, error) {
	if name = cmp.Or(name, at.Model); name != "" {
		return name, nil
	}
	if !at.Local {
		return "", wrongUse(strings.TrimSuffix(fmt.Sprintf("name one with --model; %s", at.Note), "; "), "%s has no model that suits everybody", at.Name)
	}
	names, err := (&openai.Brain{BaseURL: at.BaseURL, Key: at.key, Quirks: at.Quirks}).Models(ctx)
	if err != nil {
		return "", &fault{error: err, code: exitError, hint: "start the server, or set --base-url to where it is; --brain clip works without a model"}
	}
	if name = openai.ChatModel(names); name == "" {
		return "", wrongUse("give it one, or name it with --model; --brain clip works without a model", "%s at %s has no model to talk to", at.Name, server(at.BaseURL))
	}
	return name, nil
}

// cutProvider splits a model's name: NAME@PROVIDER is a model of that provider. An @ before anything else
// belongs to the name.
func cutProvider(spelled string) (name, provider string) {
	if at := strings.LastIndex(spelled, "@"); at >= 0 {
		if _, ok := openai.FindProvider(spelled[at+1:]); ok {
			return spelled[:at], spelled[at+1:]
		}
	}
	return spelled, ""
}

func providerNames() string {
	return strings.Join(texts(openai.Providers(), func(p openai.Provider) string { return p.Name }), ", ")
}

// known keeps findings about model servers in the user's cache; without one they are made again in each run.
type known struct {
	path string // "" without a cache
	mu   sync.Mutex
}

// knownFor is the lifetime of a finding: servers are updated, and can do more then.
const knownFor = 30 * 24 * time.Hour

const maxKnown = 1 << 20 // bytes of the file; a larger one is discarded

// finding holds what is known of one server and model, and since when.
type finding struct {
	Found time.Time `json:"found"`
	openai.Capabilities
}

// knownServers returns the findings in the user's cache.
func knownServers() *known {
	dir, err := os.UserCacheDir()
	if err != nil {
		return &known{}
	}
	return &known{path: filepath.Join(dir, "daybook", "servers.json")}
}

// serverAndModel returns the name of a finding, without a password or key in the address.
func serverAndModel(b *openai.Brain) string {
	return strings.TrimRight(server(cmp.Or(b.BaseURL, openai.DefaultBaseURL)), "/") + " " + b.Model
}

// read returns the findings that are not too old.
func (k *known) read() map[string]finding {
	all := map[string]finding{}
	data, err := readInside(filepath.Dir(k.path), filepath.Base(k.path), maxKnown)
	if err != nil || bounds.JSON(data, &all) != nil {
		return map[string]finding{}
	}
	maps.DeleteFunc(all, func(_ string, f finding) bool { return time.Since(f.Found).Abs() > knownFor })
	return all
}

// keep saves what is known of a server; of two writes at the same instant one wins.
func (k *known) keep(id string, c openai.Capabilities) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.path != "" {
		all := k.read()
		all[id] = finding{time.Now().UTC().Truncate(time.Second), c}
		_ = replaceJSON(k.path, all) // doctor reports it if it cannot be written
	}
}

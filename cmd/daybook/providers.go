package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/search"
)

// Words for the setting search, beside kinds and names of providers.
const (
	searchAll  = "all"
	searchNone = "none"
)

// providers are where the settings say to search, beside the person's own documents.
func (s settings) providers() ([]search.Provider, error) {
	wanted := s.Search
	if len(wanted) == 0 {
		wanted = []string{searchAll}
	}
	if at := os.Getenv("SEARXNG_URL"); at != "" && !strings.HasPrefix(at, "http://") && !strings.HasPrefix(at, "https://") {
		return nil, wrongUse("set it to a whole address, such as http://localhost:8888", "SEARXNG_URL is no address")
	}
	ready := search.FromEnv(os.Getenv, nil)
	var chosen []search.Provider
	for _, p := range ready {
		if slices.ContainsFunc(wanted, func(w string) bool { return means(w, p.Name(), p.Kind()) }) {
			chosen = append(chosen, p)
		}
	}
	for _, w := range wanted {
		if err := checkSource(w, ready); err != nil {
			return nil, err
		}
	}
	return chosen, nil
}

func means(word, name string, kind search.Kind) bool {
	word = strings.ToLower(strings.TrimSpace(word))
	return word == searchAll || word == name || word == string(kind)
}

// checkSource says why a word of the setting stands for no provider.
func checkSource(word string, ready []search.Provider) error {
	word = strings.ToLower(strings.TrimSpace(word))
	if word == searchNone || word == searchAll || word == string(search.Own) {
		return nil
	}
	var names []string
	for _, o := range search.Offers() {
		switch {
		case !means(word, o.Name, o.Kind):
			names = append(names, o.Name)
		case slices.ContainsFunc(ready, func(p search.Provider) bool { return means(word, p.Name(), p.Kind()) }):
			return nil
		case word == o.Name:
			return wrongSetting("search", fmt.Sprintf("set %s to %s", o.Variable, o.Value), "%s cannot be searched without %s", o.Name, o.Variable)
		}
	}
	return wrongSetting("search", fmt.Sprintf("say web, scholarly, code, talk, reference, all, none, or one of %s", strings.Join(names, ", ")), "there is nowhere to search called %q", clean(word))
}

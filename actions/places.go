package actions

import (
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/search"
)

// searchDoc is what the model reads about web_search. It names the places of this run: one that is promised the web where there is none
// searches for what it can not find, and believes that it is not there.
func (k Kit) searchDoc() string { return k.searched() + " " + doc("web_search") }

func (k Kit) searched() string {
	kinds := k.kinds()
	if len(kinds) == 0 {
		return "There is nowhere to search in this run but the articles of a site that you know of: give the site as source."
	}
	shown := make([]string, len(kinds))
	for i, kind := range kinds {
		shown[i] = nameOf(kind)
		if word := string(kind); shown[i] != word && shown[i] != "the "+word {
			shown[i] += " (" + word + ")"
		}
	}
	text := "Searches " + shown[0] + "."
	if len(shown) > 1 {
		text = "Searches side by side: " + strings.Join(shown, ", ") + "."
	}
	if !slices.Contains(kinds, search.Web) {
		text += " The web is not searched in this run."
	}
	return text
}

// searchable says in words what can be searched in this run, for a judge who would ask for what can not be had.
func (k Kit) searchable() string {
	kinds := k.kinds()
	if len(kinds) == 0 {
		return "nothing; but pages and sites that the person or a page that was read named can be read"
	}
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = nameOf(kind)
	}
	text := strings.Join(names, ", ")
	if !slices.Contains(kinds, search.Web) {
		text += "; not the web"
	}
	return text
}

// nameOf is what a kind of place is called in a sentence.
func nameOf(kind search.Kind) string {
	switch kind {
	case search.Own:
		return "the person's own documents"
	case search.Web:
		return "the web"
	case search.Scholarly:
		return "scholarly papers"
	case search.Talk:
		return "discussions"
	case search.Reference:
		return "reference works"
	}
	return string(kind)
}

// kinds are those of the places that are set up, in an order that is the same in every run.
func (k Kit) kinds() []search.Kind {
	if k.Search == nil {
		return nil
	}
	var there []search.Kind
	for _, p := range k.Search.Providers {
		if !slices.Contains(there, p.Kind()) {
			there = append(there, p.Kind())
		}
	}
	usual := []search.Kind{search.Own, search.Web, search.Scholarly, search.Code, search.Talk, search.Reference}
	place := func(kind search.Kind) int {
		if i := slices.Index(usual, kind); i >= 0 {
			return i
		}
		return len(usual)
	}
	slices.SortStableFunc(there, func(a, b search.Kind) int { return place(a) - place(b) })
	return there
}

// staysHere says whether a search asks the person's own documents alone, so that nothing of it goes to others.
func (k Kit) staysHere(source string) bool {
	if strings.Contains(source, ".") {
		return false
	}
	kinds := k.kinds()
	return source == string(search.Own) || len(kinds) == 1 && kinds[0] == search.Own
}

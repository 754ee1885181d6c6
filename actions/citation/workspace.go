package citation

import "github.com/daybook-agent/daybook/agent/workspace"

// Of looks sources up in a workspace whose sources were loaded. It takes no lock and changes nothing.
func Of(w *workspace.Workspace) Lookup {
	return func(id string) (Source, error) {
		s, ok := w.Source(id)
		if !ok {
			return Source{}, ErrNotRead
		}
		text, intact, err := w.SourceText(id)
		return Source{Source: s, Text: text, Intact: intact}, err
	}
}

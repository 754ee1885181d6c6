package citation

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// Of looks sources up in a workspace whose sources are loaded. It takes no lock and changes nothing.
func Of(w *workspace.Workspace) Lookup {
	return func(id string) (Source, error) {
		text, intact, err := w.SourceText(id) // which may discover that it was deleted
		if s, ok := w.Source(id); ok {
			return Source{Source: s, Text: text, Intact: intact, Newer: newer(w, s), Asked: w.Asked()}, err
		}
		for _, s := range w.Deleted() {
			if s.ID == id {
				return Source{}, deleted(s.File)
			}
		}
		return Source{}, ErrNotRead
	}
}

// deleted is the error for a source that a person deleted, by its file.
type deleted string

// Error implements error.
func (d deleted) Error() string { return fmt.Sprintf("%s was deleted since it was read", string(d)) }

// Is implements the interface of [errors.Is]: nothing can be looked up under the id.
func (deleted) Is(target error) bool { return target == ErrNotRead }

// newer returns the id of another text that was later read at a source's address, or "".
func newer(w *workspace.Workspace, s workspace.Source) string {
	last, ok := w.Source(s.URL)
	if !ok || numberOf(last.ID) <= numberOf(s.ID) || last.SHA256 == s.SHA256 {
		return ""
	}
	return last.ID
}

// WroteIn returns a function that reports whether the person wrote a quote: question, answers or notes.
func WroteIn(w *workspace.Workspace) func(quote string) bool {
	written := sync.OnceValue(func() []string {
		overall, _ := w.Peek(workspace.OverallFile) // an unreadable one has no words of theirs
		current, _ := w.Peek(workspace.CurrentFile)
		question, _ := workspace.Section(overall, "question")
		notes, _ := workspace.Section(current, "notes")
		return []string{w.Asked(), question, notes}
	})
	return func(quote string) bool {
		return slices.ContainsFunc(written(), func(text string) bool {
			_, _, _, ok := locate(text, quote)
			return ok
		})
	}
}

// judgementsKey is the name under which a workspace keeps a checker's judgements, a map by question key.
const judgementsKey = "claims"

// Judged returns a checker's judgements of claims so far, by the keys of their questions.
func Judged(w *workspace.Workspace) map[string]Judgement {
	all := map[string]Judgement{}
	w.Kept(judgementsKey, &all)
	return all
}

// Learn applies a checker's judgements to the open findings, and records them.
func (r *Result) Learn(w *workspace.Workspace, said map[string]Judgement) error {
	all := Judged(w)
	maps.Copy(all, said)
	r.Judge(all)
	return w.Keep(judgementsKey, all)
}

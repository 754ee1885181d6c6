package citation

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// Of looks sources up in a workspace whose sources were loaded. It takes no lock and changes nothing.
func Of(w *workspace.Workspace) Lookup {
	return func(id string) (Source, error) {
		text, intact, err := w.SourceText(id) // which may find that it was deleted
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

// deleted is the error of a source by its file, which a person deleted.
type deleted string

// Error implements error.
func (d deleted) Error() string { return fmt.Sprintf("%s was deleted since it was read", string(d)) }

// Is implements what [errors.Is] asks: nothing can be looked up under the id.
func (deleted) Is(target error) bool { return target == ErrNotRead }

// newer is the id of another text that was read at a source's address later.
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
		overall, _ := w.Peek(workspace.OverallFile) // one that cannot be read holds no word of theirs
		current, _ := w.Peek(workspace.CurrentFile)
		question, _ := workspace.Section(overall, "question")
		notes, _ := workspace.Section(current, "notes")
		return []string{w.Asked(), question, notes}
	})
	return func(quote string) bool {
		return slices.ContainsFunc(written(), func(text string) bool {
			_, _, ok := locate(text, quote)
			return ok
		})
	}
}

// judgementsKey is what a workspace keeps the judgements of a checker under, a map by their keys.
const judgementsKey = "claims"

// Judged is what a checker said of claims so far, by the keys of their questions.
func Judged(w *workspace.Workspace) map[string]Judgement {
	all := map[string]Judgement{}
	w.Kept(judgementsKey, &all)
	return all
}

// Learn gives the open findings what a checker said of them, and puts it on record.
func (r *Result) Learn(w *workspace.Workspace, said map[string]Judgement) error {
	all := Judged(w)
	maps.Copy(all, said)
	r.Judge(all)
	return w.Keep(judgementsKey, all)
}

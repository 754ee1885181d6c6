package rounds

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// mostPlaces bounds how many places that cite a source are named.
const mostPlaces = 10

const wasDeleted = "%s was deleted, so what cites %s cannot be checked: %s. Once finished, --refresh brings it back."

// Deleted names, for each source whose file a person deleted, the claims of the report and the chapters that
// depend on it, by file and line. It leaves out a source that nothing cites.
func Deleted(ctx context.Context, w *workspace.Workspace, gone []workspace.Source) (all []string) {
	if len(gone) == 0 {
		return nil
	}
	files := []string{workspace.ReportFile}
	chapters, _ := w.Chapters() // what cannot be read cites nothing
	for _, c := range chapters {
		files = append(files, c.File)
	}
	places := map[string][]string{} // by id
	nothing := func(string) (citation.Source, error) { return citation.Source{}, citation.ErrNotRead }
	for _, file := range files {
		for _, f := range citation.Check(ctx, textOf(w, file), nothing).Findings {
			if at := fmt.Sprintf("%s:%d", file, f.Line); !slices.Contains(places[f.Ref.ID], at) {
				places[f.Ref.ID] = append(places[f.Ref.ID], at)
			}
		}
	}
	for _, s := range gone {
		if at := bounded(places[s.ID], mostPlaces, "+%d"); len(at) > 0 {
			all = append(all, fmt.Sprintf(wasDeleted, s.File, s.ID, strings.Join(at, ", ")))
		}
	}
	return all
}

package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// evidence refuses a section, known by its title, of a chapter that came back without evidence, unless it now
// cites something that the chapter's researcher or the one of the whole has read.
func evidence(_ context.Context, r Report) string {
	lacking := workspace.UnprovenIn(r.Gaps)
	if len(lacking) == 0 {
		return ""
	}
	d, err := r.document()
	if err != nil {
		return "" // another gate reports it
	}
	for _, s := range d.sections {
		for _, chapter := range lacking {
			if strings.EqualFold(prose.OneLine(s.title), prose.OneLine(chapter.Title)) &&
				prose.Count(d.text(s)) > 0 && !r.restsOnReading(d.text(s), chapter.File) {
				return fmt.Sprintf(
					"the section “%s” is of a chapter that came back without evidence, and cites nothing "+
						"that you or its researcher read: research %s again, or leave the section out and "+
						"say that it was not found out",
					s.title, chapter.File)
			}
		}
	}
	return ""
}

// restsOnReading reports whether a section cites what its possible authors have read.
func (r Report) restsOnReading(section, file string) bool {
	return slices.ContainsFunc(workspace.Cited(section), func(id string) bool {
		return r.WasShown == nil || r.WasShown("", id) || r.WasShown(file, id)
	})
}

package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// evidence wants no section, known by its title, for a chapter whose researcher came back without evidence,
// unless something is cited there by now that this researcher or the one of the whole read.
func evidence(_ context.Context, r Report) string {
	lacking := workspace.UnprovenIn(r.Gaps)
	if len(lacking) == 0 {
		return ""
	}
	d, err := r.document()
	if err != nil {
		return "" // another gate says so
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

// restsOnReading reports whether a section cites what those read who may have written it.
func (r Report) restsOnReading(section, file string) bool {
	return slices.ContainsFunc(workspace.Cited(section), func(id string) bool {
		return r.WasShown == nil || r.WasShown("", id) || r.WasShown(file, id)
	})
}

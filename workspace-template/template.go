// Package workspacetemplate is what a new workspace starts as, and the rules that every researcher is given.
// The files are embedded: the two dashboards and daybook.yaml, with every setting commented out, in English
// and, under zh/, in Chinese; under rules/ the four parts of the system prompt's rules and the intake's
// templates by field, each of which a workspace may replace by a file of the same name; and under profiles/
// what kinds of report there are: bounds that the program checks before a research may end, and a guide that
// the researcher reads.
package workspacetemplate

import "embed"

// Files holds the template. The dashboards are text/templates over a brief with the fields Question and
// Purpose.
//
//go:embed *.md zh/* rules/*.md profiles/*.yaml daybook.yaml
var Files embed.FS

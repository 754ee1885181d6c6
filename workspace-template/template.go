// Package workspacetemplate holds the files that a new workspace begins with, and the rules that every
// researcher gets. The files are embedded. The two dashboards and daybook.yaml, with every setting commented
// out, are in English and, under zh/, in Chinese. rules/ has the four parts of the system prompt's rules and
// the intake's templates by field; a workspace may replace each by a file of the same name. profiles/ has the
// kinds of report: bounds that the program checks before a research may end, and a guide that the researcher
// reads.
package workspacetemplate

import "embed"

// Files holds the template. The dashboards are text/templates over a brief with the fields Question and
// Purpose.
//
//go:embed *.md zh/* rules/*.md profiles/*.yaml daybook.yaml
var Files embed.FS

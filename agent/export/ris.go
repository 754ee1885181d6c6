package export

import (
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// ris lists the wanted sources for EndNote, Zotero and others, with the keys of [bibtex].
func ris(from report, wanted []workspace.Source) []byte {
	var out strings.Builder
	field := func(tag, value string) {
		if value != "" {
			fmt.Fprintf(&out, "%s  - %s\r\n", tag, value)
		}
	}
	for _, r := range records(from, wanted) {
		field("TY", r.kind.ris)
		field("ID", r.key)
		for _, p := range r.authors {
			// an asterisk would begin a role
			field("AU", strings.ReplaceAll(strings.TrimSuffix(p.family+", "+p.given, ", "), "*", ""))
		}
		field("TI", r.title)
		field("PY", r.date[0])
		if r.date[0] != "" {
			field("DA", strings.Join(r.date[:], "/")+"/")
		}
		field("DO", r.doi)
		if r.arxiv != "" {
			field("PB", "arXiv")
			field("AN", "arXiv:"+r.arxiv)
		}
		field("UR", r.address)
		field("Y2", strings.ReplaceAll(r.read, "-", "/")+"/")
		field("LA", r.language)
		field("N1", r.note())
		out.WriteString("ER  - \r\n")
	}
	return []byte(out.String())
}

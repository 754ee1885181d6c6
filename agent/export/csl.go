package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// csl lists the wanted sources as CSL JSON, which Zotero and pandoc read, with the keys of [bibtex].
func csl(from report, wanted []workspace.Source) ([]byte, error) {
	items := []map[string]any{}
	for _, r := range records(from, wanted) {
		items = append(items, r.csl())
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(items); err != nil {
		return nil, fmt.Errorf("writing CSL JSON: %w", err)
	}
	return out.Bytes(), nil
}

func (r record) csl() map[string]any {
	item := map[string]any{"id": r.key, "type": r.kind.csl, "title": r.title}
	for name, value := range map[string]string{"DOI": r.doi, "URL": r.address, "language": r.language,
		"note": r.note()} {
		if value != "" {
			item[name] = value
		}
	}
	for name, date := range map[string][3]string{"issued": r.date, "accessed": date(r.read)} {
		var parts []int
		for _, part := range date {
			if n, err := strconv.Atoi(part); err == nil {
				parts = append(parts, n)
			}
		}
		if len(parts) > 0 {
			item[name] = map[string]any{"date-parts": [][]int{parts}}
		}
	}
	if r.arxiv != "" {
		item["publisher"], item["number"] = "arXiv", "arXiv:"+r.arxiv
	}
	var authors []map[string]string
	for _, p := range r.authors {
		if p.given == "" {
			authors = append(authors, map[string]string{"literal": p.family})
		} else {
			authors = append(authors, map[string]string{"family": p.family, "given": p.given})
		}
	}
	if len(authors) > 0 {
		item["author"] = authors
	}
	return item
}

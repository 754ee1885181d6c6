package clip

import (
	"fmt"
	"strconv"
	"strings"
)

// hit is a search result.
type hit struct {
	title, url, snippet string
}

// readHits reads what web_search returned: between marks, titles with the ids of the hits, each with an address and a snippet under it.
func readHits(result string) []hit {
	_, result, found := strings.Cut(result, "\n<results>\n")
	end := strings.LastIndex(result, "\n</results>")
	if !found || end < 0 {
		return nil
	}
	var hits []hit
	for line := range strings.Lines(result[:end]) {
		indented := strings.HasPrefix(line, "   ")
		line = strings.TrimSpace(line)
		id, title, found := strings.Cut(line, ". ")
		if _, err := strconv.Atoi(strings.TrimPrefix(id, "h")); found && err == nil && !indented {
			hits = append(hits, hit{title: title})
			continue
		}
		if list, ok := strings.CutPrefix(line, "Read already: "); ok && !indented {
			hits = append(hits, readAgain(list)...)
			continue
		}
		if !indented || len(hits) == 0 {
			continue
		}
		last := &hits[len(hits)-1]
		if url, ok := strings.CutPrefix(line, "URL: "); ok && last.url == "" {
			last.url = strings.TrimSpace(url)
		} else {
			last.snippet += " " + line
		}
	}
	return hits
}

// readAgain reads the line of the pages that were read already: "s1 Tides <doc:tides.md>; s4 The moon <https://moon.test>".
func readAgain(list string) []hit {
	var hits []hit
	for entry := range strings.SplitSeq(list, "; ") {
		title, rest, found := strings.Cut(entry, " <")
		url, _, closed := strings.Cut(rest, ">")
		if _, named, ok := strings.Cut(title, " "); found && closed && ok {
			hits = append(hits, hit{title: named, url: url})
		}
	}
	return hits
}

// page is a part of a document that was read.
type page struct {
	id, title, url string
	part, parts    int    // this one, from 1, and all
	text           string // to the letter as it stands in the Sources file
}

// readPage reads what visit_url returned; false when that was an error.
func readPage(result string) (page, bool) {
	_, rest, found := strings.Cut(result, "\n<page ")
	about, rest, named := strings.Cut(rest, ">\n")
	end := strings.LastIndex(rest, "\n</page>")
	if !found || !named || end < 0 {
		return page{}, false
	}
	p := page{id: attribute(about, "id"), title: attribute(about, "title"), url: attribute(about, "url"), text: unlabelled(rest[:end]), part: 1, parts: 1}
	var part, parts int
	if _, err := fmt.Sscanf(attribute(about, "part"), "%d/%d", &part, &parts); err == nil {
		p.part, p.parts = part, parts
	}
	return p, p.id != ""
}

// attribute is one of those that stand in the mark of a page.
func attribute(about, name string) string {
	_, rest, _ := strings.Cut(" "+about, " "+name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

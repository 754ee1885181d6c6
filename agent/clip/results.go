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

// readHits reads what web_search returned: numbered titles, each with an address and a snippet under it.
func readHits(result string) []hit {
	var hits []hit
	for line := range strings.Lines(result) {
		indented := strings.HasPrefix(line, "   ")
		line = strings.TrimSpace(line)
		number, title, found := strings.Cut(line, ". ")
		if _, err := strconv.Atoi(number); found && err == nil && !indented {
			hits = append(hits, hit{title: title})
			continue
		}
		if !indented || len(hits) == 0 {
			continue
		}
		last := &hits[len(hits)-1]
		if url, ok := strings.CutPrefix(line, "URL: "); ok && last.url == "" {
			last.url = strings.TrimSpace(url)
		} else if !strings.HasPrefix(line, "Already read as ") {
			last.snippet += " " + line
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
	head, rest, found := strings.Cut(result, "\n<page id=\"")
	id, rest, named := strings.Cut(rest, "\">\n")
	end := strings.LastIndex(rest, "\n</page>") // the last: the page's own text may hold one
	if !found || !named || end < 0 {
		return page{}, false
	}
	p := page{id: id, text: rest[:end], part: 1, parts: 1}
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "["+id+"]"); ok && p.title == "" {
			p.title = strings.TrimSpace(title)
		} else if url, ok := strings.CutPrefix(line, "URL: "); ok {
			p.url = url
		} else if part, ok := strings.CutPrefix(line, "Part "); ok {
			p.readPart(part)
		}
	}
	return p, true
}

// readPart reads "1 of 2. Go on with part 2."
func (p *page) readPart(line string) {
	var part, parts int
	if _, err := fmt.Sscanf(line, "%d of %d", &part, &parts); err == nil {
		p.part, p.parts = part, parts
	}
}

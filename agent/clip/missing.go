package clip

import (
	"fmt"
	"strings"
)

// missing lists, by count and not by judgement, what the report has no evidence for.
func (s *stretch) missing(parts []bound) []string {
	var lines []string
	var quotes [][]string
	for _, b := range parts {
		for _, q := range b.quotes {
			quotes = append(quotes, terms(q.text))
		}
		switch {
		case b.lost:
			lines = append(lines, fmt.Sprintf(s.say.missingFile, b.title, b.file))
		case len(b.quotes) == 0:
			lines = append(lines, fmt.Sprintf(s.say.missingChapter, b.title))
		}
	}
	for _, k := range keywords(s.brief.question) {
		spoken := false
		for _, q := range quotes {
			spoken = spoken || k.in(q)
		}
		if !spoken {
			lines = append(lines, fmt.Sprintf(s.say.missingKeyword, k.text))
		}
	}
	switch {
	case len(quotes) == 0 && len(lines) == 0:
		lines = append(lines, "- "+s.say.noEvidence)
	case len(lines) == 0:
		lines = append(lines, s.say.nothingMissing)
	}
	if len(s.chapters) > 0 {
		return lines
	}
	return append(lines, s.looked()...)
}

// looked says what was searched and read in this stretch.
func (s *stretch) looked() []string {
	var queries []string
	for _, a := range s.acts {
		if a.action == "web_search" {
			queries = appendNew(queries, "`"+strings.ReplaceAll(a.args.Query, "`", "")+"`")
		}
	}
	lines := []string{"- " + fmt.Sprintf(s.say.searchedFor, strings.Join(queries, s.say.join))}
	if read := s.idsRead(); len(read) > 0 {
		lines = append(lines, "- "+fmt.Sprintf(s.say.readInVain, ids(read)))
	}
	for _, line := range s.unsearched() {
		lines = append(lines, "- "+line)
	}
	return lines
}

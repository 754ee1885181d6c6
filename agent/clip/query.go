package clip

import (
	"fmt"
	"sort"
	"strings"
)

// questionQueries are the searches for a question: all its keywords, then neighbours of two or three, since an engine that wants
// every word finds more with fewer.
func (b brief) questionQueries() []string {
	const most, long = 4, 8
	keys := keywords(b.question)
	queries := []string{joined(keys[:min(long, len(keys))])}
	step := max(2, (len(keys)+2)/3)
	for from := 0; from < len(keys) && len(keys) > 2 && len(queries) < most; from += step {
		queries = appendNew(queries, joined(keys[from:min(from+step, len(keys))]))
	}
	if aside := keywords(b.aside); len(aside) > 0 && len(queries) < most {
		queries = appendNew(queries, joined(append(keys[:min(2, len(keys)):min(2, len(keys))], aside[:min(4, len(aside))]...)))
	}
	if queries[0] == "" {
		queries[0] = b.question // nothing but stop words
	}
	return queries
}

// singles are one search for each of the first keywords, the last thing to try.
func singles(keys []keyword) []string {
	var queries []string
	for _, k := range keys[:min(6, len(keys))] {
		queries = append(queries, k.text)
	}
	return queries
}

func joined(keys []keyword) string {
	var words []string
	for _, k := range keys {
		words = append(words, k.text)
	}
	return strings.Join(words, " ")
}

// ask fills in what a chapter asks and how it is to be searched for, where its item says neither that nor where.
func (s *stretch) ask(c *chapter, keys []keyword) {
	if c.question == "" {
		c.question = fmt.Sprintf(s.say.asks, c.title)
	}
	if len(c.queries) > 0 || len(c.urls) > 0 {
		return
	}
	var others []keyword
	terms := terms(c.title)
	for _, k := range keys {
		if !k.in(terms) && len(others) < 3 {
			others = append(others, k)
		}
	}
	c.queries = []string{strings.TrimSpace(c.title + " " + joined(others))}
}

// rankHits merges several result lists: a document that is found often, early, and with the keywords in its title comes first.
func rankHits(lists [][]hit, keys []keyword) []hit {
	rates := map[string]float64{}
	var all []hit
	for _, list := range lists {
		for i, h := range list {
			if h.url == "" || barren(strings.ToLower(cleanHeading(h.title))) {
				continue
			}
			if _, seen := rates[h.url]; !seen {
				all = append(all, h)
				title, snippet := terms(h.title), terms(h.snippet)
				for _, k := range keys {
					if k.in(title) {
						rates[h.url] += 0.06
					} else if k.in(snippet) {
						rates[h.url] += 0.02
					}
				}
			}
			rates[h.url] += 1 / float64(10+i) // reciprocal rank fusion, steeper than usual since the lists are short
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return rates[all[i].url] > rates[all[j].url] })
	return all
}

func addressesOf(hits []hit, most int) []string {
	var urls []string
	for _, h := range hits[:min(most, len(hits))] {
		urls = append(urls, strings.TrimSpace(h.url))
	}
	return urls
}

// asksForFigure says whether a question wants a number or a date.
func asksForFigure(question string) bool {
	question = strings.ToLower(question) + " "
	for _, words := range []string{"when ", "what year", "which year", "how many ", "how much ", "how long ", "how old ", "how far ", "how tall ", "how high ",
		"how big ", "how large ", "how fast ", "多少", "几", "何时", "什么时候", "哪年", "哪一年", "多大", "多高", "多长", "多久", "多快", "多远"} {
		if strings.HasPrefix(question, words) || strings.Contains(question, " "+words) || isHan(words) && strings.Contains(question, words) {
			return true
		}
	}
	return false
}

package documents

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
)

// The ranking was tuned on the 40 "tune" questions of testdata/corpus/manuals.tsv. Neighbouring words as
// phrases, other weights of the columns and a second BM25 over whole documents were tried there and gained
// nothing.
const (
	// candidates bounds the passages that BM25 proposes, at most perDocument of one document, so that a long
	// log hides nothing; closerLook bounds the documents whose text is compared.
	candidates, perDocument, closerLook, maxHits = 500, 4, 100, 50
	// nextPassage is the weight of a document's second-best passage in its score; the third counts half of
	// that, and so on.
	nextPassage = 0.4
	// listShare multiplies the score of a list of links: it names what is looked for and says nothing about
	// it.
	listShare = 0.3
	// byLead is the weight of the query's words in a document's beginning, which says what it is about; those
	// in the title, in the headings and in the passage itself count 1 each.
	byLead = 2
	// byExact is the weight of the query's phrases and identifiers to the letter.
	byExact = 2
	// leastShare is the share of a query that a document must hold to be a hit at all, by the number or by
	// the weight of its words: a question may use other words than the document. If some words are in no
	// document, and none holds nearShare by the weight of the words, nothing that was found is near.
	leastShare, nearShare = 0.1, 0.5
	// mostFar bounds the documents that are shown if none is near. After the first strong ones, a document is
	// left out if it holds less than weakShare of what the best one holds of the query.
	mostFar, strong, weakShare = 10, 3, 0.35
	// mostMore bounds the further passages of a document that are shown, each of which has at least moreShare
	// of the best one's score.
	mostMore, moreShare = 2, 0.5
)

// candidate is a document among the results.
type candidate struct {
	file                   int64
	score                  float64
	url, kind, title, lead string
	language, untranslated string             // what the document declares, and its address without it; or ""
	best                   []candidatePassage // its passages that say most, the best first
	// how much of the query it holds: of the words, and by their weight
	words, held float64
}

// candidatePassage is a passage among the results.
type candidatePassage struct {
	passage
	score float64
	held  float64 // how much of the query it and its headings hold
}

// Search finds the documents that best answer query, a question or a few words in any language. It looks for
// words in all their English forms and in any order, and a page need not hold all of them; pages that hold
// more, in a title, a heading or at their beginning, come first. Each hit is one document, described by its
// best passage; its copies share the hit.
//
// A query without any letter or digit is an error. A limit of 0 or less means 10; at most 50 documents are
// found.
func (d *Index) Search(ctx context.Context, query string, limit int) ([]search.Hit, error) {
	found, err := d.Find(ctx, query, limit)
	return found.Hits, err
}

// Find is like Search, but also returns missing words and where phrases and identifiers are to the letter.
func (d *Index) Find(ctx context.Context, query string, limit int) (search.Finding, error) {
	if limit <= 0 {
		limit = 10
	}
	wanted := words.Terms(query)
	if len(wanted) == 0 {
		return search.Finding{}, errors.New("searching documents: the query holds no word to look for")
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	// One transaction, so that a Refresh between two statements cannot take a document away.
	tx, err := d.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err == nil {
		defer tx.Rollback() // nothing was written
		look := lookIn(ctx, tx)
		found := look.find(query, wanted, min(limit, maxHits))
		if look.err == nil {
			d.noteSearch(ctx)
			return found, nil
		}
		err = look.err
	}
	return search.Finding{}, fmt.Errorf("searching documents: %w", d.noteDamage(err))
}

func (l *lookup) find(query string, wanted []words.Term, limit int) (found search.Finding) {
	found.Documents = l.number("SELECT count(*) FROM file WHERE skipped = ''")
	found.Apart = l.apart(prose.HasHan(query))
	found.Missing = l.weigh(wanted)
	found.Respelt = l.respelt(query, wanted, found.Missing)
	wanted = l.replace(wanted, found.Respelt)
	literal := l.exacts(query, found.Documents)
	list := l.propose(wanted)
	if loose := characters(wanted, found.Missing); len(list) == 0 && len(loose) > 0 {
		wanted = append(wanted, loose...)
		l.weigh(loose)
		list = l.propose(loose)
	}
	list = list[:min(len(list), closerLook)]
	for i := range list {
		list[i].compare(wanted)
		list[i].score *= 1 + byExact*exactShare(literal, list[i].file)
	}
	isFound := func(e exact) bool { return len(e.weight) > 0 }
	onlyLiteral := isLiteral(query) && slices.ContainsFunc(literal, isFound)
	list = slices.DeleteFunc(list, func(c candidate) bool {
		return (onlyLiteral || max(c.words, c.held) < leastShare) && exactShare(literal, c.file) == 0
	})
	sortByScore(list)
	for _, e := range literal {
		if !e.silent {
			found.Exact = append(found.Exact, e.Exact)
		}
	}
	isNear := func(c candidate) bool { return c.held >= nearShare }
	near := slices.ContainsFunc(list[:min(len(list), limit)], isNear)
	if found.Far = !near && len(found.Missing) > 0 && len(list) > 0; found.Far {
		limit = min(limit, mostFar)
	}
	found.Hits = hitsFrom(list, wanted, limit)
	return found
}

// apart counts the documents that are in another language than a query: those without Chinese, or those in
// Chinese, with no more than a few English words.
func (l *lookup) apart(inChinese bool) int {
	const texts = "SELECT count(*) FROM file WHERE skipped = '' AND type <> 'code' AND lead <> '' AND "
	chinese := "*" + strings.Repeat("[一-鿿]", 4) + "*"
	if inChinese {
		inCells := strings.Repeat("*[一-鿿][一-鿿]", 3) + "*" // as in a timetable
		return l.number(texts+"title || lead NOT GLOB ? AND title || lead NOT GLOB ?", chinese, inCells)
	}
	english := "*" + strings.Repeat("[a-z] [a-z]*", 3)
	return l.number(texts+"title || lead GLOB ? AND lead NOT GLOB ?", chinese, english)
}

// sortByScore puts the best first, and equal ones by address: the order in which files were indexed varies.
func sortByScore(list []candidate) {
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.url, b.url))
	})
}

// holding counts the passages that match.
const holding = "SELECT count(*) FROM passage_text WHERE passage_text MATCH ?"

// weigh sets the weight of each term, by how many passages hold it, and returns the words that none holds.
func (l *lookup) weigh(wanted []words.Term) (missing []string) {
	passages := float64(l.number("SELECT count(*) FROM passage"))
	known := map[int]bool{} // places of dense characters in pairs that some document holds
	held := make([]float64, len(wanted))
	for i, t := range wanted {
		held[i] = float64(l.number(holding, quoted(t)))
		wanted[i].IDF = math.Log(1 + (passages-held[i]+0.5)/(held[i]+0.5))
		if t.Dense && held[i] > 0 {
			known[t.Place], known[t.Place+1] = true, true
		}
	}
	last := -2 // the place of the last dense character that is missing
	for i, t := range wanted {
		switch {
		case held[i] > 0:
		case !t.Dense:
			if !l.isBeginning(t.Text) {
				missing = append(missing, t.Text)
			}
		case known[t.Place] || known[t.Place+1]:
			wanted[i].IDF = 0 // the end of one word and the beginning of the next
			missing = append(missing, shortRun(wanted, t)...)
		case t.Place == last: // 冰川 after 高冰
			_, size := utf8.DecodeLastRuneInString(t.Text)
			missing[len(missing)-1] += t.Text[len(t.Text)-size:]
			last = t.Place + 1
		default:
			missing = append(missing, t.Text)
			last = t.Place + 1
		}
	}
	return missing
}

// best selects the best passages of each document, the best first. The inner LIMIT keeps SQLite from moving
// bm25 to where it cannot be computed.
const best = `SELECT file, url, type, title, language, lead, score, is_list, headings, row, text, line FROM (
		SELECT passage.id AS at, score, row_number() OVER (PARTITION BY file ORDER BY score, passage.id) AS place FROM (
			SELECT rowid, bm25(passage_text, 3, 2, 2, 1) AS score
			FROM passage_text WHERE passage_text MATCH ? LIMIT -1
		) AS every JOIN passage ON passage.id = every.rowid
	) JOIN passage ON passage.id = at JOIN file ON file.id = passage.file
	WHERE place <= ? ORDER BY score, url, at LIMIT ?`

// propose returns documents ordered by the BM25 of their best passage, and a little by that of the others.
func (l *lookup) propose(wanted []words.Term) (list []candidate) {
	byFile := map[int64]int{}
	var c candidate
	var p candidatePassage
	l.each(func() {
		p.score = -p.score // SQLite gives the best match the lowest number
		if p.isList {
			p.score *= listShare
		}
		i, known := byFile[c.file]
		if !known {
			i, byFile[c.file] = len(list), len(list)
			c.untranslated = untranslated(c.url, c.language)
			list = append(list, c)
		}
		list[i].best = append(list[i].best, p)
	}, []any{&c.file, &c.url, &c.kind, &c.title, &c.language, &c.lead, &p.score, &p.isList, &p.path, &p.row,
		&p.text, &p.line}, best, expression(wanted), perDocument, candidates)
	for i := range list {
		list[i].sum()
	}
	sortByScore(list)
	return list
}

// sum orders the passages of a candidate and adds up their scores.
func (c *candidate) sum() {
	slices.SortStableFunc(c.best, func(a, b candidatePassage) int { return cmp.Compare(b.score, a.score) })
	c.score = 0
	weight := 1.0
	for i, p := range c.best {
		c.score += p.score * weight
		if weight /= 2; i == 0 {
			weight = nextPassage
		}
	}
}

// compare weighs a candidate's score by how much of the query it answers, and where. To bm25 a rare word
// often repeated is as good as all words once; to the user it is not.
func (c *candidate) compare(wanted []words.Term) {
	title := words.Sightings(c.title+" "+nameWords(c.url), wanted)
	lead := words.Sightings(words.Plain(c.lead), wanted)
	all := union(title, lead)
	for i := range c.best {
		p := &c.best[i]
		headings := words.Sightings(p.path+" "+p.row, wanted)
		text := words.Sightings(words.Plain(p.text), wanted)
		all = union(all, headings, text)
		p.held = words.Share(union(title, headings, text), wanted)
		p.score *= 1 + words.Share(title, wanted) + words.Share(headings, wanted) + words.Share(text, wanted)
	}
	c.sum()
	// the end of one word and the beginning of the next
	isPart := func(t words.Term) bool { return t.IDF == 0 }
	asked := len(slices.DeleteFunc(slices.Clone(wanted), isPart))
	c.words, c.held = float64(len(all))/float64(max(1, asked)), words.Share(all, wanted)
	c.score *= 1 + byLead*words.Share(lead, wanted)
}

// union returns what was seen in any of the texts.
func union(seen ...map[int]int) map[int]int {
	all := map[int]int{}
	for _, s := range seen {
		maps.Copy(all, s)
	}
	return all
}

// expression returns a query of SQLite's FTS5 for any of the terms. Each is a quoted string of letters and
// digits, so that nothing in a query can act as syntax.
func expression(list []words.Term) string {
	asked := make([]string, len(list))
	for i, t := range list {
		asked[i] = quoted(t)
	}
	return strings.Join(asked, " OR ")
}

// quoted returns the query for one term, with each form of an irregular word. A single dense character is
// looked for as the beginning of any pair.
func quoted(t words.Term) string {
	if t.Dense && utf8.RuneCountInString(t.Text) == 1 {
		return `"` + t.Text + `"*`
	}
	return `"` + strings.Join(prose.Forms(t.Text), `" OR "`) + `"`
}

package search

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

const (
	// candidates is how many passages bm25 proposes, and closerLook how many of their documents are compared by what
	// they say, or as many as the caller wants hits if that is more. What comes later is no answer.
	candidates, closerLook, maxHits = 500, 25, 50
	// nextPassage is the share of a document's second best passage in its score; the third counts half of that, and so on.
	nextPassage = 0.4
	// listShare is what is left of the score of a list of links: it names what is looked for and does not say it.
	listShare = 0.3
)

// candidate is a document among the results.
type candidate struct {
	file    int64
	passage int64 // its best
	score   float64
	share   float64 // what its next passage adds
	hit     Hit
}

// Search finds the documents that best answer query, a question or a few words in any language. Words are looked for in
// all their English forms and in any order, and a page need not hold all of them; pages that hold more of them, closer
// together, in a title or a heading, come first. Each hit is one document, described by its best passage.
//
// A query without any letter or digit is an error. A limit of 0 or less means 10; at most 50 documents are found.
func (d *Documents) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	if limit <= 0 {
		limit = defaultLimit
	}
	wanted := terms(query)
	if len(wanted) == 0 {
		return nil, errors.New("searching documents: the query holds no word to look for")
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	limit = min(limit, maxHits)
	found, err := search(ctx, d.db.read, wanted, max(limit, closerLook))
	if err != nil {
		return nil, fmt.Errorf("searching documents: %w", d.noteDamage(err))
	}
	hits := make([]Hit, 0, min(len(found), limit))
	for _, c := range found[:min(len(found), limit)] {
		hits = append(hits, c.hit)
	}
	return hits, nil
}

func search(ctx context.Context, db *sql.DB, wanted []term, most int) ([]candidate, error) {
	// One transaction, so that a Refresh between two statements cannot take a document away.
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // nothing was written
	found, err := propose(ctx, tx, wanted, most)
	if pieces := apart(wanted); err == nil && len(found) == 0 && len(pieces) > len(wanted) {
		wanted = pieces
		found, err = propose(ctx, tx, wanted, most)
	}
	if err != nil {
		return nil, err
	}
	found = found[:min(len(found), most)]
	for i := range found {
		if err := found[i].compare(ctx, tx, wanted); err != nil {
			return nil, err
		}
	}
	sortByScore(found)
	return found, nil
}

func sortByScore(list []candidate) {
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
}

const (
	bestPassages = `SELECT passage.file, best.id, best.score, passage.is_list FROM (
			SELECT rowid AS id, bm25(passage_text, 3, 1, 0.5, 1) AS score FROM passage_text WHERE passage_text MATCH ?
			ORDER BY score LIMIT ?
		) AS best JOIN passage ON passage.id = best.id ORDER BY best.score, best.id`

	// bestOfOthers is about the documents outside of a JSON list, and takes at most four passages of each, so that none can hide
	// another. The lower LIMIT keeps SQLite from moving bm25 to where it can not be computed.
	bestOfOthers = `SELECT file, id, score, is_list FROM (
			SELECT file, every.id AS id, score, is_list, row_number() OVER (PARTITION BY file ORDER BY score) AS place FROM (
				SELECT rowid AS id, bm25(passage_text, 3, 1, 0.5, 1) AS score FROM passage_text WHERE passage_text MATCH ?
				AND rowid NOT IN (SELECT id FROM passage WHERE file IN (SELECT value FROM json_each(?))) LIMIT -1
			) AS every JOIN passage ON passage.id = every.id
		) WHERE place <= 4 ORDER BY score, id LIMIT ?`
)

// propose orders documents by the bm25 of their best passage, and a little by that of the others. A single long document,
// such as a log, may fill the list of passages; only then those that it keeps out are asked for, since to count the
// passages of each document costs as much again as the search.
func propose(ctx context.Context, tx *sql.Tx, wanted []term, most int) ([]candidate, error) {
	var list proposals
	query := expression(wanted)
	full, err := list.take(ctx, tx, bestPassages, query, candidates)
	if err == nil && full && len(list) < most {
		_, err = list.take(ctx, tx, bestOfOthers, query, list.files(), candidates)
	}
	sortByScore(list)
	return list, err
}

// proposals are the documents of the passages that were found, each once.
type proposals []candidate

// take adds what a query finds, and says whether it found as many passages as it may.
func (p *proposals) take(ctx context.Context, tx *sql.Tx, query string, args ...any) (full bool, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	passages := 0
	byFile := map[int64]int{}
	for ; rows.Next(); passages++ {
		c := candidate{share: nextPassage}
		var isList bool
		if err := rows.Scan(&c.file, &c.passage, &c.score, &isList); err != nil {
			return false, err
		}
		c.score = -c.score // SQLite gives the best match the lowest number
		if isList {
			c.score *= listShare
		}
		i, known := byFile[c.file]
		if !known {
			byFile[c.file] = len(*p)
			*p = append(*p, c)
			continue
		}
		first := &(*p)[i]
		first.score += c.score * first.share
		first.share /= 2
	}
	return passages == candidates, rows.Err()
}

// files lists the documents as JSON, for a query.
func (p proposals) files() string {
	var b strings.Builder
	for i, c := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(&b, c.file)
	}
	return "[" + b.String() + "]"
}

// compare describes a candidate and weighs its score by how much of the query it answers. To bm25 a rare word often
// repeated is as good as all words once; to the person who asked it is not, least of all in the title.
func (c *candidate) compare(ctx context.Context, tx *sql.Tx, wanted []term) error {
	var url, page, heading, text string
	err := tx.QueryRowContext(ctx, `SELECT url, title, heading, text
		FROM passage JOIN file ON file.id = passage.file JOIN page ON page.id = passage.file WHERE passage.id = ?`, c.passage).
		Scan(&url, &page, &heading, &text)
	if err != nil {
		return err
	}
	v := look(text, heading, wanted)
	c.hit = Hit{Title: title(page, v.heading), URL: url, Snippet: v.snippet, Provider: "documents"}
	inTitle := sightings(c.hit.Title, wanted)
	c.score *= 1 + share(inTitle, wanted) + share(append(v.seen, inTitle...), wanted)
	return nil
}

// share is the part of the wanted terms that was seen.
func share(seen []sighting, wanted []term) float64 {
	distinct := map[int]bool{}
	for _, s := range seen {
		distinct[s.term] = true
	}
	return float64(len(distinct)) / float64(len(wanted))
}

// title adds the heading under which the snippet stands, unless it says the same as the title.
func title(page, heading string) string {
	page, heading = spaced(page), spaced(heading)
	if heading == "" || strings.Contains(strings.ToLower(page), strings.ToLower(heading)) {
		return page
	}
	if strings.Contains(strings.ToLower(heading), strings.ToLower(page)) {
		return heading
	}
	return page + " — " + heading
}

CREATE TABLE file (
	id      INTEGER PRIMARY KEY,
	path    TEXT NOT NULL UNIQUE, -- absolute
	url     TEXT NOT NULL,
	stamp   TEXT NOT NULL,        -- what stat said when the file was read
	skipped TEXT NOT NULL,        -- why it is not indexed, or ''
	title TEXT NOT NULL, author TEXT NOT NULL, published TEXT NOT NULL, type TEXT NOT NULL, language TEXT NOT NULL,
	lead    TEXT NOT NULL         -- its first passage, which says what it is about
);
CREATE INDEX file_url ON file (url);
-- In the order of id, the passages of a file are its Markdown, to the byte.
CREATE TABLE passage (
	id      INTEGER PRIMARY KEY, -- also the rowid in passage_text
	file    INTEGER NOT NULL REFERENCES file,
	headings TEXT NOT NULL,      -- those in force where the passage begins, a line each
	line    INTEGER NOT NULL,    -- of the Markdown, from 1, on which it begins
	row     TEXT NOT NULL,       -- of a row of a table: the table's head
	is_list INTEGER NOT NULL,    -- 1 for a list of links
	text    TEXT NOT NULL
);
CREATE INDEX passage_file ON passage (file);
CREATE VIRTUAL TABLE passage_text USING fts5 (
	title, headings, name, body,
	content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE indexed_term USING fts5vocab(passage_text, row); -- as stems
-- Documents that came or changed since the last search.
CREATE TABLE IF NOT EXISTS unsearched (path TEXT PRIMARY KEY);
CREATE TRIGGER file_goes AFTER DELETE ON file BEGIN
	DELETE FROM passage_text WHERE rowid IN (SELECT id FROM passage WHERE file = old.id);
	DELETE FROM passage WHERE file = old.id;
END;

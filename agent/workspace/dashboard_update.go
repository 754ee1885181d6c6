package workspace

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// AmendSections is the program's own way to change sections of a dashboard: each is rebuilt from its current
// text. What a person or the agent wrote elsewhere stays. If a person's lines are lost, the previous
// dashboard is kept in the trash.
func (w *Workspace) AmendSections(d Dashboard, change map[string]func(body string) string) (err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.bringBackBoard(&d); err != nil {
		return err
	}
	// Built from the present text, it may be repeated and need not be the same write
	delete(w.pending, d.File)
	_, err = w.put(d.File, func(_ string, old []byte, _ bool) ([]byte, error) {
		text := string(old)
		for _, id := range d.Sections {
			remake, wanted := change[id]
			if !wanted {
				continue
			}
			body, ok := d.Body(text, id)
			if !ok {
				return nil, d.Check(text)
			}
			made := remake(body)
			if made == remake("") { // it ignores the present text, and would drop a person's words
				made += w.untold(d, id, body, made)
			}
			text, _ = d.withSection(text, id, made)
		}
		return []byte(text), nil
	})
	return err
}

// Dashboards reads both dashboards as [Workspace.Dashboard] does.
func (w *Workspace) Dashboards() (overall, current string, err error) {
	if overall, err = w.Dashboard(Overall); err == nil {
		current, err = w.Dashboard(Current)
	}
	return overall, current, err
}

// UpdateSections replaces sections of a dashboard, or with "" all of it, with the agent's texts: all of them
// or none, after checking them. The sections that are not the agent's stay as they are. What a person changed
// meanwhile is merged, or causes a ConflictError. What they changed before and the agent saw may be replaced;
// it is then kept in the trash, whose path is returned.
func (w *Workspace) UpdateSections(d Dashboard, texts map[string]string) (kept string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.bringBackBoard(&d); err != nil {
		return "", err
	}
	return w.put(d.File, func(_ string, old []byte, exists bool) ([]byte, error) {
		return w.remadeDashboard(d, texts, old, exists)
	})
}

// oneSection puts a section's new text into the current dashboard, so that a person's edits elsewhere in it
// stay; most bounds the whole. It fails if a person changed the section itself and the agent has not seen it.
func (w *Workspace) oneSection(d Dashboard, old []byte, most int, section, text string) ([]byte, error) {
	if s, known := w.seen[d.File]; known && s.hash != store.Hash(old) {
		before, _ := w.seenText(d.File)
		was, _ := d.Body(before, section)
		if is, _ := d.Body(string(old), section); is != was {
			return nil, w.conflict(d.File, old, &markdown.Clash{Base: was, Theirs: is, Ours: text})
		}
	}
	if section == answersID {
		text = d.answeredAlone(string(old), text)
	}
	whole, ok := d.withSection(d.withOptional(string(old), section), section, text)
	if !ok {
		return nil, d.Check(string(old))
	}
	return []byte(whole), d.check(whole, most)
}

func (w *Workspace) remadeDashboard(d Dashboard, texts map[string]string, old []byte,
	exists bool) ([]byte, error) {
	if whole, ok := texts[""]; ok {
		return w.wholeDashboard(d, old, exists, whole)
	}
	most := d.most(string(old))
	grows := func(section string) int {
		before, _ := d.Body(string(old), d.ID(section, string(old)))
		return len(texts[section]) - len(before)
	}
	// Sections that shrink go first and make room for those that grow
	inOrder := slices.SortedFunc(maps.Keys(texts), func(a, b string) int {
		return cmp.Or(grows(a)-grows(b), strings.Compare(a, b))
	})
	for _, named := range inOrder {
		section := d.ID(named, string(old))
		if err := d.writable(section); err != nil {
			return nil, err
		}
		made, err := w.oneSection(d, old, most, section, withoutHeading(old, section, texts[named]))
		if err != nil {
			return nil, err
		}
		old = made
	}
	return old, nil
}

// Dashboard reads a dashboard and checks it. The agent is shown the text, and so has seen it, unless it saw
// another text before: then the difference has yet to be reported.
func (w *Workspace) Dashboard(d Dashboard) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	data, exists, err := w.load(d.File)
	if err == nil && !exists {
		data, exists, err = w.broughtBack(d.File)
	}
	if err != nil {
		return "", err
	}
	if !exists {
		return "", fmt.Errorf("%s is missing; put it back, or remove the other dashboard too to begin anew", d.File)
	}
	if err := d.check(string(data), MaxDashboard+programsRoom); err != nil {
		return "", err
	}
	if _, known := w.seen[d.File]; !known {
		err = w.markSeen(d.File, data)
	}
	return string(data), err
}

// bringBackBoard restores a missing dashboard before it is changed, and sets d.File to the file's real name.
func (w *Workspace) bringBackBoard(d *Dashboard) (err error) {
	if d.File, err = w.fs.Real(d.File); err != nil {
		return err
	}
	return w.bringBack(d.File)
}

// untold returns the lines that a person wrote into a section since the agent saw it and that the program's
// text lacks, to be kept below that text.
func (w *Workspace) untold(d Dashboard, id, body, made string) string {
	before, ok := w.seenText(d.File)
	if !ok {
		return ""
	}
	was, _ := d.Body(before, id)
	known := append(strings.Split(was, "\n"), strings.Split(made, "\n")...)
	theirs := slices.DeleteFunc(strings.Split(body, "\n"), func(line string) bool {
		return strings.TrimSpace(line) == "" || slices.Contains(known, line)
	})
	if len(theirs) == 0 {
		return ""
	}
	return "\n\n" + strings.Join(theirs, "\n")
}

func (w *Workspace) wholeDashboard(d Dashboard, old []byte, exists bool, text string) ([]byte, error) {
	text = d.withKept(d.withIDs(text, string(old)), string(old))
	if slices.Contains(d.Sections, answersID) {
		text = d.withAnswers(text, string(old))
	}
	if err := d.check(text, d.most(string(old))); err != nil {
		if len(d.missing(counted(text))) > 0 {
			err = fmt.Errorf("%w. Or update one section: give section, and in text its body alone", err)
		}
		return nil, err
	}
	data, err := w.merge(d.File, old, exists, []byte(text))
	if err != nil {
		return nil, err
	}
	return data, d.check(string(data), d.most(string(old)))
}

package history

import "github.com/daybook-agent/daybook/agent/workspace/store"

// Record is the journal of a workspace with an index, for running a research again. It holds where each entry
// stands and not what it says: about a hundred bytes an entry.
type Record struct {
	fsys   store.Folder
	keys   []string
	places []store.Span
	byHash map[string]store.Span // an entry that holds the text
	paths  map[string]string
	Damage store.Damage
}

// Record reads the history with an index. What is appended later is not in it.
func (h History) Record() (*Record, error) {
	fsys := h.fsys
	if err := h.Exists(); err != nil {
		return nil, err
	}
	r := &Record{fsys: fsys, byHash: map[string]store.Span{}, paths: map[string]string{}}
	s := story{fsys: fsys, last: map[string]version{}}
	read, err := fsys.ReadLog(0, func(e store.Entry, at store.Span) {
		r.keys, r.places = append(r.keys, e.Key), append(r.places, at)
		f, ok := e.File()
		if !ok {
			return
		}
		if s.follow(f, at); f.OnRecord {
			r.byHash[f.To] = at
		}
	})
	r.Damage = read.Damage()
	for p, v := range s.last {
		r.paths[p] = v.hash
	}
	return r, err
}

// Len is how many entries there are.
func (r *Record) Len() int { return len(r.keys) }

// Key is the key of an entry, from 0.
func (r *Record) Key(i int) string { return r.keys[i] }

// Entry reads an entry.
func (r *Record) Entry(i int) (store.Entry, error) { return r.fsys.EntryAt(r.places[i]) }

// Last is the hash of a file's last text on record, "" when it was deleted, and whether there is any record
// of the file.
func (r *Record) Last(p string) (hash string, known bool) {
	hash, known = r.paths[p]
	return hash, known
}

// Text finds the text of a file by its hash: in the journal, in the file as it stands, or in the trash.
func (r *Record) Text(p, sum string) (string, bool) {
	if at, ok := r.byHash[sum]; ok {
		if e, err := r.fsys.FileAt(at); err == nil {
			return e.Text, true
		}
	}
	return aside(r.fsys, p, sum)
}

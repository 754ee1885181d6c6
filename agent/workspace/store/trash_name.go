package store

import (
	"fmt"
	"path"
	"strings"
)

// TrashDir keeps what was deleted or replaced.
const TrashDir = StateDir + "/trash"

// TrashOf makes one name of hash and path. Where that is too long for a name, the path stays one, in a folder
// of its own.
func TrashOf(p, hash string) string {
	mark := hash[:12] + "-"
	if name := mark + strings.NewReplacer("%", "%25", "/", "%2F").Replace(p); len(name) <= MaxName {
		return path.Join(TrashDir, name)
	}
	return path.Join(TrashDir, mark, p)
}

// FromTrash is the path of the file whose text stands at a place in the trash.
func FromTrash(kept string) (p string, err error) {
	name, found := strings.CutPrefix(kept, TrashDir+"/")
	mark, rest, marked := strings.Cut(name, "-")
	if p, nested := strings.CutPrefix(rest, "/"); nested {
		rest = p
	} else {
		marked = marked && !strings.Contains(rest, "/")
		rest = strings.NewReplacer("%2F", "/", "%25", "%").Replace(rest)
	}
	if p, err = Readable(rest); err != nil || !found || !marked || strings.Contains(mark, "/") || path.Clean(kept) != kept {
		return "", fmt.Errorf("%s is not a text in %s", Shown(kept), TrashDir)
	}
	return p, nil
}

package store

import (
	"path"
	"strings"
)

// TrashDir keeps what was deleted or replaced.
const TrashDir = StateDir + "/trash"

// TrashOf makes one name of hash and path. Where that is too long for a name, the path stays one, in a folder
// of its own.
func TrashOf(p, hash string) string {
	mark := hash[:12] + "-"
	if name := mark + strings.NewReplacer("%", "%25", "/", "%2F").Replace(p); len(name) <= maxName {
		return path.Join(TrashDir, name)
	}
	return path.Join(TrashDir, mark, p)
}

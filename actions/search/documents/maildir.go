package documents

import (
	"os"
	"path/filepath"
)

// mailType is the media type of a single message.
const mailType = "message/rfc822"

// inMaildir reports whether a file is a message of a Maildir, whose names have no ending that tells: it is in
// one of the folders cur and new, which have each other and tmp beside them.
func inMaildir(file string) bool {
	folder := filepath.Dir(file)
	if name := filepath.Base(folder); name != "cur" && name != "new" {
		return false
	}
	for _, name := range []string{"cur", "new", "tmp"} {
		info, err := os.Stat(filepath.Join(filepath.Dir(folder), name))
		if err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

package export

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// ErrNoPandoc says that no pandoc was found to make a Word document with.
var ErrNoPandoc = errors.New("making a Word document needs pandoc 2.15 or newer, and none was found")

// FindPandoc finds the pandoc that [Docx] uses.
func FindPandoc() (path string, err error) {
	if path, err = exec.LookPath("pandoc"); err != nil {
		return "", ErrNoPandoc
	}
	return path, nil
}

// maxConvert is how long pandoc may take; it took 14 s for a report of 200,000 words.
const maxConvert = 2 * time.Minute

// Docx makes a Word document of a report with the pandoc on the path. It gets our page, in which there is
// nothing to fetch, so that what is kept out of that is kept out of this.
func Docx(ctx context.Context, r Report) ([]byte, error) {
	pandoc, err := FindPandoc()
	if err != nil {
		return nil, err
	}
	page, err := render(ctx, r, "", false)
	if err != nil {
		return nil, err
	}
	convert := []string{"--from=html", "--to=docx", "--output=-", "+RTS", "-M1g", "-RTS"}
	docx, err := run(ctx, maxConvert, page, pandoc, append([]string{"--sandbox"}, convert...)...)
	if err != nil && strings.Contains(err.Error(), "data file") {
		// The pandoc of Debian and its kin cannot read its own files in its sandbox.
		docx, err = run(ctx, maxConvert, page, pandoc, convert...)
	}
	if err != nil {
		return nil, fmt.Errorf("converting with %s: %w", pandoc, err)
	}
	if !strings.HasPrefix(string(docx), "PK") {
		return nil, fmt.Errorf("converting with %s: it made no Word document", pandoc)
	}
	return docx, nil
}

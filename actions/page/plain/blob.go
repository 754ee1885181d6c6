package plain

import (
	"fmt"
	"regexp"
	"strings"
)

const (
	// blobWord is how many bytes without a blank are data: a picture in base64, a minified program.
	blobWord = 4 << 10
	// blobLines is the same for data set in lines, as mail has it; its lines have blobWidth bytes at least.
	blobLines = 16 << 10
	blobWidth = 60
)

var blobs = regexp.MustCompile(`[A-Za-z0-9+/=_%-]+(?:\n[A-Za-z0-9+/=_%-]+)*`)

// WithoutBlobs puts the size of data in the place of the data, which nobody reads and a model pays for.
func WithoutBlobs(s string) string {
	if len(s) < blobWord {
		return s
	}
	return blobs.ReplaceAllStringFunc(s, func(run string) string {
		if len(run) < blobWord {
			return run
		}
		lines := strings.Split(run, "\n")
		if len(run) >= blobLines && len(run)/len(lines) >= blobWidth {
			return sizeOfBlob(run)
		}
		for i, line := range lines {
			if len(line) >= blobWord {
				lines[i] = sizeOfBlob(line)
			}
		}
		return strings.Join(lines, "\n")
	})
}

func sizeOfBlob(data string) string { return "[" + Size(int64(len(data))) + " of data left out]" }

// Size rounds up, so that a page a little above the limit never reads as having just the limit.
func Size(n int64) string {
	const mega, kilo = 1 << 20, 1 << 10
	if n < mega {
		return fmt.Sprintf("%d KB", (n+kilo-1)/kilo)
	}
	if n%mega == 0 || n > 100*mega {
		return fmt.Sprintf("%d MB", n/mega)
	}
	return fmt.Sprintf("%.1f MB", float64(n+mega/20)/mega)
}

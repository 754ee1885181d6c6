package page

import "strings"

const (
	// blobWord is how many bytes without a blank or line end are data and no word: a picture in base64, a
	// key, a minified program.
	blobWord = 4 << 10
	// blobLines is the same for data set in lines, as mail has it; its lines have blobWidth bytes at least.
	blobLines = 16 << 10
	blobWidth = 60
)

// withoutBlobs puts the size of data in the place of the data, which nobody reads and a model pays for.
func withoutBlobs(s string) string {
	if len(s) < blobWord {
		return s
	}
	var b strings.Builder
	kept := 0
	leaveOut := func(from, to int) {
		b.WriteString(s[kept:from])
		b.WriteString("[" + megabytes(int64(to-from)) + " of data left out]")
		kept = to
	}
	for at := 0; at < len(s); {
		end, lines := blobEnd(s, at)
		switch size := end - at; {
		case size < blobWord:
		case size >= blobLines && size/lines >= blobWidth:
			leaveOut(at, end)
		default: // a line of it may be data
			for line := range strings.SplitSeq(s[at:end], "\n") {
				if len(line) >= blobWord {
					leaveOut(at, at+len(line))
				}
				at += len(line) + 1
			}
		}
		at = max(end, at) + 1
	}
	if kept == 0 {
		return s
	}
	b.WriteString(s[kept:])
	return b.String()
}

// blobEnd is where a run of characters of data ends that begins at a place, and how many lines it has.
func blobEnd(s string, at int) (end, lines int) {
	lines = 1
	for end = at; end < len(s); end++ {
		if s[end] == '\n' && end > at && end+1 < len(s) && isBlobByte(s[end+1]) {
			lines++
		} else if !isBlobByte(s[end]) {
			break
		}
	}
	return end, lines
}

func isBlobByte(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '=' || c == '-' || c == '_' || c == '%'
}

package markdown

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Clash is the first place where two changes of one text touch the same lines.
type Clash struct{ Base, Theirs, Ours string }

// Merge3 merges two texts that were made from the same base, by lines. If both inserted text at one place,
// both are kept, theirs first. If both changed the same lines, or one inserted text into lines that the other
// replaced, it returns a clash and no text. It never writes marks such as "<<<<<<<". The byte order mark, the
// line ends and a missing last one are theirs.
func Merge3(base, theirs, ours string) (string, *Clash, error) {
	b := closed(plain(base))
	x, y := udiff.Lines(b, closed(plain(theirs))), udiff.Lines(b, closed(plain(ours)))
	if c := firstClash(b, x, y); c != nil {
		return "", c, nil
	}
	edits, ok := udiff.Merge(x, y)
	if !ok {
		return "", &Clash{}, nil
	}
	both, err := udiff.Apply(b, edits)
	if err != nil {
		return "", nil, fmt.Errorf("merging: %w", err)
	}
	return Opened(theirs, dressed(theirs, both)), nil, nil
}

// firstClash also refuses lines inserted into a passage that the other side replaced.
func firstClash(base string, x, y []udiff.Edit) *Clash {
	for i, j := 0, 0; i < len(x) && j < len(y); {
		if x[i] != y[j] && x[i].Start < y[j].End && y[j].Start < x[i].End {
			from, to := around(x[i], x, y)
			return &Clash{base[from:to], within(base, x, from, to), within(base, y, from, to)}
		}
		if x[i].End <= y[j].End {
			i++
		} else {
			j++
		}
	}
	return nil
}

// around returns the passage that an edit and all that overlap with it touch.
func around(first udiff.Edit, sides ...[]udiff.Edit) (from, to int) {
	from, to = first.Start, first.End
	for grown := true; grown; {
		grown = false
		for _, edits := range sides {
			for _, e := range edits {
				if e.Start < to && from < e.End && (e.Start < from || e.End > to) {
					from, to, grown = min(from, e.Start), max(to, e.End), true
				}
			}
		}
	}
	return from, to
}

// within returns a passage with the edits inside it applied.
func within(base string, edits []udiff.Edit, from, to int) string {
	var out strings.Builder
	at := from
	for _, e := range edits {
		if e.Start >= from && e.End <= to {
			out.WriteString(base[at:e.Start])
			out.WriteString(e.New)
			at = e.End
		}
	}
	out.WriteString(base[at:to])
	return out.String()
}

// Missing returns a text with those words of with inserted that now lacks.
func Missing(text, with, now string) (string, error) {
	base := plain(text)
	spare := over(base, plain(now)) // lines that were added since
	edits := udiff.Lines(closed(base), closed(plain(with)))
	kept := edits[:0]
	for _, e := range edits {
		var out strings.Builder
		for line := range strings.Lines(e.New) {
			if spare[line]--; spare[line] < 0 && strings.TrimSpace(line) != "" {
				out.WriteString(line)
			}
		}
		if out.Len() > 0 {
			kept = append(kept, udiff.Edit{Start: e.Start, End: e.Start, New: out.String()})
		}
	}
	if len(kept) == 0 {
		return text, nil
	}
	return udiff.Apply(closed(base), kept)
}

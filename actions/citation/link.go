package citation

import (
	"bytes"
	"strings"
)

// pairs finds for each opening bracket, round or square, the one that closes it.
func pairs(raw []byte) map[int]int {
	found := map[int]int{}
	var square, round []int
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '[':
			square = append(square, i)
		case '(':
			round = append(round, i)
		case ']':
			square = closePair(found, square, i)
		case ')':
			round = closePair(found, round, i)
		}
	}
	return found
}

func closePair(found map[int]int, open []int, at int) []int {
	if len(open) == 0 {
		return open
	}
	found[open[len(open)-1]] = at
	return open[:len(open)-1]
}

// target is where the link whose text ends with the ] at close ends, and where it leads.
func (e *eraser) target(close int) (to []byte, end int, ok bool) {
	if close+1 >= len(e.raw) || e.raw[close+1] != '(' {
		return nil, 0, false
	}
	last, ok := e.pairs[close+1]
	if !ok {
		return nil, 0, false
	}
	to = bytes.TrimSpace(e.raw[close+2 : last])
	if i := bytes.IndexAny(to, " \t\n"); i >= 0 && !bytes.HasPrefix(to, []byte("<")) {
		if title := bytes.TrimSpace(to[i:])[0]; title != '"' && title != '\'' && title != '(' {
			return nil, 0, false // words in brackets, which go nowhere
		}
	}
	return to, last + 1, true
}

// image leaves out a picture with all that is said of it.
func (e *eraser) image() bool {
	if e.i+1 >= len(e.raw) || e.raw[e.i+1] != '[' {
		return false
	}
	if close, ok := e.pairs[e.i+1]; ok {
		if _, end, ok := e.target(close); ok {
			e.i = end
			return true
		}
	}
	return false
}

// link leaves out what a link leads to and keeps its text, but not that of a note's mark.
func (e *eraser) link() bool {
	close, ok := e.pairs[e.i]
	if !ok {
		return false
	}
	content := e.raw[e.i+1 : close]
	if bytes.HasPrefix(content, []byte("^")) {
		e.i = close + 1
		return true
	}
	cites := isCitation(string(content))
	if to, end, ok := e.target(close); ok {
		switch {
		case cites:
			e.copy(close + 1 - e.i)
			e.i = end
		case isNoteMark(string(content)) && bytes.Contains(to, []byte("#")):
			e.i = end
		default:
			e.i++
			e.linkEnds[close] = end
		}
		return true
	}
	if second, ok := e.pairs[close+1]; ok && e.raw[close+1] == '[' && second >= close+2 && !cites &&
		!isCitation(string(e.raw[close+2:second])) && !isNoteMark(string(content)) {
		e.i++
		e.linkEnds[close] = second + 1
		return true
	}
	return false
}

func (e *eraser) linkEnd() bool {
	end, ok := e.linkEnds[e.i]
	if ok {
		e.i = end
	}
	return ok
}

// isNoteMark says whether a link's text is only the mark of a note, such as 12 or \[3\] or note 4.
func isNoteMark(text string) bool {
	const longest = 12
	if len(text) > longest {
		return false
	}
	text = strings.TrimPrefix(strings.TrimPrefix(strings.Trim(text, `\[] `), "note"), "注")
	text = strings.Trim(text, " ")
	return text == "↑" || len(text) == 1 || text != "" && strings.Trim(text, "0123456789") == ""
}

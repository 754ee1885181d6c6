package agent

import (
	"slices"
	"strings"
)

// Trace is what is kept of a call to see whether an agent goes in circles: hashes, and no text but the action's name.
type Trace struct {
	Action string `json:"action"`
	Step   int    `json:"step"`
	Args   uint64 `json:"args,string"` // the action and its arguments
	// Same is of the action, the arguments and the result. The first numbers of the result are left out, which may be a time or
	// a count; a table has more of them, and those tell its pages apart.
	Same uint64 `json:"same,string"`
	// Like is of the same with all numbers of the arguments left out, in the arguments and in the result: what a call has in
	// common with others that count something up and get nowhere. It is 0 for a call without numbers, and for one that failed:
	// a page that does not answer says nothing of the next. Agent.Progress is in it too: rows of figures are written by such calls.
	Like   uint64 `json:"like,string,omitempty"`
	Failed bool   `json:"failed,omitempty"`
	Warned bool   `json:"warned,omitempty"` // its result said that it was a repetition
}

const (
	leadingNumbers = 16 // of a result, that are left out of Same
	maxTraceName   = 64 // bytes: a Brain may ask for an action of any name
)

// asked is the trace of a call that is yet to be carried out.
func asked(c Call, step int) Trace {
	name := strings.ToValidUTF8(c.Name[:min(len(c.Name), maxTraceName)], "")
	return Trace{Action: name, Step: step, Args: foldCall(c, nil)}
}

// answered completes the trace of a call with its result, and what had come of the work before it.
func (t Trace) answered(c Call, result recorded, progress int) Trace {
	left := leadingNumbers
	t.Failed = result.Failed
	t.Same = fold(t.Args, result.Text, func(string) bool { left--; return left >= 0 && !t.Failed })
	if t.Failed || !strings.ContainsAny(c.Args, "0123456789") {
		return t
	}
	var numbers []string
	args := foldCall(c, func(number string) bool {
		if len(numbers) < leadingNumbers {
			numbers = append(numbers, number)
		}
		return true
	})
	t.Like = fold(args^uint64(progress), result.Text, func(number string) bool { return slices.Contains(numbers, number) })
	return t
}

func (t Trace) is(other Trace) bool {
	return t.Same == other.Same || t.Like != 0 && t.Like == other.Like
}

// basis and prime are those of FNV-1a with 64 bits.
const (
	basis = 14695981039346656037
	prime = 1099511628211
)

// foldCall is the hash of an action and its arguments, without what a Brain may write one way or another: white space, and the order of
// the fields. Whether they are JSON at all is the action's business.
func foldCall(c Call, leftOut func(number string) bool) uint64 {
	sum := fold(basis, c.Name, nil)
	depth, from := 0, 0
	field := uint64(basis)
	upTo := func(i int) {
		field = fold(field, c.Args[from:i], leftOut)
		from = i + 1
	}
	for i := 0; i < len(c.Args); i++ {
		switch c.Args[i] {
		case '"':
			i = endOfString(c.Args, i)
		case ' ', '\t', '\r', '\n':
			upTo(i)
		case '{', '[':
			if depth++; depth == 1 {
				upTo(i)
			}
		case '}', ']':
			if depth--; depth == 0 {
				upTo(i)
			}
		case ',':
			if depth == 1 {
				upTo(i)
				sum, field = sum+field, basis
			}
		}
	}
	if from < len(c.Args) {
		upTo(len(c.Args))
	}
	return fold(sum+field, c.Name, nil)
}

// endOfString is where the JSON string that begins at a quotation mark has its other one, or the end of the text.
func endOfString(text string, begin int) int {
	for i := begin + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}

// fold adds a text to a hash. A number in it that leftOut says yes to counts as "#", whatever its digits. Eight bytes without a digit
// are taken at once: a page is hashed at every visit, and byte by byte that would be seen in the cost of a step.
func fold(hash uint64, text string, leftOut func(number string) bool) uint64 {
	for i := 0; i < len(text); {
		if i+8 <= len(text) {
			if word := eight(text[i : i+8]); !hasDigit(word) {
				hash = mix(hash, word)
				i += 8
				continue
			}
		}
		end := i
		for end < len(text) && '0' <= text[end] && text[end] <= '9' {
			end++
		}
		if end == i {
			hash = mix(hash, uint64(text[i]))
			i++
			continue
		}
		if leftOut != nil && leftOut(text[i:end]) {
			hash = mix(hash, '#')
		} else {
			for _, digit := range []byte(text[i:end]) {
				hash = mix(hash, uint64(digit))
			}
		}
		i = end
	}
	return hash
}

func mix(hash, word uint64) uint64 {
	hash = (hash ^ word) * prime
	return hash ^ hash>>32 // the multiplication carries nothing downwards
}

func eight(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// hasDigit says whether one of eight bytes is a digit: without the bits of '0' it is less than ten.
func hasDigit(word uint64) bool {
	rest := word ^ 0x3030303030303030
	return ^(rest&0x7f7f7f7f7f7f7f7f+0x7676767676767676|rest)&0x8080808080808080 != 0
}

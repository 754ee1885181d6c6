package agent

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"regexp"
	"slices"
	"strings"
)

// trace is what is kept of a call to see whether an agent goes in circles: hashes, and no text but the
// action's name.
type trace struct {
	Action string `json:"action"`
	Step   int    `json:"step"`
	Args   uint64 `json:"args,string"` // the action and its arguments
	// Same is of the action, the arguments and the result. The first numbers of the result are left out,
	// which may be a time or a count; a table has more of them, and those tell its pages apart.
	Same uint64 `json:"same,string"`
	// Like is of the same with all numbers of the arguments left out, in the arguments and in the result:
	// what a call has in common with others that count something up and get nowhere. It is 0 for a call
	// without numbers, and for one that failed: a page that does not answer says nothing of the next.
	// Agent.Progress is in it too: rows of figures are written by such calls.
	Like   uint64 `json:"like,string,omitempty"`
	Failed bool   `json:"failed,omitempty"`
	Warned bool   `json:"warned,omitempty"` // its result said that it was a repetition
}

const (
	leadingNumbers = 16 // of a result, that are left out of Same
	maxTraceName   = 64 // bytes: a Brain may ask for an action of any name
)

// asked is the trace of a call that is yet to be carried out.
func asked(c Call, step int) trace {
	name := strings.ToValidUTF8(c.Name[:min(len(c.Name), maxTraceName)], "")
	return trace{Action: name, Step: step, Args: foldCall(c, nil)}
}

// answered completes the trace of a call with its result, and what had come of the work before it.
func (t trace) answered(c Call, result recorded, progress int) trace {
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
	t.Like = fold(args^uint64(progress), result.Text,
		func(number string) bool { return slices.Contains(numbers, number) })
	return t
}

func (t trace) is(other trace) bool {
	return t.Same == other.Same || t.Like != 0 && t.Like == other.Like
}

// foldCall is the hash of an action and its arguments, without what a Brain may write one way or another:
// white space, and the order of the fields. Whether they are JSON at all is the action's business.
func foldCall(c Call, leftOut func(number string) bool) uint64 {
	args := strings.Join(strings.Fields(c.Args), " ")
	if value, err := parse(c.Args); err == nil {
		if plain, err := json.Marshal(value); err == nil {
			args = string(plain)
		}
	}
	return fold(fold(0, c.Name, nil), args, leftOut)
}

var digits = regexp.MustCompile(`[0-9]+`)

// fold adds a text to a hash. A number in it that leftOut says yes to counts as "#", whatever its digits.
func fold(hash uint64, text string, leftOut func(number string) bool) uint64 {
	if leftOut != nil {
		text = digits.ReplaceAllStringFunc(text, func(number string) string {
			if leftOut(number) {
				return "#"
			}
			return number
		})
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%x ", hash)
	_, _ = io.WriteString(h, text) // a hash takes everything
	return h.Sum64()
}

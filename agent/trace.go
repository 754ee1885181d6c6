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

// trace is the record of a call for detecting circles: hashes, and no text but the action's name.
type trace struct {
	Action string `json:"action"`
	Step   int    `json:"step"`
	Args   uint64 `json:"args,string"` // the action and its arguments
	// Same hashes the action, arguments and result. The first numbers of the result are left out, since they
	// may be a time or a count; a table has more, and those distinguish its pages.
	Same uint64 `json:"same,string"`
	// Like is the same hash with the arguments' numbers left out of arguments and result. Calls that count
	// something up and get nowhere share it. It is 0 for a call without numbers, and for one that failed: one
	// dead page says nothing about the next. Agent.Progress is included too, because such calls also write
	// rows of figures.
	Like   uint64 `json:"like,string,omitempty"`
	Failed bool   `json:"failed,omitempty"`
	Warned bool   `json:"warned,omitempty"` // its result said that it was a repetition
}

const (
	leadingNumbers = 16 // of a result, left out of Same
	maxTraceName   = 64 // bytes: a Brain may ask for an action by any name
)

// asked returns the trace of a call not yet carried out.
func asked(c Call, step int) trace {
	name := strings.ToValidUTF8(c.Name[:min(len(c.Name), maxTraceName)], "")
	return trace{Action: name, Step: step, Args: foldCall(c, nil)}
}

// answered completes a call's trace with its result and the progress before it.
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

// foldCall hashes an action and its arguments, ignoring white space and the order of fields. Whether the
// arguments are JSON is left to the action.
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

// fold adds a text to a hash. Every number for which leftOut returns true counts as "#".
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

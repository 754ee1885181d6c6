package fileagent

import (
	"bytes"
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// automaton says which lines of a block a pattern matches, at a table look-up for each letter. It is a deterministic automaton whose
// states are made when they are first met, so that what a pattern could need in theory is never built. It asks only whether a line
// matches, not where, which leaves out all that makes package regexp slow; a test compares the two.
type automaton struct {
	prog    *syntax.Prog
	bounds  []rune     // where each class of letters begins; those of a class are one to the pattern
	byByte  [256]int32 // class of an ASCII letter, special for a line's end and for what is longer than a byte
	numbers map[string]int32
	states  []state
	next    []int32 // by state and class: a state, or unknown
	words   bool    // it matters whether the letter before is one of a word
	work    int     // instructions looked at to make states
	spent   bool    // it cost more than it gains: the pattern is better left to package regexp
	list    []uint32
	onList  []bool
}

// state is what the pattern may stand at between two letters.
type state struct {
	at    []uint32 // instructions
	prev  rune     // the letter before, or one like it; -1 at the beginning of a line
	atEnd int32    // matched or dead when the line ends here, or unknown
}

// The first states.
const (
	unknown int32 = iota
	matched       // whatever follows
	dead          // nothing that follows can match
	begun         // at the beginning of a line
)

const (
	special   int32 = -1
	maxCells        = 1 << 18 // of the table: 1 MiB
	maxWork         = 1 << 25 // instructions, about 0.2 s
	maxProg         = 4000    // instructions of a pattern; one written by a person has a few dozen
	wordRune        = 'a'
	otherRune       = ' '
)

func newAutomaton(prog *syntax.Prog) *automaton {
	a := &automaton{prog: prog, bounds: classes(prog), onList: make([]bool, len(prog.Inst))}
	for c := range a.byByte {
		a.byByte[c] = special
		if c < utf8.RuneSelf && c != '\n' && c != '\r' {
			a.byByte[c] = a.class(rune(c))
		}
	}
	for _, inst := range prog.Inst {
		word := syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary
		a.words = a.words || inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&word != 0
	}
	a.reset()
	return a
}

// classes finds the letters at which some instruction begins or ends to match, or a word does.
func classes(prog *syntax.Prog) []rune {
	bounds := []rune{0, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1, utf8.RuneSelf}
	for _, inst := range prog.Inst {
		switch inst.Op {
		case syntax.InstRune1, syntax.InstRune:
			if len(inst.Rune) == 1 {
				for _, r := range foldings(inst.Rune[0]) {
					bounds = append(bounds, r, r+1)
				}
			}
			for i := 0; i+1 < len(inst.Rune); i += 2 {
				bounds = append(bounds, inst.Rune[i], inst.Rune[i+1]+1)
			}
		case syntax.InstRuneAnyNotNL:
			bounds = append(bounds, '\n', '\n'+1)
		default:
		}
	}
	slices.Sort(bounds)
	return slices.Compact(bounds)
}

// class is a binary search, but for the last class, where most letters beyond ASCII are.
func (a *automaton) class(r rune) int32 {
	if last := len(a.bounds) - 1; r >= a.bounds[last] {
		return int32(last)
	}
	i, found := slices.BinarySearch(a.bounds, r)
	if !found {
		i--
	}
	return int32(i)
}

// reset forgets the states that were made.
func (a *automaton) reset() {
	a.numbers = map[string]int32{}
	a.states, a.next = a.states[:0], a.next[:0]
	for range begun {
		a.add(state{})
	}
	a.number(state{prev: -1})
}

func (a *automaton) add(s state) int32 {
	a.states = append(a.states, s)
	a.next = append(a.next, make([]int32, len(a.bounds))...)
	return int32(len(a.states) - 1)
}

// number is the number of a state, which is made when it is new.
func (a *automaton) number(s state) int32 {
	slices.Sort(s.at)
	s.at = slices.Compact(s.at)
	key := make([]byte, 0, 4*len(s.at)+1)
	key = append(key, byte(s.prev))
	for _, pc := range s.at {
		key = binary.LittleEndian.AppendUint32(key, pc)
	}
	if n, ok := a.numbers[string(key)]; ok {
		return n
	}
	s.at = slices.Clone(s.at)
	n := a.add(s)
	a.numbers[string(key)] = n
	return n
}

// step makes the state after a letter, which stands for its class; -1 is the end of the line.
func (a *automaton) step(from int32, r rune) int32 {
	s := a.states[from]
	flags := syntax.EmptyOpContext(s.prev, r)
	a.list = a.list[:0]
	a.follow(uint32(a.prog.Start), flags)
	for _, pc := range s.at {
		a.follow(pc, flags)
	}
	after := state{prev: otherRune}
	if a.words && syntax.IsWordChar(r) {
		after.prev = wordRune
	}
	to := dead
	for _, pc := range a.list {
		a.onList[pc] = false
		inst := &a.prog.Inst[pc]
		switch {
		case inst.Op == syntax.InstMatch:
			to = matched
		case r >= 0 && isRune(inst.Op) && inst.MatchRune(r):
			after.at = append(after.at, inst.Out)
		}
	}
	a.work += len(a.list)
	if a.work > maxWork {
		a.spent = true
	}
	if to == matched || r < 0 {
		return to
	}
	if len(after.at) == 0 && a.prog.StartCond()&syntax.EmptyBeginText != 0 {
		return dead
	}
	return a.number(after)
}

func isRune(op syntax.InstOp) bool {
	return op == syntax.InstRune || op == syntax.InstRune1 || op == syntax.InstRuneAny || op == syntax.InstRuneAnyNotNL
}

// follow puts an instruction on the list, and those that are reached from it without a letter. Its stack is its own: a pattern may nest
// deeper than is good for a recursion.
func (a *automaton) follow(pc uint32, flags syntax.EmptyOp) {
	stack := []uint32{pc}
	for len(stack) > 0 {
		pc, stack = stack[len(stack)-1], stack[:len(stack)-1]
		if a.onList[pc] {
			continue
		}
		a.onList[pc] = true
		a.list = append(a.list, pc)
		switch inst := &a.prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Arg, inst.Out)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^flags == 0 {
				stack = append(stack, inst.Out)
			}
		default:
		}
	}
}

// after is the state after a letter of a class.
func (a *automaton) after(from, class int32) int32 {
	cell := int(from)*len(a.bounds) + int(class)
	to := a.next[cell]
	if to != unknown {
		return to
	}
	if len(a.next) > maxCells {
		s := a.states[from]
		a.reset()
		from = a.number(s)
		cell = int(from)*len(a.bounds) + int(class)
	}
	to = a.step(from, a.bounds[class])
	a.next[cell] = to
	return to
}

func (a *automaton) endsWell(from int32) bool {
	if a.states[from].atEnd == unknown {
		to := a.step(from, -1)
		a.states[from].atEnd = to
	}
	return a.states[from].atEnd == matched
}

// find finds the first line that matches in a block of whole lines. It gives up, with ok false and spent true, when making states costs
// too much; end is then where the line begins at which it did.
func (a *automaton) find(block []byte) (start, end int, ok bool) {
	s, next, classes := begun, a.next, len(a.bounds)
	returns := 0 // carriage returns up to here are letters like others
	for i := 0; i < len(block); {
		c := block[i]
		class, width := a.byByte[c], 1
		if class == special {
			if c == '\r' && i >= returns {
				returns = i + len(block[i:]) - len(bytes.TrimLeft(block[i:], "\r"))
			}
			if c == '\n' || c == '\r' && (returns == len(block) || block[returns] == '\n') {
				if a.endsWell(s) {
					return start, i, true
				}
				i = lineEnd(block, i) + 1
				start, s = i, begun
				continue
			}
			var r rune
			r, width = utf8.DecodeRune(block[i:])
			class = a.class(r)
		}
		to := next[int(s)*classes+int(class)]
		if to == unknown {
			if to = a.after(s, class); a.spent {
				return start, start, false
			}
			next = a.next
		}
		i += width
		switch s = to; s {
		case matched:
			return start, textEnd(block, start, lineEnd(block, i)), true
		case dead:
			i = lineEnd(block, i) + 1
			start, s = i, begun
		}
	}
	if start < len(block) && a.endsWell(s) {
		return start, len(block), true
	}
	return len(block), len(block), false
}

// foldings are a letter and those that it is written as in the other case.
func foldings(r rune) []rune {
	all := []rune{r}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		all = append(all, f)
	}
	return all
}

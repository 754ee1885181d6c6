package roff

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// take reads a request or a line of text that no condition leaves out.
func (m *manual) take(name, rest string, isRequest bool) {
	switch {
	case m.table != nil && name != "TE":
		m.table.take(m, name, rest, isRequest)
	case !isRequest && m.next == 0 && !m.isCode && strings.TrimSpace(rest) == "":
		m.text = nil
	case !isRequest:
		if strings.HasPrefix(rest, " ") {
			m.lineBreak()
		}
		m.say(m.resolved(rest))
	case m.isMdoc && m.block(name, rest):
	default:
		m.request(name, rest)
	}
}

// request carries out one of roff itself or of man(7). What only concerns looks has small letters.
func (m *manual) request(name, rest string) {
	args := m.words(rest)
	first := strings.Join(args[:min(1, len(args))], "")
	switch name {
	case "de", "de1", "am", "ig":
		if m.until = "."; name != "ig" && len(args) > 1 {
			m.until = args[1]
		} else if name == "ig" && first != "" {
			m.until = first
		}
	case "ds", "as":
		m.define(rest, name == "as")
	case "TH", "Dt", "Dd":
		m.head(name, args)
	case "SH":
		m.heading(atom.H2, args)
	case "SS":
		m.heading(atom.H3, args)
	case "PP", "P", "LP", "HP":
		m.text, m.in, m.isGap = nil, m.at, true
	case "sp", "Sp", "Pp", "Lp":
		m.text, m.isGap = nil, true
	case "br":
		m.lineBreak()
	case "nf", "EX", "Vb":
		m.isCode, m.text, m.isGap = true, nil, false
	case "fi", "EE", "Ve":
		m.isCode, m.text = false, nil
	case "TP", "TQ":
		m.next = atom.Dt
	case "IP":
		if m.isGap = true; first != "" {
			m.entryOf(first)
		} else if m.text = nil; m.at.LastChild != nil && lists[m.at.LastChild.DataAtom] {
			m.in = m.at.LastChild.LastChild
		}
	case "RS":
		m.enter()
	case "RE", "UNINDENT":
		m.leave()
	case "INDENT": // of rst2man, which calls .RS
		m.text = nil
		m.enter()
	case "TS":
		m.table, m.text = &table{mark: "\t"}, nil
	case "TE":
		m.table = nil
	default:
		m.speak(name, args)
	}
}

// lineBreak begins a line in the paragraph that is open; none is open in code.
func (m *manual) lineBreak() {
	if m.text != nil {
		tree.Add(m.text, atom.Br)
		m.isGlued = true
	}
}

// head takes the title and the date.
func (m *manual) head(name string, args []string) {
	m.isMdoc = m.isMdoc || name != "TH"
	if name == "Dd" {
		m.doc.Published = strings.Trim(strings.TrimPrefix(strings.Join(args, " "), "$Mdocdate:"), " $")
		return
	}
	if len(args) > 1 {
		m.doc.Title = args[0] + "(" + args[1] + ")"
	}
	if len(args) > 2 && name == "TH" {
		m.doc.Published = args[2]
	}
}

// speak says the words of a macro, also of one that is unknown.
func (m *manual) speak(name string, args []string) {
	const most = 3
	three := append(args[:len(args):len(args)], make([]string, most)...)
	switch name {
	case "UR", "MT":
		m.address = three[0]
	case "UE", "ME":
		m.say(glue + " (" + m.address + ")" + three[0])
	case "URL", "MTO":
		m.say(strings.TrimSpace(three[1]+" ("+three[0]+")") + three[2])
	case "OP":
		m.say("[" + strings.Join(args, " ") + "]")
	case "BR", "BI", "IB", "IR", "RB", "RI":
		m.say(strings.Join(args, ""))
	case "IX", "PD", "DT", "UC", "AT", "Os":
	default:
		if len(args) > 0 && strings.ToLower(name) != name {
			m.say(strings.Join(args, " "))
		}
	}
}

// define keeps a string that the page uses below, or appends to it. What a stranger makes longer would fill
// the memory.
func (m *manual) define(rest string, more bool) {
	const longest, most = 40, 1002
	name, value, _ := strings.Cut(rest, " ")
	value = strings.TrimPrefix(strings.TrimLeft(value, " \t"), `"`)
	if value = m.resolved(value); more {
		value = m.strings[name] + value
	}
	if len(value) <= longest && len(m.strings) < most {
		m.strings[name] = value
	}
}

var (
	isBullet = regexp.MustCompile(`^[•*–—−o+·-]$`)
	// numbered is the mark of an item, and drawn that of one that is set by moving to the left.
	numbered = regexp.MustCompile(`^\(?(\d{1,5})[.)]?$`)
	// sentence is how words end that are no term.
	sentence = regexp.MustCompile(`(?:[^.]\.|[:;,])$`)
	drawn    = regexp.MustCompile(`^ *(•|\d{1,5}\.)` + glue + `$`)
)

// say adds words to what is open: a term, a heading, code or a paragraph.
func (m *manual) say(words string) {
	m.size += len(words) + 1
	bare := shown.Replace(words)
	item := drawn.FindStringSubmatch(words)
	switch {
	case m.next == atom.Dt && strings.TrimSpace(bare) != "":
		m.next = 0
		m.entryOf(bare)
	case m.next == atom.Dt:
	case m.next != 0:
		m.heading(m.next, []string{bare})
	case m.isCode:
		pre := m.in.LastChild
		if pre == nil || pre.DataAtom != atom.Pre {
			pre = tree.Add(m.in, atom.Pre)
		} else if m.isGap {
			bare = "\n" + bare
		}
		if !strings.HasSuffix(words, glue) {
			bare += "\n"
		}
		tree.AddText(pre, bare)
		m.isGap, m.text = false, nil
	case item != nil && m.text == nil:
		m.entryOf(item[1])
	default:
		if m.text == nil {
			m.text, m.isGlued = tree.Add(m.in, atom.P), true
		}
		if !m.isGlued && !strings.HasPrefix(words, glue) && !areHan(m.text.LastChild.Data, bare) {
			bare = " " + bare
		}
		tree.AddText(m.text, bare)
		m.isGlued = strings.HasSuffix(words, glue)
	}
}

// areHan reports whether two lines are one in Chinese, which has no blank there.
func areHan(line, next string) bool {
	const from = 0x2e80 // where the Chinese signs begin
	last, _ := utf8.DecodeLastRuneInString(line)
	first, _ := utf8.DecodeRuneInString(next)
	return min(last, first) >= from && max(last, first) != utf8.RuneError
}

// heading begins a section, in which no level, no list and no code is open.
func (m *manual) heading(tag atom.Atom, words []string) {
	if m.next = tag; len(words) == 0 {
		return
	}
	for m.at.Parent != nil {
		m.at = m.at.Parent
	}
	m.level = level{at: m.at, in: m.at}
	m.text, m.above, m.next, m.isCode = nil, nil, 0, false
	text := shown.Replace(strings.Join(words, " "))
	m.synopsis = strings.EqualFold(text, "SYNOPSIS")
	tree.AddText(tree.Add(m.at, tag), text)
}

// entryOf begins one of a list, with a mark, a number or a term.
func (m *manual) entryOf(mark string) {
	mark = shown.Replace(mark)
	kind, start := atom.Dl, ""
	if n := numbered.FindStringSubmatch(mark); n != nil && mark != n[1] {
		kind, start = atom.Ol, n[1]
	} else if isBullet.MatchString(mark) {
		kind = atom.Ul
	}
	list := m.at.LastChild
	if list == nil || list.DataAtom != kind || start == "1" {
		list = tree.Add(m.at, kind, "start", start)
	}
	m.text = nil
	if kind != atom.Dl {
		m.in = tree.Add(list, atom.Li)
		return
	}
	if last := list.LastChild; last != nil && last.FirstChild == nil { // the same as the term above
		list.RemoveChild(last)
	}
	tree.AddText(tree.Add(list, atom.Dt), mark)
	m.in = tree.Add(list, atom.Dd)
}

// lists are made by entryOf, which leaves none empty.
var lists = tree.Tags("dl ul ol")

// enter begins a level further in. A short paragraph right above it, as programs write it, is its term.
func (m *manual) enter() {
	now := m.level
	if p := m.text; p != nil && m.in == m.at && m.at.LastChild == p {
		term := tree.Text(p, longestTerm+1)
		if len(term) <= longestTerm && !sentence.MatchString(term) {
			m.at.RemoveChild(p)
			m.entryOf(strings.TrimSpace(term))
		}
	}
	if len(m.above) < deepest {
		m.above = append(m.above, now)
		m.at = m.in
	}
	m.in, m.text = m.at, nil
}

// leave ends a level.
func (m *manual) leave() {
	m.text = nil
	if last := len(m.above) - 1; last >= 0 {
		m.level, m.above = m.above[last], m.above[:last]
	}
}

// table is one of tbl(1), row by row.
type table struct {
	mark          string // between cells
	isRow, isCell bool   // what stands above rows is over; a cell of several lines is open
	cells         []string
	lines         []string // of the cell that is open
	node          *html.Node
}

var tabMark = regexp.MustCompile(`tab *\((.)\)`)

func (t *table) take(m *manual, name, rest string, isRequest bool) {
	switch {
	case !t.isRow:
		if found := tabMark.FindStringSubmatch(rest); found != nil {
			t.mark = found[1]
		}
		t.isRow = strings.HasSuffix(strings.TrimSpace(rest), ".")
		return
	case name == "T&":
		t.isRow = false
		return
	case isRequest && strings.ToLower(name) == name || !t.isCell && strings.Trim(rest, "_=") == "":
		return
	case isRequest:
		rest = strings.Join(m.words(rest), " ")
	}
	if after, closes := strings.CutPrefix(rest, "T}"); closes && t.isCell {
		t.isCell, rest = false, after
		t.cells[len(t.cells)-1] = strings.Join(t.lines, " ")
		if after == "" {
			t.end(m)
			return
		}
		rest = after[min(len(t.mark), len(after)):]
	} else if t.isCell {
		t.lines = append(t.lines, m.resolved(rest))
		return
	}
	const widest = 100 // columns
	cells := strings.SplitN(rest, t.mark, widest)
	for _, cell := range cells {
		t.isCell, t.lines = cell == "T{", nil
		t.cells = append(t.cells, strings.TrimPrefix(m.resolved(cell), "T{"))
	}
	if !t.isCell {
		t.end(m)
	}
}

// end writes a row.
func (t *table) end(m *manual) {
	if t.node == nil {
		t.node = tree.Add(m.in, atom.Table)
	}
	row := tree.Add(t.node, atom.Tr)
	for _, cell := range t.cells {
		m.size += len(cell) + 1
		tree.AddText(tree.Add(row, atom.Td), shown.Replace(cell))
	}
	t.cells = nil
}

package roff

import (
	_ "embed" // for the list of macros
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

//go:embed mdoc.txt
var macroFile string

// macros are those that may stand anywhere in a line, with what they put before and behind the rest of it.
var macros = listed(strings.ReplaceAll(macroFile, "~", glue))

// block carries out a macro of mdoc(7), and reports whether it is one.
func (m *manual) block(name, rest string) bool {
	args := m.words(rest)
	_, isInline := macros[name]
	switch {
	case name == "Sh":
		m.heading(atom.H2, args)
	case name == "Ss":
		m.heading(atom.H3, args)
	case name == "Bl":
		m.text = nil
		m.enter()
		m.kind, m.before = kindOf.FindString(strings.Join(args, " ")), m.at.LastChild
	case name == "El":
		m.leave()
	case name == "It":
		m.entry(m.inline(args))
	case name == "Bd":
		m.text = nil
		m.isCode = strings.Contains(rest, "-literal") || strings.Contains(rest, "-unfilled")
	case name == "Ed":
		m.isCode, m.text = false, nil
	case name == "Dl", name == "D1":
		was := m.isCode
		m.isCode = true
		m.say(m.inline(args))
		m.isCode = was
	case name == "Rs", name == "Re":
		m.text = nil
	case strings.HasPrefix(name, "%"):
		m.say(strings.Join(args, " ") + ",")
	case isInline:
		if isLine[name] && m.synopsis {
			m.lineBreak()
		}
		if said := m.inline(append([]string{name}, args...)); said != "" {
			m.say(said)
		}
	default:
		return false
	}
	return true
}

// isLine has what begins a line of a synopsis.
var isLine = map[string]bool{"Nm": true, "Fn": true, "Ft": true, "In": true, "Fd": true, "Fo": true}

// kindOf finds the kind of a list among its arguments; another than these lists terms.
var kindOf = regexp.MustCompile(`-(?:bullet|dash|hyphen|enum|item|column)\b`)

// entry begins an item of the innermost list.
func (m *manual) entry(head string) {
	list := m.at.LastChild
	if list == m.before {
		list = nil
	}
	switch m.kind {
	case "-bullet", "-dash", "-hyphen":
		m.entryOf("•")
	case "-enum":
		if list != nil && list.DataAtom == atom.Ol {
			m.entryOf("2.") // or another: they are counted when they are written
		} else {
			m.entryOf("1.")
		}
	case "-item":
		m.in, m.text = m.at, nil
	case "-column":
		t := table{mark: "\t", isRow: true}
		if m.text = nil; list != nil && list.DataAtom == atom.Table {
			t.node = list
		}
		m.in = m.at
		t.take(m, "", head, false)
	default:
		m.entryOf(head)
	}
}

var (
	closing = regexp.MustCompile(`^[.,:;)\]?!]$`)
	opening = regexp.MustCompile(`^[(\[]$`)
)

// inline is a line of macros as words.
func (m *manual) inline(args []string) string {
	var said, ends []string
	isOption := false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		signs, isMacro := macros[arg]
		switch {
		case isMacro:
			isOption = arg == "Fl"
			words, taken := m.named(args[i:])
			before, after, _ := strings.Cut(signs, " ")
			if words+before != "" {
				said = append(said, words+before)
			}
			if after != "" {
				ends = append(ends, after)
			}
			i += taken
		case closing.MatchString(arg):
			said = append(said, glue+arg)
		case opening.MatchString(arg):
			said = append(said, arg+glue)
		case isOption:
			said = append(said, "-"+arg)
		default:
			said = append(said, arg)
		}
	}
	end := len(said)
	for end > 0 && strings.HasPrefix(said[end-1], glue) && closing.MatchString(said[end-1][1:]) {
		end--
	}
	slices.Reverse(ends)
	return joined(said[:end]) + strings.Join(ends, "") + joined(said[end:])
}

// named is what the macro says that some words begin with, and how many of those behind it that takes.
func (m *manual) named(args []string) (said string, taken int) {
	next := strings.Join(args[min(1, len(args)):min(2, len(args))], "")
	_, isMacro := macros[next]
	isAlone := isMacro || next == "" || closing.MatchString(next)
	switch name := args[0]; {
	case name == "Fl" && isAlone:
		return "-" + glue, 0
	case name == "Nm" && isAlone:
		return m.name, 0
	case name == "Nm" && m.name == "":
		m.name = next
	case name == "Ar" && isAlone:
		return "file ...", 0
	case name == "Pf" && next != "":
		return next + glue, 1
	case name == "Fo" && !isAlone:
		return next + "(" + glue, 1
	case name == "In" && !isAlone:
		return "<" + next + ">", 1
	case name == "Xr" && len(args) > 2:
		return next + "(" + args[2] + ")", 2
	case name == "Fn" && !isAlone:
		end := 2
		for end < len(args) && !closing.MatchString(args[end]) {
			end++
		}
		return next + "(" + strings.Join(args[2:end], ", ") + ")", end - 1
	case name == "Ex":
		return m.name + " exits 0 on success, and >0 if an error occurs.", len(args) - 1
	case name == "Sm", name == "Bk", name == "Bf", name == "Rv":
		return "", len(args) - 1
	}
	return "", 0
}

// joined has a blank between words that no glue holds together.
func joined(words []string) string {
	var out strings.Builder
	for i, word := range words {
		if i > 0 && !strings.HasPrefix(word, glue) && !strings.HasSuffix(words[i-1], glue) {
			out.WriteByte(' ')
		}
		out.WriteString(word)
	}
	return out.String()
}

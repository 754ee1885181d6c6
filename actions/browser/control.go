package browser

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

const (
	maxControls = 400 // that are recorded for a page
	maxName     = 100 // characters of a control's name
	maxOptions  = 40  // of a list that are shown
)

// control is something usable on a page: a link, a button, a field.
type control struct {
	number  int
	kind    string // link, button, field, list, box, choice or part
	name    string
	to      string   // where a link leads
	value   string   // the content of a field, or the selection in a list
	on      bool     // for a box or a choice
	options []string // of a list

	id      int64
	form    string // where its form is sent, "" if it is in none
	secret  bool   // its form asks for a password
	submits bool
}

// String returns the control in the form that a model sees.
func (c *control) String() string {
	out := fmt.Sprintf("(%d) %s %q", c.number, c.kind, c.name)
	switch {
	case c.kind == "link":
		out += " -> " + prose.Shorten(c.to, 200)
	case c.kind == "list":
		out += fmt.Sprintf(", chosen %q, of: %s", c.value, strings.Join(c.options, " | "))
	case c.kind == "field" && c.value != "":
		out += fmt.Sprintf(", holds %q", c.value)
	case c.on:
		out += ", on"
	}
	return out
}

// control records an element that can be used, except fields for passwords and files.
func (s *seen) control(n *node) {
	kind := s.kindOf(n)
	_, off := n.attrs["disabled"]
	if isPassword(n) && n.style != nil {
		s.password = true
	}
	if kind == "" || n.style == nil || n.looks("visibility") != "visible" || len(s.controls) == maxControls ||
		off || n.box[2] < 1 || n.box[3] < 1 {
		return
	}
	c := &control{kind: kind, id: n.id, on: n.set, name: s.nameOf(n)}
	switch kind {
	case "link":
		c.to = s.address(n.attrs["href"])
	case "field":
		c.value = short(n.value)
		if n.name != "input" && n.name != "textarea" {
			c.value = short(textOf(n))
		}
	case "list":
		for _, o := range all(n, "option") {
			if name := short(textOf(o)); len(c.options) < maxOptions {
				c.options = append(c.options, name)
				if o.set {
					c.value = name
				}
			}
		}
	}
	of := strings.ToLower(n.attrs["type"])
	c.submits = n.name == "button" && (of == "" || of == "submit") ||
		n.name == "input" && (of == "submit" || of == "image")
	if s.form != nil {
		action := cmp.Or(n.attrs["formaction"], s.form.attrs["action"])
		if c.form = s.address(action); action == "" && s.in.base != nil {
			c.form = s.in.base.String()
		}
		c.secret = slices.ContainsFunc(all(s.form, "input"), isPassword)
	}
	if c.name != "" || kind != "part" {
		s.controls = append(s.controls, c)
	}
}

// isPassword reports whether an element is a field for a password.
func isPassword(n *node) bool {
	return n.name == "input" && strings.EqualFold(n.attrs["type"], "password")
}

// kindOfElement, kindOfInput and kindOfRole map elements, inputs and roles to kinds of controls.
var (
	kindOfElement = map[string]string{"button": "button", "summary": "button", "select": "list",
		"textarea": "field"}
	kindOfInput = map[string]string{"hidden": "", "password": "", "file": "", "submit": "button",
		"button": "button", "image": "button", "reset": "button", "checkbox": "box", "radio": "choice"}
	kindOfRole = map[string]string{"button": "button", "tab": "button", "menuitem": "button",
		"option": "button", "link": "button", "switch": "button", "checkbox": "box", "radio": "choice",
		"textbox": "field", "searchbox": "field", "combobox": "field"}
)

// kindOf returns an element's kind of control, "" for none.
func (s *seen) kindOf(n *node) string {
	if n.name == "a" && isWeb(s.address(n.attrs["href"])) && !strings.HasPrefix(n.attrs["href"], "#") {
		return "link"
	}
	if n.name == "input" {
		if kind, ok := kindOfInput[strings.ToLower(n.attrs["type"])]; ok {
			return kind
		}
		return "field"
	}
	if kind := cmp.Or(kindOfElement[n.name], kindOfRole[n.attrs["role"]]); kind != "" {
		return kind
	}
	if editable, ok := n.attrs["contenteditable"]; ok && editable != "false" {
		return "field"
	}
	points := n.looks("cursor") == "pointer" && (n.around == nil || n.around.looks("cursor") != "pointer")
	if (n.listens || points) && n.name != "body" && n.name != "html" && n.name != "label" &&
		len([]rune(textOf(n))) <= maxName && len(all(n, "a", "button", "input", "select")) == 0 {
		return "part" // of a page: no button, but it listens for clicks
	}
	return ""
}

// nameOf returns what a person would call a control: its label, or the text on it.
func (s *seen) nameOf(n *node) string {
	names := []string{n.attrs["aria-label"], textOf(n)}
	if n.name == "input" || n.name == "select" || n.name == "textarea" {
		names[1] = s.labelOf(n)
	}
	if n.name == "input" && s.kindOf(n) == "button" {
		names[1] = cmp.Or(n.value, names[1])
	}
	for _, from := range []string{"placeholder", "title", "alt", "name", "value"} {
		names = append(names, n.attrs[from])
	}
	for _, image := range all(n, "img") {
		names = append(names, image.attrs["alt"])
	}
	for i := range names {
		names[i] = short(names[i])
	}
	return cmp.Or(names...)
}

// labelOf returns the text of the label around a field, or of the one that refers to it.
func (s *seen) labelOf(n *node) string {
	for up, k := n.around, 0; up != nil && k < 10; up, k = up.around, k+1 {
		if up.name == "label" {
			return textOf(up)
		}
	}
	if label := s.in.labels[n.attrs["id"]]; label != nil {
		return textOf(label)
	}
	return ""
}

func short(text string) string { return prose.Shorten(prose.OneLine(text), maxName) }

// walk visits the content of an element, within limits, until visit returns false.
func walk(n *node, visit func(*node) bool) {
	left := 500 // a page may nest click listeners without end
	var inside func(*node) bool
	inside = func(n *node) bool {
		for _, c := range n.inside {
			if left--; left < 0 || !visit(c) || !inside(c) {
				return false
			}
		}
		return true
	}
	inside(n)
}

// all lists the elements inside another that have one of some names.
func all(n *node, names ...string) (found []*node) {
	walk(n, func(c *node) bool {
		if slices.Contains(names, c.name) {
			found = append(found, c)
		}
		return true
	})
	return found
}

// textOf returns the text in an element, as much of it as a name may need.
func textOf(n *node) string {
	var out strings.Builder
	walk(n, func(c *node) bool {
		switch {
		case c.kind == 3 && (c.around.name == "script" || c.around.name == "style" ||
			c.around.name == "option" && c.around != n): // the label of a list leaves out the list's options
		case c.kind == 3:
			out.WriteString(c.text)
		default:
			out.WriteString(" ")
		}
		return out.Len() <= 4*maxName
	})
	return out.String()
}

package browser

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// maxNodes bounds the nodes read of a page, including its frames.
const maxNodes = 150_000

// styles decide whether a person sees a text, and whether they may click it.
var styles = []string{"display", "visibility", "opacity", "font-size", "color", "background-color",
	"background-image", "background-clip", "cursor", "overflow-x", "position", "content-visibility"}

// rare holds the values of a property that few nodes have.
type rare struct{ Index, Value []int }

func (r rare) values() map[int]int {
	all := make(map[int]int, len(r.Index))
	for i, at := range r.Index {
		all[at] = 1
		if i < len(r.Value) {
			all[at] = r.Value[i]
		}
	}
	return all
}

// snapshot is the result of DOMSnapshot.captureSnapshot: texts are indexes into Strings.
type snapshot struct {
	Documents []struct {
		DocumentURL, Title, BaseURL int
		Nodes                       struct {
			ParentIndex, NodeType, NodeName, NodeValue, BackendNodeID []int
			Attributes                                                [][]int
			ContentDocumentIndex, InputValue, TextValue               rare
			InputChecked, OptionSelected, IsClickable                 rare
		}
		Layout struct {
			NodeIndex, Text []int
			Styles          [][]int
			Bounds          [][]float64
		}
	}
	Strings []string
}

// node is a node of a rendered page.
type node struct {
	kind    int    // 1 for an element, 3 for a text
	name    string // of an element, in lower case
	text    string
	id      int64 // the browser's id for it
	attrs   map[string]string
	style   []string  // nil if it is not drawn
	box     []float64 // x, y, width, height
	inside  []*node
	around  *node
	frame   *document // of an iframe
	value   string    // of a field
	set     bool      // whether a box is ticked, or an option chosen
	listens bool      // for clicks
}

// document is a page, or the page in a frame.
type document struct {
	address, title string
	base           *url.URL // nil if it is invalid
	root           *node
	labels         map[string]*node // by the id they are for
}

func (n *node) looks(style string) string {
	if at := slices.Index(styles, style); at < len(n.style) {
		return n.style[at]
	}
	return ""
}

// picture describes the page as seen, with frames and shadow roots. No script of the page has a part in it.
func (t *tab) picture(ctx context.Context) (*document, error) {
	var s snapshot
	if err := t.call(ctx, "DOMSnapshot.captureSnapshot", has{"computedStyles": styles}, &s); err != nil {
		return nil, fmt.Errorf("reading the page: %w", err)
	}
	if len(s.Documents) == 0 {
		return nil, fmt.Errorf("reading the page: %w: it is empty", errGone)
	}
	total := 0
	for _, d := range s.Documents {
		total += len(d.Nodes.ParentIndex)
	}
	if total > maxNodes {
		return nil, fmt.Errorf("reading the page: it has %d elements and texts, and at most %d are read: "+
			"look for a smaller page or a part of it", total, maxNodes)
	}
	return s.tree(), nil
}

func (s *snapshot) string(i int) string {
	if i < 0 || i >= len(s.Strings) {
		return ""
	}
	return s.Strings[i]
}

// tree joins the documents of a snapshot.
func (s *snapshot) tree() *document {
	all := make([]*document, len(s.Documents))
	for i := range all {
		all[i] = &document{root: &node{}, labels: map[string]*node{}}
	}
	for i, d := range s.Documents {
		nodes := s.nodes(i)
		for at, frame := range d.Nodes.ContentDocumentIndex.values() {
			if at < len(nodes) && frame > i && frame < len(all) {
				nodes[at].frame = all[frame]
			}
		}
		all[i].address, all[i].title = s.string(d.DocumentURL), s.string(d.Title)
		all[i].base, _ = url.Parse(cmp.Or(s.string(d.BaseURL), all[i].address))
		for _, n := range nodes {
			if n.name == "label" && n.attrs["for"] != "" {
				all[i].labels[n.attrs["for"]] = n
			}
		}
		if len(nodes) > 0 {
			all[i].root = nodes[0]
		}
	}
	return all[0]
}

// nodes returns the nodes of one document.
func (s *snapshot) nodes(document int) []*node {
	d := s.Documents[document]
	from := d.Nodes
	nodes := make([]*node, min(len(from.ParentIndex), len(from.NodeType), len(from.NodeName),
		len(from.NodeValue), len(from.BackendNodeID), len(from.Attributes)))
	values, texts := from.InputValue.values(), from.TextValue.values()
	ticked, chosen, listens := from.InputChecked.values(), from.OptionSelected.values(),
		from.IsClickable.values()
	for i := range nodes {
		n := &node{kind: from.NodeType[i], name: strings.ToLower(s.string(from.NodeName[i])),
			text: s.string(from.NodeValue[i]), id: int64(from.BackendNodeID[i]), listens: listens[i] > 0,
			set: ticked[i]+chosen[i] > 0}
		for _, of := range []map[int]int{values, texts} {
			if at, ok := of[i]; ok {
				n.value = s.string(at)
			}
		}
		if pairs := from.Attributes[i]; len(pairs) > 1 {
			n.attrs = make(map[string]string, len(pairs)/2)
			for k := 0; k+1 < len(pairs); k += 2 {
				n.attrs[s.string(pairs[k])] = s.string(pairs[k+1])
			}
		}
		if up := from.ParentIndex[i]; up >= 0 && up < i {
			n.around = nodes[up]
			nodes[up].inside = append(nodes[up].inside, n)
		}
		nodes[i] = n
	}
	for k, at := range d.Layout.NodeIndex {
		if at < 0 || at >= len(nodes) || nodes[at].style != nil || k >= len(d.Layout.Styles) ||
			k >= len(d.Layout.Bounds) || len(d.Layout.Bounds[k]) < 4 {
			continue
		}
		n := nodes[at]
		n.style, n.box = make([]string, len(d.Layout.Styles[k])), d.Layout.Bounds[k]
		for j, style := range d.Layout.Styles[k] {
			n.style[j] = s.string(style)
		}
		if n.name == "::before" || n.name == "::after" { // text from a style sheet
			n.text = s.string(d.Layout.Text[k])
		}
	}
	return nodes
}

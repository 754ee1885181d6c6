package layout

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
)

// InertPicture returns an error for an SVG that is more than shapes and words: a browser that opens it runs
// scripts and fetches what it names.
func InertPicture(p string, data []byte) error {
	in := bounds.XML(string(data))
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s was not written: it is not well-formed SVG: %w", p, err)
		}
		switch t := token.(type) {
		case xml.Directive, xml.ProcInst:
			return fmt.Errorf("%s was not written: an SVG of the agent begins with <svg> "+
				"and declares nothing", p)
		case xml.StartElement:
			if active := activeIn(t); active != "" {
				return fmt.Errorf("%s was not written: an SVG of the agent holds shapes and text alone, "+
					"and this one has %q", p, active)
			}
		}
	}
}

// activeIn is the name of what in an element may run, style or fetch; "" when nothing does.
func activeIn(e xml.StartElement) string {
	shapes := []string{"svg", "g", "title", "desc", "rect", "path", "circle", "ellipse", "line", "polyline",
		"polygon", "text", "tspan"}
	if !slices.Contains(shapes, e.Name.Local) {
		return e.Name.Local
	}
	for _, a := range e.Attr {
		name := strings.ToLower(a.Name.Local)
		fetches := strings.Contains(strings.ToLower(a.Value), "url(")
		if fetches || strings.HasPrefix(name, "on") || name == "href" || name == "style" {
			return a.Name.Local
		}
	}
	return ""
}

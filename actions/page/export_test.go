package page

import (
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"golang.org/x/net/html"
)

// WithHidden is the Markdown of a page with what it hides from a person: the control.
func WithHidden(t interface{ Fatal(...any) }, source string) string {
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	return markup.Write(doc, nil, nil)
}
